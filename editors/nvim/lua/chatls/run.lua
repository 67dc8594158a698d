-- Runs calls by the server's commands, and continues conversations.

local server = require('chatls.server')

local M = {}

-- The server's commands that return what they could not write: results of calls, or an answer.
local COMMANDS = { 'chatls.run', 'chatls.runAgain', 'chatls.continue' }

-- True if the server runs calls and has the command.
---@param client vim.lsp.Client
---@param name string without `chatls.`
function M.is_offered(client, name)
  local commands = vim.tbl_get(client.server_capabilities, 'executeCommandProvider', 'commands') or {}
  return server.offers(client, 'run') and vim.list_contains(commands, 'chatls.' .. name)
end

-- Shows a text that is not in the document.
local function show(text, filetype)
  vim.cmd.new()
  vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(text, '\n', { plain = true }))
  vim.bo.buftype, vim.bo.bufhidden = 'nofile', 'wipe'
  if filetype then vim.bo.filetype = filetype end
end

-- Asks whether to show a text, then goes on.
local function ask(prompt, text, filetype, go_on)
  vim.ui.select({ 'Show it', 'Drop it' }, { prompt = prompt }, function(choice)
    if choice == 'Show it' then show(text, filetype) end
    go_on()
  end)
end

-- Offers the results that could not be written, one after the other.
local function offer(results, index)
  local result = results[index]
  if not result then return end
  local function go_on() offer(results, index + 1) end
  if result.status ~= 'notWritten' or not result.text then return go_on() end
  local prompt = ('The result of %s is not in the document:'):format(result.toolName)
  ask(prompt, result.text, pcall(vim.json.decode, result.text) and 'json' or nil, go_on)
end

-- Sends one of `COMMANDS`, also those of lenses and code actions.
local function execute(client, command, buffer)
  local params = { command = command.command, arguments = command.arguments }
  client:request('workspace/executeCommand', params, function(err, answer)
    if err then
      server.say(err.message, vim.log.levels.WARN)
    elseif type(answer) == 'table' and answer.text then
      ask('The answer is not in the document, or not all of it:', answer.text, 'markdown', function() end)
    elseif type(answer) == 'table' then
      offer(answer.results or {}, 1)
    end
  end, buffer)
end

-- Takes the results of the commands.
---@param client vim.lsp.Client
function M.set_up(client)
  for _, name in ipairs(COMMANDS) do
    client.commands[name] = function(command, context) execute(client, command, context.bufnr) end
  end
end

-- Runs a command at the cursor.
---@param name string without `chatls.`
---@param more? table
function M.run(name, more)
  local buffer = server.buffer()
  local client = server.client_or_say(buffer)
  if not client then return end
  if not M.is_offered(client, name) then return server.say('this server cannot do that', vim.log.levels.WARN) end
  server.execute(client, buffer, name, vim.tbl_extend('force', { position = server.position(client) }, more or {}))
end

-- `:Chatls continue`: with `turns`, a number, also runs the calls of the answers.
---@param turns? string
function M.continue(turns)
  if turns and not turns:match('^%d+$') then
    return server.say(('`%s` is not a number of answers'):format(turns), vim.log.levels.ERROR)
  end
  M.run('continue', { turns = tonumber(turns) })
end

return M
