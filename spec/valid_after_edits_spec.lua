-- Whether a path can still be walked after edits near and far: the log of edits against a walk along all cells.
--
-- ASTAR_MAPS=10000 runs more maps, ASTAR_SEED=7 others, as for differential_spec.lua.

local astar = require "astar"
local core = require "astar.core"
local random = require "spec.support.random"
local times = require "spec.support.times"

local MAPS = times("ASTAR_MAPS", 1200)
local FIRST_SEED = tonumber(os.getenv "ASTAR_SEED") or 1
local RULES = { "always", "if_at_most_one_obstacle", "only_when_no_obstacles", "never" }
local SIDES = { "north", "east", "south", "west" }
local SIDES_OF_HEXAGONS = { "east", "west", "north_east", "south_west" }

-- Returns the index of the first bad cell from 'from' on, by the rule of the manual for each step.
-- For squares of one cell without links and walls.
local function first_bad(grid, path, from, rule)
  local function free(x, y) return grid:is_walkable(x, y) end
  for i = from, #path do
    local x, y = path:cell(i)
    if i > from then
      if not free(x, y) then return i end
      local before_x, before_y = path:cell(i - 1)
      local dx, dy = x - before_x, y - before_y
      if dx ~= 0 and dy ~= 0 then
        local count = (free(before_x + dx, before_y) and 1 or 0) + (free(before_x, before_y + dy) and 1 or 0)
        if count < ({ always = 0, if_at_most_one_obstacle = 1, only_when_no_obstacles = 2 })[rule] then return i end
      end
    end
  end
end

local function rows_of(r, width, height)
  local rows = r:map(width, height)
  for y = 1, height do rows[y] = table.concat(rows[y]) end
  return rows
end

-- Edits a grid somewhere: terrain, blocks of some layer, a wall, a link.
local function edit(r, grid, width, height, sides)
  local x, y = r:int(1, width), r:int(1, height)
  local w, h = r:int(1, math.min(3, width - x + 1)), r:int(1, math.min(3, height - y + 1))
  local kind = r:int(1, 8)
  if kind <= 2 then grid:fill(x, y, w, h, r:pick { "#", ".", "." }) end
  if kind == 3 then grid:block(x, y, w, h) end
  if kind == 4 then grid:unblock(x, y, w, h) end
  if kind == 5 then grid:block(x, y, w, h, "others") end
  if kind == 6 then grid:unblock(x, y, w, h, "others") end
  if kind == 7 and sides then grid:wall(x, y, r:pick(sides)) end
  if kind == 8 then
    local to_x, to_y = r:int(1, width), r:int(1, height)
    if x ~= to_x or y ~= to_y then grid:link(x, y, to_x, to_y) end
    if r:chance(0.1) then grid:terrain("~", r:pick { 1, 2 }) end
  end
end

describe("path:is_valid after edits", function()
  it("returns the result of a walk along the whole path, on squares, hexagons and maps that wrap around", function()
    local checked, bad_count = 0, 0
    for seed = FIRST_SEED, FIRST_SEED + MAPS - 1 do
      local r = random.new(seed)
      local width, height = r:int(3, 60), r:int(3, 60)
      local options = { terrain = { ["."] = 1, ["#"] = false, ["~"] = 2 } }
      local kind = r:int(1, 4)
      local sides = kind == 1 and SIDES_OF_HEXAGONS or kind > 2 and SIDES or nil -- no walls on maps that wrap around
      if kind == 1 then options.shape = "hex" end
      if kind == 2 then options.wrap = r:pick { "x", "y", "both" } end
      local grid = astar.grid(rows_of(r, width, height), options)
      grid:block(1, 1, 1, 1, "others")
      grid:unblock(1, 1, 1, 1, "others")
      local finder_options = { diagonals = kind ~= 1 and r:pick(RULES) or nil }
      if r:chance(0.3) then finder_options.ignore = { "others" } end
      if kind > 2 and r:chance(0.3) then finder_options.size = r:body(2, 3) end
      if kind > 2 and not finder_options.size and r:chance(0.2) then finder_options.any_angle = true end
      for _ = 1, r:int(0, 3) do edit(r, grid, width, height, sides) end
      local finder = grid:finder(finder_options)
      local paths, lengths = {}, {}
      for _ = 1, 6 do
        local path = finder:find_path(r:int(1, width), r:int(1, height), r:int(1, width), r:int(1, height))
        if path then
          lengths[#paths + 1] = not finder_options.any_angle and path.length or nil
          paths[#paths + 1] = kind ~= 2 and r:chance(0.3) and path:smooth() or path
        end
      end
      for _ = 1, 12 do
        for _ = 1, r:int(1, 3) do edit(r, grid, width, height, sides) end
        for i, path in ipairs(paths) do
          if r:chance(0.7) then
            -- The line of a slanted leg passes beside the unit's own blocks, which count only while it stands on them.
            local from = (path.length ~= lengths[i] or r:chance(0.5)) and 1 or r:int(1, #path)
            local whole = core.read_path(finder, core.save_path(path)) -- nothing is known of this path yet
            local expected, expected_bad = whole:is_valid(from)
            local is_valid, bad = path:is_valid(from)
            checked = checked + 1
            bad_count = bad_count + (expected and 0 or 1)
            local message = ("seed %d, path %d of %d cells from %d"):format(seed, i, #path, from)
            assert.equal(expected, is_valid, message)
            assert.equal(expected_bad, bad, message)
          end
        end
      end
    end
    assert.is_true(checked > 20 * MAPS and bad_count > 2 * MAPS, ("%d of %d"):format(bad_count, checked))
  end)

  it("applies the finder's rule of diagonals to each step", function()
    for seed = FIRST_SEED, FIRST_SEED + MAPS - 1 do
      local r = random.new(seed)
      local width, height, rule = r:int(4, 80), r:int(4, 80), r:pick(RULES)
      local grid = astar.grid(rows_of(r, width, height))
      local path = grid:find_path(r:int(1, width), r:int(1, height), r:int(1, width), r:int(1, height),
        { diagonals = rule })
      for _ = 1, path and 20 or 0 do
        local x, y, from = r:int(1, width), r:int(1, height), r:int(1, #path)
        if r:chance(0.5) then grid:block(x, y) else grid:unblock(x, y) end
        local bad = first_bad(grid, path, from, rule)
        assert.same(bad and { false, bad } or { true }, { path:is_valid(from) }, "seed " .. seed)
      end
    end
  end)

  it("stays right when more edits are made than the grid remembers", function()
    local grid = astar.grid(50, 50)
    local path = grid:find_path(1, 1, 50, 1)
    for _ = 1, 300 do
      grid:block(25, 40)
      grid:unblock(25, 40)
    end
    assert.is_true(path:is_valid())
    grid:block(25, 1)
    for _ = 1, 300 do
      grid:block(25, 40)
      grid:unblock(25, 40)
    end
    assert.same({ false, 25 }, { path:is_valid() })
    assert.is_true(path:is_valid(25)) -- the unit itself stands on the block
    assert.is_true(path:is_valid(26))
  end)

  it("detects edits that were published to a view of a shared map", function()
    local grid = astar.grid(40, 40)
    grid:share "valid after edits"
    local view = astar.shared "valid after edits"
    local path = view:find_path(1, 1, 40, 1)
    grid:block(20, 30)
    grid:publish()
    assert.is_true(path:is_valid())
    grid:block(20, 1)
    assert.is_true(path:is_valid())
    grid:publish()
    assert.same({ false, 20 }, { path:is_valid() })
    grid:unshare()
  end)
end)
