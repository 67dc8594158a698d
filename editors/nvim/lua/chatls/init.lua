-- The public functions of chatls for Neovim. All are in `:help chatls`.
--
-- They are optional: `vim.lsp.enable('chatls')` alone is enough. plugin/chatls.lua does the rest.

local M = {}

-- Sets options, and starts chatls for the file types of chat documents.
---@param options? chatls.Options
function M.setup(options)
  local config = require('chatls.config')
  config.set(options)
  if config.get().enable then vim.lsp.enable('chatls') end
  require('chatls.chats').set_up(config.get().chats)
  if #vim.lsp.get_clients({ name = 'chatls' }) > 0 then require('chatls.attach').again() end
end

-- Moves the cursor to the next tool call, or by `count` calls; by default the count typed before
-- the mapping.
---@param count? integer
function M.next_call(count) require('chatls.calls').jump(count or vim.v.count1) end

---@param count? integer
function M.prev_call(count) require('chatls.calls').jump(-(count or vim.v.count1)) end

-- Moves to the next diagnostic of chatls and shows it; those of other sources are skipped.
---@param options? { count?: integer, severity?: vim.diagnostic.SeverityFilter }
function M.next_problem(options)
  options = options or {}
  require('chatls.problems').jump(options.count or vim.v.count1, options.severity)
end

---@param options? { count?: integer, severity?: vim.diagnostic.SeverityFilter }
function M.prev_problem(options)
  options = options or {}
  require('chatls.problems').jump(-(options.count or vim.v.count1), options.severity)
end

-- A text for the status line: the number of tool calls, failures, pending ones and problems. Empty
-- without chatls.
---@param buffer? integer
---@return string
function M.status(buffer) return require('chatls.status').text(buffer) end

-- The same as numbers; `nil` without chatls.
---@param buffer? integer
---@return chatls.Counts?
function M.counts(buffer) return require('chatls.status').counts(buffer) end

-- A text for the status line: the tool that runs, or the number of running calls. Empty without any.
---@return string
function M.running() return require('chatls.runs').text() end

-- Applies all safe fixes synchronously, for autocommands that save. Returns whether there were any.
---@param buffer? integer
---@return boolean
function M.fix_all(buffer) return require('chatls.fix').all(buffer) end

-- Closes all tool calls of the current window into their labels, and nothing else.
function M.fold() require('chatls.fold').close() end

function M.unfold() require('chatls.fold').open() end

return M
