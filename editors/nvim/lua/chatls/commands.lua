-- `:Chatls SUBCOMMAND`: the subcommands, and the completion of their arguments.

local server = require('chatls.server')

local M = {}

---@class chatls.Command
---@field run fun(request: vim.api.keyset.create_user_command.command_args, words: string[])
---@field words? (string[]|fun(): string[])[] what can stand behind it, by place
---@field most? integer the number of words that it takes, if `words` does not say it; -1: any
---@field path? 'file'|'dir' all that stands behind it is one path
---@field anywhere? boolean it needs no running server
---@field needs? string the server's command for it, without `chatls.`, which not every server has

local SCOPES = { 'call', 'batch', 'document' }
local STATUSES = { 'failed', 'pending', 'done' }
local SEVERITIES = { 'error', 'warning', 'information', 'hint' }

-- Runs a command of the server with the arguments that `arguments` makes from the request, if a
-- server runs.
local function on_server(name, arguments)
  return function(request, words)
    local buffer = server.buffer()
    local client = server.client_or_say(buffer)
    local said = client and arguments(client, request, words)
    if client and said then server.execute(client, buffer, name, said) end
  end
end

local function at_cursor(client) return { position = server.position(client) } end

local function whole() return {} end

local function unknown(word, words)
  server.say(('`%s` is not one of %s'):format(word, table.concat(words, ', ')), vim.log.levels.ERROR)
end

-- The dialects that the server converts to.
local function dialects() return vim.list_slice(server.announced(server.client(), 'convertTo') or {}) end

local function conversion(client, _, words)
  local said = at_cursor(client)
  for _, word in ipairs(words) do
    if vim.list_contains(dialects(), word) then
      said.to = word
    elseif vim.list_contains(SCOPES, word) then
      said.scope = word
    else
      return unknown(word, vim.list_extend(dialects(), SCOPES))
    end
  end
  return said
end

-- The text after `complete` is the result: JSON if it parses as such, else text. With a bang, it is
-- the error message.
local function completion(client, request, words)
  local said, text = at_cursor(client), table.concat(words, ' ')
  if request.bang then
    said.errorText = text
  elseif text ~= '' then
    local is_json, value = pcall(vim.json.decode, text)
    said.output = is_json and value or text
  end
  return said
end

-- The lines of the range, or the selection in them if it does not cover whole lines.
local function selection(client, request)
  local first, last = vim.fn.getpos("'<"), vim.fn.getpos("'>")
  local selected = first[2] == request.line1 and last[2] == request.line2 and vim.fn.visualmode() == 'v'
  if request.range == 0 or not selected then
    local text = vim.fn.getline(request.line2)
    return {
      range = {
        start = { line = request.line1 - 1, character = 0 },
        ['end'] = { line = request.line2 - 1, character = vim.str_utfindex(text, client.offset_encoding) },
      },
    }
  end
  local from, to = { first[2], first[3] - 1 }, { last[2], last[3] - 1 }
  local made = vim.lsp.util.make_given_range_params(from, to, 0, client.offset_encoding)
  return { range = made.range }
end

-- `:3Chatls next` or `:Chatls next 3`; a selection is not a count.
local function count_of(request, words) return request.range == 1 and request.count or tonumber(words[1]) or 1 end

local function to_problem(request, words)
  local severity, sign, count = nil, 1, nil
  for _, word in ipairs(words) do
    local index = vim.fn.index(SEVERITIES, word) + 1
    if index > 0 then
      severity = { min = index }
    elseif word == 'prev' then
      sign = -1
    elseif tonumber(word) then
      count = tonumber(word)
    else
      return unknown(word, vim.list_extend({ 'prev' }, SEVERITIES))
    end
  end
  require('chatls.problems').jump(sign * (count or count_of(request, {})), severity)
end

-- Goes to a call forward (1) or backward (-1): `:Chatls next failed 2`.
local function to_call(sign)
  return function(request, words)
    local status, count = nil, nil
    for _, word in ipairs(words) do
      if vim.list_contains(STATUSES, word) then
        status = word
      elseif tonumber(word) then
        count = tonumber(word)
      else
        return unknown(word, STATUSES)
      end
    end
    require('chatls.calls').jump(sign * (count or count_of(request, {})), status)
  end
end

-- `:Chatls list failed`; with a bang in the quickfix list.
local function list_calls(request, words)
  local status = words[1]
  if status and not vim.list_contains(STATUSES, status) then return unknown(status, STATUSES) end
  require('chatls.list').show(status, request.bang)
end

-- Runs calls at the cursor.
local function running(name, more)
  return function() require('chatls.run').run(name, more) end
end

