-- Links: steps between cells that need not be neighbours. Random ones: links_and_walls_random_spec.lua.

local astar = require "astar"
local random = require "spec.support.random"
local oracle = require "spec.support.oracle"
local check = require "spec.support.check"
local maps = require "spec.support.maps"

local error_of = check.error_of

-- Two rooms without a door.
local function rooms()
  return astar.grid [[
...#...
...#...
...#...
]]
end

describe("a link", function()
  it("connects cells that no step connects, in both directions", function()
    local grid = rooms()
    grid:link(3, 2, 5, 2, { cost = 4 })
    for _, algorithm in ipairs { "auto", "astar", "dijkstra" } do
      assert.equal(8, grid:find_path(1, 2, 7, 2, { algorithm = algorithm }).cost)
      assert.equal(8, grid:find_path(7, 2, 1, 2, { algorithm = algorithm }).cost)
    end
  end)

  it("has by default the cost 1 and no label", function()
    local grid = rooms()
    grid:link(3, 2, 5, 2)
    local path = grid:find_path(3, 2, 5, 2)
    assert.equal(1, path.cost)
    assert.is_true(path:link(1))
    assert.is_nil(path:link(2))
  end)

  it("is one-way only with the option one_way", function()
    local grid = rooms()
    grid:link(3, 2, 5, 2, { one_way = true })
    local finder = grid:finder()
    assert.equal(1, finder:find_path(3, 2, 5, 2).cost)
    assert.same({ nil, "unreachable" }, { finder:find_path(5, 2, 3, 2) })
    assert.is_true(finder:reachable(3, 2, 5, 2))
    assert.is_false(finder:reachable(5, 2, 3, 2))
  end)

  it("costs what grid:link was given, whatever the terrain and the field to avoid cost", function()
    local grid = astar.grid("..m", { terrain = { ["."] = 1, m = 50 } })
    local field = astar.field(grid)
    field:fill(7)
    grid:link(1, 1, 3, 1, { cost = 2.5 })
    assert.equal(2.5, grid:find_path(1, 1, 3, 1, { avoid = field }).cost)
  end)

  it("is not used by a route if walking is cheaper", function()
    local grid = astar.grid(9, 1)
    grid:link(1, 1, 5, 1, { cost = 4.5, label = "lift" })
    local path = grid:find_path(1, 1, 9, 1)
    assert.equal(8, path.cost)
    for i = 1, #path do assert.is_nil(path:link(i)) end
  end)

  it("may connect neighbouring cells, as a door through a wall does", function()
    local grid = astar.grid(2, 1)
    grid:wall(1, 1, "east")
    assert.is_nil((grid:find_path(1, 1, 2, 1)))
    grid:link(1, 1, 2, 1, { cost = 3, label = "door" })
    local path = grid:find_path(1, 1, 2, 1)
    assert.equal(3, path.cost)
    assert.equal("door", path:link(1))
    assert.same({ "link" }, path:directions())
    assert.equal("door", path:reverse():link(1))
  end)

  it("is used by a route only if the unit can stand on both ends of the link", function()
    local grid = rooms()
    grid:link(3, 2, 5, 2)
    grid:block(5, 2)
    assert.same({ nil, "unreachable" }, { grid:find_path(1, 1, 7, 1) })
    grid:unblock(5, 2)
    grid:set(5, 2, "#")
    assert.same({ nil, "unreachable" }, { grid:find_path(1, 1, 7, 1) })
    grid:set(5, 2, ".")
    assert.is_not_nil(grid:find_path(1, 1, 7, 1))
    assert.same({ nil, "unreachable" }, { grid:find_path(1, 1, 7, 1, {
      cost = function(x, y, _, cost) return not (x == 5 and y == 2) and cost end,
    }) })
  end)

  it("leads out of a cell that is blocked only by the unit itself", function()
    local grid = rooms()
    grid:link(2, 2, 6, 2, { cost = 0 })
    grid:block(1, 1, 3, 3)
    assert.equal(1, grid:find_path(2, 2, 7, 2).cost)
    assert.is_true(grid:finder():reachable(2, 2, 7, 2))
    assert.equal("unreachable", select(2, grid:find_path(1, 1, 7, 2)))
  end)

  it("may have the cost 0 and lead around in a circle", function()
    local grid = astar.grid(30, 1)
    for x = 1, 29 do grid:link(x, 1, x + 1, 1, { cost = 0 }) end
    grid:link(30, 1, 1, 1, { cost = 0 })
    for _, algorithm in ipairs { "astar", "dijkstra" } do
      local path = grid:find_path(1, 1, 15, 1, { algorithm = algorithm })
      assert.equal(0, path.cost)
      assert.is_true(path:is_valid())
    end
  end)

  it("is passed to step_cost, which may forbid it or make it more expensive", function()
    local grid = rooms()
    grid:link(3, 2, 5, 2, { cost = 2 })
    local heard = {}
    local function asking(answer)
      return { step_cost = function(x, _, nx, _, cost)
        if nx - x ~= 2 then return cost end
        heard[#heard + 1] = cost
        return answer
      end }
    end
    assert.equal(9, grid:find_path(3, 2, 5, 2, asking(9)).cost)
    assert.equal(2, heard[1])
    assert.equal("unreachable", select(2, grid:find_path(3, 2, 5, 2, asking(false))))
    assert.equal("step_cost callback returned 0.5 for (5, 2), less than min_cost 1: "
      .. "give the finder min_cost = 0.5 or less", error_of(function()
      grid:find_path(3, 2, 5, 2, asking(0.5))
    end))
  end)

  it("connects components one after another", function()
    local grid = astar.grid(41, 1)
    for x = 2, 40, 2 do grid:set(x, 1, "#") end
    for x = 39, 1, -2 do grid:link(x, 1, x + 2, 1, { one_way = true, label = x }) end
    local finder = grid:finder()
    assert.equal(20, finder:find_path(1, 1, 41, 1).cost)
    assert.is_true(finder:reachable(1, 1, 41, 1))
    assert.is_false(finder:reachable(41, 1, 1, 1))
    assert.is_true(grid:unlink(19, 1, 21, 1))
    assert.is_false(finder:reachable(1, 1, 41, 1))
    local path = finder:find_path(1, 1, 41, 1) or grid:find_path(1, 1, 41, 1, { partial = true })
    assert.same({ 19, 1 }, { path:cell(#path) })
  end)
end)

describe("grid:link and grid:unlink", function()
  it("replace and remove the links of a grid", function()
    local grid = rooms()
    grid:link(3, 2, 5, 2, { cost = 4, label = "old" })
    grid:link(5, 2, 3, 2, { cost = 2, label = "new" })
    assert.same({ { x0 = 3, y0 = 2, x1 = 5, y1 = 2, cost = 2, label = "new", one_way = false } }, grid:links())
    grid:link(3, 2, 5, 2, { cost = 7, one_way = true })
    assert.same({
      { x0 = 3, y0 = 2, x1 = 5, y1 = 2, cost = 7, label = true, one_way = true },
      { x0 = 5, y0 = 2, x1 = 3, y1 = 2, cost = 2, label = "new", one_way = true },
    }, grid:links())
    assert.is_true(grid:unlink(3, 2, 5, 2, true))
    assert.is_false(grid:unlink(3, 2, 5, 2, true))
    assert.equal(1, #grid:links())
    assert.is_true(grid:unlink(3, 2, 5, 2))
    assert.same({}, grid:links())
    assert.is_false(grid:unlink(3, 2, 5, 2))
  end)

  it("count as edits of the grid only if they change a link", function()
    local grid = rooms()
    local version = grid:version()
    local function changes(change)
      change()
      local changed = grid:version() ~= version
      version = grid:version()
      return changed
    end
    assert.is_true(changes(function() grid:link(1, 1, 7, 1, { label = "a" }) end))
    assert.is_false(changes(function() grid:link(7, 1, 1, 1, { label = "a" }) end))
    assert.is_true(changes(function() grid:link(7, 1, 1, 1, { label = "b" }) end))
    assert.is_true(changes(function() grid:unlink(7, 1, 1, 1) end))
    assert.is_false(changes(function() grid:unlink(7, 1, 1, 1) end))
  end)

  it("use the coordinates that the grid's origin gives", function()
    local grid = astar.grid("..\n..", { origin = { -3, 0 } })
    grid:link(-3, 0, -2, 1, { label = 1.5 })
    local link = grid:links()[1]
    assert.same({ -3, 0, -2, 1, 1.5 }, { link.x0, link.y0, link.x1, link.y1, link.label })
  end)

  it("may not be called by a callback of a search on the same grid", function()
    local grid = rooms()
    assert.matches("^grid was edited during the search: ", error_of(function()
      grid:find_path(1, 1, 3, 3, { cost = function()
        grid:link(1, 1, 7, 1)
        return 1
      end })
    end))
  end)

  it("handle thousands of links", function()
    local grid = astar.grid(100, 100)
    for i = 1, 5000 do grid:link(i % 100 + 1, math.floor(i / 100) + 1, 101 - (i % 100 + 1), 100, { cost = 500 }) end
    assert.equal(5000, #grid:links())
    assert.equal(99, grid:find_path(1, 1, 100, 1).cost)
    for _, link in ipairs(grid:links()) do assert.is_true(grid:unlink(link.x0, link.y0, link.x1, link.y1)) end
    assert.same({}, grid:links())
    assert.equal("jps", grid:find_path(1, 1, 100, 1).algorithm)
  end)
end)

describe("a path over a link", function()
  local grid, path

  before_each(function()
    grid = maps.read [[
      .....#.....
      .....#.....
      .....#.....
    ]]
    grid:link(4, 2, 8, 2, { cost = 2, label = "stairs" })
    path = grid:find_path(1, 2, 11, 2)
  end)

  it("has the label of the link at the step over the link, and at no other step", function()
    assert.equal(8, #path)
    assert.equal(8, path.cost)
    assert.equal(7, path.length)
    for i = 1, #path do assert.equal(i == 4 and "stairs" or nil, path:link(i)) end
    assert.same({ { x = 1, y = 2 }, { x = 4, y = 2 }, { x = 8, y = 2 }, { x = 11, y = 2 } }, path:waypoints())
    assert.same({ "east", "east", "east", "link", "east", "east", "east" }, path:directions())
    assert.equal(".....#.....\nS***.#.***G\n.....#.....\n", grid:draw(path))
  end)

  it("is smoothed before and after the link", function()
    path = grid:find_path(1, 1, 11, 3)
    local smooth = path:smooth()
    assert.same({ { x = 1, y = 1 }, { x = 4, y = 2 }, { x = 8, y = 2 }, { x = 11, y = 3 } }, smooth:waypoints())
    assert.equal("stairs", smooth:link(4))
    check.equal_cost(path.cost, smooth.cost, "smooth")
  end)

  it("leads back over the link when reversed, if the link leads back", function()
    assert.equal(8, path:reverse().cost)
    assert.equal("stairs", path:reverse():link(4))
    grid:link(8, 2, 4, 2, { cost = 5, label = "up", one_way = true })
    local back = path:reverse()
    assert.equal(11, back.cost)
    assert.equal("up", back:link(4))
    grid:unlink(8, 2, 4, 2, true)
    assert.equal(math.huge, path:reverse().cost)
    assert.is_true(path:is_valid())
  end)

  it("leads back by a grid step if a one-way link led to a neighbouring cell", function()
    local slope = astar.grid(5, 3)
    slope:link(2, 2, 3, 3, { cost = 1, one_way = true, label = "slide" })
    local down = slope:finder():find_path(1, 2, 4, 3)
    assert.equal("slide", down:link(2))
    local back = down:reverse()
    assert.is_nil(back:link(2))
    assert.equal(slope:finder():find_path(4, 3, 1, 2).cost, back.cost)
    assert.is_true(check.near(2 + math.sqrt(2), back.length))
    slope:block(2, 3)
    assert.equal(math.huge, down:reverse().cost) -- no step leads past the corner
  end)

  it("leads back over a link if a wall blocks the step, or if the link is cheaper", function()
    local gate = astar.grid(5, 1)
    gate:wall(3, 1, "west", true)
    gate:link(3, 1, 2, 1, { cost = 7, one_way = true, label = "ladder" })
    local into = gate:find_path(1, 1, 5, 1)
    local back = into:reverse()
    assert.equal(10, back.cost)
    assert.same({ "west", "west", "link", "west" }, back:directions())
    assert.same({ { x = 5, y = 1 }, { x = 3, y = 1 }, { x = 2, y = 1 }, { x = 1, y = 1 } }, back:waypoints())
    assert.equal("ladder", back:link(3))
    assert.is_true(back:is_valid())
    gate:unwall(3, 1, "west", true)
    assert.equal(4, into:reverse().cost)
    gate:link(3, 1, 2, 1, { cost = 0.25, one_way = true })
    assert.equal(3.25, into:reverse().cost)
  end)

  it("stays valid after the link is removed if a step leads to the same cell", function()
    local meadow = astar.grid(5, 1)
    meadow:link(2, 1, 3, 1, { cost = 0.5, label = "slide" })
    local over = meadow:find_path(1, 1, 5, 1)
    assert.equal("slide", over:link(2))
    meadow:unlink(2, 1, 3, 1)
    assert.is_true(over:is_valid())
    for _, each in ipairs { over:repair(), over:smooth(), over:reverse() } do
      assert.same({ 4, 2 }, { each.cost, #each:waypoints() })
      for i = 1, 5 do assert.is_nil(each:link(i)) end
    end
    meadow:wall(2, 1, "east")
    assert.same({ false, 3 }, { over:is_valid() })
  end)

  it("becomes invalid after the link is removed, but keeps the link's label", function()
    grid:unlink(4, 2, 8, 2)
    assert.same({ false, 5 }, { path:is_valid() })
    assert.equal("stairs", path:link(4))
    collectgarbage()
    assert.equal("stairs", path:smooth():link(4))
  end)

  it("keeps the label of its link after its grid was collected", function()
    grid = nil -- luacheck: ignore
    collectgarbage()
    collectgarbage()
    assert.equal("stairs", path:link(4))
  end)

  it("is walked by a walker that waits at the entrance of the link", function()
    local walker = astar.walker(path, { speed = 1 })
    local seen = {}
    for i = 1, 14 do
      local x, y, arrived = walker:update(0.5)
      seen[i] = ("%s,%s%s%s"):format(x, y, walker.link and " " .. walker.link or "", arrived and "!" or "")
    end
    assert.same({
      "1.5,2", "2,2", "2.5,2", "3,2", "3.5,2", "4,2 stairs", "4,2 stairs", "8,2", "8.5,2", "9,2", "9.5,2",
      "10,2", "10.5,2", "11,2!",
    }, (function()
      for i, text in ipairs(seen) do seen[i] = text:gsub("%.0", ""):gsub("2%.0", "2") end
      return seen
    end)())
  end)
end)

describe("jump point search", function()
  it('supports links and walls, but algorithm = "jps" is refused', function()
    local grid = astar.grid(20, 20)
    local finder = grid:finder { algorithm = "jps" }
    assert.equal("jps", grid:find_path(1, 1, 20, 20).algorithm)
    for _, edge in ipairs { { "link", { 1, 1, 5, 5 } }, { "wall", { 1, 1, "east" } } } do
      grid[edge[1]](grid, (unpack or table.unpack)(edge[2]))
      assert.equal("jpsw", grid:find_path(1, 1, 20, 20).algorithm)
      assert.equal('algorithm "jps" cannot honour links and walls',
        error_of(function() finder:find_path(1, 1, 20, 20) end))
      grid["un" .. edge[1]](grid, (unpack or table.unpack)(edge[2]))
      assert.equal("jps", grid:find_path(1, 1, 20, 20).algorithm)
    end
  end)
end)

describe("a dump with links and walls", function()
  it("is loaded with the same links and walls", function()
    local grid = astar.grid("...\n...", { origin = { 0, 0 } })
    grid:link(0, 0, 2, 1, { cost = 0.25, label = "a" })
    grid:link(1, 0, 2, 0, { label = 7, one_way = true })
    grid:link(1, 1, 0, 1)
    grid:wall(1, 0, "south")
    grid:wall(0, 1, "west", true)
    for _, again in ipairs { astar.load(grid:dump()), grid:clone() } do
      assert.same(grid:links(), again:links())
      assert.is_true(again:has_wall(1, 0, "south"))
      assert.is_true(again:has_wall(1, 1, "north"))
      assert.is_true(again:has_wall(0, 1, "west"))
      assert.equal(grid:dump(), again:dump())
      assert.equal("a", again:find_path(0, 0, 2, 1):link(1))
      again:unlink(0, 0, 2, 1)
      again:unwall(1, 0, "south")
      assert.equal(3, #grid:links())
      assert.is_true(grid:has_wall(1, 0, "south"))
    end
  end)

  it("has the same bytes as before links were introduced if the grid has no links", function()
    local grid = astar.grid "..\n.."
    assert.equal("astar grid 1\n", grid:dump():sub(1, 13))
    grid:link(1, 1, 2, 2)
    assert.equal("astar grid 2\n", grid:dump():sub(1, 13))
    grid:unlink(1, 1, 2, 2)
    assert.equal("astar grid 1\n", grid:dump():sub(1, 13))
  end)

  it("raises an error if any byte is changed, or if it is cut short", function()
    local grid = astar.grid "..\n.."
    grid:link(1, 1, 2, 2, { label = "x" })
    grid:wall(1, 1, "east")
    local dump = grid:dump()
    for i = 1, #dump do
      assert.is_false((pcall(astar.load, dump:sub(1, i - 1))))
      for other = 0, 255 do
        if other ~= dump:byte(i) then
          assert.is_false((pcall(astar.load, dump:sub(1, i - 1) .. string.char(other) .. dump:sub(i + 1))))
        end
      end
    end
  end)
end)

describe("links much cheaper than the ground", function()
  it("contribute their exact cost: the cheapest route is found, and max_cost may equal its cost", function()
    local costs = { 0.001, 0.0013, 1e-7, 0.1, 0.37, 3.3e-12, 1e-200, 0, 5 }
    for seed = 1, 200 do
      local r = random.new(seed)
      local terrain = { ["."] = r:pick { 1, 1, 10, 1000000 }, ["#"] = false }
      local world = oracle.world(r:scatter(r:int(2, 12), r:int(2, 12), r:pick { 0.1, 0.3 }), { terrain = terrain })
      local cells = world.width * world.height
      for _ = 1, r:pick { 2, 10, 60 } do
        local from, to = r:int(1, cells), r:int(1, cells)
        world.links[from] = world.links[from] or {}
        if from ~= to then world.links[from][to] = r:pick(costs) end
      end
      local rules = { diagonals = r:pick(check.RULES) }
      local grid = maps.grid(world)
      local sx, sy = r:int(1, world.width), r:int(1, world.height)
      local gx, gy = r:int(1, world.width), r:int(1, world.height)
      local best = oracle.can_stand(world, rules, sx, sy)
        and oracle.distances(world, rules, sx, sy)[oracle.cell(world, gx, gy)]
      for _, algorithm in ipairs(best and { "astar", "dijkstra" } or {}) do
        local options = { diagonals = rules.diagonals, algorithm = algorithm }
        local path = grid:find_path(sx, sy, gx, gy, options)
        local what = ("seed %d, %s: %.17g"):format(seed, algorithm, best)
        assert.is_true(math.abs(path.cost - best) <= 1e-9 * best, what)
        options.max_cost = path.cost
        assert.is_truthy(grid:find_path(sx, sy, gx, gy, options), what .. " as max_cost")
      end
    end
  end)
end)
