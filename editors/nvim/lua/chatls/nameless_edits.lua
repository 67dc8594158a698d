-- Edits in buffers without a name.
--
-- An edit names its document, and Neovim makes one of `file://` in a buffer called `/`. So quick fixes become commands here,
-- which know the number of their buffer, and what the server asks to be edited is edited there, too.

local M = {}

local COMMAND = 'chatls.editNameless'

-- Some write the empty path with a slash.
local function is_nameless(uri) return uri ~= nil and uri:find('^file:/*$') ~= nil end

-- What an edit changes in the nameless document, if it does so in no other.
---@return lsp.TextEdit[]?
local function edits_in(edit)
  local documents = edit.documentChanges
  if documents then
    local first = #documents == 1 and documents[1] or {}
    return is_nameless(vim.tbl_get(first, 'textDocument', 'uri')) and first.edits or nil
  end
  local uri, edits = next(edit.changes or {})
  return is_nameless(uri) and edits or nil
end

-- The same action, by a command that makes its edit.
local function by_command(buffer, action)
  if type(action) ~= 'table' or not action.edit or not edits_in(action.edit) then return action end
  local made = vim.deepcopy(action)
  made.edit = nil
  made.command = { title = action.title, command = COMMAND, arguments = { buffer, action.edit, action.command } }
  return made
end

local CHANGED = {
  ['textDocument/codeAction'] = function(buffer, actions)
    return vim.tbl_map(function(action) return by_command(buffer, action) end, actions)
  end,
  ['codeAction/resolve'] = by_command,
}

-- Has the client's answers on quick fixes changed so, where they are for nameless buffers.
local function change_actions(client, has_no_name)
  local request = client.request
  client.request = function(self, method, params, handler, buffer)
    local change = CHANGED[method]
    if not change or not handler or not buffer or not has_no_name(buffer) then
      return request(self, method, params, handler, buffer)
    end
    return request(
      self,
      method,
      params,
      function(err, result, ...) return handler(err, result and change(buffer, result), ...) end,
      buffer
    )
  end
  client.commands[COMMAND] = function(command)
    local buffer, edit, more = unpack(command.arguments, 1, 3)
    vim.lsp.util.apply_text_edits(edits_in(edit), buffer, client.offset_encoding)
    if more then client:exec_cmd(more, { bufnr = buffer }) end
  end
end

-- Handles `method` by `own`, where that gives an answer; else as before.
local function handle_first(client, method, own)
  local before = client.handlers[method]
  client.handlers[method] = function(err, result, context)
    local answer = result and own(result, context)
    if answer then return answer end
    return (before or vim.lsp.handlers[method])(err, result, context)
  end
end

-- Has what the server asks to be edited, and what it renames, edited in the nameless buffer.
local function take_edits(client, has_no_name)
  handle_first(client, 'workspace/applyEdit', function(params)
    local edits = edits_in(params.edit)
    local buffer = vim.iter(vim.tbl_keys(client.attached_buffers)):find(has_no_name)
    if not edits or not buffer then return nil end
    local applied, why = pcall(vim.lsp.util.apply_text_edits, edits, buffer, client.offset_encoding)
    return { applied = applied, failureReason = not applied and why or nil }
  end)
  handle_first(client, 'textDocument/rename', function(edit, context)
    local edits = has_no_name(context.bufnr) and edits_in(edit)
    if not edits then return nil end
    vim.lsp.util.apply_text_edits(edits, context.bufnr, client.offset_encoding)
    return true
  end)
end

---@param client vim.lsp.Client
---@param has_no_name fun(buffer: integer): boolean
function M.set_up(client, has_no_name)
  if client.commands[COMMAND] then return end
  change_actions(client, has_no_name)
  take_edits(client, has_no_name)
end

return M
