-- Mistakes that new users make: each message names the thing, says what came, and names the call that would work.

local astar = require "astar"
local plain = require "astar.plain"
local process = require "spec.support.process"

-- Of each: the code, the end of the message, and whether the twin in plain Lua says the same.
local ROWS = {
  -- a path that there is not
  { "walker:follow(finder:find_path(1, 1, 9, 9))",
    "astar path expected, got nil: there was no path (goal blocked); check what find_path returned; range = 1 leads "
      .. "next to a blocked goal, ignore = { layer } into it", twin = true },
  { "astar.walker(finder:find_path(1, 1, 9, 9))",
    "astar path expected, got nil: there was no path (goal blocked); check what find_path returned; range = 1 leads "
      .. "next to a blocked goal, ignore = { layer } into it", twin = true },
  { "walker:follow(nil, 'extra')", 'follow takes 1 argument, got "extra" as argument 2', twin = true },
  -- budgets
  { "astar.queue():update(2)", "budget must be a table, got 2: queue:update { ms = 2 }", twin = true },
  { "astar.queue():update(1 / 64)", "budget must be a table, got 0.015625: queue:update { ms = 2 }", twin = true },
  { "astar.queue():update 'x'", 'budget must be a table, got "x": queue:update { ms = 2 }', twin = true },
  -- a grid in place of a finder, and the other way about
  { "astar.queue():request(grid, 1, 1, 2, 2)",
    "astar finder expected, got astar grid: make a finder of it, grid:finder { ... }", twin = true },
  { "astar.crowd(grid)", "astar finder expected, got astar grid: make a finder of it, grid:finder { ... }" },
  { "astar.graph():join(grid)", "astar finder expected, got astar grid: make a finder of it, grid:finder { ... }" },
  -- methods of finders asked of grids
  { "grid:raycast(1, 1, 2, 2)",
    'astar grid has no field "raycast": call this method on a finder, grid:finder { ... }:raycast(...)' },
  { "grid:flow(1, 1)", 'astar grid has no field "flow": call this method on a finder, grid:finder { ... }:flow(...)' },
  { "grid:reach(1, 1, 5)", 'has no field "reach": call this method on a finder, grid:finder { ... }:reach(...)' },
  { "grid:reachable(1, 1, 5, 5)",
    'has no field "reachable": call this method on a finder, grid:finder { ... }:reachable(...)' },
  { "grid:fov(1, 1, 5)", 'has no field "fov": call this method on a finder, grid:finder { ... }:fov(...)' },
  { "grid:sees(1, 1, 5, 5)", 'has no field "sees": call this method on a finder, grid:finder { ... }:sees(...)' },
  { "grid:find_nearest(1, 1, {})",
    'has no field "find_nearest": call this method on a finder, grid:finder { ... }:find_nearest(...)' },
  -- colon and dot
  { "grid.find_path(1, 1, 5, 5)",
    "astar grid expected, got 1: a method is called with a colon, grid:find_path(...)" },
  { "grid.block(1, 1)", "astar grid expected, got 1: a method is called with a colon, grid:block(...)" },
  { "finder.find_path(1, 1, 5, 5)",
    "astar finder expected, got 1: a method is called with a colon, finder:find_path(...)" },
  { "path.cells()", "astar path expected, got nil: a method is called with a colon, path:cells(...)" },
  { "walker.update(0.1)",
    "astar walker expected, got 0.1: a method is called with a colon, walker:update(dt)", twin = true },
  { "astar.queue().update { ms = 2 }",
    "astar queue expected, got a table: a method is called with a colon, queue:update { ms = 2 }", twin = true },
  { "walker:follow(3)", "astar path expected, got 3", twin = true },
  { "astar:grid(10, 10)", "got the module astar: call its functions with a dot, astar.grid(...)", twin = true },
  { "astar:grid '..'", "got the module astar: call its functions with a dot, astar.grid(...)", twin = true },
  { "astar:walker(path)", "got the module astar: call its functions with a dot, astar.grid(...)", twin = true },
  { "astar:queue()", "got the module astar: call its functions with a dot, astar.grid(...)", twin = true },
  { "astar:crowd(finder)", "got the module astar: call its functions with a dot, astar.grid(...)" },
  { "astar:field(grid)", "got the module astar: call its functions with a dot, astar.grid(...)" },
  { "astar:graph()", "got the module astar: call its functions with a dot, astar.grid(...)" },
  { "astar:load 'x'", "got the module astar: call its functions with a dot, astar.grid(...)" },
  -- names
  { "grid:set_walkable(1, 1, true)",
    ": grid:block(x, y) and grid:unblock(x, y), or grid:set(x, y, key) for the ground", twin = true },
  { "grid:set_blocked(1, 1)", ": grid:block(x, y) and grid:unblock(x, y), or grid:set(x, y, key) for the ground",
    twin = true },
  { "return grid.width", 'astar grid has no field "width": width, height = grid:size()' },
  { "astar.field(grid):clear()", 'astar field has no field "clear": field:fill(0)' },
  { "finder:search(1, 1, 2, 2):get_path()", 'astar search has no field "get_path": search:path()', twin = true },
  { "finder.range = 1", '"range" cannot be set: options are given when a finder is made, grid:finder { range = ... }',
    twin = true },
  { "astar.graph():finder().weight = 2",
    '"weight" cannot be set: options are given when a finder is made, graph:finder { weight = ... }' },
  { "astar.new(5, 5)", 'has no field "new": astar.grid(width, height)', twin = true },
  { "path:get(1)", 'astar path has no field "get": path:cell(i), or path[i]' },
  { "walker:move(1)", 'astar walker has no field "move": walker:update(dt)', twin = true },
  { "return walker.position", 'astar walker has no field "position": walker.x, walker.y', twin = true },
  { "return grid.cells", "grid:get_cells(x, y, w, h), or two loops over grid:bounds()" },
  -- cells as tables
  { "grid:find_path({ x = 1, y = 1 }, { x = 2, y = 2 })",
    "sx must be an integer from 1 to 9, got a table: pass two numbers, cell.x, cell.y", twin = true },
  { "finder:find_path(1, 1, { 2, 2 })", "gx must be an integer from 1 to 9, got a table: pass two numbers, cell.x, "
    .. "cell.y; of several goals find_nearest(sx, sy, goals)", twin = true },
  { "grid:is_walkable { x = 1, y = 1 }",
    "x must be an integer from 1 to 9, got a table: pass two numbers, cell.x, cell.y",
    twin = true },
  -- keys of drawings
  { "astar.grid('00\\n01', { terrain = { [0] = 1, [1] = false } })", 'unknown terrain "0": the keys of a drawing are '
    .. 'characters, write ["0"] in place of [0] in the option terrain', twin = true },
  -- costs below the least
  { "grid:find_path(1, 1, 1, 3, { step_cost = function() return 0.5 end })",
    ", less than min_cost 1: give the finder min_cost = 0.5 or less" },
  -- what a debugger has replaced
  { "(debug.setuservalue or debug.setfenv)(finder, {}) finder:fov(1, 1, 3, { opaque = {} })",
    "debug.setuservalue has replaced the data that astar keeps for a finder" },
  -- rows and files
  { "astar.grid({ '#.' }, { ['.'] = 1, ['#'] = false })", 'unknown option "#": the costs of terrain are one option, '
    .. '{ terrain = { ["#"] = false } }', twin = true },
  { "astar.grid({ { 0, 1 } }, { [0] = 1, [1] = false })",
    "unknown option 0: the costs of terrain are one option, { terrain = { [0] = 1 } }", twin = true },
  { "astar.grid({ { 'grass' } }, { grass = 1 })",
    '. The cost of a terrain stands in the option terrain, { ["grass"] = 1 }', twin = true },
  { "astar.grid 'maps/level.txt'", 'a drawing must hold rows of cells, got "maps/level.txt", the name of a file: read '
    .. 'it first, io.open(name):read "*a", in LÖVE love.filesystem.read(name)', twin = true },
  { "astar.grid 'level.tmx'", "the name of a file: call astar.tiled.grid", twin = true },
  { "astar.grid 'cave.ldtk'", "the name of a file: call astar.ldtk.grid", twin = true },
  { "astar.grid 'cave.PNG'", "the name of a file: call astar.love.grid", twin = true },
  { "astar.grid(io.stdout)", 'got FILE*: pass what the file holds, file:read "*a"', twin = true },
  { "astar.grid(function() end)", "got a function: pass a list of rows", twin = true },
  { "astar.grid { '..\\r', '..\\r' }", 'unknown terrain "\\13" at row 1, column 3: a line end of Windows, remove it '
    .. 'with line:gsub("\\r$", "")', twin = true },
  { "astar.grid({ '..', '01' }, { terrain = { ['.'] = 1, [0] = 1, [1] = false } })", 'unknown terrain "0": the keys of '
    .. 'a drawing are characters, write ["0"] in place of [0] in the option terrain', twin = true },
  { "grid:terrain { swamp = 4 }", "a terrain's key must be a string or an integer, got a table: one key per call, "
    .. "grid:terrain(key, cost)", twin = true },
  { "grid:draw { { 1, 1 }, { 2, 2 } }",
    "got a list of tables: pass the path that find_path returned, not a list of its cells", twin = true },
  -- coordinates
  { "grid:find_path(0, 0, 8, 8)", "sx must be an integer from 1 to 9, got 0: cells count from 1, unless the grid is "
    .. "made with origin = { 0, 0 }", twin = true },
  { "grid:find_path(1, 1, 100 / 32, 2)", "gx must be an integer from 1 to 9, got 3.125: a cell has whole numbers, "
    .. "math.floor(...)", twin = true },
  { "grid:block(path[1][1], path[1][2])", "x must be an integer from 1 to 9, got nil: pass two numbers, such as "
    .. "cell.x, cell.y", twin = true },
  { "grid:find_path('1', 1, 2, 2)", 'sx must be an integer from 1 to 9, got "1": pass a number, tonumber(...)',
    twin = true },
  { "grid:set('#', 3, 4)", 'x must be an integer from 1 to 9, got "#": the coordinates come first', twin = true },
  { "grid:block(3, 4, true)", "w must be an integer from 1 to 7, got true: grid:block(x, y) puts a block there, "
    .. "grid:unblock(x, y) removes it", twin = true },
  -- values in place of options
  { "astar.walker(path, 4)", "options must be a table, got 4: { speed = ... }", twin = true },
  { "finder:find_path(1, 1, 2, 2, grid)", "options must be a table, got astar grid: a finder searches the grid that it "
    .. "was made of, leave the grid out" },
  { "finder:find_path(1, 1, 2, 2, true)", "options must be a table, got true: { partial = true }" },
  { "grid:link(1, 1, 3, 3, 5)", "options must be a table, got 5: { cost = ... }" },
  { "local g = astar.graph() g:node 'a' g:node 'b' g:edge('a', 'b', 7)",
    "options must be a table, got 7: { cost = ... }" },
  { "grid:finder { diagonals = false }", 'got false: here it is "never"', twin = true },
  { "grid:finder { diagonals = 8 }", 'got 8: here it is "always"', twin = true },
  { "grid:finder { diagonals = 'OnlyWhenNoObstacles' }",
    'got "OnlyWhenNoObstacles": here it is "only_when_no_obstacles"', twin = true },
  { "astar.queue():request(finder, 1, 1, 2, 2, { priority = 3 })", 'unknown option "priority": pass it as '
    .. "an argument: queue:request(finder, sx, sy, gx, gy, options, callback, priority)" },
  { "astar.walker { { x = 1, y = 1 }, { x = 2, y = 2 } }",
    "astar path expected, got a table: pass the path that find_path returned, not a list of its cells", twin = true },
  { "local c = astar.crowd(finder) c:go(c:add(1, 1), 5, 5)",
    "units must be a list of units, got astar unit: { unit }, or unit:go(x, y)" },
  { "local c = astar.crowd(finder) c:add(1, 1).x = 5", '"x" cannot be set: unit:go(x, y) sends the unit; to place it '
    .. "elsewhere, unit:remove() and crowd:add(x, y)" },
  { "local g = astar.graph() g:node 'a' g:edge('a', 'c')", 'unknown node "c": graph:node(key, x, y) adds one' },
  -- names that other libraries have, or nobody
  { "return astar.finder", 'astar has no field "finder": grid:finder { ... }, of a grid', twin = true },
  { "return astar.find_path", "make a grid first, then call grid:find_path(sx, sy, gx, gy), or a method of "
    .. "grid:finder { ... }", twin = true },
  { "walker:move_to(3, 3)", "walker:follow(path), of a path from walker:cell() on", twin = true },
  { "walker:stop()", "a walker stands still as long as walker:update is not called", twin = true },
  { "grid:set_point_disabled(3, 3)", "here it is graph:block(key), or grid:block(x, y)", twin = true },
  { "grid:getNeighbors(3, 3)", "here it is finder:reach(x, y, 1)", twin = true },
  { "grid:get_tile(3, 3)", "grid:get(x, y)", twin = true },
  { "grid:save()", "grid:dump() and astar.load(string)", twin = true },
  { "astar.queue():request(finder, 1, 1, 2, 2):cells()",
    'astar ticket has no field "cells": ticket:path() is the path, once an update has found it', twin = true },
  { "astar.queue():enqueue()", "queue:request(finder, sx, sy, gx, gy, callback)", twin = true },
  { "finder:flow(1, 1):get_direction(3, 3)", "flow:next(x, y)", twin = true },
  { "astar.crowd(finder):spawn(3, 3)", "crowd:add(x, y)" },
  { "astar.crowd(finder):add(1, 1):move_to(3, 3)", "unit:go(x, y), or unit:chase(other)" },
  { "astar.graph():find_path('a', 'b')", "call this method on a finder, graph:finder():find_path(...)" },
  { "astar.graph():add_node 'a'", "graph:node(key, x, y)" },
  { "astar.world { load = function() return false end }:find_path(1, 1, 2, 2)",
    "world:finder { ... }:find_route(sx, sy, gx, gy)" },
  { "return path.x", "x, y = path:cell(i), or path[i].x, path[i].y", twin = true },
  -- lists, numbers in brackets, names of files
  { "grid:finder { ignore = 'doors' }", 'ignore must be a list of layers, got "doors": { "doors" }' },
  { "astar.grid(5, 5, { layers = 'doors' })", 'layers must be a list of names, got "doors": { "doors" }' },
  { "grid:finder { cost = { ['.'] = 2 } }",
    "cost must be a function, got a table: costs of terrain are the option costs", twin = true },
  { "finder:sees(1, 1, 5, 5, 10)", "options must be a table, got 10: { opaque = ... }" },
  { "return astar.field(grid)[3][3]", "astar field has no field 3: field:get(x, y)" },
  { "return grid[3][3]", "astar grid has no field 3: grid:get(x, y)", twin = true },
  { "finder:find_nearest(1, 1, 5, 5)", "goals must be a list of cells or a function, got 5: to one cell leads "
    .. "find_path(sx, sy, gx, gy)", twin = true },
  { "astar.walker(astar.queue():request(finder, 1, 1, 2, 2))",
    "astar path expected, got astar ticket: ticket:path() is the path, once an update has found it", twin = true },
  { "astar.queue(grid)", "options must be a table, got astar grid: a finder comes with each request, "
    .. "queue:request(finder, sx, sy, gx, gy)" },
  { "astar.queue():request(1, 1, 5, 5, print)", "astar finder expected, got 1: queue:request(finder, sx, sy, gx, gy), "
    .. "with a finder from grid:finder { ... }" },
  { "astar.load 'saves/grid.sav'", "not a grid's dump, or a damaged one: pass what the file holds, not its name" },
  { "astar.load_walker('walker.txt', finder)",
    "not a walker's dump, or a damaged one: pass what the file holds, not its name" },
  { "astar.load_crowd('crowd.sav', finder)",
    "not a crowd's dump, or a damaged one: pass what the file holds, not its name" },
  { "astar.graph.load 'graph.sav'", "not a graph's dump, or a damaged one: pass what the file holds, not its name" },
  { "return finder:search(1, 1, 5, 5).running",
    'astar search has no field "running": search.status, which is "running" until the search has ended', twin = true },
  { "grid:finder { breach = 'doors' }",
    'breach must be a table of prices by layer, got "doors": { ["doors"] = price }' },
  { "finder:spread({ 4, 4 }, 5)", "sources[1] must be a cell {x, y}, got 4: pass a list of cells, { { x, y } }" },
  { "finder:tour({ 1, 1 }, {})", "places[1] must be a cell, got 1: pass a list of cells, { { x, y } }" },
  { "finder:find_path(1, 1, 2, 2, { schedule = astar.schedule(grid), at = 3 })", 'unknown option "at": give this '
    .. "option in the table of the schedule, schedule = { schedule, at = ... }" },
  { "astar.walker(grid, path)", "astar path expected, got astar grid: pass the path that find_path returned",
    twin = true },
  { "astar.walker(finder:flow(1, 1))", "astar path expected, got astar flow: flow:path(x, y) is one", twin = true },
  -- dumps
  { "astar.load_crowd('x', finder)", "not a crowd's dump, or a damaged one" },
  { "astar.load_crowd(astar.walker(path):dump(), finder)", "not a crowd's dump, or a damaged one" },
}

