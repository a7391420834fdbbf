-- cliffs.lua -- queries that cost far more than their plain relatives.
--
-- A user thinks of two queries as the same kind: a goal that is blocked (partial) beside a goal that is free, a weight
-- beside none, a callback beside the data that it returns. Each such pair is timed on each kind of map, with four and
-- eight moves and on hexagons, towards sixteen directions, at several sizes. Pairs of options are combined, too. What
-- takes more than LIMIT times its plain relative is a cliff: it is printed with the call that shows it, or
-- docs/performance.md explains it.

local astar = require "astar"
local maps = require "bench.maps"
local support = require "bench.support"

local LIMIT = 3
local FEWEST = 5e-6 -- seconds: of a pair that takes less, the fixed costs of a query are compared

-- Kinds of units, and the shape of their maps.
local UNITS = {
  { "eight moves" }, { "four moves", { diagonals = "never" } }, { "hexagons", nil, { shape = "hex" } },
}

local function same(_, _, _, cost) return cost end
local function same_step(_, _, _, _, cost) return cost end

-- Pairs of queries: name, options of the query, options of its plain relative. `own` are options of the finder;
-- `blocks` puts a block on the goal. An option of the query may be a function of the unit's heuristic.
local PAIRS = {
  { "partial, blocked goal", { partial = true }, { range = 1 }, blocks = true },
  { "partial, free goal", { partial = true }, {} },
  { "range 1", { range = 1 }, {} },
  { "range 3", { range = 3 }, { range = 1 } },
  { "range 10", { range = 10 }, { range = 1 } },
  { "weight 1.1", { weight = 1.1 }, {} },
  { "weight 2", { weight = 2 }, {} },
  { "max_cost", { max_cost = 1e6 }, {} },
  { "max_expansions", { max_expansions = 1e6 }, {} },
  { "bends fewer", { bends = "fewer" }, {} },
  { "bends fewest", { bends = "fewest" }, { algorithm = "astar" } },
  { "bend_cost 1", { bend_cost = 1 }, { algorithm = "astar" } },
  { "cost callback", { cost = same }, { algorithm = "astar" } },
  { "step_cost callback", { step_cost = same_step }, { cost = same } },
  { "ignore a layer", { ignore = { "doors" } }, {} },
  { "partial and range 3", { partial = true, range = 3 }, { range = 3 }, blocks = true },
  { "weight 2 and range 3", { weight = 2, range = 3 }, { range = 3 } },
  { "weight 2 and partial", { weight = 2, partial = true }, { partial = true }, blocks = true },
  { "size 2 and partial", { size = 2, partial = true }, { size = 2 } },
  { "fewer bends and range 3", { bends = "fewer", range = 3 }, { range = 3 } },
}

