-- Folds in windows: whose they are, what they show, and closing and opening them all.

return function(test, Editor, copy)
  local BATCH = '3-27 🔧 3 tool calls · 1 failed'
  local REMOVED = '31-32 🔧 remove_package(name=react-helmet) → removed 4 packages in 2s'

  -- Those of the current window.
  local function options(editor)
    return editor:lua([[return { vim.wo.foldmethod, vim.wo.foldexpr, vim.wo.foldtext, vim.wo.foldlevel }]])
  end
  local OURS = { 'expr', "v:lua.require'chatls.fold'.expr()", "v:lua.require'chatls.fold'.text()", 99 }

  test(':Chatls fold closes tool calls alone, and unfold opens them alone', function()
    local editor =
      Editor.open(copy('sections.chat.md', '# One\n\ntext\n\n# Two\n\n<tool>a(x=1)\n2</tool>\n\n```sh\nls\nls\n```\n'))
    editor:settled()
    editor:type('3Gzc:Chatls fold<CR>')
    editor:sees('folds', { '1-3 # One', '7-8 🔧 a(x=1) → 2' })
    editor:type(':Chatls unfold<CR>')
    editor:sees('folds', { '1-3 # One' })
  end)

  test('an opened batch shows its calls as labels, each in its colours', function()
    local editor = Editor.open(copy('batch.chat.md'))
    editor:settled()
    editor:type(':Chatls fold<CR>')
    editor:sees('folds', { BATCH, REMOVED })
    editor:type('3Gzo')
    editor:sees('folds', {
      '4-12 🔧 read_file(path=src/Login.tsx) → 3 lines',
      '14-20 🔧 search(query=useTitle) → 2 matches',
      '21-27 🔧 delete_file(path=old.tsx) ✗ no such file',
      REMOVED,
    })
    local groups = editor:lua([[
      local label = require('chatls.label')
      return {
        label.chunks('🔧 3 tool calls · 1 failed · 2 pending'),
        label.chunks('🔧 delete_file(path=a) ✗ no → file'),
        label.chunks('🔧 read() ⏳'),
        label.chunks('plain'),
      }
    ]])
    editor:wait(
      'groups',
      function()
        return groups,
          {
            {
              { '🔧 3 tool calls', 'ChatlsLabel' },
              { ' · 1 failed', 'ChatlsFailed' },
              { ' · 2 pending', 'ChatlsPending' },
            },
            {
              { '🔧 ', 'ChatlsLabel' },
              { 'delete_file', 'ChatlsTool' },
              { '(path=a)', 'ChatlsArguments' },
              { ' ✗ no → file', 'ChatlsFailed' },
            },
            {
              { '🔧 ', 'ChatlsLabel' },
              { 'read', 'ChatlsTool' },
              { '()', 'ChatlsArguments' },
              { ' ⏳', 'ChatlsPending' },
            },
            { { 'plain', 'Folded' } },
          }
      end
    )
    -- On the screen, too: not all of a fold's line has one colour.
    local attributes = editor:lua([[
      vim.cmd.redraw()
      local row, seen = vim.fn.screenpos(0, 21, 1).row, {}
      for column = 1, 60 do seen[vim.fn.screenattr(row, column)] = true end
      return vim.tbl_count(seen)
    ]])
    assert(attributes >= 3, attributes .. ' colours')
  end)

  test('a diff has folds as in any diff, and afterwards calls fold again', function()
    local lines = { '# A', '', '<tool>a(x=1)', '2</tool>' }
    for line = 5, 40 do
      lines[line] = ('Line %d.'):format(line)
    end
    copy('left.chat.md', table.concat(lines, '\n') .. '\n')
    local editor = Editor.open(copy('right.chat.md', table.concat(lines, '\n', 1, 39) .. '\n'))
    editor:settled()
    editor:wait('folds of calls', function() return options(editor), OURS end)
    -- One window folds calls before the diff, the other one shows its file first in the diff.
    editor:type(':vertical diffsplit left.chat.md<CR>')
    editor:settled()
    editor:type('<C-w>p')
    editor:sees('folds', { '1-33 +-- 33 lines: # A' })
    editor:type(':diffoff!<CR>')
    editor:wait('folds of calls', function() return options(editor), OURS end)
    editor:type('<C-w>p')
    editor:wait('folds of calls in the other window', function() return options(editor), OURS end)
    editor:type(':Chatls fold<CR>')
    editor:sees('folds', { '3-4 🔧 a(x=1) → 2' })
    return editor
  end)

  test('every window that shows the document folds, and no other does', function()
    local editor = Editor.open(copy('batch.chat.md'))
    editor:settled()
    editor:wait('ours', function() return options(editor), OURS end)
    editor:type(':edit other.txt<CR>')
    editor:wait('of another file', function() return options(editor)[1], 'manual' end)
    editor:type(':tabnew<CR>:buffer batch.chat.md<CR>')
    editor:wait('a window that shows it later', function() return options(editor), OURS end)
    editor:type(':Chatls fold<CR>')
    editor:sees('folds', { BATCH, REMOVED })
  end)

  test('a document that was read before any window showed it folds, too', function()
    local editor = Editor.start()
    editor:lua(
      [[
      vim.fn.bufload(vim.fn.bufadd(...))
    ]],
      copy('batch.chat.md')
    )
    editor:wait(
      'a server',
      function() return editor:lua([=[return #vim.lsp.get_clients({ bufnr = vim.fn.bufnr('batch.chat.md') })]=]), 1 end
    )
    editor:type(':buffer batch.chat.md<CR>')
    editor:wait('ours', function() return options(editor), OURS end)
  end)

  test("a user's own folding stays, unless told otherwise", function()
    local editor = Editor.start()
    editor:lua([[
      vim.o.foldmethod, vim.o.foldexpr = 'expr', 'v:lua.vim.treesitter.foldexpr()'
    ]])
    editor:type(':edit ' .. copy('batch.chat.md') .. '<CR>')
    editor:attached()
    editor:settled()
    assert(options(editor)[2] == 'v:lua.vim.treesitter.foldexpr()', vim.inspect(options(editor)))
    editor:type(':Chatls fold<CR>')
    editor:finds('messages', 'this window has folds of its own: `:help chatls-folding`')
    editor:lua([[require('chatls').setup({ folding = 'always' })]])
    editor:wait('ours', function() return options(editor)[2], OURS[2] end)
    return editor
  end)

  test('nothing folds where folding is never wanted, and options are taken back with the server', function()
    local editor = Editor.start()
    editor:lua([[require('chatls').setup({ folding = 'never', inlay_hints = false })]])
    editor:type(':edit ' .. copy('batch.chat.md') .. '<CR>')
    editor:attached()
    assert(options(editor)[1] == 'manual', vim.inspect(options(editor)))
    assert(not editor:lua('return vim.lsp.inlay_hint.is_enabled({ bufnr = 0 })'), 'hints are shown')
    editor:lua([[require('chatls').setup()]])
    editor:wait('ours', function() return options(editor), OURS end)
    editor:lua([[vim.lsp.enable('chatls', false)]])
    editor:wait('as it was', function() return options(editor), { 'manual', '0', 'foldtext()', 0 } end)
  end)
end