for title, module in pairs { ["the C module"] = astar, ["the twin"] = plain } do
  describe("a mistake with " .. title, function()
    for _, row in ipairs(ROWS) do
      if module == astar or row.twin then
        it("causes an error that names its remedy, for " .. row[1], function()
          local grid = module.grid(9, 9)
          local path = grid:find_path(1, 1, 8, 8)
          grid:block(9, 9)
          local text = "local astar, grid, finder, path, walker = ... " .. row[1]
          local chunk = assert((loadstring or load)(text, "=row"))
          local ok, message = pcall(chunk, module, grid, grid:finder(), path, module.walker(path))
          assert.is_false(ok)
          assert.equal(row[2], tostring(message):sub(-#row[2]))
        end)
      end
    end
  end)
end

describe("grid:find_path", function()
  it("accepts suppose_blocked, as finder:find_path does", function()
    local grid = astar.grid(5, 3)
    local wall = { { 3, 1, 1, 2 } }
    local path = grid:find_path(1, 1, 5, 1, { suppose_blocked = wall })
    assert.equal(grid:finder():find_path(1, 1, 5, 1, { suppose_blocked = wall }).cost, path.cost)
    assert.is_true(path.cost > 4)
    assert.equal(8, grid:find_path(1, 1, 5, 1, { suppose_blocked = wall, diagonals = "never" }).cost)
    assert.same({ nil, "unreachable" }, { grid:find_path(1, 1, 5, 1, { suppose_blocked = { { 3, 1, 1, 3 } } }) })
    assert.equal(4, grid:find_path(1, 1, 5, 1).cost)
    assert.is_false(grid:is_blocked(3, 1))
  end)
end)

describe("walker:retarget", function()
  it("raises an error that suggests range and ignore if the target blocks its own cell", function()
    for _, module in ipairs { astar, plain } do
      local grid = module.grid(9, 9)
      local walker = module.walker(grid:find_path(1, 1, 7, 7))
      grid:block(8, 8, "units")
      assert.same({ nil, "goal blocked", "give the finder one of these options: range = 1 leads next to a blocked "
        .. "goal, ignore = { layer } into it" }, { walker:retarget(8, 8) })
      for _, options in ipairs { { range = 1 }, { ignore = { "units" } } } do
        local other = module.walker(grid:finder(options):find_path(1, 1, 7, 7))
        assert.is_truthy(other:retarget(8, 8))
      end
      grid:block(9, 8)
      grid:block(8, 9)
      grid:block(9, 7)
      grid:block(7, 9)
      assert.same({ nil, "unreachable" }, { walker:retarget(9, 9) })
    end
  end)
end)

describe("a byte order mark", function()
  it("is ignored at the start of drawings and of Moving AI maps", function()
    local mark = "\239\187\191"
    for _, module in ipairs { astar, plain } do
      for _, map in ipairs { mark .. "..\n.#", { mark .. "..", ".#" } } do
        assert.equal("..\n.#", (module.grid(map):draw():gsub("\n$", "")))
      end
    end
    local name = os.tmpname()
    local file = assert(io.open(name, "w"))
    file:write(mark, "type octile\nheight 1\nwidth 2\nmap\n.@\n")
    file:close()
    local grid = astar.movingai.read_map(name)
    os.remove(name)
    assert.is_true(grid:is_walkable(0, 0))
    assert.is_false(grid:is_walkable(1, 0))
  end)
end)

describe("two copies of astar in one state", function()
  it("cause an error that mentions two copies if an object of one copy is passed to the other", function()
    if process.is_sanitized then return end
    local output = process.run [[
      local search = package.searchpath
      local module = search and search("astar.core", package.cpath)
      local file = search and search("astar.init", package.path)
      if not module or not file then print "skipped" return end
      local path = astar.grid(3, 3):find_path(1, 1, 3, 3)
      local folder = os.tmpname()
      os.execute(("rm '%s' && mkdir -p '%s' && cp -r '%s' '%s/astar' && cp '%s' '%s/astar/'"):format(folder, folder,
        file:match "^(.*)[/\\]", folder, module, folder))
      for name in pairs(package.loaded) do
        if name:find "^astar" then package.loaded[name] = nil end
      end
      package.path, package.cpath = folder .. "/?.lua;" .. folder .. "/?/init.lua", folder .. "/?.so"
      local other = require "astar"
      assert(other ~= astar)
      print(select(2, pcall(function() return other.grid(3, 3):draw(path) end)))
      os.execute(("rm -r '%s'"):format(folder))
    ]]
    assert.is_truthy(output:find "skipped"
      or output:find("it is of another copy of astar; require the module by one name everywhere", 1, true), output)
  end)
end)

describe("a file that is not a map of Tiled", function()
  local function message_of(name, text)
    local ok, message = pcall(astar.tiled.load, name, { read = function() return text end })
    assert.is_false(ok)
    return message
  end

  local can_read = pcall(require, "lxp") and (pcall(require, "cjson") or pcall(require, "dkjson"))

  it("causes an error that names its kind: an empty file, a project of LDtk, a CSV layer with a letter", function()
    if not can_read then
      pending "needs lua-expat, and lua-cjson or dkjson"
      return
    end
    assert.equal("town.tmx: expected a map made with Tiled, got an empty file", message_of("town.tmx", ""))
    assert.equal("town.tmx: expected a map made with Tiled, got an empty file", message_of("town.tmx", " \n"))
    for _, text in ipairs {
      '{ "__header__": { "app": "LDtk" }, "levels": [] }', '{ "jsonVersion": "1.5.3", "defs": {} }',
    } do
      assert.matches("^town.ldtk: expected a map made with Tiled, got a project of LDtk: call astar.ldtk.grid$",
        message_of("town.ldtk", text))
    end
    assert.equal('town.tmx: layer "ground": expected numbers and commas in its data, CSV, got "x"',
      message_of("town.tmx",
      [[<map orientation="orthogonal" width="2" height="1" tilewidth="8" tileheight="8"><layer name="ground" width="2"
        height="1"><data encoding="csv">1,x</data></layer></map>]]))
  end)

  it("may have a tileset whose picture Tiled did not find", function()
    if not can_read then
      pending "needs lua-expat"
      return
    end
    local map = astar.tiled.load("town.tmx", { read = function() return
      [[<map orientation="orthogonal" width="2" height="1" tilewidth="8" tileheight="8"><tileset firstgid="1" name="set"
        tilewidth="0" tileheight="0" tilecount="2" columns="2"/><layer name="ground" width="2" height="1">
        <data encoding="csv">1,2</data></layer></map>]] end })
    assert.is_true(astar.tiled.grid(map, { default = 1 }):is_walkable(2, 1))
  end)
end)
