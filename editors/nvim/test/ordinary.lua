-- Markdown without tool calls: it is edited as if chatls was not there.

return function(test, Editor, copy)
  local README = {
    '# A project',
    '',
    'It does this and that, and some more of it, in a line that is longer than what fits.',
    '',
    '- one',
    '- two',
    '',
    '```sh',
    'cargo test',
    '```',
  }
  local CALL = { '```tool', '{ "toolName": "a", "input": {}, "output": 1 }', '```' }

  local function open(name, lines) return Editor.opened(copy, name, lines) end

  local function options(editor)
    return editor:lua([[return { vim.wo.foldmethod, vim.wo.foldexpr, vim.wo.foldtext, vim.wo.foldlevel }]])
  end
  local DEFAULTS = { 'manual', '0', 'foldtext()', 0 }

  test('gq wraps prose, in a document without calls and beside them', function()
    local editor = open('README.md', README)
    editor:type(':setlocal textwidth=40<CR>3Ggqq')
    local wrapped = { 'It does this and that, and some more of', 'it, in a line that is longer than what', 'fits.' }
    editor:wait(
      'wrapped prose',
      function() return editor:lua('return vim.api.nvim_buf_get_lines(0, 2, 5, true)'), wrapped end
    )
    local lines = { README[3], '', '```tool', '{"toolName":"a","input":{},"output":1}', '```', '', README[3] }
    local mixed = open('mixed.chat.md', lines)
    mixed:type(':setlocal textwidth=40<CR>gggqG')
    local laid_out = {
      '```tool',
      '{',
      '  "toolName": "a",',
      '  "input": {},',
      '  "output": 1',
      '}',
      '```',
    }
    local all = vim.list_extend(vim.list_slice(wrapped), { '' })
    vim.list_extend(all, laid_out)
    vim.list_extend(all, { '' })
    mixed:sees('text', vim.list_extend(all, wrapped))
    return mixed
  end)

  test('K and the completion of tags are those of Markdown until there is a call', function()
    local editor = open('keys.md', README)
    local function own()
      return editor:lua([[return { vim.bo.omnifunc, vim.fn.maparg('K', 'n', false, true).desc or 'none' }]])
    end
    local markdown, server =
      { 'htmlcomplete#CompleteTags', 'none' }, { 'v:lua.vim.lsp.omnifunc', 'vim.lsp.buf.hover()' }
    editor:wait('those of Markdown', function() return own(), markdown end)
    editor:lua('vim.api.nvim_buf_set_lines(0, 2, 3, true, ...)', CALL)
    editor:wait('those of servers', function() return own(), server end)
    editor:lua('vim.api.nvim_buf_set_lines(0, 2, 5, true, ...)', { 'text' })
    editor:wait('those of Markdown again', function() return own(), markdown end)
    return editor
  end)

  test('folds made by hand stay, and windows keep their own settings', function()
    local editor = open('README.md', README)
    editor:wait('manual folds', function() return options(editor), DEFAULTS end)
    editor:type('5GzfjggOa line<Esc>')
    editor:settled()
    editor:sees('folds', { '6-7 +--  2 lines: - one' .. ('·'):rep(0) })
    return editor
  end)

  test('a document that gets its first call folds, and is left alone again without it', function()
    local editor = open('first.md', { '# One', '', 'text' })
    editor:wait('manual folds', function() return options(editor), DEFAULTS end)
    editor:lua([[vim.wo.foldlevel = 3]])
    editor:lua('vim.api.nvim_buf_set_lines(0, 2, 3, true, ...)', CALL)
    editor:wait('folds of calls', function() return options(editor)[1], 'expr' end)
    editor:settled()
    editor:type('3Gzc')
    editor:sees('folds', { '3-5 🔧 a() → 1' })
    editor:lua('vim.api.nvim_buf_set_lines(0, 2, 5, true, ...)', { 'text' })
    editor:wait('manual folds again', function() return options(editor), { 'manual', '0', 'foldtext()', 3 } end)
    return editor
  end)
end
