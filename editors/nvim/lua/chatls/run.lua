-- Runs calls by the server's commands, and continues conversations.

local server = require('chatls.server')

local M = {}

-- The server's commands whose results are those of calls.
local COMMANDS = { 'chatls.run', 'chatls.runAgain' }

-- True if the server runs calls and has the command.
---@param client vim.lsp.Client
---@param name string without `chatls.`
function M.is_offered(client, name)
  local commands = vim.tbl_get(client.server_capabilities, 'executeCommandProvider', 'commands') or {}
  return server.offers(client, 'run') and vim.list_contains(commands, 'chatls.' .. name)
end

-- Shows a result that is not in the document.
local function show(result)
  vim.cmd.new()
  vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(result.text, '\n', { plain = true }))
  vim.bo.buftype, vim.bo.bufhidden = 'nofile', 'wipe'
  if pcall(vim.json.decode, result.text) then vim.bo.filetype = 'json' end
end

-- Offers the results that could not be written, one after the other.
local function offer(results, index)
  local result = results[index]
  if not result then return end
  if result.status ~= 'notWritten' or not result.text then return offer(results, index + 1) end
  local prompt = ('The result of %s is not in the document:'):format(result.toolName)
  vim.ui.select({ 'Show it', 'Drop it' }, { prompt = prompt }, function(choice)
    if choice == 'Show it' then show(result) end
    offer(results, index + 1)
  end)
end

-- Sends one of `COMMANDS`, also those of lenses and code actions.
local function execute(client, command, buffer)
  local params = { command = command.command, arguments = command.arguments }
  client:request('workspace/executeCommand', params, function(err, answer)
    if err then
      server.say(err.message, vim.log.levels.WARN)
    else
      offer(type(answer) == 'table' and answer.results or {}, 1)
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
