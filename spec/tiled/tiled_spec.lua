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

-- A map as Tiled exports it: rows of tile numbers, on one layer, and what its tiles say, by number.
local function small_map(rows, properties)
  local data, tiles = {}, {}
  for _, row in ipairs(rows) do
    for _, number in ipairs(row) do data[#data + 1] = number end
  end
  for number = 1, 8 do
    if properties[number] then tiles[#tiles + 1] = { id = number - 1, properties = properties[number] } end
  end
  return {
    orientation = "orthogonal", width = #rows[1], height = #rows, tilewidth = 16, tileheight = 16, properties = {},
    tilesets = { { name = "set", firstgid = 1, columns = 4, tilecount = 8, tiles = tiles } },
    layers = {
      { name = "floor", type = "tilelayer", width = #rows[1], height = #rows, properties = {}, data = data },
    },
  }
end

local function chunk_at(x, y, number)
  return { x = x, y = y, width = 1, height = 1, data = { number } }
end

local function object_layer(name, properties, objects)
  for i, object in ipairs(objects) do
    object.id, object.properties = i, object.properties or {}
  end
  return { name = name, type = "objectgroup", properties = properties, objects = objects }
end

local function has_zlib()
  local ok, zlib = pcall(require, "zlib")
  return ok and zlib.inflate ~= nil
end

describe("tiled.grid", function()
  -- Drawn from spec/tiled/ground.tmx: the road through the wall is a bridge on the layer above.
  local GROUND = { "ggg#gg", "rrrbrr", "ssg#g#", "ggg#g#" }

  it("uses in each cell the topmost tile that has a cost", function()
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

  it("uses layers in the order of the map, whatever their names", function()
    assert.same(GROUND, drawn(tiled.grid(map "ground", { "over", "ground" })))
    assert.same("rrr#rr", letters(tiled.grid(map "ground", { "ground" }), 2))
  end)

  it("reads every tile layer by default, except layers of blocks", function()
    assert.same(GROUND, drawn(tiled.grid(map "ground")))
    assert.same("Xgg#g#", letters(tiled.grid(map "ground", { blocks = { "houses" } }), 4))
  end)

  it("finds layers in groups by their path, and all layers of a group by the group's name", function()
    assert.same(GROUND, drawn(tiled.grid(map "ground", { "ground", "things/over" })))
    local grid = tiled.grid(map "ground", { "ground", blocks = { "things" } })
    assert.same({ "XgX#gg", "rrrXXr", "sXg#g#", "Xgg#g#" }, drawn(grid))
  end)

  it("blocks cells under tiles and objects, and keeps the terrain below", function()
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

  it("accepts other costs by key, other property names, and a cost for gaps", function()
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

  it("reads base64, and compressed layers if the caller gives a function that decompresses", function()
    local plain = tiled.grid(map "ground", { "ground" }):dump()
    assert.equal(plain, tiled.grid(map "base64"):dump())
    local raw = tiled.load(map "base64").layers[1]
    local decoded = require("astar.tiled.data").decode(raw.data, "base64", "", nil, 6, 4)
    local bytes = {}
    for i, number in ipairs(decoded) do
      for _ = 1, 4 do
        bytes[#bytes + 1] = string.char(number % 256)
        number = math.floor(number / 256)
      end
      assert.equal(0, number, "number " .. i)
    end
    for _, compression in ipairs { "zlib", "gzip", "zstd", "lzma" } do
      local loaded, asked = tiled.load(map "zlib"), nil
      loaded.layers[1].compression = compression
      local grid = tiled.grid(loaded, { inflate = function(_, name)
        asked = name
        return table.concat(bytes)
      end })
      assert.equal(compression, asked)
      assert.equal(plain, grid:dump())
    end
  end)

  it("reads zlib and gzip if lua-zlib is installed", function()
    if not has_zlib() then
      pending "needs lua-zlib (Debian: lua-zlib)"
      return
    end
    local plain = tiled.grid(map "ground", { "ground" }):dump()
    assert.equal(plain, tiled.grid(map "zlib"):dump())
    assert.equal(plain, tiled.grid(map "gzip"):dump())
    local loaded = tiled.load(map "zlib")
    loaded.layers[1].data = loaded.layers[1].data:sub(1, 40)
    local message = check.error_of(function() tiled.grid(loaded) end)
    assert.is_truthy(message:find '^map: layer "ground": expected 6 x 4 tiles, got %d+$', message)
    loaded.layers[1].data = "AAAA"
    fails('map: layer "ground": expected data that can be inflated (zlib compressed: '
      .. "set the map's \"Tile Layer Format\" to CSV in Tiled)", function() tiled.grid(loaded) end)
  end)

  it("decompresses only as many bytes as a layer's tiles need", function()
    if not has_zlib() then
      pending "needs lua-zlib (Debian: lua-zlib)"
      return
    end
    local bomb = require("zlib").deflate(9)(("\0"):rep(2 ^ 25), "finish")
    local length
    local data = require "astar.tiled.data"
    local alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    local text = (bomb .. ("\0"):rep(-#bomb % 3)):gsub("...", function(three)
      local a, b, c = three:byte(1, 3)
      local group, digits = a * 65536 + b * 256 + c, ""
      for _ = 1, 4 do
        digits = alphabet:sub(group % 64 + 1, group % 64 + 1) .. digits
        group = math.floor(group / 64)
      end
      return digits
    end)
    local numbers, expected = data.decode(text, "base64", "zlib", nil, 2, 2)
    assert.is_nil(numbers)
    length = tonumber(expected:match "^2 x 2 tiles, got (%d+)$")
    assert.is_true(length > 4 and length < 2 ^ 20, expected) -- of 2^23
  end)

  it("raises an error that names libraries that decompress if no such library is installed", function()
    local loaded, preload = package.loaded.zlib, package.preload.zlib
    package.loaded.zlib, package.preload.zlib = nil, function() error "module 'zlib' not found" end
    local ok, message = pcall(check.error_of, function() tiled.grid(map "gzip") end)
    package.loaded.zlib, package.preload.zlib = loaded, preload
    assert.is_true(ok, message)
    assert.equal(map "gzip" .. ': layer "ground": expected data that is not gzip compressed (nothing here inflates it: '
      .. "install lua-zlib, set the map's \"Tile Layer Format\" to CSV in Tiled, or give the option inflate)", message)
    local zstd = tiled.load(map "zlib")
    zstd.layers[1].compression = "zstd"
    fails('map: layer "ground": expected data that is not zstd compressed (neither LÖVE nor lua-zlib inflates it: '
      .. "set the map's \"Tile Layer Format\" to CSV in Tiled, or give the option inflate)",
      function() tiled.grid(zstd) end)
  end)

  it("gives tiles without a cost the default cost, which is 1", function()
    local rows = { { 1, 2, 3 }, { 0, 3, 3 } }
    local loaded = small_map(rows, { { walkable = true }, { walkable = false } })
    assert.same({ "c#g", "#gg" }, drawn(tiled.grid(loaded)))
    assert.equal(1, tiled.grid(loaded):terrain "ground")
    assert.same({ "c##", "###" }, drawn(tiled.grid(loaded, { default = false })))
    assert.equal(5, tiled.grid(loaded, { default = 5 }):terrain "ground")
    local silent = small_map(rows, {})
    assert.same({ "ggg", "#gg" }, drawn(tiled.grid(silent, { default = 1 })))
    assert.same({ "ggg", "#gg" }, drawn(tiled.grid(silent, { blocks = {} })))
    assert.same({ "###", "###" }, drawn(tiled.grid(silent, { blocks = {}, default = false })))
    assert.same({ "ggg", "egg" }, drawn(tiled.grid(silent, { default = 1, empty = 3 })))
  end)

  it("gives tiles of one class the same cost, whichever of the tiles has the cost", function()
    for _, row in ipairs { { 1, 2 }, { 2, 1 } } do
      local loaded = small_map({ row }, { { cost = 3, terrain = "mud" }, { terrain = "mud" } })
      local grid = tiled.grid(loaded)
      assert.same({ "mm" }, drawn(grid))
      assert.equal(3, grid:terrain "mud")
    end
  end)

  it("calls the function cost for each tile, from the lowest layer up", function()
    local loaded = small_map({ { 1, 2147483650 }, { 0, 1 } }, { { cost = 2, terrain = "grass" } })
    loaded.layers[2] = {
      name = "over", type = "tilelayer", width = 2, height = 2, properties = { z = 7 }, data = { 0, 3, 0, 0 },
    }
    local asked = {}
    local grid = tiled.grid(loaded, { origin = { 0, 10 }, cost = function(tile, layer, x, y)
      asked[#asked + 1] = ("%d %s %d %d %s %s"):format(tile.id, layer.name, x, y, tostring(tile.properties.cost),
        tostring(layer.properties.z))
      if tile.id == 1 then return 4 end
      if tile.id == 2 then return false, "pit" end
    end })
    assert.same({ "0 floor 0 10 2 nil", "1 floor 1 10 nil nil", "0 floor 1 11 2 nil", "2 over 1 10 nil 7" }, asked)
    assert.same({ "g#", "#g" }, drawn(grid))
    assert.equal("pit", grid:get(1, 10))
    assert.equal("cost 4", tiled.grid(loaded, { "floor", cost = function(tile) return tile.id == 1 and 4 or nil end })
      :get(2, 1))
    assert.is_nil(loaded.tilesets[1].tiles[2]) -- nothing was added
    assert.equal("set", (function()
      local name
      tiled.grid(loaded, { cost = function(tile) name = tile.tileset.name return 1 end })
      return name
    end)())
  end)

  it("raises an error that names the tile and cell of an invalid cost, and passes on errors of functions", function()
    local loaded = small_map({ { 1, 3 } }, {})
    local tile = 'map: tile 2 of tileset "set": '
    local function with(value, key)
      return function() tiled.grid(loaded, { cost = function(each) return each.id == 0 and 1 or value, key end }) end
    end
    for text, value in pairs {
      ["0"] = 0, ["-1"] = -1, nan = 0 / 0, ["true"] = true, ['"2"'] = "2", ["a table"] = {},
    } do
      fails(tile .. "cost returned " .. text .. " at (2, 1); expected a number > 0, false or nil", with(value))
    end
    fails('map: tile 0 of tileset "set": cost returned 7 at (1, 1) for the name of the ground; '
      .. "expected a string or nil", with(1, 7))
    fails(tile .. 'expected cost 1 for terrain "x" as other tiles have, got cost 2', with(2, "x"))
    local thrown = {}
    for _, value in ipairs { thrown, "as it is" } do
      local ok, message = pcall(tiled.grid, loaded, { cost = function() error(value, 0) end })
      assert.is_false(ok)
      assert.equal(value, message)
    end
    assert.same({ "#c" }, drawn(tiled.grid(loaded, {
      cost = function(each) return each.id == 0 and math.huge or 1 end,
    })))
  end)

  it("blocks tiles, layers of tiles and objects that STI calls collidable", function()
    local loaded = small_map({ { 1, 2, 3, 4 } }, {
      { collidable = true }, { collidable = false }, { collidable = true, walkable = true },
      { collidable = true, cost = 2 },
    })
    assert.same({ "#gcc" }, drawn(tiled.grid(loaded)))
    loaded.layers[1].properties.collidable = true
    assert.same({ "##cc" }, drawn(tiled.grid(loaded)))
    local renamed = small_map({ { 1, 2, 3, 3 } }, { { solid = true }, { cost = 1 }, { cost = 1 } })
    assert.same({ "#ccc" }, drawn(tiled.grid(renamed, { properties = { collidable = "solid" } })))

    local silent = small_map({ { 1, 1, 1, 1 } }, {})
    silent.layers[2] = object_layer("walls", {}, {
      { x = 0, y = 0, width = 16, height = 16, properties = { collidable = true } },
      { x = 16, y = 0, width = 16, height = 16 },
    })
    assert.same({ "Xggg" }, drawn(tiled.grid(silent)))
    silent.layers[2].properties.collidable = true
    assert.same({ "XXgg" }, drawn(tiled.grid(silent)))
    assert.same({ "gggg" }, drawn(tiled.grid(silent, { blocks = {} })))
  end)

  it("makes a grid of objects alone if the option empty gives the cost of cells without a tile", function()
    local loaded = small_map({ { 0, 0, 0 } }, {})
    loaded.layers[1] = object_layer("walls", {}, { { x = 16, y = 0, width = 16, height = 16 } })
    fails('map: expected a tile layer that is not in blocks, got "walls": give the option empty, the cost '
      .. "of cells without a tile", function() tiled.grid(loaded, { blocks = { "walls" } }) end)
    assert.same({ "eXe" }, drawn(tiled.grid(loaded, { blocks = { "walls" }, empty = 1 })))
  end)

  it("makes at most max_cells cells, 2^24 by default", function()
    local loaded = small_map({ { 1 } }, { { cost = 1 } })
    loaded.infinite = true
    loaded.layers[1].chunks = { chunk_at(0, 0, 1), chunk_at(16000, 15999, 1) }
    loaded.layers[1].data = nil
    fails("map: 16001 x 16000 cells: more than the option max_cells, 16777216", function() tiled.grid(loaded) end)
    loaded.layers[1].chunks[2] = chunk_at(99, 9, 1)
    fails("map: 100 x 10 cells: more than the option max_cells, 999",
      function() tiled.grid(loaded, { max_cells = 999 }) end)
    assert.same({ 100, 10 }, { tiled.grid(loaded, { max_cells = 1000 }):size() })

    local wide = small_map({ { 1 } }, { { cost = 1 } })
    wide.width, wide.height = 1e9, 1e9
    fails("map: 1000000000 x 1000000000 cells: more than the option max_cells, 16777216",
      function() tiled.grid(wide) end)
    local layer = wide.layers[1]
    layer.width, layer.height = 5000, 5000
    fails('map: layer "floor": 5000 x 5000 cells: more than the option max_cells, 16777216',
      function() tiled.grid(wide) end)
    wide.tileInstances, layer.width, layer.height, layer.data = {}, 4000, 4000, {}
    fails('map: layer "floor": expected a table of tiles for row 1, got nil', function() tiled.grid(wide) end)
  end)

  it("blocks each row of an object's cells by one edit, however large the object is", function()
    local loaded = small_map({ { 1 } }, { { cost = 1 } })
    loaded.width, loaded.height = 1000, 800
    loaded.layers[2] = object_layer("walls", {}, { { x = -1e8, y = -1e8, width = 1e9, height = 1e9 } })
    local grid = tiled.grid(loaded, { "floor", blocks = { "walls" } })
    assert.is_true(grid:is_blocked(1, 1) and grid:is_blocked(1000, 800))
    assert.is_true(grid:version() < 900, grid:version() .. " edits") -- each counts: a row, a terrain
  end)

  it("ignores a tile beyond its tileset's picture with a warning, as Tiled does", function()
    local warnings = {}
    local function warn(text) warnings[#warnings + 1] = text end
    local loaded = small_map({ { 1, 99 } }, { { cost = 1 } })
    loaded.tilesets[1].tilecount = 4
    assert.same({ "c#" }, drawn(tiled.grid(loaded, { warn = warn })))
    assert.same({ 'map: tile 99 at (1, 0) of layer "floor", as Tiled counts, is none of the 4 tiles of tileset "set", '
      .. "the first of which is 1: it counts as no tile, as Tiled shows it" }, warnings)
    loaded.layers[1].data[2] = 1
    loaded.layers[2] = { name = "over", type = "tilelayer", width = 2, height = 1, data = { 99, 0 } }
    assert.is_false(tiled.grid(loaded, { blocks = { "over" }, warn = warn }):is_blocked(1, 1))
    assert.matches('tile 99 at %(0, 0%) of layer "over", as Tiled counts,', warnings[2])
    loaded.layers[2] = object_layer("over", {}, { { x = 0, y = 16, width = 16, height = 16, gid = 99 + 2 ^ 31 } })
    tiled.grid(loaded, { blocks = { "over" }, warn = warn })
    assert.matches("^map: tile 99 is none of the 4 tiles", warnings[3])
    loaded.layers[2].objects[1].gid = 0.5
    fails('map: layer "over": object 1: expected an integer from 0 to 4294967295 for gid, got 0.5',
      function() tiled.grid(loaded, { blocks = { "over" } }) end)
    loaded.layers[2] = nil
    loaded.layers[1].data[2] = 4
    assert.same({ "cg" }, drawn(tiled.grid(loaded)))
    loaded.layers[1].data[2] = 5
    assert.same({ "c#" }, drawn(tiled.grid(loaded)))
    loaded.tilesets[1].imageheight, loaded.tilesets[1].tileheight = 32, 16 -- 4 x 2, though Tiled did not find it
    assert.same({ "cg" }, drawn(tiled.grid(loaded)))
    loaded.tilesets[1].columns = 0 -- single pictures: all are listed
    assert.same({ "c#" }, drawn(tiled.grid(loaded))) -- a lost one is no tile, see spec/tiled/tiles_spec.lua
    loaded.tilesets[1].tiles[2] = { id = 4 }
    assert.same({ "cg" }, drawn(tiled.grid(loaded)))
    for _, what in ipairs { "tilecount", "columns", "imageheight" } do
      local broken = small_map({ { 1 } }, { { cost = 1 } })
      broken.tilesets[1].tiles, broken.tilesets[1][what] = nil, {}
      fails('map: tileset "set": expected an integer from 0 to 1000000000 for ' .. what .. ", got a table",
        function() tiled.grid(broken) end)
    end
    loaded.tilesets[1].tilecount, loaded.tilesets[1].tiles = 0, {}
    fails('map: tileset "set" has no tiles, tile 1 at (0, 0) of layer "floor", as Tiled counts, is one of it: '
      .. "Tiled did not find its file when the map was exported",
      function() tiled.grid(loaded) end)
  end)

  it("raises an error that names a layer that appears twice in the map or inside itself", function()
    local loaded = small_map({ { 1 } }, { { cost = 1 } })
    local group = { name = "things", type = "group", layers = {} }
    group.layers[1], loaded.layers[2] = group, group
    fails('map: layer "things": expected each layer once in the map, got the same table again',
      function() tiled.grid(loaded) end)
    group.layers[1], loaded.layers[2] = loaded.layers[1], group
    fails('map: layer "floor": expected each layer once in the map, got the same table again',
      function() tiled.grid(loaded) end)
    fails('map: layer "floor": expected each layer once in the map, got the same table again',
      function() tiled.objects(loaded, "things") end)
  end)

  it("raises an error for groups that are nested too deeply", function()
    local loaded = small_map({ { 1 } }, { { cost = 1 } })
    local function nest(depth)
      loaded.layers[2] = { name = "inmost", type = "group", layers = {} }
      for _ = 2, depth do loaded.layers[2] = { name = "outer", type = "group", layers = { loaded.layers[2] } } end
    end
    nest(101)
    assert.has_no.errors(function() tiled.grid(loaded) end)
    nest(102)
    fails('map: layer "inmost": expected at most 100 groups within groups, got more', function() tiled.grid(loaded) end)
    nest(300000)
    fails('map: layer "outer": expected at most 100 groups within groups, got more', function() tiled.grid(loaded) end)
  end)

  it("raises an error that names the position of a missing tile number", function()
    local loaded = small_map({ { 1, 1, 1, 1 } }, { { cost = 1 } })
    loaded.layers[1].data[3] = nil
    local message = check.error_of(function() tiled.grid(loaded) end)
    assert.is_truthy(message == 'map: layer "floor": expected the number of a tile at index 3, got nil'
      or message == 'map: layer "floor": expected 4 x 1 tiles, got 2', message)
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

  it("covers the chunks of blocks, too, if an infinite map has no terrain", function()
    local loaded = small_map({ { 1 } }, { { cost = 1 } })
    local ground = loaded.layers[1]
    local rocks = { name = "rocks", type = "tilelayer", width = 1, height = 1, properties = {} }
    loaded.infinite, loaded.layers[2], ground.data = true, rocks, nil
    ground.chunks, rocks.chunks = { chunk_at(0, 0, 1) }, { chunk_at(3, 0, 1), chunk_at(-1, 1, 1) }
    local grid = tiled.grid(loaded, { blocks = { rocks.name } })
    assert.same({ 0, 1, 4, 2 }, { grid:bounds() })
    assert.is_true(grid:is_blocked(4, 1) and grid:is_blocked(0, 2) and not grid:is_blocked(1, 1))
    assert.is_false(grid:is_walkable(2, 1))
    loaded.layers = { rocks }
    grid = tiled.grid(loaded, { blocks = { rocks.name }, empty = 1 })
    assert.same({ 0, 1, 4, 2 }, { grid:bounds() })
    assert.is_true(grid:is_blocked(4, 1) and grid:is_walkable(2, 1))
  end)

  it("accepts a map that is already loaded", function()
    assert.same(GROUND, drawn(tiled.grid(tiled.load(map "ground"))))
  end)

  it("blocks the cells of isometric maps that objects cover on the screen", function()
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

  it("accepts a map of STI, wherever STI draws the map", function()
    for name, blocks in pairs {
      ground = "things/doors", shapes = "shapes", isometric = "shapes", infinite = "rocks",
    } do
      local plain = tiled.grid(map(name), { blocks = { blocks } }):dump()
      assert.equal(plain, tiled.grid(as_sti(tiled.load(map(name)), 0, 0), { blocks = { blocks } }):dump(), name)
      assert.equal(plain, tiled.grid(as_sti(tiled.load(map(name)), 37, -11), { blocks = { blocks } }):dump(), name)
    end
  end)

  it("finds STI's layers by their names in STI and in Tiled", function()
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

  it("names a file that does not exist or is not a map", function()
    fails("nowhere.lua: expected a map made with Tiled, got no file (No such file or directory)",
      function() tiled.grid "nowhere.lua" end)
    for text, got in pairs {
      ["return"] = "nil", ["return 1"] = "1", ["return { 1 }"] = "a table without layers and tilesets",
      ["\27Lua"] = "compiled Lua",
    } do
      with_file(text, function(name)
        fails(name .. ": expected a map made with Tiled, got " .. got, function() tiled.grid(name) end)
      end)
    end
    for text, got in pairs {
      ["a map"] = "a file that is neither XML nor JSON nor Lua", ["return os.time()"] = "a program",
    } do
      with_file(text, function(name)
        local message = check.error_of(function() tiled.grid(name) end)
        assert.equal(name .. ": expected a map made with Tiled, got " .. got, message:match "^(.-) %(")
      end)
    end
    fails("spec: expected a map made with Tiled, got a file that cannot be read (Is a directory)",
      function() tiled.grid "spec" end)
    local oblique = small_map({ { 1 } }, {})
    oblique.orientation = "oblique"
    fails('map: expected the orientation "orthogonal", "isometric", "staggered" or "hexagonal", got "oblique": ' ..
      "choose one in Tiled, by Map, Map Properties",
      function() tiled.grid(oblique) end)
  end)

  it("raises an error that names an unknown layer, and lists the layers", function()
    fails(map "shapes" .. ': no layer "walls", expected one of "ground", "shapes"',
      function() tiled.grid(map "shapes", { "walls" }) end)
    fails(map "shapes" .. ': no layer "walls", expected one of "ground", "shapes"',
      function() tiled.grid(map "shapes", { blocks = { "walls" } }) end)
    fails(map "shapes" .. ': layer "shapes": expected a tile layer, got one of type "objectgroup"',
      function() tiled.grid(map "shapes", { "shapes" }) end)
    fails(map "ground" .. ': layer "ground": expected an object layer, got one of type "tilelayer"',
      function() tiled.objects(map "ground", "ground") end)
  end)

  it("raises an error that names a tileset without properties, and the remedy", function()
    local external = tiled.load(map "external", { -- and nothing else
      read = function(name) return name == map "external" and read_text(name) or nil end,
    })
    fails('map: tileset "ground" has no tiles, only the name of its file, "ground.tsx": '
      .. 'export the map with "Embed tilesets"', function() tiled.grid(external) end)
    assert.same("rrr#rr", letters(tiled.grid(map "embedded"), 2))
    fails(map "shapes" .. ': no tile of layer "ground" has a property "price", "walkable" or "collidable": set one in '
      .. "Tiled, or give one of the options default, cost, terrain, empty or blocks",
      function() tiled.grid(map "shapes", { properties = { cost = "price" } }) end)
  end)

  it("raises an error that names a tile with an invalid property", function()
    local loaded = tiled.load(map "ground")
    local properties = loaded.tilesets[1].tiles[2].properties
    properties.cost = "cheap"
    fails('map: tile 1 of tileset "ground": expected a number > 0 or false for cost, got "cheap"',
      function() tiled.grid(loaded) end)
    properties.cost, properties.walkable = nil, 1
    fails('map: tile 1 of tileset "ground": expected true or false for walkable, got 1',
      function() tiled.grid(loaded) end)
    properties.walkable, properties.cost, properties.terrain = nil, 3, "grass"
    fails('map: tile 1 of tileset "ground": expected cost 1 for terrain "grass" as other tiles have, got cost 3',
      function() tiled.grid(loaded) end)
  end)

  it("raises an error that describes the invalid data of a layer", function()
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
    fails("map: tile 99 at (0, 0) of layer \"ground\", as Tiled counts, is in none of the map's tilesets",
      function() tiled.grid(loaded) end)
    fails(map "zlib" .. ': layer "ground": expected data that can be inflated (zlib compressed: '
      .. "set the map's \"Tile Layer Format\" to CSV in Tiled)", function()
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

  it("makes a grid or raises an error, whichever value of a map is changed", function()
    local random = require("spec.support.random").new(5)
    local values = { "x", -1, 0, 1.5, 0 / 0, 1 / 0, 1e8, 1e300, true, false, {}, "16" }
    local expected = { ": expected", "no layer", "in none of the map's tilesets", "is none of the", "has no tiles",
      "has a property", "must be", "max_cells" }
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

  it("raises an error that names an invalid option", function()
    local name = map "ground"
    local liar = setmetatable({}, { __index = function() return nil end, __len = error })
    local known = "names of layers, blocks, terrain, properties, cost, default, empty, origin, inflate, max_cells or "
      .. "warn"
    fails("unknown option 2, expected " .. known, function() tiled.grid(name, { [2] = "ground" }) end)
    fails("map must be a table or the name of a file, got nil", function() tiled.grid() end)
    fails("options must be a table, got 3", function() tiled.grid(name, 3) end)
    fails('unknown option "block", expected ' .. known, function() tiled.grid(name, { block = {} }) end)
    fails("default must be a number > 0 or false, got true", function() tiled.grid(name, { default = true }) end)
    fails("cost must be a function, got 3", function() tiled.grid(name, { cost = 3 }) end)
    for _, value in ipairs { 0, 1.5, 2 ^ 28 + 1, 1 / 0, "9" } do
      fails("max_cells must be an integer from 1 to 268435456, got " .. require "astar.describe"(value),
        function() tiled.grid(name, { max_cells = value }) end)
    end
    fails("layers must be names of layers, got 2 at index 1", function() tiled.grid(name, { 2 }) end)
    fails('blocks must be a table, got "doors"', function() tiled.grid(name, { blocks = "doors" }) end)
    fails("empty must be a number > 0 or false, got 0", function() tiled.grid(name, { empty = 0 }) end)
    fails("origin must be two integers, got 1.5", function() tiled.grid(name, { origin = { 1, 1.5 } }) end)
    fails('properties must be names for cost, walkable, terrain and collidable, got price = "x"',
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

  it("equal the files that Tiled exports from their sources", function()
    local found = can_run "command -v tiled"
    if found ~= true and found ~= 0 then
      pending "needs the program tiled, to export the maps again (Debian: tiled)"
      return
    end
    local version = read_text(map "ground"):match 'tiledversion = "([^"]*)"'
    for _, name in ipairs {
      "ground", "shapes", "ways", "base64", "zlib", "gzip", "infinite", "isometric", "hexagonal", "external",
      "embedded", "own", VILLAGE,
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
        pending("needs the program tiled in version " .. version)
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

describe("hexagonal maps", function()
  local hex_oracle = require "spec.support.hex_oracle"

  -- A map of hexagons that stand or lie as the oracle's do, but for what rounds to pixels.
  local function hexagonal(axis, index, rows)
    local loaded = small_map(rows or { { 1, 1, 2, 1 }, { 1, 2, 1, 1 }, { 1, 1, 1, 1 }, { 1, 1, 1, 1 } },
      { { cost = 1 }, { walkable = false } })
    loaded.orientation, loaded.staggeraxis, loaded.staggerindex = "hexagonal", axis, index
    loaded.tilewidth, loaded.tileheight, loaded.hexsidelength = axis == "y" and 28 or 32, axis == "y" and 32 or 28, 16
    return loaded
  end

  it("become grids of hexagons, by their axis and index", function()
    local grid = tiled.grid(map "hexagonal")
    assert.same({ "hex", "odd_r" }, { grid:shape() })
    for offset, kind in pairs { odd_r = "y", even_r = "y", odd_q = "x", even_q = "x" } do
      local of_kind = tiled.grid(hexagonal(kind, (offset:match "^%a+")))
      assert.same({ "hex", offset }, { of_kind:shape() })
      assert.is_false(of_kind:is_walkable(3, 1))
      assert.is_false(of_kind:is_walkable(2, 2))
    end
  end)

  it("start at their first chunk, with rows shifted as Tiled shows the rows", function()
    local loaded = hexagonal("y", "odd")
    loaded.infinite = true
    loaded.layers[1].data, loaded.layers[1].chunks = nil, { chunk_at(0, -3, 1), chunk_at(2, 1, 1) }
    local grid = tiled.grid(loaded)
    assert.same({ 1, -2, 3, 2 }, { grid:bounds() })
    assert.same({ "hex", "even_r" }, { grid:shape() })
    loaded.layers[1].chunks[1].y = -2
    assert.same({ "hex", "odd_r" }, { tiled.grid(loaded):shape() })
  end)

  it("list objects on the cells below their drawn positions", function()
    for offset, axis in pairs { odd_r = "y", even_r = "y", odd_q = "x", even_q = "x" } do
      local loaded = hexagonal(axis, (offset:match "^%a+"))
      local grid = tiled.grid(loaded)
      for y = 0, 3 do
        for x = 0, 3 do
          -- the oracle's tiles are 40 pixels long; these are 32, and a little narrower than regular ones
          local px, py = hex_oracle.tiled_middle(offset, x, y)
          local kx = axis == "y" and 28 / (math.sqrt(3) * 20) or 0.8
          local ky = axis == "y" and 0.8 or 28 / (math.sqrt(3) * 20)
          loaded.layers[2] = object_layer("things", {}, {
            { x = px * kx + 3, y = py * ky - 2, width = 0, height = 0, shape = "point" },
            { x = px * kx - 4, y = py * ky - 4, width = 8, height = 8, shape = "rectangle" },
            { x = px * kx - 14, y = py * ky - 14, width = 28, height = 28, shape = "rectangle" },
          })
          local found = tiled.objects(loaded, "things")
          for i = 1, 2 do
            assert.same({ x + 1, y + 1, 1, 1 }, { found[i].x, found[i].y, found[i].width, found[i].height })
          end
          assert.is_true(found[3].width >= 2 or found[3].height >= 2)
          loaded.layers[2].objects[1], loaded.layers[2].objects[3] = nil, nil
          loaded.layers[2].objects = { { id = 1, x = px * kx - 4, y = py * ky - 4, width = 8, height = 8,
                                         shape = "rectangle", properties = { collidable = true } } }
          local blocked = tiled.grid(loaded)
          for by = 1, 4 do
            for bx = 1, 4 do
              assert.equal(bx == x + 1 and by == y + 1, blocked:is_blocked(bx, by))
            end
          end
          assert.is_false(grid:is_blocked(x + 1, y + 1))
        end
      end
    end
  end)

  it("raise errors that name the mistake in the map", function()
    for key, values in pairs {
      staggeraxis = { "z", "map: expected \"x\" or \"y\" for staggeraxis, got \"z\"" },
      staggerindex = { 1, "map: expected \"odd\" or \"even\" for staggerindex, got 1" },
      hexsidelength = { 40, "map: expected an integer from 0 to 31 for hexsidelength, got 40" },
    } do
      local loaded = hexagonal("y", "odd")
      loaded[key] = values[1]
      fails(values[2], function() tiled.grid(loaded) end)
    end
  end)
end)
