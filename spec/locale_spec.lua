-- Numbers that are saved, read from files and told in errors are the same in every locale.
--
-- A script that does all of this is run in a process of its own, as it is, and then in a locale with a decimal comma: a
-- real one where the system has one or localedef makes one, and one that is played by functions of Lua, which is always
-- there. Each time it must print the same.

local process = require "spec.support.process"

-- Has string.format, tostring and tonumber do what they do in a locale with a decimal comma. tonumber is as strict as
-- that of Lua 5.1: from 5.3 on it takes a point as well.
local PLAYED = [[
  local format, text_of, number_of = string.format, tostring, tonumber
  local function with_comma(text) return (text:gsub("%.", ",")) end
  function string.format(pattern, ...)
    local values, at = { ... }, 0
    return (pattern:gsub("(%%[-+ #0]*%d*%.?%d*)([%a%%])", function(flags, kind)
      if kind == "%" then return "%" end
      at = at + 1
      local text = format(flags .. kind, values[at])
      return kind:find "[eEfgG]" and with_comma(text) or text
    end))
  end
  function tostring(value)
    return type(value) == "number" and with_comma(text_of(value)) or text_of(value)
  end
  function tonumber(text, base)
    if type(text) ~= "string" or base then return number_of(text, base) end
    if text:find(".", 1, true) then return nil end
    return number_of((text:gsub(",", ".")))
  end
  assert(("%.1f|%d|%s"):format(0.5, 3, "a.b") == "0,5|3|a.b" and tonumber "1.5" == nil and tonumber "1,5" == 1.5)
]]

-- Sets a real one, if there is any; `exact` is a number as text that no locale touches.
local PRELUDE = [[
  local function exact(number) return number and ("%.0f/1024"):format(number * 1024) or "nil" end
  local function show(...) io.write(table.concat({ ... }, " "), "\n") end
  local function problem(f, ...)
    local ok, message = pcall(f, ...)
    show(ok and "worked" or message:gsub("^[^ ]*:%d+: ", ""))
  end
  local function has(name) return (pcall(require, name)) end
]]

local SCRIPT = [[
  local tiled, movingai = astar.tiled, astar.movingai

  -- errors, of the C module and of Lua
  local grid = astar.grid(4, 4, { terrain = { sand = 2.5 }, fill = "sand" })
  problem(grid.get, grid, 1.5, 2)
  problem(grid.finder, grid, { weight = 0.5 })
  problem(astar.grid, 4, 4, { terrain = { sand = -0.25 } })
  problem(tiled.grid, { layers = {}, tilesets = {}, width = 0.5 })
  show(tostring(grid:find_path(1, 1, 4, 4)))

  -- a graph and a walker, saved
  local path = grid:find_path(1, 1, 4, 2)
  local walker = astar.walker(path, { speed = 0.75 })
  walker:update(0.3)
  if astar.implementation == "c" then show(walker:dump()) end

  -- Moving AI's scenarios
  local scenario = movingai.parse_scenarios "version 1\n0 a.map 8 8 1 1 3 2 2.41421356\n"
  show(exact(scenario[1].length), exact(scenario[1].tolerance * 1e6), scenario[1].width)
  grid:set(2, 2, "sand")
  problem(movingai.format_map, grid)

  -- maps of Tiled: keys that are made of costs, names of corners
  local tiles = { { id = 0, properties = { cost = 1.25 } }, { id = 1, properties = { cost = 0.5 } } }
  local map = {
    orientation = "orthogonal", width = 2, height = 1, tilewidth = 16, tileheight = 16,
    tilesets = { { firstgid = 1, name = "set", tilecount = 2, columns = 2, tiles = tiles } },
    layers = {
      { name = "floor", type = "tilelayer", width = 2, height = 1, data = { 1, 2 } },
      { name = "ways", type = "objectgroup", objects = { { id = 3, x = 0.5, y = 0.5, properties = {},
        shape = "polyline", polyline = { { x = 0, y = 0 }, { x = 20.5, y = 3.25 } } } } },
    },
  }
  local town = tiled.grid(map)
  show(town:get(1, 1), exact(town:terrain(town:get(1, 1))), town:get(2, 1))
  tiles[2] = { id = 1, type = "mud", properties = { cost = "1.5" } }
  problem(tiled.grid, map)
  if has "lxp" then
    local xml = '<map orientation="orthogonal" width="2" height="1" tilewidth="16" tileheight="16">'
      .. '<tileset firstgid="1" name="set" tilecount="2" columns="2"><tile id="0"><properties>'
      .. '<property name="cost" type="float" value="2.75"/></properties></tile></tileset>'
      .. '<layer id="1" name="floor" width="2" height="1" opacity="0.5"><data encoding="csv">1,1</data></layer>'
      .. '<objectgroup id="2" name="o" offsetx="-1.5e1"><object id="1" x="8.5" y="-0.25" rotation="1e-1">'
      .. '<polygon points="0,0 16.5,0.125 .5,16"/></object></objectgroup></map>'
    local own = tiled.load("town.tmx", { read = function() return xml end })
    local object = own.layers[2].objects[1]
    show(exact(own.layers[1].opacity), exact(own.layers[2].offsetx), exact(object.x), exact(object.y),
      exact(object.rotation * 1e3), exact(object.polygon[2].x), exact(object.polygon[2].y), exact(object.polygon[3].x))
    show(tiled.grid(own):get(1, 1))
  end
  if has "dkjson" or has "cjson" then
    local json = '{ "orientation": "orthogonal", "width": 2, "height": 1, "tilewidth": 16, "tileheight": 16, '
      .. '"layers": [{ "type": "tilelayer", "name": "floor", "opacity": 0.5, "width": 2, "height": 1, '
      .. '"data": [1, 1] }], '
      .. '"tilesets": [{ "firstgid": 1, "name": "set", "tileproperties": { "0": { "cost": "2.75" } }, '
      .. '"tilepropertytypes": { "0": { "cost": "float" } } }] }'
    local own = tiled.load("town.tmj", { read = function() return json end })
    show(exact(own.layers[1].opacity), tiled.grid(own):get(1, 1))
  end

  -- what needs the C module: worlds, graphs, floods
  if astar.implementation == "c" then
    local function new_world()
      return astar.world { terrain = { ["."] = 1 }, load = function(world, cx, cy)
        if cx == 0 and cy == 0 then return { fill = "." } end
      end }
    end
    local ok, world = pcall(new_world)
    show(ok and "world" or world)
    local graph = astar.graph()
    graph:node("a", 0, 0)
    graph:node("b", 3, 0.5)
    graph:edge("a", "b", { cost = 4.25 })
    problem(graph.edge, graph, "a", "b", { cost = -1.5 })
    show(tostring(graph:finder():reach("a", 4.5)))
    show(tostring(grid:finder():flow { { 1, 1 } }))
  end
]]

