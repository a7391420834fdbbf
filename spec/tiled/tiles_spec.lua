-- The tiles of a Tiled map that are not all there, and objects that show tiles: how large they are, which stand in the
-- way. What Tiled itself makes of such maps is asked of it where it is installed.

local check = require "spec.support.check"
local random = require "spec.support.random"

local astar = require "astar"

local tiled = astar.tiled

local function fails(expected, misuse)
  assert.equal(expected, check.error_of(misuse))
end

local HAS_XML = pcall(require, "lxp")
local HAS_JSON = pcall(require, "cjson") or pcall(require, "dkjson")

local function run(command)
  local pipe = assert(io.popen("{ " .. command .. "; } 2>&1"))
  local output = pipe:read "*a"
  pipe:close()
  return output
end

local HAS_TILED = run("command -v tiled"):find "%S" ~= nil

local function write(name, text)
  local file = assert(io.open(name, "wb"))
  file:write(text)
  file:close()
end

-- A map of 8 x 6 cells of 32 pixels. Tiles of the set "set" are as large as a cell and have the numbers 1 to 4, those
-- of "tall" 48 x 64 pixels and the numbers 5 and 6; of "pictures" there are 7, which is 40 x 20 pixels large, and 10.
local function new_map(numbers, objects)
  local data = {}
  for i = 1, 48 do data[i] = numbers[i] or 0 end
  for i, object in ipairs(objects or {}) do
    object.id, object.properties, object.shape = i, object.properties or {}, "rectangle"
  end
  return {
    orientation = "orthogonal", width = 8, height = 6, tilewidth = 32, tileheight = 32, properties = {},
    tilesets = {
      { name = "set", firstgid = 1, columns = 2, tilecount = 4, tilewidth = 32, tileheight = 32, tiles = {} },
      { name = "tall", firstgid = 5, columns = 2, tilecount = 2, tilewidth = 48, tileheight = 64, tiles = {} },
      { name = "pictures", firstgid = 7, columns = 0, tilecount = 2, tilewidth = 64, tileheight = 64,
        tiles = { { id = 0, width = 40, height = 20 }, { id = 3, width = 64, height = 64 } } },
    },
    layers = {
      { name = "floor", type = "tilelayer", width = 8, height = 6, properties = {}, data = data },
      { name = "things", type = "objectgroup", properties = {}, objects = objects or {} },
    },
  }
end

