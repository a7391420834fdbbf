-- weighted.lua -- queries over ground of several costs, against plain A*: narrow bands on each kind
-- of map, patches of several sizes, a cost of its own for each cell or some, and the Moving AI maps
-- whose trees, swamp and water are given costs.

local astar = require "astar"
local benchmarks = require "spec.support.benchmarks"
local maps = require "bench.maps"
local random = require "spec.support.random"
local support = require "bench.support"

local SEED, US = support.SEED, support.US

local function measure_weighted(name, grid, plan)
  local copy = grid:clone()
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

-- Gives each free cell of a map the ground that pick(x, y) says, from 0.
local function grow(rows, pick)
  local grown = {}
  for y, row in ipairs(rows) do
    local x = -1
    grown[y] = row:gsub(".", function(key)
      x = x + 1
      return key == "." and pick(x, y - 1) or nil
    end)
  end
  return grown
end

-- One site in each square of 'side' x 'side' cells, with some ground.
local function throw_sites(dice, rows, side)
  local sites = {}
  for row = -1, math.floor(#rows / side) + 1 do
    sites[row] = {}
    for column = -1, math.floor(#rows[1] / side) + 1 do
      sites[row][column] = { x = column * side + dice:int(0, side - 1),
        y = row * side + dice:int(0, side - 1), key = dice:pick(GROUNDS) }
    end
  end
  return sites
end

-- Patches: each cell has the ground of the nearest site.
local function with_patches(rows, side)
  local sites = throw_sites(random.new(SEED), rows, side)
  return grow(rows, function(x, y)
    local column, row, nearest, least = math.floor(x / side), math.floor(y / side), nil, math.huge
    for j = row - 1, row + 1 do
      for i = column - 1, column + 1 do
        local site = sites[j][i]
        local distance = (site.x - x) ^ 2 + (site.y - y) ^ 2
        if distance < least then nearest, least = site, distance end
      end
    end
    return nearest.key
  end)
end

-- Each cell, or that share of them, has a ground of its own.
local function with_noise(rows, share)
  local dice = random.new(SEED)
  return grow(rows, function() return dice:chance(share) and dice:pick(GROUNDS) or nil end)
end

-- { name =, make = function() -> grid } for each map; made when its turn comes.
local function made_maps(plan)
  local list = {}
  local function add(name, make)
    list[#list + 1] = { name = name, make = function()
      support.progress("making rough " .. name)
      return astar.grid(make(), { terrain = maps.terrain })
    end }
  end
  local function rows_of(name) return maps.kind(name).make(SEED, plan.side, plan.side) end
  for _, kind in ipairs(maps.kinds) do
    add(kind.name, function() return maps.weighted(SEED, rows_of(kind.name)) end)
  end
  for _, side in ipairs { 10, 20, 40, 80 } do
    for _, name in ipairs { "open", "caves" } do
      add(("patches %d, %s"):format(side, name), function() return with_patches(rows_of(name), side) end)
    end
  end
  for _, percent in ipairs { 1, 10, 30, 100 } do
    add(("noise %d %%"):format(percent), function() return with_noise(rows_of "open", percent / 100) end)
  end
  return list
end

-- The Moving AI maps with something else than walls on them.
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
weighted: rough ground of costs 1, 2, 3 and 5, %d x %d; expansions, a query and millions a second,
and bytes a cell are plain A*'s; patches are about so many cells across]]):format(plan.side, plan.side))
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
