-- Checks the maps of bench/, and that the programs of bench/ run. No spec checks how fast they are.

local astar = require "astar"
local full = require "spec.support.full"
local maps = require "bench.maps"

local LUAS = { "lua5.1", "lua5.2", "lua5.3", "lua5.4", "lua5.5", "luajit" }

local function quoted(word)
  return "'" .. word:gsub("'", "'\\''") .. "'"
end

-- Returns the output of a shell command, including progress and errors, and its exit code.
local function run(command)
  local process = assert(io.popen(command .. " 2>&1; echo status $?"))
  local output, status = process:read("*a"):match "^(.*)status (%d+)%s*$"
  process:close()
  return (output:gsub("\r", "\n")), tonumber(status)
end

-- Returns a shell command that starts the Lua interpreter of this run with the same paths.
local function lua_command()
  local interpreter = os.getenv "ASTAR_LUA"
  if not interpreter then
    local first = 0
    while arg[first - 1] do first = first - 1 end
    interpreter = arg[first]
  end
  local paths = ("package.path = %q package.cpath = %q"):format(package.path, package.cpath)
  return interpreter .. " -e " .. quoted(paths)
end

-- Every folder below bench/ holds sections, except for that of targets.
local LIST_SECTIONS = "ls bench/*/*.lua | grep -v ^bench/targets/"

local function bench(arguments)
  return run(lua_command() .. " bench/bench.lua quick " .. arguments)
end

-- Returns a name that no file has yet.
local function temporary_name()
  local name = os.tmpname()
  os.remove(name)
  return name
end

local function write_file(name, text)
  local file = assert(io.open(name, "wb"))
  file:write(text)
  file:close()
end

