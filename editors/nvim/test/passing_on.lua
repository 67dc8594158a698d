-- Exports of a transcript, and its comparison with another one.

local CHAT = [[
**User:** <b>Look</b>.

<tool>read(path=a)
one</tool>

<tool>find(x=1)
2 matches</tool>
]]

local OTHER = [[
text

<tool>read(path=b)
one</tool>
]]

local function content(path)
  local file = assert(io.open(path, 'rb'))
  local text = file:read('*a')
  file:close()
  return text
end

return function(test, Editor, copy)
  local function open(name) return Editor.opened(copy, name, CHAT) end

  test('a chat is exported as a page and as Markdown', function()
    local editor = open('passed.chat.md')
    local folder = editor:lua("return vim.fn.expand('%:p:h')")
    editor:type(':Chatls export<CR>')
    editor:finds('messages', 'exported to')
    local page = content(folder .. '/passed.chat.html')
    assert(page:find('<!doctype html>', 1, true) == 1, page)
    assert(page:find('&lt;b&gt;Look&lt;/b&gt;', 1, true) and page:find('🔧 2 tool calls', 1, true), page)
    editor:type(':Chatls export passed.out.md<CR>')
    editor:wait('the Markdown', function() return vim.uv.fs_stat(folder .. '/passed.out.md') ~= nil, true end)
    assert(content(folder .. '/passed.out.md'):find('- `read(path=a)` → `one`', 1, true))
    editor:type(':call append(0, "/home/zoe/x by zoe")<CR>')
    editor:type(':Chatls! export redacted.md<CR>')
    editor:wait('the redacted Markdown', function() return vim.uv.fs_stat(folder .. '/redacted.md') ~= nil, true end)
    assert(content(folder .. '/redacted.md'):find('/home/user1/x by user1', 1, true))
    editor:type('u')
    editor:type(':Chatls export passed.pdf<CR>')
    editor:finds('messages', 'specify a file name that ends in .html or .md')
    -- A page takes the place of an older one, and of nothing else.
    local path = folder .. '/passed.chat.html'
    local function overwrite(text)
      local file = assert(io.open(path, 'wb'))
      file:write(text)
      file:close()
    end
    overwrite('mine')
    editor:type(':Chatls export<CR>')
    editor:finds('messages', 'exists and is not an exported page')
    assert(content(path) == 'mine')
    overwrite((page:gsub('Look', 'Gone')))
    editor:type(':Chatls export<CR>')
    editor:wait('the new page', function() return content(path), page end)
  end)

  test('two chats are compared by their tool calls', function()
    local other = copy('other.chat.md', OTHER)
    local editor = open('compared.chat.md')
    editor:type((':Chatls compare %s<CR>'):format(other))
    editor:wait('the differences', function() return #editor:lua('return vim.fn.getqflist()'), 2 end)
    local texts = editor:lua('return vim.tbl_map(function(one) return one.text end, vim.fn.getqflist())')
    assert(texts[1] == 'read(path=a) input.path: "a" → "b"', texts[1])
    assert(texts[2] == 'find(x=1) is only in compared.chat.md', texts[2])
    local shown = editor:lua([[return {
      vim.wo.diff,
      #vim.api.nvim_tabpage_list_wins(0),
      vim.api.nvim_buf_get_lines(0, 0, -1, false),
    }]])
    assert(shown[1] and shown[2] == 2 and vim.list_contains(shown[3], '  "path": "b"'), vim.inspect(shown))
    editor:type(':tabclose<CR>:cfirst<CR>')
    editor:wait('the place of the first', function() return editor:lua("return vim.fn.line('.')"), 3 end)
    editor:type(':Chatls compare nothing.md<CR>')
    editor:finds('messages', 'cannot read')
  end)
end
