-- finder:sees, and thin walls in finder:fov: against the definition, from both ends, and of closed rooms.

local astar = require "astar"
local check = require "spec.support.check"
local random = require "spec.support.random"
local times = require "spec.support.times"

local error_of = check.error_of
local SHAPES = {
  {}, { wrap = "x" }, { wrap = "both" }, { shape = "hex", offset = "odd_r" }, { shape = "hex", offset = "even_q" },
}
local MAPS = times("ASTAR_MAPS", 60)

local function name_of(options) return options.offset or options.wrap or "squares" end

local function sides_of(grid)
  local shape, offset = grid:shape()
  if shape == "square" then return { "north", "east", "south", "west" } end
  return offset:find "_q" and { "north", "north_east", "south_east", "south", "south_west", "north_west" }
    or { "north_east", "east", "south_east", "south_west", "west", "north_west" }
end

-- A random map, some cells blocked and some sides walled; `one_way` walls do not stop sight.
local function make_map(r, options, width, height)
  local grid = astar.grid(width, height, options)
  local sides = sides_of(grid)
  for _ = 1, r:int(0, width * height / 4) do grid:block(r:int(1, width), r:int(1, height)) end
  for _ = 1, options.wrap and 0 or r:int(0, width * height / 2) do -- maps that wrap around have no walls
    local x, y, side = r:int(1, width), r:int(1, height), r:pick(sides)
    if grid:neighbour(x, y, side) then grid:wall(x, y, side, r:int(1, 5) == 1) end
  end
  return grid
end

-- ---- the definition, on squares that do not wrap around ----

local function make_oracle(grid)
  local width, height = grid:size()
  local function passes(x, y)
    return x >= 1 and y >= 1 and x <= width and y <= height and grid:is_walkable(x, y)
  end
  local BACK = { north = "south", south = "north", east = "west", west = "east" }
  local function is_inside(x, y) return x >= 1 and y >= 1 and x <= width and y <= height end
  -- Between two cells side by side, if a wall bars both ways.
  local function walled(x, y, nx, ny)
    if not is_inside(x, y) or not is_inside(nx, ny) then return false end
    local side = nx > x and "east" or nx < x and "west" or ny > y and "south" or "north"
    return grid:has_wall(x, y, side) and grid:has_wall(nx, ny, BACK[side])
  end
  -- Whether walls stop a straight step, or one aslant that passes over a third cell, the fourth being the other one.
  local function stops(x, y, nx, ny, third, fourth)
    if x == nx or y == ny then return walled(x, y, nx, ny) end
    local function has_wall(c) return walled(x, y, c[1], c[2]) or walled(c[1], c[2], nx, ny) end
    return has_wall(third) or has_wall(fourth) and not passes(third[1], third[2])
  end

  return function(x0, y0, x1, y1)
    local dx, dy = x1 - x0, y1 - y0
    local rows, rise = math.max(math.abs(dx), math.abs(dy)), math.min(math.abs(dx), math.abs(dy))
    -- The cell of a row: so many cells aside.
    local function cell(row, aside)
      local along_x, along_y = dx < 0 and -1 or 1, dy < 0 and -1 or 1
      if math.abs(dx) >= math.abs(dy) then return x0 + along_x * row, y0 + along_y * aside end
      return x0 + along_x * aside, y0 + along_y * row
    end
    -- The line a hair below the middle line's slope and a hair above, where that runs between two cells.
    local function asides(row)
      local twice = 2 * rise * row + rows
      local number = math.floor(twice / (2 * rows))
      if twice % (2 * rows) == 0 then return number - 1, number end
      return number, number
    end
    local function passes_row(row, aside)
      if row == 0 or row == rows then return true end
      return passes(cell(row, aside))
    end
    local low, high = 0, 0
    for row = 1, rows do
      local next_low, next_high = asides(row)
      local is_open = false
      -- The middle line, or a hair below it and a hair above; through a corner either way.
      for i = 1, 2 do
        local from, to = i == 1 and low or high, i == 1 and next_low or next_high
        local x, y = cell(row - 1, from)
        local nx, ny = cell(row, to)
        local early, late = { cell(row - 1, to) }, { cell(row, from) }
        -- Where it crosses the border of columns, and that of rows.
        local column, middle = (2 * from + 1) * rows, (2 * row - 1) * rise
        local is_open_early = column <= middle and not stops(x, y, nx, ny, early, late)
        local is_open_late = column >= middle and not stops(x, y, nx, ny, late, early)
        if from == to then is_open_early = not stops(x, y, nx, ny) end
        is_open = is_open or passes_row(row - 1, from) and passes_row(row, to) and (is_open_early or is_open_late)
      end
      if not is_open then return false end
      if next_low ~= next_high then
        local x, y = cell(row, next_low)
        if walled(x, y, cell(row, next_high)) then return false end
      end
      low, high = next_low, next_high
    end
    return true
  end
