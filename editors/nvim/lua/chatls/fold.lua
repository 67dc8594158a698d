-- Tool calls fold into their labels: the window's options, what a closed fold shows, and closing and opening them all.

local config = require('chatls.config')
local label = require('chatls.label')
local server = require('chatls.server')

local M = {}

local EXPR = 'v:lua.vim.lsp.foldexpr()'
local TEXT = "v:lua.require'chatls.fold'.text()"
-- High enough that everything is open at first.
local OPEN = 99

-- What a closed fold shows: the value of 'foldtext'.
---@return string|[string, string][]
function M.text()
  local text = vim.lsp.foldtext()
  return label.is(text) and label.chunks(text) or text
end

-- Whether the window folds by something that somebody chose.
local function has_own(options) return options.foldmethod ~= 'manual' and options.foldexpr ~= EXPR end

-- How a window folds: `chatls`, `own`, or `none`.
---@param window integer
function M.state(window)
  local options = vim.wo[window]
  if options.foldmethod == 'expr' and options.foldexpr == EXPR then return 'chatls' end
  return has_own(options) and 'own' or 'none'
end

-- Makes a window fold by what the server says, for this buffer alone.
---@param window integer
function M.set_up(window)
  local wanted = config.get().folding
  local options = vim.wo[window][0]
  if wanted == 'never' or wanted == 'auto' and has_own(vim.wo[window]) then return end
  options.foldmethod = 'expr'
  options.foldexpr = EXPR
  if wanted == 'always' or vim.wo[window].foldtext == 'foldtext()' then options.foldtext = TEXT end
  if vim.o.foldlevelstart < 0 then options.foldlevel = OPEN end
end

-- Takes back what `set_up` did.
---@param window integer
function M.tear_down(window)
  if M.state(window) ~= 'chatls' then return end
  local options = vim.wo[window][0]
  for _, name in ipairs({ 'foldmethod', 'foldexpr', 'foldtext', 'foldlevel' }) do
    options[name] = vim.go[name]
  end
end

local function folds_here()
  if M.state(0) == 'chatls' then return true end
  server.say('this window does not fold by chatls: `:help chatls-folding`', vim.log.levels.WARN)
  return false
end

-- Closes every batch and tool call of the window, and nothing else.
function M.close()
  if server.client_or_say() and folds_here() then vim.lsp.foldclose('region', vim.api.nvim_get_current_win()) end
end

-- Opens them again.
function M.open()
  local client = server.client_or_say()
  if not client or not folds_here() then return end
  local buffer = server.buffer()
  local ranges, why = server.ask_now(client, 'textDocument/foldingRange', buffer)
  if not ranges then
    server.say(why or 'there are no folds', vim.log.levels.WARN)
    return
  end
  local last = vim.api.nvim_buf_line_count(buffer)
  for _, range in ipairs(ranges) do
    if range.kind == 'region' and range.startLine < range.endLine and range.endLine < last then
      vim.cmd(('silent! %d,%dfoldopen!'):format(range.startLine + 1, range.endLine + 1))
    end
  end
end

return M
