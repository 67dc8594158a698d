import { defineConfig } from 'vite';

const chatls = process.env.CHATLS_ADDRESS ?? 'http://127.0.0.1:4000';

export default defineConfig({
  server: { proxy: { '/api': chatls } },
});
