-- How many tool calls and problems a document has, for the status line.
--
-- A document is counted once somebody has asked for it, and then after each change.

local config = require('chatls.config')
local problems = require('chatls.problems')
local server = require('chatls.server')

local M = {}

---@class chatls.Counts
---@field calls integer
---@field failed integer
---@field pending integer
---@field errors integer
---@field warnings integer

---@type table<integer, { calls: integer, failed: integer, pending: integer }>
local counted = {}
---@type table<integer, true>
local watched = {}

local function count(buffer)
  local client = server.client(buffer)
  if not client or not server.offers(client, 'toolUses') then
    return
  end
  server.ask(client, 'chatls/toolUses', buffer, function(answer)
    local found = { calls = #answer.toolUses, failed = 0, pending = 0 }
    for _, it in ipairs(answer.toolUses) do
      found[it.status] = (found[it.status] or 0) + 1
    end
    counted[buffer] = { calls = found.calls, failed = found.failed, pending = found.pending }
    vim.cmd.redrawstatus({ bang = true })
  end)
end

local function watch(buffer)
  if watched[buffer] then
    return
  end
  watched[buffer] = true
  local stop = require('chatls.changes').watch(buffer, config.get().debounce, function()
    count(buffer)
  end)
  vim.api.nvim_create_autocmd({ 'LspDetach', 'BufWipeout' }, {
    buffer = buffer,
    callback = function(event)
      local client = event.event == 'LspDetach' and vim.lsp.get_client_by_id(event.data.client_id)
      if client and client.name ~= server.NAME then
        return
      end
      stop()
      watched[buffer], counted[buffer] = nil, nil
      return true
    end,
  })
  count(buffer)
end

---@param buffer? integer
---@return chatls.Counts?
function M.counts(buffer)
  buffer = server.buffer(buffer)
  if not server.client(buffer) then
    return nil
  end
  watch(buffer)
  local severity = vim.diagnostic.severity
  local calls = counted[buffer] or { calls = 0, failed = 0, pending = 0 }
  return vim.tbl_extend('error', calls, {
    errors = #problems.list(buffer, severity.ERROR),
    warnings = #problems.list(buffer, severity.WARN),
  })
end

local function words(number, one, many)
  return number > 0 and ('%d %s'):format(number, number == 1 and one or many) or nil
end

-- `🔧 12 · 1 failed · 2 pending · 3 errors`; what there is none of is left out.
---@param buffer? integer
---@return string
function M.text(buffer)
  local found = M.counts(buffer)
  if not found then
    return ''
  end
  local parts = { '🔧 ' .. found.calls }
  parts[#parts + 1] = words(found.failed, 'failed', 'failed')
  parts[#parts + 1] = words(found.pending, 'pending', 'pending')
  parts[#parts + 1] = words(found.errors, 'error', 'errors')
  parts[#parts + 1] = words(found.warnings, 'warning', 'warnings')
  return table.concat(parts, ' · ')
end

return M
