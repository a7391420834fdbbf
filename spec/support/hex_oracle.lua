-- hex_oracle.lua -- the rules on hexagons written plainly, to hold astar's answers against.
--
-- Which hexagons are neighbours is measured: those whose middles are as far apart as hexagons are
-- wide, the middles being where Tiled draws tiles of a hexagonal map ("hexsidelength" and all).
--
-- A world: { width, height, x0, y0, offset, terrain = { [key] = cost | false }, keys = { [cell] = key },
--   blocks = { [cell] = true }, links = { [from] = { [to] = cost } },
--   walls = { [cell] = { [direction] = true } } }
-- 'rules' are a finder's options: costs, cost, step_cost, avoid.

local hex_oracle = {}

-- How the cells of random worlds lie, the directions of their sides, and what makes a grid of them; narrower worlds
-- than LEAST_WIDTH part cells more steps than a map without end.
hex_oracle.LAYOUTS, hex_oracle.LEAST_WIDTH = { "odd_r", "even_r", "odd_q", "even_q" }, 1

function hex_oracle.sides(offset)
  return offset:sub(-1) == "r" and { "east", "south_east", "south_west", "west", "north_west", "north_east" }
    or { "north", "north_east", "south_east", "south", "south_west", "north_west" }
end

function hex_oracle.options(offset, more)
  more.shape, more.offset = "hex", offset
  return more
end

local SIDE = 20 -- of a hexagon, in pixels; the map's tiles are of this size, the longer way twice it
local LONG, SHORT = 2 * SIDE, math.sqrt(3) * SIDE

-- The middle of the tile at (column, row), both from 0, as Tiled's hexagonal renderer has it.
function hex_oracle.tiled_middle(offset, column, row)
  local axis, index = offset:sub(-1) == "r" and "y" or "x", offset:match "^%a+"
  local tile_width = axis == "y" and SHORT or LONG
  local tile_height = axis == "y" and LONG or SHORT
  local side_x, side_y = axis == "x" and SIDE or 0, axis == "y" and SIDE or 0
  local side_offset_x, side_offset_y = (tile_width - side_x) / 2, (tile_height - side_y) / 2
  local column_width, row_height = side_offset_x + side_x, side_offset_y + side_y
  local function is_staggered(number) return (number % 2 == 1) == (index == "odd") end
  local x, y
  if axis == "x" then
    x = column * column_width
    y = row * (tile_height + side_y) + (is_staggered(column) and row_height or 0)
  else
    x = column * (tile_width + side_x) + (is_staggered(row) and column_width or 0)
    y = row * row_height
  end
  return x + tile_width / 2, y + tile_height / 2
end

-- In widths of a hexagon.
function hex_oracle.middle(world, x, y)
  local px, py = hex_oracle.tiled_middle(world.offset, x - world.x0, y - world.y0)
  return px / SHORT, py / SHORT
end

function hex_oracle.cell(world, x, y)
  return (y - world.y0) * world.width + (x - world.x0) + 1
end

function hex_oracle.position(world, cell)
  return (cell - 1) % world.width + world.x0, math.floor((cell - 1) / world.width) + world.y0
end

function hex_oracle.straight(world, x0, y0, x1, y1)
  local ax, ay = hex_oracle.middle(world, x0, y0)
  local bx, by = hex_oracle.middle(world, x1, y1)
  return math.sqrt((ax - bx) ^ 2 + (ay - by) ^ 2)
end

local COMPASS = { [0] = "north", "north_east", "north_east", "east", "south_east", "south_east", "south",
  "south_west", "south_west", "west", "north_west", "north_west" }

-- The direction between two neighbours, by the angle between their middles: clockwise from north,
-- in twelfths of a turn.
local function direction_of(world, x, y, nx, ny)
  local ax, ay = hex_oracle.middle(world, x, y)
  local bx, by = hex_oracle.middle(world, nx, ny)
  local dx, dy = bx - ax, by - ay
  for twelfth = 0, 11 do
    local angle = twelfth * math.pi / 6
    if math.abs(math.sin(angle) - dx) < 0.01 and math.abs(-math.cos(angle) - dy) < 0.01 then
      return COMPASS[twelfth]
    end
  end
  error "no direction"
end

