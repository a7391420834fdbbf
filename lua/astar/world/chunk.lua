-- chunk.lua -- Converts a chunk of a world to a string and back: its terrain, blocks, walls and restricted cells, and
-- the links that start in it.
--
-- The first line gives the version, the kind of the terrain, and the lengths of the parts that follow. The terrain is
-- one character per cell if all keys are single characters, otherwise a list of keys and one byte per cell. Blocks and
-- walls are stored as runs of equal values. Version 2 has one more part at the end, the runs of restricted cells. A
-- chunk without restricted cells is saved as version 1, which earlier releases can read. A link is stored relative to
-- its cell, so that a chunk may be put elsewhere. All data are checked when they are read, because they come from a
-- disk or a network.

local ABOVE = (...):match "^(.+)[./][^./]+[./][^./]+$"
local core = require(ABOVE .. ".load_core")
local directions = require(ABOVE .. ".directions")
local errors = require(ABOVE .. ".errors")
local numbers = require(ABOVE .. ".numbers")

local floor = math.floor

-- The sides of a cell, in the order of their bits.
local SIDES = { "north", "east", "south", "west" }

local SIDE, CELLS, REACH = 64, 4096, 1000000000
local HEAD = "^astar chunk 1 (%l) (%d+) (%d+) (%d+)\n()"
local HEAD_2 = "^astar chunk 2 (%l) (%d+) (%d+) (%d+) (%d+)\n()"
local NOTHING = ("\0"):rep(CELLS)

local fail, message_of = errors.fail, errors.message_of

local function number_text(value)
  local is_whole = math.type and math.type(value) == "integer"
  return numbers.write(value, is_whole and "%d" or nil)
end

-- Reads a number. Chunks that version 1.0.0-rc saved in a locale with a decimal comma contain commas.
local function number_of(text)
  return numbers.read((text:gsub(",", ".")))
end

