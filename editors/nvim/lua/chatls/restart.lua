-- Restarts the server for the same buffers: on request, and automatically after a crash.

local server = require('chatls.server')

local M = {}

-- Milliseconds that a server has to end before it is killed.
local PATIENCE = 3000
-- The maximum number of crashes, and the period in milliseconds.
local MOST, PERIOD = 5, 3 * 60 * 1000
-- Milliseconds until the first restart; each further one waits twice as long.
local PAUSE = 200
local SIGTERM = 15

-- The buffers that wait for a server, with the id of its client once it is started.
---@type table<integer, true|integer>
local waiting = {}
-- The times of crashes, by root.
---@type table<string, integer[]>
local faults = {}

-- True if a server is about to attach to `buffer`.
---@param buffer integer
function M.is_coming(buffer) return waiting[buffer] ~= nil end

-- A server has attached to `buffer`.
---@param buffer integer
function M.arrived(buffer) waiting[buffer] = nil end

local function wait_for(buffers)
  for _, buffer in ipairs(buffers) do
    waiting[buffer] = true
  end
end

-- `buffer` waits no longer, without a server.
local function leave(buffer)
  waiting[buffer] = nil
  require('chatls.attach').on_detach(buffer)
end

local function start(config, buffers)
  for _, buffer in ipairs(buffers) do
    -- It attaches when it has answered, which takes a slow machine some time.
    local id = vim.api.nvim_buf_is_loaded(buffer) and vim.lsp.start(config, { bufnr = buffer })
    if not id then
      leave(buffer)
    elseif waiting[buffer] then
      waiting[buffer] = id
    end
  end
end

local function restart(client)
  local config, buffers = client.config, vim.tbl_keys(client.attached_buffers)
  local deadline = vim.uv.now() + PATIENCE
  wait_for(buffers)
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

-- The number of recent crashes, including this one.
local function count_fault(root)
  local now = vim.uv.now()
  local recent = vim.tbl_filter(function(time) return now - time < PERIOD end, faults[root] or {})
  table.insert(recent, now)
  faults[root] = recent
  return #recent
end

local function give_up(buffers)
  local advice = 'see `:Chatls log`, and start it with `:Chatls restart`'
  server.say(('the server ended %d times in three minutes: %s'):format(MOST, advice), vim.log.levels.ERROR)
  vim.iter(buffers):each(leave)
end

-- Handles the end of a server: restarts it unless the end was intended, or it never answered.
---@param code integer
---@param signal integer
---@param id integer the client's
function M.exited(code, signal, id)
  for buffer, starting in pairs(waiting) do
    if starting == id then leave(buffer) end
  end
  local client = vim.lsp.get_client_by_id(id)
  local wanted = code == 0 and (signal == 0 or signal == SIGTERM)
  if not client or wanted or client._is_stopping or vim.v.exiting ~= vim.NIL or not client.initialized then return end
  local config, buffers = client.config, vim.tbl_keys(client.attached_buffers)
  local count = count_fault(client.root_dir or '')
  wait_for(buffers)
  vim.schedule(function()
    if count > MOST then return give_up(buffers) end
    vim.defer_fn(function()
      start(config, buffers)
      server.say('the server crashed and was restarted', vim.log.levels.WARN)
    end, PAUSE * 2 ^ (count - 1))
  end)
end

-- Restarts all running servers; without any, starts one if the current buffer is for chatls.
function M.run()
  faults = {}
  local clients = vim.lsp.get_clients({ name = server.NAME })
  for _, client in ipairs(clients) do
    restart(client)
  end
  if #clients == 0 and not require('chatls.missing').say() then
    vim.lsp.enable(server.NAME)
    server.say('was not running; started for ' .. table.concat(require('chatls.highlights').FILETYPES, ', '))
  end
end

return M
