-- layers.lua -- random links, walls and fields for the oracle's worlds.

local astar = require "astar"
local oracle = require "spec.support.oracle"

local layers = {}

local STRAIGHT = { { 0, -1 }, { 1, 0 }, { 0, 1 }, { -1, 0 } }

local function set_wall(world, x, y, dx, dy)
  local cell = oracle.cell(world, x, y)
  world.walls[cell] = world.walls[cell] or {}
  world.walls[cell][("%d,%d"):format(dx, dy)] = true -- Lua 5.1 writes a negated 0 as -0
end

-- A few links or many, cheap and dear, one way and both.
function layers.add_links(r, world)
  local cells = world.width * world.height
  if cells < 2 then return world end
  for _ = 1, r:pick { 1, 2, 3, 5, 10, 80, 500 } do
    local from, to, cost = r:int(1, cells), r:int(1, cells), r:pick { 0, 0.5, 1, 3, 20, 100 }
    if from ~= to then
      world.links[from] = world.links[from] or {}
      world.links[from][to] = cost
      if r:chance(0.6) then
        world.links[to] = world.links[to] or {}
        world.links[to][from] = cost
      end
    end
  end
  return world
end

local STEPS = { "0,-1", "1,-1", "1,0", "1,1", "0,1", "-1,1", "-1,0", "-1,-1" }

-- Cells in a row that may be left only by some steps: by one, by a few, now and then by none.
function layers.add_exits(r, world)
  for _ = 1, r:pick { 1, 4, 12 } do
    local x, y = r:int(0, world.width - 1), r:int(0, world.height - 1)
    local down, exits = r:chance(0.5), {}
    for _ = 1, r:pick { 0, 1, 1, 2, 5 } do exits[r:pick(STEPS)] = true end
    for i = 0, r:int(0, 5) do
      local at_x, at_y = x + (down and 0 or i), y + (down and i or 0)
      if at_x < world.width and at_y < world.height then world.exits[at_y * world.width + at_x + 1] = exits end
    end
  end
  return world
end

-- Walls here and there, some one-way, and some in long lines; on some maps also cells that may be left only by some
-- steps.
function layers.add_walls(r, world)
  local function inside(x, y)
    return x >= world.x0 and y >= world.y0 and x < world.x0 + world.width and y < world.y0 + world.height
  end
  for _ = 1, r:pick { 1, 4, 12, 40 } do
    local x = world.x0 + r:int(0, world.width - 1)
    local y = world.y0 + r:int(0, world.height - 1)
    local side, along, one_way = r:pick(STRAIGHT), r:int(1, 5), r:chance(0.3)
    for _ = 1, along do
      if inside(x, y) then
        set_wall(world, x, y, side[1], side[2])
        if not one_way and inside(x + side[1], y + side[2]) then
          set_wall(world, x + side[1], y + side[2], -side[1], -side[2])
        end
      end
      x, y = x + math.abs(side[2]), y + math.abs(side[1])
    end
  end
  local own = setmetatable({ state = r.state }, getmetatable(r)) -- so that the walls stay those of the seed
  if own:chance(0.3) then layers.add_exits(own, world) end
  return world
end

-- A field of the world's cells with a few stamps on it.
function layers.field(r, world)
  local field = astar.field(world.width, world.height, { origin = { world.x0, world.y0 } })
  for _ = 1, r:int(0, 4) do
    field:stamp(world.x0 + r:int(0, world.width - 1), world.y0 + r:int(0, world.height - 1),
      r:int(0, 5), r:pick { 0.25, 1, 8, 100 })
  end
  return field
end

return layers
