-- check.lua -- holds a path against the rules: every cell, every step, every way of reading it.
--
-- A question is what was asked: { world =, rules =, sx =, sy =, gx =, gy = }, world and rules as
-- in oracle.lua; without gx and gy the path may end anywhere.

local oracle = require "spec.support.oracle"

local check = {}

check.RULES = { "always", "if_at_most_one_obstacle", "only_when_no_obstacles", "never" }
check.HEURISTICS = { "octile", "manhattan", "euclidean", "chebyshev", "zero" }

-- Every value of the option `algorithm`.
check.ALGORITHMS = { "auto", "astar", "dijkstra", "jps", "jpsw" }

-- Whether all ground of the world that the rules let a unit enter costs the same.
local function is_uniform(world, rules)
  local only
  for cell = 1, #world.keys do
    local cost = oracle.ground_cost(world, rules, cell)
    if cost and only and cost ~= only then return false end
    only = cost or only
  end
  return true
end

-- Whether an algorithm can honour the other options, and the ground of the world where one is
-- given; asked for by name, one that cannot is an error.
function check.honours(algorithm, options, world)
  if not algorithm:find "^jps" then return true end
  if (options.range or 0) > 0 or (algorithm == "jpsw" and (options.weight or 1) > 1)
    or options.partial or type(options.heuristic) == "function" then return false end
  local cuts_corners = options.diagonals == "always" or options.diagonals == "if_at_most_one_obstacle"
  if cuts_corners and (options.diagonal_cost or 1) >= 2 then return false end
  if algorithm == "jps" and world and (next(world.links) or next(world.walls)) then return false end
  local own = options.diagonals == "never" and "manhattan" or "octile"
  return not options.cost and not options.step_cost and (options.heuristic or own) == own
    and (algorithm == "jpsw" or not options.avoid and (not world or is_uniform(world, options)))
end

