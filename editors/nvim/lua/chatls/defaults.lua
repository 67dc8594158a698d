-- The keys and options that Neovim gives to every buffer with a server: `K` and 'omnifunc'.
--
-- The server answers nothing in ordinary Markdown, which therefore keeps its own: `K` with
-- 'keywordprg', and the completion of the filetype.

local M = {}

local OMNIFUNC = 'v:lua.vim.lsp.omnifunc'
local KEY = 'vim.lsp.buf.hover()'

-- True if another server of the buffer has the feature: then the key or option is for that one.
local function others_have(client, buffer, method)
  return vim
    .iter(vim.lsp.get_clients({ bufnr = buffer, method = method }))
    :any(function(other) return other.id ~= client.id end)
end

local function hover_key(buffer)
  return vim.api.nvim_buf_call(buffer, function()
    local map = vim.fn.maparg('K', 'n', false, true)
    return map.buffer == 1 and map.desc == KEY
  end)
end

-- What Neovim set in the buffer, and nobody else.
---@param buffer integer
---@return { key: boolean, omnifunc: boolean }
function M.of(buffer) return { key = hover_key(buffer), omnifunc = vim.bo[buffer].omnifunc == OMNIFUNC } end

-- Takes them back.
---@param client vim.lsp.Client
---@param buffer integer
function M.remove(client, buffer)
  local set = M.of(buffer)
  if set.key and not others_have(client, buffer, 'textDocument/hover') then
    vim.keymap.del('n', 'K', { buffer = buffer })
  end
  if set.omnifunc and not others_have(client, buffer, 'textDocument/completion') then
    local known, own = pcall(vim.filetype.get_option, vim.bo[buffer].filetype, 'omnifunc')
    vim.bo[buffer].omnifunc = known and own or ''
  end
end

-- Sets again what Neovim had set.
---@param buffer integer
---@param set { key: boolean, omnifunc: boolean }
function M.restore(buffer, set)
  if set.omnifunc then vim.bo[buffer].omnifunc = OMNIFUNC end
  if set.key and not hover_key(buffer) then
    vim.keymap.set('n', 'K', function() vim.lsp.buf.hover() end, { buffer = buffer, desc = KEY })
  end
end

return M