-- 'rows': a list of strings or lists of keys.
function hex_oracle.world(rows, offset, options)
  options = options or {}
  local origin = options.origin or { 1, 1 }
  local world = {
    width = #rows[1], height = #rows, x0 = origin[1], y0 = origin[2], offset = offset,
    terrain = options.terrain or { ["."] = 1, ["#"] = false }, keys = {}, blocks = {}, links = {},
    walls = {}, around = {}, rows = rows,
  }
  for _, row in ipairs(rows) do
    for x = 1, world.width do
      world.keys[#world.keys + 1] = type(row) == "string" and row:sub(x, x) or row[x]
    end
  end
  for cell = 1, #world.keys do
    local x, y = hex_oracle.position(world, cell)
    local list = {}
    for ny = math.max(y - 2, world.y0), math.min(y + 2, world.y0 + world.height - 1) do
      for nx = math.max(x - 2, world.x0), math.min(x + 2, world.x0 + world.width - 1) do
        local apart = hex_oracle.straight(world, x, y, nx, ny)
        if apart > 0.5 and apart < 1.01 then
          list[#list + 1] = { cell = hex_oracle.cell(world, nx, ny), x = nx, y = ny,
                              direction = direction_of(world, x, y, nx, ny) }
        end
      end
    end
    world.around[cell] = list
  end
  return world
end

-- What entering each cell costs, false where this unit may not.
function hex_oracle.entry_costs(world, rules)
  local entry = {}
  for cell, key in ipairs(world.keys) do
    local cost = world.terrain[key]
    if rules.costs and rules.costs[key] ~= nil then cost = rules.costs[key] end
    local x, y = hex_oracle.position(world, cell)
    entry[cell] = cost
    if cost and world.blocks[cell] then entry[cell] = false end
    if entry[cell] and rules.avoid then entry[cell] = cost + math.max(rules.avoid:get(x, y), 0) end
    if entry[cell] and rules.cost then entry[cell] = rules.cost(x, y, key, entry[cell]) or false end
  end
  return entry
end

-- The steps out of a cell: a list of { cell =, cost =, direction = }, links without a direction.
function hex_oracle.steps(world, rules, entry, cell)
  local x, y = hex_oracle.position(world, cell)
  local steps = {}
  local function add(to, nx, ny, cost, direction)
    if rules.step_cost then cost = rules.step_cost(x, y, nx, ny, cost) end
    if cost then steps[#steps + 1] = { cell = to, cost = cost, direction = direction } end
  end
  for _, next in ipairs(world.around[cell]) do
    local walls = world.walls[cell]
    if entry[next.cell] and not (walls and walls[next.direction]) then
      add(next.cell, next.x, next.y, entry[next.cell], next.direction)
    end
  end
  for to, cost in pairs(world.links[cell] or {}) do
    local nx, ny = hex_oracle.position(world, to)
    if entry[to] then add(to, nx, ny, cost) end
  end
  return steps
end

-- The distances from some cells, { [cell] = value }, of all cells, by the plainest search there is;
-- 'backward': from all cells to them.
function hex_oracle.explore(world, rules, entry, seeds, backward)
  local into
  if backward then
    into = {}
    for cell = 1, #world.keys do into[cell] = {} end
    for cell = 1, #world.keys do
      if world.terrain[world.keys[cell]] ~= nil then
        for _, step in ipairs(hex_oracle.steps(world, rules, entry, cell)) do
          local list = into[step.cell]
          list[#list + 1] = { cell = cell, cost = step.cost }
        end
      end
    end
  end
  local distance, queue = {}, {}
  for cell, value in pairs(seeds) do
    distance[cell] = value
    queue[#queue + 1] = cell
  end
  local first = 1
  while first <= #queue do -- cells go round until nothing changes
    local cell = queue[first]
    first = first + 1
    for _, step in ipairs(backward and into[cell] or hex_oracle.steps(world, rules, entry, cell)) do
      local way = distance[cell] + step.cost
      if not distance[step.cell] or way < distance[step.cell] - 1e-12 then
        distance[step.cell] = way
        queue[#queue + 1] = step.cell
      end
    end
  end
  return distance
end

-- How many steps lie between a cell and every other over open ground.
function hex_oracle.rings(world, cell)
  local rings, queue = { [cell] = 0 }, { cell }
  for _, at in ipairs(queue) do
    for _, next in ipairs(world.around[at]) do
      if not rings[next.cell] then
        rings[next.cell] = rings[at] + 1
        queue[#queue + 1] = next.cell
      end
    end
  end
  return rings
end

function hex_oracle.can_stand(world, rules, x, y)
  local key = world.keys[hex_oracle.cell(world, x, y)]
  local cost = world.terrain[key]
  if rules.costs and rules.costs[key] ~= nil then cost = rules.costs[key] end
  return cost and cost ~= math.huge
end

return hex_oracle
