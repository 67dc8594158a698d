-- `:checkhealth chatls`: checks the setup of chatls, with advice.

local config = require('chatls.config')
local fold = require('chatls.fold')
local info = require('chatls.info')
local server = require('chatls.server')

local M = {}

local health = vim.health
-- The time limit for a program's response, in milliseconds.
local PATIENCE = 5000
local INSTALL = {
  'Install it (`cargo install --path .` in its repository), and check that its folder is in the PATH of Neovim: `:echo $PATH`',
  "Or set its path: `vim.lsp.config('chatls', { cmd = { '/path/to/chatls', 'serve' } })`",
}

local function shown(path) return vim.fn.fnamemodify(path, ':~') end

local function check_neovim()
  health.start('chatls: Neovim')
  local version = tostring(vim.version())
  if vim.fn.has('nvim-0.12') == 1 then
    health.ok('Neovim ' .. version)
  else
    health.ok(('Neovim %s (tested with 0.12)'):format(version))
  end
  local configs = vim.api.nvim_get_runtime_file('lsp/chatls.lua', true)
  if #configs == 0 then
    health.error('lsp/chatls.lua is not in the runtimepath', 'Add the folder that contains `lsp`, `lua` and `plugin`')
  end
  for _, path in ipairs(configs) do
    health.info('configuration: ' .. shown(path))
  end
  if not vim.g.loaded_chatls then
    health.warn('plugin/chatls.lua was not loaded: `:Chatls` and folding are missing', {
      'Add the folder to the runtimepath before plugins are loaded: in init.lua, not in an autocommand',
    })
  end
end

-- The output of a command, or nothing and the reason.
local function output_of(command)
  local started, process = pcall(vim.system, command, { text = true, timeout = PATIENCE })
  if not started then return nil, tostring(process) end
  local done = process:wait()
  if done.code ~= 0 then return nil, ('it ended with %d: %s'):format(done.code, vim.trim(done.stderr or '')) end
  return vim.trim(done.stdout or '')
end

-- The path of the program, if it runs.
local function check_program(command)
  health.start('chatls: the server')
  if type(command) ~= 'table' then
    health.info('`cmd` is a function, so the program cannot be checked')
    return nil
  end
  local path = vim.fn.exepath(command[1])
  if path == '' then
    health.error(('`%s` was not found, or is not executable'):format(command[1]), INSTALL)
    return nil
  end
  health.ok(('`%s` is %s'):format(command[1], shown(path)))
  local version, why = output_of({ path, '--version' })
  if not version then
    health.error(('`%s --version` does not work: %s'):format(command[1], why), {
      'It may be built for another system: build it again with `cargo install --path .`',
    })
    return nil
  end
  health.ok(version)
  return path
end

-- Starts a separate server and sends `initialize`.
local function check_start(command)
  local answer, failed, ended
  local started, rpc = pcall(vim.lsp.rpc.start, command, {
    on_exit = function(code) ended = code end,
  })
  if not started then
    health.error('the server does not start: ' .. tostring(rpc), INSTALL)
    return
  end
  local params = { processId = vim.uv.os_getpid(), rootUri = vim.NIL, capabilities = vim.empty_dict() }
  rpc.request('initialize', params, function(err, result)
    failed, answer = err, result
  end)
  vim.wait(PATIENCE, function() return answer ~= nil or failed ~= nil or ended ~= nil end, 10)
  rpc.terminate()
  if answer then
    health.ok('it starts and responds to `initialize`')
    return
  end
  local why = failed and (failed.message or vim.inspect(failed))
    or ended and ('it ended with ' .. ended)
    or ('no response in %d s'):format(PATIENCE / 1000)
  health.error('it starts, but does not respond to `initialize`: ' .. why, {
    ('Check `%s`: it should end with `serve`'):format(table.concat(command, ' ')),
    'See its output: `:Chatls log`',
  })
end

local function check_enabled()
  if not vim.lsp.is_enabled or vim.lsp.is_enabled(server.NAME) then return end
  if #vim.lsp.get_clients({ name = server.NAME }) == 0 then
    health.warn('chatls is not enabled', "Put `vim.lsp.enable('chatls')` into your init.lua")
  end
end

local function check_folding(buffer)
  local window = vim.fn.win_findbuf(buffer)[1]
  if not window then return end
  local state = fold.state(window)
  if state == 'chatls' then
    health.ok('tool calls fold into their labels')
  elseif config.get().folding == 'never' then
    health.info("folding is disabled: `folding = 'never'`")
  elseif state == 'own' then
    local options = vim.wo[window]
    health.warn(
      ('this window has folds of its own: foldmethod=%s foldexpr=%s'):format(options.foldmethod, options.foldexpr),
      {
        "To fold tool calls into their labels instead: `require('chatls').setup({ folding = 'always' })`",
      }
    )
  else
    health.warn('nothing folds in this window', 'Reopen the file: `:edit`')
  end
