-- What `vim.lsp.enable('chatls')` starts. Neovim finds this file in the `lsp` folder of its 'runtimepath'.
--
-- Everything here can be changed from an init.lua, before or after: `vim.lsp.config('chatls', { … })`.

---@type vim.lsp.Config
return {
  cmd = { 'chatls', 'serve' },
  -- Neovim sends a file type as the language id, and the language id says how chatls reads a document: Markdown, or
  -- a stream log.
  filetypes = { 'markdown', 'jsonl', 'ndjson', 'sse' },
  root_markers = { 'chatls.toml', '.git' },
  -- Neovim makes such edits, and does not say so: without it, no command can make a file.
  capabilities = { workspace = { workspaceEdit = { documentChanges = true } } },
}
