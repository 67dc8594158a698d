-- The features of a buffer: set up when chatls attaches, and removed when it detaches.
--
-- A document without tool calls is left alone: its windows fold as before, and show no hints.

local changes = require('chatls.changes')
local config = require('chatls.config')
local defaults = require('chatls.defaults')
local fold = require('chatls.fold')
local folds = require('chatls.folds')
local server = require('chatls.server')
local visible = require('chatls.visible')

local M = {}

local GROUP = vim.api.nvim_create_augroup('chatls.buffers', {})
-- Milliseconds without tool calls, or without a server, until the features are removed.
local SILENCE, GRACE = 1000, 200

---@class chatls.Attached
---@field stop fun() ends the following of changes
---@field is_transcript boolean
---@field enabled_hints? boolean
---@field completes? boolean
---@field defaults table the defaults of Neovim for buffers with a server
---@field has_defaults? boolean they are set
---@field leaving? integer when the last tool call went

---@type table<integer, chatls.Attached>
local attached = {}

local function on_windows(buffer, run)
  for _, window in ipairs(vim.fn.win_findbuf(buffer)) do
    run(window)
  end
end

local function set_up_folds(buffer)
  if config.get().folding == 'never' then return end
  folds.start(buffer)
  on_windows(buffer, fold.set_up)
  vim.api.nvim_create_autocmd('BufWinEnter', {
    group = GROUP,
    buffer = buffer,
    desc = 'chatls: fold tool calls into their labels',
    callback = function()
      fold.set_up(vim.api.nvim_get_current_win())
      folds.refresh(buffer)
    end,
  })
  vim.api.nvim_create_autocmd({ 'InsertLeave', 'ModeChanged' }, {
    group = GROUP,
    buffer = buffer,
    desc = 'chatls: fold inserted text',
    callback = function() folds.inserted(buffer) end,
  })
  vim.api.nvim_create_autocmd('WinScrolled', {
    group = GROUP,
    buffer = buffer,
    desc = 'chatls: fold the visible part',
    callback = function() folds.scrolled(buffer) end,
  })
end

-- `:diffoff` restores the folding of before the diff, which may be that of before the file was shown.
vim.api.nvim_create_autocmd('OptionSet', {
  group = vim.api.nvim_create_augroup('chatls.diffs', {}),
  pattern = 'diff',
  desc = 'chatls: fold tool calls after a diff',
  callback = vim.schedule_wrap(function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      local buffer = vim.api.nvim_win_get_buf(window)
      if folds.of(buffer) and not vim.wo[window].diff and fold.state(window) ~= 'chatls' then
        fold.set_up(window)
        -- Where folds were manual before, it leaves them disabled, so that those of the diff are not shown.
        vim.wo[window][0].foldenable = vim.go.foldenable
        folds.refresh(buffer)
      end
    end
  end),
})

local function show_hints(client, buffer, state)
  if visible.is_drawing(buffer) then return end
  if not config.get().inlay_hints or not client:supports_method('textDocument/inlayHint', buffer) then return end
  if vim.lsp.inlay_hint.is_enabled({ bufnr = buffer }) then return end
  vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
  state.enabled_hints = true
end

-- Completes while typing, in transcripts only.
local function complete_while_typing(client, buffer, state, is_transcript)
  local wanted = is_transcript and config.get().completion
  if wanted == (state.completes or false) then return end
  state.completes = wanted
  require('chatls.completing').enable(client, buffer, wanted)
end

-- Keys and options of servers, in transcripts only.
local function give_defaults(client, buffer, state, is_transcript)
  if is_transcript == state.has_defaults then return end
  state.has_defaults = is_transcript
  if is_transcript then
    defaults.restore(buffer, state.defaults)
  else
    defaults.remove(client, buffer)
  end
end

local function take_up(client, buffer, state)
  state.is_transcript = true
  set_up_folds(buffer)
  show_hints(client, buffer, state)
