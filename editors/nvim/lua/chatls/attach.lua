-- What happens to a buffer when chatls comes to it, and when it goes.

local config = require('chatls.config')
local fold = require('chatls.fold')
local server = require('chatls.server')

local M = {}

local GROUP = vim.api.nvim_create_augroup('chatls.buffers', {})

local function set_up_folds(buffer)
  for _, window in ipairs(vim.fn.win_findbuf(buffer)) do
    fold.set_up(window)
  end
  -- Windows that show it later.
  vim.api.nvim_create_autocmd('BufWinEnter', {
    group = GROUP,
    buffer = buffer,
    desc = 'chatls: fold tool calls into their labels',
    callback = function()
      if server.client(buffer) then fold.set_up(vim.api.nvim_get_current_win()) end
    end,
  })
end

---@param client vim.lsp.Client
---@param buffer integer
function M.on_attach(client, buffer)
  local options = config.get()
  vim.api.nvim_clear_autocmds({ group = GROUP, buffer = buffer })
  if options.folding ~= 'never' then set_up_folds(buffer) end
  if options.inlay_hints and client:supports_method('textDocument/inlayHint', buffer) then
    vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
  end
  require('chatls.messages').show_in_float(client)
  require('chatls.nameless').on_attach(client, buffer)
  if options.on_attach then options.on_attach(client, buffer) end
end

---@param buffer integer
function M.on_detach(buffer)
  if not vim.api.nvim_buf_is_valid(buffer) then return end
  vim.api.nvim_clear_autocmds({ group = GROUP, buffer = buffer })
  for _, window in ipairs(vim.fn.win_findbuf(buffer)) do
    fold.tear_down(window)
  end
end

-- For buffers that had it before options were set.
function M.again()
  for _, client in ipairs(vim.lsp.get_clients({ name = server.NAME })) do
    for buffer in pairs(client.attached_buffers) do
      M.on_attach(client, buffer)
    end
  end
end

return M