---@type table<string, chatls.Command>
M.COMMANDS = {
  convert = { run = on_server('convert', conversion), words = { dialects, SCOPES } },
  complete = { run = on_server('complete', completion), most = -1 },
  merge = { run = on_server('merge', at_cursor) },
  unify = { run = on_server('unify', whole) },
  new = {
    run = function(_, words) require('chatls.new').write(words[1]) end,
    words = { function() return require('chatls.new').names() end },
  },
  newId = { run = on_server('newId', at_cursor) },
  numberIds = { run = on_server('numberIds', whole) },
  redact = { run = on_server('redact', whole) },
  wrap = { run = on_server('wrap', selection) },
  extract = { run = on_server('extract', at_cursor) },
  sortRecords = { run = on_server('sortRecords', at_cursor) },
  repair = { run = on_server('repair', whole) },
  convertConversation = {
    run = function(request, words) require('chatls.conversation').convert(words[1], request.bang) end,
    words = { function() return require('chatls.conversation').names() end },
  },
  showBatch = { run = on_server('showBatch', at_cursor) },
  fixAll = {
    run = function()
      if server.client_or_say() and not require('chatls').fix_all() then server.say('there are no safe fixes') end
    end,
  },
  action = { run = function() require('chatls.actions').show() end },
  fold = { run = function() require('chatls.fold').close() end },
  unfold = { run = function() require('chatls.fold').open() end },
  next = { run = to_call(1), words = { STATUSES }, most = 2 },
  prev = { run = to_call(-1), words = { STATUSES }, most = 2 },
  list = { run = list_calls, words = { STATUSES } },
  problem = { run = to_problem, words = { vim.list_extend({ 'prev' }, SEVERITIES), SEVERITIES }, most = 3 },
  events = { run = function() require('chatls.events').open() end },
  preview = { run = function() require('chatls.preview').open() end },
  export = {
    run = function(request, words) require('chatls.export').run(words[1], request.bang) end,
    path = 'file',
  },
  request = {
    run = function(request, words) require('chatls.model_request').copy(words[1], words[2], request.bang) end,
    words = { function() return require('chatls.model_request').FORMS end },
    most = 2,
  },
  compare = { run = function(_, words) require('chatls.compare').run(words[1]) end, path = 'file' },
  sessions = {
    run = function(_, words) require('chatls.open_session').choose(words[1]) end,
    path = 'dir',
    anywhere = true,
  },
  run = { run = running('run'), needs = 'run' },
  runBatch = { run = running('run', { scope = 'batch' }), needs = 'run' },
  runAll = { run = running('run', { scope = 'document' }), needs = 'run' },
  runAgain = { run = running('runAgain'), needs = 'runAgain' },
  continue = {
    run = function(_, words) require('chatls.run').continue(words[1]) end,
    most = 1,
    needs = 'continue',
  },
  cancelRun = { run = function() require('chatls.runs').cancel() end, needs = 'cancelRun' },
  servers = { run = function() require('chatls.tool_servers').open() end, needs = 'servers' },
  info = { run = function() require('chatls.info').show() end },
  health = { run = function() vim.cmd.checkhealth('chatls') end, anywhere = true },
  log = { run = function() require('chatls.info').open_log() end, anywhere = true },
  restart = { run = function() require('chatls.restart').run() end, anywhere = true },
}

-- The subcommands that apply to the current buffer.
function M.names()
  local client = server.client()
  local names = vim.tbl_filter(function(name)
    local command = M.COMMANDS[name]
    if not client then return command.anywhere == true end
    return not command.needs or require('chatls.run').is_offered(client, command.needs)
  end, vim.tbl_keys(M.COMMANDS))
  table.sort(names)
  return names
end

-- A path as it is typed, with or without a backslash before its spaces.
local function unescaped(path) return (path:gsub('\\([ \\])', '%1')) end

-- The words behind the subcommand, which are a single one if it takes a path; nothing, said, if they
-- are more than it takes.
---@param name string
---@param command chatls.Command
---@param args string
---@param words string[]
---@return string[]?
local function taken(name, command, args, words)
  if command.path then
    local path = vim.trim(args):match('^%S+%s+(.+)$')
    return { path and unescaped(path) }
  end
  local most = command.most or #(command.words or {})
  if most < 0 or #words <= most then return words end
  local surplus = table.concat(words, ' ', most + 1)
  server.say(('not run: `%s` is more than `:Chatls %s` takes'):format(surplus, name), vim.log.levels.ERROR)
end

-- `:Chatls …`
function M.run(request)
  local words = vim.list_slice(request.fargs)
  local name = table.remove(words, 1)
  if not name then
    require('chatls.info').show()
    return
  end
  local command = M.COMMANDS[name]
  if not command then
    local names = vim.tbl_keys(M.COMMANDS)
    table.sort(names)
    return unknown(name, names)
  end
  local said = taken(name, command, request.args, words)
  if said then command.run(request, said) end
end

-- The files or folders that begin with `lead`, as they are typed in a command.
local function paths(lead, kind) return vim.tbl_map(vim.fn.fnameescape, vim.fn.getcompletion(unescaped(lead), kind)) end

-- The completions at the cursor of a command line.
---@param lead string
---@param line string
---@param cursor integer
---@return string[]
function M.complete(lead, line, cursor)
  local typed = vim.split(vim.trim(line:sub(1, cursor):gsub('^.-Chatls!?', '', 1)), '%s+')
  local place = #typed - (lead == '' and typed[1] ~= '' and 0 or 1)
  local command = M.COMMANDS[typed[1]] or {}
  if place > 0 and command.path then return paths(lead, command.path) end
  local possible = place == 0 and M.names() or (command.words or {})[place] or {}
  if type(possible) == 'function' then possible = possible() end
  return vim.tbl_filter(function(word) return vim.startswith(word:lower(), lead:lower()) end, possible)
end

return M
