-- Exports the document as one HTML page, or as Markdown without dialects.

local server = require('chatls.server')

local M = {}

local FORMATS = { md = 'markdown', markdown = 'markdown', html = 'html', htm = 'html' }

-- The default path of an export: beside the document.
local function default(buffer)
  local name = vim.api.nvim_buf_get_name(buffer)
  return (name == '' and 'transcript' or vim.fn.fnamemodify(name, ':r')) .. '.html'
end

-- True if a file is an exported page, which may be replaced.
local function is_export(path)
  local file = io.open(path, 'rb')
  local beginning = file and file:read(1000) or ''
  if file then file:close() end
  return beginning:find('<meta name="generator" content="chatls">', 1, true) ~= nil
end

local function write(path, text)
  local file, why = io.open(path, 'wb')
  if not file then return why end
  local written, reason = file:write(text)
  local closed, problem = file:close()
  return not (written and closed) and (reason or problem) or nil
end

---@param path? string a name that ends in `.html` or `.md` says the format
---@param redact? boolean true for pseudonyms in place of secrets, user names and addresses
function M.run(path, redact)
  local buffer = server.buffer()
  local client = server.client_or_say(buffer)
  if not client then return end
  if not server.offers(client, 'export') then
    server.say('this server cannot export: update it', vim.log.levels.WARN)
    return
  end
  -- An older server would ignore it, and write everything.
  if redact and not server.offers(client, 'redact') then
    server.say('this server cannot redact: update it', vim.log.levels.WARN)
    return
  end
  path = vim.fn.fnamemodify(path and vim.fn.expand(path) or default(buffer), ':p')
  local format = FORMATS[vim.fn.fnamemodify(path, ':e'):lower()]
  if not format then
    server.say('specify a file name that ends in .html or .md', vim.log.levels.WARN)
    return
  end
  if vim.uv.fs_stat(path) and not is_export(path) then
    server.say(('%s exists and is not an exported page: specify another file'):format(path), vim.log.levels.WARN)
    return
  end
  local document = vim.lsp.util.make_text_document_params(buffer)
  local params = { textDocument = document, format = format, redact = redact }
  client:request('chatls/export', params, function(err, answer)
    local why = err and err.message or write(path, answer.text)
    if why then
      server.say(('not exported: %s'):format(why), vim.log.levels.ERROR)
    else
      server.say(('exported to %s'):format(vim.fn.fnamemodify(path, ':~:.')))
    end
  end, buffer)
end

return M
