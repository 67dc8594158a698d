-- The next of many places from the cursor: what all jumps have in common.

local M = {}

local function before(a, b) return a[1] < b[1] or a[1] == b[1] and a[2] < b[2] end

-- The number of places before the cursor, and of those up to it.
local function around(places, cursor)
  local less, up_to = 0, 0
  for _, place in ipairs(places) do
    if before(place, cursor) then less = less + 1 end
    if not before(cursor, place) then up_to = up_to + 1 end
  end
  return less, up_to
end

-- Which of `places` (rows and byte columns from 0, in order) is `count` steps from the cursor; whether it was wrapped.
--
-- As with `n`, 'wrapscan' says whether it goes on at the other end; nothing where it may not.
---@param places [integer, integer][]
---@param count integer not 0
---@return integer? index, boolean? wrapped
function M.step(places, count)
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  local less, up_to = around(places, { row - 1, column })
  local index = count > 0 and up_to + count or less + 1 + count
  if index >= 1 and index <= #places then return index, false end
  if #places == 0 or not vim.o.wrapscan then return nil end
  return (index - 1) % #places + 1, true
end

return M
