-- The configuration for `vim.lsp.enable('chatls')`. Neovim finds this file in the `lsp` folder of
-- its 'runtimepath'.
--
-- Everything here can be changed from an init.lua, before or after: `vim.lsp.config('chatls', { … })`.

---@type vim.lsp.Config
return {
  cmd = { 'chatls', 'serve' },
  -- Neovim sends the file type as the language id, which determines how chatls parses a document:
  -- as Markdown, or as a stream log.
  filetypes = { 'markdown', 'jsonl', 'ndjson', 'sse' },
  root_markers = { 'chatls.toml', '.git' },
  -- Neovim supports such edits but does not declare it: without this, no command can create a file.
  capabilities = { workspace = { workspaceEdit = { documentChanges = true } } },
  -- Chats of other plugins, if the option `chats` contains their file types, are Markdown.
  get_language_id = function(_, filetype) return require('chatls.chats').language(filetype) end,
  -- Several buffers without a name are several documents. The plugin runs calls, and answers questions.
  on_init = function(client)
    require('chatls.nameless').on_init(client)
    require('chatls.ask').set_up(client)
    require('chatls.run').set_up(client)
    local handlers = client.handlers
    handlers['chatls/includedChanged'] = function() require('chatls.json_logs').look_again() end
    handlers['chatls/runs'] = function(_, params, context) require('chatls.runs').set(context.client_id, params.runs) end
    handlers['chatls/serversChanged'] = function() require('chatls.tool_servers').changed() end
    require('chatls.restart')
  end,
  -- A crashed server is restarted. The plugin may have been removed since it started.
  on_exit = function(...)
    local runs = package.loaded['chatls.runs']
    if runs then
      local id = select(3, ...)
      vim.schedule(function() runs.set(id, {}) end)
    end
    local restart = package.loaded['chatls.restart']
    if restart then restart.exited(...) end
  end,
}
