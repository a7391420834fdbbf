-- A clone lies in the same memory as its original until one of them is edited: nobody may tell, but by
-- what it takes. What is right is told by grids loaded from dumps, each edited like the one it stands for.
--
-- ASTAR_MAPS=100000 runs more maps, ASTAR_SEED=7 others.

local astar = require "astar"
local random = require "spec.support.random"
local times = require "spec.support.times"

local MAPS = math.ceil(times("ASTAR_MAPS", 1000) * 0.2)
local FIRST = tonumber(os.getenv "ASTAR_SEED") or 1

local TERRAIN = { ["."] = 1, ["#"] = false, ["~"] = 3 }
local SIDES = { "north", "east", "south", "west" }

local function fresh(grid) return astar.load(grid:dump()) end

local function new_grid(r, width, height)
  local rows = r:scatter(width, height, r:pick { 0.1, 0.3, 0.45 })
  for y = 1, height do
    for x = 1, width do
      if r:chance(0.1) then rows[y][x] = "~" end
    end
    rows[y] = table.concat(rows[y])
  end
  return astar.grid(rows, { terrain = TERRAIN })
end

-- An edit of any kind, of a grid and of the one that tells what is right.
local function edit(r, one, other)
  local width, height = one:size()
  local x, y = r:int(1, width), r:int(1, height)
  local w, h = r:int(1, math.min(4, width - x + 1)), r:int(1, math.min(4, height - y + 1))
  local kind, key, side = r:int(1, 11), r:pick { ".", "#", "~" }, r:pick(SIDES)
  local gx, gy, cost = r:int(1, width), r:int(1, height), r:int(0, 5)
  for _, grid in ipairs { one, other } do
    if kind == 1 then grid:set(x, y, key)
    elseif kind == 2 then grid:fill(x, y, w, h, key)
    elseif kind == 3 then grid:block(x, y, w, h)
    elseif kind == 4 then grid:unblock(x, y, w, h)
    elseif kind == 5 then grid:block(x, y, w, h, "doors")
    elseif kind == 6 then grid:finder { ignore = { "doors" } } grid:unblock(x, y, w, h, "doors")
    elseif kind == 7 and (x ~= gx or y ~= gy) then grid:link(x, y, gx, gy, { cost = cost })
    elseif kind == 8 then grid:unlink(x, y, gx, gy)
    elseif kind == 9 then grid:wall(x, y, side)
    elseif kind == 10 then grid:unwall(x, y, side)
    else grid:terrain("~", 1 + cost) end
  end
end

local OPTIONS = {
  {}, { diagonals = "never" }, { diagonals = "always" }, { size = 2 }, { ignore = { "doors" } },
  { algorithm = "astar" }, { costs = { ["~"] = 2 } },
}

local function told(path, reason) return path and path.cost or reason end

-- What some questions are answered with.
local function answers(r, finder, width, height)
  local list = {}
  for i = 1, 3 do
    local sx, sy, gx, gy = r:int(1, width), r:int(1, height), r:int(1, width), r:int(1, height)
    list[i] = told(finder:find_path(sx, sy, gx, gy))
    local flow = finder:flow(gx, gy)
    list[i + 3] = flow and flow:distance(sx, sy) or false
    list[i + 6] = finder:reachable(sx, sy, gx, gy)
  end
  return list
end

