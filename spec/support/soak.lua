-- soak.lua -- random edits and questions without end, each answer held against the oracle.
--
-- A map lives for some thousand edits with the same few finders on it, as a game's does, so that
-- what edits repair is what questions meet. Between two batches of edits the oracle floods the map
-- once from one start, and a batch of questions is asked from there. Memory must be flat: what it
-- is after the first tenth it stays.

local astar = require "astar"
local check = require "spec.support.check"
local maps = require "spec.support.maps"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"

local soak = {}

local ROUNDS_A_MAP, EDITS, QUERIES, FINDERS = 100, 12, 48, 4
local KEYS = { ".", "#", "g", "s" }
local SIDES = {
  { "north", 0, -1, "south" }, { "east", 1, 0, "west" },
  { "south", 0, 1, "north" }, { "west", -1, 0, "east" },
}
local ALGORITHMS = { "auto", "auto", "auto", "astar", "dijkstra" }

local function expect(holds, message, ...)
  if not holds then error(message:format(...), 0) end
end

-- ---- edits: each of the grid and the world alike ----

local function random_cell(r, world)
  return r:int(1, world.width), r:int(1, world.height)
end

local function random_area(r, world)
  local x, y = random_cell(r, world)
  if r:chance(0.7) then return x, y, 1, 1 end
  return x, y, r:int(1, math.min(3, world.width - x + 1)), r:int(1, math.min(3, world.height - y + 1))
end

local function each_cell(world, x, y, w, h, body)
  for row = y, y + h - 1 do
    for column = x, x + w - 1 do body(oracle.cell(world, column, row)) end
  end
end

local EDITS_BY_NAME = {
  fill = function(r, grid, world)
    local x, y, w, h = random_area(r, world)
    local key = r:pick(KEYS)
    if w * h == 1 then grid:set(x, y, key) else grid:fill(x, y, w, h, key) end
    each_cell(world, x, y, w, h, function(cell) world.keys[cell] = key end)
  end,
  block = function(r, grid, world)
    local x, y, w, h = random_area(r, world)
    grid:block(x, y, w, h)
    each_cell(world, x, y, w, h, function(cell) world.blocks[cell] = true end)
  end,
  unblock = function(r, grid, world)
    local x, y, w, h = random_area(r, world)
    grid:unblock(x, y, w, h)
    each_cell(world, x, y, w, h, function(cell) world.blocks[cell] = nil end)
  end,
  terrain = function(r, grid, world)
    local key, cost = r:pick { "g", "s" }, r:pick { 1, 2, 0.5, 3.75, false }
    grid:terrain(key, cost)
    world.terrain[key] = cost
  end,
}

-- Bars a step out of a cell, or opens it; as the oracle has it.
local function put_wall(world, x, y, dx, dy, stands)
  if x < 1 or y < 1 or x > world.width or y > world.height then return end
  local cell = oracle.cell(world, x, y)
  world.walls[cell] = world.walls[cell] or {}
  world.walls[cell][("%d,%d"):format(dx, dy)] = stands or nil
  if not next(world.walls[cell]) then world.walls[cell] = nil end
end

local function edit_wall(r, grid, world, stands)
  local x, y = random_cell(r, world)
  local side, one_way = r:pick(SIDES), r:chance(0.3)
  grid[stands and "wall" or "unwall"](grid, x, y, side[1], one_way)
  local dx, dy = side[2], side[3]
  put_wall(world, x, y, dx, dy, stands)
  if not one_way then put_wall(world, x + dx, y + dy, 0 - dx, 0 - dy, stands) end
end

function EDITS_BY_NAME.wall(r, grid, world) edit_wall(r, grid, world, true) end
function EDITS_BY_NAME.unwall(r, grid, world) edit_wall(r, grid, world, false) end

local function put_link(world, from, to, cost)
  world.links[from] = world.links[from] or {}
  world.links[from][to] = cost
  if not next(world.links[from]) then world.links[from] = nil end
end

function EDITS_BY_NAME.link(r, grid, world)
  local x, y = random_cell(r, world)
  local nx, ny = random_cell(r, world)
  local from, to = oracle.cell(world, x, y), oracle.cell(world, nx, ny)
  if from == to then return end
  local cost, one_way = r:pick { 0, 1, 2.5, 8 }, r:chance(0.5)
  grid:link(x, y, nx, ny, { cost = cost, one_way = one_way })
  put_link(world, from, to, cost)
  if not one_way then put_link(world, to, from, cost) end
end

