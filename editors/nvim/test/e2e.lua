-- chatls in a real Neovim: what a user sees while opening, typing, folding and undoing.
--
-- nvim --clean --headless -l e2e.lua DATA [FILTER], with HOME prepared by run.sh. One test, one Neovim.

local here = vim.fs.dirname(vim.fs.abspath(arg[0]))
local Editor = dofile(vim.fs.joinpath(here, 'editor.lua'))
local data, filter = arg[1], arg[2] or ''

local tests = {}
local function test(name, run) table.insert(tests, { name = name, run = run }) end

-- A copy of a file of `data`, or of `text`, in the working folder; returns its name.
local function copy(name, text)
  vim.fn.mkdir(vim.fs.dirname(vim.fs.abspath(name)), 'p')
  local file = assert(io.open(name, 'wb'))
  file:write(text or assert(io.open(vim.fs.joinpath(data, name), 'rb')):read('a'))
  file:close()
  return name
end

local function read(name)
  return vim.split(assert(io.open(vim.fs.joinpath(data, name), 'rb')):read('a'):gsub('\n$', ''), '\n')
end

-- Columns count bytes from 1; the text behind them is what the range covers.
local FAULTS = {
  '4:66-4:72 ERROR bad-state chatls "done"',
  '9:76-9:83 ERROR invalid-json chatls "lines"',
  '11:50-11:57 WARN stray-tag chatls </tool>',
  '15:17-15:18 ERROR wrong-type chatls 7',
  '16:26-16:37 WARN misnamed-field chatls "arguments"',
}

test('an opened transcript shows its faults, behind emoji and in a quote', function()
  local editor = Editor.open(copy('faults.chat.md'))
  editor:sees('diagnostics', FAULTS)
end)

for _, encoding in ipairs({ 'utf-8', 'utf-16', 'utf-32' }) do
  test('faults stand at the same bytes where columns are counted in ' .. encoding, function()
    local editor = Editor.start()
    editor:lua(
      [[
      vim.lsp.config('chatls', { capabilities = { general = { positionEncodings = { ... } } } })
    ]],
      encoding
    )
    editor:type(':edit ' .. copy('faults.chat.md') .. '<CR>')
    editor:attached()
    editor:sees('diagnostics', FAULTS)
    local used = editor:lua("return vim.lsp.get_clients({ name = 'chatls' })[1].offset_encoding")
    assert(used == encoding, 'the server took ' .. used)
    -- Columns of edits are counted so too.
    editor:type('4G0f🙂a登🔍<Esc>')
    editor:sees('diagnostics', vim.list_extend({ '4:73-4:79 ERROR bad-state chatls "done"' }, FAULTS, 2))
    return editor
  end)
end

for _, it in ipairs({ { 'dos', '\r\n' }, { 'mac', '\r' } }) do
  local format, line_end = unpack(it)
  test('a file with the line ends of ' .. format .. ' shows the same', function()
    local text = table.concat(read('faults.chat.md'), line_end) .. line_end
    local editor = Editor.start()
    editor:type((':edit ++ff=%s %s<CR>'):format(format, copy(format .. '.chat.md', text)))
    editor:attached()
    local is = editor:lua('return vim.bo.fileformat')
    assert(is == format, 'opened as ' .. is)
    editor:sees('diagnostics', FAULTS)
    editor:type('ggO👩‍💻<CR><Esc>')
    editor:sees(
      'diagnostics',
      vim.tbl_map(function(fault)
        return (
          fault:gsub(
            '^(%d+)(:%d+%-)(%d+)',
            function(first, between, last) return (first + 2) .. between .. (last + 2) end
          )
        )
      end, FAULTS),
      'two lines further down'
    )
    return editor
  end)
end

