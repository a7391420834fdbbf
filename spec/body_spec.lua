-- The body of a unit on the legs of smoothed paths and of routes at any angle: it is moved along them in small steps,
-- and at each the cells that it covers are looked at one by one. docs/straighter.md says what is promised.
--
-- All places are whole numbers of parts of a cell, as many as a leg has steps: a body that touches a cell is told from
-- one that covers it.

local astar = require "astar"
local body = require "spec.support.body"
local check = require "spec.support.check"
local layers = require "spec.support.layers"
local maps = require "spec.support.maps"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"
local times = require "spec.support.times"

local unpack = table.unpack or unpack

local RULES = { "always", "if_at_most_one_obstacle", "only_when_no_obstacles", "never" }
local CUTS = { always = true, if_at_most_one_obstacle = true }
local TERRAIN = { ["."] = 1, ["#"] = false, g = 2, s = 5 }
local STEPS = 24 -- a cell of a leg

-- Calls visit(x, y, parts) with the places of the unit's north-west cell along a leg, in parts of a cell.
local function go_along(from, to, visit)
  local dx, dy = to.x - from.x, to.y - from.y
  local parts = STEPS * math.max(math.abs(dx), math.abs(dy), 1)
  for k = 0, parts do visit(from.x * parts + dx * k, from.y * parts + dy * k, parts) end
end

-- The first cell that a square covers, even in part, and that is not free; nil for none.
local function covered_cell(low_x, low_y, high_x, high_y, parts, is_free)
  for y = math.floor(low_y / parts), math.ceil(high_y / parts) - 1 do
    for x = math.floor(low_x / parts), math.ceil(high_x / parts) - 1 do
      if not is_free(x, y) then return x, y end
    end
  end
end

-- Where a unit may be: its north-west cell and, where `of_one` is set, any cell that it covers.
local function freedom(world, rules, of_one)
  local entry = oracle.entry_costs(world, of_one and {} or rules)
  return function(x, y)
    return x >= 1 and y >= 1 and x <= world.width and y <= world.height and entry[oracle.cell(world, x, y)]
  end
end

-- By rules that do not cut corners no cell is covered that the unit cannot enter. By those that do the body covers a
-- blocked cell no deeper than diagonal steps do: its north-west cell stays out of the diamond between the four
-- neighbours of each cell where the unit cannot be.
local function check_leg(world, rules, from, to)
  local is_free, can_be = freedom(world, rules, true), freedom(world, rules)
  local columns, rows = oracle.body(rules)
  go_along(from, to, function(x, y, parts)
    local bad_x, bad_y
    if not CUTS[rules.diagonals] then
      bad_x, bad_y = covered_cell(x, y, x + columns * parts, y + rows * parts, parts, is_free)
    else
      local left, top = math.floor(x / parts), math.floor(y / parts)
      for row = top, top + 1 do
        for column = left, left + 1 do
          local far = math.abs(column * parts - x) + math.abs(row * parts - y)
          if far < parts and not can_be(column, row) then bad_x, bad_y = column, row end
        end
      end
    end
    if bad_x then
      error(("from (%d, %d) to (%d, %d) it is on (%d, %d) at (%g, %g)"):format(from.x, from.y, to.x, to.y, bad_x, bad_y,
        x / parts, y / parts))
    end
  end)
end

local function check_legs(world, rules, path)
  local points = path and path:waypoints() or {}
  for i = 2, #points do check_leg(world, rules, points[i - 1], points[i]) end
  return #points
end

-- A map, a unit and where it goes.
local function random_case(seed, rule, size)
  local r = random.new(seed)
  local rows = r:scatter(r:int(4, 20), r:int(4, 20), size == 1 and r:pick { 0.1, 0.25 } or r:pick { 0.02, 0.06 })
  if seed % 3 == 0 then r:sow(rows, { "g", "s" }) end
  local world = oracle.world(rows, { terrain = TERRAIN })
  local rules = { diagonals = rule, size = size ~= 1 and size or nil }
  local ends = { r:int(1, world.width), r:int(1, world.height), r:int(1, world.width), r:int(1, world.height) }
  return world, rules, ends, r