-- Options as Lua writes them, for the line that shows a cliff.
local function text_of(options)
  local list = {}
  for name, value in pairs(options or {}) do
    local text = type(value) == "string" and ("%q"):format(value) or type(value) == "table" and '{ "doors" }'
      or type(value) == "function" and "same" or tostring(value)
    list[#list + 1] = name .. " = " .. text
  end
  table.sort(list)
  return "{ " .. table.concat(list, ", ") .. " }"
end

local function merged(own, options)
  local all = {}
  for name, value in pairs(own or {}) do all[name] = value end
  for name, value in pairs(options) do all[name] = value end
  return all
end

-- Free cells in sixteen directions around one in the middle, as far away as the map allows; and that cell.
local function starts_around(grid)
  local width, height = grid:size()
  local function free_near(x, y)
    for ring = 0, math.floor(width / 4) do
      for dx = -ring, ring do
        if grid:is_walkable(x + dx, y + ring) then return x + dx, y + ring end
        if grid:is_walkable(x + dx, y - ring) then return x + dx, y - ring end
      end
    end
  end
  local gx, gy = free_near(math.floor(width / 2), math.floor(height / 2))
  local starts = {}
  for i = 0, 15 do
    local angle = (i + 0.3) * math.pi / 8
    local x, y = free_near(math.floor(gx + 0.42 * width * math.cos(angle)),
      math.floor(gy + 0.42 * height * math.sin(angle)))
    if x then starts[#starts + 1] = { x, y } end
  end
  return starts, gx, gy
end

-- Times two finders by turns on a query. Returns the least seconds of both.
local function time_both(one, other, sx, sy, gx, gy, plan)
  local items = {}
  for i, finder in ipairs { one, other } do
    items[i] = support.item(function(n) for _ = 1, n do finder:find_path(sx, sy, gx, gy) end end, plan.batch / 8)
  end
  local least = { math.huge, math.huge }
  for _ = 1, plan.rounds do
    for i = 1, 2 do least[i] = math.min(least[i], support.time_of(items[i])) end
  end
  return least[1], least[2]
end

-- Times a pair on a map from all starts: the factor of all together, the greatest of one start, and that start.
local function measure(grid, unit, pair, starts, gx, gy, plan)
  if pair.blocks then grid:block(gx, gy) end
  local ok, one = pcall(grid.finder, grid, merged(unit[2], pair[2])) -- hexagons refuse some options
  local plain_ok, other = pcall(grid.finder, grid, merged(unit[2], pair[3]))
  local all, beside, greatest, at = 0, 0, 0, nil
  for _, start in ipairs(ok and plain_ok and starts or {}) do
    local path, plain = one:find_path(start[1], start[2], gx, gy), other:find_path(start[1], start[2], gx, gy)
    if path and plain then
      local seconds, plainly = time_both(one, other, start[1], start[2], gx, gy, plan)
      all, beside = all + seconds, beside + plainly
      local factor = seconds / math.max(plainly, FEWEST)
      if factor > greatest then greatest, at = factor, start end
    end
  end
  if pair.blocks then grid:unblock(gx, gy) end
  return at and all / beside, greatest, at
end

return function(report, plan)
  local found = 0
  report:title(([[
cliffs: how many times as long a query takes as its plain relative; from sixteen starts together, and from the
worst of them. Rows above %d come with the call that shows them.]]):format(LIMIT))
  report:section("cliffs", { { "pair", "%-26s" }, { "pairs", "%7d" }, { "median", "%8.2f" }, { "greatest", "%10.2f" },
    { "of one start", "%14.2f" } })
  local sides = plan.side > 100 and { 128, plan.side } or { plan.side }
  for _, pair in ipairs(PAIRS) do
    local factors, worst, lines = {}, 0, {}
    for _, kind in ipairs(maps.kinds) do
      for _, side in ipairs(sides) do
        for _, unit in ipairs(UNITS) do
          local grid = astar.grid(kind.make(1, side, side), unit[3])
          grid:block(1, 1, "doors")
          grid:unblock(1, 1, "doors")
          local starts, gx, gy = starts_around(grid)
          support.progress(("%s, %s, %d, %s"):format(pair[1], kind.name, side, unit[1]))
          local factor, greatest, at = measure(grid, unit, pair, starts, gx, gy, plan)
          if factor then
            factors[#factors + 1], worst = factor, math.max(worst, greatest)
            if greatest > LIMIT then
              found = found + 1
              lines[#lines + 1] = ("  %.1f, of one start %.1f: bench.maps %s, %d x %d, %s: (%d, %d) to (%d, %d) by %s "
                .. "beside %s"):format(factor, greatest, kind.name, side, side, unit[1], at[1], at[2], gx, gy,
                text_of(merged(unit[2], pair[2])), text_of(merged(unit[2], pair[3])))
            end
          end
        end
      end
    end
    table.sort(factors)
    if #factors > 0 then
      report:row { pair[1], #factors, factors[math.ceil(#factors / 2)], factors[#factors], worst }
    end
    for _, line in ipairs(lines) do report:note(line) end
  end
  report:note(("%d factors above %d"):format(found, LIMIT))
  return 0
end
