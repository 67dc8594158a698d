-- Ends the server and starts it anew, for the same buffers.

local server = require('chatls.server')

local M = {}

-- Milliseconds that a server may take to end before it is made to.
local PATIENCE = 3000

local function start(config, buffers)
  for _, buffer in ipairs(buffers) do
    if vim.api.nvim_buf_is_loaded(buffer) then vim.lsp.start(config, { bufnr = buffer }) end
  end
end

local function restart(client)
  local config, buffers = client.config, vim.tbl_keys(client.attached_buffers)
  local deadline = vim.uv.now() + PATIENCE
  client:stop()
  local function wait()
    if client:is_stopped() and not vim.lsp.get_client_by_id(client.id) then
      start(config, buffers)
      server.say('restarted')
    else
      if vim.uv.now() > deadline then client:stop(true) end
      vim.defer_fn(wait, 20)
    end
  end
  wait()
end

-- Restarts all that run; without any, starts one where the current buffer is for chatls.
function M.run()
  local clients = vim.lsp.get_clients({ name = server.NAME })
  for _, client in ipairs(clients) do
    restart(client)
  end
  if #clients == 0 and not require('chatls.missing').say() then
    vim.lsp.enable(server.NAME)
    server.say('was not running; it is started for ' .. table.concat(require('chatls.highlights').FILETYPES, ', '))
  end
end

return M
