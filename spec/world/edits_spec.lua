-- Searches for routes over a world that is edited between any two steps of them. What is right comes from the rules
-- alone, in the world as it is when a search ends.

local astar = require "astar"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"
local worlds = require "spec.support.worlds"

local RULES = require "spec.support.check".RULES
local SIDES = { north = "0,-1", east = "1,0", south = "0,1", west = "-1,0" }
local directions = astar.directions
local TERRAIN = { ["."] = 1, ["~"] = 2.5, ["#"] = false }
local SIDE = 128

local function random_rows(r)
  local percent, mud, rows = r:int(0, 30), r:int(0, 30), {}
  for y = 1, SIDE do
    rows[y] = {}
    for x = 1, SIDE do rows[y][x] = r:int(1, 100) <= percent and "#" or r:int(1, 100) <= mud and "~" or "." end
  end
  return rows
end

-- A world of 2 x 2 chunks, rock around them, and the same as the oracle has it; edits are made to both. Cells of a
-- chunk that is away are rock to the oracle.
local function new_both(r)
  local both = { rows = random_rows(r), away = {}, blocks = {} }
  both.model = oracle.world(both.rows, { terrain = TERRAIN })
  both.world = astar.world { terrain = TERRAIN, load = function(cx, cy)
    if cx < 0 or cy < 0 or cx > 1 or cy > 1 then return false end
    return not both.away[cx + 2 * cy] and worlds.cut(both.rows, 1, 1, cx, cy) or nil
  end }
  function both.is_away(x, y)
    return both.away[math.floor((x - 1) / 64) + 2 * math.floor((y - 1) / 64)] or false
  end
  function both.show(x, y)
    both.model.keys[oracle.cell(both.model, x, y)] = both.is_away(x, y) and "#" or both.rows[y][x]
  end
  return both
end

local EDITS = {}

function EDITS.door(both, x, y)
  local cell = oracle.cell(both.model, x, y)
  local is_shut = not both.model.blocks[cell]
  local done, why = both.world[is_shut and "block" or "unblock"](both.world, x, y)
  assert.equal(both.is_away(x, y) and "not loaded" or nil, why)
  if done then both.model.blocks[cell] = is_shut or nil end
end

-- A wall from edge to edge, or what takes it away again: the way is there in every other step.
function EDITS.gate(both)
  local is_shut = not both.is_shut
  local done = both.world[is_shut and "block" or "unblock"](both.world, 1, 64, SIDE, 1)
  assert.equal(not (both.is_away(1, 64) or both.is_away(SIDE, 64)) or nil, done)
  if not done then return end
  both.is_shut = is_shut
  for x = 1, SIDE do both.model.blocks[oracle.cell(both.model, x, 64)] = is_shut or nil end
end

function EDITS.ground(both, x, y, r)
  if both.is_away(x, y) then return end
  both.rows[y][x] = r:pick { ".", "~", "#" }
  both.world:set(x, y, both.rows[y][x])
  both.show(x, y)
end

function EDITS.chunk(both, x, y)
  local cx, cy = math.floor((x - 1) / 64), math.floor((y - 1) / 64)
  local number = cx + 2 * cy
  both.away[number] = not both.away[number] or nil
  if both.away[number] then
    both.world:forget_chunk(cx, cy)
  else
    both.world:put_chunk(cx, cy, worlds.cut(both.rows, 1, 1, cx, cy))
  end
  for row = 64 * cy + 1, 64 * cy + 64 do
    for column = 64 * cx + 1, 64 * cx + 64 do both.show(column, row) end
  end
end

function EDITS.link(both, x, y, r)
  local to_x, to_y = r:int(1, SIDE), r:int(1, SIDE)
  if to_x == x and to_y == y then return end
  local cost, cell = r:int(0, 40), oracle.cell(both.model, x, y)
  if not both.world:link(x, y, to_x, to_y, { cost = cost, one_way = true }) then return end
  both.model.links[cell] = both.model.links[cell] or {}
  both.model.links[cell][oracle.cell(both.model, to_x, to_y)] = cost
  both.linked = both.linked or {}
  table.insert(both.linked, { x, y, to_x, to_y })
end

function EDITS.unlink(both)
  local link = table.remove(both.linked or {})
  if not link or not both.world:unlink(link[1], link[2], link[3], link[4], true) then return end
  both.model.links[oracle.cell(both.model, link[1], link[2])][oracle.cell(both.model, link[3], link[4])] = nil
end

function EDITS.wall(both, x, y, r)
  local side = r:pick { "north", "east", "south", "west" }
  local stands = both.world:has_wall(x, y, side)
  if not both.world[stands and "unwall" or "wall"](both.world, x, y, side, true) then return end
  local cell = oracle.cell(both.model, x, y)
  both.model.walls[cell] = both.model.walls[cell] or {}
  both.model.walls[cell][SIDES[side]] = not stands or nil
