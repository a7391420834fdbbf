-- Worlds in chunks. What is right comes from one grid of the same cells, and from the rules.

local astar = require "astar"
local check = require "spec.support.check"
local full = require "spec.support.full"
local worlds = require "spec.support.worlds"

local RULES = require "spec.support.check".RULES
-- How many cases there are of each kind that takes seconds a case.
local TIMES = full.is_full and 4 or 2

-- Whole numbers from 0 below n, the same for a seed on every Lua.
local function generator(seed)
  local state = seed * 7919 % 2147483647 + 1
  return function(n)
    state = state * 16807 % 2147483647
    return math.floor(state / 2147483647 * n)
  end
end

-- Rows of random ground with open places in it: of 'chunks' x 'chunks' chunks.
local function random_rows(rand, chunks, weighted)
  local side, percent, rows = 64 * chunks, 5 + rand(35), {}
  for y = 1, side do
    rows[y] = {}
    for x = 1, side do
      rows[y][x] = rand(100) < percent and "#" or weighted and rand(3) == 0 and "~" or "."
    end
  end
  for _ = 1, 12 * chunks do
    local x0, y0 = rand(side - 20), rand(side - 20)
    for y = y0 + 1, y0 + 20 do
      for x = x0 + 1, x0 + 20 do rows[y][x] = "." end
    end
  end
  return rows
end

local TERRAIN = { ["."] = 1, ["~"] = 2.5, ["#"] = false }

-- A grid and a world of the same cells, of which the first is (-63, -63).
local function make_both(rows, options)
  local side, loads = #rows, 0
  local grid = astar.grid(rows, { terrain = TERRAIN, origin = { -63, -63 } })
  options.terrain = TERRAIN
  options.load = function(cx, cy)
    loads = loads + 1
    if cx < -1 or cy < -1 or cx >= side / 64 - 1 or cy >= side / 64 - 1 then
      return false
    end
    return worlds.cut(rows, -63, -63, cx, cy)
  end
  return grid, astar.world(options), function() return loads end
end

-- What a way costs step by step on the grid; nil where a step is none.
local function cost_on(finder, way)
  local sum, px, py = 0, nil, nil
  for x, y in way:cells() do
    if px then
      local step = finder:find_path(px, py, x, y)
      if not step then
        return nil
      end
      sum = sum + step.cost
    end
    px, py = x, y
  end
  return sum
end

-- The route that a search over nodes comes to, where find_route may set off on a longer one.
local function waited_for(unit, ...)
  local search = unit:search(...)
  while search:step(10000) == "running" do end
  return search:route()
end

-- Compares a route with the best path.
local function check_route(seed, exact, path, why, route, reason)
  local at = "seed " .. seed
  assert.equal(path == nil, route == nil, at .. ": " .. tostring(why) .. ", " .. tostring(reason))
  if not path then
    return assert.equal(why, reason, at)
  end
  assert.is_true(route.cost >= path.cost - 1e-6, at)
  assert.is_true(route.cost - route.bound <= path.cost + 1e-6, at)
  if exact then
    local difference = math.abs(route.cost - path.cost)
    assert.is_true(difference < 1e-6 * path.cost + 1e-9, at .. ": " .. route.cost .. " " .. path.cost)
    assert.equal(0, route.bound)
  end
end

-- Over nodes: where the best path is on a line between chunks, half a spacing leads to a node, and back; of what is
-- kept ways are two hundredths longer at most, and the search is content with one more. Rounded up for either.
local function check_nodes(seed, spacing, dearest, path, route)
  local on_lines = 0
  for x, y in path:cells() do
    if (x - 1) % 64 == 0 or (y - 1) % 64 == 0 then on_lines = on_lines + 1 end
  end
  local most = 1.035 * (path.cost + dearest * (spacing + 1) * on_lines)
  assert.is_true(route.cost <= most, ("seed %d: %g, not %g at most"):format(seed, route.cost, most))
end

