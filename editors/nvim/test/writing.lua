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
    editor:wait('a list of what can be done', function()
      return table.concat(editor:lua('return look.screen()'), '\n'):find('1: Set the state `output-available`', 1, true) ~= nil, true
    end)
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
    editor:wait('a lens', function()
      return table.concat(editor:lua('return look.screen()'), '\n'):find('Complete', 1, true) ~= nil, true
    end)
    editor:type('3G:lua vim.lsp.codelens.run()<CR>')
    editor:sees('text', { 'text', '', '<tool>read(path=a)', '</tool>' })
    return editor
  end)
end
