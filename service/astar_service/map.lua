-- map.lua -- one map of the service: a grid that follows rows of data.
--
-- A map is kept as rows by whatever engine holds them: one of what it is, one for each chunk of ground, and a log of
-- edits. Each edit has a version, counted from 1 without gaps; `base` is the version that the other rows stand for.
-- Nothing here knows the engine.

local astar = require "astar"

local unpack = table.unpack or unpack -- luacheck: ignore 143

local map = {}

map.CHUNK = 64 -- cells a side

local Map = {}
Map.__index = Map

-- An error's message without the line of ours where it was raised: it goes to whoever sent a request.
function map.plain(message)
  return (tostring(message):gsub("^[^:\n]*%.lua:%d+: ", ""))
end

-- What an edit may call of the grid; the number of cells' coordinates that lead its arguments.
local OPS = {
  set = 1, fill = 1, set_cells = 1, block = 1, unblock = 1, terrain = 0,
  link = 0, unlink = 0, wall = 0, unwall = 0,
}

-- Those that change ground or blocks, by how their rectangle is told.
local SIZED = { fill = true, set_cells = true, block = true, unblock = true }

local function is_data(value, depth)
  local kind = type(value)
  if kind ~= "table" then return kind == "string" or kind == "number" or kind == "boolean" end
  if depth == 0 then return false end
  for key, entry in pairs(value) do
    if not is_data(key, 0) or not is_data(entry, depth - 1) then return false end
  end
  return true
end

-- Raises unless `op` is an edit by its form: a list that begins with a name, of data alone.
local function check_form(op)
  if type(op) ~= "table" or type(op[1]) ~= "string" then
    error('an edit must be a list such as {"set", x, y, key}', 0)
  end
  if not OPS[op[1]] then error(("there is no edit %q"):format(op[1]), 0) end
  local count = 0
  for key in pairs(op) do
    if type(key) ~= "number" or key % 1 ~= 0 or key < 1 or key > 6 then
      error("an edit must be a list of at most 6 entries", 0)
    end
    count = count + 1
  end
  if count ~= #op or not is_data(op, 2) then error("an edit must be a list of data, without gaps", 0) end
  if op[1] == "terrain" and #op ~= 3 then error('the edit "terrain" needs a key and a cost', 0) end
end

local function do_op(grid, op)
  grid[op[1]](grid, unpack(op, 2))
end

-- ---- from rows, and to rows ----

-- A map from what it is: { name =, width =, height =, x0 =, y0 =, base =, palette = { { key, cost }, ... }, links =,
-- walls = }. Its chunks are to be put in before edits are.
function map.new(meta)
  local terrain = {}
  for _, entry in ipairs(meta.palette) do terrain[entry[1]] = entry[2] end
  local grid = astar.grid(meta.width, meta.height,
    { terrain = terrain, fill = meta.palette[1][1], origin = { meta.x0, meta.y0 } })
  for _, link in ipairs(meta.links or {}) do
    grid:link(link[1], link[2], link[3], link[4], { cost = link[5], label = link[6] or nil, one_way = link[7] })
  end
  for _, wall in ipairs(meta.walls or {}) do grid:wall(wall[1], wall[2], wall[3], wall[4]) end
  local self = setmetatable({
    name = meta.name, grid = grid, version = meta.base, base = meta.base,
    palette = {}, touched = {}, drafts = {}, finders = {}, finder_count = 0, has_links = #(meta.links or {}) > 0,
  }, Map)
  for i, entry in ipairs(meta.palette) do self.palette[i] = { entry[1], entry[2] } end
  return self
end

-- A grid as a map, to be told as rows. `palette` names its terrains: { { key, cost }, ... }.
function map.of(name, grid, palette)
  local self = setmetatable({ name = name, grid = grid, version = 0, palette = palette, touched = {} }, Map)
  return self
end

-- The rectangle of cells that chunk (cx, cy) covers; the first is (0, 0).
function Map:chunk_area(cx, cy)
  local x0, y0, x1, y1 = self.grid:bounds()
  local x, y = x0 + cx * map.CHUNK, y0 + cy * map.CHUNK
  return x, y, math.min(map.CHUNK, x1 - x + 1), math.min(map.CHUNK, y1 - y + 1)
end

-- How many chunks lie side by side, and one above another.
function Map:chunk_count()
  local width, height = self.grid:size()
  return math.ceil(width / map.CHUNK), math.ceil(height / map.CHUNK)
end

-- Puts in a chunk's ground, keys as grid:set_cells takes them, and blocks: { first, count, ... } in cells row by row.
function Map:put_chunk(cx, cy, ground, blocks)
  local x, y, w, h = self:chunk_area(cx, cy)
  self.grid:set_cells(x, y, w, h, ground)
  for i = 1, #blocks, 2 do
    local first, count = blocks[i], blocks[i + 1]
    while count > 0 do -- one piece of a row at a time
      local column = first % w
      local here = math.min(count, w - column)
      self.grid:block(x + column, y + math.floor(first / w), here, 1)
      first, count = first + here, count - here
    end
  end
end

