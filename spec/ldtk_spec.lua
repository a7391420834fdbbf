-- astar.ldtk: grids and objects of LDtk projects, made here in a few lines as LDtk writes them.

local astar = require "astar"
local plain = require "astar.plain"
local check = require "spec.support.check"

local error_of = check.error_of

-- Returns a value as JSON. A list has the key 1 or is empty and marked by `list`.
local function to_json(value)
  local kind = type(value)
  if kind == "string" then
    return '"' .. value .. '"'
  elseif kind ~= "table" then
    return value == nil and "null" or tostring(value)
  end
  local parts = {}
  if value[1] ~= nil or value.list then
    for i, item in ipairs(value) do parts[i] = to_json(item) end
    return "[" .. table.concat(parts, ",") .. "]"
  end
  for key, item in pairs(value) do parts[#parts + 1] = to_json(key) .. ":" .. to_json(item) end
  return "{" .. table.concat(parts, ",") .. "}"
end

local function int_grid(name, width, csv, uid)
  return {
    __identifier = name, __type = "IntGrid", __cWid = width, __cHei = #csv / width, __gridSize = 16, layerDefUid = uid,
    intGridCsv = csv, gridTiles = { list = true }, autoLayerTiles = { list = true },
  }
end

local DEFS = {
  layers = {
    { uid = 1, identifier = "Ground", intGridValues = {
      { value = 1, identifier = "walls" }, { value = 2, identifier = "water" }, { value = 3 },
    } },
  },
  tilesets = {
    { uid = 7, identifier = "Dungeon", enumTags = {
      { enumValueId = "Floor", tileIds = { 0, 1, 5 } }, { enumValueId = "Pit", tileIds = { 2 } },
      { enumValueId = "Danger", tileIds = { 2, 5 } },
    } },
  },
}

local function tile(x, y, t) return { px = { x * 16, y * 16 }, src = { 0, 0 }, f = 0, t = t } end

local TILES = {
  __identifier = "Floor", __type = "Tiles", __cWid = 3, __cHei = 2, __gridSize = 16, layerDefUid = 2,
  __tilesetDefUid = 7, gridTiles = {
    tile(0, 0, 0), tile(1, 0, 2), tile(2, 0, 9), tile(0, 1, 2), tile(0, 1, 1), tile(1, 1, 1), tile(1, 1, 9),
  },
}

local ENTITIES = {
  __identifier = "Things", __type = "Entities", __cWid = 3, __cHei = 2, __gridSize = 16, layerDefUid = 3,
  entityInstances = {
    { __identifier = "Door", px = { 16, 0 }, __pivot = { 0, 0 }, width = 16, height = 32, iid = "d", fieldInstances = {
      { __identifier = "locked", __type = "Bool", __value = true },
      { __identifier = "key", __type = "String" },
    } },
    {
      __identifier = "Guard", px = { 40, 32 }, __pivot = { 0.5, 1 }, width = 16, height = 16, iid = "g",
      fieldInstances = {
        { __identifier = "patrol", __type = "Array<Point>", __value = { { cx = 0, cy = 0 }, { cx = 2, cy = 1 } } },
        { __identifier = "home", __type = "Point", __value = { cx = 1, cy = 0 } },
      },
    },
  },
}

local function level(name, layers) return { identifier = name, iid = "iid of " .. name, layerInstances = layers } end

local GROUND = int_grid("Ground", 3, { 0, 1, 0, 2, 0, 3 }, 1)

local function project(levels) return { jsonVersion = "1.5.3", defs = DEFS, levels = levels } end

local CAVE = to_json(project { level("Cave", { ENTITIES, GROUND }) })

for name, module in pairs { ["the C module"] = astar, ["the twin"] = plain } do
  local ldtk = module.ldtk

  -- Returns the keys of a grid, a line a row.
  local function keys_of(grid)
    local x0, y0, x1, y1 = grid:bounds()
    local lines = {}
    for y = y0, y1 do
      local keys = {}
      for x = x0, x1 do keys[#keys + 1] = tostring(grid:get(x, y)) end
      lines[#lines + 1] = table.concat(keys, " ")
    end
    return table.concat(lines, "\n")
  end

  describe("astar.ldtk.grid over " .. name, function()
    it("uses the values of an IntGrid layer as terrain, by their names or numbers", function()
      local grid = ldtk.grid(CAVE, { costs = { walls = false, water = 4, [3] = 2 } })
      assert.equal("empty walls empty\nwater empty 3", keys_of(grid))
      assert.is_false(grid:is_walkable(2, 1))
      assert.same({ 1, 4, 2 }, { grid:terrain "empty", grid:terrain "water", grid:terrain(3) })
      assert.equal(2, ldtk.grid(CAVE, { costs = { [1] = 2 }, default = 1 }):terrain "walls")
    end)

    it("uses the given cost of empty cells and the given origin", function()
      local grid = ldtk.grid(CAVE, { costs = { empty = false }, default = 3, origin = { 0, -1 } })
      assert.same({ 0, -1, 2, 0 }, { grid:bounds() })
      assert.is_false(grid:is_walkable(0, -1))
      assert.same({ 3, 3 }, { grid:terrain "walls", grid:terrain(3) })
    end)

    it("accepts a decoded LDtk project, and each level by its name or iid", function()
      local loaded = ldtk.load(to_json(project {
        level("Cave", { GROUND }), level("Tower", { int_grid("Ground", 1, { 1, 0 }, 1) }),
      }))
      local options = { default = 1, level = "Tower" }
      assert.equal("walls\nempty", keys_of(ldtk.grid(loaded, options)))
      options.level = "iid of Tower"
      assert.equal("walls\nempty", keys_of(ldtk.grid(loaded, options)))
    end)

    it("finds the levels of several LDtk worlds", function()
      local worlds = project { list = true }
      worlds.worlds = { { levels = { level("Cave", { GROUND }) } }, { levels = { level("Moon", { GROUND }) } } }
      assert.equal("empty walls empty\nwater empty 3", keys_of(ldtk.grid(worlds, { default = 1, level = "Moon" })))
    end)

    it("uses the enum tags of tiles as terrain, the topmost tile with a tag first", function()
      local tiles = project { level("Cave", { TILES }) }
      local grid = ldtk.grid(tiles, { costs = { Floor = 1, Pit = false } })
      assert.equal("Floor Pit ground\nFloor Floor empty", keys_of(grid))
      assert.same({ true, false, true, false }, {
        grid:is_walkable(1, 1), grid:is_walkable(2, 1), grid:is_walkable(3, 1), grid:is_walkable(3, 2),
      })
      assert.equal(5, ldtk.grid(tiles, { costs = { Floor = 1, Danger = 5 } }):terrain "Danger")
    end)

    it("combines several layers, and uses the topmost layer that is not empty", function()
      local spikes = int_grid("Spikes", 3, { 0, 1, 0, 0, 1, 0 }, 4)
      local above = project { level("Cave", { spikes, TILES, GROUND }) }
      above.defs = {
        layers = { DEFS.layers[1], { uid = 4, intGridValues = { { value = 1, identifier = "spikes" } } } },
        tilesets = DEFS.tilesets,
      }
      local grid = ldtk.grid(above, { layer = { "Ground", "Spikes" }, costs = { spikes = 9, [1] = 5 }, default = 2 })
      assert.equal("empty spikes empty\nwater spikes 3", keys_of(grid))
      assert.same({ 9, 2 }, { grid:terrain "spikes", grid:terrain "water" })
      grid = ldtk.grid(above, { layer = { "Ground", "Floor" }, default = 2 })
      assert.equal("Floor Pit ground\nFloor Floor 3", keys_of(grid))
    end)

    it("reads levels that are stored in files of their own", function()
      local files = {
        ["maps/world.ldtk"] = to_json(project {
          { identifier = "Cave", iid = "c", externalRelPath = "world/Cave.ldtkl" },
        }),
        ["maps/world/Cave.ldtkl"] = to_json(level("Cave", { GROUND })),
      }
      local options = { default = 1, read = function(file) return files[file] end }
      assert.equal("empty walls empty\nwater empty 3", keys_of(ldtk.grid("maps/world.ldtk", options)))
      local problem = error_of(function() ldtk.grid(files["maps/world.ldtk"], { default = 1 }) end)
      assert.equal("level \"Cave\" is in a file of its own, world/Cave.ldtkl: give the name of the project's file, or "
        .. "turn off \"Save levels to separate files\" in LDtk's project settings", problem)
      files["maps/world/Cave.ldtkl"] = nil
      problem = error_of(function() ldtk.grid("maps/world.ldtk", options) end)
      assert.equal("maps/world/Cave.ldtkl: expected a project made with LDtk, got no file (the option read returned "
        .. "nil)", problem)
    end)

    it("raises errors that name the mistake and its remedy", function()
      local two = project { level("Cave", { GROUND }), level("Tower", { GROUND }) }
      local function expect(message, source, options)
        assert.equal(message, error_of(function() ldtk.grid(source, options) end))
      end
      expect('project: level "Cave": layer "Ground": the option costs must say what "walls", 3 costs: costs = { walls '
        .. '= false } if no unit can enter it, or the option default for all others', CAVE, { costs = { water = 1 } })
      expect('project: level "Cave": layer "Ground": costs has "wall", which is not a value of the layer, expected 3, '
        .. '"empty", "walls", "water"', CAVE, { costs = { wall = 1 } })
      expect('costs["walls"] must be a number > 0 or false, got 0', CAVE, { costs = { walls = 0 } })
      expect('project: the option level must be the name of a level, "Cave", "Tower", got nil', two, {})
      expect('project: the option level must be the name of a level, "Cave", "Tower", got "Town"', two,
        { level = "Town" })
      expect('project: level "Cave": the option layer must be the name of a layer or a list of names, "Ground", got '
        .. '"ground"', two, { level = "Cave", layer = "ground" })
      expect('project: level "Cave": layer "Things": expected an IntGrid layer or a layer of tiles, got one of type '
        .. '"Entities"', CAVE, { layer = "Things" })
      expect('project: level "Cave": expected an IntGrid layer, or a layer of tiles whose tileset has enum tags, got '
        .. 'neither: draw one in LDtk', project { level("Cave", { ENTITIES }) })
      expect('project: level "Cave": the option layer must be the name of a layer or a list of names, "Ground", '
        .. '"Spikes", got nil', project { level("Cave", { GROUND, int_grid("Spikes", 3, { 0, 0, 0, 0, 0, 0 }, 4) }) })
      expect('project: level "Cave": layer "Small": expected 3 x 2 cells as layer "Ground" has, got 1 x 1',
        project { level("Cave", { GROUND, int_grid("Small", 1, { 0 }, 4) }) }, { layer = { "Ground", "Small" } })
      expect("layer must be the name of a layer or a list of names, got an empty table", CAVE, { layer = {} })
      expect("layer must be the name of a layer or a list of names, got 1", CAVE, { layer = 1 })
      local old = int_grid("Ground", 3, { 0, 0, 0 }, 1)
      old.intGridCsv = nil
      expect('project: level "Cave": layer "Ground": expected an intGridCsv of 3 values, got nil: save the project '
        .. 'with LDtk 0.8 or later', project { level("Cave", { old }) })
      local odd = int_grid("Ground", 3, { 0, 0.5, 0 }, 1)
      expect('project: level "Cave": layer "Ground": expected an integer for value 2 of intGridCsv, got 0.5',
        project { level("Cave", { odd }) })
      odd.__cWid = -1
      expect('project: level "Cave": layer "Ground": expected an integer from 1 for __cWid, got -1',
        project { level("Cave", { odd }) })
      expect('project: level "Cave": layer "Ground": 3 x 2 cells are more than the option max_cells, 5', CAVE,
        { max_cells = 5 })
      expect('project: level "Cave": layer "Floor": tile 2 of tileset "Dungeon" has the tags "Pit" and "Danger": '
        .. 'remove one of them from costs', project { level("Cave", { TILES }) }, { costs = { Pit = 2, Danger = 3 } })
      expect("project: expected a project made with LDtk, got a map of Tiled: call astar.tiled.grid",
        { layers = {}, tilesets = {} })
      expect("project: expected a project made with LDtk, got a table without defs and levels", "{}")
      expect("project must be the name of a file, JSON or a table, got nil")
      expect("none.ldtk: expected a project made with LDtk, got no file (No such file or directory)", "none.ldtk")
      expect("README.md: expected a project made with LDtk, got text that is not JSON", "README.md")
      expect('unknown option "cost" (did you mean "costs"?)', CAVE, { cost = {} })
      expect("level must be a string, got 1", CAVE, { level = 1 })
      expect("default must be a number > 0 or false, got 0", CAVE, { default = 0 })
      expect("max_cells must be an integer from 1 to 268435456, got 0", CAVE, { max_cells = 0 })
      expect("origin must be two integers, got nil", CAVE, { origin = { 1 } })
    end)

    it("raises an ordinary error for damaged projects", function()
      local function is_refused_or_made(value)
        local ok, problem = pcall(ldtk.grid, value, { default = 1 })
        assert.is_true(ok or type(problem) == "string")
        ok, problem = pcall(ldtk.objects, value)
        assert.is_true(ok or type(problem) == "string")
      end
      for _, odd in ipairs { 1, "x", true, {}, { 1 }, { { 1 } } } do
        is_refused_or_made { defs = {}, levels = odd }
        local levels = { level("a", { GROUND, TILES, ENTITIES }) }
        is_refused_or_made { defs = { layers = odd, tilesets = odd }, levels = levels }
        is_refused_or_made(project { level("a", odd) })
        is_refused_or_made(project { level("a", { odd }) })
        for key in pairs(GROUND) do
          local changed = int_grid("Ground", 3, { 0, 1, 0, 2, 0, 3 }, 1)
          changed[key] = odd
          is_refused_or_made(project { level("a", { changed }) })
        end
        for _, layer in ipairs { TILES, ENTITIES } do
          for key in pairs(layer) do
            local changed = {}
            for each, value in pairs(layer) do changed[each] = value end
            changed[key] = odd
            is_refused_or_made(project { level("a", { changed }) })
          end
        end
        is_refused_or_made(project { level("a", { { __type = "Entities", __gridSize = 16, entityInstances = {
          { px = odd, fieldInstances = odd, width = odd, __pivot = odd }, odd, { px = { 1, 1 }, fieldInstances = odd,
            __pivot = odd, __identifier = odd },
        } } }) })
      end
    end)
  end)

  describe("astar.ldtk.objects over " .. name, function()
    it("lists the entities of LDtk with their cells and their fields", function()
      local objects = ldtk.objects(CAVE)
      assert.equal(2, #objects)
      local door, guard = objects[1], objects[2]
      assert.same({ "Door", 2, 1, 1, 2 }, { door.name, door.x, door.y, door.width, door.height })
      assert.same({ locked = true }, door.fields)
      assert.equal("d", door.object.iid)
      assert.same({ "Guard", 3, 2, 1, 1 }, { guard.name, guard.x, guard.y, guard.width, guard.height })
      assert.same({ home = { x = 2, y = 1 }, patrol = { { x = 1, y = 1 }, { x = 3, y = 2 } } }, guard.fields)
      assert.equal(0, ldtk.objects(CAVE, { origin = { 1, 0 }, layer = "Things", level = "Cave" })[1].y)
    end)

    it("raises an error that names the existing entity layers", function()
      local problem = error_of(function() ldtk.objects(CAVE, { layer = "Ground" }) end)
      assert.equal('project: level "Cave": the option layer must be the name of a layer of entities, "Things", got '
        .. '"Ground"', problem)
    end)
  end)
end
