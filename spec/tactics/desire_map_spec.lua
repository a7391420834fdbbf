-- Several flows and fields weighed against each other, against sums that are made here cell by cell.

local astar = require "astar"
local check = require "spec.support.check"
local random = require "spec.support.random"
local times = require "spec.support.times"

local MAPS = times("ASTAR_MAPS", 200)
local unpack = unpack or table.unpack
local FIRST_SEED = tonumber(os.getenv "ASTAR_SEED") or 1

local SIDES = { "north_east", "east", "south_east", "south_west", "west", "north_west" }
local DIRECTIONS = { "north", "south", unpack(SIDES) }

-- The sum of all parts at a cell; nil where one has no distance there, nor counts as anything without.
local function plain_value(parts, x, y)
  local sum = 0
  for _, part in ipairs(parts) do
    local value
    if part.is_field then
      value = part[1]:get(x, y)
    else
      value = part[1]:distance(x, y) or part.missing
    end
    if not value then return nil end
    sum = sum + (part[2] or 1) * value
  end
  return sum
end

-- Where one should go: the least of the cell and of those one step away, which a reach from there knows.
local function plain_least(grid, options, parts, x, y)
  local least = plain_value(parts, x, y)
  if not least then return nil end
  local finder = grid:finder(options)
  if not finder:find_path(x, y, x, y) then return nil end
  for _, direction in ipairs(grid:shape() == "hex" and SIDES or DIRECTIONS) do
    local to_x, to_y = grid:neighbour(x, y, direction)
    local path = to_x and finder:find_path(x, y, to_x, to_y)
    if path and #path == 2 then
      local value = plain_value(parts, to_x, to_y)
      least = value and math.min(least, value) or least
    end
  end
  return least
end

local function strip(parts)
  local list = {}
  for i, part in ipairs(parts) do list[i] = { part[1], part[2], missing = part.missing } end
  return list
end

local function new_part(r, grid, finder, x, y)
  local weight = r:pick { 1, 0.5, 2, -1, 0 }
  local kind = r:int(1, 5)
  if kind == 1 then
    local field = astar.field(grid)
    field:stamp(x, y, 3, r:pick { 4, -4 })
    return { field, weight, is_field = true }
  end
  local flow = finder:flow({ { x, y } }, { max_cost = r:chance(0.3) and 6 or nil })
  if kind == 2 then flow = flow:flee() end
  if kind == 3 then flow:complete() end
  return { flow, weight, missing = r:chance(0.5) and 20 or nil }
end

-- What a cell costs, and which steps there are, as functions tell; nil for none.
local function random_functions(r)
  local functions, which = {}, r:pick { "none", "none", "cost", "step_cost", "both" }
  if which == "cost" or which == "both" then
    functions.cost = function(x, y, _, cost) return (3 * x + 5 * y) % 7 ~= 0 and cost * (1 + (x + y) % 2) end
  end
  if which == "step_cost" or which == "both" then
    functions.step_cost = function(x, y, to_x, to_y, cost)
      return (x + 2 * y + 3 * to_x + 5 * to_y) % 9 ~= 0 and cost
    end
  end
  return functions
end

-- The options of some unit.
local function random_options(r, is_hex)
  local options = not is_hex and { diagonals = r:pick(check.RULES) } or {}
  for name, call in pairs(random_functions(r)) do options[name] = call end
  if not is_hex and r:chance(0.2) then options.size = 2 end
  return options
end

-- Whether a unit of more than a cell stands among blocks that are its own at its start: a flow knows them as blocks.
local function is_among_own(grid, options, x, y)
  for dx = 0, (options.size or 1) - 1 do
    for dy = 0, (options.size or 1) - 1 do
      local is_inside = pcall(grid.get, grid, x + dx, y + dy)
      if options.size and is_inside and grid:is_blocked(x + dx, y + dy) then return true end
    end
  end
  return false
end

