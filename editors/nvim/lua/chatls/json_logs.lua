-- JSON documents with messages: other programs own most JSON files, so chatls only runs in those
-- whose names tell, and in those that a configuration includes. Neovim starts servers by file type
-- only, so this module does it.

local server = require('chatls.server')

local M = {}

-- Patterns of the names that chatls also reads in folders.
local NAMES = {
  '%.chat%.json$',
  '%.messages%.json$',
  '%.traj%.json$',
  '%.trajectory%.json$',
  '/chat%.json$',
  '/api_conversation_history%.json$',
}

-- The time limit for the start of a server, in milliseconds.
local PATIENCE = 5000

---@param buffer integer
function M.is(buffer)
  local name = vim.api.nvim_buf_get_name(buffer):gsub('\\', '/'):lower()
  return vim.iter(NAMES):any(function(pattern) return name:find(pattern) ~= nil end)
end

-- True if a configuration may include JSON documents. This reads the nearest `chatls.toml`, so that
-- no server starts for JSON documents of other programs.
local function may_be_included(buffer, config)
  if vim.tbl_get(config, 'settings', 'chatls', 'include') then return true end
  local folder = vim.fs.root(buffer, 'chatls.toml')
  local read, lines = pcall(vim.fn.readfile, vim.fs.joinpath(folder or '', 'chatls.toml'))
  return folder ~= nil
    and read
    and vim.iter(lines):any(function(line) return line:find('include') ~= nil or line:find('extends') ~= nil end)
end

-- Calls `use` with whether a configuration includes a buffer's file. Errors are dropped, because
-- they occur while a server ends.
local function ask(client, buffer, use)
  client:request('chatls/included', { uris = { vim.uri_from_bufnr(buffer) } }, function(err, answer)
    if not err and answer and vim.api.nvim_buf_is_loaded(buffer) then use(answer.included[1] == true) end
  end)
end

-- Attaches a client to a buffer of an included file, or detaches it from one of another file.
local function attach_if_included(client, buffer)
  ask(client, buffer, function(included)
    local attached = vim.lsp.buf_is_attached(buffer, client.id)
    if included and not attached then
      vim.lsp.buf_attach_client(buffer, client.id)
    elseif attached and not included then
      vim.lsp.buf_detach_client(buffer, client.id)
    end
    -- It was started for this question.
    if not next(client.attached_buffers) then client:stop() end
  end)
end

-- The client for a buffer, which is not attached: a running one, or a new one.
local function unattached(config, buffer)
  local id = vim.lsp.start(config, { bufnr = buffer, attach = false })
  local client = id and vim.lsp.get_client_by_id(id)
  local runs = client and vim.wait(PATIENCE, function() return client.initialized == true end, 10)
  return runs and server.offers(client, 'included') and client or nil
end

-- Starts chatls in a buffer of such a document, if it is enabled.
---@param buffer integer
function M.start(buffer)
  local config = vim.lsp.config[server.NAME]
  local enabled = not vim.lsp.is_enabled or vim.lsp.is_enabled(server.NAME)
  local is_file = vim.bo[buffer].buftype == '' and vim.api.nvim_buf_get_name(buffer) ~= ''
  if not config or not enabled or not is_file then return end
  local is_named = M.is(buffer)
  if not is_named and not may_be_included(buffer, config) then return end
  if require('chatls.missing').program() then return end
  config = vim.tbl_extend('force', {}, config)
  config.root_dir = config.root_dir or vim.fs.root(buffer, config.root_markers or {})
  if is_named then
    vim.lsp.start(config, { bufnr = buffer })
    return
  end
  local client = unattached(config, buffer)
  if client then attach_if_included(client, buffer) end
end

-- Looks at all JSON documents again, after a configuration has changed.
function M.look_again()
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].filetype == 'json' and not M.is(buffer) then
      local client = server.client(buffer)
      if client then
        attach_if_included(client, buffer)
      else
        M.start(buffer)
      end
    end
  end
end

return M
