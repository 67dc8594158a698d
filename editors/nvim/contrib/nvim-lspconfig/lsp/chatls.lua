---@brief
---
--- https://github.com/chatls/chatls
---
--- A language server for chat documents: transcripts of AI conversations with tool calls in them, and stream logs.
---
--- It serves Markdown files, and logs of the AI SDK as JSON lines or server-sent events. Files without tool calls stay
--- silent. Neovim does not detect the file types of all such logs by itself:
---
--- ```lua
--- vim.filetype.add({ extension = { ndjson = 'ndjson', sse = 'sse' } })
--- ```
---
--- Settings are those of `chatls.toml`, under `chatls`:
---
--- ```lua
--- vim.lsp.config('chatls', {
---   settings = { chatls = { lint = { ['misnamed-field'] = 'off' } } },
--- })
--- ```

---@type vim.lsp.Config
return {
  cmd = { 'chatls', 'serve' },
  filetypes = { 'markdown', 'jsonl', 'ndjson', 'sse' },
  root_markers = { 'chatls.toml', '.git' },
  -- Neovim makes such edits, and does not say so: without it, no command can make a file.
  capabilities = { workspace = { workspaceEdit = { documentChanges = true } } },
}
