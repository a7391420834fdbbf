-- The fewest blocks that part two cells.

local astar = require "astar"
local check = require "spec.support.check"
local hex_oracle = require "spec.support.hex_oracle"
local random = require "spec.support.random"
local times = require "spec.support.times"

local CASES = times("ASTAR_CASES", 60)

describe("finder:blockers", function()
  it("lists the smallest set of blocks whose removal opens a route", function()
    local grid = astar.grid(12, 3)
    grid:block(4, 1, 2, 3, "walls")
    grid:unblock(5, 2, "walls")
    grid:block(9, 1, 1, 3)
    grid:block(9, 3, "doors")
    local finder = grid:finder()
    assert.same({ { x = 4, y = 2, layer = "walls" }, { x = 9, y = 2, layer = "" } }, finder:blockers(1, 2, 12, 2))
    assert.same({}, finder:blockers(1, 2, 3, 3))
    assert.same({}, finder:blockers(1, 2, 1, 2))
    assert.same({ { x = 9, y = 1, layer = "" } }, grid:finder({ ignore = { "walls" } }):blockers(1, 1, 12, 1))
    assert.same({}, grid:finder({ ignore = { "walls" }, breach = { [""] = 3 } }):blockers(1, 1, 12, 1))
  end)

  it("lists each block of a cell and the blocks on the goal, but not the blocks under the start", function()
    local grid = astar.grid(5, 1)
    grid:block(1, 1)
    grid:block(5, 1)
    grid:block(5, 1, "doors")
    assert.same({ { x = 5, y = 1, layer = "" }, { x = 5, y = 1, layer = "doors" } }, grid:finder():blockers(1, 1, 5, 1))
    assert.same({}, grid:finder():blockers(1, 1, 1, 1))
    assert.same({ { x = 1, y = 1, layer = "" } }, grid:finder():blockers(2, 1, 1, 1))
  end)

  it("returns a reason if removing blocks does not open a route", function()
    local grid = astar.grid("..#..")
    grid:block(2, 1)
    assert.same({ n = 2, nil, "unreachable" }, { n = 2, grid:finder():blockers(1, 1, 5, 1) })
    assert.equal("unreachable", select(2, grid:finder():blockers(1, 1, 3, 1)))
    assert.equal("unreachable", select(2, grid:finder():blockers(3, 1, 1, 1)))
  end)

  it("can list hundreds of blocks", function()
    local grid = astar.grid(300, 1)
    grid:block(1, 1, 300, 1, "walls")
    local list = grid:finder():blockers(1, 1, 300, 1)
    assert.equal(299, #list)
    assert.equal(2, list[1].x)
    assert.equal(300, list[299].x)
  end)

  it("lists as many blocks as the cheapest route breaks if a block costs more than any detour", function()
    for seed = 1, CASES do
      local r = random.new(seed)
      local width, height = r:int(2, 90), r:int(2, 12)
      local grid = astar.grid(width, height)
      for _ = 1, width * height / 3 do grid:block(r:int(1, width), r:int(1, height), "walls") end
      grid:unblock(1, 1)
      local list = grid:finder({ diagonals = "never" }):blockers(1, 1, width, height)
      local path = grid:finder({ diagonals = "never", breach = { walls = 10000 } }):find_path(1, 1, width, height)
      assert.equal(#path:breaches(), #list, seed)
    end
  end)

  it("raises an error for large units and for cost functions", function()
    local grid = astar.grid(3, 3)
    assert.has_error(function() grid:finder({ size = 2 }):blockers(1, 1, 3, 3) end,
      "blockers cannot honour a size above 1")
    assert.has_error(function() grid:finder({ cost = function() return 1 end }):blockers(1, 1, 3, 3) end,
      "blockers cannot honour cost functions")
    assert.has_error(function() grid:finder():blockers(1, 1, 3, 4) end)
  end)
end)

-- ---- against all ways ----

local LAYERS = { "walls", "doors", "" }
local SIDES = { "north", "east", "south", "west" }

-- How many blocks must be lifted to come to each cell, by going round until nothing changes: a step leads to a cell
-- where it could be made if nothing was blocked but ground, and if blocked corners were lifted, too.
local function fewest(grid, finder, sx, sy, width, height, ignored, is_beside, links)
  local function count(x, y)
    local blocks = 0
    for _, layer in ipairs(grid:block_layers(x, y)) do blocks = blocks + (ignored[layer] and 0 or 1) end
    return blocks
  end
  local least, again = { [sx .. "," .. sy] = 0 }, true
  local function come(here, x, y)
    local there, key = here + count(x, y), x .. "," .. y
    if there >= (least[key] or math.huge) then return end
    least[key], again = there, true
  end
  local function go_on(here, x, y)
    for ny = math.max(y - 1, 1), math.min(y + 1, height) do
      for nx = math.max(x - 1, 1), math.min(x + 1, width) do
        if is_beside(x, y, nx, ny) and finder:raycast(x, y, nx, ny) then come(here, nx, ny) end
      end
    end
    for _, link in ipairs(links) do
      if link[1] == x and link[2] == y and grid:get(link[3], link[4]) ~= "#" then come(here, link[3], link[4]) end
    end
  end
  while again do
    again = false
    for y = 1, height do
      for x = 1, width do
        local here = least[x .. "," .. y]
        if here then go_on(here, x, y) end
      end
    end
  end
  return least
end

local function play(seed, has_hexagons)
  local r = random.new(seed)
  local width, height = r:int(2, 9), r:int(2, 7)
  if r:chance(0.1) then width = width + 62 end
  local rows = r:scatter(width, height, r:pick { 0, 0.1, 0.3 })
  local offset = has_hexagons and r:pick(hex_oracle.LAYOUTS)
  local grid = astar.grid(rows, offset and hex_oracle.options(offset, {}) or nil)
  local world = offset and hex_oracle.world(rows, offset)
  local rule = not has_hexagons and r:pick(check.RULES) or nil
  local links = {}
  local function is_beside(x, y, nx, ny)
    local dx, dy = math.abs(x - nx), math.abs(y - ny)
    if not world then return dx + dy == 1 or rule == "always" and dx == 1 and dy == 1 end
    for _, next in ipairs(world.around[hex_oracle.cell(world, x, y)]) do
      if next.x == nx and next.y == ny then return true end
    end
    return false
  end
  local ignored = r:chance(0.2) and { doors = true } or {}
  local names = {}
  for name in pairs(ignored) do names[1] = name end
  local finder = grid:finder { diagonals = rule, ignore = names }
  local free = grid:finder { diagonals = rule == "always" and rule or rule and "never" or nil, ignore = LAYERS }
  for _ = 1, 3 do
    for _ = 1, r:int(1, 6) do
      local x, y = r:int(1, width), r:int(1, height)
      grid[r:chance(0.8) and "block" or "unblock"](grid, x, y, r:int(1, math.min(3, width + 1 - x)),
        r:int(1, height + 1 - y), r:pick(LAYERS))
    end
    if not has_hexagons and r:chance(0.3) then
      for _ = 1, r:int(1, 6) do grid:wall(r:int(1, width), r:int(1, height), r:pick(SIDES), r:chance(0.3)) end
    end
    if r:chance(0.3) then
      local x, y, tx, ty = r:int(1, width), r:int(1, height), r:int(1, width), r:int(1, height)
      if x ~= tx or y ~= ty then
        grid:link(x, y, tx, ty, { cost = 1, one_way = true })
        links[#links + 1] = { x, y, tx, ty }
      end
    end
    local sx, sy = r:int(1, width), r:int(1, height)
    local stands = grid:get(sx, sy) ~= "#"
    local least = stands and fewest(grid, free, sx, sy, width, height, ignored, is_beside, links) or {}
    for _ = 1, 12 do
      local gx, gy = r:int(1, width), r:int(1, height)
      local list, reason = finder:blockers(sx, sy, gx, gy)
      local expected = least[gx .. "," .. gy]
      if (list and #list) ~= expected then
        error(("seed %d: %s blocks, not %s, from %d,%d to %d,%d"):format(seed, tostring(list and #list),
          tostring(expected), sx, sy, gx, gy))
      end
      if not list then assert.equal("unreachable", reason) end
      -- Without them there is a way.
      for _, block in ipairs(list or {}) do
        assert.is_true(grid:is_blocked(block.x, block.y, block.layer), seed)
        grid:unblock(block.x, block.y, block.layer)
      end
      if list then assert.is_true(finder:reachable(sx, sy, gx, gy), seed) end
      for _, block in ipairs(list or {}) do grid:block(block.x, block.y, block.layer) end
    end
  end
end

describe("finder:blockers, fuzzed", function()
  it("lists the smallest number of blocks without which a route exists, on squares", function()
    for seed = 1, CASES do play(seed, false) end
  end)

  it("lists the smallest number of blocks without which a route exists, on hexagons", function()
    for seed = 1, CASES do play(seed, true) end
  end)
end)