local function read_file(name)
  local file = assert(io.open(name, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

local function first_free(rows)
  for y, row in ipairs(rows) do
    local x = row:find "[^#]"
    if x then return x, y end
  end
end

-- Returns the number of free cells, and the number of those that straight steps reach from the first free cell.
local function count_free(rows)
  local free, met = 0, 0
  for _, row in ipairs(rows) do free = free + #row:gsub("#", "") end
  local seen, waiting = {}, {}
  local function meet(x, y)
    local row, id = rows[y], y * 1000 + x
    if not row or x < 1 or x > #row or row:sub(x, x) == "#" or seen[id] then return end
    seen[id] = true
    met = met + 1
    waiting[#waiting + 1] = { x, y }
  end
  meet(first_free(rows))
  while #waiting > 0 do
    local cell = table.remove(waiting)
    local x, y = cell[1], cell[2]
    meet(x + 1, y)
    meet(x - 1, y)
    meet(x, y + 1)
    meet(x, y - 1)
  end
  return free, met
end

describe("bench.maps", function()
  for _, kind in ipairs(maps.kinds) do
    describe(kind.name, function()
      local sizes = { { 40, 30 }, { 33, 64 }, { 100, 100 } }

      it("makes maps of the requested size with at least a tenth of free cells", function()
        for _, size in ipairs(sizes) do
          local rows = kind.make(3, size[1], size[2])
          assert.equal(size[2], #rows)
          for _, row in ipairs(rows) do assert.equal(size[1], #row) end
          assert.is_true(count_free(rows) >= size[1] * size[2] / 10)
        end
      end)

      it("makes maps whose free cells are connected by straight steps", function()
        for seed = 1, 8 do
          local rows = kind.make(seed, 50, 40)
          local free, met = count_free(rows)
          assert.equal(free, met, "seed " .. seed)
          assert.equal(1, maps.parts(rows), "seed " .. seed)
        end
      end)

      it("can make maps of any size", function()
        for width = 1, 12 do
          for height = 1, 12 do
            local rows = kind.make(1, width, height)
            assert.equal(height, #rows)
            assert.equal(width, #rows[height])
            assert.is_true(maps.parts(rows) <= 1)
          end
        end
      end)

      it("makes the same map from the same seed, and another map from another seed", function()
        local rows = kind.make(5, 60, 50)
        assert.same(rows, kind.make(5, 60, 50))
        if kind.name ~= "open" then assert.not_same(rows, kind.make(6, 60, 50)) end
      end)

      it("makes the same walls with several terrain costs as with one", function()
        local rows = kind.make(2, 70, 50)
        local rough = maps.weighted(4, rows)
        assert.same(rough, maps.weighted(4, rows))
        for y, row in ipairs(rough) do
          assert.equal(rows[y], (row:gsub("[^#]", ".")))
        end
        local grid = astar.grid(rough, { terrain = maps.terrain })
        local x, y = first_free(rows)
        assert.is_true(grid:is_walkable(x, y))
      end)
    end)
  end

  it("counts the components of a map that is not connected", function()
    assert.equal(2, maps.parts { "..#.", ".##." })
    assert.equal(2, maps.parts { ".#", "#." })
    assert.equal(1, maps.parts { "...", ".#.", "..." })
    assert.equal(0, maps.parts { "##" })
  end)

  it("refuses an unknown kind of map", function()
    assert.has_error(function() maps.kind "hills" end, "no kind of map is called hills")
  end)

  describe("on every Lua", function()
    local code = [[
      package.path = "./?.lua;" .. package.path
      local maps, hash = require "bench.maps", 0
      for _, kind in ipairs(maps.kinds) do
        local text = table.concat(maps.weighted(9, kind.make(11, 90, 70)))
        for i = 1, #text do hash = (hash * 4099 + text:byte(i)) % 2147483647 end
      end
      print(("%.0f"):format(hash))
    ]]
    local expected

    setup(function()
      expected = run(lua_command() .. " -e " .. quoted(code))
      assert(expected:find "^%d+%s*$", expected)
    end)

    for _, lua in ipairs(LUAS) do
      it("returns the same maps on " .. lua, function()
        local output, status = run(lua .. " -e " .. quoted(code))
        if status == 127 then
          pending(lua .. " is not installed")
          return
        end
        assert.equal(expected, output)
      end)
    end
  end)
end)

describe("bench/bench.lua", function()
  it("runs only the sections of the bench that are named", function()
    local only, code = bench "noroute"
    assert.equal(0, code, only)
    assert.matches("start=goal ns", only)
    assert.not_matches("us/query", only)
  end)

  it("lists the valid arguments of the bench if it is given an unknown argument", function()
    for _, wrong in ipairs { "colour=red", "every=0", "rounds=x", "--help" } do
      local message, code = bench(wrong)
      assert.equal(2, code)
      assert.matches("unknown argument " .. wrong:gsub("%-", "%%-") .. "\nusage: ", message)
    end
  end)

  it("reports a folder without scenarios", function()
    local message, code = bench "maps ./no/such/folder"
    assert.equal(2, code)
    assert.matches("no Moving AI scenario files %(%*%.scen%) under %./no/such/folder", message)
  end)
end)

full.only(describe)("bench/bench.lua, all of it,", function()
  local output, status, csv

  setup(function()
    local name = temporary_name()
    output, status = bench("csv=" .. name)
    csv = read_file(name)
    os.remove(name)
  end)

  it("exits without an error when the whole bench runs", function()
    assert.equal(0, status, output)
  end)

  it("prints one row of figures per map", function()
    for _, kind in ipairs(maps.kinds) do
      assert.matches("\n" .. kind.name:gsub("%-", "%%-") .. "%-48 +12 +0 +%d", output)
    end
    assert.matches("\nall %(ratio: geometric mean%) +96 +0 +%d", output)
  end)

  local rows = {
    binding = { "find_path, start = goal", "#path", "cells%(%), per cell" },
    callbacks = { "data", "cost", "step_cost", "heuristic" },
    games = { "open%-48", "caves%-48", "city%-48" },
    edits = { "open", "caves", "rooms", "city" },
    held = { "open 48", "caves 48", "rooms 64" },
    dropped = { "caves 48" },
    noroute = { "open", "maze%-8", "city" },
    growth = { "caves 32", "caves 64", "rooms 32", "rooms 64" },
    weighted = { "caves", "field%-35", "city", "patches 20, caves", "noise 10 %%" },
    repair = { "open, 10 %%", "city, 90 %%" },
    tactics = { "fov 12, caves", "blockers, two walls", "suppose_blocked, 512", "min_cut, 256" },
    cores = { "caves 48, 0", "city 48, 4" },
    sharing = { "caves 48, shared" },
    choice = { "32, 10 %%, eight moves", "64, 40 %%, four moves" },
    patches = { "open, 12, eight moves, far", "city, 80, four moves, near" },
  }
  for section, names in pairs(rows) do
    it("prints and writes the section " .. section, function()
      for _, name in ipairs(names) do
        assert.matches("\n" .. name .. " +%-?%d", output)
        assert.matches("\n[^,]+," .. section .. ",\"?" .. name .. "[^\n]*,[^,\n]+\n", csv)
      end
    end)
  end

  local TARGET, MEMORY = "\n%d %%l[^\n]+ %%-?%%d+%%.%%d%%d [^\n]*%%f[%%a]m[ei][ts]", 7

  it("prints each target beside the measured value, and says whether the target is met", function()
    for target = 1, 12 do
      if target ~= MEMORY then assert.matches(TARGET:format(target), output) end
    end
    assert.matches("\n%d+ of %d+ rows are met%.", output)
  end)

  it("prints the memory target if the system reports the memory in use", function()
    if not io.open "/proc/self/statm" then return pending "there is no /proc here to read the memory used from" end
    assert.matches(TARGET:format(MEMORY), output)
  end)

  it("measures a single target", function()
    local only, code = bench "targets target=queue"
    assert.equal(0, code, only)
    assert.matches("\n10 searches that far edits restart", only)
    assert.not_matches("\n1 without baked data", only)
  end)

  it("draws how times grow with the size of the map", function()
    assert.matches("\ncaves, microseconds\n.*\n +us %+%-%-.*\n +32 +64 cells wide\n +1  first query\n", output)
  end)

  it("prints the longest frame of each kind of work", function()
    for _, kind in ipairs { "jps", "four moves", "size 2", "partial" } do
      assert.matches("\ncaves +48 " .. kind .. " +%d", output)
    end
  end)

  it("has a section for each file of the folder bench", function()
    local message = bench "--help"
    local listing = run(LIST_SECTIONS)
    for name in listing:gmatch "([%w_]+)%.lua\n" do
      assert.matches(" " .. name .. "%f[^%w_]", message:match "sections:.*")
    end
    assert.matches("sections/maps%.lua", listing)
    assert.matches("crowd/beats%.lua", listing)
  end)

  it("reports a section whose file is missing", function()
    local listing = run(LIST_SECTIONS)
    for name in bench("--help"):match("sections:([^\n]*)"):gmatch "[%w_]+" do
      if not listing:find("/" .. name .. ".lua", 1, true) then
        local only, code = bench(name)
        assert.equal(0, code, only)
        assert.matches("section " .. name .. " is not run", only)
      end
    end
  end)

  it("shows the progress of the bench", function()
    assert.matches("\nmaking ", output)
  end)
end)

describe("a folder of maps", function()
  local folder

  -- Writes a map with one query from corner to corner. 'length' is the path length in the scenario file.
  local function write_scenario(length)
    local name = folder .. "/four.map"
    astar.movingai.write_map(astar.grid("....\n.##.\n...."), name)
    write_file(name .. ".scen",
      "version 1\n0\tfour.map\t4\t3\t0\t0\t3\t2\t" .. length .. "\n")
  end

  setup(function()
    folder = temporary_name()
    assert(run("mkdir " .. quoted(folder)))
  end)

  teardown(function()
    run("rm -r " .. quoted(folder))
  end)

  for _, program in ipairs { "bench/bench.lua quick maps", "bench/benchmarks.lua" } do
    it("is solved correctly by the program " .. program, function()
      write_scenario "5"
      local output, status = run(lua_command() .. " " .. program .. " " .. folder)
      assert.equal(0, status, output)
      assert.matches("\nfour +1 +0 ", output)
    end)

    it("causes exit code 1 if a path length is wrong, in " .. program, function()
      write_scenario "4"
      local output, status = run(lua_command() .. " " .. program .. " " .. folder)
      assert.equal(1, status, output)
      assert.matches("four: %(0, 0%) to %(3, 2%): expected length 4, got length 5", output)
      assert.matches("four +1 +1 ", output)
    end)
  end
end)

describe("bench/plot.lua", function()
  local folder

  setup(function()
    folder = temporary_name()
    assert(run("mkdir " .. quoted(folder)))
  end)

  teardown(function()
    run("rm -r " .. quoted(folder))
  end)

  it("draws ratios and growth of measured times", function()
    local csv = folder .. "/results.csv"
    local output, status = bench("maps growth csv=" .. csv)
    assert.equal(0, status, output)
    output, status = run(lua_command() .. " bench/plot.lua -o " .. folder .. " " .. csv)
    assert.equal(0, status, output)
    assert.matches("<svg", read_file(folder .. "/ratios.svg"))
    assert.matches("caves, plain A%*", read_file(folder .. "/growth.svg"))
  end)

  it("prints the usage of the script if called without arguments", function()
    local output, status = run(lua_command() .. " bench/plot.lua")
    assert.equal(2, status)
    assert.matches("^usage: bench/plot.lua ", output)
  end)

  it("raises an error that names a file that it cannot read", function()
    local output, status = run(lua_command() .. " bench/plot.lua ./no/such.csv")
    assert.equal(1, status)
    assert.matches("cannot read %./no/such%.csv", output)
  end)
end)

describe("bench/pages.lua", function()
  local folder, page, csv

  local PAGE = "# page\n\n<!-- bench: missed -->\n<!-- end -->\nkept\n<!-- bench: targets -->\nold\n"
    .. "<!-- end -->\n<!-- bench: growth -->\nstays\n<!-- end -->\n"
  local NUMBERS = [[
lua,section,row,measure,value
Lua 5.4,targets,"3 odd, here: times A*",at most,1.1
Lua 5.4,targets,"3 odd, here: times A*",measured,1.375
Lua 5.4,targets,"3 odd, here: times A*",verdict,missed by a factor of 1.25
Lua 5.4,targets,"1 a ""small"" thing, us",at most,3
Lua 5.4,targets,"1 a ""small"" thing, us",measured,2.5
Lua 5.4,targets,"1 a ""small"" thing, us",A* most,60
Lua 5.4,targets,"1 a ""small"" thing, us",A*,47
Lua 5.4,targets,"1 a ""small"" thing, us",verdict,met
]]
  local WRITTEN = "# page\n\n<!-- bench: missed -->\n\nLua 5.4: 1 of 2 rows meet their target. These rows miss it:\n\n"
    .. "- target 3: odd, here: times A\\*: missed by a factor of 1.25\n\n"
    .. "<!-- end -->\nkept\n<!-- bench: targets -->\n\n"
    .. "|  | target | aim | Lua 5.4 |\n| ---: | --- | --- | --- |\n"
    .. "| 1 | a \"small\" thing, us | at most 3 | 2.5 (47 of 60): met |\n"
    .. "| 3 | odd, here: times A\\* | at most 1.1 | 1.38: **missed by a factor of 1.25** |\n\n"
    .. "<!-- end -->\n<!-- bench: growth -->\nstays\n<!-- end -->\n"

  local function pages(arguments) return run(lua_command() .. " bench/pages.lua " .. arguments) end

  setup(function()
    folder = temporary_name()
    assert(run("mkdir " .. quoted(folder)))
    page, csv = folder .. "/page.md", folder .. "/results.csv"
    write_file(csv, NUMBERS)
  end)

  before_each(function() write_file(page, PAGE) end)

  teardown(function() run("rm -r " .. quoted(folder)) end)

  it("writes the measured figures between the markers, with the same result each time", function()
    for _ = 1, 2 do
      local output, status = pages(csv .. " " .. page)
      assert.equal(0, status, output)
      assert.equal(WRITTEN, read_file(page))
    end
  end)

  it("writes the figures of several Lua versions side by side", function()
    local other = folder .. "/other.csv"
    write_file(other, (NUMBERS:gsub("Lua 5.4", "LuaJIT")))
    assert.equal(0, select(2, pages(csv .. " " .. other .. " " .. page)))
    assert.matches("| Lua 5.4 | LuaJIT |\n", read_file(page), 1, true)
    assert.matches("| at most 3 | 2.5 (47 of 60): met | 2.5 (47 of 60): met |\n", read_file(page), 1, true)
  end)

  it("prints the usage of the script, and names files that it cannot read or use", function()
    local output, status = pages(csv)
    assert.equal(2, status)
    assert.matches("^usage: bench/pages.lua ", output)
    output, status = pages("./no/such.csv " .. page)
    assert.equal(1, status)
    assert.matches("cannot read %./no/such%.csv", output)
    write_file(page, "# a page without markers\n")
    output, status = pages(csv .. " " .. page)
    assert.equal(1, status)
    assert.matches("no numbers for", output)
  end)
end)