-- Grids, each with a finder, what it is to be equal to, and now and then a search that is half done.
local function play(seed)
  local r = random.new(seed)
  local width, height = r:int(2, 24), r:int(2, 24)
  local options = r:pick(OPTIONS)
  local grid = new_grid(r, width, height)
  local all = { { grid = grid, right = fresh(grid), finder = grid:finder(options) } }
  for step = 1, 25 do
    local one = r:pick(all)
    local kind = r:int(1, 10)
    if kind <= 2 and #all < 6 then
      local copy = one.grid:clone()
      all[#all + 1] = { grid = copy, right = fresh(copy), finder = one.finder:with_grid(copy) }
    elseif kind <= 6 then
      edit(r, one.grid, one.right)
    elseif kind == 7 then
      local sx, sy, gx, gy = r:int(1, width), r:int(1, height), r:int(1, width), r:int(1, height)
      one.search = one.finder:search(sx, sy, gx, gy)
      one.search:step { expansions = 1 }
    elseif kind == 8 and one.search then
      local status = one.search:step { expansions = r:int(1, 30) }
      assert(status ~= nil)
    elseif kind == 9 and r:chance(0.3) then
      table.remove(all, r:int(1, #all))
      if #all == 0 then break end
      collectgarbage()
    elseif kind == 10 and r:chance(0.3) then
      one.finder:bake(r:pick { { method = "labels" }, { method = "landmarks" } })
    end
    for i, each in ipairs(all) do
      if r:chance(0.3) then
        local seen = r:int(1, 1e6)
        local right = answers(random.new(seen), each.right:finder(options), width, height)
        local got = answers(random.new(seen), each.finder, width, height)
        for n = 1, 9 do
          local same = got[n] == right[n] or
            (type(got[n]) == "number" and type(right[n]) == "number" and math.abs(got[n] - right[n]) < 1e-6)
          if not same then
            error(("seed %d, step %d, grid %d, answer %d: %s, not %s"):format(seed, step, i, n, tostring(got[n]),
              tostring(right[n])))
          end
        end
      end
      if r:chance(0.2) then assert(each.grid:draw() == each.right:draw(), "seed " .. seed) end
    end
  end
end

describe("grid:clone", function()
  it("returns an equal grid, whichever of the two grids is edited or queried", function()
    for seed = FIRST, FIRST + MAPS - 1 do play(seed) end
  end)

  it("takes almost no memory until one of the two grids is edited", function()
    local grid = astar.grid(300, 300)
    grid:finder():find_path(1, 1, 300, 300)
    local copy = grid:clone()
    assert.is_true(copy:bytes() < 1000)
    copy:finder():find_path(1, 1, 300, 300)
    assert.is_true(copy:bytes() < 1000)
    copy:block(5, 5)
    assert.is_true(copy:bytes() > 300 * 300)
    assert.is_false(grid:is_blocked(5, 5))
  end)

  it("copies a clone's present cells if applied to a clone", function()
    local grid = astar.grid { "...", ".#.", "..." }
    local copy, other = grid:clone(), grid:clone()
    local third = copy:clone()
    grid:fill(1, 1, 3, 3, "#")
    for _, each in ipairs { copy, other, third } do assert.equal("...\n.#.\n...\n", each:draw()) end
    other:set(1, 1, "#")
    assert.equal("...\n.#.\n...\n", third:draw())
    assert.equal("#..\n.#.\n...\n", other:draw())
  end)

  it("makes a copy that stays usable without the original", function()
    local copy = astar.grid({ "..#", "..." }):clone()
    collectgarbage()
    collectgarbage()
    assert.equal(3, #copy:find_path(1, 1, 3, 2))
    copy:block(2, 1, 1, 2)
    assert.is_nil((copy:find_path(1, 1, 3, 2)))
  end)

  it("lets half-done searches and flows of the original continue", function()
    local grid = astar.grid(40, 40)
    local copy = grid:clone()
    local search = copy:finder():search(1, 1, 40, 40)
    local flow = copy:finder():flow(40, 40)
    assert.equal("running", search:step { expansions = 1 })
    grid:block(20, 1, 1, 40) -- of the original: a wall right through
    while search:step { expansions = 1 } == "running" do end
    assert.equal("found", search.status)
    assert.is_true(flow:distance(1, 1) < 60)
  end)

  it("keeps the data that was built for the clone when the clone is edited", function()
    local grid = astar.grid(60, 60)
    for y = 1, 58, 4 do grid:block(1, y, 59, 1) grid:block(2, y + 2, 59, 1) end
    local copy = grid:clone()
    local finder = copy:finder()
    local baked = finder:bake { method = "landmarks" }
    copy:block(30, 2)
    copy:unblock(30, 2)
    assert.is_true(baked.bytes > 0)
    assert.equal(finder:find_path(1, 2, 60, 58).cost, grid:find_path(1, 2, 60, 58).cost)
  end)

  it("makes a grid from a shared map, and this grid can be shared again", function()
    local grid = astar.grid(8, 8)
    local copy = grid:clone()
    copy:share "clone_spec"
    copy:block(3, 3)
    copy:publish()
    assert.is_false(grid:is_blocked(3, 3))
    local again, seen = copy:clone(), astar.shared "clone_spec"
    local other = seen:clone()
    copy:unblock(3, 3)
    copy:publish()
    for _, each in ipairs { again, other } do assert.is_true(each:is_blocked(3, 3)) end
    assert.is_false(seen:is_blocked(3, 3))
    copy:unshare()
  end)
end)

describe("finder:with_grid", function()
  it("returns a finder of the same options on another grid", function()
    local grid = astar.grid({ ".~.", "..." }, { terrain = TERRAIN })
    local finder = grid:finder { costs = { ["~"] = 9 }, diagonals = "never" }
    local copy = grid:clone()
    copy:block(1, 2)
    local other = finder:with_grid(copy)
    assert.equal(4, finder:find_path(1, 1, 3, 1).cost)
    assert.equal(10, other:find_path(1, 1, 3, 1).cost)
    assert.same(finder:options(), other:options())
  end)

  it("raises an error for a grid of another size", function()
    local finder = astar.grid(4, 3):finder()
    for _, grid in ipairs { astar.grid(3, 4), astar.grid(4, 3, { origin = { 0, 0 } }),
      astar.grid(4, 3, { shape = "hex", offset = "odd_r" }) } do
      local function try() finder:with_grid(grid) end
      assert.error_matches(try, "grid must have the same cells as the finder's grid, 4 x 3 from")
    end
    assert.error_matches(function() finder:with_grid(7) end, "astar grid expected, got 7")
  end)
end)
