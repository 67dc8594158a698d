-- Features for writing and repairing a transcript: quick fixes, refactorings, lenses, formatting,
-- names, completion.

return function(test, Editor, copy)
  local function open(name, lines) return Editor.opened(copy, name, lines) end

  test('gra mends what is wrong under the cursor', function()
    local editor = open('mend.chat.md', { '```tool', '{ "state": "done", "output": 1 }', '```' })
    editor:type('2G0fdgra')
    editor:wait(
      'a list of what can be done',
      function()
        return table
          .concat(editor:lua('return look.screen()'), '\n')
          :find('1: Set the state `output-available`', 1, true) ~= nil,
          true
      end
    )
    editor:type('1<CR>')
    editor:sees('text', { '```tool', '{ "state": "output-available", "output": 1 }', '```' })
    editor:sees('diagnostics', {})
    return editor
  end)

  test(':Chatls action shows what can be done in two short lists', function()
    local editor = open('actions.chat.md', { '```tool', '{ "toolName": "a", "input": {}, "output": "ok" }', '```' })
    editor:type('2G:Chatls action<CR>')
    editor:finds('screen', 'Rewrite (')
    local screen = editor:lua('return look.screen()')
    local number = vim.iter(screen):map(function(row) return row:match('(%d+): Rewrite') end):next()
    local offered = vim.iter(screen):filter(function(row) return row:find('^%d+: ') ~= nil end):totable()
    assert(#offered <= 5, table.concat(offered, '\n'))
    editor:type(number .. '<CR>')
    editor:finds('screen', 'Convert…')
    screen = editor:lua('return look.screen()')
    number = vim.iter(screen):map(function(row) return row:match('(%d+): Convert…') end):next()
    editor:type(number .. '<CR>')
    -- The server asks for the dialect.
    editor:finds('screen', 'Convert to')
    screen = editor:lua('return look.screen()')
    number = vim.iter(screen):map(function(row) return row:match('^(%d+):? .*<tool>') end):next()
    editor:type(number .. '<CR>')
    editor:sees('text', { '<tool>a()', 'ok</tool>' })
    return editor
  end)

  test('a call is written in another dialect, and undo takes it back', function()
    local lines = { '> ```tool', '> { "toolName": "read", "input": { "path": "é" }, "output": "ok" }', '> ```' }
    local editor = open('convert.chat.md', lines)
    editor:type('2G:Chatls convert tag<CR>')
    editor:sees('text', { '> <tool>read(path=é)', '> ok</tool>' })
    editor:type('u')
    editor:sees('text', lines)
    return editor
  end)

  test('payloads are laid out', function()
    local editor = open('format.chat.md', { 'a  b', '', '```tool', '{"toolName":"read","input":{}}', '```' })
    editor:type(':lua vim.lsp.buf.format()<CR>')
    editor:sees('text', { 'a  b', '', '```tool', '{', '  "toolName": "read",', '  "input": {}', '}', '```' })
    return editor
  end)

  test('a lens completes a pending call', function()
    local editor = open('lens.chat.md', { 'text', '', '<tool>read(path=a)</tool>' })
    editor:lua([[
      local lens = vim.lsp.codelens
      if lens.enable then lens.enable(true) else lens.refresh() end
    ]])
    editor:wait(
      'a lens',
      function() return table.concat(editor:lua('return look.screen()'), '\n'):find('Complete', 1, true) ~= nil, true end
    )
    editor:type('3G:lua vim.lsp.codelens.run()<CR>')
    editor:sees('text', { 'text', '', '<tool>read(path=a)', '</tool>' })
    return editor
  end)

  test('a call is completed by keys, and its parameters are shown', function()
    copy('completion/chatls.toml', 'tools = ["tools.json"]')
    copy(
      'completion/tools.json',
      [[{ "read_file": { "description": "Reads a file", "inputSchema": {
      "properties": { "path": { "type": "string" }, "all": { "type": "boolean" } }, "required": ["path"] } } }]]
    )
    local editor = Editor.open(copy('completion/new.chat.md', '🙂\n'))
    editor:lua([[
      vim.o.completeopt = 'menuone,noselect'
      local client = vim.lsp.get_clients({ bufnr = 0, name = 'chatls' })[1]
      vim.lsp.completion.enable(true, client.id, 0, { autotrigger = true })
    ]])
    local function accepts(typed, text)
      editor:type(typed)
      editor:wait('a menu', function() return editor:lua('return vim.fn.pumvisible()'), 1 end)
      editor:type('<C-n><C-y>')
      editor:sees('text', text)
    end
    local call = '🙂 ###:{"toolName": "read_file", "parameters": {"path": "%s"}}'
    accepts('A ###:', { call:format('') })
    -- The cursor is where something is to be filled in.
    editor:type('a.ts<Esc>')
    editor:sees('text', { call:format('a.ts') })
    local function tag(arguments)
      return { call:format('a.ts'), '', ('<tool>read_file(path=%s)'):format(arguments), '</tool>' }
    end
    accepts('o<CR><lt>tool>', tag(''))
    -- A space asks for nothing; a key does.
    accepts('b.ts, <C-x><C-o>', tag('b.ts, all='))
    -- The possible values are a choice.
    accepts('', tag('b.ts, all=true'))
    editor:type('<C-s>')
    editor:wait('a signature', function()
      local shown = editor:lua([[
        for _, window in ipairs(vim.api.nvim_list_wins()) do
          local text = table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, true), '\n')
          if vim.api.nvim_win_get_config(window).relative ~= '' then return text end
        end
        return ''
      ]])
      return shown:find('read_file(path: string, all?: boolean)', 1, true) ~= nil, true
    end)
  end)

  -- A folder with a tool, and a document in it.
  local function with_tool(name, text)
    copy(name .. '/chatls.toml', 'tools = ["tools.json"]')
    copy(
      name .. '/tools.json',
      [[{ "read_file": { "description": "Reads a file", "inputSchema": {
      "properties": { "path": { "type": "string" } }, "required": ["path"] } } }]]
    )
    local editor = Editor.open(copy(name .. '/new.chat.md', text))
    editor:settled()
    return editor
  end

  -- Turns completion on, and waits until it is.
  local function complete_while_typing(editor)
    editor:lua([[require('chatls').setup({ completion = true })]])
    editor:wait('completion', function() return editor:lua('return vim.bo.completeopt ~= ""'), true end)
  end

  -- The calls of the document, as the server reads them.
  local function calls(editor)
    return vim.tbl_map(
      function(it) return it.label end,
      editor:lua([[
        local client = vim.lsp.get_clients({ bufnr = 0, name = 'chatls' })[1]
        local params = { textDocument = vim.lsp.util.make_text_document_params() }
        return client:request_sync('chatls/toolUses', params, 5000, vim.api.nvim_get_current_buf()).result.toolUses
      ]])
    )
  end

  test('the tools come up in the first fence of a new document, and its completion is left as it was', function()
    copy('beside/chatls.toml', 'tools = ["preset:file-tools"]\n')
    local editor = Editor.start()
    editor:lua([[require('chatls').setup({ completion = true })]])
    editor:type(':edit beside/new.md<CR>')
    editor:attached()
    editor:type('i```sh<CR>')
    editor:settled()
    assert(editor:lua('return vim.bo.completeopt') == '', 'an ordinary fence')
    editor:type('```<CR><CR>```tool')
    editor:settled()
    editor:type('<CR>')
    editor:finds('screen', 'read_file')
    editor:type('<Esc>')
    editor:wait('the own option', function() return editor:lua('return vim.bo.completeopt'), '' end)
    return editor
  end)

  test('the tools come up in a new fence, and Tab leads behind it', function()
    local editor = with_tool('fence', '\n')
    complete_while_typing(editor)
    editor:type('i```tool<CR>')
    editor:wait('a list', function() return editor:lua('return vim.fn.pumvisible()'), 1 end)
    editor:type('<C-n><C-y>')
    editor:wait('the snippet', function() return editor:lua('return vim.snippet.active()'), true end)
    editor:type('a.ts<Tab>ok<Tab>Text.<Esc>')
    editor:sees('text', {
      '```tool',
      '{',
      '  "toolCallId": "call_1",',
      '  "toolName": "read_file",',
      '  "state": "output-available",',
      '  "input": {',
      '    "path": "a.ts"',
      '  },',
      '  "output": "ok"',
      '}',
      '```',
      'Text.',
    })
    editor:sees('diagnostics', {})
    return editor
  end)

  test('Tab leads from the arguments of a tag to its result and behind it', function()
    local editor = with_tool('tag', '\n')
    complete_while_typing(editor)
    editor:type('i<lt>tool>')
    editor:wait('a list', function() return editor:lua('return vim.fn.pumvisible()'), 1 end)
    editor:type('<C-n><C-y>')
    editor:wait('the snippet', function() return editor:lua('return vim.snippet.active()'), true end)
    editor:type('a.ts<Tab>ok<Tab> Done.<Esc>')
    editor:sees('text', { '<tool>read_file(path=a.ts)', 'ok</tool> Done.' })
    return editor
  end)

  test('six calls with their results take no more than a hundred keys', function()
    local editor = with_tool('keys', 'Text.\n')
    editor:lua([[vim.keymap.set('n', 'gn', '<Plug>(chatls-new)')]])
    local pressed = 0
    local function press(keys)
      pressed = pressed + vim.fn.strchars((keys:gsub('<%a[%w-]*>', 'x')))
      editor:type(keys)
    end
    local wanted = {}
    for number = 1, 6 do
      press('Ggn')
      editor:wait('the snippet', function() return editor:lua('return vim.snippet.active()'), true end)
      press(('%d.ts<Tab>ok<Tab><Esc>'):format(number))
      table.insert(wanted, ('🔧 read_file(path=%d.ts) → ok'):format(number))
    end
    editor:wait('six calls', function() return calls(editor), wanted end)
    editor:sees('diagnostics', {})
    assert(pressed <= 100, pressed .. ' keys')
    return editor
  end)

  test(':Chatls new completes the names of tools, and takes any other', function()
    local editor = with_tool('names', 'Text.\n')
    editor:type(':Chatls new re<Tab><CR>')
    editor:wait('the snippet', function() return editor:lua('return vim.snippet.active()'), true end)
    editor:type('a.ts<Tab>1<Tab><Esc>')
    editor:wait('a call', function() return calls(editor), { '🔧 read_file(path=a.ts) → 1' } end)
    editor:type('G:Chatls new other_tool<CR>')
    editor:wait('the snippet', function() return editor:lua('return vim.snippet.active()'), true end)
    editor:type('<Tab>2<Tab><Esc>')
    editor:wait(
      'another call',
      function() return calls(editor), { '🔧 read_file(path=a.ts) → 1', '🔧 other_tool() → 2' } end
    )
    return editor
  end)

  test('grn renames an id in all records, and gri leads from the call to its result', function()
    local editor = Editor.start()
    editor:type(':edit ' .. copy('rename.jsonl', table.concat({
      '{"type":"tool-call","toolCallId":"c1","toolName":"a","input":{}}',
      '{"type":"tool-call","toolCallId":"c2","toolName":"b","input":{}}',
      '{"type":"tool-result","toolCallId":"c1","toolName":"a","output":1}',
    }, '\n') .. '\n') .. '<CR>')
    editor:attached()
    editor:settled()
    editor:type('1G0fcfcgri')
    editor:wait('the result', function() return editor:lua('return vim.fn.line(".")'), 3 end)
    editor:type('1G0/c1<CR>grn')
    editor:wait(
      'a question',
      function() return table.concat(editor:lua('return look.screen()'), '\n'):find('New Name', 1, true) ~= nil, true end
    )
    editor:type('<C-u>first<CR>')
    editor:sees('text', {
      '{"type":"tool-call","toolCallId":"first","toolName":"a","input":{}}',
      '{"type":"tool-call","toolCallId":"c2","toolName":"b","input":{}}',
      '{"type":"tool-result","toolCallId":"first","toolName":"a","output":1}',
    })
    return editor
  end)
end
