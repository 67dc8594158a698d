-- `:Chatls servers`: the servers and programs that run the tools of a document, with what they start,
-- their state and their log.

local run = require('chatls.run')
local scratch = require('chatls.scratch')
local server = require('chatls.server')

local M = {}

-- The icon and the words of each state.
local STATES = {
  unusable = { '⚠', 'cannot be started' },
  noConsent = { '🔒', 'you have not agreed to start it' },
  stopped = { '○', 'not running' },
  starting = { '◌', 'starting' },
  running = { '●', 'running' },
  failed = { '✗', 'failed' },
}
local HELP = 's: stop   d: take back consent   q: close'

-- Calls `take` with the response to one of the server's commands.
local function command(client, buffer, name, more, take)
  local arguments = vim.tbl_extend('force', { uri = require('chatls.nameless').uri(buffer) }, more)
  local params = { command = 'chatls.' .. name, arguments = { arguments } }
  client:request('workspace/executeCommand', params, function(err, answer)
    if err then return server.say(err.message, vim.log.levels.WARN) end
    take(answer)
  end, buffer)
end

-- `○ git: not running`
---@param it table a server
---@return string
function M.headline(it)
  local icon, words = unpack(STATES[it.state] or { '?', it.state })
  if it.kind == 'program' and it.state == 'stopped' then words = 'a program, started for each call' end
  if it.tools then words = ('%s, %d tool%s'):format(words, it.tools, it.tools == 1 and '' or 's') end
  return ('%s %s: %s'):format(icon, it.name, words)
end

local function lines_of(it)
  local lines = { M.headline(it) }
  local function add(text, indent)
    for _, line in ipairs(vim.split(text, '\n', { plain = true })) do
      table.insert(lines, indent .. line)
    end
  end
  if it.reason then add('reason: ' .. it.reason, '    ') end
  add('named by ' .. vim.fn.fnamemodify(it.file, ':~:.'), '    ')
  for _, fact in ipairs(it.facts) do
    add(fact, '    ')
  end
  if it.log ~= '' then
    add('log:', '    ')
    add(vim.trim(it.log), '        ')
  end
  return lines
end

-- The servers by the rows that show them, of each view.
local rows_of = setmetatable({}, { __mode = 'k' })

local function draw(view, answer)
  local lines, rows = { HELP, '' }, {}
  for _, it in ipairs(answer.servers) do
    for _, line in ipairs(lines_of(it)) do
      table.insert(lines, line)
      rows[#lines] = it
    end
    table.insert(lines, '')
  end
  if #answer.servers == 0 then lines = { 'No chatls.toml or mcp.json names a server or program for this document.' } end
  rows_of[view] = rows
  scratch.write(view, lines)
end

local function act(view, name)
  local it = (rows_of[view] or {})[vim.api.nvim_win_get_cursor(0)[1]]
  local client = server.client(view.source)
  if not it or not client then return end
  command(client, view.source, name, { server = it.hash or it.name }, function() scratch.refresh(view) end)
end

-- `:Chatls servers`
function M.open()
  local buffer = server.buffer()
  local client = server.client_or_say(buffer)
  if not client then return end
  if not run.is_offered(client, 'servers') then
    return server.say('this server cannot run calls', vim.log.levels.WARN)
  end
  local view = scratch.open(buffer, {
    kind = 'servers',
    filetype = 'chatls-servers',
    draw = draw,
    ask = function(at, source, take) command(at, source, 'servers', {}, take) end,
  })
  local function map(key, name, words)
    vim.keymap.set('n', key, function() act(view, name) end, { buffer = view.buffer, desc = 'chatls: ' .. words })
  end
  map('s', 'stopServer', 'stop this server')
  map('d', 'revokeConsent', 'take back the consent to this server')
end

-- Handles `chatls/serversChanged`.
function M.changed()
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    local view = scratch.of(buffer)
    if view and view.kind == 'servers' then scratch.refresh(view) end
  end
end

return M
