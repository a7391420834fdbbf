-- cliffs.lua -- finds queries that take far longer with an option than without it.
--
-- A user expects two queries of a pair to take about the same time, for example a query with `partial` for a blocked
-- goal and a query for a free goal. Other pairs are a query with a weight and one without, or a query with a callback
-- and one with the same costs as data. This section times each pair on each kind of map, with four and eight moves and
-- on hexagons, from sixteen directions, at several sizes. Some pairs combine two options. If a query takes more than
-- LIMIT times as long as its plain counterpart, the section prints the pair and the cells of the query.
-- docs/performance.md explains the known cases.

local astar = require "astar"
local maps = require "bench.maps"
local support = require "bench.support"

local LIMIT = 3
-- Seconds. If the plain query takes less, its time counts as FEWEST, because fixed overhead would decide the factor.
local FEWEST = 5e-6

-- Kinds of units: name, options of the finder, options of the grid.
local UNITS = {
  { "eight moves" }, { "four moves", { diagonals = "never" } }, { "hexagons", nil, { shape = "hex" } },
}

local function same(_, _, _, cost) return cost end
local function same_step(_, _, _, _, cost) return cost end

-- Pairs of queries: name, options of the query, options of its plain counterpart. If `blocks` is true, the goal is
-- blocked.
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

-- Returns options as Lua code, for the printed line of a slow query.
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

-- Returns up to sixteen free cells on a circle around a free cell in the middle of the map, and that middle cell.
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

-- Times two finders alternately on a query. Returns the least seconds of each.
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

-- Times a pair of queries on a map from all starts. Returns the factor of the total times, the greatest factor of one
-- start, and that start.
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
cliffs: time of a query with an option, divided by the time of the query without the option. "maps": number of
measured maps and kinds of units. "median" and "greatest": factors of sixteen starts together. "single start": the
greatest factor of one start. Each factor of a single start above %d is listed with its query.]]):format(LIMIT))
  report:section("cliffs", { { "pair", "%-26s" }, { "maps", "%7d" }, { "median", "%8.2f" }, { "greatest", "%10.2f" },
    { "single start", "%14.2f" } })
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
              lines[#lines + 1] = ("  %.1f, single start %.1f: bench.maps %s, %d x %d, %s: (%d, %d) to (%d, %d) with "
                .. "%s and with %s"):format(factor, greatest, kind.name, side, side, unit[1], at[1], at[2], gx, gy,
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
  report:note(("%d factors of a single start are above %d."):format(found, LIMIT))
  return 0
end
