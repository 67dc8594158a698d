-- Closed folds: they stay closed whatever happens to the text around them, and to the server.

return function(test, Editor, copy)
  -- A document of nine calls, each with the next number.
  local function document()
    local lines = { '# Nine calls', '' }
    for number = 1, 9 do
      vim.list_extend(lines, {
        'Text ' .. number,
        '',
        '```tool',
        ('{ "toolName": "t%d",'):format(number),
        '  "input": { "n": 1 },',
        '  "output": "ok" }',
        '```',
        '',
      })
    end
    return lines
  end

  -- The labels of the closed folds.
  local function closed(editor)
    return vim.tbl_map(function(it) return it:match('(t%d)%(') or it end, editor:lua('return look.folds()'))
  end

  local ALL = { 't1', 't2', 't3', 't4', 't5', 't6', 't7', 't8', 't9' }

  local function open(name)
    local editor = Editor.opened(copy, name, document())
    editor:type('gg:Chatls fold<CR>')
    editor:wait('nine closed folds', function() return closed(editor), ALL end)
    return editor
  end

  local BUT_THE_THIRD = vim.tbl_filter(function(it) return it ~= 't3' end, ALL)

  -- The same with the third one open.
  local function open_with_an_open_one(name)
    local editor = open(name)
    editor:type('/Text 3<CR>jjzo')
    editor:wait('eight', function() return closed(editor), BUT_THE_THIRD end)
    return editor
  end

  local function stay_closed(editor, what, wanted)
    editor:settled()
    -- Also after whatever is still to come.
    editor:lua('vim.wait(300)')
    editor:wait(what, function() return closed(editor), wanted or ALL end)
  end

  test('closed folds stay closed when lines are deleted and brought back', function()
    local editor = open('lines.chat.md')
    editor:type('ggdd')
    stay_closed(editor, 'a line less')
    editor:type('u')
    stay_closed(editor, 'undone')
    editor:type('<C-r>')
    stay_closed(editor, 'redone')
    editor:type('ggOone<CR>two<CR>three<Esc>')
    stay_closed(editor, 'more lines')
    editor:type('uG')
    stay_closed(editor, 'undone again')
  end)

  test('a closed call that is deleted is closed when undo brings it back', function()
    local editor = open('deleted.chat.md')
    -- A closed fold is deleted as one line.
    editor:type('/Text 3<CR>jjdd')
    stay_closed(editor, 'one less', BUT_THE_THIRD)
    editor:type('ggu')
    editor:type('gg')
    stay_closed(editor, 'all')
  end)

  test('an opened fold stays open', function()
    local editor = open_with_an_open_one('opened.chat.md')
    editor:type('ggdd')
    stay_closed(editor, 'a line less', BUT_THE_THIRD)
    editor:type(':edit!<CR>')
    stay_closed(editor, 'read again', BUT_THE_THIRD)
  end)

  test('closed folds stay closed when the file is read again', function()
    local path = 'again.chat.md'
    local editor = open(path)
    editor:type(':edit!<CR>')
    stay_closed(editor, 'by :edit!')
    local lines = document()
    table.insert(lines, 3, 'A line above.')
    vim.list_extend(lines, { '<tool>last()', 'ok</tool>' })
    copy(path, table.concat(lines, '\n') .. '\n')
    editor:lua([[vim.o.autoread = true]])
    editor:type(':checktime<CR>')
    editor:wait('the text', function() return editor:lua('return look.text()')[3], 'A line above.' end)
    stay_closed(editor, 'by autoread')
  end)

  test('closed folds stay closed when the server is restarted, and when it is killed', function()
    local editor = open('restart.chat.md')
    local function pid()
      return editor:lua([[
        local client = vim.lsp.get_clients({ name = 'chatls' })[1]
        local found = client and vim.tbl_get(client.rpc, 'pid')
        return client and client.initialized and client.id or 0
      ]])
    end
    local first = pid()
    editor:type(':Chatls restart<CR>')
    editor:wait('another server', function() return pid() > first, true end)
    stay_closed(editor, 'restarted')
    local second = pid()
    -- The only child of this Neovim that is a chatls.
    local killed = editor:lua([[
      for _, child in ipairs(vim.api.nvim_get_proc_children(vim.fn.getpid())) do
        local process = vim.api.nvim_get_proc(child)
        if process and process.name == 'chatls' then
          vim.uv.kill(child, 'sigkill')
          return true
        end
      end
      return false
    ]])
    assert(killed, 'there is no server to kill')
    editor:wait('another server', function() return pid() > second, true end)
    editor:finds('messages', 'chatls: the server crashed and was restarted')
    editor:wait(
      'windows as they were',
      function() return editor:lua('return { vim.wo.foldmethod, vim.wo.foldlevel }'), { 'expr', 99 } end
    )
    stay_closed(editor, 'killed')
    editor:type('Go<CR>```tool<CR>[1]<CR>```<Esc>')
    editor:sees('diagnostics', { '77:1-77:4 ERROR not-an-object chatls [1]' })
  end)

  test('closed folds stay closed when a server starts slowly', function()
    local editor = open('slow.chat.md')
    local function slow(program)
      local command = { 'sh', '-c', 'sleep 0.6; exec ' .. program }
      editor:lua([[vim.lsp.get_clients({ name = 'chatls' })[1].config.cmd = ...]], command)
      editor:type(':Chatls restart<CR>')
    end
    slow('chatls serve')
    editor:wait('no server', function() return editor:lua([[return #vim.lsp.get_clients({ name = 'chatls' })]]), 0 end)
    editor:attached()
    stay_closed(editor, 'restarted')
    -- One that never answers leaves nothing behind.
    slow('false')
    editor:wait('no folds of chatls', function() return editor:lua('return vim.wo.foldmethod'), 'manual' end)
  end)

  test('a server that fails again and again is not started for ever', function()
    local editor = Editor.start()
    editor:lua([[
      local restart = require('chatls.restart')
      starts = 0
      vim.lsp.start = function() starts = starts + 1 end
      vim.lsp.get_client_by_id = function()
        return { config = {}, attached_buffers = { [1] = true }, initialized = true, root_dir = '/' }
      end
      for _ = 1, 6 do restart.exited(0, 9, 1) end
    ]])
    editor:finds('messages', 'chatls: the server ended 5 times in three minutes')
    editor:lua('vim.wait(4000, function() return starts == 5 end)')
    assert(editor:lua('return starts') == 5, editor:lua('return starts'))
  end)

  test('closed folds stay closed in a session', function()
    local editor = open_with_an_open_one('session.chat.md')
    editor:type('gg:mksession! Session.vim<CR>')
    editor:stop()
    editor = Editor.start({ '-S', 'Session.vim' })
    editor:attached()
    stay_closed(editor, 'in another Neovim', BUT_THE_THIRD)
  end)
end
