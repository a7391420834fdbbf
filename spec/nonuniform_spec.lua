-- Ground that is not uniform, of each kind and in all shares: every route by jump point search against
-- the oracle, before and after edits, and in slices with edits between.
--
-- ASTAR_MAPS=100000 runs more maps, ASTAR_SEED=7 others, as for differential_spec.lua.

local astar = require "astar"
local check = require "spec.support.check"
local layers = require "spec.support.layers"
local maps = require "spec.support.maps"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"
local times = require "spec.support.times"

local MAPS = times("ASTAR_MAPS", 1500)
local FIRST_SEED = tonumber(os.getenv "ASTAR_SEED") or 1

local TERRAIN = { ["."] = 2, ["#"] = false, d = 3, e = 11, c = 1, f = 2.6 }
local SHARES = { 0.001, 0.01, 0.05, 0.1, 0.3, 0.5, 0.9 }

-- Puts one of 'keys' on a share of the open cells, one by one or in patches.
local function sow(r, world, keys)
  local share, patch, sown = r:pick(SHARES), r:pick { 1, 1, 2, 3, 5 }, {}
  for cell = 1, #world.keys do
    local x, y = (cell - 1) % world.width, math.floor((cell - 1) / world.width)
    local id = math.floor(y / patch) * 1000 + math.floor(x / patch)
    if sown[id] == nil then sown[id] = r:chance(share) and r:pick(keys) end
    if sown[id] and world.keys[cell] ~= "#" then world.keys[cell] = sown[id] end
  end
end

-- The shortest way straight across, of cells of another cost, and walls made by blocks over it.
local function lay_road(r, world)
  local y = r:int(0, world.height - 1)
  for x = 0, world.width - 1 do world.keys[y * world.width + x + 1] = r:pick { "c", "c", "d" } end
  for cell = 1, #world.keys do
    if r:chance(0.3) then
      world.keys[cell] = r:pick { "c", "e", world.keys[cell] }
      world.blocks[cell] = true
    end
  end
end

local SIDES = { "0,-1", "1,0", "0,1", "-1,0" }

