-- docs/promises.md: what was dumped by 1.0 is loaded by every 1.x, and each name that 1.0 had stays. The dumps lie in
-- spec/dumps as they were written, in hexadecimal digits; what they were made of is made here anew. Beside them lie the
-- calls with their arguments, the fields and the values of options. None of that is ever made anew: ASTAR_WRITE_DUMPS=1
-- did it, of the grids and the graph with 1.0.0-rc, of the rest with 1.0.0.

local astar = require "astar"
local process = require "spec.support.process"

local MAKERS = {}

function MAKERS.grid()
  local grid = astar.grid("..,,\n.#.~\n..,.\n", {
    terrain = { ["."] = 1, [","] = 2.5, ["#"] = false, ["~"] = 1000 }, origin = { -3, 7 },
  })
  grid:block(-3, 9, 2, 1)
  grid:link(-3, 7, 0, 9, { cost = 2, label = "stairs" })
  grid:link(0, 7, -2, 9, { cost = 1, one_way = true })
  grid:wall(-1, 8, "east")
  return grid
end

function MAKERS.hexagons()
  local grid = astar.grid(5, 4, {
    shape = "hex", offset = "even_q", terrain = { [1] = 1, [2] = 3, [true] = false }, fill = 1,
  })
  grid:set(2, 2, 2)
  grid:set(3, 3, true)
  grid:block(5, 4)
  return grid
end

function MAKERS.graph()
  local graph = astar.graph()
  graph:node("gate", 0, 0)
  graph:node(7, 3, 4)
  graph:node("tower", 6, 0)
  graph:edge("gate", 7)
  graph:edge(7, "tower", { cost = 9, label = "road", one_way = true })
  return graph
end

local function yard()
  return astar.grid("......\n.##.#.\n......\n......\n"):finder { diagonals = "if_at_most_one_obstacle" }
end

-- In a curve, in mid-step.
function MAKERS.walker()
  local walker = astar.walker(yard():find_path(1, 1, 6, 3), { speed = 2, turn = 3, corner = 0.3 })
  walker:update(1.2)
  return walker
end

-- Units of two sides and two paces, one sent, one after another, one that only stands there.
function MAKERS.crowd()
  local crowd = astar.crowd(yard(), { seed = 7 })
  local first, second = crowd:add(1, 1, { side = "red" }), crowd:add(6, 4, { period = 2 })
  crowd:add(3, 3)
  first:go(6, 3)
  second:chase(first, { range = 1 })
  crowd:update(1.3)
  return crowd
end

local LOAD = {
  grid = astar.load, hexagons = astar.load, graph = astar.graph.load,
  walker = function(dump) return astar.load_walker(dump, yard()) end,
  crowd = function(dump) return astar.load_crowd(dump, yard()) end,
}

local function file_of(name)
  return "spec/dumps/" .. name .. "-1.0.txt"
end

local function write(name, bytes)
  local digits = bytes:gsub(".", function(c) return ("%02x"):format(c:byte()) end)
  local file = assert(io.open(file_of(name), "w"))
  file:write((digits:gsub(("."):rep(64), "%0\n")), "\n")
  file:close()
end

local function read(name)
  local file = assert(io.open(file_of(name)))
  local digits = file:read("*a"):gsub("%s", "")
  file:close()
  return (digits:gsub("..", function(two) return string.char(tonumber(two, 16)) end))
end

describe("a dump that 1.0 wrote", function()
  for name, make in pairs(MAKERS) do
    it("can be loaded by this version: " .. name, function()
      if os.getenv "ASTAR_WRITE_DUMPS" then write(name, make():dump()) end
      local loaded = LOAD[name](read(name))
      assert.equal(make():dump(), loaded:dump())
    end)
  end
end)

describe("a dump of a later version", function()
  it("raises an error because the version number of the dump is unknown", function()
    local grid, graph = MAKERS.grid():dump(), MAKERS.graph():dump()
    local later_grid, of_grid = grid:gsub("^(astar grid )%d", "%19")
    local later_graph, of_graph = graph:gsub("^(astar graph )%d", "%19")
    assert.equal(2, of_grid + of_graph)
    local ok, message = pcall(astar.load, later_grid)
    assert.is_false(ok)
    assert.is_truthy(message:find("not a grid's dump", 1, true))
    ok, message = pcall(astar.graph.load, later_graph)
    assert.is_false(ok)
    assert.is_truthy(message:find("not a graph's dump", 1, true))
  end)
end)

-- What the annotations name: "Grid:set(x, y, key)", "GridOptions.fill", "Shape hex". `lists` are the arguments by call.
local function read_names()
  local names, lists, class = {}, {}, nil
  for line in io.lines "lua/astar/core.d.lua" do
    local call, arguments = line:match "^function ([%w_.:]+)(%b())"
    local alias, values = line:match "^%-%-%-@alias astar%.(%w+) (.*)"
    class = line:match "^%-%-%-@class ([%w_.]+)" or (line:find "^%-%-%-" and class) or nil
    local field = class and line:match "^%-%-%-@field ([%a_][%w_]*)"
    if call then
      names[#names + 1], lists[call] = call .. arguments, arguments:sub(2, -2) .. ","
    elseif field then
      names[#names + 1] = class:gsub("^astar%.", "") .. "." .. field
    elseif alias then
      for value in values:gmatch '"([^"]*)"' do names[#names + 1] = alias .. " " .. value end
    end
  end
  return names, lists
end

describe("a name that 1.0 had", function()
  local FILE = "spec/dumps/names-1.0.txt"

  it("still exists, and its new arguments only follow its old arguments", function()
    local names, lists = read_names()
    if os.getenv "ASTAR_WRITE_DUMPS" then
      local file = assert(io.open(FILE, "w"))
      file:write(table.concat(names, "\n"), "\n")
      file:close()
    end
    local is_there, count, missing = {}, 0, {}
    for _, name in ipairs(names) do is_there[name] = true end
    for name in io.lines(FILE) do
      local call, arguments = name:match "^([^(]+)(%b())"
      local now, before = lists[call], call and arguments:sub(2, -2) .. ","
      if call and now and before ~= "," then
        is_there[name] = now:sub(1, #before) == before
      elseif call then
        is_there[name] = now ~= nil
      end
      if not is_there[name] then missing[#missing + 1] = name end
      count = count + 1
    end
    assert.same({}, missing)
    assert.is_true(count > 500, count)
  end)

  it("has no second name, and a call by the name prints nothing on stderr", function()
    local grid = MAKERS.grid()
    local finder = grid:finder()
    local of_class = { Grid = grid, Finder = finder, Flow = finder:flow(0, 7), Path = finder:find_path(-3, 7, 0, 7),
      Field = astar.field(2, 2), Graph = MAKERS.graph(), Queue = astar.queue() }
    local _, lists = read_names()
    local seen, count, twice = {}, 0, {}
    for call in pairs(lists) do
      local class, name = call:match "^(%w+):([%w_]+)$"
      local ok, method = pcall(function() return of_class[class][name] end)
      if of_class[class] and ok then
        local key = class .. tostring(method)
        if seen[key] then twice[#twice + 1] = call .. " and " .. seen[key] end
        seen[key], count = call, count + 1
      end
    end
    assert.same({}, twice)
    assert.is_true(count > 100, count)
    assert.equal("", (process.run [[
      local grid = astar.grid(9, 9)
      grid:find_path(1, 1, 9, 9)
      for _, name in ipairs { "graph", "floors", "movingai", "tiled", "queue", "walker" } do local _ = astar[name] end
    ]]))
  end)
end)
