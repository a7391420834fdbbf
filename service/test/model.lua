-- model.lua -- what a map of the service must be, told twice over: a plain table that edits change by their rules
-- alone, and a grid of the module's, which answers faster. Questions are held against the grid, some of them against
-- Dijkstra over the table, and the two against each other.

local astar = require "astar"
local compare = require "compare"
local mime = require "mime"
local oracle = require "spec.support.oracle"

local model = {}

local Model = {}
Model.__index = Model

-- 'map': { width, height, palette = { { key, cost }, ... } }, all of its first terrain.
function model.new(map)
  local terrain, rows = {}, {}
  for _, entry in ipairs(map.palette) do terrain[entry[1]] = entry[2] end
  for y = 1, map.height do rows[y] = map.palette[1][1]:rep(map.width) end
  local its = {}
  for key, cost in pairs(terrain) do its[key] = cost end
  local grid = astar.grid(map.width, map.height, { terrain = terrain, fill = map.palette[1][1] })
  return setmetatable({ grid = grid, finder = grid:finder(), world = oracle.world(rows, { terrain = its }) }, Model)
end

-- ---- edits ----

local SIDES = { north = { 0, -1 }, east = { 1, 0 }, south = { 0, 1 }, west = { -1, 0 } }

local function each_cell(world, x, y, w, h, body)
  for row = y, y + (h or 1) - 1 do
    for column = x, x + (w or 1) - 1 do body(oracle.cell(world, column, row)) end
  end
end

local function bar(world, x, y, dx, dy, stands)
  if x < 1 or y < 1 or x > world.width or y > world.height then return end
  local cell = oracle.cell(world, x, y)
  world.walls[cell] = world.walls[cell] or {}
  world.walls[cell][("%d,%d"):format(dx, dy)] = stands or nil
end

local function put_wall(world, x, y, side, one_way, stands)
  local dx, dy = SIDES[side][1], SIDES[side][2]
  bar(world, x, y, dx, dy, stands)
  if not one_way then bar(world, x + dx, y + dy, 0 - dx, 0 - dy, stands) end
end

local function put_link(world, from, to, cost)
  world.links[from] = world.links[from] or {}
  world.links[from][to] = cost
end

local PLAIN = {
  set = function(world, x, y, key) world.keys[oracle.cell(world, x, y)] = key end,
  fill = function(world, x, y, w, h, key)
    each_cell(world, x, y, w, h, function(cell) world.keys[cell] = key end)
  end,
  block = function(world, x, y, w, h)
    each_cell(world, x, y, w, h, function(cell) world.blocks[cell] = true end)
  end,
  unblock = function(world, x, y, w, h)
    each_cell(world, x, y, w, h, function(cell) world.blocks[cell] = nil end)
  end,
  terrain = function(world, key, cost) world.terrain[key] = cost end,
  wall = function(world, x, y, side, one_way) put_wall(world, x, y, side, one_way, true) end,
  unwall = function(world, x, y, side, one_way) put_wall(world, x, y, side, one_way, false) end,
  link = function(world, x, y, nx, ny, options)
    local from, to = oracle.cell(world, x, y), oracle.cell(world, nx, ny)
    put_link(world, from, to, options.cost)
    if not options.one_way then put_link(world, to, from, options.cost) end
  end,
}

-- Does a list of edits: { "set", 3, 4, "#" }, ...
function Model:apply(edits)
  for _, edit in ipairs(edits) do
    PLAIN[edit[1]](self.world, table.unpack(edit, 2))
    self.grid[edit[1]](self.grid, table.unpack(edit, 2))
  end
end

local function copy(value)
  if type(value) ~= "table" then return value end
  local its = {}
  for key, item in pairs(value) do its[key] = copy(item) end
  return its
end

-- The model as it is now, to go on from there once more.
function Model:copy()
  local grid = self.grid:clone()
  return setmetatable({ grid = grid, finder = grid:finder(), world = copy(self.world) }, Model)
end

-- ---- questions ----

local function same(a, b)
  if type(a) == "number" and type(b) == "number" then return math.abs(a - b) <= 1e-6 * math.max(1, math.abs(b)) end
  return a == b
end

