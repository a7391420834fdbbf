-- Runs the specs of the calls that the implementation in plain Lua has on that implementation, in place of the C
-- module, in a process of its own.
--
-- A test that fails with "... needs the C module of astar" does not count. All other tests must pass, except those
-- listed below.

local process = require "spec.support.process"

-- Files of which most tests use calls that the implementation in plain Lua has.
local FILES = {
  "block_layers", "callbacks", "clearance", "clone", "components", "cost_of", "directions", "draw", "field", "finder",
  "finding_nearest", "flow", "grid", "job", "jps", "movingai", "nearest", "origins", "path", "path_cost", "query",
  "pace", "queue", "range", "raycast", "repair", "repairing", "restrict", "search", "steps_only", "tiled/file",
  "tiled/shapes", "tiled/tiled", "tiled/tiles", "walker",
}

-- The least number of tests that pass.
local PASSED = 600

-- It is the same twin for all Luas: LuaJIT runs them all, the others some, for plain 5.1 takes minutes; or, with
-- ASTAR_TWIN=all, all.
if not rawget(_G, "jit") and os.getenv "ASTAR_TWIN" ~= "all" then
  FILES, PASSED = { "block_layers", "directions", "draw", "path", "raycast", "steps_only" }, 60
end

-- Tests that do not hold in plain Lua, by the reason, as patterns of their names.
local DIFFERENCES = {
  -- LuaJIT counts the traces that it compiles as memory.
  "^walker creates no garbage",
  -- Its memory is Lua's own. It builds one list per map and kind of unit, and builds it in one call.
  "^grid:block with a layer allocates memory for", "keeps all data that was built for the finder$",
  "takes almost no memory until one of the two", "^finder:preparing builds the data",
  "^finder:preparing finds dead ends only", "^finder:preparing can be run by a queue",
  "^finder:preparing raises an error if a search would", "builds search data only within its steps",
  "builds what it needs of a large map", "builds the data that it needs about the map within its",
  "lets a query that has no route end without expanding",
  -- It expands other cells than the C module.
  "^the option heuristic expands fewer cells than", "searches only for the nearest cell",
  "expands only cells towards a nearest goal", "^jump point search expands only the start",
  "^jump point search is not chosen for maps that are far longer", "^jump point search leaves longer maps",
  "shows the open and the closed cells",
  "keeps max_cost of the query, and replaces", "returns the result of find_path for every step size",
  "ends at the first step if the result needs no search", "shows the cells of the jumps from the goals back",
  "^search:cells counts g from the end of the path",
  "^a range of one or two is searched by jump", "^callbacks of a flow may drop every object",
  -- It remembers 1,024 edits of a grid.
  "^grid:changes returns nil if costs have changed",
  -- An edit that the unit would notice restarts a search in steps and recomputes a flow.
  "does not affect a search that has not come near", "affects a search by jumps only if",
  "if a large unit could have covered", "continues after edits that do not matter",
  "although an edit that matters follows every step", "even if an edit comes before each",
  "computes no new cell in flow:update", "recomputes only what the edit changed",
  "during an iteration over the flow's cells", "called once per cell and flow",
  "keeps the distances of a flow, however many edits",
  -- Its objects are tables, and callbacks run on Lua's own stack: they may yield, and nest as deep as Lua allows.
  "^the options may all be left out", "^the options are read without metamethods",
  "raises an error if the algorithm cannot honour the other", "an error for a list whose length is greater", "yield",
  "the nested calls never end",
  "may nest queries only to a limited depth", "that closes its own flow", "cannot return to the search after closing",
  "raises an error for invalid budgets", "^queue:add refuses values that are not jobs",
  "pays for the most expensive terrain below the unit", "^memory of the C core",
  "stepped or closed by its own function",
  -- Its repair is always the cheapest path. It answers a search that edits have restarted too often in one call.
  "^path:repair keeps the start of the path and", "^path:repair ignores edits behind",
  "^walker:repair keeps the valid part", "that changes every frame keeps its budget",
  -- It jumps only if diagonals are allowed and all terrains cost the same, also those that occur nowhere.
  "allows jump point search if the field is 0",
  -- Its jumps need no bitmaps, so no map is too long for them.
  "raises an error if the map is too long for the algorithm", "auto if diagonals are allowed never",
  "restarts a search that has read the edited cell", "raises an error if the terrain is unsuitable",
  -- Any edit restarts its searches, wherever the edit was.
  "continues a search if a cell in a far corner is toggled", "continues a search if a field value far away fades",
  "completes a request soon although each edit restarts", "restarts a search if it is an edit of the field to avoid",
  "returns the same path as a search started after the last edit",
  -- Such a flow would need a larger table than LuaJIT allows.
  "distances so large that a step adds nothing to them",
  -- Its flows with steps_only keep their distances.
  "returns no distances at any time",
  -- These tests take long.
  "^on random maps", "^jump point search on", "random maps",
  -- Its answers differ.
  "^flee stays within the cells", "are far apart, up to the map's last cell", "block in heuristic",
  "^a callback that edits raises an error if it edits the grid",
  "passes on the error that the heuristic function raises",
}

-- LuaJIT gets more room for machine code than by default. When the room is full, all is compiled anew, and each trace
-- changes the protection of memory several times, which takes some systems 200 microseconds.
local RUN = [[
  if jit then require "jit.opt".start("sizemcode=2048", "maxmcode=16384", "maxtrace=8000") end
  package.path, package.cpath = %q, %q
  arg = { [0] = "busted", "--helper=spec/support/twin.lua", "-o", "spec/support/summary.lua", %s }
  require "busted.runner" { standalone = false }
]]

-- The arguments of busted, quoted.
local function arguments()
  local list = {}
  for _, pattern in ipairs(DIFFERENCES) do list[#list + 1] = ("%q"):format("--filter-out=" .. pattern) end
  for _, name in ipairs(FILES) do list[#list + 1] = ("%q"):format("spec/" .. name .. "_spec.lua") end
  return table.concat(list, ", ")
end

describe("on the implementation in plain Lua", function()
  it("most specs of the calls that this implementation supports pass", function()
    local output = process.run_alone(RUN:format(package.path, package.cpath, arguments()))
    local problems = {}
    for name, message in output:gmatch "\n  FAILED ([^\n]+)\n    at [^\n]+\n(.-)\n\n" do
      if not message:find("needs the C module of astar", 1, true) then
        problems[#problems + 1] = name .. "\n" .. message
      end
    end
    assert.equal("", table.concat(problems, "\n\n"))
    local passed = tonumber(output:match "(%d+) passed, %d+ failed")
    assert.is_true(passed ~= nil and passed >= PASSED, output:sub(-2000))
  end)
end)
