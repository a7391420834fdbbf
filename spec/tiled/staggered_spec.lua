-- Staggered maps of Tiled against the screen: where its diamonds are drawn tells which meet.

local check = require "spec.support.check"

local astar = require "astar"
local random = require "spec.support.random"

local tiled = astar.tiled

local WIDTH, HEIGHT = 32, 16 -- of a tile

-- A map of one tile a cell, its number telling which: x + y * width + 1; tile 999 says that one can walk.
local function staggered(axis, index, width, height)
  local data = {}
  for i = 1, width * height do data[i] = i end
  local tiles = {}
  for id = 0, width * height - 1 do tiles[id + 1] = { id = id, properties = { terrain = "t" .. id, cost = 1 } } end
  return {
    orientation = "staggered", staggeraxis = axis, staggerindex = index, width = width, height = height,
    tilewidth = WIDTH, tileheight = HEIGHT, properties = {},
    tilesets = { { name = "set", firstgid = 1, columns = 1, tilecount = #tiles, tiles = tiles } },
    layers = {
      { name = "floor", type = "tilelayer", width = width, height = height, properties = {}, data = data },
    },
  }
end

-- The pixel in the middle of tile (x, y), counted from 0, as Tiled draws it.
local function drawn_at(map, x, y)
  local function pushed(n) return (n % 2 == 1) == (map.staggerindex == "odd") end
  if map.staggeraxis == "y" then
    return x * WIDTH + WIDTH / 2 + (pushed(y) and WIDTH / 2 or 0), y * HEIGHT / 2 + HEIGHT / 2
  end
  return x * WIDTH / 2 + WIDTH / 2, y * HEIGHT + HEIGHT / 2 + (pushed(x) and HEIGHT / 2 or 0)
end

-- Where each tile is on the grid, by its id.
local function places_of(grid)
  local places, x0, y0, x1, y1 = {}, grid:bounds()
  for y = y0, y1 do
    for x = x0, x1 do
      local id = tonumber(grid:get(x, y):match "^t(%d+)$")
      if id then
        assert.is_nil(places[id])
        places[id] = { x = x, y = y }
      else
        assert.equal("outside", grid:get(x, y))
        assert.is_false(grid:is_walkable(x, y))
      end
    end
  end
  return places
end

local KINDS = { { "y", "odd" }, { "y", "even" }, { "x", "odd" }, { "x", "even" } }

describe("staggered maps", function()
  it("become grids on which tiles are neighbours if they share a side on the screen", function()
    for _, kind in ipairs(KINDS) do
      for _, size in ipairs { { 1, 1 }, { 1, 6 }, { 6, 1 }, { 5, 7 }, { 6, 4 } } do
        local map = staggered(kind[1], kind[2], size[1], size[2])
        local places = places_of(tiled.grid(map))
        assert.same({ x = 1, y = 1 }, places[0])
        for id = 0, size[1] * size[2] - 1 do
          local place, px, py = assert(places[id]), drawn_at(map, id % size[1], math.floor(id / size[1]))
          for other = 0, id - 1 do
            local qx, qy = drawn_at(map, other % size[1], math.floor(other / size[1]))
            local dx, dy = (px - qx) / WIDTH, (py - qy) / HEIGHT
            assert.equal(dx + dy, place.x - places[other].x) -- to the lower right
            assert.equal(dy - dx, place.y - places[other].y)
          end
        end
      end
    end
  end)

  it("have no more rows and columns than their tiles need", function()
    for _, kind in ipairs(KINDS) do
      for width = 1, 5 do
        for height = 1, 5 do
          local grid = tiled.grid(staggered(kind[1], kind[2], width, height))
          local x0, y0, x1, y1 = math.huge, math.huge, -math.huge, -math.huge
          for _, place in pairs(places_of(grid)) do
            x0, y0 = math.min(x0, place.x), math.min(y0, place.y)
            x1, y1 = math.max(x1, place.x), math.max(y1, place.y)
          end
          assert.same({ x0, y0, x1, y1 }, { grid:bounds() })
        end
      end
    end
  end)

  it("use different keys for cells without a tile and for cells outside the map, and can have chunks", function()
    local map = staggered("y", "odd", 2, 2)
    map.layers[1].data[2] = 0
    assert.same({ "t0", "empty" }, { tiled.grid(map):get(1, 1), tiled.grid(map):get(2, 0) })
    assert.is_true(tiled.grid(map, { empty = 2 }):is_walkable(2, 0))
    map.infinite = true
    map.layers[1].chunks = {
      { x = -2, y = -2, width = 1, height = 1, data = { 1 } }, { x = 0, y = 0, width = 1, height = 1, data = { 2 } },
    }
    local places = places_of(tiled.grid(map))
    assert.same({ { x = -2, y = 2 }, { x = 1, y = 1 } }, { places[0], places[1] })
  end)

  it("have objects on the tiles below their drawn positions", function()
    local r = random.new(41)
    for _, kind in ipairs(KINDS) do
      local map = staggered(kind[1], kind[2], 6, 6)
      local places = places_of(tiled.grid(map))
      for id = 0, 35 do
        local px, py = drawn_at(map, id % 6, math.floor(id / 6))
        local dx, dy = r:int(-7, 7), r:int(-3, 3) -- within the diamond
        map.layers[2] = { name = "o", type = "objectgroup", properties = {}, objects = {
          { id = 1, shape = "point", x = px + dx, y = py + dy, width = 0, height = 0, properties = {} },
        } }
        local object = tiled.objects(map, "o")[1]
        assert.same({ places[id].x, places[id].y, 1, 1 }, { object.x, object.y, object.width, object.height })
        local grid = tiled.grid(map, { blocks = { "o" } })
        assert.is_true(grid:is_blocked(object.x, object.y))
      end
    end
  end)

  it("raise errors that name the value that the map lacks", function()
    local map = staggered("z", "odd", 2, 2)
    assert.equal('map: expected "x" or "y" for staggeraxis, got "z"', check.error_of(function() tiled.grid(map) end))
  end)
end)
