-- finder:min_cut, finder:chokepoints, against all sets of cells, blocked one after another.
--
-- ASTAR_MAPS=2000 asks more questions, ASTAR_SEED=7 others.

local astar = require "astar"
local random = require "spec.support.random"
local times = require "spec.support.times"

local MAPS = times("ASTAR_MAPS", 120)
local FIRST_SEED = tonumber(os.getenv "ASTAR_SEED") or 1
local SIDES = { odd_r = "south_east", even_r = "east", odd_q = "south", even_q = "south_east" }

local function random_grid(r, width, height, offset)
  local grid = astar.grid(width, height, offset and { shape = "hex", offset = offset } or nil)
  local density, side = r:pick { 0.1, 0.2, 0.35 }, offset and SIDES[offset] or r:pick { "east", "south" }
  for y = 1, height do
    for x = 1, width do
      if r:chance(density) then
        grid:set(x, y, "#")
      elseif r:chance(0.08) then
        grid:block(x, y, r:pick { "red", "blue" })
      end
    end
  end
  for _ = 1, r:pick { 0, 0, 2 } do
    local x, y, to_x, to_y = r:int(1, width), r:int(1, height), r:int(1, width), r:int(1, height)
    if x ~= to_x or y ~= to_y then grid:link(x, y, to_x, to_y, { one_way = r:chance(0.5) }) end
  end
  for _ = 1, r:pick { 0, 0, 5 } do
    local x, y = r:int(1, width), r:int(1, height)
    if grid:neighbour(x, y, side) then grid:wall(x, y, side, r:chance(0.3)) end
  end
  return grid
end

-- What parts two cells, by blocking them on a clone.
local function new_oracle(grid, finder, sx, sy, gx, gy)
  local width, height = grid:size()
  local oracle, clone = { cells = {} }, grid:clone()
  local real = finder:with_grid(clone)
  for y = 1, height do
    for x = 1, width do
      local is_end = x == sx and y == sy or x == gx and y == gy
      if not is_end and grid:get(x, y) == "." and real:reachable(x, y, x, y) then
        oracle.cells[#oracle.cells + 1] = { x = x, y = y }
      end
    end
  end

  function oracle.parts(cells)
    for _, cell in ipairs(cells) do clone:block(cell.x, cell.y) end
    local parted = not real:reachable(sx, sy, gx, gy)
    for _, cell in ipairs(cells) do clone:unblock(cell.x, cell.y) end
    return parted
  end

  local function try(from, cells, size)
    if #cells == size then return oracle.parts(cells) end
    for i = from, #oracle.cells do
      cells[#cells + 1] = oracle.cells[i]
      local parted = try(i + 1, cells, size)
      cells[#cells] = nil
      if parted then return true end
    end
    return false
  end

  function oracle.fewest(most)
    for size = 0, most do
      if try(1, {}, size) then return size end
    end
  end

  return oracle
end

local function compare_cut(finder, oracle, most, ends, place)
  local cells, reason = finder:min_cut(ends[1], ends[2], ends[3], ends[4], { most = most })
  assert.equal(oracle.fewest(most), cells and #cells, place)
  if cells then return assert.is_true(oracle.parts(cells), place) end
  assert.equal("open", reason)
end

local function compare_chokepoints(finder, oracle, ends, place)
  local cells, reason = finder:chokepoints(ends[1], ends[2], ends[3], ends[4])
  if not cells then
    assert.equal("unreachable", reason, place)
    return assert.is_true(oracle.parts {}, place)
  end
  local alone, found = {}, {}
  for _, cell in ipairs(oracle.cells) do
    if oracle.parts { cell } then alone[#alone + 1] = cell.x .. " " .. cell.y end
  end
  for i, cell in ipairs(cells) do found[i] = cell.x .. " " .. cell.y end
  table.sort(alone)
  table.sort(found)
  assert.same(alone, found, place)
end

describe("min_cut and chokepoints", function()
  it("return the results of trying every set of blocked cells, by every rule, on hexagons, over links", function()
    for seed = FIRST_SEED, FIRST_SEED + MAPS - 1 do
      local r = random.new(seed)
      local width, height = r:int(2, 5), r:int(2, 4)
      local offset = r:pick { false, false, false, "odd_r", "even_r", "odd_q", "even_q" }
      local grid = random_grid(r, width, height, offset)
      local options = { ignore = r:pick { {}, { "red" } } }
      if not offset then
        options.diagonals = r:pick { "always", "if_at_most_one_obstacle", "only_when_no_obstacles", "never" }
      end
      local finder = grid:finder(options)
      for _ = 1, 3 do
        local ends = { r:int(1, width), r:int(1, height), r:int(1, width), r:int(1, height) }
        local oracle = new_oracle(grid, finder, ends[1], ends[2], ends[3], ends[4])
        compare_cut(finder, oracle, r:int(0, 4), ends, "seed " .. seed)
        compare_chokepoints(finder, oracle, ends, "seed " .. seed)
      end
    end
  end)

  it("return chokepoints in order from the start to the goal", function()
    local grid = astar.grid("..#..#..\n........\n..#..#..")
    local slim = grid:finder { diagonals = "always" }
    assert.same({ { x = 3, y = 2 }, { x = 6, y = 2 } }, slim:chokepoints(1, 1, 8, 3))
    assert.same({ { x = 6, y = 2 }, { x = 3, y = 2 } }, slim:chokepoints(8, 3, 1, 1))
    local columns = {}
    for i, cell in ipairs(grid:finder():chokepoints(1, 1, 8, 3)) do columns[i] = cell.x end
    assert.same({ 2, 3, 4, 5, 6, 7 }, columns) -- a block in front of a gap forbids to cut past it
  end)

  it("can return hundreds of chokepoints", function()
    assert.equal(198, #astar.grid(200, 1):finder():chokepoints(1, 1, 200, 1))
  end)

  it("prefer the cut that is nearest to the goal", function()
    assert.same({ { x = 4, y = 1 } }, astar.grid("....."):finder():min_cut(1, 1, 5, 1))
  end)

  it("return no cell between adjacent cells, and no cell to block if there is no route", function()
    local finder = astar.grid("..#."):finder()
    assert.same({ nil, "open" }, { finder:min_cut(1, 1, 2, 1) })
    assert.same({ nil, "open" }, { finder:min_cut(1, 1, 1, 1) })
    assert.same({}, finder:min_cut(1, 1, 4, 1))
    assert.same({ nil, "unreachable" }, { finder:chokepoints(1, 1, 4, 1) })
    assert.same({}, finder:chokepoints(1, 1, 2, 1))
  end)

  it("refuse options that they cannot honour", function()
    local large, asks = astar.grid(3, 3):finder { size = 2 }, astar.grid(3, 3):finder { cost = function() return 1 end }
    for _, finder in ipairs { large, asks } do
      assert.has_error(function() finder:min_cut(1, 1, 2, 2) end, "min_cut cannot honour size or callbacks")
      assert.has_error(function() finder:chokepoints(1, 1, 2, 2) end, "chokepoints cannot honour size or callbacks")
    end
  end)
end)
