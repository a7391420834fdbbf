-- docs/extending.md, held to its word, and the changes that the sources are built for: each of those diffs, and of
-- spec/changes/, fits a copy of the sources, takes few files, none of which can be forgotten, what they make compiles
-- without a warning, prints what the page says, and agrees with the oracles that they tell of it.

local documents = require "spec.support.documents"
local full = require "spec.support.full"
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
    it("has diffs that are checked", function() pending(missing) end)
    return
  end

  local PAGE = documents.read "docs/extending.md"
  local LUA = rawget(_G, "jit") and "luajit" or _VERSION:match "%d.%d"
  local CHANGES, MOST_FILES = {}, 5 -- beside specs
  local folder

  setup(function()
    folder = run "mktemp -d":match "%S+"
    assert.equal("", (run("cp -R Makefile src lua spec tools " .. folder)))
    for i, block in ipairs(documents.blocks(PAGE, "diff")) do
      CHANGES[i] = { name = i, text = documents.text_of(PAGE, block) .. "\n" }
    end
    -- A rule that is not symmetric, a shape of three sides, a layer with a job.
    for _, name in ipairs { "off_ledges", "triangles", "east_runs" } do
      local file = assert(io.open("spec/changes/" .. name .. ".diff", "rb"))
      CHANGES[#CHANGES + 1] = { name = name, text = file:read "*a" }
      file:close()
    end
    for _, change in ipairs(CHANGES) do write(("%s/%s.diff"):format(folder, change.name), change.text) end
  end)

  teardown(function()
    run("rm -rf " .. folder)
  end)

  -- Runs a command there, where git knows of no repository.
  local function run_there(command)
    return run(("cd %s && export GIT_DIR=/dev/null MAKEFLAGS= && %s"):format(folder, command))
  end

  -- The files of src/ and lua/ in a diff, and what of it is compiled by itself, programs of its spec, too.
  local function files_of(change)
    local files, sources = {}, {}
    for name in change.text:gmatch "\n%+%+%+ b/([^\n]+)" do
      if not name:find "^spec/" then files[#files + 1] = name end
      if name:find "%.c$" then sources[#sources + 1] = name end
    end
    return files, sources
  end

  it("shows diffs that git applies, that change few files, and that do not compile if a place is left out", function()
    assert.equal(2, #documents.blocks(PAGE, "diff"))
    for _, change in ipairs(CHANGES) do
      local files, sources = files_of(change)
      assert(#files >= 2 and #files <= MOST_FILES, change.name .. " takes " .. #files .. " files")
      for _, forgotten in ipairs(files) do
        -- A new source that is forgotten is missing where programs are linked, see below.
        local is_new = change.text:find("--- /dev/null\n+++ b/" .. forgotten, 1, true) and forgotten:find "%.c$"
        local apply = ("git apply --exclude='%s' %s.diff"):format(forgotten, change.name)
        assert.same({ "", 0 }, { run_there(apply) })
        local output, status = run_there("${CC:-cc} -std=c11 -Isrc -fsyntax-only " .. table.concat(sources, " "))
        local is_source = forgotten:find "^src/" and not is_new -- annotations are compared by docs_spec
        assert(is_new or not is_source == (status == 0), ("%s without %s: %s"):format(change.name, forgotten, output))
        assert.same({ "", 0 }, { run_there(apply .. " -R") })
      end
      assert.same({ "", 0 }, { run_there("git apply " .. change.name .. ".diff") })
    end
  end)

  full.only(it)("shows code that compiles without a warning", function()
    local output, status = run_there("make -s -j2 WHOLE=1 WERROR=1 CFLAGS=-O0 LUA=" .. LUA)
    assert(status == 0, output)
  end)

  full.only(it)("prints the output that the page shows", function()
    for _, block in ipairs(documents.blocks(PAGE, "lua new")) do
      local text = 'local astar = require "astar"\n' .. documents.text_of(PAGE, block)
      local promised = text:gsub("[^\n]*\n", function(line) return not line:find "^%-%->" and "" or nil end)
      write(folder .. "/page.lua", text)
      local printed = run_there(("LUA_PATH='./lua/?.lua;./lua/?/init.lua' LUA_CPATH='build/whole/%s/?.so' %s page.lua")
        :format(LUA, process.interpreter()))
      assert.equal(promised:gsub("%-%-> ?", ""):gsub("[ \t\n]+", " "), (printed:gsub("[ \t\n]+", " "):gsub(" $", "")))
    end
  end)

  full.only(it)("results in rules, shapes and layers that give the oracle's routes", function()
    for _, name in ipairs { "differential", "links_and_walls_random", "flow_random" } do
      local output = run_there(("ASTAR_MAPS=200 make -s spec WHOLE=1 LUA=%s CFLAGS=-O0 WERROR=1 SPEC=spec/%s_spec.lua")
        :format(LUA, name))
      assert(output:find "\n%d+ passed, 0 failed", output)
    end
    local output = run_there("ASTAR_MAPS=400 make -s spec WHOLE=1 CFLAGS=-O0 WERROR=1 SPEC=spec/hex_spec.lua "
      .. "BUSTED_FLAGS=--filter=on.hexagons LUA=" .. LUA)
    assert(output:find "\n17 passed, 0 failed", output)
  end)

  full.only(it)("results in a layer with a job that follows edits, and no program links without the layer", function()
    local make = "make -s build/whole/core/bin/unit/east_runs WHOLE=1 CFLAGS=-O0 WERROR=1"
    local output, status = run_there(make .. " && build/whole/core/bin/unit/east_runs")
    assert(status == 0 and output:find " checks, 0 failures", output)
    output, status = run_there("rm src/layers/east_runs.c build/whole/libastar.a && " .. make)
    assert(status ~= 0 and output:find "undefined reference", output)
  end)

  full.only(it)("results in rules that also work in worlds", function()
    for _, rule in ipairs { "over_ledges", "off_ledges" } do
      local output = run_there(("LUA_PATH='./?.lua;./lua/?.lua;./lua/?/init.lua' LUA_CPATH='build/whole/%s/?.so' "
        .. "%s spec/support/rule_in_worlds.lua %s 10"):format(LUA, process.interpreter(), rule))
      assert.equal("10 worlds, all right\n", output)
    end
  end)
end)
