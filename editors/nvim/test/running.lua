-- Calls that run: consent, the result in the text, cancelling, and the list of servers.

local PENDING = { '```tool', '{"toolName": "search", "input": {"query": "cats"}}', '```' }
local WRITTEN = '"output": {'

-- An MCP server, whose only tool changes nothing.
local SERVER = [[
while IFS= read -r line; do
  rest=${line#*\"id\":}; id=${rest%%[,\}]*}
  case $line in
    *'"initialize"'*) result='{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}' ;;
    *'"tools/list"'*) result='TOOLS' ;;
    *'"tools/call"'*) result='{"content":[{"type":"text","text":"seen it"}]}'; echo looking >&2 ;;
    *) continue ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$result"
done
]]
local TOOLS = '{"tools":[{"name":"look","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}]}'

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
    answer(editor, 'Agree to start the program `search`', { 'command: sh search.sh', 'compared: the content of ' }, 2)
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

  test('an MCP server runs a call, and is stopped in the list', function()
    copy('mcp/server.sh', (SERVER:gsub('TOOLS', TOOLS)))
    copy('mcp/tools.json', TOOLS)
    copy('mcp/chatls.toml', '[servers.eyes]\ncommand = "sh"\nargs = ["server.sh"]\nlisting = "tools.json"\n')
    local editor = Editor.opened(copy, 'mcp/look.chat.md', { '```tool', '{"toolName": "look", "input": {}}', '```' })
    editor:type('2G:Chatls run<CR>')
    answer(editor, 'Agree to start the server `eyes`', { 'command: sh server.sh' }, 1)
    editor:finds('text', '"output": "seen it"')
    editor:type(':Chatls servers<CR>')
    editor:finds('text', 'eyes: running, 1 tool')
    editor:finds('text', 'looking')
    editor:type('/eyes<CR>s')
    editor:finds('text', 'eyes: not running')
  end)

  test('the tools of a preset work in the folder that the user chooses', function()
    copy('preset/chatls.toml', 'tools = ["preset:file-tools"]\n')
    copy('preset/cats.txt', 'Tom, Kitty')
    local call = '{"toolName": "read_file", "input": {"path": "cats.txt"}}'
    local editor = Editor.opened(copy, 'preset/a.chat.md', { '```tool', call, '```' })
    editor:type('2G:Chatls run<CR>')
    answer(editor, 'In which folder may', { '/preset' }, 1)
    editor:finds('text', 'Tom, Kitty')
  end)

  -- Makes a server on loopback the user's model, which streams `text` for the next request; with
  -- `holds`, its answer does not end. Returns a function that ends it.
  local function model(text, holds)
    local server = assert(vim.uv.new_tcp())
    server:bind('127.0.0.1', 0)
    server:listen(1, function()
      local connection = assert(vim.uv.new_tcp())
      server:accept(connection)
      local request = ''
      connection:read_start(function(_, part)
        request = request .. (part or '')
        local length = tonumber(request:lower():match('content%-length: (%d+)'))
        local body = request:match('\r\n\r\n(.*)$')
        if not part or not length or not body or #body < length then return end
        local event = 'data: {"choices":[{"index":0,"delta":%s,"finish_reason":%s}]}\n\n'
        local head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n'
        connection:write(head .. event:format(('{"content":"%s"}'):format(text), 'null'))
        if not holds then
          connection:write(event:format('{}', '"stop"') .. 'data: [DONE]\n\n', function() connection:close() end)
          return
        end
        -- What has come is written with what comes later.
        assert(vim.uv.new_timer()):start(
          500,
          0,
          function() connection:write(event:format('{"content":" a time"}', 'null')) end
        )
      end)
    end)
    local url = ('http://127.0.0.1:%d/v1'):format(server:getsockname().port)
    local file = vim.fs.joinpath(vim.env.HOME, '.config/chatls/settings.toml')
    copy(file, ('[model]\nserver = "openai"\nurl = "%s"\nname = "m"\n'):format(url))
    return function() server:close() end
  end

  test(':Chatls continue writes the answer of a model', function()
    local stop = model('Two cats.')
    local editor = Editor.opened(copy, 'going-on/cats.chat.md', { '**User:** Which cats are there?' })
    editor:type(':Chatls continue<CR>')
    editor:sees('text', { '**User:** Which cats are there?', '', '**Assistant:**', '', 'Two cats.' })
    stop()
    editor:type(':Chatls continue all<CR>')
    editor:finds('messages', 'chatls: `all` is not a number of answers')
  end)

  test('the answer of a model is cancelled', function()
    local stop = model('Once upon', true)
    local editor = Editor.opened(copy, 'going-on/story.chat.md', { '**User:** Tell me a story.' })
    editor:type(':Chatls continue<CR>')
    editor:finds('text', 'Once upon a time')
    editor:type(':Chatls cancelRun<CR>')
    ended(editor)
    editor:sees('text', { '**User:** Tell me a story.', '', '**Assistant:**', '', 'Once upon a time' })
    stop()
  end)
end