-- Returns the text for a value: a string with its length before it, a number, or a boolean.
local function value_text(value)
  if type(value) == "string" then
    return ("s%d:"):format(#value) .. value -- "%s" of Lua 5.1 ends at a zero
  elseif type(value) == "boolean" then
    return value and "t" or "f"
  end
  local text = number_text(value)
  if numbers.read(text) ~= value then
    fail("a label %s cannot be saved", text)
  end
  return "n" .. text .. ";"
end

-- Returns a reader of a text from byte `at` to byte `last`.
local function reader(text, at, last)
  local read = { at = at }
  function read.broken() fail("not a chunk that world:save has made: broken at byte %d", read.at) end
  function read.match(pattern)
    local found, next_at = text:match(pattern, read.at)
    if not found or next_at > last + 1 then read.broken() end
    read.at = next_at
    return found
  end
  function read.whole(least, most)
    local value = numbers.whole(read.match "^(-?%d+) ()")
    if value < least or value > most then read.broken() end
    return value
  end
  function read.value()
    local kind = read.match "^([sntf])()"
    if kind == "t" or kind == "f" then
      return kind == "t"
    elseif kind == "n" then
      local value = number_of(read.match "^([^;]+);()")
      return value or read.broken()
    end
    local length = numbers.whole(read.match "^(%d+):()")
    if read.at + length > last + 1 then read.broken() end
    read.at = read.at + length
    return text:sub(read.at - length, read.at - 1)
  end
  function read.done() if read.at ~= last + 1 then read.broken() end end
  return read
end

-- Returns true if all keys are single ASCII characters.
local function is_text(keys)
  for i = 1, CELLS do
    local key = keys[i]
    if type(key) ~= "string" or #key ~= 1 or key:byte() > 127 then
      return false
    end
  end
  return true
end

local function ground_text(keys)
  if is_text(keys) then
    return "t", table.concat(keys)
  end
  local places, names, cells, count = {}, {}, {}, 0
  for i = 1, CELLS do
    local key = keys[i]
    if not places[key] then
      places[key], count = string.char(count), count + 1
      names[count] = value_text(key)
    end
    cells[i] = places[key]
  end
  if count == 1 and keys[1] == false then
    return "s", ""
  end
  return "l", ("%d "):format(count) .. table.concat(names) .. table.concat(cells)
end

local function read_ground(kind, text, at, last)
  if kind == "s" and last < at then
    return false
  elseif kind == "t" and last - at == CELLS - 1 then
    return text:sub(at, last)
  elseif kind ~= "l" then
    fail("not a chunk that world:save has made: its terrain is unknown")
  end
  local read, names, keys = reader(text, at, last), {}, {}
  for i = 0, read.whole(1, 255) - 1 do names[i] = read.value() end
  if last - read.at ~= CELLS - 1 then read.broken() end
  for i = 1, CELLS do
    keys[i] = names[text:byte(read.at + i - 1)]
    if keys[i] == nil then read.broken() end
  end
  return keys
end

-- Returns the text for the blocks and walls of a chunk, or for its restricted cells. `bytes` is a string with a byte
-- per cell, and the text lists its runs of equal bytes.
local function runs_text(bytes)
  local runs, at = {}, bytes:find "[^%z]"
  while at do
    local value, last = bytes:sub(at, at), at
    while bytes:sub(last + 1, last + 1) == value do last = last + 1 end
    runs[#runs + 1] = ("%d %d %d "):format(at, last - at + 1, value:byte())
    at = bytes:find("[^%z]", last + 1)
  end
  return table.concat(runs)
end

-- Returns true if a byte may describe the blocks and walls of a cell: bits 0, 2, 4 and 6 are walls, bit 1 is a block.
local function is_furniture(value)
  return floor(value / 8) % 2 == 0 and floor(value / 32) % 2 == 0 and value < 128
end

-- Returns true if a byte may describe the restriction of a cell: a bit for each direction in which the cell may not be
-- left.
local function is_restriction() return true end

-- Reads the runs of equal bytes that runs_text has written. Returns a string with a byte per cell.
local function read_runs(text, at, last, is_valid)
  local read, parts, done = reader(text, at, last), {}, 0
  while read.at <= last do
    local from = read.whole(done + 1, CELLS)
    local count, value = read.whole(1, CELLS + 1 - from), read.whole(1, 255)
    if not is_valid(value) then read.broken() end
    parts[#parts + 1] = NOTHING:sub(1, from - 1 - done)
    parts[#parts + 1] = string.char(value):rep(count)
    done = from + count - 1
  end
  return done == 0 and NOTHING or table.concat(parts) .. NOTHING:sub(1, CELLS - done)
end

local function links_text(links, x0, y0)
  local parts = {}
  for i = 1, #links, 6 do
    local x, y, label = links[i], links[i + 1], links[i + 5]
    local cell = (y - y0) * SIDE + x - x0 + 1
    local places = ("%d %d %d %s "):format(cell, links[i + 2] - x, links[i + 3] - y, number_text(links[i + 4]))
    parts[#parts + 1] = places .. value_text(label)
  end
  return table.concat(parts)
end

local function read_link(read, x0, y0)
  local cell = read.whole(1, CELLS) - 1
  local x, y = x0 + cell % SIDE, y0 + floor(cell / SIDE)
  local x1, y1 = x + read.whole(-2 * REACH, 2 * REACH), y + read.whole(-2 * REACH, 2 * REACH)
  local cost = number_of(read.match "^(%S+) ()") or -1
  local label = read.value()
  local is_there = x > -REACH and y > -REACH and x1 > -REACH and y1 > -REACH
    and x <= REACH and y <= REACH and x1 <= REACH and y1 <= REACH
  if not is_there or x == x1 and y == y1 or not (cost >= 0 and cost <= 1e6) or label == true then read.broken() end
  return { x, y, x1, y1, { cost = cost, label = label or nil, one_way = true } }
end

-- Reads the links of a chunk. `before` is the list of links that still have to be made; the result refers to this
-- list.
local function read_links(text, at, last, x0, y0, before)
  local read, links = reader(text, at, last), { before = before }
  while read.at <= last do links[#links + 1] = read_link(read, x0, y0) end
  return links[1] and links or before
end

local calls = {}

--- world:save(cx, cy) --> string | nil, "not loaded"
function calls.save(world, cx, cy)
  local keys, furniture, exits = core.chunk_of(world, cx, cy)
  if not keys then
    return nil, "not loaded"
  end
  local x0, y0 = SIDE * cx + 1, SIDE * cy + 1
  local _, links = core.links_of(world, x0, y0, SIDE)
  local kind, ground = ground_text(keys)
  furniture, links = runs_text(furniture), links_text(links, x0, y0)
  local parts = ground .. furniture .. links
  if exits then
    exits = runs_text(exits)
    local head = ("astar chunk 2 %s %d %d %d %d\n"):format(kind, #ground, #furniture, #links, #exits)
    return head .. parts .. exits
  end
  return ("astar chunk 1 %s %d %d %d\n"):format(kind, #ground, #furniture, #links) .. parts
end

-- Reads the first line of a saved chunk. Returns the kind of the terrain, the number of bytes of the terrain, the
-- blocks and walls, the links and the restricted cells, and the byte after the line.
local function read_head(text)
  local kind, ground, furniture, links, exits, at = text:match(HEAD_2)
  if not kind then
    kind, ground, furniture, links, at = text:match(HEAD)
    exits = "0"
  end
  ground, furniture = numbers.whole(ground), numbers.whole(furniture)
  links, exits = numbers.whole(links), numbers.whole(exits)
  if not kind or at + ground + furniture + links + exits ~= #text + 1 then
    fail("not a chunk that world:save has made: cut off, or of another version")
  end
  return kind, ground, furniture, links, exits, at
end

--- Reads a saved chunk. Returns its keys, its blocks and walls, its restricted cells or nil if it has none, and its
-- links together with `before`; or nil and what is wrong with the string.
function calls.read(text, cx, cy, before)
  local kind, ground, furniture, links, exits, at = read_head(text)
  local keys = read_ground(kind, text, at, at + ground - 1)
  at = at + ground
  local stands = read_runs(text, at, at + furniture - 1, is_furniture)
  at = at + furniture
  local given = read_links(text, at, at + links - 1, SIDE * cx + 1, SIDE * cy + 1, before)
  at = at + links
  return keys, stands, exits > 0 and read_runs(text, at, at + exits - 1, is_restriction) or nil, given
end

--- Makes the links that were read from chunks.
function calls.link(world, links)
  while links do
    for i = 1, #links do
      local link = links[i]
      core.link_come(world, link[1], link[2], link[3], link[4], link[5], true)
    end
    links = links.before
  end
end

-- Replaces the blocks and walls of a chunk.
local function furnish(world, cx, cy, before, after)
  local x0, y0 = SIDE * cx + 1, SIDE * cy + 1
  world:unblock(x0, y0, SIDE, SIDE)
  for i = 1, CELLS do
    local was, is = before:byte(i), after:byte(i)
    if was ~= is or is ~= 0 then
      local x, y = x0 + (i - 1) % SIDE, y0 + floor((i - 1) / SIDE)
      if floor(is / 2) % 2 == 1 then world:block(x, y) end
      for k = 1, 4 do
        local had, has = floor(was / 4 ^ (k - 1)) % 2 == 1, floor(is / 4 ^ (k - 1)) % 2 == 1
        if had ~= has then world[has and "wall" or "unwall"](world, x, y, SIDES[k], true) end
      end
    end
  end
end

-- Replaces the restrictions of a chunk. `exits` has a byte per cell, or is nil if no cell is restricted.
local function restrict(world, cx, cy, exits)
  local x0, y0 = SIDE * cx + 1, SIDE * cy + 1
  world:unrestrict(x0, y0, SIDE, SIDE)
  local at = exits and exits:find "[^%z]"
  while at do
    local barred, names = exits:byte(at), {}
    for bit = 0, 7 do
      if floor(barred / 2 ^ bit) % 2 == 0 then names[#names + 1] = directions[bit + 1].name end
    end
    world:restrict(x0 + (at - 1) % SIDE, y0 + floor((at - 1) / SIDE), names)
    at = exits:find("[^%z]", at + 1)
  end
end

--- world:put_chunk(cx, cy, string)
function calls.put(world, cx, cy, text)
  local ok, keys, stands, exits, links = pcall(calls.read, text, cx, cy)
  if not ok then
    local message = message_of(keys)
    if message then fail("keys: %s", message) end
    error(keys, 0)
  end
  world:put_chunk(cx, cy, keys)
  local _, before = core.chunk_of(world, cx, cy)
  furnish(world, cx, cy, before, stands)
  restrict(world, cx, cy, exits)
  calls.link(world, links)
end

-- Passes on results. The function "read" reports an error in saved text as nil and a message, because its first result
-- is false for a chunk that cannot be entered.
local function hand_on(name, ok, ...)
  if name ~= "read" or ok then return errors.give(ok, ...) end
  return nil, select(2, errors.give(ok, ...))
end

--- Calls the function `name` for the C module. Returns its results, or nil (for "read") or false and an error message.
return function(name, ...)
  return hand_on(name, pcall(calls[name], ...))
end
