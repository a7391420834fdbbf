-- finder:fov, against what one cell sees of another by its definition: line by line, row by row.

local astar = require "astar"
local check = require "spec.support.check"
local hex_oracle = require "spec.support.hex_oracle"
local random = require "spec.support.random"
local times = require "spec.support.times"

local error_of = check.error_of

-- ---- the definition ----

-- A region around a viewer: passes(d, c) of the cell c of row d, its slopes from 'least' to 1. Lines of slope p / q are
-- stopped in rows 1 to 'last' where they come within half a cell of one that does not pass, or between two of those.
local function is_stopped(passes, p, q, last)
  for d = 1, last do
    local twice = 2 * p * d -- half cells, by q
    local c = math.floor((twice + q) / (2 * q))
    local is_between = (twice + q) % (2 * q) == 0
    if not passes(d, c) and not (is_between and passes(d, c - 1)) then return true end
  end
  return false
end

-- The slopes to try for what cannot be entered: edges of cells of the rows before, and between them.
local function slopes_before(row, least)
  local edges = {}
  for d = 1, row do
    for half = least * 2 * d - 1, 2 * d + 1, 1 do
      if half % 2 ~= 0 then edges[#edges + 1] = { half, 2 * d } end
    end
  end
  edges[#edges + 1], edges[#edges + 2] = { least, 1 }, { 1, 1 }
  table.sort(edges, function(a, b) return a[1] * b[2] < b[1] * a[2] end)
  local slopes = {}
  for i, edge in ipairs(edges) do
    slopes[#slopes + 1] = edge
    if edges[i + 1] then slopes[#slopes + 1] = { edge[1] + edges[i + 1][1], edge[2] + edges[i + 1][2] } end
  end
  return slopes
end

local slopes_known = {}
local function slopes_of(row, least)
  local key = row * 2 + least
  slopes_known[key] = slopes_known[key] or slopes_before(row, least)
  return slopes_known[key]
end

local function sees(passes, d, c, least)
  if passes(d, c) then return not is_stopped(passes, c, d, d - 1) end
  for _, slope in ipairs(slopes_of(d, least)) do
    local p, q = slope[1], slope[2]
    if p >= least * q and p <= q and 2 * p * d > (2 * c - 1) * q and 2 * p * d < (2 * c + 1) * q
      and not is_stopped(passes, p, q, d - 1) then
      return true
    end
  end
  return false
end

-- All that is seen, by y * 1000 + x. 'regions' are functions that tell the cell of (d, c).
local function look_around(regions, least, radius, is_inside, walkable, reaches)
  local seen = {}
  for _, cell_of in ipairs(regions) do
    local function passes(d, c)
      local x, y = cell_of(d, c)
      return x ~= nil and is_inside(x, y) and walkable(x, y)
    end
    for d = 1, radius do
      for c = least * d, d do
        local x, y = cell_of(d, c)
        if x and is_inside(x, y) and reaches(d, c) and sees(passes, d, c, least) then seen[y * 1000 + x] = true end
      end
    end
  end
  return seen
end

local QUARTERS = { { 0, -1, 1, 0 }, { 1, 0, 0, 1 }, { 0, 1, -1, 0 }, { -1, 0, 0, -1 } }

local function seen_on_squares(grid, x, y, radius)
  local regions = {}
  local x0, y0, x1, y1 = grid:bounds()
  local _, wrap = grid:shape()
  for i, way in ipairs(QUARTERS) do
    regions[i] = function(d, c)
      local cx, cy = x + d * way[1] + c * way[3], y + d * way[2] + c * way[4]
      if wrap == "x" or wrap == "both" then cx = (cx - x0) % (x1 - x0 + 1) + x0 end
      if wrap == "y" or wrap == "both" then cy = (cy - y0) % (y1 - y0 + 1) + y0 end
      return cx, cy
    end
  end
  local seen = look_around(regions, -1, radius,
    function(cx, cy) return cx >= x0 and cx <= x1 and cy >= y0 and cy <= y1 end,
    function(cx, cy) return grid:is_walkable(cx, cy) end,
    function(d, c) return d * d + c * c <= radius * radius end)
  seen[y * 1000 + x] = true
  return seen
end

-- The cell at each middle, in tenths of a hexagon's width.
local function cells_by_middle(world)
  local cells = {}
  for y = world.y0, world.y0 + world.height - 1 do
    for x = world.x0, world.x0 + world.width - 1 do
      local px, py = hex_oracle.middle(world, x, y)
      cells[math.floor(px * 10 + 0.5) .. "," .. math.floor(py * 10 + 0.5)] = { x, y }
    end
  end
  return cells
end

local function seen_on_hexagons(world, grid, x, y, radius)
  local regions, cells = {}, cells_by_middle(world)
  local px, py = hex_oracle.middle(world, x, y)
  local first = world.offset:find "r" and 0 or 30
  for sixth = 0, 5 do
    local one, other = math.rad(first + 60 * sixth), math.rad(first + 60 * sixth + 60)
    regions[#regions + 1] = function(d, c)
      local mx = px + (d - c) * math.cos(one) + c * math.cos(other)
      local my = py + (d - c) * math.sin(one) + c * math.sin(other)
      local cell = cells[math.floor(mx * 10 + 0.5) .. "," .. math.floor(my * 10 + 0.5)]
      if cell then return cell[1], cell[2] end
    end
  end
  local seen = look_around(regions, 0, radius, function() return true end,
    function(cx, cy) return grid:is_walkable(cx, cy) end, function() return true end)
  seen[y * 1000 + x] = true
  return seen
end

local function field_as_set(field)
  local set = {}
  for x, y, value in field:cells() do
    assert.equal(1, value)
    set[y * 1000 + x] = true
  end
  return set
end

local function assert_same_cells(expected, got, message)
  for cell in pairs(expected) do assert(got[cell], message .. (": %d is not seen"):format(cell)) end
  for cell in pairs(got) do assert(expected[cell], message .. (": %d is seen"):format(cell)) end
end

-- What a floor cell sees sees it.
local function assert_symmetric(grid, radius, message)
  local finder, fields = grid:finder(), {}
  local x0, y0, x1, y1 = grid:bounds()
  for y = y0, y1 do
    for x = x0, x1 do fields[y * 1000 + x] = grid:is_walkable(x, y) and field_as_set(finder:fov(x, y, radius)) end
  end
  for cell, seen in pairs(fields) do
    for other in pairs(seen or {}) do
      if fields[other] then
        assert(fields[other][cell], ("%s: %d sees %d, that does not see it"):format(message, cell, other))
      end
    end
  end
end

describe("finder:fov", function()
  it("returns the visible cells that the definition of visibility gives", function()
    for seed = 1, 60 do
      local r = random.new(seed)
      local width, height = r:int(1, 16), r:int(1, 14)
      local grid = astar.grid(r:map(width, height), { origin = { r:int(-3, 3), 1 } })
      local finder, into = grid:finder(), astar.field(grid)
      local x0, y0, x1, y1 = grid:bounds()
      for _ = 1, 6 do
        local x, y, radius = r:int(x0, x1), r:int(y0, y1), r:int(0, 9)
        assert.equal(into, finder:fov(x, y, radius, { into = into }))
        assert_same_cells(seen_on_squares(grid, x, y, radius), field_as_set(into),
          ("seed %d, (%d, %d), %d\n%s"):format(seed, x, y, radius, grid:draw()))
      end
    end
  end)

  it("wraps around where the map wraps around, up to the radius", function()
    for seed = 1, 60 do
      local r = random.new(seed)
      local grid = astar.grid(r:map(r:int(3, 14), r:int(3, 12)),
        { origin = { r:int(-3, 3), 1 }, wrap = r:pick { "x", "y", "both" } })
      local finder, into = grid:finder(), astar.field(grid)
      local x0, y0, x1, y1 = grid:bounds()
      for _ = 1, 6 do
        local x, y, radius = r:int(x0, x1), r:int(y0, y1), r:int(0, 12)
        finder:fov(x, y, radius, { into = into })
        assert_same_cells(seen_on_squares(grid, x, y, radius), field_as_set(into),
          ("seed %d, (%d, %d), %d\n%s"):format(seed, x, y, radius, grid:draw()))
      end
      if seed % 6 == 0 then assert_symmetric(grid, r:int(1, 9), "seed " .. seed) end
    end
  end)

  it("returns on hexagons the visible cells that the definition of visibility gives", function()
    for seed = 1, 40 do
      local r = random.new(seed)
      local rows, offset = r:map(r:int(1, 12), r:int(1, 12)), r:pick { "odd_r", "even_r", "odd_q", "even_q" }
      local world = hex_oracle.world(rows, offset)
      local grid = astar.grid(rows, { shape = "hex", offset = offset })
      local finder, into = grid:finder(), astar.field(grid)
      for _ = 1, 5 do
        local x, y, radius = r:int(1, world.width), r:int(1, world.height), r:int(0, 7)
        finder:fov(x, y, radius, { into = into })
        assert_same_cells(seen_on_hexagons(world, grid, x, y, radius), field_as_set(into),
          ("seed %d, %s, (%d, %d), %d\n%s"):format(seed, offset, x, y, radius, grid:draw()))
      end
    end
  end)

  it("is symmetric: of two cells that can be entered, each sees the other or neither does", function()
    for seed = 1, times("ASTAR_MAPS", 25) do
      local r = random.new(seed)
      local shape = r:pick { "square", "square", "hex" }
      local grid = astar.grid(r:map(r:int(2, 24), r:int(2, 20)), { shape = shape })
      assert_symmetric(grid, r:pick { 4, 12, 40 }, "seed " .. seed .. "\n" .. grid:draw())
    end
  end)

  it("sees over the cells that its finder may enter", function()
    local grid = astar.grid(". T .\n. ~ .", { terrain = { ["."] = 1, T = 2, ["~"] = false, [" "] = 1 } })
    grid:block(4, 1, "glass")
    local function sees_far(options, y) return grid:finder(options):fov(1, y, 9):get(5, y) == 1 end
    assert.is_false(sees_far(nil, 1))
    assert.is_true(sees_far({ ignore = { "glass" } }, 1))
    assert.is_false(sees_far({ ignore = { "glass" }, costs = { T = false } }, 1))
    assert.is_false(sees_far(nil, 2))
    assert.is_true(sees_far({ costs = { ["~"] = 1 } }, 2))
  end)

  it("sees within an angle around its facing, and always its own cell", function()
    local grid = astar.grid(21, 21)
    local finder = grid:finder()
    for _, way in ipairs(astar.directions) do
      local name = way.name
      for _, angle in ipairs { 0, 45, 90, 180, 270, 360 } do
        local seen = finder:fov(11, 11, 10, { facing = name, angle = angle })
        for y = 1, 21 do
          for x = 1, 21 do
            local dx, dy = x - 11, y - 11
            local length = math.sqrt(dx * dx + dy * dy)
            local cosine = (dx * way.dx + dy * way.dy) / length / math.sqrt(way.dx ^ 2 + way.dy ^ 2)
            local is_close = math.abs(cosine - math.cos(math.rad(angle / 2))) < 1e-4
            local expected = length == 0 or length <= 10 and (is_close or cosine > math.cos(math.rad(angle / 2)))
            assert.equal(expected and 1 or 0, seen:get(x, y), ("%s %d: (%d, %d)"):format(name, angle, x, y))
          end
        end
      end
    end
    local hex = astar.grid(9, 9, { shape = "hex" }):finder()
    local count = 0
    for x, _, _ in hex:fov(5, 5, 3, { facing = "east", angle = 60 }):cells() do
      count = count + 1
      assert.is_true(x >= 5)
    end
    assert.equal(1 + 1 + 3 + 3, count) -- a cone of 60 degrees: rows of hexagons
  end)

  it("clears and fills the given table within its bounds, and allocates no memory for that", function()
    local grid = astar.grid(300, 300)
    local finder, into = grid:finder(), astar.field(grid)
    finder:fov(20, 20, 3, { into = into })
    finder:fov(280, 280, 0, { into = into })
    local found = {}
    for x, y in into:cells() do found[#found + 1] = { x, y } end
    assert.same({ { 280, 280 } }, found)
    local options = { into = into }
    local least = math.huge -- of several tries: LuaJIT may compile in one
    for _ = 1, 5 do
      collectgarbage()
      collectgarbage "stop"
      local before = collectgarbage "count"
      for _ = 1, 100 do finder:fov(150, 150, 30, options) end
      least = math.min(least, collectgarbage "count" - before)
      collectgarbage "restart"
    end
    assert.is_true(least < 1)
  end)

  it("starts from the unit's own cell whatever blocks that cell, and follows edits", function()
    local grid = astar.grid(9, 3)
    local finder = grid:finder()
    grid:block(1, 2)
    assert.equal(1, finder:fov(1, 2, 9):get(9, 2))
    grid:block(5, 2)
    assert.equal(0, finder:fov(1, 2, 9):get(9, 2))
    assert.equal(1, finder:fov(1, 2, 9):get(5, 2))
    grid:unblock(5, 2)
    assert.equal(1, grid:finder({ size = 2 }):fov(1, 2, 9):get(9, 2))
  end)

  it("refuses options that it cannot honour", function()
    local grid = astar.grid(5, 5)
    local finder = grid:finder()
    assert.equal("the option angle needs the option facing, the name of a direction or an angle in radians",
      error_of(function() finder:fov(1, 1, 3, { angle = 90 }) end))
    assert.truthy(error_of(function() finder:fov(1, 1, 3, { facing = "up" }) end):find("^facing must be \"north\""))
    assert.equal("radius must be an integer from 0 to 255, got 256", error_of(function() finder:fov(1, 1, 256) end))
    assert.equal("into must be a field of the grid's size, origin and shape: astar.field(grid) has them",
      error_of(function() finder:fov(1, 1, 3, { into = astar.field(5, 6) }) end))
  end)
end)

describe("the option facing of fov, an angle in radians", function()
  local SHAPES = { "", "odd_r", "even_r", "odd_q", "even_q" }

  local function cells_of(field)
    local x0, y0, x1, y1 = field:bounds()
    local cells = {}
    for y = y0, y1 do
      for x = x0, x1 do cells[#cells + 1] = field:get(x, y) end
    end
    return table.concat(cells)
  end

  it("shows for an angle the same cells as for the name of the direction", function()
    local finder = astar.grid(31, 31):finder()
    local names = { "east", "south_east", "south", "south_west", "west", "north_west", "north", "north_east" }
    for i, name in ipairs(names) do
      for _, angle in ipairs { 0, 45, 60, 90, 120, 179, 180, 200, 270, 359, 360 } do
        for _, turns in ipairs { 0, 1, -3 } do
          local facing = (i - 1) * math.pi / 4 + turns * 2 * math.pi
          assert.equal(cells_of(finder:fov(16, 16, 12, { facing = name, angle = angle })),
            cells_of(finder:fov(16, 16, 12, { facing = facing, angle = angle })), name .. angle)
        end
      end
    end
  end)

  it("shows the cells whose centres lie within the angle, on open ground", function()
    for _, offset in ipairs(SHAPES) do
      local grid = offset == "" and astar.grid(25, 25) or astar.grid(25, 25, { shape = "hex", offset = offset })
      local finder = grid:finder()
      local cx, cy = grid:center(13, 13)
      for step = 0, 40 do
        local facing = step * 0.31 - 6
        local seen = finder:fov(13, 13, 9, { facing = facing, angle = 100 })
        local around = finder:fov(13, 13, 9)
        for y = 1, 25 do
          for x = 1, 25 do
            local px, py = grid:center(x, y)
            local off = (math.atan2 or math.atan)(py - cy, px - cx) - facing
            off = math.abs((off + math.pi) % (2 * math.pi) - math.pi) * 180 / math.pi
            if math.abs(off - 50) > 0.1 and (x ~= 13 or y ~= 13) then
              assert.equal(off < 50 and around:get(x, y) or 0, seen:get(x, y), offset .. facing .. " " .. x .. "," .. y)
            end
          end
        end
      end
    end
  end)

  it("accepts the heading of a walker as an angle", function()
    local grid = astar.grid(9, 9)
    local walker = astar.walker(grid:find_path(1, 5, 9, 5))
    walker:update(4)
    local seen = grid:finder():fov(5, 5, 4, { facing = walker.angle, angle = 90 })
    assert.equal(1, seen:get(9, 5))
    assert.equal(0, seen:get(1, 5))
  end)

  it("must be a finite number of radians", function()
    local finder = astar.grid(3, 3):finder()
    for _, facing in ipairs { 0 / 0, math.huge, 1e7 } do
      assert.matches("^facing must be a number from %-1000000 to 1000000, got ",
        error_of(function() finder:fov(1, 1, 3, { facing = facing }) end))
    end
    assert.matches("^facing must be", error_of(function() finder:fov(1, 1, 3, { facing = true }) end))
  end)
end)
