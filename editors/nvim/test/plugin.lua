-- The plugin itself: options, what it defines, its status, and its colours.

return function(test, Editor, copy)
  test('options are checked, and what is wrong is named', function()
    local editor = Editor.start()
    local function fails(options, ...)
      local why = editor:lua(
        [[
        local fine, why = pcall(require('chatls').setup, ...)
        return fine and 'fine' or why
      ]],
        options
      )
      for _, part in ipairs({ ... }) do
        assert(why:find(part, 1, true), why)
      end
    end
    fails({ foldng = 'never' }, 'there is no option `foldng`', 'folding')
    fails({ folding = 'no' }, 'folding', "'auto', 'always' or 'never'", 'no')
    fails({ debounce = -1 }, 'debounce', 'milliseconds')
    fails({ inlay_hints = 'yes' }, 'inlay_hints', 'boolean')
    fails({ on_attach = 1 }, 'on_attach', 'function')
    fails(3, 'options', 'table')
    -- One that failed has changed nothing.
    editor:lua([[require('chatls').setup({ debounce = 7 }); pcall(require('chatls').setup, { debounce = 8, x = 1 })]])
    local debounce = editor:lua([[return require('chatls.config').get().debounce]])
    assert(debounce == 7, debounce)
  end)

  test('setup enables the server, and calls on_attach', function()
    local editor = Editor.start({ '--cmd', 'let g:loaded_nothing = 1' })
    editor:lua([[
      vim.lsp.enable('chatls', false)
      require('chatls').setup({ on_attach = function(client, buffer) attached = { client.name, buffer } end })
    ]])
    editor:type(':edit ' .. copy('batch.chat.md') .. '<CR>')
    editor:attached()
    editor:wait(
      'a call',
      function() return editor:lua('return attached'), { 'chatls', editor:lua('return vim.api.nvim_get_current_buf()') } end
    )
  end)

  test('nothing of it is read before it is needed', function()
    local editor = Editor.start()
    local read = editor:lua([[
      return vim.tbl_filter(function(name) return vim.startswith(name, 'chatls') end, vim.tbl_keys(package.loaded))
    ]])
    assert(#read == 0, table.concat(read, ', '))
  end)

  test('the status counts calls and problems, and follows', function()
    local editor = Editor.open(copy('batch.chat.md'))
    editor:lua([[vim.o.laststatus, vim.o.statusline = 2, "[%{v:lua.require'chatls'.status()}]"]])
    editor:finds('screen', '[🔧 4 · 1 failed]')
    editor:type('Go<lt>tool>one()<lt>/tool><CR><CR>```tool<CR>[1]<CR>```<Esc>')
    editor:finds('screen', '[🔧 6 · 1 failed · 2 pending · 1 error]')
    local counts = editor:lua([[return require('chatls').counts()]])
    assert(
      counts.failed == 1 and counts.pending == 2 and counts.errors == 1 and counts.warnings == 0,
      vim.inspect(counts)
    )
    editor:type(':edit! other.txt<CR>')
    editor:finds('screen', '[]', 'nothing where chatls is not')
  end)

  test('colours are links that stay after a colour scheme, and that users may replace', function()
    local editor = Editor.open(copy('batch.chat.md'))
    local function links(group)
      return editor:lua([[return vim.api.nvim_get_hl(0, { name = ..., link = true }).link or '']], group)
    end
    editor:wait('a link', function() return links('ChatlsFailed'), 'DiagnosticError' end)
    assert(links('@lsp.type.enumMember.markdown') == 'ChatlsState')
    assert(links('@lsp.mod.error.jsonl') == 'ChatlsError')
    editor:type(':highlight! link ChatlsTool String<CR>:colorscheme habamax<CR>')
    editor:wait('a link again', function() return links('ChatlsFailed'), 'DiagnosticError' end)
    editor:type(':highlight! link ChatlsTool String<CR>')
    editor:lua([[require('chatls.highlights').define()]])
    assert(links('ChatlsTool') == 'String', links('ChatlsTool'))
    -- Each of the groups that tokens are given is one of those.
    local unlinked = editor:lua([[
      local given = {}
      for row = 0, vim.api.nvim_buf_line_count(0) - 1 do
        for column = 0, 40 do
          for _, token in ipairs(vim.lsp.semantic_tokens.get_at_pos(0, row, column) or {}) do given[token.type] = true end
        end
      end
      return vim.tbl_filter(function(it) return not require('chatls.highlights').TOKENS[it] end, vim.tbl_keys(given))
    ]])
    assert(#unlinked == 0, table.concat(unlinked, ', '))
  end)

  test('file types: transcripts are Markdown, logs are logs', function()
    local editor = Editor.start()
    for name, wanted in pairs({
      ['a.chat.md'] = 'markdown',
      ['b.jsonl'] = 'jsonl',
      ['c.ndjson'] = 'ndjson',
      ['d.sse'] = 'sse',
    }) do
      local is = editor:lua('return vim.filetype.match({ filename = ... })', name)
      assert(is == wanted, ('%s is %s'):format(name, is))
    end
  end)

  test('a file that another server serves as well is left alone by what is said of chatls', function()
    local editor = Editor.start()
    editor:lua([[
      vim.lsp.config('other', {
        cmd = function(dispatchers)
          local closing = false
          return {
            request = function(method, _, callback)
              callback(nil, method == 'initialize' and { capabilities = {} } or nil)
              return true, 1
            end,
            notify = function(method) if method == 'exit' then dispatchers.on_exit(0, 15) end end,
            is_closing = function() return closing end,
            terminate = function() closing = true end,
          }
        end,
        filetypes = { 'text' },
      })
      vim.lsp.enable('other')
    ]])
    editor:type(':edit plain.txt<CR>')
    editor:wait(
      'the other server',
      function() return editor:lua([[return #vim.lsp.get_clients({ bufnr = 0, name = 'other' })]]), 1 end
    )
    local method = editor:lua('return vim.wo.foldmethod')
    assert(method == 'manual', method)
    editor:type(':Chatls next<CR>')
    editor:finds('messages', 'chatls: not running for this buffer')
  end)
end
