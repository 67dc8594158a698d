-- Buffers that are no files: chats of other plugins, and buffers without a name.

return function(test, Editor)
  local FAULT = { '2:15-2:17 ERROR empty-name chatls ""' }

  test('a chat of another plugin is served where the option says so, and no other buffer of its kind', function()
    local editor = Editor.start()
    editor:lua([[
      require('chatls').setup({ chats = { 'codecompanion' } })
      function Chat(filetype)
        local buffer = vim.api.nvim_create_buf(true, true)
        vim.api.nvim_buf_set_name(buffer, '[' .. filetype .. '] 1')
        vim.api.nvim_set_current_buf(buffer)
        vim.bo[buffer].filetype = filetype
      end
      Chat('codecompanion')
    ]])
    editor:attached()
    editor:type('i```tool<CR>{ "toolName": "" }<CR>```<Esc>')
    editor:sees('diagnostics', FAULT)
    editor:type(':%s/{.*/{"toolName": "a", "input": {}, "output": 1}<CR>')
    editor:sees('diagnostics', {})
    editor:settled()
    editor:type(':Chatls fold<CR>')
    editor:sees('folds', { '1-3 🔧 a() → 1' })
    editor:wait(
      'colours',
      function() return vim.list_contains(editor:lua('return look.tokens()'), '2 "a" function'), true end
    )
    editor:lua([[Chat('otherchat')]])
    editor:lua('vim.wait(200)')
    assert(editor:lua([[return #vim.lsp.get_clients({ bufnr = 0 })]]) == 0, 'it runs in another chat')
  end)

  test('several buffers without a name are several documents', function()
    local editor = Editor.start()
    editor:type(':set filetype=markdown<CR>i```tool<CR>{ "toolName": "" }<CR>```<Esc>')
    editor:attached()
    editor:sees('diagnostics', FAULT)
    editor:type(
      ':new<CR>:set filetype=markdown<CR>ihere<CR><CR>```tool<CR>{ "toolName": "a", "input": { "b": True } }<CR>```<Esc>'
    )
    editor:sees('diagnostics', { '4:36-4:40 ERROR invalid-json chatls True' })
    editor:type('4G0/True<CR>gra')
    editor:finds('screen', 'Write `true`')
    editor:type('1<CR>')
    editor:finds('text', '"b": true')
    editor:type(':Chatls complete done<CR>')
    editor:finds('text', '"output": "done"')
    editor:sees('diagnostics', {})
    editor:type('<C-w>p')
    editor:sees('text', { '```tool', '{ "toolName": "" }', '```' })
    editor:sees('diagnostics', FAULT)
    editor:type(':write first.chat.md<CR>ggOx<Esc>')
    editor:sees('diagnostics', { '3:15-3:17 ERROR empty-name chatls ""' }, 'under a name')
    local notices = table.concat(editor:lua('return look.messages()'), '\n')
    assert(not notices:find('give all buffers', 1, true), notices)
  end)
end