local function runs_of_blocks(grid, x, y, w, h)
  local runs, last = {}, -1
  for at = 0, w * h - 1 do
    if grid:is_blocked(x + at % w, y + math.floor(at / w)) then
      if last == at - 1 and #runs > 0 then
        runs[#runs] = runs[#runs] + 1
      else
        runs[#runs + 1], runs[#runs + 2] = at, 1
      end
      last = at
    end
  end
  return runs
end

-- The row of a chunk as it is now: ground, blocks.
function Map:chunk(cx, cy)
  local x, y, w, h = self:chunk_area(cx, cy)
  return self.grid:get_cells(x, y, w, h), runs_of_blocks(self.grid, x, y, w, h)
end

-- What the map is now, as map.new takes it.
function Map:meta()
  local width, height = self.grid:size()
  local x0, y0 = self.grid:bounds()
  local links, walls = {}, {}
  for i, link in ipairs(self.grid:links()) do
    links[i] = { link.x0, link.y0, link.x1, link.y1, link.cost, link.label or false, link.one_way or false }
  end
  for i, wall in ipairs(self.grid:walls()) do walls[i] = { wall.x, wall.y, wall.direction, wall.one_way or false } end
  return {
    name = self.name, width = width, height = height, x0 = x0, y0 = y0, base = self.version,
    palette = self.palette, links = links, walls = walls,
  }
end

-- The chunks that edits have touched since the last call, as a list of { cx, cy }, in order.
function Map:take_touched()
  local list, across = {}, self:chunk_count()
  for at in pairs(self.touched) do list[#list + 1] = at end
  table.sort(list)
  for i, at in ipairs(list) do list[i] = { at % across, math.floor(at / across) } end
  self.touched = {}
  return list
end

-- Takes chunks back that take_touched gave: their rows were not written after all.
function Map:touch_again(list)
  local across = self:chunk_count()
  for _, at in ipairs(list) do self.touched[at[2] * across + at[1]] = true end
end

-- ---- edits ----

local function touch(self, op)
  if OPS[op[1]] == 0 then return end
  local x0, y0 = self.grid:bounds()
  local w, h = 1, 1
  if SIZED[op[1]] then w, h = op[4] or 1, op[5] or 1 end
  local across = self:chunk_count()
  for cy = math.floor((op[3] - y0) / map.CHUNK), math.floor((op[3] - y0 + h - 1) / map.CHUNK) do
    for cx = math.floor((op[2] - x0) / map.CHUNK), math.floor((op[2] - x0 + w - 1) / map.CHUNK) do
      self.touched[cy * across + cx] = true
    end
  end
end

local function note_terrain(self, op)
  if op[1] ~= "terrain" then return end
  for _, entry in ipairs(self.palette) do
    if entry[1] == op[2] then
      entry[2] = op[3]
      return
    end
  end
  self.palette[#self.palette + 1] = { op[2], op[3] }
end

-- Takes in the edit of the next version; one that is in already changes nothing.
function Map:apply(version, op)
  if version <= self.version then return end
  if version ~= self.version + 1 then
    error(("map %q is at version %d, and %d came"):format(self.name, self.version, version), 0)
  end
  do_op(self.grid, op)
  touch(self, op)
  note_terrain(self, op)
  self.has_links = self.has_links or op[1] == "link"
  self.version = version
  table.remove(self.drafts, 1)
end

-- Raises an error unless the edits of a list can be done once all that were checked before are. They are tried on a
-- copy that is kept for this, by who writes, so that no edit which fails comes into the log.
function Map:check(ops)
  for _, op in ipairs(ops) do check_form(op) end
  if not self.draft then
    self.draft = self.grid:clone()
    for _, op in ipairs(self.drafts) do do_op(self.draft, op) end
  end
  for _, op in ipairs(ops) do
    local ok, message = pcall(do_op, self.draft, op)
    if not ok then
      self.draft = nil -- those before it in the list are in there
      error(map.plain(message), 0)
    end
  end
  for _, op in ipairs(ops) do self.drafts[#self.drafts + 1] = op end
end

-- Forgets what was checked and did not come into the log.
function Map:forget_drafts()
  self.draft, self.drafts = nil, {}
end

-- ---- what is asked of it ----

map.MAX_FINDERS = 16

local function write_options(value)
  if type(value) ~= "table" then return type(value) .. ":" .. tostring(value) end
  local parts = {}
  for key, entry in pairs(value) do parts[#parts + 1] = write_options(key) .. "=" .. write_options(entry) end
  table.sort(parts)
  return "{" .. table.concat(parts, ",") .. "}"
end

-- The finder of a kind of unit, by its options. The least recently used goes once there are MAX_FINDERS.
function Map:finder(unit)
  local name = write_options(unit or {})
  local entry = self.finders[name]
  self.turn = (self.turn or 0) + 1
  if not entry then
    if not is_data(unit or {}, 3) then error("a unit must be data: no functions", 0) end
    entry = { finder = self.grid:finder(unit or {}) }
    if self.finder_count == map.MAX_FINDERS then
      local oldest
      for other, its in pairs(self.finders) do
        if not oldest or its.used < self.finders[oldest].used then oldest = other end
      end
      self.finders[oldest] = nil
      self.finder_count = self.finder_count - 1
    end
    self.finders[name] = entry
    self.finder_count = self.finder_count + 1
  end
  entry.used = self.turn
  return entry.finder
end

return map
