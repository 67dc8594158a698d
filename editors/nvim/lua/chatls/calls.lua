-- From one tool call to the next.

local places = require('chatls.places')
local server = require('chatls.server')

local M = {}

---@class chatls.Call
---@field row integer from 0
---@field column integer in bytes, from 0
---@field label string

-- LSP's number for a function, which calls are in the outline.
local FUNCTION = 12

local function of_tool_uses(client, buffer, answer)
  return vim.tbl_map(function(it)
    local row, column = server.place(client, buffer, it.selectionRange.start)
    return { row = row, column = column, label = it.label }
  end, answer.toolUses)
end

-- Adds the calls among `symbols` to `calls`: a tree, or a list for clients without trees.
local function add_symbols(client, buffer, symbols, calls)
  for _, symbol in ipairs(symbols) do
    if symbol.kind == FUNCTION then
      local range = symbol.selectionRange or symbol.location.range
      local row, column = server.place(client, buffer, range.start)
      table.insert(calls, { row = row, column = column, label = symbol.name })
    end
    add_symbols(client, buffer, symbol.children or {}, calls)
  end
end

local function in_order(calls)
  table.sort(calls, function(a, b) return a.row < b.row or a.row == b.row and a.column < b.column end)
  return calls
end

-- Asks for the calls of a document, in the order of the text; or nothing and why.
local function ask(client, buffer)
  if server.offers(client, 'toolUses') then
    local answer, why = server.ask_now(client, 'chatls/toolUses', buffer)
    return answer and in_order(of_tool_uses(client, buffer, answer)), why
  end
  local symbols, why = server.ask_now(client, 'textDocument/documentSymbol', buffer)
  if not symbols then return nil, why end
  local calls = {}
  add_symbols(client, buffer, symbols, calls)
  return in_order(calls)
end

-- The last answer: who goes from call to call asks for the same ones again.
---@type { buffer?: integer, client?: integer, tick?: integer, calls?: chatls.Call[] }
local last = {}

-- The calls of a document as it is now, in the order of the text; or nothing and why.
---@param client vim.lsp.Client
---@param buffer integer
---@return chatls.Call[]? calls, string? why
function M.list(client, buffer)
  local tick = vim.api.nvim_buf_get_changedtick(buffer)
  if last.buffer == buffer and last.client == client.id and last.tick == tick then return last.calls end
  local calls, why = ask(client, buffer)
  last = calls and { buffer = buffer, client = client.id, tick = tick, calls = calls } or {}
  return calls, why
end

-- Puts the cursor on a call. In a closed fold it opens it, where 'foldopen' lets a search do so.
local function go(call)
  vim.cmd("normal! m'")
  vim.api.nvim_win_set_cursor(0, { call.row + 1, call.column })
  local opens = vim.opt.foldopen:get()
  if vim.list_contains(opens, 'search') or vim.list_contains(opens, 'all') then vim.cmd('normal! zv') end
end

-- `2/5 🔧 label`, in one line of the screen.
local function tell(index, calls, wrapped, forward)
  local words = ('%d/%d %s'):format(index, #calls, calls[index].label)
  if wrapped then words = (forward and 'from the top: ' or 'from the bottom: ') .. words end
  local room = vim.o.columns - 14 -- what 'showcmd' and 'ruler' take, so that nobody has to press Enter
  if vim.fn.strdisplaywidth(words) > room then words = vim.fn.strcharpart(words, 0, room - 1) .. '…' end
  vim.api.nvim_echo({ { words, wrapped and 'WarningMsg' or 'None' } }, false, {})
end

-- Goes `count` calls on, or back where it is negative.
---@param count integer
function M.jump(count)
  local buffer = server.buffer()
  local client = server.client_or_say(buffer)
  if not client then return end
  local calls, why = M.list(client, buffer)
  if not calls or #calls == 0 then
    server.say(why or 'there are no tool calls here', vim.log.levels.WARN)
    return
  end
  local index, wrapped = places.step(vim.tbl_map(function(it) return { it.row, it.column } end, calls), count)
  if not index then
    server.say(count > 0 and 'there is no call further down' or 'there is no call further up', vim.log.levels.WARN)
    return
  end
  go(calls[index])
  tell(index, calls, wrapped, count > 0)
end

return M