local function check_way(seed, finder, path, route, sx, sy, gx, gy)
  local at, way = "seed " .. seed, assert(route:path())
  local x, y = way:cell(1)
  assert.same({ sx, sy }, { x, y }, at)
  x, y = way:cell(#way)
  assert.same({ gx, gy }, { x, y }, at)
  assert.is_true(way.cost >= path.cost - 1e-6 and way.cost <= route.cost + 1e-6, at)
  local steps = cost_on(finder, way)
  assert.is_true(steps and steps <= way.cost + 1e-6, at .. ": a step that cannot be made")
end

local function add_walls(rand, side, grid, world)
  for _ = 1, 60 do
    local x, y, way = rand(side - 2) - 62, rand(side - 2) - 62, rand(2) == 1
    local direction = ({ "north", "east", "south", "west" })[rand(4) + 1]
    grid:wall(x, y, direction, way)
    world:wall(x, y, direction, way)
    assert.is_true(world:has_wall(x, y, direction))
  end
end

local function add_links(rand, side, grid, world)
  for _ = 1, 5 do
    local x0, y0, x1, y1 = rand(side) - 63, rand(side) - 63, rand(side) - 63, rand(side) - 63
    if x0 ~= x1 or y0 ~= y1 then
      local options = { cost = rand(10), one_way = rand(2) == 1 }
      grid:link(x0, y0, x1, y1, options)
      world:link(x0, y0, x1, y1, options)
    end
  end
end

local function edit_both(rand, side, rows, grid, world)
  local x, y = rand(side) - 63, rand(side) - 63
  local what = rand(4)
  if what == 0 then
    grid:block(x, y)
    world:block(x, y)
  elseif what == 1 then
    grid:unblock(x, y)
    world:unblock(x, y)
  else
    local key = ({ ".", "#" })[what - 1]
    rows[y + 64][x + 64] = key
    grid:set(x, y, key)
    world:set(x, y, key)
  end
end

-- Compares a route found with a weight with the best path.
local function check_weighted(seed, weight, path, why, route, reason)
  local at = ("seed %d, weight %g"):format(seed, weight)
  assert.equal(path == nil, route == nil, at .. ": " .. tostring(why) .. ", " .. tostring(reason))
  if not path then
    return assert.equal(why, reason, at)
  end
  assert.is_true(route.cost >= path.cost - 1e-6, at)
  assert.is_true(route.cost - route.bound <= path.cost + 1e-6, at)
  assert.is_true(route.cost <= weight * path.cost + 1e-6, at .. ": " .. route.cost .. ", not " .. path.cost)
end

-- Questions about a random world, under all rules, with edits in between.
local function compare(seed, exact)
  local rand = generator(seed)
  local chunks = exact and 2 or 3
  local weighted = rand(2) == 1
  local rows = random_rows(rand, chunks, weighted)
  local side, spacing = 64 * chunks, 2 + rand(23)
  local grid, world = make_both(rows, exact and { exact = true } or { spacing = spacing, bytes = 2 ^ 20 })
  if rand(2) == 1 then add_walls(rand, side, grid, world) end
  if rand(2) == 1 then add_links(rand, side, grid, world) end
  local size = 1 + rand(3)
  for _, rule in ipairs(RULES) do
    local finder, unit = grid:finder { diagonals = rule, size = size }, world:finder { diagonals = rule, size = size }
    local weight = ({ 1.01, 1.2, 2, 4 })[rand(4) + 1]
    local hasty = world:finder { diagonals = rule, size = size, weight = weight }
    for _ = 1, 4 do
      if rand(2) == 0 then edit_both(rand, side, rows, grid, world) end
      local sx, sy, gx, gy = rand(side) - 63, rand(side) - 63, rand(side) - 63, rand(side) - 63
      local path, why = finder:find_path(sx, sy, gx, gy)
      local route, reason = unit:find_route(sx, sy, gx, gy)
      check_route(seed, exact, path, why, route, reason)
      if route then
        check_way(seed, finder, path, route, sx, sy, gx, gy)
        if not exact then check_nodes(seed, spacing, weighted and 2.5 or 1, path, route) end
        assert.is_true(route:is_valid(), "seed " .. seed)
      end
      local rough, no_rough = hasty:find_route(sx, sy, gx, gy)
      check_weighted(seed, weight, path, why, rough, no_rough)
      if rough then check_way(seed, finder, path, rough, sx, sy, gx, gy) end
    end
  end
end

local function pillar_rows()
  local rows = worlds.open_chunk()
  for y = 20, 40 do rows[y] = ("."):rep(19) .. ("#"):rep(20) .. ("."):rep(25) end
  return rows
end

-- An endless world: a pillar in every chunk, and what the function says besides.
local function pillars(options, absent)
  options.load = function(cx, cy)
    if absent and absent(cx, cy) then
      return nil
    end
    return pillar_rows()
  end
  return astar.world(options)
end

describe("a world", function()
  for seed = 1, 4 do
    it("finds the best routes if it is exact, seed " .. seed, function() compare(seed, true) end)
  end

  for seed = 1, 12 do
    it("finds routes within its bound while chunks are dropped, seed " .. seed, function() compare(seed, false) end)
  end

  it("gives the same results whichever chunks are loaded", function()
    local rand = generator(77)
    local rows = random_rows(rand, 4, true)
    local _, small = make_both(rows, { bytes = 2 ^ 20 })
    local _, large = make_both(rows, {})
    local asked = {}
    for i = 1, 30 do asked[i] = { rand(256) - 63, rand(256) - 63, rand(256) - 63, rand(256) - 63 } end
    local function answers(world, from, to, step, options)
      local unit, told = world:finder(options), {}
      for i = from, to, step do
        local route, why = unit:find_route(asked[i][1], asked[i][2], asked[i][3], asked[i][4])
        local way = route and assert(route:path())
        told[i] = way and route.cost .. " " .. table.concat(way:cells_flat(), ",") or why
      end
      return told
    end
    local first = answers(small, 1, 30, 1)
    assert.same(first, answers(large, 30, 1, -1))
    assert.same(first, answers(small, 30, 1, -1))
    for _, options in ipairs { { weight = 1.5 }, { exact = true } } do
      assert.same(answers(small, 1, 30, 1, options), answers(large, 30, 1, -1, options))
    end
  end)

  -- Sixteen chunks of a grid with keys of one byte, then of several, as get_cells has them: a string, then a list.
  it("returns the cells that a grid of the same cells returns", function()
    for _, wet in ipairs { "~", "≈", "water" } do
      local r = generator(7)
      local grid = astar.grid(256, 256, { terrain = { ["."] = 1, [wet] = 3, ["#"] = false }, fill = "." })
      for _ = 1, 9000 do grid:set(2 + r(254), 2 + r(254), r(2) == 1 and wet or "#") end
      local function cells_of(cx, cy) return grid:get_cells(64 * cx + 1, 64 * cy + 1, 64, 64) end
      local function load(cx, cy)
        if cx < 0 or cx > 3 or cy < 0 or cy > 3 then return false end
        local cells = cells_of(cx, cy)
        assert(type(cells) == (wet == "~" and "string" or "table"))
        return wet == "≈" and table.concat(cells) or cells -- a string is taken, as set_cells takes it
      end
      local options = { terrain = { ["."] = 1, [wet] = 3, ["#"] = false } }
      local put = astar.world(options)
      options.load = load
      local loading = astar.world(options)
      assert(loading:finder():find_route(1, 1, 256, 256))
      for cy = 0, 3 do
        for cx = 0, 3 do put:put_chunk(cx, cy, load(cx, cy)) end
      end
      for y = 1, 256, 5 do
        for x = 1, 256 do
          assert(put:get(x, y) == grid:get(x, y) and (loading:get(x, y) or grid:get(x, y)) == grid:get(x, y))
        end
      end
      assert.equal(grid:get(64, 64), loading:get(64, 64))
    end
  end)

  it("has cells on both sides of coordinate 0, and no edges", function()
    local world = pillars {}
    local unit = world:finder()
    local route = assert(unit:find_route(-5000, -5000, 5001, 4990))
    local way = route:path()
    assert.is_true(#way > 10000)
    assert.same({ -5000, -5000 }, { way:cell(1) })
    assert.same({ 5001, 4990 }, { way:cell(#way) })
    local best = 10001 - 9990 + 9990 * math.sqrt(2)
    assert.is_true(way.cost >= best - 1e-6 and way.cost <= 1.02 * best, way.cost / best)
    assert.is_false(route.partial)
    assert.is_true(route.known)
  end)

  local function cross_far(mud, rules)
    local rand = generator(5)
    local wide, rows = 64 * 26, {}
    for y = 1, 64 * 10 do
      rows[y] = {}
      for x = 1, wide do rows[y][x] = rand(100) < 33 and "#" or rand(100) < mud and "~" or "." end
    end
    local grid = astar.grid(rows, { terrain = TERRAIN })
    local world = astar.world { terrain = TERRAIN, load = function(cx, cy)
      return cx >= 0 and cy >= 0 and cx < 26 and cy < 10 and worlds.cut(rows, 1, 1, cx, cy)
    end }
    for _, rule in ipairs(rules) do
      local finder, unit = grid:finder { diagonals = rule }, world:finder { diagonals = rule }
      local exact = world:finder { diagonals = rule, exact = true }
      for _ = 1, TIMES do
        local sx, sy, gx, gy = rand(300) + 1, rand(640) + 1, wide - rand(300), rand(640) + 1
        local path, why = finder:find_path(sx, sy, gx, gy)
        local route, reason = waited_for(unit, sx, sy, gx, gy)
        check_route(5, false, path, why, route, reason)
        check_route(5, true, path, why, exact:find_route(sx, sy, gx, gy))
        if route then
          local way = assert(route:path())
          assert.is_true(way.cost >= path.cost - 1e-6 and way.cost < 1.01 * path.cost)
          assert.is_true(cost_on(finder, way) <= way.cost + 1e-6)
        end
      end
    end
  end

  it("ends at the outermost cells of a world, with rock beyond them for which load is not called", function()
    local asked = {}
    local world = astar.world { load = function(cx, cy)
      asked[#asked + 1] = math.abs(2 * cx + 1) < 2 * 15625000 and math.abs(2 * cy + 1) < 2 * 15625000
      return worlds.open_chunk()
    end }
    local unit, last, first = world:finder(), 1000000000, -999999999
    assert.equal(100, unit:find_route(last, last - 100, last, last).cost)
    assert.equal(100, unit:find_route(first, first, first, first + 100).cost)
    assert.is_true(#asked > 0)
    for i = 1, #asked do assert.is_true(asked[i]) end
    world:wall(last, last, "east")
    world:wall(first, 1, "west")
    assert.is_true(world:has_wall(last, last, "east") and world:has_wall(first, 1, "west"))
    world:unwall(last, last, "east")
    assert.is_false(world:has_wall(last, last, "east"))
    world:put_chunk(15624999, -15625000, false)
    assert.is_false(world:get(last, first))
    assert.has_error(function() world:get(last + 1, 1) end)
    assert.has_error(function() world:put_chunk(15625000, 1, false) end)
  end)

  it("crosses many chunks on routes that can be walked", function()
    cross_far(0, { "always", "only_when_no_obstacles" })
  end)
  it("crosses many chunks on routes over terrain of several costs", function() cross_far(30, { "always" }) end)

  -- Cells that are blocked, as what is done to a world; most change nothing for those who cross chunks.
  local function some_edit(rand, wide, high)
    local x, y, kind = rand(wide) + 1, rand(high) + 1, rand(8)
    if kind == 0 then
      local x1, y1 = rand(wide) + 1, rand(high) + 1
      return function(world)
        if x1 ~= x or y1 ~= y then world:link(x, y, x1, y1, { cost = 700 }) end
      end
    elseif kind == 1 then
      return function(world)
        for i = 0, 40 do world:wall(x + i, y, "south", i % 2 == 0) end
      end
    elseif kind == 2 then
      return function(world) world:block(x, y - 30, 2, 60) end
    elseif kind == 3 then
      return function(world) world:unblock(x - 30, y - 30, 60, 60) end
    elseif kind == 4 then
      return function(world) world:put_chunk(math.floor(x / 64), math.floor(y / 64), worlds.open_chunk()) end
    end
    return function(world) world:block(x, y) end
  end

  -- Routes across many chunks, with edits in between, beside those of worlds made anew.
  local function ask_after_edits(seed, bytes)
    local rand, high, wide = generator(seed), 64 * 5, 64 * 26
    local rows, edits = {}, {}
    local percent, mud, size = 10 + rand(25), 30 * rand(2), 1 + rand(2)
    for y = 1, high do
      rows[y] = {}
      for x = 1, wide do rows[y][x] = rand(100) < percent / size and "#" or rand(100) < mud and "~" or "." end
    end
    local function new_unit()
      local world = astar.world { terrain = TERRAIN, bytes = bytes, load = function(cx, cy)
        return cx >= 0 and cy >= 0 and cx < 26 and cy < 5 and (cx ~= 12 or cy ~= 3 or nil) and
          worlds.cut(rows, 1, 1, cx, cy)
      end }
      for _, edit in ipairs(edits) do edit(world) end
      return world:finder { size = size }, world
    end
    local kept, world = new_unit()
    local sx, sy, gx, gy = rand(200) + 1, rand(high) + 1, wide - rand(200), rand(high) + 1
    local function answer(unit)
      local route, why = unit:find_route(sx, sy, gx, gy)
      return route and route.cost .. " " .. table.concat(assert(route:path()):cells_flat(), ",") or why
    end
    for round = 1, 5 do
      assert.equal(answer((new_unit())), answer(kept), ("seed %d, round %d"):format(seed, round))
      for _ = 1, 1 + rand(6) do
        local edit = some_edit(rand, wide, high)
        edits[#edits + 1] = edit
        edit(world)
        if rand(3) == 0 then kept:find_route(gx, gy, sx, sy) end
      end
    end
  end
  it("finds routes over a link between distant chunks as soon as the link exists", function()
    local world = astar.world { load = function() return worlds.open_chunk() end }
    local unit = world:finder()
    assert.equal(2890, unit:find_route(10, 233, 2900, 233).cost)
    world:link(961, 233, 1921, 233, { cost = 1 }) -- nodes of chunks before that, too
    assert.equal(1931, unit:find_route(10, 233, 2900, 233).cost)
    world:unlink(961, 233, 1921, 233)
    assert.equal(2890, unit:find_route(10, 233, 2900, 233).cost)
  end)

  for seed = 1, TIMES do
    it("gives after edits the results of a new world, seed " .. seed, function()
      ask_after_edits(seed, seed % 2 == 0 and 2 ^ 21 or 2 ^ 26)
    end)
  end

  it("connects chunks that meet only at a corner, if a step over that corner is allowed", function()
    local function solid_but(cx, cy)
      local row = ("#"):rep(64)
      local rows = {}
      for y = 1, 64 do rows[y] = row end
      if cx == 0 and cy == 0 then rows[64] = ("#"):rep(63) .. "." end
      if cx == 1 and cy == 1 then rows[1] = "." .. ("#"):rep(63) end
      return rows
    end
    for _, exact in ipairs { true, false } do
      local world = astar.world { exact = exact, load = solid_but }
      local route = world:finder { diagonals = "always" }:find_route(64, 64, 65, 65)
      assert.is_true(math.abs(route.cost - math.sqrt(2)) < 1e-6)
      assert.equal(2, #route:path())
      local _, why = world:finder():find_route(64, 64, 65, 65)
      assert.equal("unreachable", why)
    end
  end)

  local function says_no_way(options)
    local world = pillars({}, function(cx, cy) return cx > 3 and cy ~= 0 end)
    world:block(500, 500)
    local unit = world:finder(options)
    assert.same({ nil, "not loaded" }, { unit:find_route(64 * 9, 64 * 9, 1, 1) })
    -- A ring around the goal.
    for i = 0, 10 do
      for _, cell in ipairs { { 50 + i, 50 }, { 50 + i, 60 }, { 50, 50 + i }, { 60, 50 + i } } do
        world:block(cell[1], cell[2])
      end
    end
    assert.same({ nil, "unreachable" }, { unit:find_route(1, 1, 55, 55) })
    assert.same({ nil, "unreachable" }, { unit:find_route(55, 55, 1, 1) })
    assert.same({ nil, "goal blocked" }, { unit:find_route(1, 1, 50, 50) })
    assert.is_table(unit:find_route(50, 50, 1, 1):path():totable())
  end
  it("reports that there is no route only if all chunks are loaded", function() says_no_way() end)
  it("reports that there is no route if the query has a weight", function() says_no_way { weight = 2 } end)
  it("reports that there is no route if its routes are exact", function() says_no_way { exact = true } end)

  local function leads_to_the_frontier(options)
    local there = 2
    local world = pillars({}, function(cx) return cx > there end)
    local unit = world:finder(options)
    local route, why = unit:find_route(1, 1, 1000, 1)
    assert.equal("not loaded", why)
    assert.is_true(route.partial)
    assert.equal(192, route.gx)
    local way = assert(route:path())
    assert.equal(192, (way:cell(#way)))
    assert.is_true(way.partial)
    local empty = worlds.open_chunk()
    for cx = 3, 40 do
      for cy = -3, 3 do world:put_chunk(cx, cy, empty) end
    end
    route, why = unit:find_route(route.gx, route.gy, 1000, 1)
    assert.is_nil(why)
    assert.is_false(route.partial)
    assert.equal(1000, route.gx)
  end
  it("returns a route as far as chunks are loaded, and reports its end", function() leads_to_the_frontier() end)
  it("returns a route as far as chunks are loaded if weight is set", function()
    leads_to_the_frontier { weight = 3 }
  end)
  it("returns a route as far as chunks are loaded if exact is set", function()
    leads_to_the_frontier { exact = true }
  end)

  it("computes and keeps almost nothing for a route with a weight", function()
    local rough, fine = pillars {}, pillars {}
    local route = rough:finder { weight = 2 }:find_route(1, 1, 1500, 900)
    local best = waited_for(fine:finder(), 1, 1, 1500, 900)
    assert.equal(0, rough:stats().squares)
    assert.is_true(fine:stats().squares > 0)
    assert.is_true(route.cost <= 2 * best.cost)
    local way = route:path()
    assert.same({ 1500, 900 }, { way:cell(#way) })
  end)

  it("computes and keeps nothing for the best route", function()
    local world = pillars {}
    local route = world:finder { exact = true }:find_route(1, 1, 600, 300)
    assert.equal(0, world:stats().squares)
    assert.equal(0, route.bound)
    assert.is_true(math.abs(route.cost - route:path().cost) < 1e-6)
    world:finder():find_route(1, 1, 600, 300)
    assert.is_true(world:stats().squares > 0)
    assert.is_true(pillars { exact = true }:finder { weight = 2 }:find_route(1, 1, 600, 300).cost <= 2 * route.cost)
  end)

  it("finds routes from a start beside a missing chunk", function()
    local world = astar.world()
    for cx = 0, 3 do world:put_chunk(cx, 0, worlds.open_chunk()) end
    local route, why = world:finder():find_route(1, 1, 1000, 1)
    assert.equal("not loaded", why)
    assert.is_true(route.partial)
    assert.is_true(route.gx > 240, route.gx)
    route = world:finder():find_route(1, 20, 1000, 30)
    assert.equal(256, route.gx)
  end)

  it("calls load once for a missing chunk, until the script reports a change of that chunk", function()
    local asked, there = 0, false
    local world = astar.world { load = function(cx)
      if cx == 1 then asked = asked + 1 end
      return (cx < 1 or there) and worlds.open_chunk() or nil
    end }
    local unit = world:finder()
    unit:find_route(1, 1, 100, 1)
    unit:find_route(1, 1, 100, 1)
    local before = asked
    assert.is_nil(world:get(100, 1))
    assert.equal(before, asked)
    there = true
    assert.is_true(unit:find_route(1, 1, 100, 1).partial)
    for cy = -1, 1 do world:forget_chunk(1, cy) end
    assert.equal(99, unit:find_route(1, 1, 100, 1).cost)
    assert.is_true(asked > before)
    assert.equal(".", world:get(100, 1))
  end)

  it("crosses missing chunks if the world has a cost for missing chunks", function()
    local world = pillars({ unknown = 2 }, function(cx) return cx >= 2 and cx < 5 end)
    local route = assert(world:finder():find_route(1, 1, 400, 1))
    assert.is_false(route.known)
    assert.equal(207 + 192 * 2, route.cost)
    assert.is_true(world:finder():find_route(1, 1, 100, 1).known)
  end)

  it("keeps within its limit of bytes, and saves edited chunks before it drops them", function()
    local saved, limit = {}, 2 ^ 20
    local load = function(cx, cy)
      local keys = saved[cx .. "," .. cy]
      return keys or pillar_rows()
    end
    local world = astar.world {
      load = load, bytes = limit, save = function(cx, cy, keys) saved[cx .. "," .. cy] = keys end,
    }
    local unit = world:finder()
    for i = 1, 60 do
      for y = 1, 40 do world:get(64 * i, 64 * y) end
      assert.is_true(world:set(64 * i + 3, 5, "#"))
      assert.is_table(unit:find_route(64 * i + 10, 40, 64 * i + 300, 40):path():totable())
      assert.is_true(world:stats().bytes <= limit, world:stats().bytes)
    end
    local stats = world:stats()
    assert.is_true(stats.unloaded > 0 and stats.saved > 0, stats.unloaded .. " " .. stats.saved)
    for i = 1, 60 do assert.equal("#", world:get(64 * i + 3, 5)) end
    world:save()
    assert.equal(4096, #saved["60,0"])
    assert.equal("#", saved["60,0"][4 * 64 + 3])
    world:forget_chunk(60, 0)
    assert.equal("#", world:get(64 * 60 + 3, 5))
  end)

  -- A chunk of caves, whose edges fit to each other.
  local function cave_rows()
    local rand, cells = generator(3), {}
    for y = 0, 63 do
      cells[y] = {}
      for x = 0, 63 do cells[y][x] = rand(100) < 44 and 1 or 0 end
    end
    for _ = 1, 4 do
      local smooth = {}
      for y = 0, 63 do
        smooth[y] = {}
        for x = 0, 63 do
          local rock = 0
          for dy = -1, 1 do
            for dx = -1, 1 do rock = rock + cells[(y + dy) % 64][(x + dx) % 64] end
          end
          smooth[y][x] = rock >= 5 and 1 or 0
        end
      end
      cells = smooth
    end
    local rows = {}
    for y = 0, 63 do
      local row = {}
      for x = 0, 63 do row[x + 1] = cells[y][x] == 1 and "#" or "." end
      rows[y + 1] = table.concat(row)
    end
    return rows
  end

  it("includes in its bytes the memory of a running search, chunk by chunk", function()
    for _, options in ipairs { { exact = true }, { weight = 2 } } do
      local world = pillars {}
      local search = world:finder(options):search(1, 1, 64 * 40, 1)
      repeat search:step(32) until search.expanded >= 20
      local held = world:stats().bytes
      search:close()
      -- Of each cell around each chunk that it has come to, what the way there costs.
      assert.is_true(held - world:stats().bytes >= 20 * 256 * 8, held - world:stats().bytes)
      search = world:finder(options):search(1, 1, 64 * 40, 1)
      while search:step(1000) == "running" do end
      assert.equal("found", search.status)
      local ended = world:stats().bytes
      search:close()
      assert.equal(ended, world:stats().bytes)
    end
  end)

  it("finds out that no route leads out of an enclosed place to the goal, whatever surrounds the place", function()
    -- A walled town of 160 x 160 cells in open country without end; what leads into it lies elsewhere.
    local function town(x, y)
      return math.max(math.abs(x), math.abs(y)) == 80
    end
    local open = {}
    for y = 1, 64 do open[y] = ("."):rep(64) end
    local function load(cx, cy)
      if math.max(math.abs(cx), math.abs(cy)) > 2 then return open end
      local rows = {}
      for y = 1, 64 do
        local row = {}
        for x = 1, 64 do row[x] = town(64 * cx + x, 64 * cy + y) and "#" or "." end
        rows[y] = table.concat(row)
      end
      return rows
    end
    for _, options in ipairs { {}, { exact = true }, { weight = 1.5 }, { diagonals = "never" } } do
      local world = astar.world { load = load }
      world:link(5000, 5000, 5100, 5000)
      world:wall(-3000, 4, "north", true)
      world:link(20, 20, 400, 20, { one_way = true })   -- out of the town only
      local finder = world:finder(options)
      assert.same({ nil, "unreachable" }, { finder:find_route(3000, 1000, 0, 0) })
      assert.is_true(world:stats().loaded < 300, world:stats().loaded .. " chunks")
      assert.equal("number", type(finder:find_route(0, 0, 3000, 1000).cost))
      -- A way in, over a link from outside, through a gate one way.
      world:link(3000, 1100, 20, 30, { one_way = true })
      assert.is_true(finder:find_route(3000, 1000, 0, 0).cost < 200)
      world:unlink(3000, 1100, 20, 30, true)
      assert.same({ nil, "unreachable" }, { finder:find_route(3000, 1000, 0, 0) })
      world:set(80, 0, ".")
      world:wall(80, 0, "east", true)                   -- bars the way out
      assert.is_true(finder:find_route(3000, 1000, 0, 0).cost > 2900)
      world:wall(81, 0, "west", true)
      assert.same({ nil, "unreachable" }, { finder:find_route(3000, 1000, 0, 0) })
    end
  end)

  it("does not repeat work if its result exceeds the limit of bytes", function()
    local rows = cave_rows()
    local x = assert(rows[30]:find(".", 20, true))
    -- All before a long wall is looked at before the way around it.
    local world = astar.world { bytes = 2 ^ 20, load = function(cx, cy)
      if cx == 20 and math.abs(cy) <= 30 then
        return false
      end
      return rows
    end }
    local route = assert(waited_for(world:finder(), x, 30, x + 64 * 24, 30))
    assert.is_true(world:stats().loaded < 8000, world:stats().loaded .. " chunks")
    assert.is_true(world:stats().bytes < 1.1 * 2 ^ 20)
    assert.is_true(route.cost > 2 * 64 * 30)
    -- Looked for chunk by chunk it is the best.
    assert.equal(0, route.bound)
    local wide, solid = {}, ("#"):rep(64)
    for y = 0, 64 * 70 - 1 do
      local row, is_walled = rows[y % 64 + 1], y >= 64 * 5 and y < 64 * 66
      wide[y + 1] = row:rep(24) .. (is_walled and solid or row) .. row:rep(8)
    end
    local best = astar.grid(wide, { origin = { 1 - 64 * 4, 1 - 64 * 35 } }):find_path(x, 30, x + 64 * 24, 30)
    assert.is_true(math.abs(route.cost - best.cost) < 1e-6, route.cost .. ", not " .. best.cost)
    local way = route:path { legs = 3 }
    assert.same({ x, 30 }, { way:cell(1) })
  end)

  it("keeps edited chunks in memory that it cannot save", function()
    local world = pillars { bytes = 2 ^ 20 }
    world:set(5, 5, "#")
    local unit = world:finder()
    for i = 1, 60 do unit:find_route(1, 100 * i, 900, 100 * i) end
    assert.is_true(world:stats().unloaded > 0)
    assert.equal("#", world:get(5, 5))
  end)

  it("can have solid chunks, which edits can open", function()
    local world = astar.world { load = function() return false end }
    assert.is_false(world:get(1, 1))
    assert.same({ nil, "start blocked" }, { world:finder():find_route(1, 1, 2, 2) })
    for x = -70, 70 do world:set(x, 1, ".") end
    assert.equal(140, world:finder():find_route(-70, 1, 70, 1).cost)
    local kept
    world = astar.world { load = function() return kept or false end, save = function(_, _, keys) kept = keys end }
    world:set(1, 1, ".")
    world:save()
    assert.equal(".", kept[1])
    assert.is_false(kept[2])
    world:forget_chunk(0, 0)
    assert.equal(".", world:get(1, 1))
    assert.is_false(world:get(2, 1))
  end)

  it("passes on errors of load and save, and can be used after these errors", function()
    local broken = true
    local problem = {}
    local world = astar.world { load = function()
      if broken then error(problem) end
      return worlds.open_chunk()
    end, save = function() if broken then error "disk full" end end, bytes = 2 ^ 20 }
    local unit = world:finder()
    local ok, message = pcall(unit.find_route, unit, 1, 1, 100, 100)
    assert.is_false(ok)
    assert.equal(problem, message)
    local search = unit:search(1, 1, 100, 100)
    assert.has_error(function() search:step(100) end)
    broken = false
    while search:step(1) == "running" do end
    assert.equal("found", search.status)
    assert.is_true(math.abs(search:route().cost - 99 * math.sqrt(2)) < 1e-6)
    world:set(1, 1, "#")
    broken = true
    assert.has_error(function() world:save() end)
    assert.equal("#", world:get(1, 1))
    broken = false
    world:save()
    assert.equal(1, world:stats().saved)
  end)

  it("raises an error if a load function edits or queries it, or yields", function()
    local attempt, world, unit
    world = astar.world { load = function()
      attempt()
      return worlds.open_chunk()
    end }
    unit = world:finder()
    for _, what in ipairs {
      function() world:set(1, 1, ".") end, function() world:block(1, 1) end, function() world:get(1, 1) end,
      function() unit:find_route(1, 1, 5, 5) end, function() world:put_chunk(5, 5, false) end,
      function() world:forget_chunk(5, 5) end, function() world:link(1, 1, 5, 5) end,
    } do
      attempt = what
      assert.has_error(function() unit:find_route(1, 1, 100, 100) end,
        "the callbacks load and save must not edit or query the world")
    end
    attempt = coroutine.yield
    local thread = coroutine.create(function() return unit:find_route(1, 1, 100, 100) end)
    local ok, message = coroutine.resume(thread)
    assert.is_false(ok)
    assert.is_truthy(tostring(message):find "yield")
    attempt = function() end
    assert.equal(9, unit:find_route(1, 1, 10, 1).cost)
  end)

  it("frees an object that is closed during a function of the world after that function returns", function()
    local search, route
    local world = astar.world { load = function()
      for _, object in ipairs { search or {}, route or {} } do
        local meta = debug.getmetatable(object)
        if meta then meta.__gc(object) end
      end
      return worlds.open_chunk()
    end }
    search = world:finder():search(1, 1, 300, 300)
    pcall(search.step, search, 1000)
    assert.has_error(function() search:step() end, "search is closed")
    search = nil
    route = world:finder():find_route(1, 1, 200, 200)
    for cx = -1, 5 do
      for cy = -1, 5 do world:forget_chunk(cx, cy) end
    end
    pcall(route.path, route)
    assert.has_error(function() route:stretch() end, "route is closed")
  end)

  it("raises an error that names the row and column of invalid cells in a chunk", function()
    local keys
    local world = astar.world { load = function() return keys end }
    local unit = world:finder()
    for message, value in pairs {
      ["load(0, 0): expected 4096 keys or 64 rows, or false, got 3"] = 3,
      ["load(0, 0): expected 4096 keys or 64 rows, got 2"] = { ".", "." },
      ["load(0, 0): row 1: expected 64 cells, got 3"] = (function()
        local rows = worlds.open_chunk()
        rows[1] = "..."
        return rows
      end)(),
      ['load(0, 0): unknown terrain "x" at row 64, column 64: give it a cost in the option terrain'] = (function()
        local rows = worlds.open_chunk()
        rows[64] = ("."):rep(63) .. "x"
        return rows
      end)(),
    } do
      keys = value
      assert.has_error(function() unit:find_route(1, 1, 2, 2) end, message)
    end
  end)
end)

describe("a route", function()
  it("has stretches that walker:repair refuses with an error at the line of the caller", function()
    local world = astar.world { load = function() return worlds.open_chunk() end }
    local route = world:finder():find_route(1, 1, 900, 400)
    for _, seconds in ipairs { 0, 0.5, 3, 1000 } do
      local walker = astar.walker(route:path { legs = 1 })
      walker:update(seconds)
      for _, options in ipairs { {}, { { optimal = true } } } do
        assert.equal("a path of a world does not support this method: call it on the route", check.error_of(function()
          walker:repair(options[1])
          return true
        end))
      end
    end
  end)

  it("can be walked stretch by stretch", function()
    local world = pillars {}
    local unit = world:finder()
    local route = assert(unit:find_route(1, 1, 1500, 900))
    local all = assert(route:path())
    local cells, cost, before = {}, 0, nil
    for _ = 1, 1000 do
      local ahead = route:path { legs = 2 }
      local stretch = route:stretch()
      if not stretch then
        assert.is_nil(ahead)
        break
      end
      assert.same(ahead[#stretch], stretch[#stretch])
      local x, y = stretch:cell(1)
      assert.same(before or { 1, 1 }, { x, y })
      before = { stretch:cell(#stretch) }
      assert.same(before, { route.x, route.y })
      for i = (#cells == 0 and 1 or 2), #stretch do cells[#cells + 1] = stretch[i] end
      cost = cost + stretch.cost
    end
    assert.same({ 1500, 900 }, before)
    assert.same(all:totable(), cells)
    assert.is_true(math.abs(cost - all.cost) < 1e-6)
    assert.equal(0, route.legs)
  end)

  it("can be walked if start and goal share a chunk and the route between them leads far around", function()
    local rows = {}
    for y = 1, 64 do rows[y] = (y == 5 and "." .. ("#"):rep(63)) or ("."):rep(64) end
    for _, exact in ipairs { true, false } do
      local world = astar.world { exact = exact, load = function(cx, cy) return cx == 0 and cy == 0 and rows end }
      local route = assert(world:finder { diagonals = "never" }:find_route(60, 2, 60, 9))
      assert.equal(59 + 7 + 59, route.cost)
      local path = assert(route:path())
      assert.equal(route.cost, path.cost)
      assert.is_true(route:is_valid())
      world:block(1, 5)
      assert.is_false(route:is_valid())
    end
  end)

  local function open_world() return astar.world { load = function() return worlds.open_chunk() end } end

  it("leads through blocks if the finder ignores them, and to a block", function()
    local world = open_world()
    local walls, ignoring = world:finder(), world:finder { ignore = { "" }, size = 2, exact = true }
    world:block(200, -2000, 2, 4000)
    assert.same({ nil, "goal blocked" }, { walls:find_route(10, 10, 200, 10) })
    for _, goal in ipairs { 200, 600 } do
      local route = assert(ignoring:find_route(10, 10, goal, 10))
      assert.equal(goal - 10, route:path().cost)
      assert.is_true(route:is_valid())
      assert.is_true(route:path():is_valid())
      assert.is_true(ignoring:reachable(10, 10, goal, 10))
      assert.is_true(ignoring:raycast(10, 10, goal, 10))
    end
    assert.equal(189, assert(walls:find_route(10, 10, 200, 10, { range = 1, exact = true })):path().cost)
    assert.has_error(function() world:finder { ignore = { "", "doors" } } end,
      'blocks of a world have no layers, ignore = { "" } all of them, got "doors"')
  end)

  it("has stretches whose is_valid reports when they can no longer be walked", function()
    local world = open_world()
    local function link() world:link(40, 10, 900, 10, { one_way = true }) end
    link()
    local path = assert(world:finder { diagonals = "never" }:find_route(10, 10, 930, 10)):path()
    assert.equal(62, #path)
    local edits = {
      { 21, function() world:block(30, 10) end, function() world:unblock(30, 10) end },
      { 21, function() world:wall(29, 10, "east") end, function() world:unwall(29, 10, "east") end },
      { 62, function() world:set(930, 10, "#") end, function() world:set(930, 10, ".") end },
      { 32, function() world:unlink(40, 10, 900, 10) end, link },
      { 32, function() world:block(900, 10) end, function() world:unblock(900, 10) end },
    }
    for i, edit in ipairs(edits) do
      assert.is_true(path:is_valid(), i)
      edit[2]()
      assert.same({ false, edit[1] }, { path:is_valid() }, i)
      assert.same({ false, edit[1] }, { path:is_valid(edit[1] - 1) }, i)
      assert.is_true(edit[1] == 62 or path:is_valid(edit[1] + 1), i)
      edit[3]()
    end
    assert.is_true(path:is_valid())
    assert.has_error(function() path:is_valid(63) end, "from must be an integer from 1 to 62, got 63")
  end)

  it("leads around new obstacles, or reports that no route exists", function()
    local world = pillars {}
    local route = assert(world:finder():find_route(10, 10, 600, 10))
    world:block(200, 1, 1, 30)
    assert.is_true(route:is_valid())
    local way = assert(route:path())
    for x, y in way:cells() do assert.is_false(world:is_blocked(x, y)) end
    world:block(200, -2000, 1, 4000)
    assert.is_false(route:is_valid())
    assert.same({ nil, "unreachable" }, { route:path() })
    world:unblock(200, -2000, 1, 4000)
    assert.is_true(route:is_valid())
  end)

  it("returns the labels of its links", function()
    local world = pillars {}
    world:link(10, 10, 5000, 10, { cost = 3, label = "portal", one_way = true })
    local unit = world:finder()
    local route = assert(unit:find_route(5, 10, 5010, 10))
    assert.equal(18, route.cost)
    local way = route:path()
    assert.equal(18, way.cost)
    local label
    for i = 1, #way - 1 do label = label or way:link(i) end
    assert.equal("portal", label)
    assert.equal("link", way:directions()[6])
    assert.is_true(unit:find_route(5010, 10, 5, 10).cost > 5000)
    assert.is_true(route:is_valid())
    assert.is_true(world:unlink(10, 10, 5000, 10, true))
    assert.is_false(route:is_valid())
  end)

  it("can be searched for in steps and by a queue", function()
    local world = pillars {}
    local unit = world:finder()
    local search = unit:search(1, 1, 900, 900)
    assert.same({ nil, "running" }, { search:route() })
    local steps = 0
    repeat steps = steps + 1 until search:step { expansions = 3 } ~= "running"
    assert.is_true(steps > 3)
    local cost = unit:find_route(1, 1, 900, 900).cost
    assert.equal(cost, search:route().cost)
    local queue, found = astar.queue(), nil
    queue:add(unit:search(1, 1, 900, 900), { done = function(job) found = job:route() end })
    while queue:update { ms = 1 } > 0 do end
    assert.equal(cost, found.cost)
  end)

  it("is searched for again if an edit touches the search", function()
    local world = pillars {}
    local unit = world:finder()
    local search = unit:search(1, 1, 500, 1)
    search:step(12)
    world:block(250, -500, 1, 1000)
    while search:step(5) == "running" do end
    assert.equal(waited_for(unit, 1, 1, 500, 1).cost, search:route().cost)
    assert.is_true(search:route().cost > 600)
    unit = world:finder { weight = 2 }
    search = unit:search(1, 1, 500, 1)
    search:step(12)
    world:block(350, -500, 1, 1020)
    while search:step(5) == "running" do end
    assert.equal(unit:find_route(1, 1, 500, 1).cost, search:route().cost)
    assert.is_true(search:route().cost > 700)
  end)

  -- Open chunks in a row, from 0 to 'last', but for one that is solid, if any.
  local function row_of_chunks(last, solid)
    return astar.world { load = function(cx, cy)
      return cy == 0 and cx >= 0 and cx <= last and cx ~= solid and worlds.open_chunk()
    end }
  end

  -- Makes a search, so many steps of it, a change that touches nothing it has come to, and the rest: the
  -- answer is that of a search begun after the change.
  local function changed_elsewhere(weight, make, sx, gx, change)
    for steps = 0, 30, 3 do
      local world = make()
      local unit = world:finder { weight = weight }
      local search = unit:search(sx, 30, gx, 30)
      for _ = 1, steps do search:step(1) end
      if search.status ~= "running" then return assert.is_true(steps > 3) end
      change(world)
      while search:step(50) == "running" do end
      local fresh, why = waited_for(unit, sx, 30, gx, 30)
      assert.equal(why or "found", search.status, "after " .. steps)
      assert.equal(fresh.cost, search:route().cost, "after " .. steps)
    end
  end

  for _, weight in ipairs { 1, 2 } do
    it("uses links and openings that are added elsewhere during the search, weight " .. weight, function()
      local function link(from, to)
        return function(world) world:link(from, 30, to, 30, { cost = 1, one_way = true }) end
      end
      changed_elsewhere(weight, function() return row_of_chunks(7, 2) end, 100, 64 * 5 + 30, link(10, 64 * 7 + 30))
      changed_elsewhere(weight, function() return row_of_chunks(22) end, 100, 64 * 20, link(10, 64 * 22 + 10))
      changed_elsewhere(weight, function()
        local world = row_of_chunks(9)
        for y = 1, 64 do world:wall(64 * 7 + 30, y, "west") end
        return world
      end, 64 * 9 + 10, 64 * 2 + 30, function(world)
        world:unwall(64 * 7 + 30, 30, "west", true)
      end)
    end)
  end

-- The cells of a world as a table of rows of keys, which chunks are cut out of and edits change.
  local function make_model(rand)
    local rows = random_rows(rand, 4, true)
    local model = { rows = rows, blocks = {}, absent = { ["1,1"] = true, ["-1,2"] = true } }
    function model.world(bytes)
      local save = bytes and function() end -- with a spacing of 8 some searches have to go on by floods
      return astar.world { terrain = TERRAIN, bytes = bytes, save = save, spacing = 16, load = function(cx, cy)
        if cx < -1 or cy < -1 or cx > 2 or cy > 2 then
          return false
        end
        return not model.absent[cx .. "," .. cy] and worlds.cut(rows, -63, -63, cx, cy) or nil
      end }
    end
    return model
  end

  local function edit_model(rand, model, world)
    local x, y, what = rand(256) - 63, rand(256) - 63, rand(5)
    local cx, cy = math.floor((x - 1) / 64), math.floor((y - 1) / 64)
    if what == 0 and model.absent[cx .. "," .. cy] then
      model.absent[cx .. "," .. cy] = nil
      world:put_chunk(cx, cy, worlds.cut(model.rows, -63, -63, cx, cy))
    elseif what == 1 and not model.absent[cx .. "," .. cy] then
      for row = y, math.min(y + 5, 64 * cy + 64) do model.rows[row + 64][x + 64] = "#" end
      world:forget_chunk(cx, cy)
    elseif what == 2 and not model.absent[cx .. "," .. cy] then
      model.rows[y + 64][x + 64] = "."
      world:set(x, y, ".")
    elseif what == 3 then
      model.blocks[#model.blocks + 1] = { x, y, 1 + rand(12), 1 }
      world:block(x, y, model.blocks[#model.blocks][3], 1)
    end
  end

  local function told(route, why)
    local way = route and assert(route:path())
    return way and route.cost .. " " .. tostring(why) .. " " .. table.concat(way:cells_flat(), ",") or why
  end

  -- Searches of several finders, each by a few nodes in turn, with edits in between, in a world that holds little; what
  -- they answer is what a world answers that was made for the question.
  local function search_in_turns(seed)
    local rand = generator(seed)
    local model = make_model(rand)
    local world, running, ended = model.world(2 ^ 20), {}, 0
    for round = 1, 110 do
      if #running < 3 then
        local options = { size = 1 + rand(2), diagonals = RULES[1 + rand(#RULES)],
          weight = ({ 1, 1.2, 3 })[1 + rand(3)], exact = rand(3) == 0 }
        local ask = { rand(256) - 63, rand(256) - 63, rand(256) - 63, rand(256) - 63 }
        running[#running + 1] = { options = options, ask = ask,
          search = world:finder(options):search(ask[1], ask[2], ask[3], ask[4]) }
      end
      if round % 16 == 0 then collectgarbage() end
      if rand(6) == 0 then edit_model(rand, model, world) end
      local at = 1 + rand(#running)
      local one, ask = running[at], running[at].ask
      if one.search:step(1 + rand(8000)) ~= "running" then
        table.remove(running, at)
        ended = ended + 1
        local fresh = model.world()
        for _, block in ipairs(model.blocks) do fresh:block(block[1], block[2], block[3], block[4]) end
        assert.equal(told(waited_for(fresh:finder(one.options), ask[1], ask[2], ask[3], ask[4])),
          told(one.search:route()), "seed " .. seed .. ", round " .. round)
      end
    end
    assert.is_true(ended > 8, ended)
  end
  for seed = 1, 2 do
    it("is found in steps between other searches, in a world that is edited, seed " .. seed, function()
      search_in_turns(seed)
    end)
  end

    it("ends its search after max_expansions expansions", function()
    local unit = pillars {}:finder { max_expansions = 5 }
    assert.same({ nil, "max_expansions" }, { unit:find_route(1, 1, 9000, 9000) })
    unit = pillars {}:finder { max_expansions = 5, weight = 3 }
    assert.same({ nil, "max_expansions" }, { unit:find_route(1, 1, 9000, 9000) })
  end)

  it("refuses options that need a grid", function()
    local world = pillars {}
    world:link(2, 1, 700, 1, { one_way = true })
    world:wall(701, 1, "west", true)
    local unit = world:finder()
    local ways = { unit:find_route(1, 1, 9, 1):path(), unit:find_route(1, 1, 705, 1):path(),
      unit:find_route(705, 2, 1, 1):path { legs = 2 } }
    for _, way in ipairs(ways) do
      for _, method in ipairs { "smooth", "reverse", "repair", "repairing" } do
        assert.has_error(function() way[method](way) end,
          "a path of a world does not support this method: call it on the route")
      end
    end
    local way = ways[1]
    assert.equal("east", way:directions()[1])
    local walker = astar.walker(way, { speed = 1 })
    assert.same({ 3, 1, false }, { walker:update(2) })
  end)

  it("can be abandoned in the middle of a step in favour of another route", function()
    local unit = pillars {}:finder()
    local walker = astar.walker(unit:find_route(1, 1, 9, 1):stretch(), { speed = 1 })
    walker:update(2.5)
    assert.same({ 4, 1 }, { walker:cell() })
    walker:follow(unit:find_route(4, 1, 4, 9):stretch())
    assert.same({ 4, 9, true }, { walker:update(20) })
  end)

  it("has paths that can be distinguished from paths of a grid", function()
    assert.is_true(pillars {}:finder():find_route(1, 1, 9, 1):path().of_world)
    assert.is_false(astar.grid(9, 1):find_path(1, 1, 9, 1).of_world)
  end)
end)
