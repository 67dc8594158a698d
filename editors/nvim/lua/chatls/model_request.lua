-- Copies the request that continues the conversation at the cursor.

local server = require('chatls.server')

local M = {}

-- The servers that take a request.
M.FORMS = { 'ai-sdk', 'anthropic', 'chat-wrapper', 'openai' }

---@param to? string one of `FORMS`
---@param model? string
---@param redact? boolean true for pseudonyms in place of secrets, user names and addresses
function M.copy(to, model, redact)
  local buffer = server.buffer()
  local client = server.client_or_say(buffer)
  if not client then return end
  if not server.offers(client, 'modelRequest') then
    server.say('this server cannot write requests: update it', vim.log.levels.WARN)
    return
  end
  -- An older server would ignore it, and write everything.
  if redact and not server.offers(client, 'redact') then
    server.say('this server cannot redact: update it', vim.log.levels.WARN)
    return
  end
  if not to then
    server.say(('specify the server of the request: %s'):format(table.concat(M.FORMS, ', ')), vim.log.levels.WARN)
    return
  end
  local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
  params = vim.tbl_extend('force', params, { to = to, model = model, redact = redact })
  client:request('chatls/modelRequest', params, function(err, answer)
    if err then
      server.say(('not copied: %s'):format(err.message), vim.log.levels.ERROR)
      return
    end
    vim.fn.setreg('"', answer.text)
    if vim.fn.has('clipboard') == 1 then vim.fn.setreg('+', answer.text) end
    local said = { 'the request up to the cursor was copied' }
    vim.list_extend(said, answer.warnings)
    server.say(table.concat(said, '; '), #answer.warnings > 0 and vim.log.levels.WARN or nil)
  end, buffer)
end

return M
