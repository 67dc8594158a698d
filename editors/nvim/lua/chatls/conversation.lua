-- Writes the conversation of a document in another form: a JSON document in place, or a new buffer.

local server = require('chatls.server')

local M = {}

-- The forms of messages.
M.FORMS = { 'ai-sdk', 'anthropic', 'finetune', 'openai', 'responses', 'sharegpt' }
-- Those of Markdown: dialects of tool calls.
M.DIALECTS = { 'fence', 'hermes', 'marker', 'tag' }

-- All forms.
function M.names() return vim.list_extend(vim.list_slice(M.FORMS), M.DIALECTS) end

local function show(answer)
  vim.cmd.new()
  vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(answer.text:gsub('\n$', ''), '\n', { plain = true }))
  vim.bo.filetype = answer.languageId
  vim.bo.modified = false
  if answer.losses ~= '' then server.say('the conversion ' .. answer.losses) end
end

-- Writes the conversation into a new buffer without a name.
local function to_new(client, buffer, to)
  if not server.offers(client, 'conversation') then
    return server.say('this server cannot write conversations: update it', vim.log.levels.WARN)
  end
  local params = { textDocument = vim.lsp.util.make_text_document_params(buffer), to = to }
  client:request('chatls/conversation', params, function(err, answer)
    if err then
      server.say(err.message, vim.log.levels.WARN)
    else
      show(answer)
    end
  end, buffer)
end

-- `:Chatls convertConversation TO`: in place if the document is JSON and `to` is a form of messages,
-- else, or if `in_new` is true, in a new buffer.
---@param to? string one of `names`
---@param in_new boolean
function M.convert(to, in_new)
  local buffer = server.buffer()
  local client = server.client_or_say(buffer)
  if not client then return end
  if to and not vim.list_contains(M.names(), to) then
    local names = table.concat(M.names(), ', ')
    return server.say(('`%s` is not one of %s'):format(to, names), vim.log.levels.ERROR)
  end
  local in_place = not in_new and vim.bo[buffer].filetype == 'json' and not vim.list_contains(M.DIALECTS, to)
  if in_place then return server.execute(client, buffer, 'convertConversation', { to = to }) end
  if to then return to_new(client, buffer, to) end
  vim.ui.select(M.names(), { prompt = 'Convert the conversation to:' }, function(choice)
    if choice then to_new(client, buffer, choice) end
  end)
end

return M
