-- straight.lua -- measures the time of smoothing and of routes at any angle, and how much they shorten routes.

local any_angle = require "spec.support.any_angle"
local astar = require "astar"
local maps = require "bench.maps"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"
local support = require "bench.support"

local SEED, US = support.SEED, support.US
local RULES = { "always", "if_at_most_one_obstacle", "only_when_no_obstacles", "never" }

local function percent(sum, best)
  return support.ratio(100 * (sum - best), best)
end

-- ---- beside the shortest routes ----

-- Adds to 'sums' how much longer each kind of route is than the shortest route, on one small map.
local function weigh(seed, rule, sums)
  local dice = random.new(seed)
  local rows = dice:map(dice:int(6, 14), dice:int(6, 14))
  for y, row in ipairs(rows) do rows[y] = table.concat(row) end
  local world, rules = oracle.world(rows), { diagonals = rule }
  local grid = astar.grid(rows)
  local by_steps, straight = grid:finder(rules), grid:finder { diagonals = rule, any_angle = true }
  local sx, sy = dice:int(1, world.width), dice:int(1, world.height)
  local best
  for _ = 1, 4 do
    local gx, gy = dice:int(1, world.width), dice:int(1, world.height)
    local path = by_steps:find_path(sx, sy, gx, gy)
    if path and #path > 1 then
      best = best or any_angle.shortest(world, rules, sx, sy)
      local length = best[oracle.cell(world, gx, gy)]
      local smooth, route = path:smooth(), straight:find_path(sx, sy, gx, gy)
      local excess = route.length / length - 1
      sums.count = sums.count + 1
      sums.steps = sums.steps + path.length / length - 1
      sums.smooth = sums.smooth + smooth.length / length - 1
      sums.any = sums.any + excess
      sums.best = sums.best + (excess < 1e-9 and 1 or 0)
      sums.worst = math.max(sums.worst, excess)
      if excess < -1e-9 or route.length > smooth.length + 1e-9 then sums.wrong = sums.wrong + 1 end
    end
  end
end

local function report_excess(report, plan)
  report:note [[

straight, small maps: mean percent by which routes are longer than the shortest route, which is found in the visibility
graph of all cells: routes in steps, smoothed routes, and routes with any_angle. "shortest": number of any_angle routes
that are a shortest route. "worst %": greatest excess of an any_angle route]]
  report:section("straight excess", { { "diagonals", "%-24s" }, { "routes", "%7d" },
    { "steps %", "%8.3f" }, { "smooth %", "%9.3f" }, { "any %", "%7.3f" },
    { "shortest", "%9d" }, { "worst %", "%8.3f" }, { "wrong", "%6d" } })
  local wrong = 0
  for _, rule in ipairs(RULES) do
    support.progress("shortest routes, " .. rule)
    local sums = { count = 0, steps = 0, smooth = 0, any = 0, best = 0, worst = 0, wrong = 0 }
    for seed = 1, plan.sample do weigh(seed, rule, sums) end
    local scale = 100 / math.max(1, sums.count)
    report:row { rule, sums.count, sums.steps * scale, sums.smooth * scale,
      sums.any * scale, sums.best, sums.worst * 100, sums.wrong }
    wrong = wrong + sums.wrong
  end
  return wrong
end

-- ---- on maps of all kinds ----

local function smoothing(paths)
  return { count = #paths, run = function()
    for i = 1, #paths do paths[i]:smooth() end
  end }
end