end

local function with(options, more)
  local all = {}
  for name, value in pairs(options) do all[name] = value end
  for name, value in pairs(more) do all[name] = value end
  return all
end

local function on_maps(rule, size, examine)
  local turns = 0
  for seed = 1, 5 * times("ASTAR_BODIES", 120) do
    local world, rules, ends, r = random_case(seed, rule, size)
    local ok, result = pcall(examine, maps.grid(world), world, rules, ends, r)
    assert(ok, ("seed %d: %s"):format(seed, tostring(result)))
    turns = turns + result
  end
  assert.is_true(turns > 60)
end

-- Units of one cell half of the time.
local function r_size(seed) return ({ 1, 2, 1, 3, 1, { 2, 1 }, 1, { 1, 3 } })[seed % 8 + 1] end

-- Whether a leg is one of the way by steps, or lies on one.
local function is_of(path, from, to)
  local dx, dy = to.x - from.x, to.y - from.y
  local steps = math.max(math.abs(dx), math.abs(dy))
  if dx ~= 0 and dy ~= 0 and math.abs(dx) ~= math.abs(dy) then return false end
  for i = 1, #path - steps do
    local is_leg = true
    for k = 0, steps do
      local x, y = path:cell(i + k)
      is_leg = is_leg and x == from.x + dx / steps * k and y == from.y + dy / steps * k
    end
    if is_leg then return true end
  end
  return false
end

local function is_of_any(paths, from, to)
  for _, path in ipairs(paths) do
    if is_of(path, from, to) then return true end
  end
  return false
end

-- What is beyond the map does not count for a margin. 'by_steps' are the ways by steps that the search may begin with:
-- "auto" and jump point search find different ones of equal cost. Returns how many legs are no legs of these ways.
local function check_margin(world, rules, margin, path, by_steps)
  local points, is_free, count = path:waypoints(), freedom(world, rules, true), 0
  local columns, rows = oracle.body(rules)
  local function is_clear(x, y)
    return x < 1 or y < 1 or x > world.width or y > world.height or is_free(x, y)
  end
  check_legs(world, rules, path)
  for i = 2, #points do
    if not is_of_any(by_steps, points[i - 1], points[i]) then
      count = count + 1
      go_along(points[i - 1], points[i], function(x, y, parts)
        local more, wide, high = margin * parts, (columns + margin) * parts, (rows + margin) * parts
        local bad_x, bad_y = covered_cell(x - more, y - more, x + wide, y + high, parts, is_clear)
        assert(not bad_x,
          ("leg %d: no margin of %g beside (%s, %s)"):format(i - 1, margin, tostring(bad_x), tostring(bad_y)))
      end)
    end
  end
  return count
end

