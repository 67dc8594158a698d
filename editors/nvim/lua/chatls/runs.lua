-- The calls that run: for the status line, and to cancel them.

local server = require('chatls.server')

local M = {}

-- The runs of each client.
---@type table<integer, table[]>
local runs = {}

-- Handles `chatls/runs`.
---@param client integer
---@param items table[]
function M.set(client, items)
  runs[client] = #items > 0 and items or nil
  vim.cmd.redrawstatus({ bang = true })
end

-- All runs, each with its client.
local function all()
  local found = {}
  for client, items in pairs(runs) do
    for _, item in ipairs(items) do
      table.insert(found, vim.tbl_extend('force', item, { client = client }))
    end
  end
  return found
end

-- `running search`, `running 2 calls`, or nothing.
---@return string
function M.text()
  local found = all()
  if #found == 0 then return '' end
  return 'running ' .. (#found == 1 and found[1].title or ('%d calls'):format(#found))
end

local function cancel(items)
  for _, item in ipairs(items) do
    local client = vim.lsp.get_client_by_id(item.client)
    local params = { command = 'chatls.cancelRun', arguments = { { uri = item.uri, id = item.id } } }
    if client then client:request('workspace/executeCommand', params, function() end) end
  end
end

local function described(item)
  local name = vim.fn.fnamemodify(vim.uri_to_fname(item.uri), ':t')
  local parts = { item.title, ('%s:%d'):format(name, item.line + 1) }
  if item.server then table.insert(parts, 2, item.server) end
  if item.message then table.insert(parts, item.message) end
  return table.concat(parts, '  ')
end

-- `:Chatls cancelRun`
function M.cancel()
  local found = all()
  if #found == 0 then return server.say('no tool call is running') end
  if #found == 1 then return cancel(found) end
  local choices = vim.list_extend({ 'all' }, found)
  vim.ui.select(choices, {
    prompt = 'Cancel:',
    format_item = function(item) return item == 'all' and 'All' or described(item) end,
  }, function(choice)
    if choice then cancel(choice == 'all' and found or { choice }) end
  end)
end

return M
