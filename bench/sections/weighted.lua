-- weighted.lua -- times queries on ground of several costs beside plain A*. The maps are: narrow bands on
-- each kind of map, patches of several sizes, random costs of single cells, and Moving AI maps whose
-- trees, swamp and water have costs.

local astar = require "astar"
local benchmarks = require "spec.support.benchmarks"
local maps = require "bench.maps"
local random = require "spec.support.random"
local support = require "bench.support"

local SEED, US = support.SEED, support.US

local function measure_weighted(name, grid, plan)
  local copy = support.copy_of(grid)
  local auto, plain = grid:finder(), copy:finder { algorithm = "astar" }
  local queries = support.queries(grid, SEED, math.ceil(plan.sample / 2))
  for _, query in ipairs(queries) do support.note_cost(plain, query) end
  support.warm(auto, queries)
  local tally = support.answer(name, auto, queries, support.differs, 1)
  local query = queries[1]
  local path = auto:find_path(query.sx, query.sy, query.gx, query.gy)
  local expanded = support.expanded_by(plain, queries) / #queries
  local s = support.compare({ support.asking(auto, queries), support.asking(plain, queries) }, plan.rounds)
  return { name, #queries, tally.wrong, path.algorithm, s[1] * US, s[2] * US,
    support.ratio(s[2], s[1]), expanded, support.ratio(expanded / 1e6, s[2]),
    copy:bytes() / support.cells_of(copy) }, tally.wrong
end

local GROUNDS = { ".", ",", ":", "~" }
local GAME_TERRAIN = { ["."] = 1, G = 1, S = 2, T = 3, W = 5, ["@"] = false, O = false }

-- Returns a list of { name =, make = function() -> grid }. Each map is generated when the section measures it, so that
-- only one map is in memory.
local function made_maps(plan)
  local list = {}
  local function add(name, make)
    list[#list + 1] = { name = name, make = function()
      support.progress("making " .. name .. " of several costs")
      return astar.grid(make(), { terrain = maps.terrain })
    end }
  end
  local function rows_of(name) return maps.kind(name).make(SEED, plan.side, plan.side) end
  for _, kind in ipairs(maps.kinds) do
    add(kind.name, function() return maps.weighted(SEED, rows_of(kind.name)) end)
  end
  for _, side in ipairs { 10, 20, 40, 80 } do
    for _, name in ipairs { "open", "caves" } do
      add(("patches %d, %s"):format(side, name), function()
        return maps.patches(random.new(SEED), rows_of(name), side, GROUNDS)
      end)
    end
  end
  for _, percent in ipairs { 1, 10, 30, 100 } do
    add(("noise %d %%"):format(percent), function()
      return maps.noise(random.new(SEED), rows_of "open", percent / 100, GROUNDS)
    end)
  end
  return list
end

-- Returns the Moving AI maps that contain swamp, trees or water.
local function game_maps(options)
  if options.quick or options.generated then return {} end
  local list = {}
  for _, file in ipairs(benchmarks.find(options.folder or benchmarks.folder)) do
    local handle = assert(io.open(file.map))
    local text = handle:read("*a"):gsub("^.-map\n", "")
    handle:close()
    if text:find "[STW]" then
      list[#list + 1] = { name = file.name, make = function()
        return astar.movingai.read_map(file.map, { terrain = GAME_TERRAIN })
      end }
    end
  end
  return list
end

local function append(list, more)
  for _, item in ipairs(more) do list[#list + 1] = item end
  return list
end

return function(report, plan, options)
  local wrong = 0
  report:title(([[
weighted: ground of the costs 1, 2, 3 and 5, %d x %d cells: microseconds per query by auto and by plain A*. "ratio":
time of plain A* divided by the time of auto. "exp/query", "M exp/s" and "A* B" belong to plain A*: expanded cells per
query, millions of expansions per second, and bytes per cell. "patches 10": patches about 10 cells wide. "noise 10 %%":
this share of the cells has a random cost]]):format(plan.side, plan.side))
  report:section("weighted", { { "map", "%-24s" }, { "queries", "%8d" }, { "wrong", "%7d" },
    { "algorithm", "%15s" }, { "auto us", "%10.1f" }, { "A* us", "%10.1f" }, { "ratio", "%7.2f" },
    { "exp/query", "%11.0f" }, { "M exp/s", "%9.2f" }, { "A* B", "%7.1f" } })
  for _, map in ipairs(append(made_maps(plan), game_maps(options))) do
    local row, mistakes = measure_weighted(map.name, map.make(), plan)
    report:row(row)
    wrong = wrong + mistakes
  end
  return wrong
end