-- The cells of each object, "x y width height", and the cells that the objects block, "x,y".
local function cells_of(map)
  local lines, blocked = {}, {}
  for _, found in ipairs(tiled.objects(map, "things")) do
    lines[#lines + 1] = ("%d %d %d %d"):format(found.x, found.y, found.width, found.height)
  end
  local grid = tiled.grid(map, { blocks = { "things" }, empty = 1 })
  local x0, y0, x1, y1 = grid:bounds()
  for y = y0, y1 do
    for x = x0, x1 do
      if grid:is_blocked(x, y) then blocked[#blocked + 1] = x .. "," .. y end
    end
  end
  return table.concat(lines, "; "), table.concat(blocked, " ")
end

describe("a tile object", function()
  it("is as large as its tile if its width or height is missing or 0", function()
    local function at(gid, width, height)
      local lines, blocked = cells_of(new_map({}, { { gid = gid, x = 32, y = 64, width = width, height = height } }))
      return lines .. " | " .. blocked
    end
    assert.equal("2 2 1 1 | 2,2", at(1))
    assert.equal("2 2 1 1 | 2,2", at(1, 0, 0))
    assert.equal("2 2 1 1 | 2,2", at(4 + 2 ^ 31, nil, 0)) -- flipped
    assert.equal("2 1 2 2 | 2,1 3,1 2,2 3,2", at(5))
    assert.equal("2 1 1 2 | 2,1 2,2", at(5, 16))
    assert.equal("2 2 2 1 | 2,2 3,2", at(6, nil, 16))
    assert.equal("2 2 2 1 | 2,2 3,2", at(7)) -- of single pictures each has a size of its own
    assert.equal("2 1 2 2 | 2,1 3,1 2,2 3,2", at(10))
    assert.equal("2 2 2 1 | 2,2 3,2", at(5, 40, 20)) -- it tells
  end)

  it("keeps its width and height, or covers one cell without them, if its gid is 0 and no tileset exists", function()
    local lines, blocked = cells_of(new_map({}, {
      { gid = 0, x = 32, y = 64, width = 64, height = 32 }, { gid = 0, x = 160, y = 96 },
    }))
    assert.equal("2 2 2 1; 6 3 1 1", lines)
    assert.equal("2,2 3,2 6,3", blocked)
  end)

  it("keeps its width and height, or covers one cell without them, if its tileset has lost its tile", function()
    local map = new_map({}, { { gid = 9, x = 32, y = 64, width = 64, height = 64 }, { gid = 8, x = 160, y = 96 } })
    local lines, blocked = cells_of(map)
    assert.equal("2 1 2 2; 6 3 1 1", lines)
    assert.equal("2,1 3,1 2,2 3,2 6,3", blocked)
  end)

  if HAS_XML then
    it("is a rectangle if its gid in a file is 0, as in Tiled", function()
      local map = tiled.load("town.tmx", { read = function()
        return [[<map orientation="orthogonal" width="8" height="6" tilewidth="32" tileheight="32">
          <objectgroup name="things"><object id="1" gid="0" x="32" y="64" width="32" height="32"/></objectgroup></map>]]
      end })
      assert.is_nil(map.layers[1].objects[1].gid)
      assert.equal("2 3 1 1", (cells_of(map)))
    end)
  end

  if HAS_JSON then
    it("is a rectangle if its gid in a JSON file is 0, as in Tiled", function()
      local map = tiled.load("town.tmj", { read = function()
        return [[{ "orientation": "orthogonal", "width": 8, "height": 6, "tilewidth": 32, "tileheight": 32,
          "tilesets": [], "layers": [{ "type": "objectgroup", "name": "things",
          "objects": [{ "id": 1, "gid": 0, "x": 32, "y": 64 }] }] }]]
      end })
      assert.is_nil(map.layers[1].objects[1].gid)
    end)
  end

  -- The export of a map has what Tiled knows of each object: its size, and gid 0 for a template of a tileset that the
  -- map does not have. Both have to lie on the same cells as in the map's own file, which leaves the sizes out.
  it("has the position that it has in Tiled's exports, whichever values are left out", function()
    if not (HAS_TILED and HAS_XML) then
      pending "needs tiled and lua-expat (Debian: tiled lua-expat)"
      return
    end
    local folder = run("mktemp -d"):match "%S+"
    write(folder .. "/other.tsx", '<tileset name="other" tilewidth="24" tileheight="40" tilecount="4" columns="2">'
      .. '<image source="none.png" width="48" height="80"/></tileset>')
    write(folder .. "/crate.tx", '<template><tileset firstgid="1" source="other.tsx"/>'
      .. '<object name="crate" gid="2" width="24" height="40"/></template>')
    for _, size in ipairs { { 40, 20 }, { 64, 64 } } do -- pictures that Tiled does not find have no size to it
      local head = ("P1 %d %d\n"):format(size[1], size[2])
      write(("%s/%d.pbm"):format(folder, size[1]), head .. ("0 "):rep(size[1] * size[2]))
    end
    local r, objects = random.new(1039), {}
    for id = 1, 200 do
      local kind = r:pick { "1", "4", "5", "6", "7", "10", "2147483649", "template" }
      local width, height = r:pick { "", ' width="0"', ' width="16"' }, r:pick { "", ' height="0"', ' height="64"' }
      objects[id] = ('<object id="%d" %s x="%d" y="%d"%s%s/>'):format(id,
        kind == "template" and 'template="crate.tx"' or 'gid="' .. kind .. '"', r:int(0, 200), r:int(64, 190),
        kind ~= "template" and width or "", kind ~= "template" and height or "")
    end
    write(folder .. "/town.tmx", [[<map version="1.8" orientation="orthogonal" width="8" height="6" tilewidth="32"
      tileheight="32" infinite="0">
      <tileset firstgid="1" name="set" tilewidth="32" tileheight="32" tilecount="4" columns="2">
      <image source="none.png" width="64" height="64"/></tileset>
      <tileset firstgid="5" name="tall" tilewidth="48" tileheight="64" tilecount="2" columns="2">
      <image source="none.png" width="96" height="64"/></tileset>
      <tileset firstgid="7" name="pictures" tilewidth="64" tileheight="64" tilecount="2" columns="0">
      <tile id="0"><image width="40" height="20" source="40.pbm"/></tile>
      <tile id="3"><image width="64" height="64" source="64.pbm"/></tile></tileset>
      <objectgroup id="1" name="things">]] .. table.concat(objects) .. "</objectgroup></map>")
    run(("cd %s && env -u LD_PRELOAD QT_QPA_PLATFORM=offscreen tiled --embed-tilesets --export-map lua town.tmx "
      .. "town.lua"):format(folder))
    local exported, own = tiled.load(folder .. "/town.lua"), tiled.load(folder .. "/town.tmx")
    run("rm -r " .. folder)
    assert.equal(200, #exported.layers[1].objects)
    local lines, blocked = cells_of(exported)
    local own_lines, own_blocked = cells_of(own)
    assert.equal(lines, own_lines)
    assert.equal(blocked, own_blocked)
  end)
end)

describe("a tile that a tileset of single pictures has lost", function()
  it("is ignored, and causes a warning if the map uses the tile", function()
    local map, warnings = new_map { 1, 8, 9, 8, 10 }, {}
    local function warn(...) warnings[#warnings + 1] = { ... } end
    local grid = tiled.grid(map, { default = 2, empty = 5, warn = warn })
    local function warning(number, x)
      return { ('map: tile %d at (%d, 0) of layer "floor", as Tiled counts, is none of the 2 tiles of tileset '
        .. '"pictures", the first of which is 7: it counts as no tile, as Tiled shows it'):format(number, x) }
    end
    assert.same({ warning(8, 1), warning(9, 2) }, warnings)
    local costs = {}
    for x = 1, 6 do costs[x] = grid:terrain(grid:get(x, 1)) end
    assert.same({ 2, 5, 5, 5, 2, 5 }, costs)
    assert.equal(grid:dump(), tiled.grid(map, { default = 2, empty = 5 }):dump())

    local blocks = tiled.grid(map, { blocks = { "floor" }, empty = 1 })
    assert.same({ true, false, false }, { blocks:is_blocked(1, 1), blocks:is_blocked(2, 1), blocks:is_blocked(3, 1) })
  end)

  it("is reported by the option warn, a function whose errors are passed on unchanged", function()
    local map, raised = new_map { 8 }, {}
    map.layers[2].objects[1] = { id = 1, gid = 9, x = 0, y = 32, shape = "rectangle", properties = {} }
    for _, options in ipairs { { default = 1 }, { default = 1, blocks = {} }, { blocks = { "things" }, empty = 1 } } do
      options.warn = function() error(raised, 0) end
      local ok, problem = pcall(tiled.grid, map, options)
      assert.is_false(ok)
      assert.equal(raised, problem)
    end
    fails("warn must be a function, got true", function() tiled.grid(map, { default = 1, warn = true }) end)
  end)

  it("is ignored beyond the picture of a tileset too, and a number outside all tilesets raises an error", function()
    local map = new_map { 1 }
    map.tilesets[3].columns = 4
    map.layers[1].data[2] = 13
    local grid = tiled.grid(map, { default = 1, empty = 7 })
    assert.equal(1, grid:terrain(grid:get(1, 1)))
    assert.equal(7, grid:terrain(grid:get(2, 1)))
    map.tilesets[1].firstgid = 2
    fails("map: tile 1 at (0, 0) of layer \"floor\", as Tiled counts, is in none of the map's tilesets",
      function() tiled.grid(map, { default = 1 }) end)
  end)
end)

describe("a tile with a shape that is collidable", function()
  local function shapes(...)
    local objects = {}
    for i, properties in ipairs { ... } do
      objects[i] = { id = i, shape = "rectangle", x = 0, y = 0, width = 8, height = 8, properties = properties }
    end
    return { type = "objectgroup", objects = objects }
  end

  local function costs_of(map, options)
    local grid, costs = tiled.grid(map, options), {}
    for x = 1, 5 do costs[x] = grid:is_blocked(x, 1) and "block" or grid:terrain(grid:get(x, 1)) end
    return costs
  end

  it("cannot be entered, unless the tile's properties allow it", function()
    local map = new_map { 1, 2, 3, 4, 5 }
    map.tilesets[1].tiles = {
      { id = 0, objectGroup = shapes({}, { collidable = true }) },
      { id = 1, objectGroup = shapes({ collidable = false }, {}) },
      { id = 2, properties = { cost = 4 }, objectGroup = shapes { collidable = true } },
      { id = 3, properties = { collidable = false }, objectGroup = shapes { collidable = true } },
    }
    assert.same({ false, 1, 4, false, 1 }, costs_of(map))
    assert.same({ false, 1, 4, false, 1 }, costs_of(map, { default = 1 }))
    assert.same({ 1, 1, 4, 1, 1 }, costs_of(map, { properties = { collidable = "solid" } }))
  end)

  it("makes an object that shows the tile block cells, unless the object's properties differ", function()
    local map = new_map({ 1, 1, 1, 1, 1 }, {
      { gid = 2, x = 0, y = 32 }, { gid = 3, x = 32, y = 32 }, { gid = 4, x = 64, y = 32 },
      { gid = 2, x = 96, y = 32, properties = { collidable = false } },
      { gid = 4, x = 128, y = 32, properties = { collidable = true } },
    })
    map.tilesets[1].tiles = {
      { id = 1, objectGroup = shapes { collidable = true } }, { id = 2, properties = { collidable = true } },
    }
    assert.same({ "block", "block", 1, 1, "block" }, costs_of(map))
    assert.same({ 1, 1, 1, 1, 1 }, costs_of(map, { blocks = {} }))
  end)

  it("has shapes that are checked like the rest of the map", function()
    local map = new_map { 1 }
    for expected, group in pairs {
      ['a table for the objectGroup of tile 0, got 3'] = 3,
      ['a table for the shapes of tile 0, got nil'] = {},
      ['a table for the shapes of tile 0[1], got 1'] = { objects = { 1 } },
      ['a table for the properties of shape 1 of tile 0, got "x"'] = { objects = { { properties = "x" } } },
    } do
      map.tilesets[1].tiles = { { id = 0, objectGroup = group } }
      fails('map: tileset "set": expected ' .. expected, function() tiled.grid(map) end)
    end
  end)

  if HAS_XML then
    it("is read from files in Tiled's own XML format", function()
      local map = tiled.load("town.tmx", { read = function()
        return [[<map orientation="orthogonal" width="2" height="1" tilewidth="32" tileheight="32">
          <tileset firstgid="1" name="set" tilewidth="32" tileheight="32" tilecount="2" columns="2"><tile id="1">
          <objectgroup><object id="1" x="0" y="0"/><object id="2" x="0" y="0" width="4" height="4"><properties>
          <property name="collidable" type="bool" value="true"/></properties></object></objectgroup></tile></tileset>
          <layer id="1" name="floor" width="2" height="1"><data encoding="csv">1,2</data></layer></map>]]
      end })
      local grid = tiled.grid(map)
      assert.same({ true, false }, { grid:is_walkable(1, 1), grid:is_walkable(2, 1) })
    end)
  end

  if HAS_JSON then
    it("is read from files in Tiled's own JSON format", function()
      local map = tiled.load("town.tmj", { read = function()
        return [[{ "orientation": "orthogonal", "width": 2, "height": 1, "tilewidth": 32, "tileheight": 32,
          "tilesets": [{ "firstgid": 1, "name": "set", "tilecount": 2, "columns": 2, "tiles": [{ "id": 1, "objectgroup":
          { "type": "objectgroup", "objects": [{ "id": 1, "x": 0, "y": 0, "properties":
          [{ "name": "collidable", "type": "bool", "value": true }] }] } }] }],
          "layers": [{ "type": "tilelayer", "name": "floor", "width": 2, "height": 1, "data": [1, 2] }] }]]
      end })
      local grid = tiled.grid(map)
      assert.same({ true, false }, { grid:is_walkable(1, 1), grid:is_walkable(2, 1) })
    end)
  end
end)

describe("an export with a tileset that is only a name", function()
  local EXPORT = [[return { orientation = "orthogonal", width = 3, height = 1, tilewidth = 32, tileheight = 32,
    properties = {}, tilesets = { { name = "set", firstgid = 1, filename = "set.tsx", exportfilename = "set.lua" } },
    layers = { { type = "tilelayer", name = "floor", width = 3, height = 1, properties = {}, data = { 1, 2, 0 } },
      { type = "tilelayer", name = "walls", width = 3, height = 1, properties = {}, data = { 0, 1, 0 } },
      { type = "objectgroup", name = "things", properties = {}, objects = {
        { id = 1, gid = 2, shape = "rectangle", x = 64, y = 32, width = 32, height = 32, properties = {} } } } } }]]
  local SET = [[return { name = "set", tilewidth = 32, tileheight = 32, columns = 2, tilecount = 2, tiles = {
    { id = 0, properties = { cost = 3 } }, { id = 1, properties = { walkable = false } } } }]]
  local SET_XML = '<tileset name="set" tilewidth="32" tileheight="32" tilecount="2" columns="2"><tile id="0">'
    .. '<properties><property name="cost" type="int" value="3"/></properties></tile><tile id="1"><properties>'
    .. '<property name="walkable" type="bool" value="false"/></properties></tile></tileset>'

  local function load(files)
    local map = tiled.load("maps/town.lua", { read = function(name) return files[name] end })
    return map
  end

  local function costs_of(map, options)
    local grid, costs = tiled.grid(map, options), {}
    for x = 1, 3 do costs[x] = grid:is_blocked(x, 1) and "block" or grid:terrain(grid:get(x, 1)) end
    return costs
  end

  it("is loaded with a warning if no option needs the properties of its tiles", function()
    local map, warnings = load { ["maps/town.lua"] = EXPORT }, {}
    local function warn(text) warnings[#warnings + 1] = text end
    assert.same({ 1, "block", 2 }, costs_of(map, { "floor", blocks = { "walls" }, empty = 2, warn = warn }))
    assert.same({ 'map: tileset "set" has no tiles, only the name of its file, "set.tsx": its tiles count as tiles '
      .. "without properties" }, warnings)
    assert.same({ 4, 4, false }, costs_of(map, { "floor", default = 4 }))
    assert.same({ 1, 1, 7 }, costs_of(map, { empty = 7 }))
    assert.same({ 1, 1, "block" }, costs_of(map, { blocks = { "things" } }))
    assert.same({ 1, "block", 7 }, costs_of(map, { "floor", empty = 7, blocks = { "walls" } }))
  end)

  it("raises an error if properties of its tiles are needed", function()
    local map = load { ["maps/town.lua"] = EXPORT }
    local expected = 'map: tileset "set" has no tiles, only the name of its file, "set.tsx": '
      .. 'export the map with "Embed tilesets"'
    for _, options in ipairs {
      {}, { "floor" }, { default = 1, properties = { cost = "price" } }, { empty = 1, terrain = { grass = 2 } },
      { default = 1, cost = function() return 1 end },
    } do
      fails(expected, function() tiled.grid(map, options) end)
    end
  end)

  it("reads the tileset's export beside the map", function()
    local map = load { ["maps/town.lua"] = EXPORT, ["maps/set.lua"] = SET }
    assert.same({ 3, false, false }, costs_of(map, { "floor" }))
  end)

  it("reads the tileset's own file beside the map", function()
    if not HAS_XML then
      pending "needs lua-expat (Debian: lua-expat)"
      return
    end
    local map = load { ["maps/town.lua"] = EXPORT, ["maps/set.tsx"] = SET_XML, ["maps/set.lua"] = "return 1" }
    assert.same({ 3, false, false }, costs_of(map, { "floor" }))
  end)

  it("raises an error with the reason why an existing file of the tileset cannot be read", function()
    local folder = run("mktemp -d"):match "%S+"
    write(folder .. "/town.lua", (EXPORT:gsub(', exportfilename = "set.lua"', "")))
    write(folder .. "/set.tsx", "<map/>")
    local problem = check.error_of(function() tiled.grid(folder .. "/town.lua") end)
    run("rm -r " .. folder)
    local start = ('%s/town.lua: tileset "set" has no tiles, only the name of its file, "set.tsx": export the map with '
      .. '"Embed tilesets", or make its file readable: %s/town.lua: tileset "set.tsx": %s/set.tsx: ')
      :format(folder, folder, folder)
    assert.equal(start, problem:sub(1, #start))
  end)
end)
