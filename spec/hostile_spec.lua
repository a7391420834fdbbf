-- Data altered at random: an error that says so or a grid that is right, and never a crash, nor
-- time or memory without bounds. ASTAR_SEED begins elsewhere, ASTAR_MAPS=100000 goes on for longer.

local astar = require "astar"
local alter = require "spec.support.alter"
local forge = require "spec.support.forge"
local random = require "spec.support.random"
local times = require "spec.support.times"

local FIRST_SEED = tonumber(os.getenv "ASTAR_SEED") or 1
local TIMES = times("ASTAR_MAPS", 3000)

-- body(r) for seeds in a row.
local function each_seed(body)
  for seed = FIRST_SEED, FIRST_SEED + TIMES - 1 do
    local ok, problem = pcall(body, random.new(seed))
    if not ok then error(("seed %d: %s"):format(seed, tostring(problem)), 0) end
  end
end

local function read_file(name)
  local file = assert(io.open(name, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

-- A grid that came of altered data is as good as any.
local function assert_good(grid)
  local width, height = grid:size()
  local x0, y0, x1, y1 = grid:bounds()
  assert(x1 - x0 + 1 == width and y1 - y0 + 1 == height, "bounds and size differ")
  local again = astar.load(grid:dump())
  assert(again:dump() == grid:dump(), "it is not the same when dumped and loaded")
  assert(grid:draw() == again:draw(), "it is not the same when drawn")
  local path, reason = grid:find_path(x0, y0, x1, y1)
  assert(path and path.cost >= 0 or type(reason) == "string", "no answer")
end

local function sample_grids()
  local town = astar.grid("g.#..\n..g.#\n.....", { terrain = { g = 2.5, ["."] = 1, ["#"] = false } })
  town:block(2, 2)
  local linked = astar.grid("...\n.#.\n...", { origin = { -4, 70 } })
  linked:link(-4, 70, -2, 72, { label = "stairs", cost = 2 })
  linked:link(-3, 70, -2, 72, { label = 7, one_way = true })
  linked:wall(-4, 70, "east")
  linked:wall(-4, 71, "south", true)
  local keyed = astar.grid({ { "1", 1, true, "a\0b", "" } }, {
    terrain = { ["1"] = 2, [1] = 3, [true] = 5, ["a\0b"] = 7, [""] = false },
  })
  local large = astar.grid(70, 40)
  large:fill(10, 3, 30, 20, "#")
  local rows = astar.grid("..#.\n#...\n....", { shape = "hex", offset = "even_r" })
  rows:wall(2, 2, "south_east")
  rows:block(4, 3)
  local columns = astar.grid(9, 3, { shape = "hex", offset = "odd_q", origin = { 0, -7 } })
  columns:wall(1, -7, "south_west", true)
  columns:link(0, -7, 8, -5, { cost = 3 })
  return { town, linked, keyed, large, rows, columns }
end

-- A graph likewise.
local function assert_good_graph(graph)
  local keys = {}
  for key in graph:nodes() do keys[#keys + 1] = key end
  assert(#keys == #graph, "nodes and their number differ")
  local dump = graph:dump()
  assert(astar.graph.load(dump):dump() == dump, "it is not the same when dumped and loaded")
  for i = 1, #keys do
    for b, cost in graph:edges(keys[i]) do assert(graph:has(b) and cost >= 0, "an edge to nowhere") end
  end
  if #keys > 0 then
    local path, reason = graph:finder():find_path(keys[1], keys[#keys])
    assert(path and path.cost >= 0 or type(reason) == "string", "no answer")
    graph:bake()
    for _, key in ipairs(keys) do graph:remove(key) end
    assert(#graph == 0)
  end
end

describe("a graph's dump altered at random", function()
  local graph = astar.graph()
  for i = 1, 9 do graph:node(i % 2 == 0 and i or "room " .. i, i % 3 > 0 and i or nil, i % 3 > 0 and i / 2 or nil) end
  graph:node(true)
  for i = 2, 8, 2 do
    graph:edge(i, "room " .. i - 1, { cost = i, label = "to " .. i, one_way = i % 4 == 0 })
    graph:edge(i, "room " .. i + 1, { label = i })
  end
  graph:block(2)
  graph:block(4, "room 5")
  local dump = graph:dump()

  it("raises an error if the alteration changed any byte", function()
    each_seed(function(r)
      local altered = alter.text(r, dump)
      local loaded, problem = alter.outcome(astar.graph.load, altered)
      assert(not loaded or altered == dump, "an altered dump was taken")
      assert(loaded or problem:find "not a graph's dump, or a damaged one", problem)
    end)
  end)

  it("raises an error or loads as a valid graph, even with a forged hash", function()
    local taken = 0
    each_seed(function(r)
      local loaded, problem = alter.outcome(astar.graph.load, forge.dump(alter.text(r, forge.body(dump))))
      assert(loaded or problem:find "not a graph's dump, or a damaged one", problem)
      if loaded then
        taken = taken + 1
        assert_good_graph(loaded)
      end
    end)
    assert.is_true(taken > 0)
  end)
end)

describe("a dump altered at random", function()
  local dumps = {}
  for i, grid in ipairs(sample_grids()) do dumps[i] = grid:dump() end

  it("raises an error if the alteration changed any byte", function()
    each_seed(function(r)
      local dump = r:pick(dumps)
      local altered = alter.text(r, dump)
      local grid, problem = alter.outcome(astar.load, altered)
      assert(not grid or altered == dump, "an altered dump was taken")
      assert(grid or problem:find "not a grid's dump, or a damaged one", problem)
    end)
  end)

  it("raises an error or loads as a valid grid, even with a forged hash", function()
    local taken = 0
    each_seed(function(r)
      local body = alter.text(r, forge.body(r:pick(dumps)))
      local grid, problem = alter.outcome(astar.load, forge.dump(body), { max_cells = 1e6 })
      assert(grid or problem:find "not a grid's dump, or a damaged one" or problem:find "max_cells, 1000000$", problem)
      if grid then
        taken = taken + 1
        assert_good(grid)
      end
    end)
    assert.is_true(taken > 0)
  end)

  it("gets a forged hash that equals the hash of genuine dumps", function()
    for _, dump in ipairs(dumps) do assert.equal(dump, forge.dump(forge.body(dump))) end
  end)
end)

describe("a .map altered at random", function()
  local maps = {
    "type octile\nheight 3\nwidth 4\nmap\n.@T.\n.SWG\n..O.\n",
    "type octile\r\nheight 1\r\nwidth 1\r\nmap\r\n.\r\n",
    "type octile\nheight 20\nwidth 30\nmap\n" .. (("."):rep(29) .. "@\n"):rep(20),
  }

  it("raises an error or loads as a valid grid", function()
    local taken = 0
    each_seed(function(r)
      local text = alter.text(r, r:pick(maps))
      local grid = alter.outcome(astar.movingai.parse_map, text)
      if grid then
        taken = taken + 1
        local width, height = grid:size()
        assert(text:find("height%s+0*" .. height) and text:find("width%s+0*" .. width), "another size")
        assert_good(grid)
      end
    end)
    assert.is_true(taken > 0)
  end)
end)

describe("a .scen altered at random", function()
  local scenarios = "version 1\n"
    .. "0\tarena.map\t49\t49\t1\t11\t1\t12\t1.00000000\n"
    .. "1\tmaps/a b.map\t49\t49\t4\t1\t11\t9\t10.31370850\n"
    .. "9\tarena.map\t512\t512\t0\t0\t511\t511\t722.66272\n"

  it("raises an error or loads as a list of valid queries", function()
    local taken = 0
    each_seed(function(r)
      local list = alter.outcome(astar.movingai.parse_scenarios, alter.text(r, scenarios))
      if not list then return end
      taken = taken + 1
      for _, query in ipairs(list) do
        assert(query.sx < query.width and query.gx < query.width, "a column outside")
        assert(query.sy < query.height and query.gy < query.height, "a row outside")
        assert(query.length >= 0 and query.tolerance > 0, "a length")
      end
    end)
    assert.is_true(taken > 0)
  end)
end)

describe("a Tiled map altered at random", function()
  local names = {
    "base64", "embedded", "ground", "infinite", "isometric", "shapes", "zlib", "gzip", "external", "hexagonal",
  }
  local maps = {}
  for i, name in ipairs(names) do
    maps[i] = assert((loadstring or load)(read_file("spec/tiled/" .. name .. ".lua")))() -- luacheck: ignore 113
  end
  local options = {
    {}, { blocks = { "shapes" } }, { terrain = { grass = 2 }, empty = 1 }, { blocks = { "things" }, default = false },
    { inflate = function(bytes) return bytes end }, { default = 2, empty = 3, max_cells = 500 },
    { cost = function(tile, layer, x, y)
      return tile.properties.cost or layer.properties and (x + y) % 3 == 0 and 7 or nil
    end },
  }

  it("raises an error or loads as a valid grid", function()
    local taken = 0
    each_seed(function(r)
      local map = alter.copy(r:pick(maps))
      alter.table(r, map)
      local grid = alter.outcome(astar.tiled.grid, map, r:pick(options))
      if grid then
        taken = taken + 1
        assert_good(grid)
      end
      local layer = r:pick { "shapes", "ground", "x" }
      local objects = alter.outcome(astar.tiled.objects, map, layer)
      assert(objects == nil or type(objects) == "table", "objects")
    end)
    assert.is_true(taken > 0)
  end)

  it("raises an error or loads as a valid map when read as a file", function()
    local texts = {}
    for i, name in ipairs(names) do texts[i] = read_file("spec/tiled/" .. name .. ".lua") end
    local file_name = os.tmpname()
    each_seed(function(r)
      if not r:chance(0.1) then return end
      local file = assert(io.open(file_name, "wb"))
      file:write((alter.text(r, r:pick(texts))))
      file:close()
      local grid = alter.outcome(astar.tiled.grid, file_name)
      if grid then assert_good(grid) end
    end)
    os.remove(file_name)
  end)

  it("raises an error or loads as a valid map when read from files that Tiled wrote", function()
    local files = { "own.tmx", "own.tmj", "ground.tmx", "infinite.tmx", "hexagonal.tmx", "ways.tmx", "external.tmx",
      "ground.tsx", "parts.tsx", "crate.tx" }
    local texts, taken = {}, 0
    for _, name in ipairs(files) do texts["spec/tiled/" .. name] = read_file("spec/tiled/" .. name) end
    each_seed(function(r)
      if not r:chance(0.2) then return end
      local altered = "spec/tiled/" .. r:pick(files)
      local text = alter.text(r, texts[altered])
      local map = alter.outcome(astar.tiled.load, "spec/tiled/" .. r:pick { "own.tmx", "own.tmj", r:pick(files) }, {
        read = function(name) return name == altered and text or texts[name] end,
      })
      local grid = map and alter.outcome(astar.tiled.grid, map, { default = 1, max_cells = 1e5 })
      if grid then
        taken = taken + 1
        assert_good(grid)
      end
    end)
    local has_libraries = pcall(require, "lxp") and (pcall(require, "cjson") or pcall(require, "dkjson"))
    assert.is_true(taken > 0 or not has_libraries)
  end)
end)
