-- Set up when Neovim starts. Everything else is loaded on demand.

if vim.g.loaded_chatls then return end
vim.g.loaded_chatls = true

if vim.fn.has('nvim-0.11') == 0 then
  vim.notify_once('chatls: Neovim 0.11 or later is needed', vim.log.levels.WARN)
  return
end

local group = vim.api.nvim_create_augroup('chatls', {})

local function is_chatls(event)
  local client = vim.lsp.get_client_by_id(event.data.client_id)
  return client and client.name == 'chatls' and client or nil
end

vim.api.nvim_create_autocmd('LspAttach', {
  group = group,
  desc = 'chatls: folding, hints and highlights of a chat document',
  callback = function(event)
    local client = is_chatls(event)
    if client then
      require('chatls.highlights').define()
      require('chatls.attach').on_attach(client, event.buf)
    end
  end,
})

vim.api.nvim_create_autocmd('LspDetach', {
  group = group,
  desc = 'chatls: restore the buffer',
  callback = function(event)
    if is_chatls(event) then require('chatls.attach').on_detach(event.buf) end
  end,
})

vim.api.nvim_create_autocmd('FileType', {
  group = group,
  pattern = { 'markdown', 'jsonl', 'ndjson', 'sse' },
  once = true,
  desc = 'chatls: report a missing program once',
  callback = function()
    vim.schedule(function() require('chatls.missing').say_once() end)
  end,
})

vim.api.nvim_create_autocmd('FileType', {
  group = group,
  pattern = 'json',
  desc = 'chatls: start in JSON documents with messages',
  callback = function(event)
    -- First Neovim itself stops servers that are not of the file type.
    vim.schedule(function()
      if vim.api.nvim_buf_is_loaded(event.buf) then require('chatls.json_logs').start(event.buf) end
    end)
  end,
})

vim.api.nvim_create_autocmd('BufWritePost', {
  group = group,
  pattern = 'chatls.toml',
  desc = 'chatls: start in JSON documents that the configuration includes now',
  callback = function() require('chatls.json_logs').look_again() end,
})

vim.api.nvim_create_autocmd('ColorScheme', {
  group = group,
  desc = 'chatls: restore highlight groups after a color scheme',
  callback = function() require('chatls.highlights').define() end,
})

-- Neovim 0.11 has no event for a written session, so it is done on exit.
vim.api.nvim_create_autocmd(vim.fn.exists('##SessionWritePost') == 1 and 'SessionWritePost' or 'VimLeavePre', {
  group = group,
  desc = 'chatls: remember which folds of the session are closed',
  callback = function()
    if package.loaded['chatls.folds'] then require('chatls.sessions').save() end
  end,
})

vim.api.nvim_create_autocmd('SessionLoadPost', {
  group = group,
  desc = 'chatls: close the folds of the session',
  callback = function() require('chatls.sessions').load() end,
})

vim.api.nvim_create_user_command('Chatls', function(request) require('chatls.commands').run(request) end, {
  bang = true,
  nargs = '*',
  range = true,
  desc = 'chatls: tool calls of a chat document',
  complete = function(...) return require('chatls.commands').complete(...) end,
})

local function map(name, modes, run)
  vim.keymap.set(modes, ('<Plug>(chatls-%s)'):format(name), run, { desc = 'chatls: ' .. name:gsub('-', ' ') })
end

local moving = { 'n', 'x', 'o' }
map('next-call', moving, function() require('chatls').next_call() end)
map('prev-call', moving, function() require('chatls').prev_call() end)
map('next-problem', moving, function() require('chatls').next_problem() end)
map('prev-problem', moving, function() require('chatls').prev_problem() end)
map('fold', 'n', function() require('chatls').fold() end)
map('unfold', 'n', function() require('chatls').unfold() end)
map('new', 'n', function() require('chatls.new').write() end)
map('preview', 'n', function() require('chatls.preview').open() end)
map('events', 'n', function() require('chatls.events').open() end)
