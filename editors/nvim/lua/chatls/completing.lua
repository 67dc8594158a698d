-- Completes transcripts while typing, with Neovim's own completion menu.

local M = {}

local GROUP = vim.api.nvim_create_augroup('chatls.completing', {})
local WATCH = vim.api.nvim_create_augroup('chatls.first_call', {})

-- Nothing is inserted before a choice: by default Neovim would replace the typed text by the first
-- entry.
local COMPLETEOPT = 'menuone,noselect,popup'

-- The opening of a fence with a language, also in quotes and lists.
local OPENINGS = { '^[%s>*+%d.)-]*```+%s*[%w_-]+%s*$', '^[%s>*+%d.)-]*~~~+%s*[%w_-]+%s*$' }

-- True if the cursor is on a blank line after the opening of a fence.
local function is_in_new_fence()
  local row = vim.api.nvim_win_get_cursor(0)[1]
  if row == 1 then return false end
  local above, line = unpack(vim.api.nvim_buf_get_lines(0, row - 2, row, false))
  if line:find('[^%s>]') then return false end
  return vim.iter(OPENINGS):any(function(opening) return above:find(opening) ~= nil end)
end

-- A line break does not trigger completion by itself, and after the opening of a fence there is one
-- completion.
local function ask_behind_openings(buffer)
  local lines = vim.api.nvim_buf_line_count(buffer)
  vim.api.nvim_create_autocmd('InsertEnter', {
    group = GROUP,
    buffer = buffer,
    desc = 'chatls: count the lines before typing',
    callback = function() lines = vim.api.nvim_buf_line_count(buffer) end,
  })
  vim.api.nvim_create_autocmd('TextChangedI', {
    group = GROUP,
    buffer = buffer,
    desc = 'chatls: complete the call of a new fence',
    callback = function()
      local before = lines
      lines = vim.api.nvim_buf_line_count(buffer)
      if lines == before + 1 and is_in_new_fence() then vim.lsp.completion.get() end
    end,
  })
end

-- The opening of a fence for calls: a document may become a transcript by it.
local CALLS = '^[%s>*+%d.)-]*[`~][`~][`~]+%s*tool[%w_-]*%s*$'

-- In a document that is no transcript: asks once behind such an opening, and leaves everything as it
-- was when Insert mode ends.
---@param client vim.lsp.Client
---@param buffer integer
---@param is_on fun(): boolean true if the buffer is completed anyway
function M.watch(client, buffer, is_on)
  local lines = vim.api.nvim_buf_line_count(buffer)
  vim.api.nvim_create_autocmd('TextChangedI', {
    group = WATCH,
    buffer = buffer,
    desc = 'chatls: complete the first call of a document',
    callback = function()
      local before = lines
      lines = vim.api.nvim_buf_line_count(buffer)
      local row = vim.api.nvim_win_get_cursor(0)[1]
      if is_on() or lines ~= before + 1 or not is_in_new_fence() then return end
      if not vim.api.nvim_buf_get_lines(buffer, row - 2, row - 1, false)[1]:find(CALLS) then return end
      local own = vim.bo[buffer].completeopt
      vim.lsp.completion.enable(true, client.id, buffer, { autotrigger = false })
      vim.bo[buffer].completeopt = COMPLETEOPT
      vim.lsp.completion.get()
      vim.api.nvim_create_autocmd('InsertLeave', {
        group = WATCH,
        buffer = buffer,
        once = true,
        desc = 'chatls: leave the completion as it was',
        callback = function()
          if is_on() then return end
          vim.lsp.completion.enable(false, client.id, buffer)
          vim.bo[buffer].completeopt = own
        end,
      })
    end,
  })
  vim.api.nvim_create_autocmd('InsertEnter', {
    group = WATCH,
    buffer = buffer,
    desc = 'chatls: count the lines before typing',
    callback = function() lines = vim.api.nvim_buf_line_count(buffer) end,
  })
end

-- Stops that.
---@param buffer integer
function M.unwatch(buffer) vim.api.nvim_clear_autocmds({ group = WATCH, buffer = buffer }) end

-- Turns it on or off for a buffer.
---@param client vim.lsp.Client
---@param buffer integer
---@param wanted boolean
function M.enable(client, buffer, wanted)
  -- It may be on without the trigger, by a first call.
  if wanted then vim.lsp.completion.enable(false, client.id, buffer) end
  vim.lsp.completion.enable(wanted, client.id, buffer, { autotrigger = true })
  vim.bo[buffer].completeopt = wanted and COMPLETEOPT or ''
  vim.api.nvim_clear_autocmds({ group = GROUP, buffer = buffer })
  if wanted then ask_behind_openings(buffer) end
end

return M