test('a typed fault comes while it is typed, and goes when it is mended', function()
  local editor = Editor.open(copy('batch.chat.md'))
  editor:settled()
  editor:is('diagnostics', {})
  editor:type('/"output": "2<CR>$a,')
  editor:sees('mode', 'i')
  editor:sees('diagnostics', { '18:24-18:25 ERROR invalid-json chatls ,' })
  editor:type('<BS>')
  editor:sees('diagnostics', {})
  editor:type('<Esc>/search<CR>cwsea"rch<Esc>')
  editor:wait('a string that ends early', function() return #editor:lua('return look.diagnostics()') > 0, true end)
  editor:type('F"x')
  editor:sees('diagnostics', {})
end)

test('a fault is shown on the screen, at the end of its line', function()
  local editor = Editor.open(copy('faults.chat.md'))
  editor:sees('diagnostics', FAULTS)
  local message = editor:lua('return vim.diagnostic.get(0, { lnum = 15 })[1].message')
  local row = editor:lua('return look.screen()')[16]
  assert(
    row:find('"arguments": {}     ■ ' .. message:sub(1, 30), 1, true),
    'no such message on the screen: ' .. message
  )
end)

for kind, keys in pairs({ quickfix = '9G0f"10;', ['source.fixAll'] = 'gg' }) do
  test('behind wide characters, a ' .. kind .. ' mends', function()
    local editor = Editor.open(copy('faults.chat.md'))
    editor:sees('diagnostics', FAULTS)
    editor:type(keys)
    editor:lua(
      [[
      vim.lsp.buf.code_action({ apply = true, context = { only = { ... }, diagnostics = {} } })
    ]],
      kind
    )
    editor:sees(
      'diagnostics',
      vim.tbl_map(function(fault)
        -- What can be read is seen to have no outcome.
        return fault:find('invalid-json', 1, true) and '9:33-9:44 HINT pending-call chatls "read_file"' or fault
      end, FAULTS)
    )
    local line = editor:lua('return look.text()')[9]
    assert(line:find('"🔍", "lines"', 1, true), line)
    return editor
  end)
end

local BATCH = '3-27 🔧 3 tool calls · 1 failed'
local REMOVED = '31-32 🔧 remove_package(name=react-helmet) → removed 4 packages in 2s'
local CALLS = {
  '4-12 🔧 read_file(path=src/Login.tsx) → 3 lines',
  '14-20 🔧 search(query=useTitle) → 2 matches',
  '21-27 🔧 delete_file(path=old.tsx) ✗ no such file',
}

test('a batch closes into its label, and its calls into theirs', function()
  local editor = Editor.open(copy('batch.chat.md'))
  editor:settled()
  editor:is('folds', {}, 'all open at first')
  editor:type('3Gzc')
  editor:sees('folds', { BATCH })
  editor:type('zo')
  editor:sees('folds', {})
  editor:type('4Gzc14Gzc21Gzc')
  editor:sees('folds', CALLS)
  editor:type('zMzr')
  editor:sees('folds', { BATCH, REMOVED })
  editor:type('zR7Gzc')
  editor:sees('folds', { '7-8   "input": {' }, 'an object of a payload')
end)

test('the screen shows a closed batch as one line with its label', function()
  local editor = Editor.open(copy('batch.chat.md'))
  editor:settled()
  editor:type('zMzr')
  editor:sees('folds', { BATCH, REMOVED })
  local screen = editor:lua('return look.screen()')
  local shown = vim.tbl_map(function(row)
    return vim.fn.substitute(row, '·*$', '', '') -- what fills the line behind a label
  end, vim.list_slice(screen, 1, 9))
  editor:wait(
    'the first nine rows',
    function()
      return shown,
        {
          '**User:** Please find the title. 🔍',
          '',
          '🔧 3 tool calls · 1 failed',
          '',
          '**Assistant:** Found it. ✅',
          '',
          '🔧 remove_package(name=react-helmet) → removed 4 packages in 2s',
          '',
          'Done.',
        }
    end
  )
  editor:type('3Gj')
  editor:wait('the cursor behind the batch', function() return editor:lua("return vim.fn.line('.')"), 28 end)
end)

test('closed folds stay closed while another call is being typed', function()
  local editor = Editor.open(copy('batch.chat.md'))
  editor:settled()
  editor:type('14Gzc21Gzc31Gzc')
  local closed = { CALLS[2], CALLS[3], REMOVED }
  editor:sees('folds', closed)
  editor:type('8GA')
  for key in ([[, "new": {"a": [1, "two", tr]]):gmatch('.') do
    editor:type(key == '<' and '<lt>' or key)
    editor:settled()
    editor:is('folds', closed, 'after typing ' .. key)
  end
  editor:type('<Esc>')
  editor:settled()
  editor:is('folds', closed, 'out of insert mode, JSON half typed')
  editor:type('aue]}<CR><Esc>')
  editor:settled()
  editor:sees('folds', {
    '15-21 🔧 search(query=useTitle) → 2 matches',
    '22-28 🔧 delete_file(path=old.tsx) ✗ no such file',
    '32-33 🔧 remove_package(name=react-helmet) → removed 4 packages in 2s',
  }, 'one line further down')
  editor:type('ggO**System:** hello<CR><Esc>dd')
  editor:settled()
  editor:type('ggdd')
  editor:settled()
  editor:is('folds', {
    '15-21 🔧 search(query=useTitle) → 2 matches',
    '22-28 🔧 delete_file(path=old.tsx) ✗ no such file',
    '32-33 🔧 remove_package(name=react-helmet) → removed 4 packages in 2s',
  }, 'prose typed above and deleted')
end)

test('a closed batch stays closed while something in it changes, and its label follows', function()
  local editor = Editor.open(copy('batch.chat.md'))
  editor:settled()
  editor:type('3Gzc')
  editor:sees('folds', { BATCH })
  for _, step in ipairs({
    { '  "errorText": "no such fi', '3-27 🔧 3 tool calls · 1 failed' },
    { '  "output": "gone"', '3-27 🔧 3 tool calls' },
    { '  "state": "input-available"', '3-27 🔧 3 tool calls · 1 pending' },
  }) do
    editor:lua('vim.api.nvim_buf_set_lines(0, 24, 25, true, { ... })', step[1])
    editor:settled()
    editor:sees('folds', { step[2] }, 'with ' .. step[1])
  end
end)

test('undo brings back text, faults and folds', function()
  local editor = Editor.open(copy('batch.chat.md'))
  editor:settled()
  local text = editor:lua('return look.text()')
  editor:type('3Gzc')
  editor:sees('folds', { BATCH })
  editor:type('zo14GO```<Esc>')
  editor:wait(
    'a fence that opens above and changes the rest',
    function() return #editor:lua('return look.diagnostics()') > 0 or #editor:lua('return look.folds()') ~= 1, true end
  )
  editor:type(':%s/"/🙂/g<CR>')
  editor:wait('many faults', function() return #editor:lua('return look.diagnostics()') > 5, true end)
  local faults = editor:lua('return look.diagnostics()')
  editor:type('uu')
  editor:sees('text', text)
  editor:sees('diagnostics', {})
  editor:type('zRzMzr')
  editor:sees('folds', { BATCH, REMOVED })
  editor:type('<C-r><C-r>')
  editor:sees('diagnostics', faults, 'redone')
  editor:type(':earlier 1f<CR>')
  editor:sees('text', text)
  editor:sees('diagnostics', {})
end)

-- What a model writes, as far as it came: lines, the last of which is not finished.
local REPLY = [[
**Assistant:** I look. 🔍

```tool
{ "toolName": "read_file", "input": { "path": "a.rs" }, "output": "🙂" }
```

```tool
{
  "toolName": "search",
  "input": { "query": "\"x\"", "limit": 12, "exact": true }
}
```

<tool>remove(x=1, y="b")
ok</tool>

Done.]]
-- What is said of all of it: the second call has no outcome, and the third one has come since.
local PENDING = { '9:15-9:23 HINT pending-call chatls "search"' }

-- What is more than a word on what goes on.
local function loud(diagnostics)
  return vim.tbl_filter(function(it) return not it:find('INFO unclosed%-') and it ~= PENDING[1] end, diagnostics)
end

test('a transcript that grows line by line: information, then nothing; the label counts', function()
  local editor = Editor.open(copy('growing.chat.md', ''))
  editor:settled()
  local lines, labels = vim.split(REPLY, '\n'), {}
  for count, line in ipairs(lines) do
    editor:lua('vim.api.nvim_buf_set_lines(0, ...)', count - 1, count, false, { line })
    editor:settled()
    editor:wait('nothing loud after ' .. line, function() return loud(editor:lua('return look.diagnostics()')), {} end)
    if line == '{' then editor:sees('diagnostics', { '7:1-7:8 INFO unclosed-fence chatls ```tool' }) end
    if count == 4 then editor:type('3Gzc') end
    if count >= 4 then
      local label = (editor:lua('return look.folds()')[1] or 'open'):gsub('^[^ ]* ', '')
      if labels[#labels] ~= label then table.insert(labels, label) end
    end
  end
  editor:sees('diagnostics', PENDING)
  editor:wait(
    'the labels of the closed fold',
    function()
      return labels,
        {
          '🔧 read_file(path=a.rs) → 🙂',
          '🔧 2 tool calls · 1 pending',
          '🔧 3 tool calls · 2 pending',
          '🔧 3 tool calls · 1 pending',
        }
    end
  )
end)

test('a transcript that grows letter by letter is never loud', function()
  local editor = Editor.open(copy('letters.chat.md', ''))
  editor:settled()
  local informed = 0
  for last = 1, #REPLY do
    if vim.str_utf_end(REPLY, last) == 0 then
      editor:lua('vim.api.nvim_buf_set_lines(0, 0, -1, true, ...)', vim.split(REPLY:sub(1, last), '\n'))
      editor:settled()
      editor:wait(
        ('nothing loud after %q'):format(REPLY:sub(1, last):match('[^\n]*$')),
        function() return loud(editor:lua('return look.diagnostics()')), {} end
      )
      informed = informed + #editor:lua('return look.diagnostics()')
    end
  end
  editor:sees('diagnostics', PENDING)
  assert(informed > 50, informed .. ' times told that a block is unfinished')
end)

test('a file that another program appends to is read again', function()
  local first = table.concat(vim.list_slice(vim.split(REPLY, '\n'), 1, 8), '\n') .. '\n'
  local name = copy('appended.chat.md', first)
  local editor = Editor.open(name)
  editor:sees('diagnostics', { '7:1-7:8 INFO unclosed-fence chatls ```tool' })
  copy(name, REPLY .. '\n')
  editor:type(':checktime<CR>')
  editor:sees('diagnostics', PENDING)
  editor:settled()
  editor:type('zMzr')
  editor:sees('folds', { '3-15 🔧 3 tool calls · 1 pending' })
end)

test('a stream log shows its faults and folds', function()
  local editor = Editor.open(copy('log.jsonl'))
  editor:sees('diagnostics', {
    '5:63-5:65 ERROR empty-name chatls ""',
    '6:53-6:61 WARN misnamed-field chatls "result"',
    '7:86-7:87 ERROR invalid-json chatls }',
  })
  editor:settled()
  editor:type('zM')
  editor:sees('folds', { '2-7 🔧 3 tool calls · 1 pending' })
end)

for _, name in ipairs({ 'log.ndjson', 'log.sse' }) do
  test(name .. ' is a stream log', function()
    local editor = Editor.open(copy(name, 'data: {"type":"tool-input-available","toolCallId":"🙂","toolName":""}\n'))
    editor:sees('diagnostics', { '1:69-1:71 ERROR empty-name chatls ""' })
  end)
end

test('a new buffer with a name that is no file yet works', function()
  local editor = Editor.start()
  editor:type(':edit not-yet.md<CR>i```tool<CR>[1]<CR>```<Esc>')
  editor:attached()
  editor:sees('diagnostics', { '2:1-2:4 ERROR not-an-object chatls [1]' })
end)

-- Neovim calls all of them `file://`, and finds none of them by that.
for _, command in ipairs({ 'file', 'write' }) do
  test(('a buffer without a name works, and goes on when `:%s` gives it one'):format(command), function()
    local editor = Editor.start()
    editor:type(':set filetype=markdown<CR>i```tool<CR>[1]<CR>```<Esc>')
    editor:attached()
    local faults = { '2:1-2:4 ERROR not-an-object chatls [1]' }
    editor:sees('diagnostics', faults)
    local buffers = editor:lua('return vim.api.nvim_list_bufs()')
    assert(#buffers == 1, 'there are other buffers: ' .. vim.inspect(buffers))
    editor:type((':%s named-by-%s.chat.md<CR>'):format(command, command))
    editor:sees('diagnostics', faults, 'the same under a name')
    editor:type('ggO<Esc>')
    editor:sees('diagnostics', { '3:1-3:4 ERROR not-an-object chatls [1]' }, 'and after a change')
    editor:type(':%s/\\[1]/{"toolName": "a", "input": {}, "output": 1}<CR>')
    editor:sees('diagnostics', {})
    editor:settled()
    editor:type('zM')
    editor:sees('folds', { '2-4 🔧 a() → 1' })
    return editor
  end)
end

test('a chatls.toml that comes, changes and goes holds at once', function()
  local editor = Editor.open(copy('changing/faults.chat.md', table.concat(read('faults.chat.md'), '\n')))
  editor:sees('diagnostics', FAULTS)
  local asked = editor:lua([[
    return vim.lsp.get_clients({ name = 'chatls' })[1]:supports_method('textDocument/diagnostic')
  ]])
  assert(asked, 'diagnostics are not asked for')
  local off = vim
    .iter({ 'bad-state', 'invalid-json', 'stray-tag', 'wrong-type' })
    :map(function(code) return code .. ' = "off"' end)
    :join('\n')
  copy('changing/chatls.toml', '[lint]\n' .. off)
  editor:sees('diagnostics', { FAULTS[5] })
  copy('changing/chatls.toml', '[lint]\n' .. off .. '\nmisnamed-field = "error"')
  editor:sees('diagnostics', { (FAULTS[5]:gsub('WARN', 'ERROR')) })
  assert(os.remove('changing/chatls.toml'))
  editor:sees('diagnostics', FAULTS)
end)

test('tools of chatls.toml: a tool that is not among them is unknown', function()
  for _, name in ipairs({ 'tools/chatls.toml', 'tools/tools.json', 'tools/known.chat.md' }) do
    copy(name)
  end
  local editor = Editor.open('tools/known.chat.md')
  editor:sees('diagnostics', { '5:12-5:18 ERROR unknown-tool chatls serach' })
  editor:type(':%s/serach/search<CR>')
  editor:sees('diagnostics', {})
end)

test('settings of the editor hold', function()
  local editor = Editor.start()
  editor:lua([[
    vim.lsp.config('chatls', { settings = { chatls = { lint = {
      ['bad-state'] = 'off', ['invalid-json'] = 'hint', ['wrong-type'] = 'off', ['misnamed-field'] = 'off',
    } } } })
  ]])
  editor:type(':edit ' .. copy('faults.chat.md') .. '<CR>')
  editor:attached()
  editor:sees('diagnostics', {
    '9:76-9:83 HINT invalid-json chatls "lines"',
    '11:50-11:57 WARN stray-tag chatls </tool>',
  })
end)

test('payloads look alike in every dialect', function()
  local text = {
    '```tool',
    '{ "toolName": "read", "input": { "path": "é" }, "errorText": "no" }',
    '```',
    '',
    '###:{"toolName": "read", "parameters": {"path": "a"}}',
    '',
    '<tool>read(path=a)',
    'ok</tool>',
  }
  local editor = Editor.open(copy('tokens.chat.md', table.concat(text, '\n') .. '\n'))
  local first = {
    '1 tool keyword',
    '2 "toolName" property',
    '2 "read" function',
    '2 "input" property',
    '2 "path" parameter',
    '2 "é" string',
    '2 "errorText" property',
    '2 "no" string error',
  }
  local behind = {
    '%d ###: keyword',
    '%d "toolName" property',
    '%d "read" function',
    '%d "parameters" property',
    '%d "path" parameter',
    '%d "a" string',
  }
  local tag = { '%d <tool> keyword', '%d read function', '%d path parameter', '%d a string' }
  local function all(lines_down)
    local tokens = vim.deepcopy(first)
    for line, of_line in pairs({ [5] = behind, [7] = tag, [8] = { '%d ok string', '%d </tool> keyword' } }) do
      for _, token in ipairs(of_line) do
        table.insert(tokens, token:format(line + lines_down))
      end
    end
    table.sort(tokens)
    return tokens
  end
  local function see()
    local tokens = editor:lua('return look.tokens()')
    table.sort(tokens)
    return tokens
  end
  editor:wait('tokens', function() return see(), all(0) end)
  -- What is typed shifts those behind it, and Neovim asks for what has changed.
  editor:type('3Gotext<CR><Esc>')
  editor:wait('tokens further down', function() return see(), all(2) end)
  return editor
end)

test('the label of a batch stands at the end of its first line, and counts on', function()
  local editor = Editor.open(copy('batch.chat.md'))
  local function row() return vim.trim(editor:lua('return look.screen()')[3]) end
  editor:wait('a hint', function() return row(), '```tool 🔧 3 tool calls · 1 failed' end)
  editor:type('28Go<lt>tool>one()<lt>/tool><Esc>')
  editor:wait('one more', function() return row(), '```tool 🔧 4 tool calls · 1 failed · 1 pending' end)
end)

test('K shows what a call becomes', function()
  local editor = Editor.open(copy('batch.chat.md'))
  editor:settled()
  editor:type('8G0f/K')
  editor:wait('a hover', function()
    local shown = table.concat(editor:lua('return look.screen()'), '\n')
    return shown:find('src/Login.tsx', 1, true) ~= nil and #editor:lua('return vim.api.nvim_list_wins()') == 2, true
  end)
end)

for _, name in ipairs({ 'writing', 'commands', 'moving', 'folding', 'views', 'plugin', 'shipping' }) do
  dofile(vim.fs.joinpath(here, name .. '.lua'))(test, Editor, copy)
end

-- Whatever came before: Neovim logged no error of the protocol, and the server no warning.
test('nothing went wrong unseen', function()
  local log = io.open(vim.fs.joinpath(vim.env.HOME, '.local/state/nvim/lsp.log'))
  for line in assert(log, 'Neovim wrote no log'):lines() do
    -- Neovim complains of itself where it cancels what was answered a moment before.
    local late = line:find('Cannot find request with id %d+ whilst attempting to cancel')
    assert(late or not line:find('^%[ERROR%]') and not line:find('^%[WARN%]'), line)
  end
end)

-- Here things go wrong on purpose.
dofile(vim.fs.joinpath(here, 'health.lua'))(test, Editor, copy)

-- From here on: run the tests.
local function say(...) io.stdout:write(string.format(...), '\n') end

local passed, failed = 0, 0
for _, it in ipairs(tests) do
  if it.name:find(filter) then
    local started = vim.uv.hrtime()
    Editor.last = nil
    local fine, fault = xpcall(
      it.run,
      function(fault) return type(fault) == 'string' and fault or vim.inspect(fault) end
    )
    local picture = Editor.last and Editor.last:picture() or '  no editor'
    if Editor.last then
      local ended, why = pcall(Editor.stop, Editor.last)
      if not ended then
        fine, fault = false, why
      end
    end
    local took = math.floor((vim.uv.hrtime() - started) / 1e6)
    if fine then
      passed = passed + 1
      say('ok      %s (%d ms)', it.name, took)
    else
      failed = failed + 1
      say('FAILED  %s (%d ms)\n%s\n%s', it.name, took, fault, picture)
    end
  end
end
say('%d passed, %d failed', passed, failed)
os.exit(failed == 0 and passed > 0 and 0 or 1)
