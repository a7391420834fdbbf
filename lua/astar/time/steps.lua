-- steps.lua -- The steps of a finder's unit over a grid: the cost of each step, and the cells that it occupies.
--
-- The search in time needs the steps that lead on from each cell. They are computed by the rules of the C module, and
-- kept as long as neither the grid nor a field changes. The steps of a cell are a flat list: { to, cost, side, side,
-- to, ... }. Cells with equal surroundings share one list.
--
-- A side is a cell that a diagonal step occupies in addition to the two cells that it joins: a cell beside the step
-- that must be free for it. Therefore no other unit passes through that cell and touches the unit. If corners may be
-- cut (the rule "always"), the side is the point between the four cells, because two diagonal steps that cross share
-- this point. Points are numbered from the last cell on.

local entries = next -- loops use it in place of pairs(), see spec/entries_spec.lua
local ABOVE = (...):match "^(.+)[./][^./]+[./][^./]+$"
local core = require(ABOVE .. ".load_core")
local directions = require(ABOVE .. ".directions")
local option_table = require(ABOVE .. ".option_table")

local IS_TWIN = core.implementation == "lua" -- the twin has no links and walls

local abs, floor, max, huge = math.abs, math.floor, math.max, math.huge

local Steps = {}
Steps.__index = Steps

-- Options that a schedule cannot honour, with the values that are allowed because they have no effect.
local REFUSED = { suppose_blocked = false }
for _, row in ipairs(option_table) do
  if row.route == "R" then REFUSED[row.name] = row.otherwise or false end
end