end

local function leave_alone(buffer)
  vim.api.nvim_clear_autocmds({ group = GROUP, buffer = buffer })
  on_windows(buffer, fold.tear_down)
  folds.stop(buffer)
  local state = attached[buffer]
  if not state then return end
  state.is_transcript = false
  if state.enabled_hints then vim.lsp.inlay_hint.enable(false, { bufnr = buffer }) end
  state.enabled_hints = nil
end

-- Removes the features if there is still no call after a moment: a call may be in the middle of an
-- edit.
local function leave_alone_soon(buffer, state)
  state.leaving = state.leaving or vim.uv.now()
  vim.defer_fn(function()
    if attached[buffer] == state and state.leaving and vim.uv.now() - state.leaving >= SILENCE then
      leave_alone(buffer)
    end
  end, SILENCE)
end

local function look(client, buffer, state)
  if state.is_transcript then folds.refresh(buffer) end
  server.ask_counts(client, buffer, function(answer)
    if attached[buffer] ~= state then return end
    complete_while_typing(client, buffer, state, answer.isTranscript)
    give_defaults(client, buffer, state, answer.isTranscript)
    if answer.counts.toolUses > 0 then
      state.leaving = nil
      if not state.is_transcript then
        take_up(client, buffer, state)
        folds.refresh(buffer)
      end
    elseif state.is_transcript then
      leave_alone_soon(buffer, state)
    end
  end)
end

-- Neovim delays its first change until a pause in typing, but a streaming model never pauses.
local function send_first_change(client, buffer)
  vim.api.nvim_buf_attach(buffer, false, {
    on_lines = function()
      vim.defer_fn(function()
        -- A request sends the changes before it.
        if vim.lsp.buf_is_attached(buffer, client.id) then server.ask_counts(client, buffer, function() end) end
      end, config.get().debounce)
      return true
    end,
  })
end

---@param client vim.lsp.Client
---@param buffer integer
function M.on_attach(client, buffer)
  require('chatls.restart').arrived(buffer)
  local known = attached[buffer]
  if known then known.stop() end
  local state = { is_transcript = false, enabled_hints = known and known.enabled_hints, defaults = defaults.of(buffer) }
  attached[buffer] = state
  vim.api.nvim_clear_autocmds({ group = GROUP, buffer = buffer })
  local function follow()
    if visible.is_long(buffer) then visible.start(client, buffer, config.get().inlay_hints) end
    look(client, buffer, state)
  end
  state.stop = changes.watch(buffer, 0, follow)
  follow()
  send_first_change(client, buffer)
  require('chatls.format').set_up(buffer)
  if config.get().completion then
    local completing = require('chatls.completing')
    completing.unwatch(buffer)
    completing.watch(client, buffer, function() return state.completes == true end)
  end
  require('chatls.messages').show_in_float(client)
  require('chatls.nameless').on_attach(client, buffer)
  local options = config.get()
  if options.on_attach then options.on_attach(client, buffer) end
end

-- Removes the features unless a server attaches again in a moment: after `:edit!`, or after a
-- crash.
---@param buffer integer
function M.on_detach(buffer)
  vim.defer_fn(function()
    if not vim.api.nvim_buf_is_valid(buffer) then
      attached[buffer] = nil
      folds.stop(buffer)
    elseif not server.client(buffer) and not require('chatls.restart').is_coming(buffer) then
      leave_alone(buffer)
      visible.stop(buffer)
      require('chatls.format').tear_down(buffer)
      require('chatls.completing').unwatch(buffer)
      if attached[buffer] then attached[buffer].stop() end
      attached[buffer] = nil
    end
  end, GRACE)
end

-- For buffers that attached before options were set.
function M.again()
  for _, client in ipairs(vim.lsp.get_clients({ name = server.NAME })) do
    for buffer in pairs(client.attached_buffers) do
      M.on_attach(client, buffer)
    end
  end
end

return M