-- Saves a chunk and loads it again. What the other locale has saved, `saved`, is loaded, too.
local WORLD = [[
  local function chunk_of(saved)
    local ground = {}
    for y = 1, 64 do ground[y] = ("."):rep(64) end
    local world = astar.world { terrain = { ["."] = 1.5 }, load = function() return saved or ground end }
    if not saved then world:link(3, 3, 9, 9, { cost = 1.5, label = 2.25 }) end
    local _ = world:get(1, 1)
    local text = assert(world:save(0, 0))
    local link = world:window(1, 1, 20, 20):links()[1]
    return text, exact(link.cost), exact(link.label)
  end
]]

-- The output of a script, with the Lua code that sets a locale before it.
local function run(set_locale, script, before)
  local output, status = process.run_alone(("package.path = %q package.cpath = %q "):format(package.path, package.cpath)
    .. PRELUDE .. set_locale .. " local astar = require 'astar' " .. script, before)
  assert.equal(0, status, output)
  return output
end

local NAMES = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8", "es_ES.UTF-8", "pt_BR.UTF-8", "ru_RU.UTF-8" }
local REAL = ("for _, name in ipairs { %q } do if os.setlocale(name) then break end end "):format(
  table.concat(NAMES, '", "')):gsub('\\"', '"')

-- What has a process find a locale with a comma, by the shell's commands and Lua's; nil where there is none.
local function find_locale(folder)
  process.shell(("mkdir -p %s && localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8"):format(folder, folder))
  for _, before in ipairs { ":", "export LOCPATH=" .. folder } do
    if run(REAL, "io.write(require('string').format('%.1f', 0.5))", before) == "0,5" then return before end
  end
end

describe("in a locale with a decimal comma", function()
  local folder = os.tmpname()
  os.remove(folder)
  local plain, before

  setup(function()
    plain, before = run("", SCRIPT), find_locale(folder)
  end)
  teardown(function() process.shell("rm -rf " .. folder) end)

  it("numbers are read and written as in any other locale, by a Lua that simulates one", function()
    assert.equal(plain, run(PLAYED, SCRIPT))
  end)

  it("numbers are read and written as in any other locale", function()
    if not before then
      pending "needs a locale with a decimal comma that this Lua follows (Debian: locales; LuaJIT follows none)"
      return
    end
    assert.equal(plain, run(REAL, SCRIPT, before))
  end)

  it("the implementation in plain Lua prints, reads and writes numbers as in any other locale", function()
    local load = "package.preload['astar.core'] = function() error('none', 0) end package.cpath = '' "
    local twin = run(load, SCRIPT)
    assert.matches("got 1%.5", twin)
    assert.equal(twin, run(load .. PLAYED, SCRIPT))
    if before then assert.equal(twin, run(load .. REAL, SCRIPT, before)) end
  end)

  it("a chunk of a world is saved as in any other locale, and loads in all", function()
    local show = WORLD .. "show(chunk_of(nil))"
    local saved = run("", show)
    assert.matches("1536/1024 2304/1024\n$", saved)
    assert.equal(saved, run(PLAYED, show))
    if before then assert.equal(saved, run(REAL, show, before)) end
    -- as earlier versions saved it in such a locale
    local text = saved:match "^(.*) [^ ]* [^ ]*\n$"
    local links = text:gsub("1%.5 ", "1,5 "):gsub("n2%.25;", "n2,25;")
    assert.are_not.equal(text, links)
    for _, set in ipairs { "", PLAYED } do
      assert.equal("1536/1024 2304/1024\n", run(set, WORLD .. ("show(select(2, chunk_of(%q)))"):format(links)))
    end
  end)
end)

describe("the files of the module", function()
  it("write and read numbers only through the functions of numbers.lua", function()
    local problems, count = {}, 0
    for name in process.shell "find lua -name '*.lua'":gmatch "%S+" do
      count = count + 1
      local number = 0
      for line in io.lines(name) do
        number = number + 1
        local code = line:gsub("%-%-.*", "")
        local by_format = code:find "%%[-+ #0]*%d*%.?%d*[eEgG]" or code:find "%%[-+ #0]*%d*%.?[1-9]%d*f"
        local by_reading = code:gsub('"[^"]*"', ""):find "%f[%w]tonumber%(" and not code:find "tonumber%(%w+, 16%)"
        if (by_format and not code:find("numbers.write", 1, true) or by_reading)
          and not name:find "/numbers%.lua$" and not name:find "%.d%.lua$" then
          problems[#problems + 1] = ("%s:%d: %s"):format(name, number, line)
        end
      end
    end
    assert.is_true(count > 80)
    assert.same({}, problems)
  end)
end)
