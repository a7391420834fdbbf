-- Hexagons: every question against an oracle that measures who is whose neighbour (hex_oracle.lua).
--
-- ASTAR_MAPS=100000 runs more maps, ASTAR_SEED=7 others, as for differential_spec.lua.

local astar = require "astar"
local bends = require "spec.support.bends"
local hex_oracle = require "spec.support.hex_oracle"
local random = require "spec.support.random"
local times = require "spec.support.times"

local MAPS = math.ceil(times("ASTAR_MAPS", 2500) / 16)
local FIRST_SEED = tonumber(os.getenv "ASTAR_SEED") or 1

local OFFSETS = { "odd_r", "even_r", "odd_q", "even_q" }
local TERRAIN = { ["."] = 1, ["#"] = false, r = 0.5, g = 3 }

local function near(a, b) return math.abs(a - b) <= 1e-6 * math.max(1, math.abs(a), math.abs(b)) end

-- ---- drawn maps ----

describe("a grid of hexagons", function()
  it("returns its shape and its offset from grid:shape", function()
    assert.same({ "square" }, { astar.grid(3, 2):shape() })
    assert.same({ "hex", "odd_r" }, { astar.grid(3, 2, { shape = "hex" }):shape() })
    for _, offset in ipairs(OFFSETS) do
      local grid = astar.grid(3, 2, { shape = "hex", offset = offset })
      assert.same({ "hex", offset }, { grid:shape() })
      assert.same({ "hex", offset }, { grid:clone():shape() })
      assert.same({ "hex", offset }, { astar.load(grid:dump()):shape() })
      assert.equal("astar grid 3 x 2 hexagons", tostring(grid))
    end
  end)

  it("has routes whose iterator returns the same cells as path:cell, smoothed or not", function()
    for seed = FIRST_SEED, FIRST_SEED + 40 do
      local r = random.new(seed)
      for _, offset in ipairs(OFFSETS) do
        local grid = astar.grid(r:int(3, 30), r:int(3, 30), { shape = "hex", offset = offset })
        local width, height = grid:size()
        for _ = 1, width * height / 8 do grid:block(r:int(1, width), r:int(1, height)) end
        local path = grid:find_path(r:int(1, width), r:int(1, height), r:int(1, width), r:int(1, height))
        for _, each in ipairs { path or nil, path and path:smooth() } do
          local i = 0
          for x, y in each:cells() do
            i = i + 1
            local at_x, at_y = each:cell(i)
            assert.is_true(x == at_x and y == at_y, ("seed %d, %s: cell %d"):format(seed, offset, i))
          end
          assert.equal(#each, i)
        end
      end
    end
  end)

  it("can be made from drawings and from rows", function()
    local drawing = astar.grid("...\n.#.\n", { shape = "hex", offset = "even_q" })
    local rows = astar.grid({ { 0, 0, 0 }, { 0, 1, 0 } }, { shape = "hex", offset = "even_q" })
    assert.is_false(drawing:is_walkable(2, 2))
    assert.is_false(rows:is_walkable(2, 2))
    assert.same({ "hex", "even_q" }, { rows:shape() })
  end)

  it("is drawn with every second row or every second column shifted", function()
    local drawing = "..#\n.#.\n"
    local function drawn(offset)
      return astar.grid(drawing, { shape = "hex", offset = offset }):draw()
    end
    assert.equal(". . #\n . # .\n", drawn "odd_r")
    assert.equal(" . . #\n. # .\n", drawn "even_r")
    assert.equal(".   #\n  .\n.   .\n  #\n", drawn "odd_q")
    assert.equal("  .\n.   #\n  #\n.   .\n", drawn "even_q")
  end)

  it("is drawn together with its routes", function()
    local grid = astar.grid(4, 2, { shape = "hex" })
    assert.equal("S . . .\n * * G .\n", grid:draw(grid:find_path(1, 1, 3, 2)))
  end)

  it("refuses options that hexagons do not have", function()
    local grid = astar.grid(3, 3, { shape = "hex" })
    local function refusal(options)
      local made, message = pcall(grid.finder, grid, options)
      assert.is_false(made)
      return message
    end
    assert.equal("hexagons cannot honour diagonals", refusal { diagonals = "always" })
    assert.equal("hexagons cannot honour diagonal_cost", refusal { diagonal_cost = 1 })
    assert.equal("hexagons cannot honour size above 1", refusal { size = 2 })
    assert.equal('hexagons with offset "odd_r" have no heading "north"',
      refusal { bends = "fewest", heading = "north" })
    assert.equal("hexagons cannot honour any_angle", refusal { any_angle = true })
    assert.equal('hexagons cannot honour heuristic "octile"', refusal { heuristic = "octile" })
    assert.equal('hexagons cannot honour algorithm "jps"', refusal { algorithm = "jps" })
    assert.equal('hexagons cannot honour algorithm "jpsw"', refusal { algorithm = "jpsw" })
    assert.equal("avoid must be a field of the grid's size, origin and shape: astar.field(grid) has them",
      refusal { avoid = astar.field(3, 3) })
    local finder = grid:finder { size = 1, any_angle = false, heuristic = "euclidean" }
    assert.has_error(function() finder:clearance(1, 1) end, "hexagons cannot honour clearance")
    assert.equal(0, finder:bake().pivots)
  end)

  it("has walls on six sides, and on no other side", function()
    local rows = astar.grid(3, 3, { shape = "hex" })
    local columns = astar.grid(3, 3, { shape = "hex", offset = "odd_q" })
    assert.has_error(function() rows:wall(1, 1, "north") end,
      'direction must be "north_east", "east", "south_east", "south_west", "west" or "north_west", got "north"')
    assert.has_error(function() columns:wall(1, 1, "east") end,
      'direction must be "north", "north_east", "south_east", "south", "south_west" or "north_west", got "east"')
    rows:wall(2, 2, "south_east")
    assert.is_true(rows:has_wall(2, 2, "south_east"))
    assert.is_true(rows:has_wall(3, 3, "north_west"))
    assert.same({ { x = 2, y = 2, direction = "south_east", one_way = false } }, rows:walls())
    rows:unwall(3, 3, "north_west")
    assert.same({}, rows:walls())
    columns:wall(2, 2, "north_west", true)
    assert.same({ { x = 2, y = 2, direction = "north_west", one_way = true } },
      astar.load(columns:dump()):walls())
  end)

  it("calls a heuristic function with the number of hexagons, and 0", function()
    local grid, least = astar.grid(9, 9, { shape = "hex" }), {}
    local finder = grid:finder { heuristic = function(dx, dy)
      least[#least + 1] = dy
      return dx + dy
    end }
    local path = finder:find_path(1, 1, 9, 9)
    assert.equal(grid:distance(1, 1, 9, 9), path.cost)
    assert.equal(path.cost, path.expanded)
    for _, dy in ipairs(least) do assert.equal(0, dy) end
  end)

  -- Calls 'visit' with the ends of 24 routes through the middle of a map, one for each direction.
  local function each_direction(grid, radius, visit)
    local x0, y0, x1, y1 = grid:bounds()
    local middle_x, middle_y = grid:center(math.floor((x0 + x1) / 2), math.floor((y0 + y1) / 2))
    for i = 0, 23 do
      local dx, dy = radius * math.cos(i * math.pi / 12 + 0.1), radius * math.sin(i * math.pi / 12 + 0.1)
      local sx, sy = grid:cell_at(middle_x - dx, middle_y - dy)
      visit(sx, sy, grid:cell_at(middle_x + dx, middle_y + dy))
    end
  end

  local function given(_, _, _, cost) return cost end
  local function step_given(_, _, _, _, cost) return cost end
  local EASY = {
    ["open ground"] = {}, ["several terrains"] = { terrain = "g" }, ["a field to avoid"] = { avoid = 5 },
    ["a cost callback"] = { cost = given }, ["a step_cost callback"] = { step_cost = step_given },
    ["a range"] = { range = 3 }, ["a partial route"] = { partial = true },
  }

  for name, rules in pairs(EASY) do
    it("expands no more cells than the route has, in any direction, with " .. name, function()
      for _, offset in ipairs(OFFSETS) do
        local grid = astar.grid(64, 64, { shape = "hex", offset = offset, terrain = TERRAIN, fill = "." })
        local options = {}
        for key, value in pairs(rules) do options[key] = value end
        if options.terrain then grid:set(1, 1, options.terrain) end
        options.terrain = nil
        if options.avoid then
          options.avoid = astar.field(grid)
          options.avoid:set(1, 1, rules.avoid)
        end
        local finder = grid:finder(options)
        each_direction(grid, 25, function(sx, sy, gx, gy)
          local path = finder:find_path(sx, sy, gx, gy)
          assert.is_true(path.expanded <= #path, ("%s: %d expanded from %d, %d"):format(offset, path.expanded, sx, sy))
        end)
      end
    end)
  end

  it("expands fewer than 1.5 cells per cell of the route in each direction, if few cells are blocked", function()
    for _, offset in ipairs(OFFSETS) do
      local expanded, cells = {}, 0
      for seed = 1, 40 do
        local r, direction = random.new(seed), 0
        local grid = astar.grid(64, 64, { shape = "hex", offset = offset })
        for _ = 1, 16 do grid:block(r:int(1, 64), r:int(1, 64)) end
        local finder = grid:finder()
        each_direction(grid, 25, function(sx, sy, gx, gy)
          direction = direction + 1
          grid:unblock(sx, sy)
          grid:unblock(gx, gy)
          local path = finder:find_path(sx, sy, gx, gy)
          expanded[direction] = (expanded[direction] or 0) + path.expanded
          cells = cells + #path
        end)
      end
      for direction, count in ipairs(expanded) do
        local factor = count / (cells / #expanded)
        assert.is_true(factor < 1.5, ("%s, direction %d: %.2f times the route"):format(offset, direction, factor))
      end
    end
  end)
end)

-- ---- random worlds ----

local function random_world(r)
  local width, height = r:sides()
  if width * height > 900 or width < hex_oracle.LEAST_WIDTH then width, height = r:int(10, 24), r:int(10, 24) end
  local rows = r:map(width, height)
  if r:chance(0.5) then r:sow(rows, { "r", "g" }) end
  local origin = r:pick { { 1, 1 }, { 0, 0 }, { -5, 70 } }
  local world = hex_oracle.world(rows, r:pick(hex_oracle.LAYOUTS), { terrain = TERRAIN, origin = origin })
  local text = {}
  for y, row in ipairs(rows) do text[y] = table.concat(row) end
  local grid = astar.grid(text, hex_oracle.options(world.offset, { terrain = TERRAIN, origin = origin }))
  return world, grid
end

local function random_cell(r, world)
  local cell = r:int(1, #world.keys)
  return cell, hex_oracle.position(world, cell)
end

local function add_blocks(r, world, grid)
  for cell = 1, #world.keys do
    if r:chance(0.1) then
      world.blocks[cell] = true
      grid:block(hex_oracle.position(world, cell))
    end
  end
end

local function put_wall(world, cell, direction)
  world.walls[cell] = world.walls[cell] or {}
  world.walls[cell][direction] = true
end

local function add_walls(r, world, grid)
  for _ = 1, r:int(1, #world.keys) do
    local cell, x, y = random_cell(r, world)
    local next = #world.around[cell] > 0 and r:pick(world.around[cell])
    local one_way = r:chance(0.3)
    if next then
      grid:wall(x, y, next.direction, one_way)
      put_wall(world, cell, next.direction)
      for _, back in ipairs(one_way and {} or world.around[next.cell]) do
        if back.cell == cell then put_wall(world, next.cell, back.direction) end
      end
    end
  end
end

local function add_links(r, world, grid)
  for _ = 1, r:int(1, 5) do
    local from, x0, y0 = random_cell(r, world)
    local to, x1, y1 = random_cell(r, world)
    local beside = world.around[from]
    if #beside > 0 and r:chance(0.5) then to, x1, y1 = beside[1].cell, beside[1].x, beside[1].y end
    if from ~= to then
      local cost = r:int(0, 8) / 2
      grid:link(x0, y0, x1, y1, { cost = cost, one_way = true })
      world.links[from] = world.links[from] or {}
      world.links[from][to] = cost
    end
  end
end

local function hills(x, y, _, cost)
  local height = (x * 7 + y * 13) % 11
  return height < 10 and cost * (1 + height * 0.1)
end

local function slopes(x, y, nx, ny, cost)
  return cost * (1 + (nx * 5 + ny * 3 + x + y) % 7 * 0.1)
end

-- 'body(case, r)' for many worlds with this and that in them.
local salt = 0
local function it_on_worlds(name, share, body)
  salt = salt + 3000017
  local own_salt = salt
  it(name, function()
    for seed = FIRST_SEED, FIRST_SEED + math.ceil(MAPS * share) - 1 do
      local r = random.new(seed + own_salt)
      local world, grid = random_world(r)
      if r:chance(0.3) then add_blocks(r, world, grid) end
      if r:chance(0.25) then add_walls(r, world, grid) end
      if r:chance(0.25) then add_links(r, world, grid) end
      local rules = {}
      if r:chance(0.2) then rules.cost = hills end
      if r:chance(0.2) then rules.step_cost = slopes end
      if r:chance(0.2) then rules.costs = { g = r:pick { false, 0.7, 20 } } end
      if r:chance(0.2) then
        rules.avoid = astar.field(grid)
        rules.avoid:stamp(select(2, random_cell(r, world)), world.y0, 3, 4)
      end
      local options = { algorithm = r:pick { "auto", "astar", "dijkstra" } }
      for key, value in pairs(rules) do options[key] = value end
      local case = { world = world, grid = grid, rules = rules, finder = grid:finder(options), r = r,
                     options = options, entry = hex_oracle.entry_costs(world, rules) }
      case.start, case.sx, case.sy = random_cell(r, world)
      case.goal, case.gx, case.gy = random_cell(r, world)
      local fine, message = pcall(body, case, r)
      if not fine then
        error(("seed %d, %s %d x %d: %s"):format(seed, world.offset, world.width, world.height, tostring(message)), 0)
      end
    end
  end)
end

local function distances(case)
  return hex_oracle.explore(case.world, case.rules, case.entry, { [case.start] = 0 })
end

-- What the steps of a path cost, by the oracle; every one must be legal.
local function cost_of_path(case, path)
  local at, sum
  local number, directions = 0, path:directions()
  for x, y in path:cells() do
    local cell = hex_oracle.cell(case.world, x, y)
    if at then
      local least
      for _, step in ipairs(hex_oracle.steps(case.world, case.rules, case.entry, at)) do
        local is_taken = step.cell == cell and (directions[number] == "link") == (step.direction == nil)
        if is_taken and (not least or step.cost < least) then least = step.cost end
      end
      assert(least, "an illegal step to " .. x .. ", " .. y)
      sum = sum + least
    end
    at, sum, number = cell, sum or 0, number + 1
  end
  return sum, at
end

local function check_path(case, path, cost)
  local sum, last = cost_of_path(case, path)
  assert(near(sum, path.cost), "path.cost is not the sum of its steps")
  assert(near(path.cost, cost), ("cost %s, should be %s"):format(path.cost, cost))
  return last
end

-- The cells where a unit that can get somewhere may be: its start is one whatever blocks it.
local function places(case)
  local list = {}
  for cell, cost in pairs(distances(case)) do
    if cell == case.start then cost = 0 end
    if cell == case.start or case.entry[cell] then list[cell] = cost end
  end
  return list
end

describe("on hexagons", function()
  it_on_worlds("find_path returns the best path, or the reason why there is none", 1, function(case)
    local path, reason = case.finder:find_path(case.sx, case.sy, case.gx, case.gy)
    local cost = places(case)[case.goal]
    if not hex_oracle.can_stand(case.world, case.rules, case.sx, case.sy) then
      assert.equal("start blocked", reason)
    elseif not cost then
      assert.is_nil(path)
      assert.is_true(reason == "goal blocked" or reason == "unreachable")
    else
      assert(path, reason)
      assert.equal(case.goal, check_path(case, path, cost))
      assert.is_true(path:is_valid())
    end
    if hex_oracle.can_stand(case.world, case.rules, case.sx, case.sy) then
      assert.equal(cost ~= nil, case.finder:reachable(case.sx, case.sy, case.gx, case.gy))
    end
  end)

  it_on_worlds("directions, length, reverse and smooth of a path are right", 0.5, function(case)
    local path = case.finder:find_path(case.sx, case.sy, case.gx, case.gy)
    if not path then return end
    local x, y, points, length = case.sx, case.sy, path:waypoints(), 0
    for i, direction in ipairs(path:directions()) do
      local to_x, to_y = path:cell(i + 1)
      if direction == "link" then
        x, y = to_x, to_y
      else
        x, y = case.grid:neighbour(x, y, direction)
      end
      assert.same({ to_x, to_y }, { x, y })
    end
    local at, directions = 1, path:directions()
    for i = 2, #points do
      local a, b = points[i - 1], points[i]
      local is_link = directions[at] == "link"
      length = length + (is_link and 1 or hex_oracle.straight(case.world, a.x, a.y, b.x, b.y))
      at = at + (is_link and 1 or case.grid:distance(a.x, a.y, b.x, b.y))
    end
    assert(near(length, path.length), "length")
    assert.same({ case.grid:center(case.gx, case.gy) }, { path:center(#path) })
    local smooth = path:smooth()
    assert(#smooth:waypoints() <= #path:waypoints(), "more legs")
    assert(smooth.cost <= path.cost + 1e-6, "dearer")
    assert(near(cost_of_path(case, smooth), smooth.cost), "smooth.cost")
    local back, sum = path:reverse(), 0
    assert.equal(#path, #back)
    for i = #path, 2, -1 do
      local from, to = hex_oracle.cell(case.world, path:cell(i)), hex_oracle.cell(case.world, path:cell(i - 1))
      local least = math.huge
      for _, step in ipairs(hex_oracle.steps(case.world, case.rules, case.entry, from)) do
        if step.cell == to then least = math.min(least, step.cost) end
      end
      sum = sum + least
    end
    assert(sum == back.cost or near(sum, back.cost), "the way back")
  end)

  it_on_worlds("ranges and partial paths measure distance in hexagons, and budgets apply", 0.6, function(case, r)
    if not hex_oracle.can_stand(case.world, case.rules, case.sx, case.sy) then return end
    local rings, range = hex_oracle.rings(case.world, case.goal), r:int(0, 4)
    local best, nearest, cheapest
    for cell, cost in pairs(places(case)) do
      local ring = rings[cell]
      if ring <= range and (not best or cost < best) then best = cost end
      if not nearest or ring < nearest or ring == nearest and cost < cheapest then
        nearest, cheapest = ring, cost
      end
    end
    local path = case.finder:find_path(case.sx, case.sy, case.gx, case.gy, { range = range })
    assert.equal(best ~= nil, path ~= nil)
    if path then check_path(case, path, best) end
    local partial = case.finder:find_path(case.sx, case.sy, case.gx, case.gy, { partial = true })
    assert.equal(nearest, rings[check_path(case, partial, cheapest)])
    if best and best > 0 and range == 0 then
      local found, reason = case.finder:find_path(case.sx, case.sy, case.gx, case.gy, { max_cost = best * 0.99 })
      assert.is_nil(found)
      assert.equal("max_cost", reason)
    end
  end)

  it_on_worlds("find_nearest reaches the cheapest goal", 0.5, function(case, r)
    if not hex_oracle.can_stand(case.world, case.rules, case.sx, case.sy) then return end
    local goals, rings, range = {}, {}, r:int(0, 3)
    for i = 1, r:pick { 1, 3, 25 } do
      local cell, x, y = random_cell(r, case.world)
      goals[i], rings[i] = { x, y }, hex_oracle.rings(case.world, cell)
    end
    local best
    for cell, cost in pairs(places(case)) do
      for i = 1, #goals do
        if rings[i][cell] <= range and (not best or cost < best) then best = cost end
      end
    end
    local path, index = case.finder:find_nearest(case.sx, case.sy, goals, { range = range })
    assert.equal(best ~= nil, path ~= nil)
    if path then
      local last = check_path(case, path, best)
      assert(rings[index][last] <= range, "another goal was reached")
    end
    local partial, near_to = case.finder:find_nearest(case.sx, case.sy, goals, { partial = true })
    local nearest = math.huge
    for cell in pairs(places(case)) do
      for i = 1, #goals do nearest = math.min(nearest, rings[i][cell]) end
    end
    assert.equal(nearest, rings[near_to][check_path(case, partial, partial.cost)])
  end)

  it_on_worlds("flows return the distances of all cells, after edits too", 0.5, function(case, r)
    local seeds, goals, range = {}, {}, r:pick { 0, 0, 1, 3 }
    for i = 1, r:int(1, 4) do
      local cell, x, y = random_cell(r, case.world)
      local value = r:pick { 0, 0, 1.5, -2 }
      goals[i] = { x, y, value }
      for near_cell, ring in pairs(hex_oracle.rings(case.world, cell)) do
        if ring <= range then seeds[near_cell] = math.min(seeds[near_cell] or value, value) end
      end
    end
    if r:chance(0.5) then case.options.range = range end
    local finder = case.grid:finder(case.options)
    local flow = finder:flow(goals, { range = range })
    for _ = 1, 3 do
      local steps = finder:flow(goals, { steps_only = true, range = range })
      steps:complete()
      local open = {}
      for cell, value in pairs(seeds) do open[cell] = case.entry[cell] and value or nil end
      local known = hex_oracle.explore(case.world, case.rules, case.entry, open, true)
      for cell = 1, #case.world.keys do
        local x, y = hex_oracle.position(case.world, cell)
        local distance = flow:distance(x, y)
        if case.entry[cell] then
          assert.equal(known[cell] ~= nil, distance ~= nil)
          assert(not distance or near(distance, known[cell]), "distance")
          local nx, ny = flow:next(x, y)
          assert.same({ nx, ny }, { steps:next(x, y) })
          if distance and (nx ~= x or ny ~= y) then
            assert(flow:distance(nx, ny) <= distance, "a step uphill")
          end
        end
      end
      local cell, x, y = random_cell(r, case.world)
      case.world.blocks[cell] = not case.world.blocks[cell] or nil
      case.grid[case.world.blocks[cell] and "block" or "unblock"](case.grid, x, y)
      case.entry = hex_oracle.entry_costs(case.world, case.rules)
    end
  end)

  it_on_worlds("reach returns all cells within a budget", 0.4, function(case, r)
    local budget = r:int(0, 60) / 10
    local reach, reason = case.finder:reach(case.sx, case.sy, budget)
    assert(reach, reason)
    local count, expected = 0, 0
    if hex_oracle.can_stand(case.world, case.rules, case.sx, case.sy) then
      for _, cost in pairs(places(case)) do
        if cost <= budget + 1e-9 then expected = expected + 1 end
      end
    end
    for x, y, distance in reach:cells() do
      count = count + 1
      assert(near(distance, places(case)[hex_oracle.cell(case.world, x, y)]), "reach")
      assert(near(reach:path(x, y).cost, distance), "reach:path")
    end
    assert.equal(expected, count)
  end)

  it_on_worlds("a unit that flees does not end nearer to the goals", 0.2, function(case)
    if not case.entry[case.goal] then return end
    local flow = case.finder:flow { x = case.gx, y = case.gy }
    local flee = flow:flee(-1.2)
    for cell = 1, #case.world.keys do
      local x, y = hex_oracle.position(case.world, cell)
      local distance = flow:distance(x, y)
      if distance and case.entry[cell] then
        local path = flee:path(x, y)
        assert(path, "no way to flee")
        assert(flow:distance(path:cell(#path)) >= distance - 1e-6, "fled nearer")
      end
    end
  end)

  it_on_worlds("searches in steps end in spite of edits, and find the best path", 0.5, function(case, r)
    local search = case.finder:search(case.sx, case.sy, case.gx, case.gy)
    for _ = 1, 3 do
      if search:step(r:int(1, 12)) ~= "running" then break end
      local cell, x, y = random_cell(r, case.world)
      if cell ~= case.start and cell ~= case.goal then
        case.world.blocks[cell] = not case.world.blocks[cell] or nil
        case.grid[case.world.blocks[cell] and "block" or "unblock"](case.grid, x, y)
      end
    end
    case.entry = hex_oracle.entry_costs(case.world, case.rules)
    while search:step(1e9) == "running" do end
    if search.status == "found" then check_path(case, search:path(), places(case)[case.goal]) end
  end)

  it_on_worlds("repair leads to the goal over the valid part of the path", 0.4, function(case, r)
    local path = case.finder:find_path(case.sx, case.sy, case.gx, case.gy)
    if not path or #path < 4 then return end
    local x, y = path:cell(r:int(2, #path - 1))
    case.grid:block(x, y)
    case.world.blocks[hex_oracle.cell(case.world, x, y)] = true
    case.entry = hex_oracle.entry_costs(case.world, case.rules)
    local best = places(case)[case.goal]
    local is_valid, bad = path:is_valid()
    assert.is_false(is_valid)
    assert.same({ x, y }, { path:cell(bad) })
    local repaired = path:repair()
    assert.equal(best ~= nil, repaired ~= nil)
    if not repaired then return end
    assert.equal(case.goal, check_path(case, repaired, repaired.cost))
    assert(repaired.cost >= best - 1e-6)
    check_path(case, path:repair { optimal = true }, best)
  end)

  -- The best ways from the start where bends count, over cells and directions.
  local function best_by_bends(case, given)
    local least
    for _, key in ipairs(case.world.keys) do
      local cost = case.world.terrain[key]
      if case.rules.costs and case.rules.costs[key] ~= nil then cost = case.rules.costs[key] end
      if cost and (not least or cost < least) then least = cost end
    end
    local round = bends.rounding(least or 1)
    return bends.explore(case.start, given, round, function(cell, add)
      for _, step in ipairs(hex_oracle.steps(case.world, case.rules, case.entry, cell)) do
        add(step.cell, step.direction, round(step.cost))
      end
    end)
  end

  local function random_bends(case, r)
    local given = { bends = r:chance(0.5) and "fewest" or nil }
    given.heading = r:chance(0.4) and r:pick(hex_oracle.sides(case.world.offset)) or nil
    if not given.bends or r:chance(0.2) then given.bend_cost = r:pick { 0.25, 1, 3, 40 } end
    if given.bend_cost and r:chance(0.6) then given.bend_cost = bends.random_prices(r, { 60, 120, 180 }) end
    local options = {}
    for _, each in ipairs { case.options, given } do
      for name, value in pairs(each) do options[name] = value end
    end
    given.offset = case.world.offset
    return given, case.grid:finder(options)
  end

  local function check_bends(case, given, path, best)
    assert.equal(bends.count(path:directions(), given.heading), path.bends)
    local by_bends = bends.cost(path:directions(), given, given.heading)
    assert(near(cost_of_path(case, path) + by_bends, path.cost), "not the sum of its steps")
    assert(near(best.cost, path.cost), ("cost %.9g, should be %.9g"):format(path.cost, best.cost))
    assert.equal(best.bends, path.bends)
  end

  it_on_worlds("routes have the fewest bends, or the least cost with bends", 1, function(case, r)
    if not hex_oracle.can_stand(case.world, case.rules, case.sx, case.sy) then return end
    local given, finder = random_bends(case, r)
    local all = best_by_bends(case, given)
    local best = (case.goal == case.start or case.entry[case.goal]) and all[case.goal]
    local path = finder:find_path(case.sx, case.sy, case.gx, case.gy)
    assert.equal(best and true or false, path ~= nil)
    local search, n = finder:search(case.sx, case.sy, case.gx, case.gy), r:pick { 1, 3, 50 }
    while search:step(n) == "running" do end
    if not path then return assert.equal("found" ~= search.status, true) end
    check_bends(case, given, path, best)
    assert.same(path:cells_flat(), search:path():cells_flat())
    local x, y = case.world.x0 + r:int(0, case.world.width - 1), case.world.y0 + r:int(0, case.world.height - 1)
    local goal = hex_oracle.cell(case.world, x, y)
    local is_goal = (goal == case.start or case.entry[goal]) and all[goal]
    if is_goal then check_bends(case, given, (finder:find_nearest(case.sx, case.sy, { { x = x, y = y } })), is_goal) end
  end)

  it_on_worlds("ranges and find_nearest include the cost of bends", 0.5, function(case, r)
    if not hex_oracle.can_stand(case.world, case.rules, case.sx, case.sy) then return end
    local given, finder = random_bends(case, r)
    local rings, range, best = hex_oracle.rings(case.world, case.goal), r:int(1, 4), nil
    local all, ring, nearest = best_by_bends(case, given), nil, nil
    for cell, each in pairs(all) do
      if cell == case.start or case.entry[cell] then
        local is_less = not best or each.cost < best.cost or each.cost == best.cost and each.bends < best.bends
        if rings[cell] <= range and is_less then best = each end
        is_less = not ring or rings[cell] < ring or rings[cell] == ring and each.cost < nearest.cost
        if is_less then ring, nearest = rings[cell], each end
      end
    end
    local path = finder:find_path(case.sx, case.sy, case.gx, case.gy, { range = range })
    assert.equal(best ~= nil, path ~= nil)
    if path then check_bends(case, given, path, best) end
    path = finder:find_path(case.sx, case.sy, case.gx, case.gy, { partial = true })
    assert.equal(ring, rings[hex_oracle.cell(case.world, path:cell(#path))])
    assert(near(nearest.cost, path.cost), "cost of the partial path")
  end)

  it_on_worlds("zigzags are removed if that costs nothing", 0.6, function(case)
    local plain = case.finder:find_path(case.sx, case.sy, case.gx, case.gy)
    if not plain then return end
    local path = case.finder:find_path(case.sx, case.sy, case.gx, case.gy, { bends = "fewer" })
    assert.equal(plain.cost, path.cost)
    assert(near(cost_of_path(case, path), path.cost), "not the sum of its steps")
    assert(path.bends <= plain.bends)
    assert.equal(bends.count(path:directions()), path.bends)
    assert.equal(#plain, #path)
  end)

  it_on_worlds("a repaired route counts bends from the heading of the unit on the path", 0.4, function(case, r)
    local given, finder = random_bends(case, r)
    local path = finder:find_path(case.sx, case.sy, case.gx, case.gy)
    if not path or #path < 4 then return end
    local from = r:int(2, #path - 1)
    local links = path:directions()
    local came = links[from - 1] ~= "link" and links[from - 1] or nil
    local rest = path:repair { from = from }
    assert.equal(bends.count(rest:directions(), came), rest.bends)
    assert.equal(#path - from, #links - from + 1)
    assert(near(cost_of_path(case, rest) + bends.cost(rest:directions(), given, came), rest.cost), "its cost")
    local x, y = path:cell(from + 1)
    case.grid:block(x, y)
    case.world.blocks[hex_oracle.cell(case.world, x, y)] = true
    case.entry = hex_oracle.entry_costs(case.world, case.rules)
    local other = path:repair { from = from, optimal = true }
    if not other then return end
    assert.equal(bends.count(other:directions(), came), other.bends)
    assert(near(cost_of_path(case, other) + bends.cost(other:directions(), given, came), other.cost), "its cost")
    case.start, given.heading = hex_oracle.cell(case.world, path:cell(from)), came
    check_bends(case, given, other, best_by_bends(case, given)[case.goal])
  end)

  it_on_worlds("dumps contain everything in the grid", 0.2, function(case)
    local dump = case.grid:dump()
    local loaded = astar.load(dump)
    assert.equal(dump, loaded:dump())
    assert.equal(dump, case.grid:clone():dump())
    local a = case.finder:find_path(case.sx, case.sy, case.gx, case.gy)
    case.options.avoid = nil
    local b = loaded:finder(case.options):find_path(case.sx, case.sy, case.gx, case.gy)
    if not case.rules.avoid then assert.equal(a and a.cost, b and b.cost) end
  end)
end)

-- ---- where cells lie ----

describe("positions of hexagons", function()
  it("are the positions at which Tiled draws the hexagons", function()
    local r = random.new(1)
    for _, offset in ipairs(OFFSETS) do
      local world = { offset = offset, x0 = 1, y0 = 1 }
      local grid = astar.grid(7, 6, { shape = "hex", offset = offset })
      local x0, y0 = grid:center(1, 1)
      local ox, oy = hex_oracle.middle(world, 1, 1)
      for y = 1, 6 do
        for x = 1, 7 do
          local cx, cy = grid:center(x, y)
          local mx, my = hex_oracle.middle(world, x, y)
          assert(near(cx - x0, mx - ox) and near(cy - y0, my - oy), offset)
          for _ = 1, 5 do
            local px, py = cx + r:number() * 0.4 - 0.2, cy + r:number() * 0.4 - 0.2
            assert.same({ x, y }, { grid:cell_at(px, py) })
          end
        end
      end
      assert.is_nil((grid:cell_at(-3, 1)))
      assert.is_nil((grid:cell_at(1, 1e6)))
    end
  end)

  it("are converted from any point to the nearest hexagon", function()
    local r = random.new(5)
    for i = 1, 400 do
      local offset = OFFSETS[i % 4 + 1]
      local grid = astar.grid(6, 6, { shape = "hex", offset = offset, origin = { -2, 9 } })
      local px, py = r:number() * 6 - 2, r:number() * 6 + 9
      local x, y = grid:cell_at(px, py)
      if x then
        local cx, cy = grid:center(x, y)
        local own = (cx - px) ^ 2 + (cy - py) ^ 2
        for ny = 9, 14 do
          for nx = -2, 3 do
            local ox, oy = grid:center(nx, ny)
            assert((ox - px) ^ 2 + (oy - py) ^ 2 >= own - 1e-9)
          end
        end
      end
    end
  end)

  it("are as many steps apart as the path between them has", function()
    for _, offset in ipairs(OFFSETS) do
      local world = hex_oracle.world({ ".......", ".......", ".......", "......." }, offset)
      local grid = astar.grid(7, 4, { shape = "hex", offset = offset })
      for cell = 1, 28 do
        local x, y = hex_oracle.position(world, cell)
        for other, ring in pairs(hex_oracle.rings(world, cell)) do
          assert.equal(ring, grid:distance(x, y, hex_oracle.position(world, other)))
        end
      end
    end
  end)

  it("have a neighbour for each direction, or nil at the edge of the grid", function()
    local grid = astar.grid(3, 3, { shape = "hex" })
    assert.same({ 2, 1 }, { grid:neighbour(2, 2, "north_west") })
    assert.same({ 3, 1 }, { grid:neighbour(2, 2, "north_east") })
    assert.is_nil(grid:neighbour(1, 1, "west"))
    assert.same({ 2, 1 }, { astar.grid(3, 3):neighbour(1, 2, "north_east") })
    assert.has_error(function() grid:neighbour(1, 1, "south") end,
      'direction must be "north_east", "east", "south_east", "south_west", "west" or "north_west", got "south"')
  end)
end)

describe("a line over hexagons", function()
  -- Open ground but for one cell, so that raycast tells where a line passes.
  local function cells_of_line(grid, x0, y0, x1, y1)
    local finder, cells = grid:finder(), {}
    local w, h = grid:size()
    for y = 1, h do
      for x = 1, w do
        if (x ~= x0 or y ~= y0) then
          grid:block(x, y)
          if not finder:raycast(x0, y0, x1, y1) then cells[#cells + 1] = { x, y } end
          grid:unblock(x, y)
        end
      end
    end
    return cells
  end

  it("contains the nearest hexagons, one per step, and is the same in both directions", function()
    local r = random.new(8)
    for i = 1, 60 do
      local offset = OFFSETS[i % 4 + 1]
      local world = hex_oracle.world({ "......", "......", "......", "......", "......", "......" }, offset)
      local grid = astar.grid(6, 6, { shape = "hex", offset = offset })
      local x0, y0, x1, y1 = r:int(1, 6), r:int(1, 6), r:int(1, 6), r:int(1, 6)
      local cells, steps = cells_of_line(grid, x0, y0, x1, y1), grid:distance(x0, y0, x1, y1)
      assert.equal(steps, #cells)
      local ax, ay = hex_oracle.middle(world, x0, y0)
      local bx, by = hex_oracle.middle(world, x1, y1)
      for _, cell in ipairs(cells) do
        local step = grid:distance(x0, y0, cell[1], cell[2])
        local px, py = ax + (bx - ax) * step / steps, ay + (by - ay) * step / steps
        local mx, my = hex_oracle.middle(world, cell[1], cell[2])
        for other = 1, 36 do
          local ox, oy = hex_oracle.middle(world, hex_oracle.position(world, other))
          assert((ox - px) ^ 2 + (oy - py) ^ 2 >= (mx - px) ^ 2 + (my - py) ^ 2 - 1e-9)
        end
      end
      local back = cells_of_line(grid, x1, y1, x0, y0)
      local there = {}
      for _, cell in ipairs(cells) do there[cell[1] .. "," .. cell[2]] = true end
      there[x0 .. "," .. y0] = true
      for _, cell in ipairs(back) do assert.is_true(there[cell[1] .. "," .. cell[2]]) end
    end
  end)
end)

describe("a field over hexagons", function()
  it("is stamped by the distance between the centres of hexagons", function()
    for _, offset in ipairs(OFFSETS) do
      local world = { offset = offset, x0 = 1, y0 = 1 }
      local grid = astar.grid(9, 9, { shape = "hex", offset = offset })
      for _, field in ipairs { astar.field(grid), astar.field(9, 9, { shape = "hex", offset = offset }) } do
        field:stamp(5, 4, 3, 8)
        for y = 1, 9 do
          for x = 1, 9 do
            local apart = hex_oracle.straight(world, 5, 4, x, y)
            local expected = apart <= 3 + 1e-9 and 8 * (1 - apart / 4) or 0
            assert(math.abs(expected - field:get(x, y)) < 1e-5)
          end
        end
        assert.is_true(grid:finder({ avoid = field }):find_path(1, 4, 9, 4).cost > 8)
      end
    end
  end)
end)

describe("a walker on hexagons", function()
  it("moves from centre to centre, in the same time for every cell", function()
    for _, offset in ipairs(OFFSETS) do
      local grid = astar.grid(6, 6, { shape = "hex", offset = offset })
      local path = grid:find_path(1, 1, 5, 6)
      local walker = astar.walker(path, { speed = 2, corner = 0 })
      local x, y = walker:update(0)
      assert.same({ grid:center(1, 1) }, { x, y })
      for i = 2, #path do
        assert.equal(path:directions()[i - 1], walker.heading)
        x, y = walker:update(0.25)
        local ax, ay = path:center(i - 1)
        local bx, by = path:center(i)
        assert(near(x, (ax + bx) / 2) and near(y, (ay + by) / 2))
        assert.same({ path:cell(i) }, { walker:cell() })
        x, y = walker:update(0.25)
        assert(near(x, bx) and near(y, by))
      end
      assert.is_true(walker.arrived)
      assert.same({ 5, 6 }, { walker:cell() })
    end
  end)

  it("turns back in mid-step, and stands on the cell that it reaches", function()
    local grid = astar.grid(6, 6, { shape = "hex" })
    local walker = astar.walker(grid:find_path(1, 1, 1, 6))
    walker:update(1.5)
    local x, y = walker:cell()
    walker:follow(grid:find_path(x, y, 6, 1))
    walker:update(100)
    assert.same({ 6, 1 }, { walker:cell() })
    assert.same({ grid:center(6, 1) }, { walker.x, walker.y })
  end)
end)

describe("ties on hexagons", function()
  it("between equally good routes are broken in the same way each time", function()
    for _, offset in ipairs(OFFSETS) do
      local grid = astar.grid(30, 30, { shape = "hex", offset = offset })
      local first = grid:find_path(3, 4, 27, 22)
      assert.same(first:cells_flat(), grid:clone():find_path(3, 4, 27, 22):cells_flat())
      assert.same(first:cells_flat(), astar.load(grid:dump()):find_path(3, 4, 27, 22):cells_flat())
    end
  end)
end)
