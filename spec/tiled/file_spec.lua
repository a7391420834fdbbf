-- Tiled's own files, .tmx and .tmj, against what its export to Lua makes of them: see spec/tiled/tiled_spec.lua.

local check = require "spec.support.check"

local astar = require "astar"

local tiled = astar.tiled

local function fails(expected, misuse)
  assert.equal(expected, check.error_of(misuse))
end

local function read_text(name)
  local file = assert(io.open(name, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

local function has(name)
  return (pcall(require, name))
end

local HAS_XML, HAS_JSON = has "lxp", has "cjson" or has "dkjson"

-- A test that needs lua-expat.
local function with_xml(name, test)
  it(name, function()
    if not HAS_XML then
      pending "needs lua-expat (Debian: lua-expat)"
      return
    end
    test()
  end)
end

local function with_json(name, test)
  it(name, function()
    if not HAS_JSON then
      pending "needs lua-cjson or dkjson (Debian: lua-dkjson)"
      return
    end
    test()
  end)
end

-- Runs f where these modules are not to be had.
local function without(names, f)
  local loaded, preload = {}, {}
  for _, name in ipairs(names) do
    loaded[name], preload[name] = package.loaded[name], package.preload[name]
    package.loaded[name], package.preload[name] = nil, function() error("no " .. name, 0) end
  end
  local ok, problem = pcall(f)
  for _, name in ipairs(names) do
    package.loaded[name], package.preload[name] = loaded[name], preload[name]
  end
  assert(ok, problem)
end

-- The map of files that there are in this table alone, its own being "maps/town.x".
local function load_from(texts, options)
  options = options or {}
  options.read = function(name) return texts[name] end
  local map = tiled.load("maps/town.x", options) -- no tail call, which Lua 5.1 knows no line of
  return map
end

local MAP = '<map orientation="orthogonal" width="2" height="1" tilewidth="16" tileheight="16">'
local TILESET = '<tileset firstgid="1" name="set" tilewidth="16" tileheight="16" tilecount="4" columns="4">'
  .. '<tile id="1"><properties><property name="walkable" type="bool" value="false"/></properties></tile></tileset>'
local LAYER = '<layer id="1" name="floor" width="2" height="1"><data encoding="csv">1,2</data></layer>'

local function load_xml(...)
  local map = load_from { ["maps/town.x"] = table.concat { ... } }
  return map
end

-- What one sees on no grid, how numbers count tilesets, and which tile an object shows, are left out.
local function objects_of(layers, list)
  for _, layer in ipairs(layers) do
    for _, object in ipairs(layer.objects or {}) do
      local copy = {}
      for key, value in pairs(object) do copy[key] = value end
      copy.gid, copy.template = copy.gid ~= nil, nil
      list[#list + 1] = { layer.name, layer.id, layer.properties, copy }
    end
    objects_of(layer.layers or {}, list)
  end
  return list
end

local function tilesets_of(map)
  local list = {}
  for _, tileset in ipairs(map.tilesets) do
    list[#list + 1] = { tileset.name, tileset.columns, tileset.image, tileset.imagewidth, tileset.properties }
    for _, tile in ipairs(tileset.tiles) do
      list[#list + 1] = { tile.id, tile.type or "", tile.properties or {} }
    end
  end
  return list
end

local function assert_same_map(exported, own)
  for _, key in ipairs { "orientation", "width", "height", "tilewidth", "tileheight", "properties", "staggeraxis" } do
    assert.same(exported[key], own[key], key)
  end
  assert.same(objects_of(exported.layers, {}), objects_of(own.layers, {}))
  assert.same(tilesets_of(exported), tilesets_of(own))
  for _, options in ipairs { { default = 1 }, { default = 2, blocks = {} }, { default = false, empty = 3 } } do
    assert.equal(tiled.grid(exported, options):dump(), tiled.grid(own, options):dump())
  end
end

describe("tiled.load", function()
  local INFLATED = { gzip = true, zlib = true }

  for _, name in ipairs {
    "own", "ground", "shapes", "base64", "zlib", "gzip", "infinite", "isometric", "hexagonal", "external",
  } do
    with_xml("makes of " .. name .. ".tmx what Tiled exports", function()
      if INFLATED[name] and not has "zlib" then
        pending "needs lua-zlib (Debian: lua-zlib)"
        return
      end
      assert_same_map(tiled.load("spec/tiled/" .. name:gsub("external", "embedded") .. ".lua"),
        tiled.load("spec/tiled/" .. name .. ".tmx"))
    end)
  end

  with_xml("makes a graph of ways.tmx as of its export", function()
    local own, exported = tiled.graph "spec/tiled/ways.tmx", tiled.graph "spec/tiled/ways.lua"
    for key in exported:nodes() do
      local edges, same = {}, {}
      for to, cost, label in exported:edges(key) do edges[#edges + 1] = { to, cost, label } end
      for to, cost, label in own:edges(key) do same[#same + 1] = { to, cost, label } end
      assert.same(edges, same)
    end
  end)

  with_json("makes of own.tmj what Tiled exports, its tilesets and templates being XML", function()
    if not HAS_XML then
      pending "needs lua-expat (Debian: lua-expat)"
      return
    end
    local exported = tiled.load "spec/tiled/own.lua"
    assert_same_map(exported, tiled.load "spec/tiled/own.tmj")
    without({ "cjson" }, function()
      if has "dkjson" then assert_same_map(exported, tiled.load "spec/tiled/own.tmj") end
    end)
  end)

  with_xml("reads the tileset that an export only names", function()
    assert.equal(tiled.grid("spec/tiled/embedded.lua"):dump(), tiled.grid("spec/tiled/external.lua"):dump())
  end)

  with_xml("finds other files beside the one that names them", function()
    local asked = {}
    local map = tiled.load("maps/town.tmx", { read = function(name)
      asked[#asked + 1] = name
      return name:find "tsx$" and TILESET or name:find "tx$"
        and '<template><tileset firstgid="1" source="../sets/own.tsx"/><object gid="2" width="16" height="16"/>'
          .. "</template>"
        or MAP .. '<tileset firstgid="1" source="../sets/./a.tsx"/>' .. LAYER .. '<objectgroup name="o">'
          .. '<object id="1" template="things\\crate.tx" x="16" y="16"/>'
          .. '<object id="2" template="things/crate.tx" x="0" y="16"/></objectgroup></map>'
    end })
    assert.same({ "maps/town.tmx", "sets/./a.tsx", "maps/things/crate.tx", "maps/sets/own.tsx" }, asked)
    assert.same({ 1, 5 }, { map.tilesets[1].firstgid, map.tilesets[2].firstgid }) -- of a tileset that the map has not
    assert.same({ 6, 6 }, { map.layers[2].objects[1].gid, map.layers[2].objects[2].gid })
    assert.is_false(map.layers[2].objects[1].properties.walkable)
  end)

  with_xml("gives objects ids where an old version wrote none", function()
    local layers = '<objectgroup name="a"><object x="0" y="0"/><object id="7" x="1" y="0"/></objectgroup>'
      .. '<objectgroup name="b"><object name="c" x="2" y="0"/></objectgroup></map>'
    local map = load_xml(MAP, TILESET, LAYER, layers)
    assert.same({ 8, 7, 9 }, { map.layers[2].objects[1].id, map.layers[2].objects[2].id, map.layers[3].objects[1].id })
    local counted = load_xml((MAP:gsub(">$", ' nextobjectid="21">')), TILESET, LAYER, layers)
    assert.same({ 21, 7 }, { counted.layers[2].objects[1].id, counted.layers[2].objects[2].id })
  end)

  with_json("reads JSON as versions before 1.2 wrote it", function()
    local map = load_from { ["maps/town.x"] = [[{ "orientation": "orthogonal", "width": 2, "height": 1, "tilewidth": 16,
      "tileheight": 16, "properties": { "a": "1", "b": true }, "propertytypes": { "a": "int", "b": "bool" },
      "layers": [{ "name": "floor", "type": "tilelayer", "width": 2, "height": 1, "data": [1, 2] , "x": null }],
      "tilesets": [{ "firstgid": 1, "name": "set", "tilecount": 4, "columns": 4,
        "tiles": { "0": { "image": "x.png" } },
        "tileproperties": { "1": { "walkable": "false", "cost": "7" } },
        "tilepropertytypes": { "1": { "walkable": "bool", "cost": "int" } } }] }]] }
    assert.same({ a = 1, b = true }, map.properties)
    assert.same({ { id = 0, image = "x.png" }, { id = 1, properties = { walkable = false, cost = 7 } } },
      map.tilesets[1].tiles)
    assert.is_nil(map.layers[1].x)
    assert.same({ true, false }, { tiled.grid(map):is_walkable(1, 1), tiled.grid(map):is_walkable(2, 1) })
  end)

  with_json("reads JSON as it is since, tilesets and templates, too", function()
    local map = load_from {
      ["maps/town.x"] = [[{ "type": "map", "orientation": "orthogonal", "width": 2, "height": 1, "tilewidth": 16,
        "infinite": true, "tileheight": 16, "tilesets": [{ "firstgid": 1, "source": "set.tsj" }], "layers": [
        { "name": "floor", "type": "tilelayer", "width": 2, "height": 1, "encoding": "base64", "compression": "",
          "chunks": [{ "x": -1, "y": 0, "width": 2, "height": 1, "data": "AQAAAAIAAAA=" }] },
        { "name": "things", "type": "objectgroup", "objects": [{ "id": 1, "template": "a.tj", "x": 3, "y": 4 },
          { "id": 2, "x": 0, "y": 0, "polygon": [{ "x": 0, "y": 0 }, { "x": 8, "y": 9 }],
            "properties": [{ "name": "to", "type": "object", "value": 1 }] }] }] }]],
      ["maps/set.tsj"] = [[{ "type": "tileset", "name": "set", "tilecount": 4, "columns": 4, "tiles": [
        { "id": 1, "type": "wall", "properties": [{ "name": "walkable", "type": "bool", "value": false }] }] }]],
      ["maps/a.tj"] = [[{ "type": "template", "object": { "name": "post", "point": true, "rotation": 0 } }]],
    }
    assert.same({ 0, 1, 1, 1 }, { tiled.grid(map):bounds() })
    assert.same({ "ground", "wall" }, { tiled.grid(map, { default = 1 }):get(0, 1), tiled.grid(map):get(1, 1) })
    assert.same({ "post", "point", 3 },
      { map.layers[2].objects[1].name, map.layers[2].objects[1].shape, map.layers[2].objects[1].x })
    assert.same({ to = { id = 1 } }, map.layers[2].objects[2].properties)
    assert.equal("polygon", map.layers[2].objects[2].shape)
  end)

  it("raises an error that names the library for the file's format, and other solutions", function()
    without({ "lxp" }, function()
      fails("spec/tiled/ground.tmx: XML is read by lua-expat, which is not here: install it (Debian: lua-expat; "
        .. "luarocks install luaexpat), or export the map with tiled --embed-tilesets --export-map lua",
        function() tiled.load "spec/tiled/ground.tmx" end)
    end)
    without({ "cjson", "dkjson" }, function()
      fails("spec/tiled/own.tmj: JSON is read by dkjson or lua-cjson, neither of which is here: install one (Debian: "
        .. "lua-dkjson; luarocks install dkjson; a game may carry dkjson.lua along), or export the map with tiled "
        .. "--embed-tilesets --export-map lua", function() tiled.grid "spec/tiled/own.tmj" end)
    end)
  end)

  with_xml("says which file is not there", function()
    fails('maps/town.x: tileset "a.tsx": no file maps/a.tsx: put its file there, or use "Embed Tileset" in Tiled',
      function() load_xml(MAP, '<tileset firstgid="1" source="a.tsx"/></map>') end)
    fails('maps/town.x: template "a.tx": no file maps/a.tx: put its file there, or use "Detach" in Tiled on the '
      .. "objects made of it", function()
      load_xml(MAP, TILESET, LAYER, '<objectgroup><object template="a.tx"/></objectgroup></map>')
    end)
    fails("maps/town.x: expected a map made with Tiled, got no file (the option read returned nil)",
      function() load_from {} end)
  end)

  with_xml("names a tileset without its first number, whoever asks for it", function()
    fails('maps/town.x: tileset "set": expected an integer from 1 to 1000000000 for firstgid, got nil', function()
      load_from {
        ["maps/town.x"] = MAP .. '<tileset source="a.tsx"/><objectgroup><object template="a.tx"/></objectgroup></map>',
        ["maps/a.tsx"] = (TILESET:gsub('firstgid="1" ', "")),
        ["maps/a.tx"] = '<template><tileset firstgid="1" source="a.tsx"/><object gid="1"/></template>',
      }
    end)
  end)

  with_xml("says what is no map", function()
    fails("maps/town.x: expected a map made with Tiled, got XML whose root is <svg>", function() load_xml "<svg/>" end)
    fails("maps/town.x: expected an integer from 1 to 1000000000 for width, got nil", function() load_xml "<map/>" end)
    fails("maps/town.x:2: expected XML, got other text (mismatched tag)", function() load_xml "<map>\n</mop>" end)
    fails('maps/town.x: layer "floor": expected numbers and commas in its data, CSV, got "-"',
      function() load_xml(MAP, TILESET, (LAYER:gsub("1,2", "1,-2")), "</map>") end)
  end)

  with_json("says what is no map in JSON", function()
    for text, got in pairs {
      ["{}"] = "expected a map made with Tiled, got a table without layers and tilesets",
      ['{ "type": "tileset" }'] = "expected a map made with Tiled, got JSON of type tileset",
      ['{ "layers": 5, "tilesets": [] }'] = "expected a map made with Tiled, got a table without layers and tilesets",
    } do
      fails("maps/town.x: " .. got, function() load_from { ["maps/town.x"] = text } end)
    end
    local message = check.error_of(function() load_from { ["maps/town.x"] = '{ "layers": [' } end)
    assert.matches("^maps/town%.x: expected JSON, got other text %(", message)
  end)

  with_xml("reads no entities, however many they would be", function()
    local bomb = { '<!DOCTYPE map [<!ENTITY a0 "lol">' }
    for i = 1, 30 do bomb[#bomb + 1] = ('<!ENTITY a%d "&a%d;&a%d;">'):format(i, i - 1, i - 1) end
    fails("maps/town.x: expected XML without entity definitions, got a DOCTYPE with definitions",
      function() load_xml(table.concat(bomb), "]><map>&a30;</map>") end)
    local with_type = load_xml('<!DOCTYPE map SYSTEM "http://mapeditor.org/dtd/1.0/map.dtd">', MAP, TILESET, LAYER,
      "</map>")
    assert.equal(2, tiled.grid(with_type):size())
  end)

  with_xml("goes only so deep", function()
    fails("maps/town.x: expected at most 250 elements within elements, got more",
      function() load_xml(MAP, ("<group>"):rep(1e5)) end)
    local group = '<group name="g">'
    fails('maps/town.x: layer "g": expected at most 100 groups within groups, got more',
      function() load_xml(MAP, group:rep(150), ("</group>"):rep(150), "</map>") end)
  end)

  with_json("goes only so deep in JSON", function()
    for _, name in ipairs { "cjson", "dkjson" } do
      without({ name }, function()
        if not (has "cjson" or has "dkjson") then return end
        local message = check.error_of(function()
          load_from { ["maps/town.x"] = '{ "layers": ' .. ("["):rep(1e5) .. ("]"):rep(1e5) .. "}" }
        end)
        assert.matches("^maps/town%.x: expected ", message)
        fails("maps/town.x: expected at most 250 tables within tables, got more", function()
          load_from { ["maps/town.x"] = '{ "layers": ' .. ("["):rep(500) .. ("]"):rep(500) .. "}" }
        end)
      end)
    end
  end)

  with_xml("makes no grid of more cells than max_cells, whatever a file claims", function()
    local huge = '<map orientation="orthogonal" width="99999" height="99999" tilewidth="16" tileheight="16">'
    fails("map: 99999 x 99999 cells: more than the option max_cells, 16777216",
      function() tiled.grid(load_xml(huge, TILESET, LAYER, "</map>"), { default = 1 }) end)
    fails('map: layer "floor": 99999 x 99999 cells: more than the option max_cells, 16777216', function()
      tiled.grid(load_xml(MAP, TILESET, '<layer name="floor" width="99999" height="99999"><data encoding="base64" '
        .. 'compression="zlib">eJw=</data></layer></map>'), { default = 1 })
    end)
  end)

  describe("copies only a limited size", function()
    local files = require "astar.tiled.file"
    local most = files.MOST_COPIES
    before_each(function() files.MOST_COPIES = 1e5 end)
    after_each(function() files.MOST_COPIES = most end)
    local EXPECTED = "maps/town.x: expected at most 100000 fields copied from templates and tilesets, got "
      .. "more"

    local function repeated(count, text)
      local list = {}
      for i = 1, count do list[i] = text:format(i) end
      return table.concat(list, " ")
    end

    with_xml("into objects, of their tiles", function()
      local rich = '<tileset firstgid="1" name="set" tilecount="1"><tile id="0"><properties>'
        .. repeated(1000, '<property name="%d" value=""/>') .. "</properties></tile></tileset>"
      fails(EXPECTED, function()
        load_xml(MAP, rich, '<objectgroup name="o">', repeated(200, '<object gid="1" id="%d"/>'), "</objectgroup>",
          "</map>")
      end)
    end)

    with_xml("into tilesets, of one file", function()
      fails(EXPECTED, function()
        load_from {
          ["maps/town.x"] = MAP .. repeated(200, '<tileset firstgid="%d" source="a.tsx"/>') .. "</map>",
          ["maps/a.tsx"] = "<tileset " .. repeated(1000, 'n%d="x"') .. "/>",
        }
      end)
    end)
  end)

  it("reads at most max_bytes bytes of a file", function()
    local text = "return { layers = {}, tilesets = {} }"
    fails("maps/town.x: more bytes than the option max_bytes, 36, in all files of the map",
      function() load_from({ ["maps/town.x"] = text }, { max_bytes = 36 }) end)
    local device = io.open("/dev/zero", "rb")
    if device then
      device:close()
      fails("/dev/zero: more bytes than the option max_bytes, 3000000, in all files of the map",
        function() tiled.load("/dev/zero", { max_bytes = 3e6 }) end)
    end
  end)

  it("raises an error that names an unknown or invalid option", function()
    for _, case in ipairs {
      { 7, "options must be a table, got 7" },
      { { raed = print }, 'unknown option "raed" (did you mean "read"?)' },
      { { read = "x" }, 'read must be a function, got "x"' },
      { { max_bytes = 0 }, "max_bytes must be an integer from 1 to 1099511627776, got 0" },
      { { max_bytes = 1.5 }, "max_bytes must be an integer from 1 to 1099511627776, got 1.5" },
    } do
      fails(case[2], function() tiled.load("spec/tiled/ground.lua", case[1]) end)
    end
  end)

  it("reads a file with a byte order mark", function()
    local text = "\239\187\191" .. read_text "spec/tiled/ground.lua"
    assert.equal(tiled.grid("spec/tiled/ground.lua"):dump(), tiled.grid(load_from { ["maps/town.x"] = text }):dump())
  end)
end)
