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
  -- Chats of other plugins, where the option `chats` names their file types, are Markdown.
  get_language_id = function(_, filetype) return require('chatls.chats').language(filetype) end,
  -- Several buffers without a name are several documents.
  on_init = function(client)
    require('chatls.nameless').on_init(client)
    require('chatls.restart')
  end,
  -- A server that ended by a fault is started again. The plugin may have been removed since it began.
  on_exit = function(...)
    local restart = package.loaded['chatls.restart']
    if restart then restart.exited(...) end
  end,
}
