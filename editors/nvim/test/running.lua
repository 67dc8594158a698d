-- Calls that run: consent, the result in the text, cancelling, and the list of servers.

local PENDING = { '```tool', '{"toolName": "search", "input": {"query": "cats"}}', '```' }
local WRITTEN = '"output": {'

return function(test, Editor, copy)
  -- An editor in a folder of its own, with a program `search` that runs `script`.
  local function open(folder, script)
    copy(folder .. '/search.sh', script)
    copy(folder .. '/chatls.toml', '[run.search]\ncommand = ["sh", "search.sh"]\n')
    return Editor.opened(copy, folder .. '/a.chat.md', PENDING)
  end

  -- Answers a question, which is on the screen with `facts`.
  local function answer(editor, question, facts, number)
    editor:finds('screen', question)
    for _, fact in ipairs(facts) do
      editor:finds('screen', fact)
    end
    editor:type(number .. '<CR>')
  end

  local function agree(editor)
    answer(editor, 'Agree to start the program `search`', { 'command: sh search.sh' }, 1)
    answer(editor, 'This call may change something. Run it?', { 'cats' }, 1)
  end

  -- Waits until the server has seen the result in the text.
  local function ended(editor)
    editor:wait('the end', function() return editor:lua("return require('chatls').running()"), '' end)
  end

  test(':Chatls run asks, writes the result, and undo takes it back', function()
    local editor = open('run-once', [[echo '{"found": 3}']])
    editor:type('2G:Chatls run<CR>')
    answer(editor, 'Agree to start the program `search`', { 'command: sh search.sh', 'content of: ' }, 2)
    editor:settled()
    editor:is('text', PENDING)
    editor:type(':Chatls run<CR>')
    agree(editor)
    editor:finds('text', WRITTEN)
    ended(editor)
    editor:type('u')
    editor:sees('text', PENDING)
    -- The consent counts, and this question comes each time.
    editor:type(':Chatls runAll<CR>')
    answer(editor, 'This call may change something. Run it?', {}, 1)
    editor:finds('text', WRITTEN)
    ended(editor)
    editor:type(':Chatls runAll<CR>')
    editor:finds('messages', 'chatls: ')
  end)

  test('a running call is in the status line, and is cancelled', function()
    local editor = open('run-long', 'echo $$ >pid; exec sleep 1000')
    assert(editor:lua("return require('chatls').running()") == '')
    editor:type('2G:Chatls run<CR>')
    agree(editor)
    editor:wait('the run', function() return editor:lua("return require('chatls').running()"), 'running search' end)
    -- The document can be edited meanwhile.
    editor:type('ggOIn between.<Esc>:Chatls cancelRun<CR>')
    ended(editor)
    editor:is('text', vim.list_extend({ 'In between.' }, PENDING))
    editor:type(':Chatls cancelRun<CR>')
    editor:finds('messages', 'chatls: no tool call is running')
  end)

  test('the result of a call that has changed is offered', function()
    local editor = open('run-changed', [[while ! [ -e go ]; do sleep 0.05; done; echo '{"found": 3}']])
    editor:type('2G:Chatls run<CR>')
    agree(editor)
    editor:wait('the run', function() return editor:lua("return require('chatls').running()"), 'running search' end)
    editor:type(':%s/cats/dogs/<CR>')
    -- A request first sends what was typed.
    editor:lua([[
      local params = { textDocument = vim.lsp.util.make_text_document_params() }
      local buffer = vim.api.nvim_get_current_buf()
      assert(vim.lsp.get_clients({ bufnr = 0 })[1]:request_sync('chatls/events', params, 5000, buffer))
    ]])
    copy('run-changed/go', '')
    answer(editor, 'The result of search is not in the document:', {}, 1)
    editor:sees('text', { '{"found":3}' })
    editor:type(':quit<CR>')
    editor:finds('text', 'dogs')
  end)

  test(':Chatls servers lists what runs tools, and takes consent back', function()
    local editor = open('run-servers', 'echo 1')
    editor:type('2G:Chatls servers<CR>')
    editor:finds('text', 'search: you have not agreed to start it')
    editor:finds('text', 'command: sh search.sh')
    editor:type(':close<CR>2G:Chatls run<CR>')
    agree(editor)
    editor:finds('text', '"output": 1')
    editor:type(':Chatls servers<CR>')
    editor:finds('text', 'search: a program, started for each call')
    editor:type('/search<CR>d')
    editor:finds('text', 'search: you have not agreed to start it')
    editor:type('q:checkhealth chatls<CR>')
    editor:finds('text', 'search: you have not agreed to start it')
  end)
end
