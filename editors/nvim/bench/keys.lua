-- Types into a large transcript in a Neovim on a terminal, and prints the time from each key until
-- it is drawn. Three of them are open, one with chatls, one without, and one with a language server
-- that does nothing, for which Neovim only finds the changes. They get keys in turns, so that other
-- work on the machine slows down all of them.
--
-- nvim --clean --headless -l keys.lua MEGABYTES KEYS, with HOME prepared by run.sh.

local megabytes, keys = tonumber(arg[1]), tonumber(arg[2])
-- Milliseconds from one key to the next.
local PACE = 150
-- The number of keys of a turn.
local TURN = 50

-- A transcript of that size: batches of three calls, the last of which failed, with prose between
-- them.
local function write_document(path)
  local file = assert(io.open(path, 'wb'))
  local size, number = 0, 0
  while size < megabytes * 1e6 do
    number = number + 1
    local text = { ('**User:** Question %d, and what it is about, in a sentence.\n\n'):format(number) }
    for call = 1, 3 do
      local outcome = call == 3 and '"errorText": "no such file"' or '"output": "line one\\nline two\\nline three"'
      table.insert(
        text,
        ('```tool\n{\n  "toolName": "read_file",\n  "input": { "path": "src/%d/%d.rs" },\n  %s\n}\n```\n\n'):format(
          number,
          call,
          outcome
        )
      )
    end
    table.insert(text, ('**Assistant:** That was answer %d.\n\n'):format(number))
    local all = table.concat(text)
    file:write(all)
    size = size + #all
  end
  file:close()
  return number * 3
end

-- The script of the measured Neovim.
local INSIDE = [[
  drawn = {}
  vim.api.nvim_set_decoration_provider(vim.api.nvim_create_namespace('bench'), {
    on_end = function() table.insert(drawn, vim.uv.hrtime()) end,
  })

  -- Nanoseconds from `began` to the first redraw after it.
  function Drawn(began)
    local times = drawn
    drawn = {}
    for _, at in ipairs(times) do
      if at > began then return at - began end
    end
  end

  function Memory()
    for line in io.lines('/proc/self/status') do
      local kilobytes = line:match('^VmRSS:%s+(%d+)')
      if kilobytes then return math.floor(kilobytes / 1024) end
    end
  end

  function Timed(command)
    local began = vim.uv.hrtime()
    vim.cmd(command)
    return (vim.uv.hrtime() - began) / 1e6
  end
]]

-- Starts a language server that takes the changes of the document and does nothing.
local IDLE = [[
  vim.lsp.start({
    name = 'idle',
    cmd = function()
      return {
        request = function(method, _, callback)
          local capabilities = { textDocumentSync = { openClose = true, change = 2 } }
          if method == 'initialize' then callback(nil, { capabilities = capabilities }) end
          return true, 1
        end,
        notify = function() return true end,
        is_closing = function() return false end,
        terminate = function() end,
      }
    end,
  })
]]

local function pause(milliseconds)
  vim.wait(milliseconds, function() return false end, 10)
end

local Session = {}
Session.__index = Session

function Session.open(path, with_chatls)
  local socket = vim.fn.tempname()
  local command = { vim.v.progpath, '--listen', socket, '-n' }
  -- Without chatls everything else is the same: Neovim's own work, including Treesitter.
  if not with_chatls then vim.list_extend(command, { '-u', '/dev/null' }) end
  table.insert(command, path)
  local job = vim.fn.jobstart(command, { pty = true, width = 100, height = 40, on_stdout = function() end })
  assert(vim.wait(60000, function() return vim.uv.fs_stat(socket) ~= nil end, 20), 'Neovim does not start')
  local self = setmetatable({ job = job, channel = vim.fn.sockconnect('pipe', socket, { rpc = true }) }, Session)
  self:lua(INSIDE)
  return self
end

function Session:lua(code) return vim.rpcrequest(self.channel, 'nvim_exec_lua', code, {}) end

-- Waits until there are no more requests.
function Session:settle(with_chatls)
  if with_chatls then
    assert(vim.wait(
      60000,
      function()
        return self:lua([[
        local client = vim.lsp.get_clients({ name = 'chatls' })[1]
        return client ~= nil and client.initialized or false
      ]])
      end,
      50
    ))
  end
  local quiet = 0
  vim.wait(120000, function()
    local busy = self:lua([[
      local client = vim.lsp.get_clients({ name = 'chatls' })[1]
      return client ~= nil and next(client.requests) ~= nil
    ]])
    quiet = busy and 0 or quiet + 1
    return quiet >= 60
  end, 50)
end

-- Types `count` letters, and appends the milliseconds until each was drawn to `took`.
function Session:type(count, took)
  for number = 1, count do
    local began = vim.uv.hrtime()
    vim.fn.chansend(self.job, string.char(97 + number % 26))
    pause(PACE)
    local drawn = self:lua(('return Drawn(%d)'):format(began))
    table.insert(took, (drawn or vim.uv.hrtime() - began) / 1e6)
  end
end

-- Enters Insert mode at the end of the line, or leaves it.
function Session:insert()
  vim.fn.chansend(self.job, 'A ')
  pause(500)
end

function Session:leave()
  vim.fn.chansend(self.job, '\27')
  pause(1000)
end

local function percentile(sorted, share) return sorted[math.max(1, math.ceil(#sorted * share))] end

local function open(path, with_chatls)
  local session = Session.open(path, with_chatls)
  session:settle(with_chatls)
  -- In prose, in the middle of the document.
  session:lua([[
    vim.cmd('normal! 50%')
    vim.fn.search('^\\*\\*Assistant')
  ]])
  return session
end

local function in_turns(sessions)
  local took = vim.tbl_map(function() return {} end, sessions)
  for done = 0, keys - 1, TURN do
    for index, session in ipairs(sessions) do
      session:insert()
      session:type(math.min(TURN, keys - done), took[index])
      session:leave()
    end
  end
  return unpack(took)
end

local calls = write_document('large.chat.md')
local function say(...) io.stdout:write(string.format(...), '\n') end
say('%g MB, %d tool calls, %d keys, one each %d ms, from the key until it is drawn', megabytes, calls, keys, PACE)
local function row(name, took)
  table.sort(took)
  say(
    '%-28s median %6.1f ms   p95 %6.1f ms   longest %6.1f ms',
    name,
    percentile(took, 0.5),
    percentile(took, 0.95),
    took[#took]
  )
end
local path = 'large.chat.md'
local without, idle, with = open(path, false), open(path, false), open(path, true)
idle:lua(IDLE)
assert(idle:lua('return #vim.lsp.get_clients({ name = "idle" })') == 1, 'the idle server did not start')
local keys_without, keys_idle, keys_with = in_turns({ without, idle, with })
row('without chatls', keys_without)
row('with an idle server', keys_idle)
row('with chatls', keys_with)
local next_call = with:lua([[return Timed('Chatls next')]])
with:lua([[vim.cmd('Chatls preview') vim.cmd('wincmd p')]])
with:settle(true)
local beside_without, beside_with = in_turns({ without, with })
row('without chatls, again', beside_without)
row('with chatls and its preview', beside_with)
say('%-28s %.1f ms', ':Chatls next', next_call)
local memory = 'return Memory()'
say('%-28s %d MB without, %d MB with chatls', 'memory of Neovim', without:lua(memory), with:lua(memory))
vim.fn.jobstop(without.job)
vim.fn.jobstop(idle.job)
vim.fn.jobstop(with.job)
