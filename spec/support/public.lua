-- public.lua -- every function that a script can call, found in the metatables and the modules.

local astar = require "astar"

local public = {}

-- One object of every class. C looks up what a path, a search has in a closure that Lua 5.1 does not
-- show, so for these the file that registers the methods is given.
local grid = astar.grid(9, 9)
local finder = grid:finder()
local path = finder:find_path(1, 1, 9, 9)
local queue = astar.queue()
local graph = astar.graph()
graph:node "a"
graph:node "b"
graph:edge("a", "b")
local graph_finder = graph:finder()
local world = astar.world { load = function() return false end, save = function() end }
world:put_chunk(0, 0, require "spec.support.worlds".open_chunk())
local world_finder = world:finder()
local CLASSES = {
  grid = { astar.grid(9, 9), title = "astar grid" },
  finder = { astar.grid(9, 9):finder(), title = "astar finder" },
  path = { path, title = "astar path", file = "src/binding/lua_path.c" },
  search = { finder:search(1, 1, 9, 9), title = "astar search", file = "src/binding/lua_search.c" },
  field = { astar.field(9, 9), title = "astar field" },
  flow = { finder:flow(9, 9), title = "astar flow" },
  job = { finder:flow(9, 9):completing(), title = "astar job", file = "src/binding/lua_job.c" },
  baked = { finder:bake(), title = "astar baked data", file = "src/parts/baking/lua_baking.c" },
  workers = { astar.workers(1), title = "astar workers" },
  queue = { queue, title = "astar queue" },
  ticket = { queue:request(finder, 1, 1, 9, 9), title = "astar ticket" },
  walker = { astar.walker(path), title = "astar walker" },
  view = { astar.love.view(grid), title = "astar view" },
  graph = { astar.graph(), title = "astar graph" },
  graphFinder = { graph_finder, title = "astar graph finder" },
  graphPath = { graph_finder:find_path("a", "b"), title = "astar graph path",
    file = "src/parts/graph/lua_graph_query.c:graph_path" },
  graphSearch = { graph_finder:search("a", "b"), title = "astar graph search",
    file = "src/parts/graph/lua_graph_query.c:graph_search" },
  graphReach = { graph_finder:reach("a", 9), title = "astar graph reach" },
  joinedGraph = { graph:join(finder), title = "astar joined graph" },
  crowd = { astar.crowd(finder), title = "astar crowd", file = "src/parts/crowd/lua_crowd.c" },
  resolving = { astar.crowd(finder):resolving(), title = "astar resolving job",
    file = "src/parts/crowd/lua_crowd.c:resolving" },
  unit = { astar.crowd(finder):add(1, 1), title = "astar unit", file = "src/parts/crowd/lua_unit.c" },
  world = { world, title = "astar world" },
  worldFinder = { world_finder, title = "astar world finder" },
  routeSearch = { world_finder:search(1, 1, 9, 9), title = "astar route search",
    file = "src/parts/world/lua_route.c:route_search" },
  route = { world_finder:find_route(1, 1, 9, 9), title = "astar route", file = "src/parts/world/lua_route.c:route" },
  schedule = { astar.schedule(grid), title = "astar schedule" },
  timedPath = { astar.schedule(grid):find_path(finder, 1, 1, 9, 9), title = "astar timed path" },
  tower = { astar.floors { "..", ".." }, title = "astar tower" },
}

-- The names in the first table of methods of a file or, of "file.c:NAME", in NAME_methods.
local function names_in(place)
  local file, name = place:match "^([^:]+):?(.*)$"
  local source = assert(io.open(file))
  local text, names = source:read "*a", {}
  source:close()
  local methods = assert(text:match("[ _]" .. name .. "_?methods%[%] = {(.-)\n};"), place)
  for method in methods:gmatch '{"([%w_]+)"' do names[#names + 1] = method end
  return names
end

local function methods_of(class)
  local object, methods = class[1], {}
  local index = debug.getmetatable(object).__index
  if type(index) == "table" then
    for name, method in pairs(index) do
      if type(method) == "function" and not name:find "^__" then methods[name] = method end
    end
  else
    for _, name in ipairs(names_in(class.file)) do methods[name] = object[name] end
  end
  assert(next(methods))
  return methods
end

-- { { class =, title =, name =, call =, object = }, ... }, in the order of their names.
public.methods = {}
for name, class in pairs(CLASSES) do
  for method, call in pairs(methods_of(class)) do
    table.insert(public.methods,
      { class = name, title = class.title, name = method, call = call, object = class[1] })
  end
end

-- The same for functions, `class` being the module's name.
public.functions = {}
for name, module in pairs {
  astar = astar, ["astar.movingai"] = astar.movingai, ["astar.tiled"] = astar.tiled, ["astar.love"] = astar.love,
  ["astar.ldtk"] = astar.ldtk,
} do
  for field, call in pairs(module) do
    if type(call) == "function" then table.insert(public.functions, { class = name, name = field, call = call }) end
  end
end

for _, list in pairs { public.methods, public.functions } do
  table.sort(list, function(a, b) return a.class .. "." .. a.name < b.class .. "." .. b.name end)
end

return public
