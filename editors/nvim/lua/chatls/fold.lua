-- The folding of windows: their options, the text of closed folds, and closing and opening all tool
-- calls.

local config = require('chatls.config')
local folds = require('chatls.folds')
local label = require('chatls.label')
local server = require('chatls.server')

local M = {}

local EXPR = "v:lua.require'chatls.fold'.expr()"
local TEXT = "v:lua.require'chatls.fold'.text()"
-- High enough that everything is open at first.
local OPEN = 99
local OPTIONS = { 'foldmethod', 'foldexpr', 'foldtext', 'foldlevel' }
-- The number of rows of a window that are checked for manual folds.
local MOST_ROWS = 20000

-- The options that windows had before, by window and buffer.
---@type table<integer, table<integer, table<string, any>>>
local before = {}

-- The level of a line: the value of 'foldexpr'.
---@return integer|string
function M.expr()
  local state = folds.of(vim.api.nvim_get_current_buf())
  if not state then return 0 end
  local level, starts = state.ranges:level(vim.v.lnum - 1)
  return starts and '>' .. level or level
end

-- The text of a closed fold: the value of 'foldtext'.
---@return string|[string, string][]
function M.text()
  -- A diff has other folds, which look as in any diff.
  if vim.wo.diff then return vim.fn.foldtext() end
  local state = folds.of(vim.api.nvim_get_current_buf())
  local range = state and state.ranges:at(vim.v.foldstart - 1)
  local text = range and range.label
  return text and label.chunks(text) or vim.fn.getline(vim.v.foldstart)
end

-- True if there are manual folds.
local function has_manual_folds(window)
  return vim.api.nvim_win_call(window, function()
    for line = 1, math.min(vim.fn.line('$'), MOST_ROWS) do
      if vim.fn.foldlevel(line) > 0 then return true end
    end
    return false
  end)
end

-- True if the window has folding settings of the user.
local function has_own(window)
  local options = vim.wo[window]
  if options.foldmethod ~= 'manual' then return options.foldexpr ~= EXPR end
  return has_manual_folds(window)
end

-- The kind of folding of a window: `chatls`, `own`, or `none`.
---@param window integer
function M.state(window)
  local options = vim.wo[window]
  if options.foldmethod == 'expr' and options.foldexpr == EXPR then return 'chatls' end
  return options.foldmethod ~= 'manual' and 'own' or 'none'
end

local function remember(window, buffer)
  before[window] = before[window] or {}
  local options, kept = vim.wo[window], {}
  for _, name in ipairs(OPTIONS) do
    kept[name] = options[name]
  end
  before[window][buffer] = kept
end

-- Makes a window fold tool calls, only for the buffer that it shows.
---@param window integer
function M.set_up(window)
  local wanted, buffer = config.get().folding, vim.api.nvim_win_get_buf(window)
  if wanted == 'never' or wanted == 'auto' and has_own(window) then return end
  local options, is_set_up = vim.wo[window][0], M.state(window) == 'chatls'
  if not is_set_up then remember(window, buffer) end
  -- A session restores all options except this one.
  if wanted == 'always' or vim.wo[window].foldtext == 'foldtext()' then options.foldtext = TEXT end
  if is_set_up then return end
  options.foldexpr = EXPR
  if vim.o.foldlevelstart < 0 then options.foldlevel = OPEN end
  options.foldmethod = 'expr'
  folds.show(buffer, window)
end

-- Restores the options of a window from before `set_up`.
---@param window integer
function M.tear_down(window)
  if M.state(window) ~= 'chatls' then return end
  local buffer = vim.api.nvim_win_get_buf(window)
  local kept = before[window] and before[window][buffer] or {}
  local options = vim.wo[window][0]
  for _, name in ipairs(OPTIONS) do
    options[name] = kept[name] or vim.go[name]
  end
  if before[window] then before[window][buffer] = nil end
end

local function folds_here()
  if M.state(0) == 'chatls' then return folds.of(server.buffer()) end
  local why = folds.of(server.buffer()) and 'this window has folds of its own' or 'there are no tool calls to fold here'
  server.say(why .. ': `:help chatls-folding`', vim.log.levels.WARN)
end

-- Runs a command at the first line of each call and batch, from the end.
local function each_call(state, command)
  local window, list = vim.api.nvim_get_current_win(), state.ranges.list
  local lines = vim.api.nvim_buf_line_count(state.buffer)
  for index = #list, 1, -1 do
    local range = list[index]
    if range.label and range.last < lines then command(range.first + 1, range.last + 1) end
  end
  require('chatls.closed').note(state, window)
end

-- Closes every batch and tool call of the window, and nothing else.
function M.close()
  local state = server.client_or_say() and folds_here()
  if not state then return end
  folds.all(state, function()
    each_call(state, function(first)
      if vim.fn.foldclosed(first) == -1 then vim.cmd(('silent! %dfoldclose'):format(first)) end
    end)
  end)
end

-- Opens them again.
function M.open()
  local state = server.client_or_say() and folds_here()
  if not state then return end
  folds.all(state, function()
    each_call(state, function(first, last)
      if vim.fn.foldclosed(first) == first then vim.cmd(('silent! %d,%dfoldopen!'):format(first, last)) end
    end)
  end)
end

return M
