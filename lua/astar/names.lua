-- names.lua -- hints for error messages about unknown names and values of a wrong type, such as "did you mean ...?".
--
-- All files in Lua and the C module use this file. For names of other pathfinding libraries, a hint gives the call or
-- option of astar that does the same. All names in the manual's tables for users of Jumper and Godot have such a
-- hint, and so have some names of PathFinding.js and libtcod.

-- Names of other libraries, each with the call or option of astar that does the same, in the form name|hint~. The value
-- of an option has the form option=value|hint~.
local HINTS = [[
Pathfinder|grid:finder { ... }~setWalkable|grid:block, grid:set or the option terrain of astar.grid~
setGrid|a finder of that grid, grid:finder~getGrid|finder:options and the grid that it was made of~
getPath|find_path(sx, sy, gx, gy)~setMode|the option diagonals of grid:finder~getMode|finder:options().diagonals~
setFinder|the option algorithm of grid:finder~getFinder|path.algorithm~
setHeuristic|the option heuristic of grid:finder~getHeuristic|finder:options().heuristic~
tunnel|diagonals = "always"~setTunnelling|diagonals = "always" of grid:finder~
annotateGrid|the option size of grid:finder~getClearance|finder:clearance(x, y)~nodes|for x, y in path:cells() do~
iter|path:cells() of paths, grid:bounds() of grids~each|two loops over grid:bounds()~getLength|path.length~
fill|not needed, paths hold every cell; grid:fill lays ground~filter|path:waypoints()~
append|finder:find_path from where the other one ends~getNodeAt|grid:get(x, y)~isWalkableAt|grid:is_walkable(x, y)~
walkable|the option terrain of astar.grid, or cost of grid:finder~getWidth|grid:size()~getHeight|grid:size()~
getBounds|grid:bounds()~getNeighbours|finder:reach(x, y, 1), of cells of cost 1~
getMap|grid:get_cells or grid:draw()~JPS|{ algorithm = "jps" }~ASTAR|{ algorithm = "astar" }~
DIJKSTRA|{ algorithm = "dijkstra" }~THETASTAR|{ any_angle = true }~heuristic=cardintcard|"octile"~
heuristic=cardintal|"octile"~heuristic=euclidian|"euclidean"~heuristic=diagonal|"chebyshev"~
diagonals=orthogonal|"never"~diagonals=diagonal|"if_at_most_one_obstacle"~
algorithm=thetastar|the option any_angle = true~algorithm=bfs|"auto"~algorithm=dfs|"auto"~
region|astar.grid(w, h, { origin = { x, y } })~update|not needed: each edit counts at once~
is_dirty|not needed: each edit counts at once~cell_size|the option scale of astar.love.view~
offset|the options x and y of astar.love.view~cell_shape|the option shape of astar.grid~
get_point_position|view:to_pixel(x, y), the middle of a cell~set_point_solid|grid:block(x, y), grid:unblock(x, y)~
is_point_solid|grid:is_blocked(x, y)~fill_solid_region|grid:block(x, y, w, h), grid:unblock(x, y, w, h)~
set_point_weight_scale|grid:set(x, y, key), of a terrain with that cost~
get_point_weight_scale|grid:terrain(grid:get(x, y))~fill_weight_scale_region|grid:fill(x, y, w, h, key)~
diagonal_mode|the option diagonals of grid:finder~default_estimate_heuristic|the option heuristic of grid:finder~
default_compute_heuristic|the option diagonal_cost of grid:finder~
jumping_enabled|algorithm = "auto" of grid:finder, the default~_compute_cost|the option step_cost of grid:finder~
_estimate_cost|the option heuristic of grid:finder~get_id_path|find_path(sx, sy, gx, gy)~
get_point_path|find_path(sx, sy, gx, gy), view:to_pixel of its cells~is_in_bounds|grid:contains(x, y)~
is_in_boundsv|grid:contains(x, y)~isInside|grid:contains(x, y)~
in_bounds|grid:contains(x, y)~inBounds|grid:contains(x, y)~is_inside|grid:contains(x, y)~has_cell|grid:contains(x, y)~
clear|a new grid~diagonals=at_least_one_walkable|"if_at_most_one_obstacle"~
diagonals=only_if_no_obstacles|"only_when_no_obstacles"~add_point|graph:node(key, x, y)~
connect_points|graph:edge(a, b)~findPath|find_path(sx, sy, gx, gy)~AStarFinder|grid:finder { algorithm = "astar" }~
JumpPointFinder|grid:finder { algorithm = "jps" }~DijkstraFinder|grid:finder { algorithm = "dijkstra" }~
setWalkableAt|grid:block(x, y), grid:unblock(x, y)~allowDiagonal|the option diagonals~
dontCrossCorners|diagonals = "only_when_no_obstacles", the default~diagonalMovement|the option diagonals~
smoothenPath|path:smooth()~compressPath|path:waypoints()~compute|find_path(sx, sy, gx, gy)~
mode|the option diagonals~AStarGrid2D|astar.grid(width, height)~AStar2D|astar.graph()~
diagonals=diagonal_mode_never|"never"~diagonals=diagonal_mode_always|"always"~
diagonals=diagonal_mode_at_least_one_walkable|"if_at_most_one_obstacle"~
diagonals=diagonal_mode_only_if_no_obstacles|"only_when_no_obstacles"~heuristic=heuristic_euclidean|"euclidean"~
heuristic=heuristic_manhattan|"manhattan"~heuristic=heuristic_octile|"octile"~
heuristic=heuristic_chebyshev|"chebyshev"~
line_of_sight|sees(x0, y0, x1, y1) of finders~has_line_of_sight|sees(x0, y0, x1, y1) of finders~
lineOfSight|sees(x0, y0, x1, y1) of finders~can_see|sees(x0, y0, x1, y1) of finders~
in_sight|sees(x0, y0, x1, y1) of finders~is_visible|sees(x0, y0, x1, y1) of finders~
schedule|astar.schedule(grid), and its option of finder:find_path~
get_path|find_path(sx, sy, gx, gy)~setProperties|grid:block(x, y) or grid:set(x, y, key)~
set_point_disabled|graph:block(key), or grid:block(x, y)~
is_point_disabled|graph:is_blocked(key), or grid:is_blocked(x, y)~
has_point|graph:has(key)~remove_point|graph:remove(key)~disconnect_points|graph:remove_edge(a, b)~
are_points_connected|graph:edges(key)~get_closest_point|graph:nearest(x, y)~get_point_connections|graph:edges(key)~
get_point_count|#graph~get_point_ids|graph:nodes()~AStar3D|astar.graph()~getNeighbors|finder:reach(x, y, 1)~
expandPath|not needed, paths hold every cell~BiAStarFinder|grid:finder { ... }~BestFirstFinder|grid:finder { ... }~
BreadthFirstFinder|grid:finder { ... }~IDAStarFinder|grid:finder { ... }~topology|the option diagonals~
passableCallback|the option cost of grid:finder~diagonals=onlywhennoobstacles|"only_when_no_obstacles"~
diagonals=ifatmostoneobstacle|"if_at_most_one_obstacle"~diagonals=none|"never"~allow_diagonal|the option diagonals~
allow_diagonals|the option diagonals~diagonal_movement|the option diagonals~cut_corners|the option diagonals~
max_distance|the option max_cost~max_length|the option max_cost~max_steps|the option max_expansions~
max_nodes|the option max_expansions~max_iterations|the option max_expansions~ignore_layers|the option ignore~]]

