-- Logs, new files, and buffers that are no files yet.

return function(test, Editor, copy)
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
      local editor =
        Editor.open(copy(name, 'data: {"type":"tool-input-available","toolCallId":"🙂","toolName":""}\n'))
      editor:sees('diagnostics', { '1:69-1:71 ERROR empty-name chatls ""' })
    end)
  end

  test('a new buffer with a name that is no file yet works', function()
    local editor = Editor.start()
    editor:type(':edit not-yet.md<CR>i```tool<CR>{ "toolName": "" }<CR>```<Esc>')
    editor:attached()
    editor:sees('diagnostics', { '2:15-2:17 ERROR empty-name chatls ""' })
  end)

  -- Neovim calls all of them `file://`, and finds none of them by that.
  for _, command in ipairs({ 'file', 'write' }) do
    test(('a buffer without a name works, and goes on when `:%s` gives it one'):format(command), function()
      local editor = Editor.start()
      editor:type(':set filetype=markdown<CR>i```tool<CR>{ "toolName": "" }<CR>```<Esc>')
      editor:attached()
      local faults = { '2:15-2:17 ERROR empty-name chatls ""' }
      editor:sees('diagnostics', faults)
      local buffers = editor:lua('return vim.api.nvim_list_bufs()')
      assert(#buffers == 1, 'there are other buffers: ' .. vim.inspect(buffers))
      editor:type((':%s named-by-%s.chat.md<CR>'):format(command, command))
      editor:sees('diagnostics', faults, 'the same under a name')
      editor:type('ggO<Esc>')
      editor:sees('diagnostics', { '3:15-3:17 ERROR empty-name chatls ""' }, 'and after a change')
      editor:type(':%s/{.*/{"toolName": "a", "input": {}, "output": 1}<CR>')
      editor:sees('diagnostics', {})
      editor:settled()
      editor:type('zM')
      editor:sees('folds', { '2-4 🔧 a() → 1' })
      return editor
    end)
  end

  test('in a buffer without a name, faults are mended, ids renamed and calls converted', function()
    local editor = Editor.start()
    editor:type(':set filetype=markdown<CR>i🙂 text<CR><CR>```tool<CR>')
    editor:type('{ "toolCallId": "one", "toolName": "a", "input": { "b": True }, "output": "c" }<CR>```<Esc>')
    editor:attached()
    editor:wait('a fault', function() return #editor:lua('return look.diagnostics()'), 1 end)
    editor:type('4G0/True<CR>gra')
    editor:finds('screen', 'Write `true`')
    editor:type('1<CR>')
    editor:sees('diagnostics', {})
    editor:finds('text', '"b": true')
    editor:type('u:Chatls fixAll<CR>')
    editor:finds('text', '"b": true')
    editor:settled()
    editor:type('4G0/one<CR>grn')
    editor:finds('screen', 'New Name')
    editor:type('<C-u>first<CR>')
    editor:finds('text', '"toolCallId": "first"')
    editor:type(':Chatls complete x<CR>')
    editor:finds('messages', 'chatls: ')
    editor:type(':Chatls newId<CR>')
    editor:wait(
      'another id',
      function() return table.concat(editor:lua('return look.text()')):find('"first"', 1, true) == nil, true end
    )
    local buffers = editor:lua('return vim.api.nvim_list_bufs()')
    assert(#buffers == 1, 'there are other buffers: ' .. vim.inspect(buffers))
    return editor
  end)
end
