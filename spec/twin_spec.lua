-- The specs of what the twin in plain Lua has, run on it in place of the C module, in a process of its own.
--
-- A test that fails because the twin says that it lacks something, "... needs the C module of astar", does not count.
-- All others have to pass, but for those listed here.

local process = require "spec.support.process"

-- Files most of whose tests ask what the twin has.
local FILES = {
  "block_layers", "callbacks", "clearance", "clone", "components", "directions", "draw", "field", "finder",
  "finding_nearest", "flow", "grid", "job", "jps", "movingai", "nearest", "origins", "path", "path_cost", "question",
  "queue", "range", "raycast", "repair", "repairing", "search", "steps_only", "tiled/file", "tiled/shapes",
  "tiled/tiled", "tiled/tiles", "walker",
}

-- How many tests pass at least.
local PASSED = 600

-- It is the same twin for all Luas: LuaJIT runs them all, the others some, for plain 5.1 takes minutes; or, with
-- ASTAR_TWIN=all, all.
if not rawget(_G, "jit") and os.getenv "ASTAR_TWIN" ~= "all" then
  FILES, PASSED = { "block_layers", "directions", "draw", "path", "raycast", "steps_only" }, 60
end

-- Tests that do not hold on the twin, by why, as patterns of their names.
local DIFFERENCES = {
  -- LuaJIT counts the traces it compiles.
  "^walker makes no garbage",
  -- Memory is Lua's own, and what is built of a map is one list a kind of unit.
  "^grid:block with a layer takes memory from", "that is built for it as it is$",
  "takes next to nothing until one of both",
  "^finder:preparing builds what", "^finder:preparing finds what leads", "^finder:preparing is made by a queue",
  "^finder:preparing refuses what a search would", "builds nothing but by its steps",
  "builds what it needs of a large map",
  "has what it needs of the map built within its steps", "costs no search where there is no route",
  -- Expansions are its own.
  "^the option heuristic opens fewer cells than none", "searches for the nearest cell alone",
  "goes straight to one of a few",
  "^jump point search looks no further", "^jump point search leaves", "shows what is open and closed",
  "keeps to the budget, with another head", "gives the one%-go answer for every n",
  "answered at once where no search is needed", "jumps come to from the goals back",
  "^a range of one or two is jumped to", "^callbacks of a flow may drop everything",
  -- It remembers 1,024 edits.
  "^grid:changes is nil where costs have changed",
  -- An edit that its unit would notice begins a search in slices and a flow anew.
  "leaves alone a search that has not come near", "tells by a bound what a search by jumps",
  "around every cell that a wide unit",
  "goes on after edits that cannot matter", "though an edit", "works nothing out by update",
  "does only what the edit changed",
  "is right while its cells are gone over", "asked about a cell once a flow", "make a flow forget what it knows",
  -- Objects are tables, and so are callbacks' stacks Lua's own: they may yield, and nest as deep as those allow.
  "^the options are all optional", "^the options are read without metamethods",
  "refused where it cannot honour the other",
  "believes no list that claims more goals", "yield", "nesting has no end", "deeper and deeper",
  "closes its flow by hand",
  "cannot go on after it has closed it", "refuses what is no budget", "^queue:add refuses what is none",
  "what the dearest ground under it takes up", "^memory outside of Lua's sight",
  "stepped or closed by its own function",
  -- A repair is the best way on; a search that edits have begun anew too often is answered at once.
  "^path:repair keeps the head", "^path:repair does not mind", "^walker:repair keeps what is good",
  "keeps to its budget",
  -- Jumps are for diagonals, and where all terrains cost the same, those that occur nowhere, too.
  "jumped over where it does not change, but not by jps",
  -- They take no bitmaps, for which a map may be too long.
  "is refused by a map that is too long for it", "chosen where diagonals are allowed never",
  "begin anew where it has read what was edited", "refused by the ground it is asked about",
  -- After an edit they begin anew wherever it was, and so does what searches by another algorithm then.
  "goes on where a cell in a far corner is toggled", "goes on where a danger fades far away",
  "answers soon what is begun anew each time",
  "may be one of the field to avoid", "has the very answer of one begun at the end",
  -- Their queue of such a flow would have more places than LuaJIT gives a table.
  "distances so large that a step adds nothing to them",
  -- Flows with steps_only keep their distances.
  "tells no distances, at any time",
  -- They take long.
  "^on random maps", "of thousands", "^jump point search on", "random maps",
  -- It is answered in another way.
  "^flee keeps within what the flow covers", "far apart, the last of the map", "block in heuristic",
  "^a callback that edits the grid under search is an error", "passes on what that heuristic raises",
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

describe("on the twin in plain Lua", function()
  it("hold most specs of what it has", function()
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
