-- Maps in spec/tiled: .tmx sources made for these specs, and what Tiled's own export makes of them.

local check = require "spec.support.check"

local astar = require "astar"

local tiled = astar.tiled

local VILLAGE = "examples/love/village/map.lua"

local function map(name)
  return "spec/tiled/" .. name .. ".lua"
end

local function fails(expected, misuse)
  assert.equal(expected, check.error_of(misuse))
end

local function read_text(name)
  local file = assert(io.open(name, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

local function with_file(text, f)
  local name = os.tmpname()
  local file = assert(io.open(name, "wb"))
  file:write(text)
  file:close()
  local ok, message = pcall(f, name)
  os.remove(name)
  if not ok then error(message, 0) end
end

-- A row of the grid in letters, one a cell: a key's first one, "#" where it is blocked ground, "X" for
-- a block.
local function letters(grid, y)
  local x0, _, x1 = grid:bounds()
  local row = {}
  for x = x0, x1 do
    local key = grid:get(x, y)
    row[#row + 1] = grid:is_blocked(x, y) and "X" or grid:terrain(key) and key:sub(1, 1) or "#"
  end
  return table.concat(row)
end

local function drawn(grid)
  local _, y0, _, y1 = grid:bounds()
  local rows = {}
  for y = y0, y1 do rows[#rows + 1] = letters(grid, y) end
  return rows
end

describe("tiled.grid", function()
  -- Drawn from spec/tiled/ground.tmx: the road through the wall is a bridge on the layer above.
  local GROUND = { "ggg#gg", "rrrbrr", "ssg#g#", "ggg#g#" }

  it("lets the topmost tile that has a say decide", function()
    local grid = tiled.grid(map "ground", { "ground", "over" })
    assert.same({ 1, 1, 6, 4 }, { grid:bounds() })
    assert.same(GROUND, drawn(grid))
  end)

  it("reads costs, walkable, names and classes from tile properties", function()
    local grid = tiled.grid(map "ground", { "ground", "over" })
    assert.equal(1, grid:terrain "grass")
    assert.equal(0.5, grid:terrain "road")
    assert.equal(4, grid:terrain "swamp")
    assert.equal(1, grid:terrain "bridge")
    assert.is_false(grid:terrain "blocked")
    assert.equal("empty", grid:get(6, 3))
  end)

  it("takes layers in the order of the map, whatever the order of their names", function()
    assert.same(GROUND, drawn(tiled.grid(map "ground", { "over", "ground" })))
    assert.same("rrr#rr", letters(tiled.grid(map "ground", { "ground" }), 2))
  end)

  it("takes every tile layer by default, but those that are blocks", function()
    assert.same(GROUND, drawn(tiled.grid(map "ground")))
    assert.same("Xgg#g#", letters(tiled.grid(map "ground", { blocks = { "houses" } }), 4))
  end)

  it("finds layers in groups by their path, and all of a group by its name", function()
    assert.same(GROUND, drawn(tiled.grid(map "ground", { "ground", "things/over" })))
    local grid = tiled.grid(map "ground", { "ground", blocks = { "things" } })
    assert.same({ "XgX#gg", "rrrXXr", "sXg#g#", "Xgg#g#" }, drawn(grid))
  end)

  it("blocks what tiles and objects stand on, and gives the ground back", function()
    local grid = tiled.grid(map "ground", { "ground", "over", blocks = { "doors", "houses" } })
    assert.is_true(grid:is_blocked(5, 2))
    assert.equal("road", grid:get(5, 2))
    assert.is_nil(grid:find_path(1, 2, 6, 2, { diagonals = "never", costs = { grass = false } }))
    grid:unblock(5, 2)
    assert.equal(5 * 0.5 - 0.5 + 1, grid:find_path(1, 2, 6, 2).cost)
  end)

  it("blocks the cells that an object of any shape overlaps", function()
    local grid = tiled.grid(map "shapes", { blocks = { "shapes" } })
    assert.same({
      "ggggXXXXgg", -- a triangle of 4 x 4 cells: its long side goes through four of them
      "gXXgXXXggg", -- 2 x 1, snapped
      "ggggXXgggg",
      "ggggXggggg",
      "gXgggggggg", -- 2 x 1 turned by 90 degrees around its corner
      "gXggXXXggg", -- an ellipse of 3 x 3 cells
      "ggggXXXggg",
      "ggggXXXggg",
      "XXXggggggg", -- a polyline, along the middle
      "gggggggggX", -- a rectangle that reaches beyond the map
    }, drawn(grid))
  end)

  it("overrides costs by key, renames properties and fills gaps", function()
    local grid = tiled.grid(map "ground", {
      "ground", terrain = { swamp = false, flower = 3 }, empty = 7, origin = { 0, -10 },
    })
    assert.same({ 0, -10, 5, -7 }, { grid:bounds() })
    assert.is_false(grid:is_walkable(0, -8))
    assert.equal(7, grid:terrain(grid:get(5, -8)))
    local flowers = tiled.grid(map "ground", { "ground", "over", terrain = { flower = 3 } })
    assert.equal("flower", flowers:get(1, 1))
    local renamed = tiled.grid(map "ground", { "ground", properties = { walkable = "w", terrain = "t" } })
    assert.equal(1, renamed:terrain(renamed:get(4, 1)))
  end)

  it("reads base64, compressed where the host can inflate", function()
    local plain = tiled.grid(map "ground", { "ground" }):dump()
    assert.equal(plain, tiled.grid(map "base64"):dump())
    local raw = tiled.load(map "base64").layers[1]
    local decoded = require("astar.tiled_data").decode(raw.data, "base64", "")
    local bytes = {}
    for i, number in ipairs(decoded) do
      for _ = 1, 4 do
        bytes[#bytes + 1] = string.char(number % 256)
        number = math.floor(number / 256)
      end
      assert.equal(0, number, "number " .. i)
    end
    local asked
    local grid = tiled.grid(map "zlib", { inflate = function(_, compression)
      asked = compression
      return table.concat(bytes)
    end })
    assert.equal("zlib", asked)
    assert.equal(plain, grid:dump())
  end)

  it("covers an infinite map from its first chunk to its last, west and north of the origin", function()
    local grid = tiled.grid(map "infinite", { blocks = { "rocks" } })
    assert.same({ -15, -15, 16, 16 }, { grid:bounds() })
    assert.equal("road", grid:get(-15, -15))
    assert.equal("swamp", grid:get(0, 0))
    assert.equal("blocked", grid:get(1, 1))
    assert.equal("swamp", grid:get(6, 4))
    assert.equal("empty", grid:get(1, 0))
    assert.is_true(grid:is_blocked(-1, -1))
    local from_zero = tiled.grid(map "infinite", { origin = { 0, 0 } })
    assert.same({ -16, -16, 15, 15 }, { from_zero:bounds() })
    assert.equal("road", from_zero:get(-16, -16))
  end)

  it("takes a map that is loaded already", function()
    assert.same(GROUND, drawn(tiled.grid(tiled.load(map "ground"))))
  end)

  it("covers on isometric maps what one sees covered", function()
    assert.same({
      "ggXXggXg", -- a rectangle of 2 x 1 cells, a point
      "rrrrrrrr",
      "gXXggggg", -- a polyline
      "XggggXXg", -- a tile, which stands on one cell; a polygon of 2 x 2
      "gggXgXXg", -- a cell turned by 180 degrees around its corner
      "gggggggg",
    }, drawn(tiled.grid(map "isometric", { blocks = { "shapes" } })))
  end)

  -- What Simple Tiled Implementation makes of a loaded map: rows of tiles in place of numbers, groups
  -- dissolved, layers also by name and moved by their own offset and the map's, points of polygons moved
  -- with them and projected to the screen.
  local function as_sti(loaded, offset_x, offset_y)
    local layers = {}
    local function project(x, y)
      if loaded.orientation == "isometric" then
        local tx, ty = x / loaded.tileheight, y / loaded.tileheight
        return (tx - ty) * loaded.tilewidth / 2 + loaded.width * loaded.tilewidth / 2, (tx + ty) * loaded.tileheight / 2
      end
      return x, y
    end
    local function rows_of(part)
      local rows = {}
      for y = 1, part.height do
        rows[y] = {}
        for x = 1, part.width do
          local gid = part.data[(y - 1) * part.width + x]
          rows[y][x] = gid > 0 and { gid = gid, tileset = 1 } or nil
        end
      end
      part.data = rows
    end
    local function add(layer, prefix)
      layer.name = prefix .. layer.name
      if layer.type == "group" then
        for _, inner in ipairs(layer.layers) do add(inner, layer.name .. ".") end
        return
      end
      layers[#layers + 1] = layer
      layer.x, layer.y = (layer.x or 0) + layer.offsetx + offset_x, (layer.y or 0) + layer.offsety + offset_y
      for _, part in ipairs(layer.chunks or { layer.data and layer }) do rows_of(part) end
      for _, object in ipairs(layer.objects or {}) do
        object.layer = layer
        for _, point in ipairs(object.polygon or object.polyline or {}) do
          point.x, point.y = project(point.x + object.x + layer.x, point.y + object.y + layer.y)
        end
      end
    end
    for _, layer in ipairs(loaded.layers) do add(layer, "") end
    for _, layer in ipairs(layers) do layers[layer.name] = layer end
    loaded.layers, loaded.tiles, loaded.tileInstances, loaded.objects = layers, {}, {}, {}
    loaded.offsetx, loaded.offsety = offset_x, offset_y
    return loaded
  end

  it("takes an STI map, wherever it is drawn", function()
    for name, blocks in pairs {
      ground = "things/doors", shapes = "shapes", isometric = "shapes", infinite = "rocks",
    } do
      local plain = tiled.grid(map(name), { blocks = { blocks } }):dump()
      assert.equal(plain, tiled.grid(as_sti(tiled.load(map(name)), 0, 0), { blocks = { blocks } }):dump(), name)
      assert.equal(plain, tiled.grid(as_sti(tiled.load(map(name)), 37, -11), { blocks = { blocks } }):dump(), name)
    end
  end)

  it("finds STI's layers by its names and by those in Tiled", function()
    local sti = as_sti(tiled.load(map "ground"), 0, 0)
    assert.same(GROUND, drawn(tiled.grid(sti)))
    for _, name in ipairs { "things.doors", "things/doors", "doors" } do
      local grid = tiled.grid(sti, { "ground", blocks = { name } })
      assert.is_true(grid:is_blocked(5, 2))
      assert.is_false(grid:is_blocked(1, 4))
    end
    local grid = tiled.grid(sti, { "ground", blocks = { "things" } })
    assert.same({ "XgX#gg", "rrrXXr", "sXg#g#", "Xgg#g#" }, drawn(grid))
    fails('map: no layer "thing", expected one of "ground", "things.over", "things.houses", "things.doors"',
      function() tiled.grid(sti, { "thing" }) end)
  end)

  it("says which file is not there, or no map", function()
    fails("nowhere.lua: expected a map exported by Tiled to Lua, got no file (No such file or directory)",
      function() tiled.grid "nowhere.lua" end)
    local export = ": export it with tiled --embed-tilesets --export-map lua"
    for text, got in pairs {
      ["return"] = "nil", ["return 1"] = "1", ["return { 1 }"] = "a table without layers and tilesets",
      ["\n<map/>"] = "XML, as Tiled's own .tmx" .. export, ["{ }"] = "JSON, as Tiled's own .tmj" .. export,
      ["\27Lua"] = "compiled Lua",
    } do
      with_file(text, function(name)
        fails(name .. ": expected a map exported by Tiled to Lua, got " .. got, function() tiled.grid(name) end)
      end)
    end
    for text, got in pairs { ["a map"] = "a file that is no Lua", ["return os.time()"] = "a program" } do
      with_file(text, function(name)
        local message = check.error_of(function() tiled.grid(name) end)
        assert.equal(name .. ": expected a map exported by Tiled to Lua, got " .. got, message:match "^(.-) %(")
      end)
    end
    fails("spec: expected a map exported by Tiled to Lua, got what cannot be read (Is a directory)",
      function() tiled.grid "spec" end)
    fails(map "hexagonal" .. ': expected the orientation "orthogonal" or "isometric", got "hexagonal"',
      function() tiled.grid(map "hexagonal") end)
  end)

  it("says which layer is unknown, and which there are", function()
    fails(map "shapes" .. ': no layer "walls", expected one of "ground", "shapes"',
      function() tiled.grid(map "shapes", { "walls" }) end)
    fails(map "shapes" .. ': no layer "walls", expected one of "ground", "shapes"',
      function() tiled.grid(map "shapes", { blocks = { "walls" } }) end)
    fails(map "shapes" .. ': layer "shapes": expected a tile layer, got one of type "objectgroup"',
      function() tiled.grid(map "shapes", { "shapes" }) end)
    fails(map "ground" .. ': layer "ground": expected an object layer, got one of type "tilelayer"',
      function() tiled.objects(map "ground", "ground") end)
  end)

  it("says which tileset has no properties, and what to do", function()
    fails(map "external" .. ': tileset "ground" has no tiles, only the name of its file, "ground.tsx": '
      .. 'export the map with "Embed tilesets"', function() tiled.grid(map "external") end)
    assert.same("rrr#rr", letters(tiled.grid(map "embedded"), 2))
    fails(map "shapes" .. ': no tile of layer "ground" has a property "price" or "walkable": set one in Tiled, '
      .. "or give the option terrain or blocks",
      function() tiled.grid(map "shapes", { properties = { cost = "price" } }) end)
  end)

  it("says which tile has a wrong property", function()
    local loaded = tiled.load(map "ground")
    local properties = loaded.tilesets[1].tiles[2].properties
    properties.cost = "cheap"
    fails('map: tile 1 of tileset "ground": expected a number > 0 or false for cost, got "cheap"',
      function() tiled.grid(loaded) end)
    properties.cost, properties.walkable = nil, 1
    fails('map: tile 1 of tileset "ground": expected true or false for walkable, got 1',
      function() tiled.grid(loaded) end)
    properties.walkable, properties.cost, properties.terrain = nil, 3, "grass"
    fails('map: tile 1 of tileset "ground": expected cost 1 for terrain "grass" as of other tiles, got cost 3',
      function() tiled.grid(loaded) end)
  end)

  it("says what is wrong with a layer's data", function()
    local loaded = tiled.load(map "base64")
    local layer = loaded.layers[1]
    local whole = layer.data
    layer.data = whole:sub(5)
    fails('map: layer "ground": expected 6 x 4 tiles, got 23', function() tiled.grid(loaded) end)
    layer.data = "*" .. whole:sub(2)
    fails('map: layer "ground": expected base64 data', function() tiled.grid(loaded) end)
    layer.data = { 99 }
    layer.width, layer.height, loaded.width, loaded.height = 1, 1, 1, 1
    loaded.tilesets[1].firstgid = 100
    fails("map: tile 99 is in none of the map's tilesets", function() tiled.grid(loaded) end)
    fails(map "zlib" .. ': layer "ground": expected data that can be inflated (zlib compressed: '
      .. "export the map with the tile layer format CSV)", function()
      tiled.grid(map "zlib", { inflate = function() error "no" end })
    end)
  end)

  -- Every place of a map's table, as { the table it is in, its key }.
  local function places(inner, list)
    local keys = {}
    for key in pairs(inner) do keys[#keys + 1] = key end
    table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
    for _, key in ipairs(keys) do
      list[#list + 1] = { inner, key }
      if type(inner[key]) == "table" then places(inner[key], list) end
    end
    return list
  end

  it("makes a grid or says what it expected, whatever one value of a map is changed to", function()
    local random = require("spec.support.random").new(5)
    local values = { "x", -1, 0, 1.5, 0 / 0, 1 / 0, 1e8, 1e300, true, false, {}, "16" }
    local expected = { ": expected", "no layer", "in none of the map's tilesets", "has no tiles", "has a property",
      "must be", "at most" }
    for round = 1, 500 do
      local name = ({ "ground", "base64", "infinite", "shapes", "isometric" })[round % 5 + 1]
      local loaded = tiled.load(map(name))
      local all = places(loaded, {})
      local place
      repeat -- among numbers of tiles all others would be lost
        place = random:pick(all)
      until type(place[2]) == "string" or random:chance(0.05)
      local value = values[random:int(1, #values + 1)]
      place[1][place[2]] = value
      local ok, message = pcall(tiled.grid, loaded, { blocks = { name ~= "base64" and ({
        ground = "doors", infinite = "rocks", shapes = "shapes", isometric = "shapes" })[name] or nil } })
      local is_told = ok
      for _, words in ipairs(expected) do
        is_told = is_told or tostring(message):find(words, 1, true) ~= nil
      end
      assert.is_true(is_told, ("round %d: %s with %s = %s: %s"):format(round, name, tostring(place[2]),
        tostring(value), tostring(message)))
    end
  end)

  it("says which option is wrong", function()
    local name = map "ground"
    local liar = setmetatable({}, { __index = error, __len = error })
    fails("unknown option 2, expected names of layers, blocks, terrain, properties, empty, origin or inflate",
      function() tiled.grid(name, { [2] = "ground" }) end)
    fails("map must be a table or the name of a file, got nil", function() tiled.grid() end)
    fails("options must be a table, got 3", function() tiled.grid(name, 3) end)
    fails('unknown option "block", expected names of layers, blocks, terrain, properties, empty, origin or inflate',
      function() tiled.grid(name, { block = {} }) end)
    fails("layers must be names of layers, got 2 at place 1", function() tiled.grid(name, { 2 }) end)
    fails('blocks must be a table, got "doors"', function() tiled.grid(name, { blocks = "doors" }) end)
    fails("empty must be a number > 0 or false, got 0", function() tiled.grid(name, { empty = 0 }) end)
    fails("origin must be two integers, got 1.5", function() tiled.grid(name, { origin = { 1, 1.5 } }) end)
    fails('properties must be names for cost, walkable and terrain, got price = "x"',
      function() tiled.grid(name, { properties = { price = "x" } }) end)
    fails("origin must be two integers, got nil", function() tiled.grid(name, { origin = liar }) end)
    fails("origin must be two integers, got nil", function() tiled.objects(name, "rocks", liar) end)
    assert.has_no.errors(function() tiled.grid(name, liar) end)
    assert.has_no.errors(function() tiled.grid(name, { terrain = liar, properties = liar, blocks = liar }) end)
    fails("file must be a string, got nil", function() tiled.load() end)
    fails("layer must be a string, got nil", function() tiled.objects(name) end)
  end)
end)

describe("tiled.objects", function()
  it("lists the objects of a layer with their cells", function()
    local list = tiled.objects(map "ground", "doors")
    assert.same({ "gate", "bell", "crate" }, { list[1].object.name, list[2].object.name, list[3].object.name })
    assert.is_false(list[1].object.properties.open)
    local function cells(entry) return { entry.x, entry.y, entry.width, entry.height } end
    assert.same({ 5, 2, 1, 1 }, cells(list[1]))
    assert.same({ 3, 1, 1, 1 }, cells(list[2]))
    assert.same({ 2, 3, 1, 1 }, cells(list[3]))
    assert.same({ 4, 1, 1, 1 }, cells(tiled.objects(map "ground", "doors", { 0, 0 })[1]))
  end)
end)

describe("the exported maps", function()
  local function can_run(command)
    return os.execute(command .. " >/dev/null 2>&1")
  end

  it("are what Tiled makes of their sources", function()
    local found = can_run "command -v tiled"
    if found ~= true and found ~= 0 then
      pending "needs tiled, to export the maps again (Debian: tiled)"
      return
    end
    local version = read_text(map "ground"):match 'tiledversion = "([^"]*)"'
    for _, name in ipairs {
      "ground", "shapes", "base64", "zlib", "infinite", "isometric", "hexagonal", "external", "embedded",
      VILLAGE,
    } do
      local file = name == VILLAGE and VILLAGE or map(name)
      local source = file:gsub("embedded", "external"):gsub("%.lua$", ".tmx")
      local embed = name == "external" and "" or "--embed-tilesets"
      local out = os.tmpname()
      os.execute(("env -u LD_PRELOAD QT_QPA_PLATFORM=offscreen tiled %s --resolve-types-and-properties --export-map "
        .. "lua %s %s >/dev/null 2>&1"):format(embed, source, out))
      local text = read_text(out)
      os.remove(out)
      if text:match 'tiledversion = "([^"]*)"' ~= version then
        pending("needs tiled " .. version)
        return
      end
      if name == "external" then -- relative to the file that was written
        text = text:gsub('filename = "[^"]*ground%.tsx"', 'filename = "ground.tsx"')
      end
      text = text:gsub('image = "[^"]*/([%w]+%.png)"', 'image = "%1"')
      assert.equal(read_text(file), text, name)
    end
  end)
end)
