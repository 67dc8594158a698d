-- What a user writes and repairs a transcript with: quick fixes, refactorings, lenses, formatting, names, completion.

return function(test, Editor, copy)
  local function open(name, lines)
    local editor = Editor.open(copy(name, table.concat(lines, '\n') .. '\n'))
    editor:settled()
    return editor
  end

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

  test('a call is written in another dialect, and undo takes it back', function()
    local lines = { '> ```tool', '> { "toolName": "read", "input": { "path": "é" }, "output": "ok" }', '> ```' }
    local editor = open('convert.chat.md', lines)
    editor:lua([[
      function To(dialect)
        vim.lsp.buf.code_action({
          apply = true,
          context = { only = { 'refactor.rewrite' }, diagnostics = {} },
          filter = function(action) return action.title:find('Convert to a ' .. dialect, 1, true) ~= nil end,
        })
      end
    ]])
    editor:type('2G:lua To("`<lt>tool>`")<CR>')
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
    local tag = '<tool>read_file(path=%s)</tool>'
    accepts('o<CR><lt>', { call:format('a.ts'), '', tag:format('') })
    accepts('b.ts, ', { call:format('a.ts'), '', tag:format('b.ts, all=') })
    -- What it may be is a choice.
    accepts('', { call:format('a.ts'), '', tag:format('b.ts, all=true') })
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