local function measure(kind, plan)
  local grid = support.grid_of(kind, plan.side)
  local by_steps, straight = grid:finder(), grid:finder { any_angle = true }
  local queries, paths = support.queries(grid, SEED, math.ceil(plan.sample / 4)), {}
  local steps, smooth, any, cells, wrong = 0, 0, 0, 0, 0
  for i, query in ipairs(queries) do
    local path = by_steps:find_path(query.sx, query.sy, query.gx, query.gy)
    local smoothed = path:smooth()
    local route = straight:find_path(query.sx, query.sy, query.gx, query.gy)
    paths[i] = path
    cells = cells + #path
    steps = steps + path.length
    smooth = smooth + smoothed.length
    any = any + route.length
    if route.length > smoothed.length * (1 + 1e-9) then wrong = wrong + 1 end
  end
  local s = support.compare({ support.asking(by_steps, queries), smoothing(paths), support.asking(straight, queries) },
    plan.rounds)
  return { kind.name, #queries, cells / #queries, s[1] * US, s[2] * US, s[3] * US, percent(steps, any),
    percent(smooth, any), wrong }, wrong
end

local function report_kinds(report, plan)
  report:note(([[

straight, %d x %d: microseconds per query ("path"), per smoothed path ("smooth"), and per query with any_angle ("any");
"cells": mean number of cells of a path; "path %%" and "smooth %%": percent by which paths and smoothed paths are longer
than the routes with any_angle]])
    :format(plan.side, plan.side))
  report:section("straight", { { "map", "%-10s" }, { "queries", "%8d" }, { "cells", "%7.0f" },
    { "path us", "%9.1f" }, { "smooth us", "%10.1f" }, { "any us", "%9.1f" },
    { "path %", "%7.2f" }, { "smooth %", "%9.2f" }, { "wrong", "%6d" } })
  local wrong = 0
  for _, kind in ipairs(maps.kinds) do
    support.progress("straighter routes on " .. kind.name)
    local row, mistakes = measure(kind, plan)
    report:row(row)
    wrong = wrong + mistakes
    collectgarbage()
  end
  return wrong
end

-- ---- long paths ----

-- Returns a path that runs back and forth through all rows of a map.
local function serpentine(side)
  local rows = {}
  for y = 1, side do
    local wall = ("#"):rep(side - 1)
    rows[y] = y % 2 == 1 and ("."):rep(side) or y % 4 == 2 and wall .. "." or "." .. wall
  end
  local grid, last = astar.grid(rows), side % 2 == 1 and side or side - 1
  return grid:find_path(1, 1, last % 4 == 1 and side or 1, last), 2 * ((last + 1) / 2) - 1
end

-- Returns a path over ground of several costs. There, a straight line does not have the cost of the path's steps.
local function rough(plan)
  local rows = maps.kind("field-10").make(SEED, plan.largest / 2, plan.largest / 2)
  local grid = astar.grid(maps.weighted(SEED, rows), { terrain = maps.terrain })
  local query = support.queries(grid, SEED, 1)[1]
  return grid:find_path(query.sx, query.sy, query.gx, query.gy)
end

local function report_long(report, plan)
  report:note [[

straight, long paths: milliseconds to smooth a path as find_path returned it ("smooth"), and a path that may not be the
cheapest, as after an edit ("edited"); "legs": number of straight parts of the smoothed path]]
  report:section("straight long", { { "path", "%-16s" }, { "cells", "%8d" }, { "smooth ms", "%10.3f" },
    { "edited ms", "%10.3f" }, { "legs", "%6d" }, { "wrong", "%6d" } })
  local wrong = 0
  local function add(name, path, fewest)
    local changed = path:reverse():reverse() -- the library does not know that this path is a cheapest path
    local s = support.compare({ smoothing { path }, smoothing { changed } }, plan.rounds)
    local legs = #path:smooth():waypoints() - 1
    local is_wrong = fewest and legs ~= fewest and 1 or 0
    wrong = wrong + is_wrong
    report:row { name, #path, s[1] * 1e3, s[2] * 1e3, legs, is_wrong }
  end
  for _, side in ipairs { 201, 285, 1023 } do
    if side < plan.largest then
      add("back and forth", serpentine(side))
    end
  end
  add("several costs", rough(plan))
  return wrong
end

-- Returns how many answers were wrong.
return function(report, plan)
  return report_excess(report, plan) + report_kinds(report, plan) + report_long(report, plan)
end
