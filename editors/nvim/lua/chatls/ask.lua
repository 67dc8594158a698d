-- Questions of the server with facts below their first line, such as the command line of a program:
-- the facts are shown in a window as they are, whatever shows the answers (`vim.ui.select`).

local server = require('chatls.server')

local M = {}

local METHOD = 'window/showMessageRequest'
-- Rows below the window, for the question and its answers.
local BELOW = 8

-- Shows the facts at the top of the screen; `nil` if they do not fit.
local function show(facts)
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.bo[buffer].bufhidden = 'wipe'
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, facts)
  local widest = 1
  for _, line in ipairs(facts) do
    widest = math.max(widest, vim.fn.strdisplaywidth(line))
  end
  local most = vim.o.lines - BELOW
  local window = vim.api.nvim_open_win(buffer, false, {
    relative = 'editor',
    row = 0,
    col = 0,
    width = math.max(1, math.min(widest, vim.o.columns - 2)),
    height = math.max(1, most),
    border = 'rounded',
    style = 'minimal',
    title = ' chatls ',
    focusable = false,
  })
  vim.wo[window].wrap = true
  local height = vim.api.nvim_win_text_height(window, {}).all
  if height > most then
    vim.api.nvim_win_close(window, true)
    return nil
  end
  vim.api.nvim_win_set_height(window, height)
  vim.cmd.redraw()
  return window
end

local function answer(err, params, context)
  local question, rest = params.message:match('^(.-)\n(.*)$')
  if not question then return vim.lsp.handlers[METHOD](err, params, context) end
  local window = show(vim.split(rest, '\n', { plain = true }))
  if not window then
    server.say('the screen is too small for a question: ' .. question, vim.log.levels.WARN)
    return vim.NIL
  end
  local chosen = vim.lsp.handlers[METHOD](err, vim.tbl_extend('force', params, { message = question }), context)
  if vim.api.nvim_win_is_valid(window) then vim.api.nvim_win_close(window, true) end
  return chosen
end

-- Sets the handler of `client` for questions, unless the user has one.
---@param client vim.lsp.Client
function M.set_up(client)
  if not client.handlers[METHOD] then client.handlers[METHOD] = answer end
end

return M
