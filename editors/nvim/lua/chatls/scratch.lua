-- A buffer beside a document that shows a view of it and is kept up to date.

local changes = require('chatls.changes')
local config = require('chatls.config')
local server = require('chatls.server')

local M = {}

---@class chatls.View
---@field buffer integer the one that shows
---@field source integer the document
---@field draw fun(view: chatls.View, answer: table) writes an answer into the buffer
---@field method? string what is asked for the answer
---@field params? fun(view: chatls.View): table? what is asked for beside the document
---@field ask? fun(client: vim.lsp.Client, source: integer, take: fun(answer: table)) asks, if not by `method`
---@field kind string

---@class chatls.ViewSpec
---@field kind string
---@field filetype string
---@field method? string
---@field draw fun(view: chatls.View, answer: table)
---@field params? fun(view: chatls.View): table?
---@field ask? fun(client: vim.lsp.Client, source: integer, take: fun(answer: table))

---@type table<integer, chatls.View>
local views = {}

-- The view of a buffer that shows one.
---@param buffer? integer
---@return chatls.View?
function M.of(buffer) return views[server.buffer(buffer)] end

-- Requests the contents of a view and renders them.
---@param view chatls.View
function M.refresh(view)
  local client = server.client(view.source)
  if not client then return end
  local function take(answer)
    if vim.api.nvim_buf_is_valid(view.buffer) then view.draw(view, answer) end
  end
  if view.ask then return view.ask(client, view.source, take) end
  server.ask(client, view.method, view.source, take, view.params and view.params(view))
end

-- The number of common lines of two texts, at the start and, after that, at the end.
local function in_common(old, new)
  local most, first = math.min(#old, #new), 0
  while first < most and old[first + 1] == new[first + 1] do
    first = first + 1
  end
  local last = 0
  while last < most - first and old[#old - last] == new[#new - last] do
    last = last + 1
  end
  return first, last
end

-- Replaces the text of a view by `lines`. Only differences are written, so that cursors and folds
-- stay.
---@param view chatls.View
---@param lines string[]
function M.write(view, lines)
  local old = vim.api.nvim_buf_get_lines(view.buffer, 0, -1, true)
  local first, last = in_common(old, lines)
  vim.bo[view.buffer].modifiable = true
  vim.api.nvim_buf_set_lines(view.buffer, first, #old - last, true, vim.list_slice(lines, first + 1, #lines - last))
  vim.bo[view.buffer].modifiable = false
end

local function name_of(kind, source)
  local name = vim.api.nvim_buf_get_name(source)
  return ('chatls://%s/%s'):format(kind, name == '' and '[No Name]' or vim.fn.fnamemodify(name, ':p:~:.'))
end

local function existing(kind, source)
  for _, view in pairs(views) do
    if view.kind == kind and view.source == source then return view end
  end
end

-- Shows a buffer in the window that has it, or else in a new one.
local function show(buffer)
  local window = vim.fn.bufwinid(buffer)
  if window ~= -1 then
    vim.api.nvim_set_current_win(window)
    return
  end
  vim.cmd(config.get().window .. ' sbuffer ' .. buffer)
end

local function make(kind, source, filetype)
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(buffer, name_of(kind, source))
  vim.bo[buffer].bufhidden = 'wipe'
  vim.bo[buffer].undolevels = -1
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].filetype = filetype
  vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = buffer, desc = 'chatls: close this window' })
  return buffer
end

-- Ends a view with its buffer, and the buffer with its document.
local function end_with(view, stop)
  vim.api.nvim_create_autocmd('BufWipeout', {
    buffer = view.buffer,
    once = true,
    callback = function()
      stop()
      views[view.buffer] = nil
    end,
  })
  vim.api.nvim_create_autocmd({ 'BufDelete', 'BufWipeout' }, {
    buffer = view.source,
    once = true,
    callback = function()
      vim.schedule(function()
        if vim.api.nvim_buf_is_valid(view.buffer) then vim.api.nvim_buf_delete(view.buffer, { force = true }) end
      end)
    end,
  })
end

-- Follows the changes of the document, and the visible rows if only a part is shown; returns a
-- function that ends this.
local function follow(view)
  if view.ask then
    return function() end
  end
  local stop, soon = changes.watch(view.source, config.get().debounce, function() M.refresh(view) end)
  if not view.params then return stop end
  local autocmd = vim.api.nvim_create_autocmd('WinScrolled', {
    buffer = view.source,
    desc = 'chatls: update the window',
    callback = function()
      if view.params(view) then soon() end
    end,
  })
  return function()
    stop()
    pcall(vim.api.nvim_del_autocmd, autocmd)
  end
end

-- Opens the view of `source` described by `spec`, or goes to the existing one.
---@param source integer
---@param spec chatls.ViewSpec
---@return chatls.View
function M.open(source, spec)
  local view = existing(spec.kind, source)
  if view then
    show(view.buffer)
    return view
  end
  view = {
    kind = spec.kind,
    source = source,
    method = spec.method,
    draw = spec.draw,
    params = spec.params,
    ask = spec.ask,
    buffer = make(spec.kind, source, spec.filetype),
  }
  views[view.buffer] = view
  show(view.buffer)
  end_with(view, follow(view))
  M.refresh(view)
  return view
end

return M
