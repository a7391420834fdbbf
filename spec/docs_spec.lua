-- What is registered, what lua/astar/core.d.lua annotates and what the README and docs/ tell are the
-- same: every function, method, field, option, value and reason; docs/reference.md and
-- docs/reference/ are the annotations'.

local astar = require "astar"
local documents = require "spec.support.documents"
local option_names = require "astar.option_names"
local unpack = table.unpack or unpack -- luacheck: ignore

local function read_file(name)
  local file = assert(io.open(name))
  local text = file:read "*a"
  file:close()
  return text
end

local ANNOTATIONS = read_file "lua/astar/core.d.lua"

-- The README and the manual, but for what only lists calls and what is made of the annotations.
local LISTS = { ["docs/cheat_sheet.md"] = true, ["docs/reference.md"] = true }
local FOREIGN = { ["docs/from_jumper.md"] = true, ["docs/from_godot.md"] = true }
local TEXTS = {}
for _, document in ipairs(documents.all()) do
  if not LISTS[document.name] and not FOREIGN[document.name] then
    TEXTS[#TEXTS + 1] = document.text
  end
end
local MANUAL = table.concat(TEXTS, "\n")

local function sorted(set)
  local list = {}
  for name in pairs(set) do
    list[#list + 1] = name
  end
  table.sort(list)
  return list
end

local function set_of(list)
  local set = {}
  for _, name in ipairs(list) do
    set[name] = true
  end
  return set
end

-- Every capture of a pattern, as a set.
local function all(text, pattern)
  local set = {}
  for name in text:gmatch(pattern) do
    set[name] = true
  end
  return set
end

-- ---- what there is ----

local function functions_of(value)
  local names = {}
  for name, member in pairs(value) do
    if type(member) == "function" and not name:find "^__" then
      names[name] = true
    end
  end
  return names
end

-- The names registered in a C file for objects that look them up by a function, which Lua 5.1 will
-- not let us look into.
local function registered_in(place, object)
  local file, table_name = place:match "^([^:]+):?(.*)$"
  local names = all(read_file(file):match("[ _]" .. table_name .. "_?methods%[%] = {(.-)\n};"), '{"([%w_]+)"')
  for name in pairs(names) do
    assert(type(object[name]) == "function", name)
  end
  return names
end

-- The methods of an object: its metatable's __index, or the table that function looks them up in.
local function methods_of(object, file)
  local index = debug.getmetatable(object).__index
  if type(index) == "table" then
    return functions_of(index)
  end
  local names = registered_in(file, object)
  local _, methods = debug.getupvalue(index, 1)
  assert.same(methods and functions_of(methods) or names, names)
  return names
end

local grid = astar.grid(3, 3)
local finder = grid:finder()
local path = grid:find_path(1, 1, 3, 3)
local walker = astar.walker(path)
local search = finder:search(1, 1, 3, 3)
local flow = finder:flow(1, 1)
local queue = astar.queue()
local ticket = queue:request(finder, 1, 1, 3, 3)
local graph = astar.graph()
graph:node("a", 1, 1)
graph:node("b", 3, 3)
graph:edge("a", "b")
local graph_finder = graph:finder()
local crowd = astar.crowd(finder)
local unit = crowd:add(1, 1)
local world = astar.world { load = function() return false end, save = function() end } -- loads astar.world
world:put_chunk(0, 0, require "spec.support.worlds".open_chunk())
local world_finder = world:finder()

-- The names an option may have, from the error that lists them.
local function values_of(option)
  local _, message = pcall(grid.finder, grid, { [option] = "no such thing" })
  return all(message:match "must be (.*), got", '"([%w_]+)"')
end

-- An array of strings in a C file.
local function strings_of(file, array)
  local body = read_file(file):match(array .. "%[?%]? = {([^}]*)}")
  assert(body, file .. " has no " .. array)
  return all(body, '"([%w_]+)"')
end

-- The names of options in a C file, one string of which that is the first.
local function options_in(file, first)
  local names = read_file(file):match('"(' .. first .. '\\0[^"]*)"')
  assert(names, file .. " has no options that begin with " .. first)
  return all(names, "([%w_]+)\\0")
end

-- ---- what is annotated ----

-- The functions annotated for a class, by the name of its local table.
local function annotated_functions(class)
  return all(ANNOTATIONS, "\nfunction " .. class .. "[.:]([%w_]+)%(")
end

-- Those annotated without a result.
local function functions_without_result(class)
  local names = {}
  for block in (ANNOTATIONS .. "\n"):gmatch "(.-\n)\n+" do
    local name = block:match("\nfunction " .. class .. ":([%w_]+)%(")
    if name and not block:find "%-%-%-@return" then
      names[name] = true
    end
  end
  return names
end

-- The fields of a class.
local function annotated_fields(class)
  local body = ANNOTATIONS:match("%-%-%-@class astar%." .. class .. "\n(.-)\n[^%-]") or
    ANNOTATIONS:match("%-%-%-@class astar%." .. class .. "\n(.-)\n\n")
  assert(body, "no class astar." .. class)
  return all(body, "%-%-%-@field ([%w_]+)")
end

-- The strings of an alias.
local function annotated_values(alias)
  local line = ANNOTATIONS:match("%-%-%-@alias astar%." .. alias .. " ([^\n]*)")
  return all(line, '"([^"]+)"')
end

-- ---- what the README and the manual tell ----

local CODE = all(MANUAL, "`([^`\n]+)`") -- whole spans of code
local SPANS = "\n" .. table.concat(sorted(CODE), "\n")
for snippet in MANUAL:gmatch "\n```lua\n(.-)\n```" do
  SPANS = SPANS .. "\n" .. snippet
end

local function is_told(pattern)
  return SPANS:find(pattern) ~= nil
end

local function assert_told(names, pattern)
  for _, name in ipairs(sorted(names)) do
    assert(is_told(pattern:format(name)), "neither README nor docs/ tells of " .. name)
  end
end

local function assert_same(expected, got)
  assert.same(sorted(expected), sorted(got))
end

-- The names of fields that a class in a file of the binding lists: the first one there, or, of "file.c:NAME", the one
-- whose methods are NAME_methods.
local function fields_in(place)
  local file, name = place:match "^([^:]+):?(.*)$"
  local text = read_file(file)
  local from = name == "" and 1 or assert(text:find("%.methods = " .. name .. "_methods"), place)
  return all(text:match("%.fields =%s*([^}]*)}", from), "([%w_]+)\\0")
end

describe("the documents", function()
  local OBJECTS = {
    { class = "Grid", object = grid },
    { class = "Finder", object = finder },
    { class = "Path", object = path, file = "src/binding/lua_path.c" },
    { class = "Walker", object = walker },
    { class = "Search", object = search, file = "src/binding/lua_search.c" },
    { class = "Flow", object = flow },
    { class = "Job", object = flow:completing(), file = "src/binding/lua_job.c" },
    { class = "Baked", object = astar.grid(3, 3):finder():bake(), file = "src/parts/baking/lua_baking.c" },
    { class = "Queue", object = queue },
    { class = "Workers", name = "pool", object = astar.workers(1) },
    { class = "Ticket", object = ticket },
    { class = "Field", object = astar.field(3, 3) },
    { class = "Graph", object = graph },
    { class = "GraphFinder", name = "finder", object = graph_finder },
    { class = "GraphPath", name = "path", object = graph_finder:find_path("a", "b"),
      file = "src/parts/graph/lua_graph_query.c:graph_path" },
    { class = "GraphSearch", name = "search", object = graph_finder:search("a", "b"),
      file = "src/parts/graph/lua_graph_query.c:graph_search" },
    { class = "GraphReach", name = "reach", object = graph_finder:reach("a", 9) },
    { class = "JoinedGraph", name = "joined", object = graph:join(finder) },
    { class = "JoinedSearch", name = "search", object = graph:join(finder):search(1, 1, 3, 3) },
    { class = "Crowd", object = crowd, file = "src/parts/crowd/lua_crowd.c" },
    { class = "Unit", object = unit, file = "src/parts/crowd/lua_unit.c" },
    { class = "Resolving", name = "job", object = crowd:resolving(), file = "src/parts/crowd/lua_crowd.c:resolving" },
    { class = "World", object = world },
    { class = "WorldFinder", name = "finder", object = world_finder },
    { class = "RouteSearch", name = "search", object = world_finder:search(1, 1, 3, 3),
      file = "src/parts/world/lua_route.c:route_search" },
    { class = "Route", name = "route", object = world_finder:find_route(1, 1, 3, 3),
      file = "src/parts/world/lua_route.c:route" },
    { class = "DesireMap", name = "desires", object = grid:finder():desire_map { { grid:finder():flow(1, 1) } } },
    { class = "Schedule", object = astar.schedule(grid) },
    { class = "TimedPath", name = "timed", object = astar.schedule(grid):find_path(grid:finder(), 1, 1, 1, 1) },
    { class = "Tower", object = astar.floors { "...", "..." } }, -- loads astar.floors
    { class = "Goals", object = astar.goals(grid) },
  }
  for _, row in ipairs(OBJECTS) do
    it("list the methods of " .. row.class, function()
      local methods = methods_of(row.object, row.file)
      assert.is_true(#sorted(methods) > 0)
      assert_same(methods, annotated_functions(row.class))
      assert_told(methods, "[:.]%s%%f[^%%w_]")
    end)
  end

  -- Arguments for each method that is annotated without a result.
  local CALLS = {
    Grid = {
      set = { 1, 1, "." }, fill = { 1, 1, 1, 1, "." }, set_cells = { 1, 1, 2, 1, ".." },
      block = { 1, 1 }, unblock = { 1, 1 },
      link = { 1, 1, 3, 3 }, wall = { 1, 1, "east" }, unwall = { 1, 1, "east" },
      restrict = { 1, 1, "east" }, unrestrict = { 1, 1 },
      share = { "docs_spec" }, unshare = {},
    },
    Field = {
      set = { 1, 1, 2 }, add = { 1, 1, 2 }, fill = { 1, 1, 1, 1, 2 }, stamp = { 1, 1, 1, 2 }, decay = { 0.5 },
      add_field = { astar.field(grid) }, max = { astar.field(grid) }, scale = { 2 }, threshold = { 1 },
    },
    Search = { close = {} },
    Job = { close = {} },
    Resolving = { close = {} },
    Workers = { close = {} },
    Ticket = { set_priority = { 1 } },
    Graph = { node = { "c" }, edge = { "a", "b" }, block = { "a" }, unblock = { "a" } },
    GraphSearch = { close = {} },
    JoinedSearch = { close = {} },
    Unit = { stop = {}, hold = { false }, set_priority = { 1 } },
    World = { put_chunk = { 1, 1, false }, forget_chunk = { 1, 1 } },
    RouteSearch = { close = {} },
    Walker = { follow = { path } },
    Schedule = { forget = { 0 } },
    Tower = { link = { 1, 1, 1, 1, 1, 2 } },
  }
  for _, row in ipairs(OBJECTS) do
    it("name the result of each method that returns an object, and of no other method, for " .. row.class, function()
      local without = functions_without_result(row.class)
      assert_same(without, CALLS[row.class] or {})
      for name, arguments in pairs(CALLS[row.class] or {}) do
        assert.equal(0, select("#", row.object[name](row.object, unpack(arguments))), name)
      end
    end)
  end

  it("list the functions and tables of the module", function()
    assert_same(functions_of(astar), annotated_functions "astar")
    assert_same(functions_of(astar.graph), annotated_functions "graph")
    assert_told(functions_of(astar), "astar%%.%s%%f[^%%w_]")
    local body = ANNOTATIONS:match "%-%-%-@class astar\n(.-)\nlocal"
    local fields = {} -- those that are loaded on first use, and the others
    for name in ("graph movingai tiled love ldtk jumper"):gmatch "%a+" do fields[name] = true end
    for name, value in pairs(astar) do
      fields[name] = type(value) ~= "function" or nil
    end
    assert_same(fields, all(body, "%-%-%-@field ([%w_]+)"))
    fields._VERSION = nil
    assert_told(fields, "astar%%.%s%%f[^%%w_]")
  end)

  it("list the functions of astar.movingai", function()
    assert_same(functions_of(astar.movingai), annotated_functions "movingai")
    assert_told(functions_of(astar.movingai), "%%f[%%w_]%s%%(")
  end)

  it("list the functions of astar.tiled, astar.ldtk and astar.love, and the methods of a view", function()
    for name, value in pairs { tiled = astar.tiled, ldtk = astar.ldtk, love = astar.love } do
      assert_same(functions_of(value), annotated_functions(name))
      assert_told(functions_of(value), name .. "%%.%s%%f[^%%w_]")
    end
    local view = functions_of(getmetatable(astar.love.view(grid)))
    assert_same(view, annotated_functions "View")
    assert_told(view, "view:%s%%f[^%%w_]")
    for _, class in ipairs { "TiledOptions", "LdtkOptions", "LdtkLoadOptions", "ViewOptions", "ImageOptions" } do
      assert_told(annotated_fields(class), "%%f[%%w_]%s%%f[^%%w_]")
    end
  end)

  it("list the fields of a path", function()
    local fields = annotated_fields "Path"
    for _, name in ipairs(sorted(fields)) do
      assert(path[name] ~= nil, "a path has no field " .. name)
    end
    assert_same(fields_in "src/binding/lua_path.c", fields)
    assert_told(fields, "%%f[%%w_]%s%%f[^%%w_]")
  end)

  it("list the fields of a walker", function()
    for _, name in ipairs(sorted(annotated_fields "Walker")) do
      assert(walker[name] ~= nil, "a walker has no field " .. name)
    end
    assert_told(annotated_fields "Walker", "%%f[%%w_]%s%%f[^%%w_]")
  end)

  it("list the fields of a search and of a ticket", function()
    assert_same(fields_in "src/binding/lua_search.c", annotated_fields "Search")
    assert_told(annotated_fields "Search", "search%%.%s%%f[^%%w_]")
    for _, name in ipairs(sorted(annotated_fields "Ticket")) do
      assert(ticket[name] ~= nil, "a ticket has no field " .. name)
    end
    assert_told(annotated_fields "Ticket", "ticket%%.%s%%f[^%%w_]")
  end)

  it("list the fields and options of crowds and their units", function()
    local files = { Crowd = "lua_crowd.c:crowd", Unit = "lua_unit.c:unit", Resolving = "lua_crowd.c:resolving" }
    for class, file in pairs(files) do
      assert_same(fields_in("src/parts/crowd/" .. file), annotated_fields(class))
      assert_told(annotated_fields(class), (class == "Resolving" and "job" or class:lower()) .. "%%.%s%%f[^%%w_]")
    end
    assert_same(options_in("src/parts/crowd/lua_crowd.c", "speed"), annotated_fields "CrowdOptions")
    assert_same(options_in("src/parts/crowd/lua_crowd.c", "finder"), annotated_fields "UnitOptions")
    assert_same(options_in("src/parts/crowd/lua_unit.c", "shape"), annotated_fields "CrowdGoOptions")
    assert_same(options_in("src/parts/crowd/lua_unit.c", "range"), annotated_fields "ChaseOptions")
    local options = strings_of("lua/astar/arguments.lua", "OF_RESOLVING")
    assert_same(options, annotated_fields "ResolvingOptions")
    local states = strings_of("src/parts/crowd/crowd.c", "unit_state_names")
    states.removed = true
    assert_same(states, annotated_values "UnitState")
    local told = { "CrowdOptions", "UnitOptions", "CrowdGoOptions", "ChaseOptions", "ResolvingOptions", "Move" }
    for _, class in ipairs(told) do
      assert_told(annotated_fields(class), "%%f[%%w_]%s%%f[^%%w_]")
    end
    assert_told(states, '"%s"')
  end)

  it("list the budgets that a step of a search accepts", function()
    assert_same(options_in("src/binding/lua_job.c", "ms"), annotated_fields "Budget")
    assert_told(annotated_fields "Budget", "%%f[%%w_]%s =")
  end)

  it("list the eight directions", function()
    local names = {}
    for _, direction in ipairs(astar.directions) do
      names[direction.name] = true
      assert_same(set_of { "name", "dx", "dy" }, direction)
    end
    assert_same(names, annotated_fields "Directions")
    assert_same(set_of { "name", "dx", "dy" }, annotated_fields "Direction")
  end)

  it("list the options of a finder", function()
    local options = annotated_fields "FinderOptions"
    assert_same(set_of(option_names(function() return true end)), options)
    assert_told(options, "\n%s\n")
  end)

  it("list the options of a grid and of a walker", function()
    local options = annotated_fields "GridOptions"
    assert_same(strings_of("lua/astar/make_grid.lua", "NAMES"), options)
    assert_told(options, "%%f[%%w_]%s%%f[^%%w_]")
    assert_same(strings_of("lua/astar/walker.lua", "OPTIONS"), annotated_fields "WalkerOptions")
    assert_same({ optimal = true }, annotated_fields "WalkerRepairOptions")
    assert_same(strings_of("lua/astar/make_grid.lua", "OF_FIELDS"), annotated_fields "FieldOptions")
    assert_same(options_in("src/binding/lua_blocks.c", "cost"), annotated_fields "LinkOptions")
    assert.is_true(is_told "speed = ")
  end)

  it("list the options of graphs", function()
    for class, place in pairs {
      GraphOptions = { "parts/graph/lua_graph", "heuristic" },
      StatesOptions = { "parts/graph/lua_graph", "heuristic\\0key" },
      EdgeOptions = { "binding/lua_blocks", "cost" },
      GraphFinderOptions = { "parts/graph/lua_graph", "cost" },
      GraphQuery = { "parts/graph/lua_graph", "max_cost" },
      GraphBakeOptions = { "parts/graph/lua_graph", "landmarks" },
    } do
      assert_same(options_in("src/" .. place[1] .. ".c", place[2]), annotated_fields(class))
      assert_told(annotated_fields(class), "%%f[%%w_]%s%%f[^%%w_]")
    end
    assert_same(strings_of("lua/astar/graph/joined.lua", "OPTIONS"), annotated_fields "JoinOptions")
    assert_told(annotated_fields "JoinOptions", "%%f[%%w_]%s%%f[^%%w_]")
  end)

  it("list the options of worlds", function()
    local options = all(read_file "lua/astar/world/world.lua":match "local OPTIONS = {(.-)}", '"([%w_]+)"')
    assert_same(options, annotated_fields "WorldOptions")
    local of_finders = option_names(function(row) return row.world == "H" end, "exact")
    assert_same(set_of(of_finders), annotated_fields "WorldFinderOptions")
    assert_same(strings_of("lua/astar/world/routes.lua", "OF_PATHS"), annotated_fields "RoutePathOptions")
    assert_told(annotated_fields "WorldOptions", "%%f[%%w_]%s%%f[^%%w_]")
    assert_told(annotated_fields "Route", "route%%.%s%%f[^%%w_]")
  end)

  it("list the options with which a flow is made", function()
    assert_same(options_in("src/binding/lua_flow.c", "max_cost"), annotated_fields "FlowOptions")
  end)

  it("list the options of the method path:repair", function()
    local options = annotated_fields "RepairOptions"
    assert_same(set_of { "from", "optimal" }, options)
    assert_told(options, "%%f[%%w_]%s%%f[^%%w_]")
  end)

  for option, alias in pairs { diagonals = "Diagonals", heuristic = "Heuristic", algorithm = "Algorithm" } do
    it("list the values of the option " .. option, function()
      local values = values_of(option)
      assert.is_true(#sorted(values) > 3)
      assert_same(values, annotated_values(alias))
      assert_told(values, '"%s"')
    end)
  end

  it("list the reasons for which a query finds no route", function()
    local reasons = annotated_values "Reason"
    local texts = all(read_file "src/search/workspace.c":match "status_texts%[%] = (%b{})", '"([^"]+)"')
    for _, reason in ipairs(sorted(reasons)) do
      assert.is_true(texts[reason], reason)
    end
    assert_told(reasons, '"%s"')
  end)

  it("state the default of every option in their tables of options", function()
    local finders, grids = read_file "docs/finders.md", read_file "docs/grids.md"
    for _, option in ipairs(sorted(annotated_fields "FinderOptions")) do
      local row = finders:match("\n| [^|\n]*`" .. option .. "`[^|\n]* | ([^|\n]+) |")
      assert.is_truthy(row, "no row for " .. option)
    end
    for _, option in ipairs(sorted(annotated_fields "GridOptions")) do
      assert.is_truthy(grids:match("\n| `" .. option .. "` | ([^|\n]+) |"), "no row for " .. option)
    end
  end)

  it("contain no call of a method that does not exist", function()
    local known = { view = functions_of(getmetatable(astar.love.view(grid))) }
    for _, row in ipairs(OBJECTS) do
      local name = row.name or row.class:lower()
      known[name] = known[name] or {}
      for method in pairs(methods_of(row.object, row.file)) do known[name][method] = true end
    end
    for method in pairs(known.flow) do known.reach[method] = true end -- what a grid's finder:reach returns
    local count = 0
    for _, document in ipairs(documents.all()) do
      for object, method in (FOREIGN[document.name] and "" or document.text):gmatch "%f[%w_](%l+):([%l_]+)%f[(`{ ]" do
        if known[object] then
          assert(known[object][method], ("%s: %s:%s"):format(document.name, object, method))
          count = count + 1
        end
      end
    end
    assert.is_true(count > 200)
  end)

  it("state for every option which calls accept it", function()
    local page = read_file "docs/options.md"
    local calls = {
      GridOptions = "`astar.grid`", Query = "a query: ", FlowOptions = "`finder:flow`", Budget = "`search:step`",
      RepairOptions = "`path:repair`", WalkerOptions = "`astar.walker`", WalkerRepairOptions = "`walker:repair`",
      LinkOptions = "`grid:link`", FieldOptions = "`astar.field`", LoadOptions = "`astar.load`",
      TiledOptions = "`astar.tiled.grid`", ViewOptions = "`astar.love.view`", ImageOptions = "`astar.love.grid`",
      TiledGraphOptions = "`astar.tiled.graph`", TiledLoadOptions = "`astar.tiled.load`",
      LdtkOptions = "`astar.ldtk.grid`", LdtkObjectOptions = "`astar.ldtk.objects`",
      LdtkLoadOptions = "`astar.ldtk.load`",
      FinderOptions = "`grid:finder`", GraphOptions = "`astar.graph`", StatesOptions = "`astar.states`",
      EdgeOptions = "`graph:edge`",
      GraphFinderOptions = "`graph:finder`", GraphBakeOptions = "`graph:bake`", JoinOptions = "`graph:join`",
      InterceptOptions = "`finder:intercept`", ReachOptions = "`finder:reach`", TourOptions = "`finder:tour`",
      FovOptions = "`finder:fov`", SightOptions = "`finder:sees`", SpreadOptions = "`finder:spread`",
      MinCutOptions = "`finder:min_cut`",
      PreparingOptions = "`finder:preparing`", BakingOptions = "`finder:bake`",
      ReserveOptions = "`schedule:reserve`", ReserveCellOptions = "`schedule:reserve_cell`",
      TimedPathOptions = "`schedule:find_path`",
      FloorOptions = "`astar.floors`", WorldOptions = "`astar.world`",
      WorldFinderOptions = "`world:finder`", RoutePathOptions = "`route:path`",
      CrowdOptions = "`astar.crowd`", UnitOptions = "`crowd:add`",
      GoOptions = "`unit:go`", CrowdGoOptions = "`crowd:go`",
      ChaseOptions = "`unit:chase`",
      ResolvingOptions = "`crowd:resolving`",
      QueueOptions = "`astar.queue`", RetargetOptions = "`path:retarget`", WalkerRetargetOptions = "`walker:retarget`",
    }
    for class in ANNOTATIONS:gmatch "%-%-%-@class astar%.(%u%w*Options)\n" do assert(calls[class], class) end
    for class, call in pairs(calls) do
      local options = page:match("\n| " .. call .. "[^|]* | ([^|]+) |")
      assert(options, call)
      if class ~= "FinderOptions" then assert_same(annotated_fields(class), all(options, "`([%w_]+)`")) end
    end
    local rows = ""
    for row in page:match("\n## What a finder's.-\n## "):gmatch "\n| ([^|]+) |" do rows = rows .. row end
    for _, option in ipairs(sorted(annotated_fields "FinderOptions")) do
      assert(rows:find("`" .. option .. "`", 1, true), option)
    end
    rows = ""
    for row in page:match("\n## What each algorithm.*"):gmatch "\n(| [^\n]+)" do rows = rows .. row end
    local algorithms = annotated_values "Algorithm"
    algorithms.auto = nil
    assert_same(algorithms, all(rows, '`"(%l+)"`'))
  end)

  it("contain a cheat sheet of all methods", function()
    local sheet = read_file "docs/cheat_sheet.md"
    for _, row in ipairs(OBJECTS) do
      local shared = row.class == "Field" and { size = true, bounds = true, bytes = true, version = true } or {}
      for _, method in ipairs(sorted(methods_of(row.object, row.file))) do
        local name = row.name or row.class:lower()
        assert(shared[method] or sheet:find(name .. ":" .. method, 1, true), row.class .. ":" .. method)
      end
    end
    for _, option in ipairs(sorted(annotated_fields "FinderOptions")) do
      assert(sheet:find("%f[%w_]" .. option .. " ="), option)
    end
  end)

  it("contain the reference that `make reference` writes from the annotations", function()
    local texts = assert(loadfile "tools/reference.lua")()()
    for name, text in pairs(texts) do
      assert.is_true(text == read_file("docs/" .. name), name)
    end
    for _, document in ipairs(documents.reference()) do
      assert.is_truthy(texts[document.name:gsub("^docs/", "")], document.name .. ": of no class")
    end
  end)

  it("contain an example of each call, and no other examples", function()
    local shown, count = {}, 0
    for _, document in ipairs(documents.reference()) do
      local page = document.name:match "([%w_]+)%.md$"
      for _, block in ipairs(document.blocks) do shown[page .. " " .. block.section] = true end
      for _, line in ipairs(document.prose) do
        local call = line:match "^## ([%w_]+:[%w_]+)$" or line:match "^## (astar%.[%l_.]+)$"
        assert(not call or shown[page .. " " .. call], tostring(call) .. ": add one to docs/reference/examples.lua")
        count = count + (call and 1 or 0)
      end
    end
    assert.is_true(count >= 231, count)
    local page
    for line in io.lines "docs/reference/examples.lua" do
      page = line:match "^%-%-# ([%w_]+)" or page
      local call = line:match "^%-%-: (.*)"
      assert(not call or shown[page .. " " .. call], line)
    end
  end)

  it("take the version number from astar.h", function()
    assert.is_truthy(read_file("src/astar.h"):find('ASTAR_VERSION "' .. astar._VERSION .. '"', 1, true))
    assert.is_nil(ANNOTATIONS:find(astar._VERSION, 1, true))
  end)

  it("contain file names of archives and rocks with the present version number", function()
    local count = 0
    for _, document in ipairs(documents.all()) do
      for word in document.text:gmatch "%f[%w]astar%-([%w-]*%d[%w.-]*)" do
        local version = word:gsub("^core%-", "")
        local is_this = version:sub(1, #astar._VERSION) == astar._VERSION
          or version:find(astar._VERSION:gsub("%-", "") .. "-1.src.rock", 1, true) == 1
        assert.is_true(is_this, document.name .. ": " .. word)
        count = count + 1
      end
    end
    assert.is_true(count >= 5)
  end)
end)