-- A list of the algorithms that can.
function check.algorithms(options, world)
  local names = {}
  for _, name in ipairs(check.ALGORITHMS) do
    if check.honours(name, options, world) then names[#names + 1] = name end
  end
  return names
end

local NAMES = {
  ["0,-1"] = "north", ["1,-1"] = "north_east", ["1,0"] = "east", ["1,1"] = "south_east",
  ["0,1"] = "south", ["-1,1"] = "south_west", ["-1,0"] = "west", ["-1,-1"] = "north_west",
}

local function expect(holds, message, ...)
  if not holds then error(message:format(...), 0) end
end

-- Equal as sums of the same numbers in another order are.
function check.near(a, b)
  if a == math.huge or b == math.huge then return a == b end
  return a == b or math.abs(a - b) <= 1e-9 * math.max(1, math.abs(a), math.abs(b))
end

function check.equal_cost(expected, got, what)
  expect(check.near(expected, got), "%s: expected %.17g, got %.17g", what, expected, got)
end

-- What a misuse says, without the place in front of it, which must be the spec that misused.
function check.error_of(misuse, ...)
  local ok, message = pcall(misuse, ...)
  expect(not ok, "expected an error")
  expect(type(message) == "string", "expected a message, got %s", type(message))
  local text = message:match "_spec%.lua:%d+: (.*)$"
  expect(text, "expected a message of this spec's line, got: %s", message)
  return text
end

-- { { x =, y = }, ... } as path:cell(i) tells them.
local function read_cells(path)
  local cells = {}
  for i = 1, #path do
    local x, y = path:cell(i)
    cells[i] = { x = x, y = y }
  end
  return cells
end

local function same_cells(expected, got, what)
  expect(#expected == #got, "%s: expected %d cells, got %d", what, #expected, #got)
  for i, cell in ipairs(expected) do
    expect(cell.x == got[i].x and cell.y == got[i].y, "%s: cell %d is (%s, %s), expected (%d, %d)",
      what, i, got[i].x, got[i].y, cell.x, cell.y)
  end
end

local function iterated(path)
  local cells = {}
  for x, y in path:cells() do cells[#cells + 1] = { x = x, y = y } end
  return cells
end

local function indexed(path)
  local cells = {}
  while path[#cells + 1] do cells[#cells + 1] = path[#cells + 1] end
  return cells
end

local function unflattened(path)
  local flat, cells = path:cells_flat(), {}
  for i = 1, #flat, 2 do cells[#cells + 1] = { x = flat[i], y = flat[i + 1] } end
  return cells
end

-- The first cell, the last, and each where the direction changes or a link begins or ends.
function check.turning_points(cells, path)
  local points = {}
  for i, cell in ipairs(cells) do
    local before, after = cells[i - 1], cells[i + 1]
    if not before or not after or path and (path:link(i - 1) or path:link(i))
      or after.x - cell.x ~= cell.x - before.x or after.y - cell.y ~= cell.y - before.y then
      points[#points + 1] = cell
    end
  end
  return points
end

-- Every way to read the cells tells the same ones.
function check.accessors(path)
  local cells = read_cells(path)
  expect(#cells >= 1, "a path has at least one cell")
  same_cells(cells, iterated(path), "cells()")
  same_cells(cells, indexed(path), "path[i]")
  same_cells(cells, unflattened(path), "cells_flat()")
  same_cells(cells, path:totable(), "totable()")
  local directions = path:directions()
  expect(#directions == #cells - 1, "directions(): %d for %d cells", #directions, #cells)
  for i, name in ipairs(directions) do
    local step = (cells[i + 1].x - cells[i].x) .. "," .. (cells[i + 1].y - cells[i].y)
    expect((path:link(i) and "link" or NAMES[step]) == name, "directions(): step %d is (%s), got %s", i, step, name)
  end
  return cells
end

-- The sums of the steps' costs and lengths; an error where a step is not allowed.
local function walk(cells, question, path)
  local world, rules = question.world, question.rules
  local entry = question.entry or oracle.entry_costs(world, rules, question.sx, question.sy)
  local cost, length = 0, 0
  for i = 2, #cells do
    local from, to = cells[i - 1], cells[i]
    local link = path:link(i - 1)
    local take = link and oracle.link_step or oracle.legal_step
    local step = take(world, rules, entry, from.x, from.y, to.x, to.y)
    expect(not link or link == oracle.cell(world, from.x, from.y) .. " to "
      .. oracle.cell(world, to.x, to.y), "step %d has the label %s", i - 1, tostring(link))
    expect(step, "step %d, (%d, %d) to (%d, %d), is not legal", i - 1, from.x, from.y, to.x, to.y)
    cost = cost + step
    local diagonal = not link and from.x ~= to.x and from.y ~= to.y
    length = length + (diagonal and math.sqrt(2) or 1)
  end
  return cost, length
end

-- The path answers the question: right ends, legal steps, and cost and length their sums.
function check.route(path, question)
  expect(getmetatable(path) == "astar", "expected a path, got %s", tostring(path))
  local cells = read_cells(path)
  local first, last = cells[1], cells[#cells]
  expect(first.x == question.sx and first.y == question.sy,
    "starts at (%s, %s) instead of (%d, %d)", first.x, first.y, question.sx, question.sy)
  if question.gx then
    expect(last.x == question.gx and last.y == question.gy,
      "ends at (%s, %s) instead of (%d, %d)", last.x, last.y, question.gx, question.gy)
  end
  local cost, length = walk(cells, question, path)
  check.equal_cost(cost, path.cost, "path.cost against the sum of its steps")
  check.equal_cost(length, path.length, "path.length")
  return cells
end

-- The steps are legal and path.cost is their sum, whatever its ends and its legs.
function check.cost(path, question)
  check.equal_cost(walk(read_cells(path), question, path), path.cost, "path.cost against its steps")
end

-- What the steps of a path cost, whatever its links are called; nil when one is not legal.
function check.sum(path, question)
  local cells, sum = read_cells(path), 0
  for i = 2, #cells do
    local from, to = cells[i - 1], cells[i]
    local take = path:link(i - 1) and oracle.link_step or oracle.legal_step
    local step = take(question.world, question.rules, question.entry, from.x, from.y, to.x, to.y)
    if not step then return nil end
    sum = sum + step
  end
  return sum
end

-- All of it.
function check.path(path, question)
  check.route(path, question)
  local cells = check.accessors(path)
  same_cells(check.turning_points(cells, path), path:waypoints(), "waypoints()")
  expect(path:is_valid() == true, "a path just found is not valid")
  return cells
end

return check
