-- names.lua -- what a name that there is not was meant for. The C module asks it, too, where it makes such an error.
--
-- Of other libraries' names it is known how the same is said here. The tables in the manual, of those who come from
-- Jumper and from Godot, hold them all; some of PathFinding.js and libtcod are beside them.

-- Words of other libraries and what is said here instead, as word|here~; values of options as option=value.
local HINTS = [[
Pathfinder|grid:finder { ... }~setWalkable|grid:block, grid:set or the option terrain of astar.grid~
setGrid|a finder of that grid, grid:finder~getGrid|finder:options and the grid that it was made of~
getPath|find_path(sx, sy, gx, gy)~setMode|the option diagonals of grid:finder~getMode|finder:options().diagonals~
setFinder|the option algorithm of grid:finder~getFinder|path.algorithm~
setHeuristic|the option heuristic of grid:finder~getHeuristic|finder:options().heuristic~
tunnel|diagonals = "always"~setTunnelling|diagonals = "always" of grid:finder~
annotateGrid|the option size of grid:finder~nodes|for x, y in path:cells() do~
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
get_point_position|view:to_pixel(x, y)~set_point_solid|grid:block(x, y), grid:unblock(x, y)~
is_point_solid|grid:is_blocked(x, y)~fill_solid_region|grid:block(x, y, w, h), grid:unblock(x, y, w, h)~
set_point_weight_scale|grid:set(x, y, key), of a terrain with that cost~
get_point_weight_scale|grid:terrain(grid:get(x, y))~fill_weight_scale_region|grid:fill(x, y, w, h, key)~
diagonal_mode|the option diagonals of grid:finder~default_estimate_heuristic|the option heuristic of grid:finder~
default_compute_heuristic|the option diagonal_cost of grid:finder~
jumping_enabled|algorithm = "auto" of grid:finder, the default~_compute_cost|the option step_cost of grid:finder~
_estimate_cost|the option heuristic of grid:finder~get_id_path|find_path(sx, sy, gx, gy)~
get_point_path|find_path(sx, sy, gx, gy), view:to_pixel of its cells~is_in_bounds|grid:bounds()~
is_in_boundsv|grid:bounds()~clear|a new grid~diagonals=at_least_one_walkable|"if_at_most_one_obstacle"~
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
schedule|astar.schedule(grid), and its option of finder:find_path~
get_path|find_path(sx, sy, gx, gy)~setProperties|grid:block(x, y) or grid:set(x, y, key)~]]

local hints = {}
for word, here in HINTS:gmatch "([^|~\n]+)|([^~]+)~" do hints[word:lower()] = hints[word:lower()] or here end

-- How many letters must be changed, added or dropped to make one word of the other (Levenshtein, 1966); words are cut
-- at 31 letters.
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

-- The name that a word may have been meant for: it begins like it, or two letters are off, or a third of them, but not
-- all; nil if none.
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

-- The one that an option's value differs from by capitals only.
local function same_name(value, list)
  for _, name in ipairs(list) do
    if name:lower() == value:lower() then return '"' .. name .. '"' end
  end
end

-- What grids and their finders can do, and worlds and theirs cannot.
local OF_GRIDS = ([[ flow reach flee fov spread find_path finding_nearest matrix tour intercept resolve bake baking
  load_baked clearance blockers chokepoints min_cut desire_map cost step_cost avoid avoid_weight ignore breach bends
  bend_cost heading any_angle heuristic min_cost algorithm callback clone share publish draw set_cells get_cells
  find_path neighbour distance block_layers bounds size terrain links walls ]]):gsub("%s+", " ")

-- Of lists that only worlds have, their finders, and the options of these: what to ask in place of a name.
local function said_of_worlds(word, list)
  local is_world, is_options
  for _, name in ipairs(list) do
    is_world, is_options = is_world or name == "put_chunk", is_options or name == "exact"
    if name == "find_route" or is_world or is_options then
      if OF_GRIDS:find(word, 1, true) then
        return ": ask a grid of a part of the world, world:window(x, y, w, h)"
      elseif is_world and (word == " raycast " or word == " find_route ") then
        return ": ask a finder, world:finder()"
      elseif is_options and (word == " partial " or word == " range " or word == " max_cost ") then
        return ": give it with the question, finder:find_route(sx, sy, gx, gy, question)"
      end
    end
  end
end

-- What paths of grids can do, and those of graphs, and routes of worlds, cannot.
local OF_PATHS = " retarget repair repairing smooth breaches reverse waypoints directions "

local function has(list, name)
  for _, each in ipairs(list) do
    if each == name then return true end
  end
end

-- What is said where a finder or a path of another kind is asked what only one of grids can do; nil for nothing.
local function hint_of_kind(asked, list)
  if OF_GRIDS:find(asked, 1, true) then
    if has(list, "leg") then
      return ": ask the finder of the graph, or the one of the grid"
    elseif has(list, "matrix") and not has(list, "raycast") then
      return ": only a grid's finder has it, a graph has no cells"
    end
  elseif OF_PATHS:find(asked, 1, true) and not has(list, "cell") and (has(list, "legs") or has(list, "partial")) then
    return ": only a grid's path has it: ask the finder anew"
  end
end

--- What to add to an error about a name that is not in the list, or about the value of an option, of which the list has
-- those that there are: how the thing is called here where other libraries call it so, or the nearest name; "" where
-- neither is known.
return function(word, list, option)
  if type(word) ~= "string" then return "" end
  local hint = hints[(option and option .. "=" .. word or word):lower()] or option and same_name(word, list)
  if hint then return ": here it is " .. hint end
  if not option then
    local asked = " " .. word:gsub("[^%w_]", "") .. " "
    local of_kind = said_of_worlds(asked, list) or hint_of_kind(asked, list)
    if of_kind then return of_kind end
  end
  local nearest = not option and nearest_name(word, list)
  return nearest and (' (did you mean "%s"?)'):format(nearest) or ""
end
