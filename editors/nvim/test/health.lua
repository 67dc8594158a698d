-- `:checkhealth chatls`: the report of a valid setup, and the advice for problems.

return function(test, Editor, copy)
  local function checks(editor, ...)
    editor:type(':checkhealth chatls<CR>')
    editor:wait('a report', function() return editor:lua('return vim.bo.filetype'), 'checkhealth' end)
    local report = table.concat(editor:lua('return look.text()'), '\n'):gsub('`', '')
    for _, part in ipairs({ ... }) do
      assert(report:find(part, 1, true), ('no %q in\n%s'):format(part, report))
    end
    return report
  end

  test('a report where all is well', function()
    copy('healthy/chatls.toml', '')
    local editor = Editor.open(copy('healthy/batch.chat.md', '<tool>a()\n1</tool>\n'))
    editor:wait('folds', function() return editor:lua('return vim.wo.foldmethod'), 'expr' end)
    local report = checks(
      editor,
      'OK Neovim 0.',
      'OK chatls is ~/bin/chatls',
      'OK chatls 0.',
      'it starts and responds to initialize',
      'the buffer ~/work/healthy/batch.chat.md',
      'file type: markdown',
      'configuration: ~/work/healthy/chatls.toml',
      'runs here',
      'OK tool calls fold into their labels',
      'of Neovim: ~/.local/state/nvim/lsp.log'
    )
    assert(not report:find('WARNING') and not report:find('ERROR'), report)
  end)

  test('a server that is not there, not enabled, or no server', function()
    local editor = Editor.start()
    editor:lua([[vim.lsp.config('chatls', { cmd = { 'chatlz', 'serve' } })]])
    checks(editor, 'ERROR chatlz was not found, or is not executable', 'cargo install')
    editor = (editor:stop() or true) and Editor.start()
    editor:lua([[vim.lsp.config('chatls', { cmd = { 'false' } })]])
    checks(editor, 'ERROR false --version does not work: it ended with 1')
    editor = (editor:stop() or true) and Editor.start()
    editor:lua([[vim.lsp.config('chatls', { cmd = { 'chatls' } })]])
    checks(editor, 'does not respond to initialize: it ended with', 'it should end with serve')
    editor = (editor:stop() or true) and Editor.start()
    editor:lua([[vim.lsp.enable('chatls', false)]])
    checks(editor, 'WARNING chatls is not enabled')
  end)

  test('a program that is not there is said once, when it is wanted', function()
    local editor = Editor.start()
    editor:lua([[vim.lsp.config('chatls', { cmd = { 'chatlz', 'serve' } })]])
    editor:type(':edit ' .. copy('missing.chat.md', 'text') .. '<CR>')
    editor:finds('messages', 'chatls: program `chatlz` not found: see `:checkhealth chatls`')
    editor:type(':messages clear<CR>:edit ' .. copy('missing.jsonl', '{}') .. '<CR>:Chatls fold<CR>')
    editor:finds('messages', 'chatls: not running for this buffer')
    local again = table.concat(editor:lua('return look.messages()'), '\n'):find('chatlz', 1, true)
    assert(not again, 'it is said twice')
    editor:type(':Chatls restart<CR>')
    editor:finds('messages', 'program `chatlz` not found')
  end)

  test('a buffer that it does not run for', function()
    local editor = Editor.start()
    editor:type(':edit plain.txt<CR>')
    checks(editor, 'chatls does not run here: the file type is text, not one of markdown, jsonl, ndjson, sse')
  end)

  test('a window that folds by its own, and an older server', function()
    local editor = Editor.start()
    editor:lua([[vim.o.foldmethod = 'indent']])
    editor:type('i<lt>tool>a()<CR>1<lt>/tool><Esc>:set filetype=markdown<CR>')
    editor:attached()
    editor:settled()
    editor:lua([[vim.lsp.get_clients({ name = 'chatls' })[1].server_capabilities.experimental = nil]])
    checks(
      editor,
      'the buffer [No Name]',
      'this window has folds of its own: foldmethod=indent',
      "folding = 'always'",
      'older than the plugin and lacks toolUses, transcript, events, export, modelRequest, compare, foldingRanges, '
        .. 'nextToolUse, newToolUse'
    )
  end)
end