end

-- Restricts the cells of a rectangle, often across the border of two chunks, or removes their restrictions.
function EDITS.belt(both, x, y, r)
  local w, h = math.min(r:int(1, 40), SIDE + 1 - x), math.min(r:pick { 1, 1, 2, 40 }, SIDE + 1 - y)
  local names, exits = {}, {}
  for i = 1, r:pick { 0, 1, 1, 2, 4 } do
    local direction = directions[r:int(1, 8)]
    names[i] = direction.name
    exits[("%d,%d"):format(direction.dx, direction.dy)] = true
  end
  local done
  if r:chance(0.3) then
    exits, done = nil, both.world:unrestrict(x, y, w, h)
  else
    done = both.world:restrict(x, y, w, h, names)
  end
  for row = y, y + (done and h or 0) - 1 do
    for column = x, x + w - 1 do both.model.exits[oracle.cell(both.model, column, row)] = exits end
  end
end

local KINDS = { "door", "gate", "ground", "chunk", "link", "unlink", "wall", "belt" }

local function near(r, a, b)
  return math.max(1, math.min(SIDE, r:int(math.min(a, b) - 12, math.max(a, b) + 12)))
end

local function check_found(at, both, rules, route, best, ask)
  local way = assert(route:path(), at .. ": a route that cannot be walked")
  local entry, cost, px, py = oracle.entry_costs(both.model, rules, ask[1], ask[2], true), 0, nil, nil
  for x, y in way:cells() do
    if px then
      local step = oracle.legal_step(both.model, rules, entry, px, py, x, y)
      local link = oracle.link_step(both.model, rules, entry, px, py, x, y)
      assert.is_truthy(step or link, at .. ": a step that cannot be made")
      cost = cost + math.min(step or math.huge, link or math.huge)
    end
    px, py = x, y
  end
  assert.is_true(cost <= way.cost + 1e-6 and way.cost <= route.cost + 1e-6, at .. ": dearer as walked")
  if route.partial then return end
  assert.is_truthy(best, at .. ": a route where there is none")
  assert.is_true(route.cost >= best - 1e-6, at)
  assert.is_true(route.cost - route.bound <= best + 1e-6, at .. ": not within its bound")
end

-- A question whose search is stepped with an edit after each step. How it ended, in how many steps.
local function ask_under_edits(seed, kinds)
  local r = random.new(seed)
  local both = new_both(r)
  local rules = { diagonals = r:pick(RULES), size = r:int(1, 2) }
  local options = { diagonals = rules.diagonals, size = rules.size, exact = r:chance(0.3) }
  if r:chance(0.3) then options.weight = 1.5 end
  local ask = { r:int(1, SIDE), r:int(1, SIDE), r:int(1, SIDE), r:int(1, SIDE) }
  local search = both.world:finder(options):search(ask[1], ask[2], ask[3], ask[4])
  local at, steps = ("seed %d"):format(seed), 0
  local size = r:pick { 1, 1, 40, 2000 }
  while search:step(size) == "running" do
    steps = steps + 1
    assert.is_true(steps < 3000, at .. ": it never ends")
    EDITS[r:pick(kinds)](both, near(r, ask[1], ask[3]), near(r, ask[2], ask[4]), r)
  end
  local status, distances, entry = search.status, oracle.distances(both.model, rules, ask[1], ask[2])
  local best, goal = distances[oracle.cell(both.model, ask[3], ask[4])], oracle.cell(both.model, ask[3], ask[4])
  if status == "found" then
    check_found(at, both, rules, assert(search:route()), best, ask)
  elseif status == "goal blocked" then
    assert.is_falsy(entry[goal], at)
  elseif status == "start blocked" then
    assert.is_false(oracle.can_stand(both.model, rules, ask[1], ask[2]), at)
  elseif status == "unreachable" or status == "not loaded" then
    -- What juts out of the oracle's map is a start or goal that it does not know.
    assert.is_true(best == nil, at .. ": " .. status .. ", where there is a way of " .. tostring(best))
  else
    assert.equal("world changed", status, at)
    assert.same({ nil, "world changed" }, { search:route() })
  end
  return status, steps
end

describe("a search for a route", function()
  for name, kinds in pairs { ["all kinds"] = KINDS, ["a gate"] = { "gate" }, ["chunks"] = { "chunk" },
    ["belts"] = { "belt" } } do
    it("ends with a result for the present world, whatever is edited after each step: " .. name, function()
      for seed = 1, 8 do ask_under_edits(seed, kinds) end
    end)
  end
end)

return ask_under_edits
