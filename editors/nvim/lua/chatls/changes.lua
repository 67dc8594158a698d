-- Something that follows a document: it is called a moment after the server was told of a change, once for many.

local server = require('chatls.server')

local M = {}

local METHODS = { ['textDocument/didOpen'] = true, ['textDocument/didChange'] = true }

-- Whether chatls was told of `buffer`.
local function is_of(buffer, data)
  local client = vim.lsp.get_client_by_id(data.client_id)
  return client ~= nil
    and client.name == server.NAME
    and vim.api.nvim_buf_is_valid(buffer)
    and data.params.textDocument.uri == vim.uri_from_bufnr(buffer)
end

-- Calls `follow` after each change of `buffer`; returns what ends that.
---@param buffer integer
---@param delay integer milliseconds
---@param follow fun()
---@return fun()
function M.watch(buffer, delay, follow)
  local timer = assert(vim.uv.new_timer())
  -- Not for the buffer alone: Neovim 0.11 tells it in the current one, whichever that is.
  local autocmd = vim.api.nvim_create_autocmd('LspNotify', {
    desc = 'chatls: follow the document',
    callback = function(event)
      if not METHODS[event.data.method] or not is_of(buffer, event.data) then return end
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
