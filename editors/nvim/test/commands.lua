-- `:Chatls`: the effects of its subcommands, completion, and error messages.

local FENCE = { '```tool', '{ "toolName": "read", "input": { "path": "é" }, "output": "ok" }', '```' }
local PENDING = { '🙂 text', '', '<tool>read(path=a)</tool>' }

return function(test, Editor, copy)
  local function open(name, lines) return Editor.opened(copy, name, lines) end

  -- A command line and the resulting text; `keys` are typed before.
  local CHANGES = {
    { ':Chatls convert tag', FENCE, { '<tool>read(path=é)', 'ok</tool>' }, '2G' },
    {
      ':Chatls convert marker document',
      { '<tool>a()', '1</tool>', '', '<tool>b()', '2</tool>' },
      {
        '###: {"toolName": "a", "parameters": {}}',
        '',
        '*🔧 Executed a: 1*',
        '',
        '###: {"toolName": "b", "parameters": {}}',
        '',
        '*🔧 Executed b: 2*',
      },
    },
    { ':Chatls complete', PENDING, { '🙂 text', '', '<tool>read(path=a)', '</tool>' }, '3G' },
    {
      ':Chatls complete {"lines": 2}',
      { FENCE[1], '{"toolName":"a","input":{}}', FENCE[3] },
      {
        FENCE[1],
        '{"toolName":"a","input":{}, "output": {"lines":2}}',
        FENCE[3],
      },
      '2G',
    },
    { ':Chatls complete two words', PENDING, { '🙂 text', '', '<tool>read(path=a)', 'two words</tool>' }, '3G' },
    {
      ":'<lt>,'>Chatls wrap",
      { '<tool>read(path=a)</tool>', '', 'the result' },
      {
        '<tool>read(path=a)',
        'the result</tool>',
      },
      '3G0v$h<Esc>',
    },
  }
  for number, it in ipairs(CHANGES) do
    local command, before, after, keys = unpack(it, 1, 4)
    test((command:gsub('<lt>', '<')) .. ' changes the text, and undo takes it back', function()
      local editor = open(('change-%d.chat.md'):format(number), before)
      editor:type((keys or '') .. command .. '<CR>')
      editor:sees('text', after)
      editor:type('u')
      editor:sees('text', before)
      return editor
    end)
  end

  test(':Chatls! complete says why a call failed', function()
    local editor = open('failed.chat.md', { FENCE[1], '{ "toolName": "read", "input": {} }', FENCE[3] })
    editor:type('2G:Chatls! complete no such file<CR>')
    editor:finds('text', '"errorText": "no such file"')
    editor:sees('diagnostics', {})
  end)

  test(':Chatls newId and numberIds give ids', function()
    local editor =
      open('ids.chat.md', { FENCE[1], '{ "toolCallId": "x", "toolName": "a", "input": {}, "output": 1 }', FENCE[3] })
    editor:type(':Chatls numberIds<CR>')
    editor:finds('text', '"toolCallId": "call_1"')
    editor:type('2G:Chatls newId<CR>')
    editor:wait('another id', function()
      local id = editor:lua('return look.text()')[2]:match('"toolCallId": "([^"]*)"')
      return id ~= nil and id ~= 'call_1', true
    end)
  end)

  test(':Chatls fixAll mends what is safe, and returns when it is done', function()
    local editor =
      open('fixall.chat.md', { FENCE[1], '{ "toolName": "read", "input": { "a": True }, "output": 1 }', FENCE[3] })
    editor:type(':Chatls fixAll<CR>')
    editor:sees('text', { FENCE[1], '{ "toolName": "read", "input": { "a": true }, "output": 1 }', FENCE[3] })
    editor:sees('diagnostics', {})
    editor:type(':Chatls fixAll<CR>')
    editor:finds('messages', 'there are no safe fixes')
    editor:lua([[
      vim.cmd('%s/true/True/')
      vim.api.nvim_create_autocmd('BufWritePre', {
        buffer = 0, callback = function() require('chatls').fix_all() end,
      })
    ]])
    editor:type(':write<CR>')
    editor:wait(
      'the file as it was saved',
      function() return assert(io.open('fixall.chat.md')):read('a'):find('"a": true', 1, true) ~= nil, true end
    )
  end)

  test(':Chatls convert asks which dialect, and what may be lost', function()
    local editor =
      open('ask.chat.md', { FENCE[1], '{ "toolCallId": "x", "toolName": "a", "input": {}, "output": 1 }', FENCE[3] })
    editor:type('2G:Chatls convert<CR>')
    editor:finds('screen', 'Convert to')
    local choice = 0
    for _, row in ipairs(editor:lua('return look.screen()')) do
      choice = tonumber(row:match('^(%d+):? .*<tool>')) or choice
    end
    assert(choice > 0, 'no tag to choose')
    editor:type(choice .. '<CR>')
    editor:finds('screen', 'Converting 1 tool call to a `<tool>` tag drops the id')
    editor:type('1<CR>')
    editor:sees('text', { '<tool>a()', '1</tool>' })
  end)

  test('what cannot be done is said', function()
    local editor = open('refused.chat.md', PENDING)
    editor:type('1G:Chatls complete<CR>')
    editor:finds('messages', 'chatls: ')
    editor:sees('text', PENDING)
    editor:type(':Chatls convert tga<CR>')
    editor:finds('messages', 'chatls: `tga` is not one of fence, ')
    editor:type(':Chatls cnovert<CR>')
    editor:finds('messages', 'chatls: `cnovert` is not one of action, cancelRun, compare, complete, ')
    return editor
  end)

  test('subcommands and what stands behind them are completed', function()
    local editor = open('words.chat.md', PENDING)
    local function completes(line, words)
      local is = editor:lua("return vim.fn.getcompletion(..., 'cmdline')", line)
      assert(vim.deep_equal(is, words), ('%s: %s'):format(line, vim.inspect(is)))
    end
    completes('Chatls con', { 'continue', 'convert', 'convertConversation' })
    completes('Chatls new ', { 'read' })
    completes('Chatls UN', { 'unfold', 'unify' })
    completes('Chatls convert f', { 'fence' })
    completes('Chatls convert t', { 'tag', 'tagged' })
    completes('Chatls convert tag ', { 'call', 'batch', 'document' })
    completes("'<,'>Chatls wr", { 'wrap' })
    completes('Chatls! comp', { 'compare', 'complete' })
    completes('vertical Chatls ev', { 'events' })
    completes('Chatls problem prev ', { 'error', 'warning', 'information', 'hint' })
    completes('Chatls fold ', {})
    assert(#editor:lua("return vim.fn.getcompletion('Chatls ', 'cmdline')") > 20)
    editor:type(':edit other.txt<CR>')
    completes('Chatls ', { 'health', 'log', 'restart', 'sessions' })
    editor:type(':Chatls preview<CR>')
    editor:finds('messages', 'chatls: not running for this buffer: see `:checkhealth chatls`')
  end)

  test('files are completed, with spaces in their names, and surplus words are refused', function()
    vim.fn.mkdir('my chats/old', 'p')
    vim.fn.writefile({ 'User: hi', '', '<tool>b()', '2</tool>' }, 'my chats/b c.chat.md')
    local editor = open('paths.chat.md', { 'User: hi', '', '<tool>a()', '1</tool>' })
    local function completes(line, words)
      local is = editor:lua("return vim.fn.getcompletion(..., 'cmdline')", line)
      assert(vim.deep_equal(is, words), ('%s: %s'):format(line, vim.inspect(is)))
    end
    completes('Chatls compare my', { 'my\\ chats/' })
    completes('Chatls compare my\\ chats/b', { 'my\\ chats/b\\ c.chat.md' })
    completes('Chatls export my\\ chats/b', { 'my\\ chats/b\\ c.chat.md' })
    completes('Chatls sessions my\\ chats/', { 'my\\ chats/old/' })
    editor:type(':Chatls compare my chats/nothing here.md<CR>')
    editor:finds('messages', 'my chats/nothing here.md: ')
    for _, command in ipairs({ 'fold all', 'new read read', 'list done done', 'continue 1 2', 'fixAll now' }) do
      editor:type((':messages clear | Chatls %s<CR>'):format(command))
      local surplus, name = command:match('(%S+)$'), command:match('^%S+')
      editor:finds('messages', ('not run: `%s` is more than `:Chatls %s` takes'):format(surplus, name))
    end
    editor:sees('text', { 'User: hi', '', '<tool>a()', '1</tool>' })
    editor:type(':Chatls export my\\ chats/x y.html<CR>')
    editor:finds('messages', 'exported to my chats/x y.html')
    editor:type(':Chatls compare my chats/b c.chat.md<CR>')
    editor:finds('messages', '2 differences')
    return editor
  end)

  test(':Chatls extract moves a batch to a file', function()
    local editor = open('moved.chat.md', { 'User: hi', '', '<tool>a(x=1)', '2</tool>', '', 'Assistant: ho' })
    editor:type('3G:Chatls extract<CR>')
    editor:sees('text', { 'User: hi', '', '[🔧 1 tool call](moved.calls-1.jsonl)', '', 'Assistant: ho' })
    editor:type(':wall<CR>')
    editor:wait('the file', function()
      local file = io.open('moved.calls-1.jsonl')
      return file and file:read('a'):find('"tool-call"', 1, true) ~= nil, true
    end)
  end)

  test(':Chatls redact, merge, sortRecords and extract reach the server', function()
    local editor = open('reach.chat.md', PENDING)
    editor:lua([[
      sent = {}
      local client = vim.lsp.get_clients({ name = 'chatls' })[1]
      local request = client.request
      client.request = function(self, method, params, ...)
        if method == 'workspace/executeCommand' then table.insert(sent, params) end
        return request(self, method, params, ...)
      end
    ]])
    editor:type('3G05l')
    for _, name in ipairs({ 'redact', 'merge', 'sortRecords', 'extract', 'showBatch' }) do
      editor:type((':Chatls %s<CR>'):format(name))
      editor:wait(name, function()
        local last = editor:lua('return sent[#sent]') or {}
        return last.command, 'chatls.' .. name
      end)
      local said = editor:lua('return sent[#sent].arguments[1]')
      assert(said.uri == editor:lua('return vim.uri_from_bufnr(0)'), said.uri)
      local position = name ~= 'redact' and { line = 2, character = 5 } or nil
      assert(vim.deep_equal(said.position, position), vim.inspect(said))
    end
  end)
end
