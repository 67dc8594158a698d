-- A model, or a plugin, that writes into a buffer without a pause.

return function(test, Editor, copy)
  test('a buffer that was not edited before is sent while something is streamed into it', function()
    local editor = Editor.open(copy('stream.chat.md', 'text\n'))
    editor:settled()
    local seen = editor:lua([[
      local sent, began = {}, vim.uv.now()
      vim.api.nvim_create_autocmd('LspNotify', { callback = function(event)
        if event.data.method == 'textDocument/didChange' then table.insert(sent, vim.uv.now() - began) end
      end })
      -- A word each few milliseconds, for three seconds.
      while vim.uv.now() - began < 3000 do
        vim.api.nvim_buf_set_text(0, -1, -1, -1, -1, { 'word ' })
        vim.wait(5)
      end
      return sent
    ]])
    assert(seen[1] and seen[1] < 1000, 'the first change was sent after ' .. (seen[1] or 'more than 3000') .. ' ms')
    assert(#seen >= 5 and #seen <= 40, #seen .. ' changes were sent in three seconds')
  end)
end