end

local function why_not_attached(buffer, client_config)
  local bo = vim.bo[buffer]
  if bo.buftype ~= '' then
    return ('this buffer is not a file (buftype=%s)'):format(bo.buftype), 'Open a transcript and run this again'
  end
  local filetypes = client_config and client_config.filetypes or {}
  if not vim.list_contains(filetypes, bo.filetype) then
    local wanted = table.concat(filetypes, ', ')
    return ('the file type is %s, not one of %s'):format(bo.filetype == '' and 'empty' or bo.filetype, wanted),
      {
        '`:setfiletype markdown` for a transcript, `:setfiletype jsonl` for a stream log',
        '`:filetype on`, if it is off',
      }
  end
  return 'the file type is supported, but there is no client', { '`:Chatls restart`', '`:Chatls log` shows errors' }
end

local function check_buffer(buffer, client_config)
  local name = vim.api.nvim_buf_get_name(buffer)
  health.start('chatls: the buffer ' .. (name == '' and '[No Name]' or shown(name)))
  health.info('file type: ' .. (vim.bo[buffer].filetype == '' and 'none' or vim.bo[buffer].filetype))
  local file = info.config_file(buffer)
  health.info('configuration: ' .. (file and shown(file) or 'no chatls.toml beside it or in a parent folder'))
  local client = server.client(buffer)
  if not client then
    local why, advice = why_not_attached(buffer, client_config)
    health.warn('chatls does not run here: ' .. why, advice)
    return
  end
  local version = vim.tbl_get(client, 'server_info', 'version') or 'unknown'
  health.ok(('client %d runs here: version %s, root %s'):format(client.id, version, client.root_dir or 'none'))
  local nameless = require('chatls.nameless').all(client)
  if #nameless > 1 and require('chatls.nameless').are_one() then
    health.warn(
      ('%d buffers have no name: Neovim gives them one URI, so the server sees only one'):format(#nameless),
      'Give all but one a name: `:file draft.md`'
    )
  end
  local missing = vim.tbl_filter(function(what) return not server.offers(client, what) end, {
    'toolUses',
    'transcript',
    'events',
    'export',
    'modelRequest',
    'compare',
    'foldingRanges',
    'nextToolUse',
    'newToolUse',
  })
  if #missing > 0 then
    health.warn('this server is older than the plugin and lacks ' .. table.concat(missing, ', '), INSTALL[1])
  end
  check_folding(buffer)
end

-- Lists the servers and programs that run tools, without starting any.
local function check_runs(buffer)
  local client = server.client(buffer)
  if not client or not server.offers(client, 'run') then return end
  health.start('chatls: running calls')
  local uri = require('chatls.nameless').uri(buffer)
  local params = { command = 'chatls.servers', arguments = { { uri = uri } } }
  local answer, why = server.request_now(client, 'workspace/executeCommand', params, buffer)
  if not answer then return health.warn('the servers of tools are not known: ' .. why) end
  for _, it in ipairs(answer.servers) do
    local words = require('chatls.tool_servers').headline(it)
    if it.state == 'unusable' or it.state == 'failed' then
      health.warn(words .. (it.reason and ': ' .. it.reason or ''), '`:Chatls servers` shows more')
    else
      health.info(words)
    end
  end
  if #answer.servers == 0 then health.info('no server or program is configured: `[servers.NAME]` in a chatls.toml') end
end

local function check_logs(command)
  health.start('chatls: logs')
  local own = info.log_file(command)
  health.info(own and 'of the server: ' .. shown(own) or 'of the server: none (`--log-file FILE` in `cmd` creates one)')
  health.info('of Neovim: ' .. shown(info.neovims_log()))
end

-- `:checkhealth` shows its report in a buffer of its own, so the previous buffer is checked.
local function buffer_that_is_meant()
  local buffer = vim.api.nvim_get_current_buf()
  if not vim.startswith(vim.api.nvim_buf_get_name(buffer), 'health:') then return buffer end
  local before = vim.fn.bufnr('#')
  return before > 0 and vim.api.nvim_buf_is_loaded(before) and before or nil
end

function M.check()
  local client_config = vim.lsp.config[server.NAME]
  local command = client_config and client_config.cmd
  check_neovim()
  if check_program(command) then check_start(command) end
  check_enabled()
  local buffer = buffer_that_is_meant()
  if buffer then
    check_buffer(buffer, client_config)
    check_runs(buffer)
  end
  check_logs(command)
end

return M
