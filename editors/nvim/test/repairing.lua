-- Session logs: repaired, listed without a buffer of chatls, and a large one.

local function call(id)
  return ('{"role":"assistant","tool_calls":[{"id":"%s","type":"function","function":{"name":"f","arguments":"{}"}}]}'):format(
    id
  )
end
local USER = '{"role":"user","content":"go on"}'
local ADDED = '{"role":"tool","tool_call_id":"a","content":"error: no result was recorded for this call"}'

local CALLS, FAILED, LOST = 20000, 9999, 15000

-- A session of Claude Code of 40 MB, as its lines: one failed call, and one without a result.
local function session()
  local lines, parent = {}, 'null'
  local function add(kind, message)
    local uuid = ('"00000000-0000-4000-8000-%012d"'):format(#lines)
    local form = '{"parentUuid":%s,"uuid":%s,"sessionId":"s","isSidechain":false,"type":"%s","message":%s}'
    table.insert(lines, form:format(parent, uuid, kind, message))
    parent = uuid
  end
  local filler = ('sea and sky '):rep(135)
  add('user', '{"role":"user","content":"A long voyage"}')
  for number = 1, CALLS do
    local use = '{"type":"tool_use","id":"call_%d","name":"Read","input":{"path":"%d.md"}}'
    add('assistant', ('{"id":"m%d","role":"assistant","content":[%s]}'):format(number, use:format(number, number)))
    local text = number == FAILED and '"no such file","is_error":true' or ('"%s"'):format(filler)
    local result = ('{"type":"tool_result","tool_use_id":"call_%d","content":%s}'):format(number, text)
    if number ~= LOST then add('user', ('{"role":"user","content":[%s]}'):format(result)) end
  end
  add('assistant', '{"id":"end","role":"assistant","content":[{"type":"text","text":"Land."}]}')
  return lines
end

return function(test, Editor, copy)
  test(':Chatls repair says what it will change, and undo takes it back', function()
    local editor = Editor.opened(copy, 'broken.jsonl', { call('a'), USER })
    editor:type(':Chatls repair<CR>')
    editor:finds('screen', 'Repair `broken.jsonl` with 1 change')
    editor:type('1<CR>')
    editor:sees('text', { call('a'), ADDED, USER })
    editor:finds('messages', 'broken.jsonl: 1 change made')
    editor:type('u')
    editor:sees('text', { call('a'), USER })
    editor:type('<C-r>:Chatls repair<CR>')
    editor:finds('messages', 'broken.jsonl: nothing to repair')
  end)

  test(':Chatls sessions starts a server where none runs', function()
    local editor = Editor.start({ copy('notes.txt', 'nothing\n') })
    editor:lua(
      [[
        vim.env.CLAUDE_CONFIG_DIR = vim.fn.tempname()
        vim.fn.mkdir(vim.env.CLAUDE_CONFIG_DIR .. '/projects/p', 'p')
        vim.fn.writefile({ ... }, vim.env.CLAUDE_CONFIG_DIR .. '/projects/p/abcd1234.jsonl')
        vim.ui.select = function(items, _, on_choice) on_choice(items[1]) end
      ]],
      USER
    )
    editor:type(':Chatls sessions<CR>')
    editor:wait('the session', function() return editor:lua("return vim.fn.expand('%:t')"), 'abcd1234.jsonl' end)
    editor:attached()
    editor:wait('one server', function() return editor:lua("return #vim.lsp.get_clients({ name = 'chatls' })"), 1 end)
  end)

  test('JSON documents with messages are taken by their names', function()
    local orphan = { '[' .. USER .. ',', '{"role":"tool","tool_call_id":"lost","content":"x"}]' }
    local editor = Editor.opened(copy, 'run.traj.json', orphan)
    editor:sees('diagnostics', { '2:31-2:37 WARN orphan-result chatls "lost"' })
    editor:type(':edit ' .. copy('other.json', table.concat(orphan, '\n')) .. '<CR>')
    editor:wait('the file', function() return editor:lua('return vim.bo.filetype'), 'json' end)
    editor:lua('vim.wait(300)')
    assert(editor:lua('return #vim.lsp.get_clients({ bufnr = 0 })') == 0, 'chatls runs in other JSON')
  end)

  test('JSON documents are taken if a configuration includes them', function()
    local orphan = { '[' .. USER .. ',', '{"role":"tool","tool_call_id":"lost","content":"x"}]' }
    local found = { '2:31-2:37 WARN orphan-result chatls "lost"' }
    copy('included/chatls.toml', '')
    copy('included/package.json', '{}')
    local log = copy('included/logs/1.json', table.concat(orphan, '\n'))
    local editor = Editor.start({ log })
    editor:wait('the file', function() return editor:lua('return vim.bo.filetype'), 'json' end)
    editor:lua('vim.wait(300)')
    assert(editor:lua('return #vim.lsp.get_clients()') == 0, 'a server runs for ordinary JSON')
    editor:type([[:split included/chatls.toml<CR>iinclude = ["logs/*.json"]<Esc>:write<CR>:close<CR>]])
    editor:attached()
    editor:sees('diagnostics', found)
    editor:type(':edit included/package.json<CR>')
    editor:lua('vim.wait(300)')
    assert(editor:lua('return #vim.lsp.get_clients({ bufnr = 0 })') == 0, 'chatls runs in other JSON')
    editor:type(':buffer included/logs/1.json<CR>')
    -- Another program changes the configuration.
    copy('included/chatls.toml', 'include = ["**/*.md"]')
    editor:wait('no server', function() return editor:lua('return #vim.lsp.get_clients({ bufnr = 0 })'), 0 end)
    editor:sees('diagnostics', {})
  end)

  test(':Chatls convertConversation writes a log as Markdown into a new buffer', function()
    local editor = Editor.opened(copy, 'converted.jsonl', { USER, call('a'), ADDED })
    editor:type(':Chatls convertConversation fence<CR>')
    editor:finds('text', '"toolCallId": "a"')
    assert(editor:lua('return { vim.fn.bufname(), vim.bo.filetype, vim.bo.modified }')[2] == 'markdown')
    editor:attached()
    editor:type(':bwipeout<CR>:Chatls convertConversation fench<CR>')
    editor:finds('messages', 'chatls: `fench` is not one of ai-sdk, ')
    editor:type(':Chatls! convertConversation tag<CR>')
    editor:finds('messages', 'chatls: the conversion drops ')
  end)

  test('a session of 40 MB is opened, shown, searched, repaired and saved', function()
    local lines = session()
    local editor = Editor.opened(copy, 'voyage.jsonl', lines)
    editor:type(':Chatls preview<CR>')
    editor:finds('text', 'A long voyage')
    editor:type('<C-w>p:Chatls next failed<CR>')
    editor:wait('the failed call', function() return editor:lua('return look.cursor()[1]'), 2 * FAILED end)
    editor:type(':Chatls repair<CR>')
    editor:finds('screen', 'Repair `voyage.jsonl` with 1 change')
    editor:type('1<CR>')
    editor:wait(
      'the added result',
      function() return editor:lua('return vim.api.nvim_buf_line_count(0)'), #lines + 1 end
    )
    editor:type(':write<CR>')
    editor:wait('the saved file', function()
      local file = assert(io.open('voyage.jsonl'))
      local text = file:read('a')
      file:close()
      return text:find('no result was recorded', 1, true) ~= nil, true
    end)
  end)
end