-- The cells between turning points { x1, y1, x2, y2, ... }; nil where a leg is no straight line.
local function cells_of(points)
  local cells = { { x = points[1], y = points[2] } }
  for i = 3, #points, 2 do
    local x, y = cells[#cells].x, cells[#cells].y
    local dx, dy = points[i] - x, points[i + 1] - y
    local steps = math.max(math.abs(dx), math.abs(dy))
    if steps == 0 or (dx ~= 0 and dy ~= 0 and math.abs(dx) ~= math.abs(dy)) then return nil end
    for k = 1, steps do cells[#cells + 1] = { x = x + dx * k // steps, y = y + dy * k // steps } end
  end
  return cells
end

-- What a route costs that is walked step by step, nil where a step is not legal; links are not walked.
local function walked(world, points)
  local cells, entry = cells_of(points), oracle.entry_costs(world, {})
  return cells and oracle.walk(world, {}, entry, cells)
end

local function told(value)
  return value == nil and "nothing" or tostring(value)
end

local CHECKS = {}

function CHECKS.find_path(self, q, answer, plainly)
  local path, reason = self.finder:find_path(q[1], q[2], q[3], q[4])
  local cost = path and path.cost
  if not same(answer.cost or nil, cost) then return ("cost %s, must be %s"):format(told(answer.cost), told(cost)) end
  if not path then return answer.reason ~= reason and ("reason %s, must be %s"):format(told(answer.reason), reason) end
  local points = answer.points
  if not points or #points < 2 then return "no points" end
  if points[1] ~= q[1] or points[2] ~= q[2] or points[#points - 1] ~= q[3] or points[#points] ~= q[4] then
    return "points that begin or end elsewhere"
  end
  if not plainly or next(self.world.links) then return end
  local steps = walked(self.world, points)
  if not same(steps, cost) then return ("points that cost %s, not %s"):format(told(steps), told(cost)) end
end

function CHECKS.cell(self, q, answer)
  local cell = oracle.cell(self.world, q[1], q[2])
  local key, is_blocked = self.world.keys[cell], self.world.blocks[cell] or false
  if answer.key ~= key then return ("key %s, must be %s"):format(told(answer.key), told(key)) end
  if (answer.blocked or false) ~= is_blocked then return "blocked is " .. told(answer.blocked) end
end

function CHECKS.reachable(self, q, answer)
  local is = self.finder:find_path(q[1], q[2], q[3], q[4]) ~= nil
  if (answer.reachable or false) ~= is then return "reachable is " .. told(answer.reachable) end
end

-- By Dijkstra over the plain table.
local function check_plainly(self, q)
  local distances, entry = oracle.distances(self.world, {}, q[1], q[2])
  local is_refused = oracle.refusal(self.world, {}, entry, q[1], q[2], q[3], q[4])
  local least = not is_refused and distances[oracle.cell(self.world, q[3], q[4])] or nil
  local path = self.finder:find_path(q[1], q[2], q[3], q[4])
  if not same(path and path.cost, least) then
    return ("the grid of the checker says %s, Dijkstra %s"):format(told(path and path.cost), told(least))
  end
end

-- What is wrong with the answer to { find_path = { sx, sy, gx, gy } }, ..., nil when nothing is. 'plainly': by the
-- plain table as well.
function Model:wrong(question, answer, plainly)
  local name
  for its in pairs(CHECKS) do name = question[its] and its or name end
  if type(answer) ~= "table" then return "no answer" end
  if answer.error then return "error " .. told(answer.error) end
  return CHECKS[name](self, question[name], answer, plainly)
    or plainly and name == "find_path" and check_plainly(self, question[name]) or nil
end

-- What differs in a map as an instance told it, base64 of a grid's dump; nil when nothing does.
function Model:differs(dump)
  local ok, grid = pcall(astar.load, (mime.unb64(dump)))
  if not ok or not grid then return "its dump cannot be read" end
  local wrong, first = 0, nil
  for cell = 1, self.world.width * self.world.height do
    local x, y = oracle.position(self.world, cell)
    if grid:get(x, y) ~= self.world.keys[cell] or grid:is_blocked(x, y) ~= (self.world.blocks[cell] or false) then
      wrong, first = wrong + 1, first or ("(%d, %d)"):format(x, y)
    end
  end
  if wrong > 0 then return ("%d cells, the first %s"):format(wrong, first) end
  return compare.grids(grid, self.grid)
end

return model