-- One that there is, or any.
function EDITS_BY_NAME.unlink(r, grid, world)
  local from, links = next(world.links)
  local x, y = random_cell(r, world)
  local nx, ny = random_cell(r, world)
  if from then
    x, y = oracle.position(world, from)
    nx, ny = oracle.position(world, (next(links)))
  end
  local there = from ~= nil or (world.links[oracle.cell(world, x, y)] or {})[oracle.cell(world, nx, ny)] ~= nil
  expect(grid:unlink(x, y, nx, ny, true) == there, "unlink told of %s", tostring(not there))
  put_link(world, oracle.cell(world, x, y), oracle.cell(world, nx, ny), nil)
end

local PLAIN = { "fill", "fill", "fill", "block", "block", "unblock", "unblock", "unblock", "terrain" }
local LAYERED = { "fill", "block", "unblock", "unblock", "wall", "unwall", "unwall", "link", "unlink", "unlink" }

-- ---- questions ----

-- What the oracle says of a goal: its cost, or nil and the reason.
local function answer(round, gx, gy)
  local world, rules = round.world, round.rules
  local reason = oracle.refusal(world, rules, round.entry, round.sx, round.sy, gx, gy)
  if reason then return nil, reason end
  local cost = round.distances[oracle.cell(world, gx, gy)]
  return cost, not cost and "unreachable" or nil
end