describe("finder:desire_map", function()
  it("adds weighted flows: a hoard attracts a unit, and a guard repels it", function()
    local grid = astar.grid(12, 5)
    local finder = grid:finder { diagonals = "never" }
    local loot, guard = finder:flow(12, 3), astar.field(grid)
    guard:stamp(10, 3, 3, 20)
    local map = finder:desire_map { { loot, 1 }, { guard, 1 } }
    assert.same({ 2, 3, 11 }, { map:next(1, 3) })
    assert.equal(11, map:value(1, 3))
    local x, y = 1, 3
    for _ = 1, 20 do x, y = map:next(x, y) end
    assert.same({ 6, 3 }, { x, y }) -- as near as it dares
    guard:fill(0)
    for _ = 1, 20 do x, y = map:next(x, y) end
    assert.same({ 12, 3 }, { x, y })
    assert.equal("astar desire map of 2", tostring(map))
  end)

  it("returns a reason if a flow has no distance, unless the flow's entry has a field `missing`", function()
    local grid = astar.grid "..#.."
    local finder = grid:finder()
    local flow = finder:flow(5, 1)
    assert.same({ nil, "unreachable" }, { finder:desire_map({ { flow } }):next(1, 1) })
    assert.same({ nil, "unreachable" }, { finder:desire_map({ { flow } }):value(1, 1) })
    local here = astar.field(grid)
    here:set(2, 1, -1)
    assert.same({ 2, 1, 9 }, { finder:desire_map({ { flow, missing = 9 }, { here } }):next(1, 1) })
    grid:set(3, 1, ".")
    assert.same({ 2, 1, 4 }, { finder:desire_map({ { flow, missing = 9 }, { here } }):next(1, 1) })
  end)

  it("leads by the steps of its own finder, whichever finders made the flows", function()
    local grid = astar.grid "...\n...\n..."
    local flow = grid:finder():flow(3, 3)
    local x, y = grid:finder({ diagonals = "never" }):desire_map({ { flow } }):next(1, 1)
    assert.same({ 2, 1 }, { x, y })
    assert.same({ 2, 2 }, { (grid:finder():desire_map({ { flow } }):next(1, 1)), 2 })
    grid:block(2, 2)
    grid:block(2, 1)
    assert.same({ 1, 2 }, { (grid:finder():desire_map({ { flow } }):next(1, 1)), 2 })
  end)

  it("raises an error for values that are not weighted flows or fields", function()
    local grid = astar.grid(4, 4)
    local finder = grid:finder()
    local flow = finder:flow(1, 1)
    for text, parts in pairs {
      ["parts must be a list of { flow or field, weight }, got none"] = {},
      ["parts[1] must be { flow or field, weight }, got 3"] = { 3 },
      ["parts[1][1] must be an astar field, got 3"] = { { 3, 1 } },
      ['parts[2][2] must be a number from -1000000 to 1000000, got "x"'] = { { flow, 1 }, { flow, "x" } },
      ['unknown option "mising" (did you mean "missing"?)'] = { { flow, 1, mising = 3 } },
      ["parts[1][1] must be a flow over a grid of the map's size and origin"] = {
        { astar.grid(3, 4):finder():flow(1, 1) },
      },
      ["parts[1][1] is a flow made with steps_only, which has no distances"] = {
        { finder:flow({ { 1, 1 } }, { steps_only = true }) },
      },
    } do
      assert.equal(text, check.error_of(function() finder:desire_map(parts) end))
    end
    local map = finder:desire_map { { flow, 1 } }
    assert.equal("x must be an integer from 1 to 4, got 5", check.error_of(function() map:next(5, 1) end))
  end)

  it("leads to the neighbour with the smallest sum, after edits too, on random maps: " .. MAPS, function()
    for seed = FIRST_SEED, FIRST_SEED + MAPS - 1 do
      local r = random.new(seed)
      local width, height = r:int(2, 9), r:int(2, 9)
      local rows = r:map(width, height)
      local is_hex = r:chance(0.3)
      local grid = astar.grid(rows, is_hex and { shape = "hex" } or nil)
      local options = random_options(r, is_hex)
      local finder, parts = grid:finder(options), {}
      for i = 1, r:int(1, 4) do
        local of = r:chance(0.5) and finder or grid:finder(random_options(r, is_hex)) -- another unit's flow
        parts[i] = new_part(r, grid, of, r:int(1, width), r:int(1, height))
      end
      local map = finder:desire_map(strip(parts))
      for turn = 1, 20 do
        local x, y = r:int(1, width), r:int(1, height)
        for _ = 1, 20 do
          if is_among_own(grid, options, x, y) then x, y = r:int(1, width), r:int(1, height) end
        end
        local least, next_x, next_y = plain_least(grid, options, parts, x, y), map:next(x, y)
        local found = next_x and plain_value(parts, next_x, next_y)
        local message = ("seed %d, turn %d, (%d, %d): %s, plain %s"):format(seed, turn, x, y, tostring(found),
          tostring(least))
        assert(least == nil and found == nil or found and math.abs(least - found) < 1e-9, message)
        assert(not found or grid:distance(x, y, next_x, next_y) < 1.5, message)
        local value = map:value(x, y)
        local here = least and plain_value(parts, x, y)
        assert(value == here or math.abs(value - here) < 1e-9, message)
        if r:chance(0.2) then
          grid:block(r:int(1, width), r:int(1, height))
        elseif r:chance(0.1) then
          grid:unblock(1, 1, width, height)
        end
      end
    end
  end)
end)
