-- chatls in a real Neovim: runs the tests of the files beside this one, in which one test starts one Neovim.
--
-- nvim --clean --headless -l e2e.lua DATA [FILTER], with HOME prepared by run.sh.

local here = vim.fs.dirname(vim.fs.abspath(arg[0]))
local Editor = dofile(vim.fs.joinpath(here, 'editor.lua'))
local data, filter = arg[1], arg[2] or ''

local tests = {}
local function test(name, run) table.insert(tests, { name = name, run = run }) end

-- A copy of a file of `data`, or of `text`, in the working folder; returns its name.
local function copy(name, text)
  vim.fn.mkdir(vim.fs.dirname(vim.fs.abspath(name)), 'p')
  local file = assert(io.open(name, 'wb'))
  file:write(text or assert(io.open(vim.fs.joinpath(data, name), 'rb')):read('a'))
  file:close()
  return name
end

local function read(name)
  return vim.split(assert(io.open(vim.fs.joinpath(data, name), 'rb')):read('a'):gsub('\n$', ''), '\n')
end

local function all_of(name) dofile(vim.fs.joinpath(here, name .. '.lua'))(test, Editor, copy, read) end

vim.iter({ 'faults', 'batches', 'growing', 'files', 'shown', 'writing', 'ranges' }):each(all_of)
vim.iter({ 'ordinary', 'remembering', 'streaming', 'chats', 'long', 'typing' }):each(all_of)
vim
  .iter({ 'commands', 'moving', 'folding', 'views', 'agents', 'repairing', 'running', 'passing_on', 'plugin', 'shipping' })
  :each(all_of)

-- In all tests: Neovim logged no protocol error, and the server no warning.
test('nothing went wrong unseen', function()
  local log = io.open(vim.fs.joinpath(vim.env.HOME, '.local/state/nvim/lsp.log'))
  for line in assert(log, 'Neovim wrote no log'):lines() do
    -- Neovim complains of itself where it cancels what was answered a moment before.
    local late = line:find('Cannot find request with id %d+ whilst attempting to cancel')
    -- Neovim requests semantic tokens after a pause, even if the server is shutting down.
    late = late or line:find('"semantic_tokens"%s+{ code = %-32600, message = "shut down"')
    assert(late or not line:find('^%[ERROR%]') and not line:find('^%[WARN%]'), line)
  end
end)

-- Here things go wrong on purpose.
all_of('health')

-- From here on: run the tests.
local function say(...) io.stdout:write(string.format(...), '\n') end

local passed, failed = 0, 0
for _, it in ipairs(tests) do
  if it.name:find(filter) then
    local started = vim.uv.hrtime()
    Editor.last = nil
    local fine, fault = xpcall(
      it.run,
      function(fault) return type(fault) == 'string' and fault or vim.inspect(fault) end
    )
    local picture = Editor.last and Editor.last:picture() or '  no editor'
    if Editor.last then
      local ended, why = pcall(Editor.stop, Editor.last)
      if not ended then
        fine, fault = false, why
      end
    end
    local took = math.floor((vim.uv.hrtime() - started) / 1e6)
    if fine then
      passed = passed + 1
      say('ok      %s (%d ms)', it.name, took)
    else
      failed = failed + 1
      say('FAILED  %s (%d ms)\n%s\n%s', it.name, took, fault, picture)
    end
  end
end
say('%d passed, %d failed', passed, failed)
os.exit(failed == 0 and passed > 0 and 0 or 1)