end

describe("finder:sees", function()
  it("ignores blocks on the two cells themselves", function()
    local grid = astar.grid(9, 3)
    local finder = grid:finder()
    assert.is_true(finder:sees(1, 1, 9, 3))
    grid:block(1, 1)
    grid:block(9, 3)
    assert.is_true(finder:sees(1, 1, 9, 3))
    assert.is_true(finder:sees(9, 3, 1, 1))
    assert.is_false((finder:raycast(1, 1, 9, 3)))
    grid:block(5, 2)
    assert.is_false(finder:sees(1, 1, 9, 3))
    assert.is_false(finder:sees(9, 3, 1, 1))
    assert.is_true(finder:sees(5, 2, 5, 2))
    assert.is_true(finder:sees(5, 2, 1, 1))
  end)

  it("works over any distance", function()
    local grid = astar.grid(5000, 2)
    assert.is_true(grid:finder():sees(1, 1, 5000, 2))
    grid:block(2500, 1, 1, 2)
    assert.is_false(grid:finder():sees(1, 1, 5000, 2))
  end)

  it("refuses cells outside the map, and unknown options", function()
    local finder = astar.grid(9, 3):finder()
    assert.equal("x1 must be an integer from 1 to 9, got 10", error_of(function() finder:sees(1, 1, 10, 1) end))
    assert.matches('^unknown option "radius"', error_of(function() finder:sees(1, 1, 9, 1, { radius = 5 }) end))
    assert.equal("sees takes 5 arguments, got 6 as argument 6",
      error_of(function() finder:sees(1, 1, 9, 1, nil, 6) end))
  end)

  it("returns on squares the result of its definition", function()
    for seed = 1, MAPS do
      local r = random.new(seed)
      local width, height = r:int(1, 12), r:int(1, 12)
      local grid = make_map(r, {}, width, height)
      local sees, finder = make_oracle(grid), grid:finder()
      for _ = 1, 100 do
        local x0, y0, x1, y1 = r:int(1, width), r:int(1, height), r:int(1, width), r:int(1, height)
        local expected, got = sees(x0, y0, x1, y1), finder:sees(x0, y0, x1, y1)
        assert(expected == got, ("seed %d: (%d, %d) to (%d, %d): expected %s"):format(seed, x0, y0, x1, y1,
          tostring(expected)))
      end
    end
  end)

  for _, options in ipairs(SHAPES) do
    it("returns the same from both ends, with " .. name_of(options), function()
      for seed = 1, MAPS do
        local r = random.new(1000 + seed)
        local width, height = r:int(3, 12), r:int(3, 12)
        local grid = make_map(r, options, width, height)
        local finder = grid:finder()
        for _ = 1, 100 do
          local x0, y0, x1, y1 = r:int(1, width), r:int(1, height), r:int(1, width), r:int(1, height)
          assert(finder:sees(x0, y0, x1, y1) == finder:sees(x1, y1, x0, y0),
            ("seed %d: (%d, %d) to (%d, %d)"):format(seed, x0, y0, x1, y1))
        end
      end
    end)

    it("returns for open cells the result of finder:fov, with " .. name_of(options), function()
      for seed = 1, MAPS do
        local r = random.new(2000 + seed)
        local width, height = r:int(3, 12), r:int(3, 12)
        local grid = make_map(r, options, width, height)
        local finder = grid:finder()
        for _ = 1, 4 do
          local x, y = r:int(1, width), r:int(1, height)
          -- On a map that wraps around, the line may lead over the edge once: so far the field reaches, too.
          local field = finder:fov(x, y, options.wrap and 40 or 20)
          for cy = 1, height do
            for cx = 1, width do
              local is_seen = field:get(cx, cy) == 1
              if grid:is_walkable(cx, cy) and (not options.wrap or finder:sees(x, y, cx, cy)) then
                assert(is_seen == finder:sees(x, y, cx, cy),
                  ("seed %d: (%d, %d) to (%d, %d): fov says %s"):format(seed, x, y, cx, cy, tostring(is_seen)))
              end
            end
          end
        end
      end
    end)

    if not options.wrap then
      it("returns false through a room's thin walls, with " .. name_of(options), function()
        for seed = 1, MAPS do
          local r = random.new(3000 + seed)
          local width, height = r:int(3, 12), r:int(3, 12)
          local grid, room = astar.grid(width, height, options), {}
          for y = 1, height do
            for x = 1, width do room[x .. "," .. y] = r:int(1, 2) == 1 end
          end
          for y = 1, height do
            for x = 1, width do
              for _, side in ipairs(sides_of(grid)) do
                local nx, ny = grid:neighbour(x, y, side)
                if nx and room[nx .. "," .. ny] ~= room[x .. "," .. y] then grid:wall(x, y, side) end
              end
            end
          end
          local finder = grid:finder()
          for _ = 1, 60 do
            local x0, y0, x1, y1 = r:int(1, width), r:int(1, height), r:int(1, width), r:int(1, height)
            if room[x0 .. "," .. y0] ~= room[x1 .. "," .. y1] then
              assert(not finder:sees(x0, y0, x1, y1), ("seed %d: (%d, %d) to (%d, %d)"):format(seed, x0, y0, x1, y1))
              assert.equal(0, finder:fov(x0, y0, 20):get(x1, y1))
            end
          end
        end
      end)
    end
  end

  it("returns false through a door that is a thin wall in a wall of blocked cells", function()
    local grid = astar.grid "....#....\n....#....\n.........\n....#....\n....#...."
    local finder = grid:finder()
    assert.is_true(finder:sees(1, 3, 9, 3))
    assert.is_true(finder:sees(4, 2, 6, 4))
    for _, side in ipairs { "east", "west" } do
      grid:wall(5, 3, side)
      for y0 = 1, 5 do
        for y1 = 1, 5 do
          assert.is_false(finder:sees(2, y0, 8, y1))
          assert.equal(0, finder:fov(2, y0, 20):get(8, y1))
          assert.is_true(finder:fov(2, y0, 20, { opaque = { terrain = { "#" }, walls = false } }):get(8, y1)
            == (finder:sees(2, y0, 8, y1, { opaque = { terrain = { "#" }, walls = false } }) and 1 or 0))
        end
      end
      grid:unwall(5, 3, side)
    end
  end)

  it("accepts opaque terrain and layers, with thin walls and without", function()
    local grid = astar.grid("..~..\n..T..", { terrain = { ["."] = 1, ["~"] = false, T = 2 } })
    local finder = grid:finder()
    assert.is_false(finder:sees(1, 1, 5, 1))
    assert.is_true(finder:sees(1, 1, 5, 1, { opaque = { terrain = { "T" } } }))
    assert.is_true(finder:sees(1, 2, 5, 2))
    assert.is_false(finder:sees(1, 2, 5, 2, { opaque = { terrain = { "T" } } }))
    grid:wall(2, 1, "east")
    assert.is_false(finder:sees(1, 1, 5, 1, { opaque = { terrain = { "T" } } }))
    assert.is_true(finder:sees(1, 1, 5, 1, { opaque = { terrain = { "T" }, walls = false } }))
    assert.is_false(finder:sees(1, 1, 5, 1, { opaque = { terrain = { "T" }, walls = true } }))
    assert.equal(0, finder:fov(1, 1, 9, { opaque = { terrain = { "T" } } }):get(5, 1))
    assert.equal(1, finder:fov(1, 1, 9, { opaque = { terrain = { "T" }, walls = false } }):get(5, 1))
    assert.equal("opaque.walls must be a boolean, got 1",
      error_of(function() finder:sees(1, 1, 5, 1, { opaque = { terrain = { "T" }, walls = 1 } }) end))
    assert.matches('^unknown option "terrian"',
      error_of(function() finder:sees(1, 1, 5, 1, { opaque = { terrain = { "T" }, terrian = {} } }) end))
  end)

  it("ignores one-way walls in both directions", function()
    local grid = astar.grid(5, 1)
    grid:wall(3, 1, "east", true)
    assert.is_true(grid:finder():sees(1, 1, 5, 1))
    assert.is_true(grid:finder():sees(5, 1, 1, 1))
    assert.equal(1, grid:finder():fov(1, 1, 9):get(5, 1))
  end)
end)

describe("finder:sees in plain Lua", function()
  it("returns the results of the C module", function()
    local plain = require "astar.plain"
    for seed = 1, MAPS do
      local r = random.new(4000 + seed)
      local width, height = r:int(1, 12), r:int(1, 12)
      local grid, twin = astar.grid(width, height), plain.grid(width, height)
      for _ = 1, r:int(0, width * height / 3) do
        local x, y = r:int(1, width), r:int(1, height)
        grid:block(x, y)
        twin:block(x, y)
      end
      local size = math.min(width, height) > 1 and r:int(1, 2) or 1
      local finder, other = grid:finder { size = size }, twin:finder { size = size }
      for _ = 1, 100 do
        local x0, y0, x1, y1 = r:int(1, width), r:int(1, height), r:int(1, width), r:int(1, height)
        assert.equal(finder:sees(x0, y0, x1, y1), other:sees(x0, y0, x1, y1))
      end
    end
  end)
end)