local function add_one_way_walls(r, world)
  for _ = 1, r:int(1, math.max(1, math.floor(#world.keys / 2))) do
    local cell = r:int(1, #world.keys)
    world.walls[cell] = world.walls[cell] or {}
    world.walls[cell][r:pick(SIDES)] = true
  end
end

local KINDS = {
  ["dearer ground"] = function(r, world) sow(r, world, { "d", "e", "f" }) end,
  ["cheaper ground"] = function(r, world) sow(r, world, { "c" }) end,
  ["mixed ground"] = function(r, world) sow(r, world, { "c", "d", "e", "f", "." }) end,
  ["a road, and ground under blocks"] = lay_road,
  ["walls"] = layers.add_walls,
  ["one-way walls"] = add_one_way_walls,
  ["links"] = layers.add_links,
  ["a field"] = function(r, world, rules) rules.avoid = layers.field(r, world) end,
  ["all of it"] = function(r, world, rules)
    sow(r, world, { "c", "d", "e" })
    if r:chance(0.5) then layers.add_walls(r, world) end
    if r:chance(0.5) then layers.add_links(r, world) end
    if r:chance(0.5) then rules.avoid = layers.field(r, world) end
  end,
}

local function random_cell(r, world)
  return world.x0 + r:int(0, world.width - 1), world.y0 + r:int(0, world.height - 1)
end

local function new_case(r, add)
  local width, height = r:sides()
  local world = oracle.world(r:map(width, height), { terrain = TERRAIN, origin = r:pick { { 1, 1 }, { -5, 70 } } })
  local rules = { diagonals = r:pick(check.RULES), diagonal_cost = r:pick { math.sqrt(2), math.sqrt(2), 1.4, 1, 2 } }
  add(r, world, rules)
  if r:chance(0.3) then rules.size = r:body(2, 4) end
  local case = { r = r, world = world, rules = rules, grid = maps.grid(world) }
  rules.algorithm = r:pick { "jpsw", "jpsw", "auto" }
  if not check.honours(rules.algorithm, rules) then rules.algorithm = "auto" end
  case.finder = case.grid:finder(rules)
  return case
end

-- An edit of the world and of the grid: one cell, mostly.
local function edit(case)
  local r, world = case.r, case.world
  local x, y = random_cell(r, world)
  local cell, kind = oracle.cell(world, x, y), r:int(1, 4)
  if kind == 1 then
    world.blocks[cell] = not world.blocks[cell] or nil
    if world.blocks[cell] then case.grid:block(x, y) else case.grid:unblock(x, y) end
  elseif kind == 2 then
    world.keys[cell] = r:pick { ".", "c", "d", "#" }
    case.grid:set(x, y, world.keys[cell])
  elseif kind == 3 and world.width > 1 and x < world.x0 + world.width - 1 then
    local wall = r:chance(0.5)
    case.grid[wall and "wall" or "unwall"](case.grid, x, y, "east")
    for side, from in pairs { ["1,0"] = cell, ["-1,0"] = cell + 1 } do
      world.walls[from] = world.walls[from] or {}
      world.walls[from][side] = wall or nil
    end
  elseif kind == 4 and case.rules.avoid then
    case.rules.avoid:stamp(x, y, r:int(0, 3), r:pick { 1, 4 })
    if r:chance(0.2) then case.rules.avoid:decay(0.5) end
  end
end

-- Puts blocks where a large unit stands, most of them.
local function stand_among_blocks(case, x, y)
  local world = case.world
  local columns, rows = oracle.body(case.rules)
  for row = y, math.min(y + rows, world.y0 + world.height) - 1 do
    for column = x, math.min(x + columns, world.x0 + world.width) - 1 do
      if case.r:chance(0.8) then
        world.blocks[oracle.cell(world, column, row)] = true
        case.grid:block(column, row)
      end
    end
  end
end

local function question(case)
  local q = { world = case.world, rules = case.rules }
  q.sx, q.sy = random_cell(case.r, case.world)
  q.gx, q.gy = random_cell(case.r, case.world)
  if case.rules.size and case.r:chance(0.6) then stand_among_blocks(case, q.sx, q.sy) end
  local distances
  distances, q.entry = oracle.distances(case.world, case.rules, q.sx, q.sy)
  q.refusal = oracle.refusal(case.world, case.rules, q.entry, q.sx, q.sy, q.gx, q.gy)
  q.best = distances[oracle.cell(case.world, q.gx, q.gy)]
  return q
end

local function check_path(q, path, reason)
  if q.refusal or not q.best then
    assert(path == nil, "expected no path")
    assert.equal(q.refusal or "unreachable", reason)
    return
  end
  assert(path, reason)
  check.equal_cost(q.best, path.cost, path.algorithm)
  check.path(path, q)
end

local function find(case, q)
  return case.finder:find_path(q.sx, q.sy, q.gx, q.gy)
end

local function ask(case)
  local q = question(case)
  check_path(q, find(case, q))
end

-- A search has the route of one begun after the edit.
local function ask_in_slices(case)
  local q, r = question(case), case.r
  local search, after = case.finder:search(q.sx, q.sy, q.gx, q.gy), r:int(1, 6)
  local status
  for i = 1, math.huge do
    status = search:step(r:int(1, 3))
    if status ~= "running" then break end
    if i == after then edit(case) end
  end
  local path, reason = find(case, q)
  assert.equal(path and "found" or reason, status)
  if path and search:path() then assert.same(path:cells_flat(), search:path():cells_flat()) end
end

local names = {}
for name in pairs(KINDS) do names[#names + 1] = name end
table.sort(names)

describe("jump point search finds the best route over", function()
  for number, name in ipairs(names) do
    it(name, function()
      for seed = FIRST_SEED, FIRST_SEED + math.ceil(MAPS / #names) - 1 do
        local case = new_case(random.new(seed + number * 1000003), KINDS[name])
        local ok, problem = pcall(function()
          for _ = 1, 3 do
            ask(case)
            for _ = 1, case.r:int(1, 4) do edit(case) end
            ask_in_slices(case)
          end
        end)
        if not ok then
          local columns, rows = oracle.body(case.rules)
          error(("map seed %d: %s\n%s, diagonal_cost %s, size %d x %d\n%s"):format(seed, tostring(problem),
            case.rules.diagonals, case.rules.diagonal_cost, columns, rows, maps.describe(case.world)), 0)
        end
      end
    end)
  end
end)

describe("jump point search", function()
  -- Caves and a route across, by jumps over uniform ground first.
  local function caves()
    local r = random.new(11)
    local rows = r:caves(160, 160)
    for y = 1, 160 do rows[y][1], rows[y][160] = ".", "." end
    return astar.grid(rows, { terrain = TERRAIN })
  end

  local ODD = {
    ["a dear cell"] = function(grid, x, y) grid:set(x, y, "e") end,
    ["a cheap cell"] = function(grid, x, y) grid:set(x, y, "c") end,
    ["a wall"] = function(grid, x, y) grid:wall(x, y, "east") end,
    ["a link"] = function(grid, x, y) grid:link(x, y, 1, 1, { cost = 30 }) end,
    ["a cheap cell and a link"] = function(grid, x, y)
      grid:set(x, y, "c")
      grid:link(x, y, 1, 1, { cost = 30 })
    end,
    ["a field of zeros"] = function(grid) return { avoid = astar.field(grid) } end,
    ["other ground under blocks"] = function(grid)
      for y = 1, 160 do
        for x = 1, 160 do
          if grid:get(x, y) == "#" then
            grid:set(x, y, (x + y) % 2 == 0 and "e" or "c")
            grid:block(x, y)
          end
        end
      end
    end,
  }

  for name, add in pairs(ODD) do
    it("expands hardly more cells because of " .. name, function()
      local clean = caves():find_path(1, 80, 160, 80, { algorithm = "jps" })
      local grid = caves()
      local x, y = clean:cell(math.floor(#clean / 2))
      local options = add(grid, x, y) or {}
      options.algorithm = "jpsw"
      local path = grid:find_path(1, 80, 160, 80, options)
      assert.is_true(path.expanded < 1.3 * clean.expanded + 20,
        ("%d instead of %d"):format(path.expanded, clean.expanded))
    end)
  end

  -- By a unit of 2 x 2 from one side to the other, from among its own blocks or not.
  local function cross(grid, among_blocks, diagonals)
    local finder = grid:finder { size = 2, diagonals = diagonals }
    if among_blocks then grid:block(2, 30, 2, 2) end
    local path = finder:find_path(2, 30, 60, 25)
    assert.equal(grid:find_path(2, 30, 60, 25, { size = 2, diagonals = diagonals, algorithm = "dijkstra" }).cost,
      path.cost)
    return path
  end

  local function open_ground_with(key)
    local grid = astar.grid(64, 64, { terrain = TERRAIN, fill = "." })
    grid:set(30, 50, key)
    for y = 20, 40, 5 do grid:block(20 + y, y, 3, 3) end
    return grid
  end

  it("can start from a unit's own blocks, and expands hardly more cells than without the blocks", function()
    for _, diagonals in ipairs { "always", "if_at_most_one_obstacle", "only_when_no_obstacles", "never" } do
      for key, algorithm in pairs { ["."] = "jps", e = "jpsw", c = "jpsw" } do
        local clean = cross(open_ground_with(key), false, diagonals)
        local path = cross(open_ground_with(key), true, diagonals)
        assert.equal(algorithm, clean.algorithm)
        assert.equal(algorithm, path.algorithm)
        assert.equal(clean.cost, path.cost)
        assert.is_true(path.expanded < clean.expanded + 40, ("%d, not %d"):format(path.expanded, clean.expanded))
      end
    end
  end)

  it("leaves the query to A* if a wall too long to walk around runs through the unit's own blocks", function()
    local grid = astar.grid(64, 300, { terrain = TERRAIN, fill = "." })
    for y = 2, 299 do grid:wall(3, y, "west") end
    grid:block(3, 150, 2, 2)
    local path = grid:find_path(3, 150, 60, 140, { size = 2 })
    assert.equal("astar", path.algorithm)
    assert.equal(grid:find_path(3, 150, 60, 140, { size = 2, algorithm = "dijkstra" }).cost, path.cost)
  end)

  local CORNERS = { "always", "if_at_most_one_obstacle", "only_when_no_obstacles", "never" }

  -- Long runs, which see many odd cells to their sides.
  for number, diagonals in ipairs(CORNERS) do
    it("finds the best route over wide open ground, diagonals " .. diagonals, function()
      for seed = 1, 3 do
        local r = random.new(seed * 10 + number)
        local world = oracle.world(r:map(60, 40), { terrain = TERRAIN })
        for cell = 1, #world.keys do
          if world.keys[cell] ~= "#" or r:chance(0.9) then
            world.keys[cell] = r:chance(0.02) and r:pick { "c", "d", "e" } or "."
          end
        end
        local rules = { diagonals = diagonals, diagonal_cost = math.sqrt(2), algorithm = "jpsw" }
        local case = { r = r, world = world, rules = rules, grid = maps.grid(world) }
        case.finder = case.grid:finder(rules)
        for _ = 1, 3 do ask(case) end
      end
    end)
  end

  -- Open ground of 200 x 200 with a block on each tenth cell, and odd cells here and there: some 360, or 570.
  local function scattered(key, share)
    local r, rows = random.new(3), {}
    for y = 1, 200 do
      local row = {}
      for x = 1, 200 do row[x] = r:chance(0.1) and "#" or r:chance(share or 0.01) and key or "." end
      rows[y] = table.concat(row)
    end
    local grid = astar.grid(rows, { terrain = TERRAIN })
    for _, x in ipairs { 5, 20, 60, 190 } do grid:fill(x, 100, 1, 1, ".") end
    return grid
  end

  local function check_choice(grid, gx, algorithm)
    local path = grid:find_path(5, 100, gx, 100)
    assert.equal(algorithm, path.algorithm)
    assert.equal(grid:find_path(5, 100, gx, 100, { algorithm = "dijkstra" }).cost, path.cost)
  end

  it("leaves the query to A* if blocks are scattered and much cheap terrain makes estimates weak", function()
    check_choice(scattered("c", 0.016), 190, "astar")
    check_choice(scattered("c", 0.016), 60, "astar")
  end)

  it("is used among scattered blocks if few cells are cheaper than the others, not if few cost more", function()
    check_choice(scattered "d", 190, "astar")
    check_choice(scattered("c", 0.003), 190, "jpsw")
    check_choice(scattered("c", 0.003), 20, "jpsw")
  end)

  -- Open ground with an odd cell in each square of 12 x 12; from (5, 100) to (60, 100) nothing is odd.
  local function sprinkled(key)
    local grid = astar.grid(200, 200, { terrain = TERRAIN, fill = "." })
    for y = 6, 200, 12 do
      for x = 6, 200, 12 do grid:set(x, y, key) end
    end
    return grid
  end

  it("returns the route that is diagonal, then straight, if no non-uniform cell is on it, in steps too", function()
    for _, diagonals in ipairs(CORNERS) do
      local finder = sprinkled("d"):finder { diagonals = diagonals }
      local path = finder:find_path(5, 100, 60, 99)
      assert.equal("jpsw", path.algorithm)
      assert.equal(1, path.expanded)
      assert.equal(diagonals == "never" and 112 or 108 + 2 * math.sqrt(2), path.cost)
      local search = finder:search(5, 100, 60, 99)
      repeat local status = search:step(1) until status ~= "running"
      assert.same(path:cells_flat(), search:path():cells_flat())
      assert.equal(path.expanded, search:path().expanded)
    end
  end)

  it("searches if a non-uniform cell, a wall or cheaper terrain may be in the way", function()
    local grid = sprinkled "d"
    local function expanded()
      local path = grid:find_path(5, 100, 60, 100)
      assert.equal(grid:find_path(5, 100, 60, 100, { algorithm = "dijkstra" }).cost, path.cost)
      return path.expanded
    end
    assert.equal(1, expanded())
    grid:set(30, 100, "e")
    assert.is_true(expanded() > 1)
    grid:set(30, 100, ".")
    assert.equal(1, expanded())
    grid:wall(30, 100, "east")
    assert.is_true(expanded() > 1)
    grid:unwall(30, 100, "east")
    grid:fill(8, 103, 50, 1, "c")
    assert.is_true(expanded() > 1)
  end)

  it("returns the diagonal, then straight route past cheaper terrain if detours have as many steps", function()
    for _, diagonals in ipairs(CORNERS) do
      local function expanded(row)
        local grid = astar.grid(200, 200, { terrain = TERRAIN, fill = "." })
        grid:fill(1, row, 200, 1, "c")
        grid:fill(40, 98, 30, 1, "d") -- what is dearer does not matter
        local path = grid:find_path(50, 100, 62, 100, { diagonals = diagonals, algorithm = "jpsw" })
        local best = grid:find_path(50, 100, 62, 100, { diagonals = diagonals, algorithm = "dijkstra" })
        assert.equal(best.cost, path.cost)
        return path.expanded
      end
      -- Half of the way is six steps; cells beside the road are irregular, too.
      assert.equal(1, expanded(107))
      assert.is_true(expanded(104) > 1)
      assert.is_true(expanded(101) > 1)
    end
  end)

  -- The algorithm that "auto" chooses on a map of squares, each of 'side' x 'side' cells. One dear cell in each
  -- square makes nine of its cells non-uniform. The goal, in row 'rows', is not in plain view. With walls, the last
  -- row of each square is blocked, except for a gap at one end of the map.
  local function chosen_with_one_dear_cell_in(side, diagonals, rows, has_walls)
    local width = 10 * side
    local grid = astar.grid(width, width, { terrain = TERRAIN, fill = "." })
    for y = has_walls and math.floor(side / 2) or side, width, side do
      for x = side, width, side do grid:set(x, y, "d") end
    end
    for y = side, has_walls and width - 1 or 0, side do
      grid:fill(y % (2 * side) == 0 and 1 or 2, y, width - 1, 1, "#")
    end
    local path = grid:find_path(side, 1, 3 * side, rows, { diagonals = diagonals })
    local best = grid:find_path(side, 1, 3 * side, rows, { diagonals = diagonals, algorithm = "dijkstra" })
    assert.equal(best.cost, path.cost)
    return path.algorithm
  end

  it("is used if at most 1/7 of the cells are non-uniform, 1/9 for a near goal, or 1/36 without diagonals", function()
    assert.equal("astar", chosen_with_one_dear_cell_in(7, "always", 70))
    assert.equal("jpsw", chosen_with_one_dear_cell_in(8, "always", 80))
    assert.equal("astar", chosen_with_one_dear_cell_in(8, "always", 40))
    assert.equal("jpsw", chosen_with_one_dear_cell_in(9, "always", 40))
    assert.equal("astar", chosen_with_one_dear_cell_in(17, "never", 170))
    assert.equal("jpsw", chosen_with_one_dear_cell_in(18, "never", 180))
  end)

  it("is used among close walls if at most 1/5 of the cells are non-uniform, or 1/16 without diagonals", function()
    assert.equal("astar", chosen_with_one_dear_cell_in(7, "always", 41, true))
    assert.equal("jpsw", chosen_with_one_dear_cell_in(8, "always", 41, true))
    assert.equal("astar", chosen_with_one_dear_cell_in(12, "never", 61, true))
    assert.equal("jpsw", chosen_with_one_dear_cell_in(14, "never", 61, true))
    assert.equal("astar", chosen_with_one_dear_cell_in(14, "never", 61, false))
  end)

  it("with four moves leaves the query to A* if blocks are scattered and much terrain is a little cheaper", function()
    local function chosen(grid) return grid:find_path(5, 100, 190, 101, { diagonals = "never" }).algorithm end
    local grid = scattered("c", 0.0005)
    assert.equal("jpsw", chosen(grid))
    grid = scattered("c", 0.016)
    grid:terrain("c", 0.9)
    assert.equal("astar", chosen(grid))
  end)

  it("is not used for near goals with no obstacle in the way; how near depends on the terrain costs", function()
    local grid = sprinkled "c"
    grid:fill(30, 100, 1, 1, "d")
    local function chosen(gx) return grid:find_path(27, 100, gx, 100).algorithm end
    assert.equal("astar", chosen(34)) -- a quarter of 32 cells, for half of the cost
    assert.equal("jpsw", chosen(37))
    grid:terrain("c", 1.7)
    assert.equal("astar", chosen(37))
    grid:block(29, 100)
    assert.equal("jpsw", chosen(34))
  end)

  it("is used among scattered blocks for goals that are not near if cheaper cells are few enough to list", function()
    local grid = scattered("d", 0.03)
    check_choice(grid, 190, "astar")
    grid:fill(90, 60, 7, 8, "c") -- of 40,000 cells
    check_choice(grid, 190, "jpsw")
    check_choice(grid, 20, "astar")
    grid:fill(90, 60, 7, 18, "c")
    check_choice(grid, 190, "astar")
  end)

  it("is chosen again when scattered blocks have been removed", function()
    local grid = scattered("c", 0.01)
    check_choice(grid, 190, "astar")
    for y = 1, 200 do
      for x = 1, 200 do
        if grid:get(x, y) == "#" then grid:set(x, y, ".") end
      end
    end
    check_choice(grid, 190, "jpsw")
  end)
end)
