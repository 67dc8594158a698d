-- Something that follows a document: it is called a moment after the server was told of a change, once for many.

local server = require('chatls.server')

local M = {}

local METHODS = { ['textDocument/didOpen'] = true, ['textDocument/didChange'] = true }

-- Calls `follow` after each change of `buffer`; returns what ends that.
---@param buffer integer
---@param delay integer milliseconds
---@param follow fun()
---@return fun()
function M.watch(buffer, delay, follow)
  local timer = assert(vim.uv.new_timer())
  local autocmd = vim.api.nvim_create_autocmd('LspNotify', {
    buffer = buffer,
    desc = 'chatls: follow the document',
    callback = function(event)
      local client = vim.lsp.get_client_by_id(event.data.client_id)
      if not METHODS[event.data.method] or not client or client.name ~= server.NAME then return end
      timer:start(delay, 0, function()
        vim.schedule(function()
          if not timer:is_closing() then follow() end
        end)
      end)
    end,
  })
  return function()
    if not timer:is_closing() then
      timer:close()
      pcall(vim.api.nvim_del_autocmd, autocmd)
    end
  end
end

return M
