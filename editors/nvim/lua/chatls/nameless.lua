-- Buffers without a name.
--
-- Neovim calls each of them `file://`, and finds none of them again by that. So what is said of one is placed here, by its
-- number, and edits are made there. As soon as it gets a name, it is opened anew under that.

local server = require('chatls.server')

local M = {}

local METHOD = 'textDocument/diagnostic'

function M.is(buffer) return vim.api.nvim_buf_get_name(buffer) == '' end

-- Those of a client. The server sees them as one.
---@param client vim.lsp.Client
---@return integer[]
function M.all(client) return vim.tbl_filter(M.is, vim.tbl_keys(client.attached_buffers)) end

local function to_vim(client, buffer, item)
  local row, column = server.place(client, buffer, item.range.start)
  local end_row, end_column = server.place(client, buffer, item.range['end'])
  return {
    lnum = row,
    col = column,
    end_lnum = end_row,
    end_col = end_column,
    severity = item.severity,
    message = item.message,
    source = item.source,
    code = item.code,
    user_data = { lsp = item },
  }
end

local function place_by_number(client, result, context)
  local items = vim.tbl_map(function(item) return to_vim(client, context.bufnr, item) end, result.items)
  local space = vim.lsp.diagnostic.get_namespace(client.id, true, context.params.identifier)
  vim.diagnostic.set(space, context.bufnr, items)
end

-- Has faults of nameless buffers shown in them, unless the user has a handler of their own.
local function handle_diagnostics(client)
  if client.handlers[METHOD] then return end
  client.handlers[METHOD] = function(err, result, context)
    local buffer = context.bufnr
    if result and result.items and buffer and vim.api.nvim_buf_is_valid(buffer) and M.is(buffer) then
      place_by_number(client, result, context)
      -- Without its id: what is asked under the name to come is not what was told already.
      result = { kind = result.kind, items = {} }
    end
    return vim.lsp.handlers[METHOD](err, result, context)
  end
end

-- `:write NAME` ends all autocommands of the buffer, as if it were wiped out: this one belongs to none.
local function attach_when_named(client, buffer)
  vim.api.nvim_create_autocmd({ 'BufFilePost', 'BufAdd' }, {
    desc = 'chatls: a buffer that got its name',
    callback = function()
      local valid = vim.api.nvim_buf_is_valid(buffer)
      if valid and M.is(buffer) then return end
      vim.schedule(function()
        if vim.api.nvim_buf_is_loaded(buffer) and not client:is_stopped() then
          vim.lsp.buf_attach_client(buffer, client.id)
        end
      end)
      return true
    end,
  })
end

-- Leaves the buffer before `:file NAME` or `:write NAME` gives it a name, and comes back to it then.
local function wait_for_name(client, buffer)
  vim.api.nvim_create_autocmd({ 'BufFilePre', 'BufWipeout' }, {
    buffer = buffer,
    nested = true,
    desc = 'chatls: the buffer gets a name',
    callback = function()
      if M.is(buffer) and vim.lsp.buf_is_attached(buffer, client.id) then
        vim.lsp.buf_detach_client(buffer, client.id)
        attach_when_named(client, buffer)
      end
      return true
    end,
  })
end

---@param client vim.lsp.Client
---@param buffer integer
function M.on_attach(client, buffer)
  if not M.is(buffer) then return end
  handle_diagnostics(client)
  require('chatls.nameless_edits').set_up(client, M.is)
  wait_for_name(client, buffer)
  if #M.all(client) > 1 then server.say('give all buffers but one a name: `:file draft.md`', vim.log.levels.WARN) end
end

return M
