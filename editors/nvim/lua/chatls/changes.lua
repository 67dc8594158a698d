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
    and data.params.textDocument.uri == require('chatls.nameless').uri(buffer)
end

-- Calls `follow` after each change of `buffer`; returns what ends that, and what calls it as if there was a change.
---@param buffer integer
---@param delay integer milliseconds; at once where it is 0
---@param follow fun()
---@return fun() stop, fun() soon
function M.watch(buffer, delay, follow)
  local timer = assert(vim.uv.new_timer())
  local function soon()
    if delay == 0 then return follow() end
    timer:start(delay, 0, function()
      vim.schedule(function()
        if not timer:is_closing() then follow() end
      end)
    end)
  end
  -- Not for the buffer alone: Neovim 0.11 tells it in the current one, whichever that is.
  local autocmd = vim.api.nvim_create_autocmd('LspNotify', {
    desc = 'chatls: follow the document',
    callback = function(event)
      if METHODS[event.data.method] and is_of(buffer, event.data) then soon() end
    end,
  })
  local function stop()
    if not timer:is_closing() then
      timer:close()
      pcall(vim.api.nvim_del_autocmd, autocmd)
    end
  end
  return stop, soon
end

return M
