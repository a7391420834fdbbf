-- docs/extending.md, held to its word: its diffs fit a copy of the sources, what they make compiles without
-- a warning, prints what the page says, and agrees with the oracle that they tell of the rule.

local documents = require "spec.support.documents"
local process = require "spec.support.process"

local run = process.shell

local function write(name, text)
  local file = assert(io.open(name, "wb"))
  file:write(text)
  file:close()
end

describe("docs/extending.md", function()
  local missing = process.is_sanitized and "a sanitizer's runtime is in every program"
    or run "command -v git" == "" and "needs git"
  if missing then
    it("is followed", function() pending(missing) end)
    return
  end

  local PAGE = documents.read "docs/extending.md"
  local LUA = rawget(_G, "jit") and "luajit" or _VERSION:match "%d.%d"
  local folder

  setup(function()
    folder = run "mktemp -d":match "%S+"
    assert.equal("", (run("cp -R Makefile src lua spec tools " .. folder)))
    for i, block in ipairs(documents.blocks(PAGE, "diff")) do
      write(("%s/%d.diff"):format(folder, i), documents.text_of(PAGE, block) .. "\n")
    end
  end)

  teardown(function()
    run("rm -rf " .. folder)
  end)

  -- Runs a command there, where git knows of no repository.
  local function run_there(command)
    return run(("cd %s && export GIT_DIR=/dev/null MAKEFLAGS= && %s"):format(folder, command))
  end

  it("shows diffs that git applies", function()
    assert.equal(2, #documents.blocks(PAGE, "diff"))
    assert.same({ "", 0 }, { run_there "git apply 1.diff && git apply 2.diff" })
  end)

  it("shows code that compiles without a warning", function()
    local output, status = run_there("make -s -j2 WERROR=1 CFLAGS=-O0 LUA=" .. LUA)
    assert(status == 0, output)
  end)

  it("prints what it says", function()
    for _, block in ipairs(documents.blocks(PAGE, "lua new")) do
      local text = 'local astar = require "astar"\n' .. documents.text_of(PAGE, block)
      local promised = text:gsub("[^\n]*\n", function(line) return not line:find "^%-%->" and "" or nil end)
      write(folder .. "/page.lua", text)
      local printed = run_there(("LUA_PATH='./lua/?.lua;./lua/?/init.lua' LUA_CPATH='build/%s/?.so' %s page.lua")
        :format(LUA, process.interpreter()))
      assert.equal(promised:gsub("%-%-> ?", ""):gsub("[ \t\n]+", " "), (printed:gsub("[ \t\n]+", " "):gsub(" $", "")))
    end
  end)

  it("makes what agrees with the oracle", function()
    for _, name in ipairs { "differential", "links_and_walls_random", "flow_random" } do
      local output = run_there(("ASTAR_MAPS=200 make -s spec LUA=%s CFLAGS=-O0 WERROR=1 SPEC=spec/%s_spec.lua")
        :format(LUA, name))
      assert(output:find "\n%d+ passed, 0 failed", output)
    end
  end)
end)