local function check_path(round, path, reason, gx, gy)
  local cost, expected = answer(round, gx, gy)
  if not cost then
    expect(not path and reason == expected, "(%d, %d): expected %s, got %s", gx, gy, expected,
      tostring(path or reason))
    return
  end
  expect(path, "(%d, %d): expected a path of cost %g, got %s", gx, gy, cost, tostring(reason))
  local x, y = path:cell(1)
  local last_x, last_y = path:cell(#path)
  expect(x == round.sx and y == round.sy and last_x == gx and last_y == gy, "wrong ends")
  check.equal_cost(cost, path.cost, "the cost of the best path")
  local question = { world = round.world, rules = round.rules, entry = round.entry }
  local sum = check.sum(path, question)
  expect(sum, "a step is not legal")
  check.equal_cost(sum, path.cost, "path.cost against its steps")
end

local ASK = {}

function ASK.find_path(round, finder, gx, gy)
  local path, reason = finder:find_path(round.sx, round.sy, gx, gy)
  check_path(round, path, reason, gx, gy)
  round.state.path = path or round.state.path
end

function ASK.search(round, finder, gx, gy)
  local search = finder:search(round.sx, round.sy, gx, gy)
  while search:step(7) == "running" do end -- luacheck: ignore 542
  local path, reason = search:path()
  check_path(round, path, reason, gx, gy)
end

function ASK.queue(round, finder, gx, gy)
  local ticket = round.state.queue:request(finder, round.sx, round.sy, gx, gy)
  while round.state.queue:update { expansions = 20 } > 0 do end -- luacheck: ignore 542
  local path, reason = ticket:path()
  check_path(round, path, reason, gx, gy)
end

function ASK.reachable(round, finder, gx, gy)
  local cost = answer(round, gx, gy)
  expect(finder:reachable(round.sx, round.sy, gx, gy) == (cost ~= nil), "reachable (%d, %d)", gx, gy)
end

function ASK.find_nearest(round, finder, gx, gy)
  local r = round.r
  local ox, oy = random_cell(r, round.world)
  local path, index = finder:find_nearest(round.sx, round.sy, { { gx, gy }, { ox, oy } })
  local cost, other = answer(round, gx, gy), answer(round, ox, oy)
  if not cost and not other then
    expect(not path, "find_nearest found a way to nowhere")
    return
  end
  local best = math.min(cost or math.huge, other or math.huge)
  expect(path, "find_nearest: expected a path of cost %g, got %s", best, tostring(index))
  check.equal_cost(best, path.cost, "find_nearest")
  if index == 1 then check_path(round, path, nil, gx, gy) else check_path(round, path, nil, ox, oy) end
end

-- A flow field that lives as long as the map, one for each finder. Blocks under a unit of several
-- cells count to it.
function ASK.flow(round, finder, gx, gy)
  local unit = round.unit
  if (unit.rules.size or 1) > 1 then return end
  unit.flow = unit.flow or { x = gx, y = gy, field = finder:flow(gx, gy) }
  local cost = answer(round, unit.flow.x, unit.flow.y)
  local distance, reason = unit.flow.field:distance(round.sx, round.sy)
  expect((cost ~= nil) == (distance ~= nil), "flow to (%d, %d): expected %s, got %s", unit.flow.x,
    unit.flow.y, tostring(cost), tostring(distance or reason))
  if cost then check.equal_cost(cost, distance, "the flow's distance") end
end

-- The latest path, of whichever finder and age, is good still or made so.
function ASK.repair(round)
  local path = round.state.path
  if not path then return end
  local valid, bad = path:is_valid()
  expect(valid == (bad == nil), "is_valid says %s, %s", tostring(valid), tostring(bad))
  local made = path:repair()
  if valid then expect(made and #made == #path, "a good path was repaired") end
  expect(not made or made:is_valid(), "a repaired path is not valid")
end

local NAMES = { "find_path", "find_path", "find_path", "search", "queue", "reachable", "reachable",
  "find_nearest", "repair", "flow" }

-- ---- rounds ----

local function new_world(r)
  local rows = r:map(r:int(3, 14), r:int(3, 14))
  r:sow(rows, { "g", "s" })
  return oracle.world(rows, { terrain = { ["."] = 1, ["#"] = false, g = 2, s = 0.5 } })
end

local function new_finders(r, grid)
  local finders = {}
  for i = 1, FINDERS do
    local rules = {
      diagonals = r:pick(check.RULES), algorithm = r:pick(ALGORITHMS),
      size = r:chance(0.2) and r:int(2, 3) or 1,
    }
    if r:chance(0.3) then rules.costs = { g = r:pick { 1, 4, false } } end
    finders[i] = { rules = rules, finder = grid:finder(rules) }
    if r:chance(0.3) then finders[i].finder:bake { pivots = r:int(1, 3) } end
  end
  return finders
end

local function begin_map(r, state)
  state.world = new_world(r)
  state.grid = maps.grid(state.world)
  state.finders = new_finders(r, state.grid)
  state.edits = r:chance(0.5) and PLAIN or LAYERED
  state.path = nil
end

local function play_round(r, state)
  for _ = 1, EDITS do EDITS_BY_NAME[r:pick(state.edits)](r, state.grid, state.world) end
  local unit = r:pick(state.finders)
  local round = { r = r, unit = unit, state = state, world = state.world, rules = unit.rules }
  round.sx, round.sy = random_cell(r, state.world)
  round.distances, round.entry = oracle.distances(state.world, unit.rules, round.sx, round.sy)
  for _ = 1, QUERIES do
    local gx, gy = random_cell(r, state.world)
    ASK[r:pick(NAMES)](round, unit.finder, gx, gy)
  end
end

-- Kilobytes: of Lua's, and of the whole process where the system tells.
local function memory()
  collectgarbage()
  collectgarbage()
  local file = io.open "/proc/self/statm"
  local pages = file and file:read "*a":match "^%d+ (%d+)"
  if file then file:close() end
  return collectgarbage "count", pages and tonumber(pages) * 4
end

local function check_memory(first, last, limit, what)
  if first and last then
    expect(last <= first + limit, "%s grew from %.0f to %.0f kB", what, first, last)
  end
end

-- Makes so many edits and questions; 'tell', if given, is called with a line now and then. Raises
-- what is wrong, with the seed and the map in the message.
function soak.run(operations, seed, tell)
  local r, state = random.new(seed), { queue = astar.queue() }
  local a_round = EDITS + QUERIES
  local rounds = math.ceil(operations / a_round)
  local lua_first, process_first
  for round = 1, rounds do
    if (round - 1) % ROUNDS_A_MAP == 0 then begin_map(r, state) end
    local ok, problem = pcall(play_round, r, state)
    if not ok then
      error(("soak seed %d, round %d: %s\n%s"):format(seed, round, tostring(problem),
        maps.describe(state.world)), 0)
    end
    local is_tenth = round % math.max(math.floor(rounds / 10), 1) == 0
    if is_tenth and tell then
      local lua, process = memory()
      tell(("%9d edits and questions, Lua %.0f kB, process %s kB"):format(round * a_round, lua,
        process or "?"))
    end
    if round == math.ceil(rounds / 5) then lua_first, process_first = memory() end
  end
  local lua_last, process_last = memory()
  check_memory(lua_first, lua_last, 1024, "Lua's memory") -- of which LuaJIT's traces take some
  -- Sanitizers and valgrind hold back what is freed, and busted makes memory of its own.
  if tell and not (os.getenv "LD_PRELOAD" or ""):find "san" then
    check_memory(process_first, process_last, 2048, "the process")
  end
  return rounds * a_round
end

return soak