local hints = {}
for word, here in HINTS:gmatch "([^|~\n]+)|([^~]+)~" do hints[word:lower()] = hints[word:lower()] or here end

-- Returns the edit distance of two words: how many letters must be changed, added or dropped to turn one into the other
-- (Levenshtein, 1966). Only the first 31 letters count, and case is ignored.
local function edit_distance(a, b)
  a, b = a:sub(1, 31):lower(), b:sub(1, 31):lower()
  local row = {}
  for j = 0, #b do row[j] = j end
  for i = 1, #a do
    local diagonal = row[0]
    row[0] = i
    for j = 1, #b do
      local change = diagonal + (a:byte(i) ~= b:byte(j) and 1 or 0)
      diagonal = row[j]
      row[j] = math.min(change, math.min(row[j], row[j - 1]) + 1)
    end
  end
  return row[#b]
end

-- Returns the name in a list that a word was probably meant to be, or nil. It is the first name that begins with the
-- word, else the name with the least edit distance. For a word of less than 6 letters that distance is at most 2, for
-- a longer word it is at most a third of the word's letters. At least one letter must be right.
local function nearest_name(word, list)
  local nearest
  local least = #word < 6 and 3 or math.floor(#word / 3) + 1
  for _, name in ipairs(list) do
    if #word > 2 and name:sub(1, #word) == word then return name end
    local distance = edit_distance(word, name)
    if distance < least and (distance < #word or distance < #name) then nearest, least = name, distance end
  end
  return nearest
end

-- Returns, in quotation marks, the name in a list that differs from a value only in upper and lower case, or nil.
local function same_name(value, list)
  for _, name in ipairs(list) do
    if name:lower() == value:lower() then return '"' .. name .. '"' end
  end
end

-- Methods and options of grids and their finders. Worlds, graphs and towers lack most of them.
local OF_GRIDS = [[ flow reach flee fov spread find_path finding_nearest matrix measuring tour touring intercept cost_of
  resolve bake baking load_baked clearance blockers chokepoints min_cut desire_map cost step_cost avoid avoid_weight
  ignore breach bends bend_cost heading any_angle margin sweep heuristic min_cost algorithm callback clone share publish
  draw set_cells get_cells restrict unrestrict restrictions neighbour distance block_layers bounds size terrain links
  walls suppose_blocked ]]
local OF_FINDERS = [[ ignore avoid avoid_weight breach costs size diagonals diagonal_cost clearance cost step_cost
  algorithm any_angle margin heuristic min_cost ]]
local OF_TOWERS = " finder raycast reachable block unblock is_blocked get set fill is_walkable wall unwall unlink "

-- Methods of paths on grids. Paths of graphs and routes of worlds lack them.
local OF_PATHS = " retarget repair repairing smooth breaches reverse waypoints directions cost_at index_within "

local WINDOW = "use a grid of a part of the world, world:window(x, y, w, h)"

-- Hints for unknown fields of objects, tried before HINTS. A row applies to an object that has all names in `with` and
-- none in `without`, if the unknown field is one of `words`. "%s" in a hint is replaced by the field.
local FIRST = {
  { with = "set_cells clone", words = " raycast sees flow reach reachable fov find_nearest search spread matrix tour "
    .. "measuring touring cost_of sweep blockers clearance min_cut chokepoints desire_map finding_nearest intercept "
    .. "bake baking load_baked options preparing with_grid ",
    hint = "call this method on a finder, grid:finder { ... }:%s(...)" },
  { with = "set_cells clone", words = " set_walkable set_blocked set_solid set_obstacle setBlocked setSolid "
    .. "set_passable setPassable add_obstacle addObstacle remove_obstacle removeObstacle add_block ",
    hint = "grid:block(x, y) and grid:unblock(x, y), or grid:set(x, y, key) for the ground" },
  { with = "set_cells clone", words = " width height w h cols rows columns getSize get_size ",
    hint = "width, height = grid:size()" },
  { with = "set_cells clone", words = " cells ", hint = "grid:get_cells(x, y, w, h), or two loops over grid:bounds()" },
  { with = "set_cells clone", words = " tile get_tile getTile cell get_cell getCell ", hint = "grid:get(x, y)" },
  { with = "set_cells clone", words = " set_tile setTile set_cell setCell ", hint = "grid:set(x, y, key)" },
  { with = "set_cells clone", words = " set_cost setCost set_weight setWeight ",
    hint = "grid:terrain(key, cost) for a kind of ground, or the option costs of grid:finder" },
  { with = "set_cells clone", words = " is_free is_open is_passable isPassable is_empty isFree is_wall isWall "
    .. "is_solid ",
    hint = "grid:is_walkable(x, y)" },
  { with = "set_cells clone", words = " neighbours neighbors get_neighbours get_neighbors ",
    hint = "grid:neighbour(x, y, direction), of each of astar.directions" },
  { with = "set_cells clone", words = " render print show to_string tostring ", hint = "print(grid:draw())" },
  { with = "set_cells clone", words = " save serialize load ", hint = "grid:dump() and astar.load(string)" },
  { with = "grid load queue", words = " new create newGrid new_grid map ", hint = "astar.grid(width, height)" },
  { with = "grid load queue", words = " finder Finder ", hint = "grid:finder { ... }, of a grid" },
  { with = "grid load queue", words = " find_path findPath find path search flow fov raycast sees reach reachable "
    .. "find_nearest solve ", hint = "make a grid first, then call grid:find_path(sx, sy, gx, gy), or a method of "
    .. "grid:finder { ... }" },
  { with = "cancel set_priority", words = " cells cell cost length waypoints totable result get_path getPath ",
    hint = "ticket:path() is the path, once an update has found it" },
  { with = "request update", words = " push enqueue submit find_path findPath find ",
    hint = "queue:request(finder, sx, sy, gx, gy, callback)" },
  { with = "request update", words = " step run process tick poll ", hint = "queue:update { ms = 2 }" },
  { with = "request update", words = " clear cancel remove ", hint = "ticket:cancel() of what queue:request returned" },
  { with = "flee complete", words = " get get_next direction get_direction vector ", hint = "flow:next(x, y)" },
  { with = "flee complete", words = " cost value get_distance get_cost ", hint = "flow:distance(x, y)" },
  { with = "beat unit_at", words = " spawn create add_unit addUnit new ", hint = "crowd:add(x, y)" },
  { with = "beat unit_at", words = " remove delete ", hint = "unit:remove()" },
  { with = "beat unit_at", words = " move move_to send ", hint = "unit:go(x, y), or crowd:go(units, x, y)" },
  { with = "chase hold", words = " move move_to moveTo go_to goTo set_target set_goal follow ",
    hint = "unit:go(x, y), or unit:chase(other)" },
  { with = "chase hold", words = " x y ",
    hint = "unit:go(x, y) sends the unit; to place it elsewhere, unit:remove() and crowd:add(x, y)" },
  { with = "edge nearest node", words = " find_path findPath find_nearest reach search ",
    hint = "call this method on a finder, graph:finder():%s(...)" },
  { with = "edge nearest node", words = " add add_node addNode add_vertex vertex ", hint = "graph:node(key, x, y)" },
  { with = "edge nearest node", words = " connect add_edge addEdge link ", hint = "graph:edge(a, b)" },
  { with = "edge nearest node", words = " neighbours neighbors ", hint = "graph:edges(key)" },
  { with = "put_chunk", words = " find_path findPath ", hint = "world:finder { ... }:find_route(sx, sy, gx, gy)" },
  { with = "waypoints cells", words = " first start last goal ", hint = "path:cell(1) and path:cell(#path)" },
  { with = "waypoints cells", words = " size count len ", hint = "#path" },
  { with = "waypoints cells", words = " next next_cell pop ", hint = "path:cell(i), or astar.walker(path)" },
  { with = "waypoints cells", words = " x y ", hint = "x, y = path:cell(i), or path[i].x, path[i].y" },
  { with = "waypoints cells", words = " get at ", hint = "path:cell(i), or path[i]" },
  { with = "arrived update follow", words = " move step advance ", hint = "walker:update(dt)" },
  { with = "arrived update follow", words = " move_to moveTo go go_to goTo walk_to set_path setPath set_target "
    .. "setTarget set_goal ", hint = "walker:follow(path), of a path from walker:cell() on" },
  { with = "arrived update follow", words = " stop pause halt ",
    hint = "a walker stands still as long as walker:update is not called" },
  { with = "arrived update follow", words = " done finished is_moving moving is_done ", hint = "walker.arrived" },
  { with = "arrived update follow", words = " position pos getPosition get_position ", hint = "walker.x, walker.y" },
  { with = "stamp decay", words = " clear reset ", hint = "field:fill(0)" },
  { with = "schedule suppose_blocked", words = " at ",
    hint = "give this option in the table of the schedule, schedule = { schedule, at = ... }" },
  { with = "step expanded", words = " running is_running done is_done finished ",
    hint = 'search.status, which is "running" until the search has ended' },
  { with = "step expanded", without = "find_path", words = " get_path getPath result get_result ",
    hint = "search:path()" },
}

-- Hints for names that another kind of object has, tried after HINTS. A row applies to an object or table of options
-- that has all names in `with` and none in `without`, if the unknown name is one of `words` or similar to one.
local ELSEWHERE = {
  { with = "put_chunk", words = " raycast reachable find_route find_nearest search ",
    hint = "call this method on a finder, world:finder { ... }" },
  { with = "put_chunk", words = " load unload ",
    hint = "load is an option of astar.world, world:put_chunk adds a chunk, and the option bytes limits the memory" },
  { with = "exact costs", words = " partial range max_cost ",
    hint = "give this option with the query, finder:find_route(sx, sy, gx, gy, options)" },
  { with = "exact range", words = " costs size diagonals diagonal_cost avoid avoid_weight ",
    hint = "an option of world:finder" },
  { with = "put_chunk", words = OF_GRIDS, hint = WINDOW }, { with = "find_route", words = OF_GRIDS, hint = WINDOW },
  { with = "exact", words = OF_GRIDS, hint = WINDOW },
  { with = "suppose_blocked", without = "costs", words = " priority callback done on_done on_path ",
    hint = "pass it as an argument: queue:request(finder, sx, sy, gx, gy, options, callback, priority)" },
  { with = "suppose_blocked", without = "costs", words = OF_FINDERS, hint = "an option of grid:finder" },
  { with = "leg", words = OF_GRIDS, hint = "call this method on the finder of the graph or of the grid" },
  { with = "matrix", without = "raycast", words = OF_GRIDS,
    hint = "only finders of grids have this method, because a graph has no cells" },
  { with = "at of grid", words = OF_TOWERS .. OF_GRIDS,
    hint = "call this method on tower.grid, for the cell tower:at(x, y, z)" },
  { with = "bound", words = " cell cells waypoints directions ",
    hint = "call this method on a path of the route, route:stretch() or route:path()" },
  { with = "legs", without = "cell", words = OF_PATHS,
    hint = "only paths on grids have this method: query the finder again" },
  { with = "partial", without = "cell", words = OF_PATHS,
    hint = "only paths on grids have this method: query the finder again" },
}

-- Returns true if a list has all of the names in a text, or, if `any` is true, at least one of them.
local function has(list, names, any)
  local count, found = 0, 0
  for name in names:gmatch "%S+" do
    count = count + 1
    for _, each in ipairs(list) do
      if each == name then found = found + 1 end
    end
  end
  return found >= (any and 1 or count)
end

-- Returns a hint for an unknown name; "" if there is none. The hint is the first of the following that applies: the
-- hint of a row of ELSEWHERE that contains exactly this name; a similar name in the list; the hint of a row of
-- ELSEWHERE that contains a similar name.
local function said_of_others(word, list)
  local meant
  for _, row in ipairs(ELSEWHERE) do
    if has(list, row.with) and not has(list, row.without or "", true) then
      local words = {}
      for each in row.words:gmatch "%S+" do
        if each == word then return ": " .. row.hint end
        words[#words + 1] = each
      end
      local nearest = not meant and nearest_name(word, words)
      meant = meant or nearest and (' (did you mean "%s"?): %s'):format(nearest, row.hint)
    end
  end
  local nearest = nearest_name(word, list)
  return nearest and (' (did you mean "%s"?)'):format(nearest) or meant or ""
end

-- Returns the hint of the first row of FIRST that has a word and applies to an object with the names in a list, or nil.
local function row_for(rows, word, list)
  for _, row in ipairs(rows) do
    local is_word = row.words:find(" " .. word .. " ", 1, true)
    if is_word and has(list, row.with) and not has(list, row.without or "", true) then
      return ": " .. row.hint:format(word)
    end
  end
end

-- Hints for a wrong object: the expected type, the beginning of the given object's type, and the hint. For each
-- expected type, a longer given type is listed before a shorter one with which it begins.
local INSTEAD = {
  { "astar finder", "astar grid", "make a finder of it, grid:finder { ... }" },
  { "astar grid", "astar finder", "pass the grid that the finder is of" },
  { "astar path", "astar graph path", "it has no cells, walk it from node to node" },
  { "astar path", "astar grid", "pass the path that find_path returned" },
  { "astar path", "astar finder", "pass the path that find_path returned" },
  { "astar path", "astar flow", "flow:path(x, y) is one" },
  { "astar path", "astar route", "route:path() is what is left of it" },
  { "astar grid", "astar world finder", WINDOW }, { "astar grid", "astar world", "world:window(x, y, w, h) is one" },
  { "astar grid", "astar graph", "a graph has no cells" },
  { "astar finder", "astar world", "make one of a grid, world:window(x, y, w, h), or queue:add(finder:search(...))" },
  { "astar finder", "astar graph", "a graph has no cells" },
}

local COORDINATES = {
  x = true, y = true, sx = true, sy = true, gx = true, gy = true, x0 = true, y0 = true, x1 = true, y1 = true,
}

-- Hints for a value that was passed in place of a table of options, such as 5 in place of { speed = 5 }. The first
-- row is used whose type `kind` is that of the value and whose names in `with` are all options of the call.
local IN_PLACE_OF_OPTIONS = {
  { kind = "number", with = "speed", hint = "{ speed = ... }" },
  { kind = "number", with = "cost one_way", hint = "{ cost = ... }" },
  { kind = "string", with = "cost one_way", hint = "{ label = ... }" },
  { kind = "number", with = "scale colors", hint = "{ scale = ... }" },
  { kind = "number", with = "bound", hint = "{ bound = ... }" },
  { kind = "boolean", with = "partial", hint = "{ partial = true }" },
  { kind = "boolean", with = "one_way", hint = "{ one_way = true }" },
  { kind = "number", with = "priority", hint = "{ priority = ... }" },
  { kind = "number", with = "landmarks", hint = "{ landmarks = ... }" },
}

-- Options of grid:finder, which cannot be changed after the finder was made.
local OPTIONS = {}
for _, row in ipairs(require((...):match "^(.+)[./][^./]+$" .. ".option_table")) do OPTIONS[row.name] = true end

-- True while said_of_value calls tostring. A script can give an object the metatable of another type; the tostring of
-- that type then raises an error that asks for a hint, and without this flag the two would call each other without end.
local is_asked = false

-- Returns a hint for a number, a string or nil that is not a valid coordinate, or nil. `least` is the least valid
-- coordinate.
local function said_of_coordinate(value, least)
  local kind = type(value)
  if value == nil then
    return ": pass two numbers, such as cell.x, cell.y"
  elseif kind == "string" then
    return value:find "^[+-]?%d" and ": pass a number, tonumber(...)" or ": the coordinates come first"
  elseif value == 0 and least == 1 then
    return ": cells count from 1, unless the grid is made with origin = { 0, 0 }"
  elseif kind == "number" and value % 1 ~= 0 and value == value and value - value == 0 then
    return ": a cell has whole numbers, math.floor(...)"
  end
end

-- Returns a hint for a value that was passed in place of a table of options. `list` has the names of the options.
-- `object` is the result of tostring if the value is an object of astar, else nil.
local function said_of_options(value, list, object)
  if has(list, "workers delay") and object then
    return ": a finder comes with each request, queue:request(finder, sx, sy, gx, gy)"
  end
  if has(list, "suppose_blocked") and object and object:find "^astar grid" then
    return ": a finder searches the grid that it was made of, leave the grid out"
  end
  for _, row in ipairs(IN_PLACE_OF_OPTIONS) do
    if type(value) == row.kind and has(list, row.with) then return ": " .. row.hint end
  end
  local most = math.min(#list, 3)
  return most > 0 and (": { %s = ...%s }"):format(table.concat(list, " = ..., ", 1, most), #list > 3 and ", ..." or "")
end

-- Words that can follow "astar graph" and the like in the name of a longer type, such as "astar graph finder".
local OF_KINDS = { finder = true, search = true, path = true, route = true, job = true }

-- Returns a hint for a value of a wrong type, or nil. `name` is the name of the argument, or the type of object that
-- was expected, such as "astar path". `list` and `least` are as in the functions above.
local function said_of_value(value, name, list, least)
  local kind = type(value)
  if (kind == "userdata" or kind == "table") and getmetatable(value) == "astar" and not is_asked then
    is_asked = true
    local _, text = pcall(tostring, value)
    is_asked = false
    for _, row in ipairs(INSTEAD) do
      if row[1] == name and text:sub(1, #row[2]) == row[2] then return ": " .. row[3] end
    end
    local of_kind = text:match("^ (%l+)", #name + 1) -- distinguishes "astar graph finder" from "astar graph"
    if text:sub(1, #name) == name and not OF_KINDS[of_kind or ""] then
      return ": it is of another copy of astar; require the module by one name everywhere"
    end
    return name == "options" and said_of_options(value, list, text) or nil
  elseif kind == "table" and COORDINATES[name]
    and (rawget(value, "x") ~= nil or type(rawget(value, 1)) == "number") then
    local or_many = name == "gx" and "; of several goals find_nearest(sx, sy, goals)" or ""
    return ": pass two numbers, cell.x, cell.y" .. or_many
  elseif COORDINATES[name] and kind ~= "table" then
    return said_of_coordinate(value, least)
  elseif name == "options" and kind ~= "string" and kind ~= "table" then
    return said_of_options(value, list)
  elseif kind == "boolean" and name == "w" then
    return ": grid:block(x, y) puts a block there, grid:unblock(x, y) removes it"
  elseif name == "diagonals" and (kind == "boolean" or kind == "number") then
    return (value == false or value == 4) and ': here it is "never"' or ': here it is "always"'
  elseif name == "astar path" and kind == "table" and rawget(value, 1) ~= nil then
    return ": pass the path that find_path returned, not a list of its cells"
  elseif kind == "table" and name == "gx" and next(value) ~= nil then
    return ": of several goals find_nearest(sx, sy, goals)"
  elseif kind == "string" and name == "w" and not value:find "^[%d.]+$" then
    return ": a world's blocks have no layers, and of one cell grid:set lays ground"
  elseif kind == "string" and (name == "block" or name == "unblock" or name == "is_blocked") then
    return ": name at most one layer in each call; the blocks of a world have no layers"
  end
end

--- Returns a hint to add to an error message, "" if none is known. `word` is an unknown name, or a wrong value; `list`
-- has the names that are allowed. `option` is nil for an unknown name. For a wrong value it is the name of the option
-- or argument, or the type of object that was expected. The hint is the name that astar has for a name of another
-- library, the kind of object that has the name, the nearest allowed name, or advice about the type of the value.
return function(word, list, option, least)
  local said = option and said_of_value(word, option, list, least)
  if said or type(word) ~= "string" or COORDINATES[option] then return said or "" end
  if option == "options" then -- a string in place of a table of options, such as "JPS"
    local hint = hints[word:lower()]
    return hint and ": here it is " .. hint or said_of_options(word, list) or ""
  end
  local settable = option and option:match "^set of (.+)$"
  if settable then
    if settable:find "finder$" and OPTIONS[word] then
      return (": options are given when a finder is made, %s:finder { %s = ... }"):format(
        settable:match "astar (%a+) finder" or "grid", word)
    end
    return row_for(FIRST, word, list) or hints[word:lower()] and ": here it is " .. hints[word:lower()] or ""
  end
  local first = not option and row_for(FIRST, word, list)
  if first then return first end
  local hint = hints[(option and option .. "=" .. word or word):lower()] or option and same_name(word, list)
  if hint then return ": here it is " .. hint end
  return option and "" or said_of_others(word:gsub("[^%w_]", ""), list)
end
