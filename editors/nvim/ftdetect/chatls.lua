-- The file types of stream logs. Neovim itself knows `jsonl` alone.

vim.filetype.add({
  extension = {
    jsonl = 'jsonl',
    ndjson = 'ndjson',
    sse = 'sse',
  },
})
