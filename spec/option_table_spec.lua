-- The table of options, src/rules/options.def, against everything that follows from it or repeats it: the files that
-- `make options` writes, the C module, the annotations and the manual. Each failure names the option that is missing.

-- Loaded by setup, so that the first block names what is stale even if astar does not load with it.
local astar, core, plain, rows

local function read_file(name)
  local file = assert(io.open(name, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

local options = assert(loadfile "tools/options.lua")("as a module")

-- Returns the first lines in which two texts differ.
local function difference(text, other)
  local lines = other:gmatch "[^\n]*"
  for line in text:gmatch "[^\n]*" do
    local found = lines()
    if found ~= line then return ("%s\n  in the file: %s"):format(line, tostring(found)) end
  end
  return "the file is longer"
end

-- Values of an option that its kind allows, none of which is the default.
local function value_of(row)
  if row.kind == "flag" then return not row.otherwise end
  if row.kind == "name" then
    for _, name in ipairs(core.names_of and core.names_of(row.name) or {}) do
      if name ~= row.otherwise then return name end
    end
  end
  return row.least == row.otherwise and math.min(row.least + 1, row.most) or row.least
end

describe("what follows from the table of options", function()
  it("is in finder.h and option_table.lua, as `make options` writes them", function()
    for name, text in pairs(options.texts()) do
      local file = read_file(name)
      assert(text == file, ("%s differs from src/rules/options.def, run `make options`:\n  in the table: %s"):format(
        name, text ~= file and difference(text, file) or ""))
    end
  end)
end)

describe("the table of options", function()
  setup(function()
    astar, core, plain = require "astar", require "astar.load_core", require "astar.plain"
    rows = require "astar.option_table"
  end)

  it("lists the options that the annotations describe, and that the sources and the twin use", function()
    assert.same({}, options.problems())
  end)

  it("has the options that a query accepts, in the C module and in its twin", function()
    for name, module in pairs { ["the C module"] = astar, ["the twin"] = plain } do
      local finder = module.grid(3, 3):finder {}
      for _, row in ipairs(rows) do
        local is_known = true
        local ok, problem = pcall(finder.find_path, finder, 1, 1, 3, 3, { [row.name] = "no such value" })
        if not ok then is_known = not tostring(problem):find "unknown option" end
        local is_lacked = module == plain and row.twin == "R" -- the twin names the C module
        assert(is_lacked or is_known == (row.of_query or false), ("%s: is %s an option of a query? %s"):format(name,
          row.name, tostring(problem)))
      end
    end
  end)

  it("states the range and the default of each number, in the C module and in its twin", function()
    for name, module in pairs { ["the C module"] = astar, ["the twin"] = plain } do
      local grid = module.grid(3, 3)
      for _, row in ipairs(rows) do
        local function try(value)
          return pcall(grid.finder, grid, { [row.name] = value, cost = row.name == "min_cost" and math.max or nil,
            avoid = row.name == "avoid_weight" and module.field(grid) or nil })
        end
        if row.least and not (module == plain and row.twin == "R") then
          assert(try(row.least), ("%s: %s = %s, the least value"):format(name, row.name, row.least))
          assert(try(row.most), ("%s: %s = %s, the greatest value"):format(name, row.name, row.most))
          assert.is_false((try(row.least - 1)), name .. ": " .. row.name)
          if row.most < math.huge then assert.is_false((try(row.most * 2)), name .. ": " .. row.name) end
        end
      end
    end
  end)

  it("states what crowds, worlds, routes in time, flows and the twin refuse", function()
    local by_row = {}
    for _, row in ipairs((options.rows())) do by_row[row.lua or ""] = row end
    for _, row in ipairs(rows) do
      local value = row.kind ~= "own" and value_of(row)
      local grid = astar.grid(9, 9)
      local given = { [row.name] = value }
      if row.name == "heading" then given.bends = "fewest" end
      if row.name == "min_cost" or row.name == "dearer_only" then given.cost = math.max end
      if row.name == "avoid_weight" then given.avoid = astar.field(grid) end
      local is_alone = next(given, next(given)) == nil
      local finder = row.kind ~= "own" and is_alone and grid:finder(given)
      local function assert_refused(letter, what, ok, problem)
        local is_refused = not ok and tostring(problem):find(row.name, 1, true) ~= nil
        assert(is_refused == (letter == "R"), ("%s: %s says %s, options.def %s"):format(row.name, what,
          tostring(ok or problem), letter))
      end
      if finder then
        assert_refused(by_row[row.name].crowd, "astar.crowd", pcall(astar.crowd, finder))
        assert_refused(row.flow, "finder:flow", pcall(finder.flow, finder, { { 1, 1 } }))
        assert_refused(row.route, "schedule:find_path", pcall(function()
          return astar.schedule(grid):find_path(finder, 1, 1, 3, 3)
        end))
        local small = plain.grid(3, 3)
        assert_refused(row.twin, "the twin", pcall(small.finder, small, given))
      end
      if finder then
        local world = astar.world { terrain = { ["."] = 1 } }
        assert_refused(row.world == "Q" and "R" or row.world, "world:finder", pcall(world.finder, world, given))
      end
    end
  end)

  it("has the columns of the manual's table of algorithms", function()
    local page = read_file "docs/options.md":match "\n## What each algorithm.*"
    local table_rows, needs = {}, select(2, options.rows())
    for names, general, jpsw, jps in page:gmatch "\n| ([^|\n]+) | ([^|\n]+) | ([^|\n]+) | ([^|\n]+) |" do
      for name in names:gmatch "`([%l_]+)" do table_rows[name] = { general, jpsw, jps } end
    end
    local marks = { H = "●", R = "○" }
    for _, row in ipairs((options.rows())) do
      for _, need in ipairs(needs) do
        if row.need == need.name then
          local told = table_rows[row.name]
          assert(told, "docs/options.md: the table of algorithms lacks the option " .. row.name)
          assert(told[1] == marks[need.astar] and told[2] == marks[need.jpsw] and told[3] == marks[need.jps],
            "docs/options.md: the table of algorithms is wrong about the option " .. row.name)
        end
      end
    end
  end)
end)
