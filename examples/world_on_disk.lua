-- world_on_disk.lua -- a world on a disk, a file for each region of 16 x 16 chunks, that can be killed at any moment.
--
-- Chunks are made as they are come to; only what was edited is written. A region is written to a file beside it, which
-- then takes its name: whenever the program ends, each region is there as it was last saved, or as before.
-- world_on_disk.lua [chunks [folder]] visits so many, 6000 unless told otherwise; 1000000 take a minute or two.

local astar = require "astar"

local CHUNKS = tonumber((arg or {})[1]) or 6000
local FOLDER = (arg or {})[2] or os.tmpname() .. "."
local REGION = 16

-- ---- files ----

local function file_of(cx, cy)
  return ("%sregion_%d_%d"):format(FOLDER, math.floor(cx / REGION), math.floor(cy / REGION))
end

-- The chunks in a file: by "cx cy" what world:save gave. What is not as it was written is an error.
local function read_region(name)
  local chunks, file = {}, io.open(name, "rb")
  if file then
    local text = file:read "*a"
    file:close()
    local at = 1
    while at <= #text do
      local key, length, from = text:match("^(%-?%d+ %-?%d+) (%d+)\n()", at)
      at = assert(from, name .. " is broken") + tonumber(length)
      chunks[key] = text:sub(from, at - 1)
    end
  end
  return chunks
end

local function write_region(name, chunks)
  local file = assert(io.open(name .. ".new", "wb"))
  for key, text in pairs(chunks) do
    assert(file:write(("%s %d\n"):format(key, #text), text))
  end
  assert(file:close())
  assert(os.rename(name .. ".new", name)) -- on Windows remove the old one first
end

-- The last region that was asked for is kept.
local last_name, last_chunks

local function region(name)
  if name ~= last_name then last_name, last_chunks = name, read_region(name) end
  return last_chunks
end

-- ---- the world ----

local ROCKS = {}
for i = 1, 7 do
  local rows = {}
  for y = 1, 64 do
    local rock = y % 9 == i and 40 - 5 * i or 0
    rows[y] = ("."):rep(8 * i) .. ("#"):rep(rock) .. ("."):rep(64 - 8 * i - rock)
  end
  ROCKS[i] = table.concat(rows)
end

local function new_world()
  local world
  world = astar.world {
    bytes = 2 ^ 20, -- so little that chunks come and go
    load = function(cx, cy)
      return region(file_of(cx, cy))[cx .. " " .. cy] or ROCKS[(3 * cx + 5 * cy) % 7 + 1]
    end,
    save = function(cx, cy)
      local name = file_of(cx, cy)
      region(name)[cx .. " " .. cy] = world:save(cx, cy)
      write_region(name, region(name))
    end,
  }
  return world
end

-- ---- a game ----

local written = {}

-- Visits chunks row by row, and builds something in each hundredth: a gate that is shut, a wall, stairs to the next.
local function visit(world)
  local side = math.ceil(math.sqrt(CHUNKS))
  for i = 0, CHUNKS - 1 do
    local cx, cy = i % side, math.floor(i / side)
    local x, y = 64 * cx + 1, 64 * cy + 1
    world:get(x, y)
    if i % 100 == 0 then
      written[#written + 1] = { cx = cx, cy = cy, has_wall = i % 1000 == 0 }
      world:set(x, y, "#")
      world:block(x + 2, y, 2, 1)
      if i % 1000 == 0 then world:wall(x + 5, y, "east") end
      if i % 5000 == 0 then world:link(x + 9, y + 8, x + 70, y + 8, { cost = 3 }) end
    end
  end
end

local function count_kept(world)
  local kept = 0
  for _, at in ipairs(written) do
    local x, y = 64 * at.cx + 1, 64 * at.cy + 1
    local is_there = world:get(x, y) == "#" and world:is_blocked(x + 3, y)
    kept = kept + (is_there and world:has_wall(x + 6, y, "west") == at.has_wall and 1 or 0)
  end
  return kept
end

local world = new_world()
visit(world)
world:save()
local stats = world:stats()
print(("%d chunks visited, %d built in, %d saved; %d are kept"):format(CHUNKS, #written, stats.saved, stats.chunks))

-- Killed while it writes: half a file is left beside a region.
local name = file_of(0, 0)
local half = assert(io.open(name .. ".new", "wb"))
half:write "0 0 4200\nastar chu"
half:close()

local again = new_world()
print(("read again: %d of %d as they were"):format(count_kept(again), #written))
print(("over the stairs: %.1f"):format(again:finder():find_route(10, 9, 71, 9, { exact = true }).cost))

if not (arg or {})[2] then -- what is in no folder of the caller's
  for _, at in ipairs(written) do os.remove(file_of(at.cx, at.cy)) end
  os.remove(name .. ".new")
  os.remove(FOLDER:sub(1, -2))
end
