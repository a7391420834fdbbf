-- docs/extending.md and the changes for which the sources are built. Each diff of the page and of spec/changes/ is
-- applied to a copy of the sources. It changes few files, and a forgotten file is reported. The copy compiles without a
-- warning, prints what the page shows, and gives the answers of the oracles.

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

  -- Returns the files of src/ and lua/ in a diff, and its C files that compile without the headers of Lua, programs of
  -- specs included.
  local function files_of(change)
    local files, sources = {}, {}
    for name in change.text:gmatch "\n%+%+%+ b/([^\n]+)" do
      if not name:find "^spec/" then files[#files + 1] = name end
      if name:find "%.c$" and not name:find "^src/binding/" then sources[#sources + 1] = name end
    end
    return files, sources
  end

  -- Applies a change without one of its files, and returns what the compiler reports. If the change adds an option, the
  -- function also returns what the check of the options reports.
  local function problems_without(change, forgotten)
    local _, sources = files_of(change)
    local apply = ("git apply --exclude='%s' %s.diff"):format(forgotten, change.name)
    local write_options = change.text:find("+++ b/src/rules/options.def", 1, true)
      and process.interpreter() .. " tools/options.lua" or nil
    assert.same({ "", 0 }, { run_there(apply) })
    if write_options then assert.same({ "", 0 }, { run_there(write_options) }) end
    local compiled, status = "", 0
    if #sources > 0 then
      compiled, status = run_there("${CC:-cc} -std=c11 -Isrc -fsyntax-only " .. table.concat(sources, " "))
    end
    local checked = write_options and run_there(write_options .. " --check") or ""
    assert.same({ "", 0 }, { run_there(apply .. " -R") })
    if write_options then assert.same({ "", 0 }, { run_there(write_options) }) end
    return (status ~= 0 and compiled or "") .. checked, write_options ~= nil
  end

  -- Returns true for a new C file. If it is forgotten, the linker reports it, see below.
  local function is_new_source(change, file)
    return change.text:find("--- /dev/null\n+++ b/" .. file, 1, true) ~= nil and file:find "%.c$" ~= nil
  end

  -- Returns true if the compiler or the check of the options must report a forgotten file. The specs docs_spec and
  -- plain_spec report annotations and functions of Lua that are missing.
  local function must_be_reported(file, adds_option)
    return adds_option or file:find "^src/" ~= nil and not file:find "^src/binding/"
  end

  it("shows diffs that git applies, that change few files, and each of whose files is reported if forgotten", function()
    assert.equal(4, #documents.blocks(PAGE, "diff"))
    for _, change in ipairs(CHANGES) do
      local files = files_of(change)
      assert(#files >= 2 and #files <= MOST_FILES, change.name .. " takes " .. #files .. " files")
      for _, forgotten in ipairs(files) do
        if not is_new_source(change, forgotten) then
          local problems, adds_option = problems_without(change, forgotten)
          assert.equal(must_be_reported(forgotten, adds_option), problems ~= "",
            ("%s without %s: %s"):format(change.name, forgotten, problems))
        end
      end
      assert.same({ "", 0 }, { run_there("git apply " .. change.name .. ".diff") })
    end
    local output, status = run_there "${CC:-cc} -std=c11 -Isrc -fsyntax-only src/rules/options.c"
    assert(status ~= 0 and output:find "no member named[^\n]*max_cells", output)
    assert.same({ "", 0 }, { run_there(process.interpreter() .. " tools/options.lua") })
    assert.same({ "", 0 }, { run_there(process.interpreter() .. " tools/options.lua --check") })
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

  full.only(it)("results in a heuristic, an option and a method whose answers plain programs confirm", function()
    local output, status = run_there(("LUA_PATH='./?.lua;./lua/?.lua;./lua/?/init.lua' LUA_CPATH='build/whole/%s/?.so' "
      .. "%s spec/changes/ask.lua heuristic query_option path_method"):format(LUA, process.interpreter()))
    assert(status == 0 and output:find "path_method: right", output)
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