--- Returns the name of an option that a route in time cannot honour, nil if there is none.
function Steps.refused(options)
  local names = {}
  for name, otherwise in entries, REFUSED do
    local value = options[name]
    if value ~= nil and value ~= false and value ~= otherwise then names[#names + 1] = name end
  end
  local size = options.size
  if type(size) == "table" then
    names[#names + 1] = ("size { %d, %d }: its units are squares, as with size = %d"):format(size[1], size[2],
      max(size[1], size[2]))
  end
  table.sort(names)
  return names[1]
end

-- Reads the layers that bar the unit, and those that it breaks through, with their prices.
local function read_layers(self)
  local ignored, breach = {}, self.options.breach or {}
  for _, layer in ipairs(self.options.ignore or {}) do ignored[layer] = true end
  self.barring, self.broken = {}, {}
  for _, layer in ipairs(self.grid:block_layers()) do
    local price = breach[layer]
    if price and not ignored[layer] then
      self.broken[#self.broken + 1] = { layer, floor(price * 16 + 0.5) / 16 }
    elseif not ignored[layer] then
      self.barring[#self.barring + 1] = layer
    end
  end
end

local function read_fields(options)
  local avoid, list = options.avoid, {}
  if type(avoid) == "table" then
    for _, part in ipairs(avoid) do list[#list + 1] = { part[1], part[2] } end
  elseif avoid then
    list[1] = { avoid, options.avoid_weight or 1 }
  end
  return list
end

local function read_links(self)
  local links = {}
  local function add(from, to, cost)
    links[from] = links[from] or {}
    local list = links[from]
    list[#list + 1], list[#list + 2] = to, cost
  end
  for _, link in ipairs(IS_TWIN and {} or self.grid:links()) do
    local from, to = self:cell(link.x0, link.y0), self:cell(link.x1, link.y1)
    add(from, to, link.cost)
    if not link.one_way then add(to, from, link.cost) end
  end
  return links
end

local function is_barred(self, x, y)
  local grid, barring = self.grid, self.barring
  for i = 1, #barring do
    if grid:is_blocked(x, y, barring[i]) then return true end
  end
  return false
end

local function ground_cost(self, x, y)
  local key = self.grid:get(x, y)
  local cost = self.ground[key]
  if cost == nil then
    cost = self.options.costs and self.options.costs[key]
    if cost == nil then cost = self.grid:terrain(key) end
    cost = cost and cost < huge and cost or 0
    self.ground[key] = cost
  end
  return cost
end

-- Returns the price of the blocks on a cell that the unit breaks through.
local function price_of_blocks(self, x, y)
  local price = 0
  for _, layer in ipairs(self.broken) do
    if self.grid:is_blocked(x, y, layer[1]) then price = price + layer[2] end
  end
  return price
end

-- Returns the cost of entering a cell, 0 if the unit cannot enter it, and the two parts of this cost that are the price
-- of blocks and the danger by the fields to avoid.
local function work_out_price(self, x, y)
  local cost = ground_cost(self, x, y)
  if cost == 0 or is_barred(self, x, y) and not self.lifted[self:cell(x, y)] then return 0, 0, 0 end
  local shunned, blocks = 0, price_of_blocks(self, x, y)
  for _, part in ipairs(self.fields) do shunned = shunned + part[2] * part[1]:get(x, y) end
  shunned = max(shunned, 0)
  return cost + blocks + shunned, blocks, shunned
end

-- Returns the cell for (x, y). On a grid that wraps around, a position beyond an edge is a cell at the opposite edge.
-- Returns nil if there is no such cell.
local function around(self, x, y)
  if self.wrap and self.wrap ~= "y" then x = (x - self.x0) % self.width + self.x0 end
  if self.wrap and self.wrap ~= "x" then y = (y - self.y0) % self.height + self.y0 end
  if x >= self.x0 and y >= self.y0 and x <= self.x1 and y <= self.y1 then return x, y end
end

local function price_of_cell(self, x, y)
  if x < self.x0 or y < self.y0 or x > self.x1 or y > self.y1 then
    x, y = around(self, x, y)
    if not x then return 0, 0, 0 end
  end
  local cell = self:cell(x, y)
  local price = self.prices[cell]
  if not price then
    price, self.blocks[cell], self.dangers[cell] = work_out_price(self, x, y)
    self.prices[cell] = price
  end
  return price, self.blocks[cell], self.dangers[cell]
end

-- Returns the cost of entering a position per unit of length: the highest cost of terrain, plus the highest price of
-- blocks, plus the highest danger among the cells that the unit covers. Returns 0 if the unit does not fit.
local function price_of(self, x, y)
  local ground, blocks, danger, last = 0, 0, 0, self.size - 1
  if last == 0 then return (price_of_cell(self, x, y)) end
  for row = y, y + last do
    for column = x, x + last do
      local price, of_blocks, shunned = price_of_cell(self, column, row)
      if price == 0 then return 0 end
      ground, blocks = max(ground, price - of_blocks - shunned), max(blocks, of_blocks)
      danger = max(danger, shunned)
    end
  end
  return ground + blocks + danger
end

local function is_walled(self, x, y, direction)
  return self.has_walls and self.grid:has_wall(x, y, direction)
end

-- Returns true if a restriction of the cell (x, y) lets the unit leave it in a direction.
local function may_leave(self, x, y, name)
  local exits = self.exits[self:cell(x, y)]
  return not exits or exits[name] == true
end

local function add(list, to, cost, side, other)
  local n = #list
  list[n + 1], list[n + 2], list[n + 3], list[n + 4] = to, cost, side, other
end

-- The names of directions, by 3 * dy + dx.
local NAMES = {}
for _, direction in ipairs(directions) do NAMES[3 * direction.dy + direction.dx] = direction.name end

-- Returns the cell beside a diagonal step over which a path of two straight steps leads around it, 0 if there is no
-- such path. The second result is true if a wall bars that path. `first` chooses one of the two cells.
local function way_around(self, x, y, dx, dy, first)
  local then_x, then_y = dx, 0
  if not first then then_x, then_y = 0, dy end
  local walled = is_walled(self, x, y, NAMES[3 * then_y + then_x])
  if price_of(self, x + then_x, y + then_y) == 0 then
    -- A wall on the far side of an obstacle counts, too.
    local inside = x + then_x >= self.x0 and x + then_x <= self.x1 and y + then_y >= self.y0 and y + then_y <= self.y1
    return 0, walled or inside and is_walled(self, x + then_x, y + then_y, NAMES[3 * (dy - then_y) + dx - then_x])
  end
  walled = walled or is_walled(self, x + then_x, y + then_y, NAMES[3 * (dy - then_y) + dx - then_x])
  return walled and 0 or self:cell(x + then_x, y + then_y), walled
end

local function add_diagonal(self, list, x, y, dx, dy)
  local price = price_of(self, x + dx, y + dy)
  if price == 0 or not may_leave(self, x, y, NAMES[3 * dy + dx]) then return end
  local side, walled = way_around(self, x, y, dx, dy, true)
  local other, other_walled = way_around(self, x, y, dx, dy, false)
  local rule = self.rule
  if walled and other_walled or rule == "only_when_no_obstacles" and (side == 0 or other == 0)
    or rule == "if_at_most_one_obstacle" and side == 0 and other == 0 then
    return
  end
  if rule == "always" then
    side = self.size == 1 and self.count + self:cell(x + (dx + 1) / 2, y + (dy + 1) / 2) or 0
    other = 0
  end
  add(list, self:cell(x + dx, y + dy), price * self.diagonal_cost, side, other)
end

local function add_squares(self, list, x, y)
  for _, direction in ipairs(directions) do
    local dx, dy = direction.dx, direction.dy
    if dx == 0 or dy == 0 then
      local price = price_of(self, x + dx, y + dy)
      local is_open = not is_walled(self, x, y, direction.name) and may_leave(self, x, y, direction.name)
      if price > 0 and is_open then
        add(list, self:cell(x + dx, y + dy), price, 0, 0)
      end
    elseif self.rule ~= "never" then
      add_diagonal(self, list, x, y, dx, dy)
    end
  end
end

local HEXAGONAL = {
  r = { "north_east", "east", "south_east", "south_west", "west", "north_west" },
  q = { "north", "north_east", "south_east", "south", "south_west", "north_west" },
}

local function add_hexagons(self, list, x, y)
  for _, name in ipairs(HEXAGONAL[self.offset:sub(-1)]) do
    local to_x, to_y = self.grid:neighbour(x, y, name)
    local price = to_x and price_of(self, to_x, to_y) or 0
    local is_open = not is_walled(self, x, y, name) and may_leave(self, x, y, name)
    if price > 0 and is_open then add(list, self:cell(to_x, to_y), price, 0, 0) end
  end
end

local function add_links(self, list, cell)
  local links = self.links[cell] or {}
  for i = 1, #links, 2 do
    if price_of(self, self:place(links[i])) > 0 then add(list, links[i], links[i + 1], 0, 0) end
  end
end

-- Computes the steps from a cell. Cells are given as differences to the number of this cell.
local function work_out_steps(self, cell)
  local list, x, y = {}, self:place(cell)
  if self.offset then
    add_hexagons(self, list, x, y)
  else
    add_squares(self, list, x, y)
  end
  add_links(self, list, cell)
  for i = 1, #list, 4 do
    list[i] = list[i] - cell
    for side = i + 2, i + 3 do list[side] = list[side] > 0 and list[side] - cell or 0 end
  end
  return list
end

-- Returns a key for the steps of a cell if all neighbours that can be entered cost the same: the set of these
-- neighbours, and their cost. Cells with equal keys have equal steps. Returns nil for all other cells.
local function surroundings_of(self, cell)
  local x, y = self:place(cell)
  if not self.is_plain or x == self.x0 or x == self.x1 or y == self.y0 or y == self.y1 then return nil end
  local prices, key, common = self.prices, 0, nil
  for i = 1, #directions do
    local direction = directions[i]
    local price = prices[cell + direction.dy * self.width + direction.dx]
      or price_of_cell(self, x + direction.dx, y + direction.dy)
    key = 2 * key
    if price > 0 then
      if price ~= (common or price) then return nil end
      key, common = key + 1, price
    end
  end
  return key, common or 0
end

--- Returns the steps that lead on from a cell: { to, cost, side, side, ... }. A side is 0 if there is none. `to` and
-- sides are differences to the number of the cell.
function Steps:from(cell)
  local list = self.lists[cell]
  if not list then
    local key, price = surroundings_of(self, cell)
    local alike = key and self.alike[price] or {}
    list = alike[key or 0] or work_out_steps(self, cell)
    if key then self.alike[price], alike[key] = alike, list end
    self.lists[cell] = list
  end
  return list
end

--- Returns the cells from which steps may lead to a cell: its neighbours, and the starts of links to it.
function Steps:before(cell)
  local list, x, y = {}, self:place(cell)
  for from_y = y - 1, y + 1 do
    for from_x = x - 1, x + 1 do
      if around(self, from_x, from_y) then list[#list + 1] = self:cell(from_x, from_y) end
    end
  end
  for from, links in entries, self.links do
    local links_here = false
    for i = 1, #links, 2 do links_here = links_here or links[i] == cell end
    if links_here then list[#list + 1] = from end
  end
  return list
end

--- Returns the index of the cheapest step to a cell `to` in the list of steps from a cell `from`, nil if there is none.
function Steps:index(from, to)
  local list, best = self:from(from), nil
  for i = 1, #list, 4 do
    if list[i] == to - from and not (best and list[best + 1] <= list[i + 1]) then best = i end
  end
  return best
end

--- Returns the sides of the step with index `i` in the list of a cell.
function Steps:sides(cell, i)
  local list, sides = self:from(cell), {}
  if list[i + 2] ~= 0 then sides[1] = cell + list[i + 2] end
  if list[i + 3] ~= 0 then sides[#sides + 1] = cell + list[i + 3] end
  return sides
end

--- Returns the cost and the sides of the step from one cell to another, nil if there is no such step.
function Steps:step(from, to)
  local i = self:index(from, to)
  if i then return self:from(from)[i + 1], self:sides(from, i) end
end

--- Returns the dx and dy of a step. On a grid that wraps around, the step is measured over the edge if that is
-- shorter.
function Steps:stride(x, y, to_x, to_y)
  local dx, dy, wrap = to_x - x, to_y - y, self.wrap
  if wrap and wrap ~= "y" and 2 * abs(dx) > self.width then dx = dx > 0 and dx - self.width or dx + self.width end
  if wrap and wrap ~= "x" and 2 * abs(dy) > self.height then dy = dy > 0 and dy - self.height or dy + self.height end
  return dx, dy
end

--- Returns true if the unit can be on a cell.
function Steps:fits(cell) return price_of(self, self:place(cell)) > 0 end

--- Returns true if the terrain allows the unit to be at a position. Blocks are ignored.
function Steps:can_stand(x, y)
  if x + self.size - 1 > self.x1 or y + self.size - 1 > self.y1 then return false end
  for row = y, y + self.size - 1 do
    for column = x, x + self.size - 1 do
      if ground_cost(self, column, row) == 0 then return false end
    end
  end
  return true
end

local MOST_FLOWS = 32 -- maximum number of goals whose estimates are kept

-- Returns the table of the costs from each cell to a goal, false for cells without a route. Each entry is computed when
-- it is first read.
local function estimate_of(self, goal)
  local estimate = self.estimates[goal]
  if estimate then return estimate end
  if self.estimate_count == MOST_FLOWS then self.estimates, self.estimate_count = {}, 0 end
  local flow = self.finder:flow(self:place(goal))
  local distance, x0, y0, width = flow.distance, self.x0, self.y0, self.width
  estimate = setmetatable({}, { __index = function(known, cell)
    local place = cell - 1
    local column = place % width
    local cost = distance(flow, column + x0, (place - column) / width + y0) or false
    known[cell] = cost
    return cost
  end })
  self.estimates[goal], self.estimate_count = estimate, self.estimate_count + 1
  return estimate
end

--- Returns the table of lower bounds of the costs from each cell to the goal, false for cells without a route.
function Steps:estimate(goal, start)
  local estimate = estimate_of(self, goal)
  if self.lifted_count == 0 then return estimate end
  -- Flows do not know that the unit may pass its start, which its own blocks bar.
  local from_start = 0
  if self.lifted_count == 1 and self.size == 1 then from_start = estimate[start] or huge end
  return setmetatable({}, { __index = function(_, cell)
    local cost = estimate[cell]
    if cost and cost < from_start then return cost end
    return from_start < huge and from_start
  end })
end

--- Returns the number of a cell. Cells are numbered from 1, row by row.
function Steps:cell(x, y)
  if self.wrap then x, y = around(self, x, y) end
  return (y - self.y0) * self.width + x - self.x0 + 1
end

function Steps:place(cell)
  local column = (cell - 1) % self.width
  return column + self.x0, floor((cell - 1) / self.width) + self.y0
end

-- Returns a number that grows whenever the steps must be computed again.
local function edition_of(self)
  local edition = self.grid:version()
  for _, part in ipairs(self.fields) do edition = edition + part[1]:version() end
  return edition
end

-- Returns the set of directions in which each restricted cell may be left.
local function read_exits(self)
  local exits = {}
  for _, restricted in ipairs(self.grid:restrictions()) do
    local set = {}
    for _, name in ipairs(restricted.directions) do set[name] = true end
    exits[self:cell(restricted.x, restricted.y)] = set
  end
  return exits
end

--- Discards all computed steps if the grid or a field has been edited.
function Steps:update()
  local edition = edition_of(self)
  if edition == self.edition then return end
  self.edition, self.ground, self.prices, self.blocks, self.lists, self.estimates = edition, {}, {}, {}, {}, {}
  self.dangers = {}
  self.estimate_count, self.alike = 0, {}
  self.links, self.has_walls = read_links(self), not IS_TWIN and #self.grid:walls() > 0
  self.exits = read_exits(self)
  self.is_plain = self.size == 1 and not self.offset and not self.has_walls and entries(self.links) == nil
    and entries(self.exits) == nil
  read_layers(self)
end

--- Makes the steps of a finder's unit over a grid. Blocks on the cells of the set `lifted`, which has `count` cells,
-- are ignored.
function Steps.new(grid, finder, lifted, count)
  local x0, y0, x1, y1 = grid:bounds()
  local options, shape, offset = finder:options(), grid:shape()
  local self = setmetatable({
    grid = grid, finder = finder, options = options, x0 = x0, y0 = y0, x1 = x1, y1 = y1, width = x1 - x0 + 1,
    height = y1 - y0 + 1, wrap = shape == "square" and offset,
    size = options.size or 1, rule = options.diagonals or "only_when_no_obstacles",
    diagonal_cost = options.diagonal_cost or math.sqrt(2), offset = shape == "hex" and offset,
    fields = read_fields(options), lifted = lifted or {}, lifted_count = count or 0, edition = false,
  }, Steps)
  self.count = self.width * self.height
  self:update()
  return self
end

--- Returns the steps without the blocks under the unit, or the object itself if there are no such blocks. `places` is
-- the list of the positions { x, y } of the unit or of a train's cars.
function Steps:standing_on(places)
  local lifted, count = nil, 0
  for _, place in ipairs(places) do
    for y = place[2], place[2] + self.size - 1 do
      for x = place[1], place[1] + self.size - 1 do
        if is_barred(self, x, y) then
          lifted = lifted or {}
          if not lifted[self:cell(x, y)] then count = count + 1 end
          lifted[self:cell(x, y)] = true
        end
      end
    end
  end
  return lifted and Steps.new(self.grid, self.finder, lifted, count) or self
end

return Steps
