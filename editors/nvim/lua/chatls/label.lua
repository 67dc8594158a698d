-- A label of the server, cut into pieces that are drawn in colours of their own.

local M = {}

local TOOL = '🔧 '

-- Pieces of ` · 1 failed · 2 pending`.
local function counts(rest)
  local chunks = {}
  for index, piece in ipairs(vim.split(rest, ' · ', { plain = true })) do
    local group = piece:find('failed', 1, true) and 'ChatlsFailed'
      or piece:find('pending', 1, true) and 'ChatlsPending'
      or 'ChatlsLabel'
    if index > 1 then table.insert(chunks, { ' · ' .. piece, group }) end
  end
  return chunks
end

local OUTCOMES = {
  { '→', 'ChatlsResult' },
  { '✗', 'ChatlsFailed' },
  { '⏳', 'ChatlsPending' },
}

-- Where the outcome of a call begins in `text`, and its group.
local function outcome(text)
  local first, group
  for _, it in ipairs(OUTCOMES) do
    -- A result may hold such signs again; in arguments they hardly stand behind a bracket.
    local bracket = text:find(') ' .. it[1], 1, true)
    local at = bracket and bracket + 1
    if at and (not first or at < first) then
      first, group = at, it[2]
    end
  end
  return first, group
end

local function call(text)
  local name = text:match('^[^(%s]+') or text
  local chunks = { { name, 'ChatlsTool' } }
  local from = #name + 1
  local at, group = outcome(text)
  local arguments = text:sub(from, at and at - 1 or nil)
  if arguments ~= '' then table.insert(chunks, { arguments, 'ChatlsArguments' }) end
  if at then table.insert(chunks, { text:sub(at), group }) end
  return chunks
end

-- Whether `text` is a label, and no line of a document.
function M.is(text) return vim.startswith(text, TOOL) end

-- The chunks of a label, as `virt_text` and 'foldtext' take them.
---@param text string
---@return [string, string][]
function M.chunks(text)
  if not M.is(text) then return { { text, 'Folded' } } end
  local rest = text:sub(#TOOL + 1)
  local number = rest:match('^%d+ tool calls?')
  if number then return vim.list_extend({ { TOOL .. number, 'ChatlsLabel' } }, counts(rest:sub(#number + 1))) end
  return vim.list_extend({ { TOOL, 'ChatlsLabel' } }, call(rest))
end

return M