-- Each leg is a link or a line along which the unit can go, and the path costs what its legs do. Returns the number of
-- lines and of links.
local function check_legs_and_costs(world, rules, path)
  local points, index, cost, lines, links = path:waypoints(), 1, 0, 0, 0
  local entry = oracle.entry_costs(world, rules, points[1].x, points[1].y)
  local is_free = body.free_cells(world, rules, points[1].x, points[1].y)
  for i = 2, #points do
    local a, b = points[i - 1], points[i]
    local is_link = path:link(index) ~= nil
    local leg = is_link and oracle.link_step(world, rules, entry, a.x, a.y, b.x, b.y)
      or not is_link and body.walk(world, rules, entry, is_free, a.x, a.y, b.x, b.y)
    assert(leg, ("it cannot go from (%d, %d) to (%d, %d)"):format(a.x, a.y, b.x, b.y))
    cost = cost + leg
    if is_link then links = links + 1 else lines = lines + 1 end
    index = index + (is_link and 1 or #oracle.line(rules, a.x, a.y, b.x, b.y) - 1)
  end
  assert.equal(#path, index)
  check.equal_cost(cost, path.cost, "path.cost")
  check.equal_cost(cost, path:cost_at(#path), "path:cost_at")
  return lines, links
end

-- Whether the unit can go along a line, by geometry without steps (spec/support/body.lua).
local function can_go(world, rules, margin, x0, y0, x1, y1)
  if not oracle.can_stand(world, rules, x0, y0) then return false end
  local entry, is_free = oracle.entry_costs(world, rules, x0, y0), body.free_cells(world, rules, x0, y0)
  if not body.walk(world, rules, entry, is_free, x0, y0, x1, y1) then return false end
  return margin == 0 or not body.hits(world, rules.size or 1, 4 * margin, x0, y0, x1, y1, is_free)
end

-- The middle of the unit stays out of the hexagon between the six neighbours of each blocked one. (ax, ay) is the way
-- from there; a corner of that hexagon and the next one clockwise are two neighbours.
local function is_near(ax, ay)
  local most = 0
  for k = 0, 5 do
    most = math.max(most, ax * math.cos(math.pi / 3 * k) + ay * math.sin(math.pi / 3 * k))
  end
  return most
end

local function check_hexagons(grid, path)
  local points, count = path and path:waypoints() or {}, 0
  local width, height = grid:size()
  local _, offset = grid:shape()
  -- The sides of the hexagon between neighbours look to where those of rows have their corners.
  local turn = offset:find "_r$" and math.pi / 6 or 0
  for i = 2, #points do
    local ax, ay = grid:center(points[i - 1].x, points[i - 1].y)
    local bx, by = grid:center(points[i].x, points[i].y)
    local parts = 8 * grid:distance(points[i - 1].x, points[i - 1].y, points[i].x, points[i].y)
    count = count + 1
    for y = 1, height do
      for x = 1, width do
        local cx, cy = grid:center(x, y)
        for k = 0, grid:is_walkable(x, y) and -1 or parts do
          local dx, dy = ax + (bx - ax) * k / parts - cx, ay + (by - ay) * k / parts - cy
          local far = is_near(dx * math.cos(turn) + dy * math.sin(turn), dy * math.cos(turn) - dx * math.sin(turn))
          assert(far > math.sqrt(3) / 2 - 1e-9, ("leg %d comes as near as %g to (%d, %d)"):format(i - 1, far, x, y))
        end
      end
    end
  end
  return count
end

local MAKES = {
  ["a smoothed path"] = function(grid, rules, ends)
    local path = grid:finder(rules):find_path(unpack(ends))
    return path and path:smooth()
  end,
  ["a smoothed path of a finder with a callback"] = function(grid, rules, ends)
    local finder = grid:finder(with(rules, { cost = function(_, _, _, ground) return ground end }))
    local path = finder:find_path(unpack(ends))
    return path and path:smooth()
  end,
  ["a route at any angle"] = function(grid, rules, ends)
    return (grid:finder(with(rules, { any_angle = true })):find_path(unpack(ends)))
  end,
  -- Legs at an angle that remain after the part before them was found anew.
  ["a smoothed path that was repaired and smoothed again"] = function(grid, rules, ends)
    local path = grid:finder(rules):find_path(unpack(ends))
    path = path and path:smooth()
    if not path or #path < 4 then return path end
    local x, y = path:cell(math.floor(#path / 2))
    grid:block(x, y)
    local repaired = path:repair()
    grid:unblock(x, y)
    return (repaired or path):smooth():smooth()
  end,
  ["a smoothed route at any angle"] = function(grid, rules, ends)
    local route = grid:finder(with(rules, { any_angle = true })):find_path(unpack(ends))
    return route and route:smooth()
  end,
}

describe("the body of a unit", function()
  for what, make in pairs(MAKES) do
    for _, rule in ipairs(RULES) do
      for _, size in ipairs { 1, 2, 3, { 2, 1 }, { 1, 3 } } do
        local name = "of %d x %d cells covers no cell on %s that it cannot enter where diagonals are %s"
        local columns, rows = oracle.body { size = size }
        it(name:format(columns, rows, what, rule), function()
          on_maps(rule, size, function(grid, world, rules, ends)
            return check_legs(world, rules, make(grid, rules, ends))
          end)
        end)
      end
    end
  end

  for _, rule in ipairs(RULES) do
    it("keeps its distance from blocked cells, except on legs of one grid step, if diagonals are " .. rule, function()
      local widened = 0
      for seed = 1, 8 * times("ASTAR_BODIES", 120) do
        local world, rules, ends, r = random_case(seed, rule, r_size(seed))
        local margin, grid = r:pick { 0.25, 0.5, 1 }, maps.grid(world)
        local by_steps = { grid:finder(rules):find_path(unpack(ends)) }
        local is_uniform, by_jumps = pcall(function() -- an error over ground of several costs
          return grid:finder(with(rules, { algorithm = "jps" })):find_path(unpack(ends))
        end)
        if by_steps[1] and is_uniform then by_steps[2] = by_jumps end
        local wide, straight = { margin = margin }, { margin = margin, any_angle = true }
        local makes = {
          function() return grid:finder(with(rules, wide)):find_path(unpack(ends)):smooth() end,
          function() return (grid:finder(with(rules, straight)):find_path(unpack(ends))) end,
        }
        for _, make in ipairs(by_steps[1] and makes or {}) do
          local ok, result = pcall(check_margin, world, rules, margin, make(), by_steps)
          assert(ok, ("seed %d: %s"):format(seed, tostring(result)))
          widened = widened + result
        end
      end
      assert.is_true(widened > 20)
    end)

    it("stops finder:sweep where exact geometry says that the unit does not fit, if diagonals are " .. rule, function()
      local counts = { [true] = 0, [false] = 0 }
      for seed = 1, 15 * times("ASTAR_BODIES", 120) do
        local world, rules, ends, r = random_case(seed, rule, r_size(seed))
        local options = with(rules, { margin = r:pick { 0, 0, 0.25, 0.5, 1 } })
        if r:chance(0.3) then options.cost = function(_, _, _, ground) return ground end end
        local clear, x, y = maps.grid(world):finder(options):sweep(unpack(ends))
        local expected = can_go(world, rules, options.margin, unpack(ends))
        assert(clear == expected, ("seed %d: %s, should be %s"):format(seed, tostring(clear), tostring(expected)))
        assert.equal(clear, x == nil and y == nil)
        counts[clear] = counts[clear] + 1
      end
      assert.is_true(counts[true] > 20 and counts[false] > 20)
    end)
  end

  it("fits along each leg among thin walls and links, and the path costs the sum of its legs", function()
    local lines, links = 0, 0
    for seed = 1, 20 * times("ASTAR_BODIES", 120) do
      local world, rules, ends, r = random_case(seed, RULES[math.floor(seed / 4) % 4 + 1], r_size(seed))
      if r:chance(0.3) then rules.size = 4 end
      if r:chance(0.7) then layers.add_walls(r, world) end
      if r:chance(0.5) then layers.add_links(r, world) end
      local grid = maps.grid(world)
      for what, make in pairs(MAKES) do
        local path = make(grid, rules, ends)
        if path then
          local ok, more, links_more = pcall(check_legs_and_costs, world, rules, path)
          assert(ok, ("seed %d, %s: %s"):format(seed, what, tostring(more)))
          lines, links = lines + more, links + links_more
        end
      end
    end
    assert.is_true(lines > 100 and links > 10)
  end)

  for _, offset in ipairs { "odd_r", "even_r", "odd_q", "even_q" } do
    it("stays as far from blocked hexagons as a single step past them does, offset " .. offset, function()
      local legs = 0
      for seed = 1, 10 * times("ASTAR_BODIES", 120) do
        local r = random.new(seed)
        local grid = astar.grid(r:scatter(r:int(3, 14), r:int(3, 14), r:pick { 0.1, 0.25 }), {
          shape = "hex", offset = offset, terrain = { ["."] = 1, ["#"] = false },
        })
        local width, height = grid:size()
        local path = grid:find_path(r:int(1, width), r:int(1, height), r:int(1, width), r:int(1, height))
        local ok, result = pcall(check_hexagons, grid, path and path:smooth())
        assert(ok, ("seed %d: %s"):format(seed, tostring(result)))
        legs = legs + result
      end
      assert.is_true(legs > 40)
    end)
  end
end)
