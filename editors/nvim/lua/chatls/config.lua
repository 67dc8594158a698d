-- The options of `require('chatls').setup()`, checked before they hold.

local M = {}

---@class chatls.Options
---@field enable? boolean
---@field folding? 'auto'|'always'|'never'
---@field inlay_hints? boolean
---@field window? string
---@field debounce? integer
---@field completion? boolean
---@field chats? string[]
---@field on_attach? fun(client: vim.lsp.Client, buffer: integer)

---@type chatls.Options
local DEFAULTS = {
  -- `setup()` calls `vim.lsp.enable('chatls')`.
  enable = true,
  -- Tool calls fold into their labels: `auto` where a window has no folding of its own, `always`, or `never`.
  folding = 'auto',
  -- The label of each batch stands at the end of its first line.
  inlay_hints = true,
  -- Where `:Chatls events` and `:Chatls preview` open: modifiers of a command, as in `:help :vertical`.
  window = 'vertical rightbelow',
  -- Milliseconds from a change until these and the status line follow.
  debounce = 100,
  -- Transcripts are completed while one types; nothing is taken without a choice.
  completion = false,
  -- File types of chat buffers of other plugins in which chatls runs, too: `codecompanion`.
  chats = {},
  -- Called with the client and the buffer when chatls is there: the place for mappings.
  on_attach = nil,
}

local FOLDING = { 'auto', 'always', 'never' }

local function a_folding(value) return vim.list_contains(FOLDING, value) end

local function some_filetypes(value)
  return vim.islist(value) and vim.iter(value):all(function(it) return type(it) == 'string' end)
end

local function some_milliseconds(value) return type(value) == 'number' and value >= 0 and value == math.floor(value) end

-- name → what `vim.validate` takes: a validator, and what it is in words.
local CHECKS = {
  enable = { 'boolean' },
  folding = { a_folding, "'auto', 'always' or 'never'" },
  inlay_hints = { 'boolean' },
  window = { 'string' },
  debounce = { some_milliseconds, 'milliseconds: a whole number from 0' },
  completion = { 'boolean' },
  chats = { some_filetypes, "a list of file types: { 'codecompanion' }" },
  on_attach = { 'function' },
}

local current = vim.deepcopy(DEFAULTS)

function M.get() return current end

function M.names()
  local names = vim.tbl_keys(CHECKS)
  table.sort(names)
  return names
end

-- Takes `options`, and the defaults for all that they leave out.
--
-- Fails, without a change, where one is unknown or no value for it.
---@param options? chatls.Options
function M.set(options)
  vim.validate('options', options, 'table', true)
  options = options or {}
  for name, value in pairs(options) do
    local check = CHECKS[name]
    if not check then
      local known = table.concat(M.names(), ', ')
      error(('chatls.setup: there is no option `%s`; there are %s'):format(tostring(name), known), 0)
    end
    vim.validate('chatls.setup: ' .. name, value, check[1], check[2])
  end
  current = vim.tbl_extend('force', vim.deepcopy(DEFAULTS), options)
end

return M
