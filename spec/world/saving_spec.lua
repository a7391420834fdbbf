-- Chunks of worlds in strings, with all that stands in them.

local astar = require "astar"
local check = require "spec.support.check"
local random = require "spec.support.random"
local worlds = require "spec.support.worlds"

local unpack = table.unpack or unpack -- luacheck: ignore

local SIDES = { "north", "east", "south", "west" }

local GROUNDS = {
  { ["."] = 1, ["#"] = false },
  { ["."] = 1, ["#"] = false, water = 3, ["≈"] = 2 },
  { [0] = 1, [1] = false, [true] = 2, [-7] = 1.5 },
}

local function keys_of(terrain)
  local keys = {}
  for key in pairs(terrain) do keys[#keys + 1] = key end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  return keys
end

-- Loads random ground of 4 x 4 chunks about the middle, rock around it.
local function loader(terrain, seed)
  local keys = keys_of(terrain)
  return function(cx, cy)
    if cx < -2 or cx > 1 or cy < -2 or cy > 1 then
      return false
    end
    local r, rows = random.new(seed + 16 * cy + cx), {}
    for y = 1, 64 do
      rows[y] = {}
      for x = 1, 64 do rows[y][x] = r:chance(0.8) and keys[1] or r:pick(keys) end
    end
    return rows
  end
end

local function cell(r) return r:int(-127, 128) end

-- An edit of any kind.
local function edit(r, world, keys)
  local x, y, kind = cell(r), cell(r), r:int(1, 8)
  if kind == 1 then
    world:set(x, y, r:pick(keys))
  elseif kind == 2 then
    world:block(x, y, r:int(1, 9), r:int(1, 9))
  elseif kind == 3 then
    world:unblock(x, y, r:int(1, 30), r:int(1, 30))
  elseif kind == 4 then
    world:wall(x, y, r:pick(SIDES), r:chance(0.5))
  elseif kind == 5 then
    world:unwall(x, y, r:pick(SIDES), r:chance(0.5))
  elseif kind == 7 then
    local names = {}
    for i = 1, r:int(0, 3) do names[i] = astar.directions[r:int(1, 8)].name end
    world:restrict(x, y, r:int(1, 40), r:int(1, 3), names)
  elseif kind == 8 then
    world:unrestrict(x, y, r:int(1, 30), r:int(1, 30))
  elseif r:chance(0.4) then
    local label = r:pick { false, "stairs down", 7, 0.1, "with\n12 bytes\0" }
    local options = { cost = r:int(0, 20) + 0.1, one_way = r:chance(0.5), label = label or nil }
    world:link(x, y, x + r:int(1, 60), cell(r), options)
  end
end

local function check_same(at, r, a, b)
  for y = -127, 128 do
    for x = -127, 128 do
      if a:get(x, y) ~= b:get(x, y) or a:is_blocked(x, y) ~= b:is_blocked(x, y) then
        error(("%s: (%d, %d) is %s, %s, and %s, %s"):format(at, x, y, tostring(a:get(x, y)),
          tostring(a:is_blocked(x, y)), tostring(b:get(x, y)), tostring(b:is_blocked(x, y))))
      end
    end
  end
  assert.same(a:restrictions(-127, -127, 256, 256), b:restrictions(-127, -127, 256, 256), at)
  for _ = 1, 3000 do
    local x, y = cell(r), cell(r)
    for _, side in ipairs(SIDES) do assert(a:has_wall(x, y, side) == b:has_wall(x, y, side), at) end
  end
end

local function check_routes(at, r, a, b)
  local kind = { diagonals = r:pick(check.RULES), size = r:int(1, 2), exact = r:chance(0.5) }
  local one, other = a:finder(kind), b:finder(kind)
  for _ = 1, 10 do
    local sx, sy, gx, gy = cell(r), cell(r), cell(r), cell(r)
    local route, why = one:find_route(sx, sy, gx, gy)
    local again, reason = other:find_route(sx, sy, gx, gy)
    assert.equal(why, reason, at)
    assert.equal(route and route.cost, again and again.cost, at)
  end
end

-- Edits a world, saves it, and makes it anew from what was saved.
local function save_and_load(seed)
  local r, at, files = random.new(seed), "seed " .. seed, {}
  local terrain = GROUNDS[seed % #GROUNDS + 1]
  local keys, load = keys_of(terrain), loader(terrain, seed)
  local function name(cx, cy) return cx .. " " .. cy end
  local function options(bytes)
    local world
    world = astar.world {
      terrain = terrain, bytes = bytes,
      load = function(cx, cy)
        local file = files[name(cx, cy)]
        return file or file == nil and load(cx, cy)
      end,
      save = function(cx, cy) files[name(cx, cy)] = world:save(cx, cy) end,
    }
    return world
  end
  local world, kept = options(2 ^ 20), astar.world { terrain = terrain, load = load }
  local again = random.new(seed)
  for i = 1, 300 do
    if i % 20 == 0 then world:get(cell(r), cell(r)) end
    if i % 20 == 0 then kept:get(cell(again), cell(again)) end
    edit(r, world, keys)
    edit(again, kept, keys)
  end
  for cy = -2, 1 do -- what was put up in chunks that had not come is saved once they have
    for cx = -2, 1 do
      world:get(64 * cx + 1, 64 * cy + 1)
      files[name(cx, cy)] = world:save(cx, cy)
    end
  end
  check_same(at, r, kept, world)
  local came = options(2 ^ 20)
  if r:chance(0.5) then check_same(at, r, kept, came) end
  check_routes(at, r, kept, came) -- with links that come in the middle of it
  check_same(at, r, kept, came)
  check_routes(at, r, kept, came)
  check_same(at, r, kept, world)
  for cy = -2, 1 do
    for cx = -2, 1 do
      assert.equal(world:save(cx, cy), came:save(cx, cy), at)
    end
  end
  return files
end

-- Changes a byte, or cuts a piece out or doubles it.
local function spoil(r, text)
  local at = r:chance(0.5) and r:int(1, 40) or r:int(1, #text)
  local kind, to = r:int(1, 4), r:int(at, #text)
  if kind == 1 then
    return text:sub(1, at - 1) .. string.char(r:int(0, 255)) .. text:sub(at + 1)
  elseif kind == 2 then
    return text:sub(1, at - 1) .. text:sub(to + 1)
  elseif kind == 3 then
    return text:sub(1, to) .. text:sub(at)
  end
  return text:sub(1, at - 1) .. r:pick { "9", "-", "99999999999", " ", "n1e999;", "s4:" } .. text:sub(at)
end

-- Has worlds read strings that are spoilt: an error, or a chunk.
local function read_spoilt(seed, times)
  local r, texts, errors = random.new(seed), {}, 0
  for _, text in pairs(save_and_load(seed)) do texts[#texts + 1] = text end
  table.sort(texts)
  local world = astar.world { terrain = GROUNDS[1] }
  local loading = astar.world { terrain = GROUNDS[2], load = function() return spoil(r, r:pick(texts)) end }
  for i = 1, times do
    local ok, problem = pcall(world.put_chunk, world, r:int(-3, 3), r:int(-3, 3), spoil(r, r:pick(texts)))
    errors = errors + (ok and 0 or 1)
    assert.is_true(ok or type(problem) == "string" and not problem:find("attempt to", 1, true), problem)
    ok, problem = pcall(loading.get, loading, 64 * i, 1)
    assert.is_true(ok or not problem:find("attempt to", 1, true), problem)
    pcall(world.save, world, r:int(-3, 3), r:int(-3, 3))
  end
  return errors
end

describe("world:save(cx, cy)", function()
  for seed = 1, 6 do
    it("saves everything in a chunk as a string, seed " .. seed, function() save_and_load(seed) end)
  end

  it("returns strings that raise an error when loaded after damage", function()
    assert.is_true(read_spoilt(1, 300) > 100)
  end)

  it("raises errors that name wrong arguments", function()
    local world = astar.world { load = function(cx) return cx < 5 and worlds.open_chunk() or nil end }
    assert.same({ nil, "not loaded" }, { world:save(5, 0) })
    assert.has_error(function() world:save(1) end)
    local text = world:save(0, 0)
    assert.has_error(function() world:put_chunk(0, 0, text:sub(1, -2)) end,
      "keys: not a chunk that world:save has made: cut off, or of another version")
    assert.has_error(function() world:put_chunk(0, 0, (text:gsub("%.", "?", 1))) end,
      'keys: unknown terrain "?" at row 1, column 1: give it a cost in the option terrain')
  end)

  it("creates links once, however often their chunk is loaded", function()
    local files = {}
    local world = astar.world { load = function(cx) return files[cx] or worlds.open_chunk() end }
    for cx = 0, 300 do world:link(64 * cx + 1, 1, 64 * cx + 64, 1, { cost = 9 }) end
    for cx = 0, 300 do files[cx] = world:save(cx, 0) end
    local later = astar.world { bytes = 2 ^ 20, load = function(cx, cy) return cy == 0 and files[cx] or false end }
    local unit = later:finder()
    local route = unit:find_route(1, 1, 64 * 301, 64)
    assert.is_true(route.cost < 301 * 10 + 64, route.cost)
    local before = later:version()
    for cx = 0, 300 do later:get(64 * cx + 1, 1) end
    assert.equal(before, later:version())
    assert.equal(route.cost, unit:find_route(1, 1, 64 * 301, 64).cost)
  end)

  it("keeps edits of unloaded chunks: the chunk is loaded first, or the call reports that it is missing", function()
    local made = astar.world { load = worlds.open_chunk }
    made:block(1, 1, 3, 1)
    made:wall(9, 9, "east")
    made:link(20, 20, 30, 30, { cost = 1 })
    local text = made:save(0, 0)
    local world = astar.world { load = function(cx) return cx == 0 and text or nil end }
    assert.is_true(world:unblock(2, 1))
    assert.is_false(world:is_blocked(2, 1))
    assert.is_true(world:is_blocked(3, 1))
    world = astar.world { load = function(cx) return cx == 0 and text or nil end }
    assert.is_true(world:unwall(9, 9, "east"))
    assert.is_false(world:has_wall(10, 9, "west"))
    world = astar.world { load = function(cx) return cx == 0 and text or nil end }
    assert.is_true(world:unlink(20, 20, 30, 30))
    assert.is_false(world:unlink(20, 20, 30, 30))
    for _, call in ipairs {
      { "block", 64, 1, 2, 1 }, { "unblock", 64, 1, 2, 1 }, { "wall", 64, 1, "east" }, { "unwall", 64, 1, "east" },
      { "link", 64, 1, 65, 1 }, { "unlink", 64, 1, 65, 1 }, { "set", 65, 1, "#" }, { "fill", 64, 1, 2, 1, "#" },
    } do
      local version = world:version()
      assert.same({ nil, "not loaded" }, { world[call[1]](world, unpack(call, 2)) }, call[1])
      assert.equal(version, world:version())
    end
    assert.is_true(world:wall(64, 1, "east", true) and world:link(64, 1, 65, 1, { one_way = true }))
  end)

  -- A world kept in `files`, with so many links that they alone take more than its bytes: each chunk that comes has all
  -- others go.
  local function crowded_by_links(files)
    local world
    world = astar.world { bytes = 2 ^ 20,
      load = function(cx) return files[cx] or worlds.open_chunk() end,
      save = function(cx) files[cx] = world:save(cx, 0) end }
    for y = 1, 64 do
      for x = 1, 600 do world:link(x, y, x, y + 6400, { cost = 9, one_way = true }) end
    end
    return world
  end

  it("keeps both ends of a link as edited, if the chunk of one end drops the other end", function()
    local files = {}
    local world = crowded_by_links(files)
    assert.is_true(world:link(6401, 1, 12801, 1, { cost = 1 }))
    world:save()
    local function cost_back(of)
      return of:finder():find_route(12801, 1, 6401, 1, { exact = true, max_cost = 5 })
    end
    local again = astar.world { load = function(cx) return files[cx] or worlds.open_chunk() end }
    again:get(12801, 1)
    assert.is_truthy(cost_back(again))

    assert.is_true(world:unlink(6401, 1, 12801, 1))
    for cx = 300, 310 do world:get(64 * cx + 1, 1) end
    world:get(12801, 1)
    world:get(6401, 1)
    assert.is_nil(cost_back(world))
    assert.is_false(world:unlink(6401, 1, 12801, 1))
  end)

  -- Blocks one chunk after the other and comes back to all; what is kept of blocks and walls between.
  local function build_in_many(save_of)
    local files, count, world = {}, 600, nil
    world = astar.world { bytes = 2 ^ 20,
      load = function(cx) return files[cx] or worlds.open_chunk() end,
      save = function(cx) files[cx] = save_of(world, cx) end }
    for cx = 0, count do
      world:block(64 * cx + 2, 1, 3, 1)
      world:wall(64 * cx + 9, 9, "east")
    end
    local bytes = world:stats().bytes
    world:unblock(3, 1)
    for cx = count, 0, -1 do
      assert.is_true(world:is_blocked(64 * cx + 2, 1) and world:has_wall(64 * cx + 10, 9, "west"), cx)
      assert.equal(cx ~= 0, world:is_blocked(64 * cx + 3, 1))
    end
    return bytes
  end

  it("drops the contents of a chunk together with the chunk once the function save has stored them", function()
    assert.is_true(build_in_many(function(world, cx) return world:save(cx, 0) end) < 2 ^ 20 + 5000)
    assert.is_true(build_in_many(function() end) > 600 * 4700) -- what is not saved stays
  end)

  it("returns strings that can be loaded at other positions, in place of the cells there", function()
    local world = astar.world { load = worlds.open_chunk }
    world:block(3, 4)
    world:wall(10, 10, "east")
    world:link(64, 64, 1, 70, { cost = 2, label = "down" })
    world:block(70, 70, 9, 9)
    world:put_chunk(1, 1, world:save(0, 0))
    assert.is_true(world:is_blocked(67, 68) and world:has_wall(74, 74, "east") and not world:is_blocked(70, 70))
    local window = world:window(60, 60, 100, 100)
    assert.equal(2, window:finder():find_path(128, 128, 65, 134).cost)
  end)

  it("keeps edits made since a chunk was first loaded", function()
    local files = {}
    local world = astar.world { load = function(cx) return files[cx] or worlds.open_chunk() end }
    world:block(1, 1, 3, 1)
    files[0] = world:save(0, 0)
    world:unblock(2, 1)
    world:forget_chunk(0, 0)
    assert.equal(".", world:get(2, 1))
    assert.is_false(world:is_blocked(2, 1))
    local later = astar.world { load = function() return files[0] end }
    later:block(5, 5)
    assert.equal(".", later:get(1, 1))
    assert.is_true(later:is_blocked(5, 5) and later:is_blocked(2, 1))
  end)
end)

return { save_and_load = save_and_load, read_spoilt = read_spoilt }
