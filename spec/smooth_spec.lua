local astar = require "astar"
local body = require "spec.support.body"
local check = require "spec.support.check"
local maps = require "spec.support.maps"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"

local RULES = check.RULES
local TERRAIN = { ["."] = 1, ["#"] = false, g = 2, s = 5, r = 0.5 }

local function find(drawing, options, map)
  local grid, at, world = maps.read(drawing, map)
  return assert(grid:find_path(at.S.x, at.S.y, at.G.x, at.G.y, options)), world, grid
end

-- The smoothed path leads from end to end by legal steps, its waypoints are its own cells joined
-- by straight lines, and it costs no more than the path it came from. Returns its legs.
local function check_smooth(smooth, path, world, rules)
  local sx, sy = path:cell(1)
  local gx, gy = path:cell(#path)
  local question = { world = world, rules = rules, sx = sx, sy = sy, gx = gx, gy = gy }
  local cells = check.accessors(smooth)
  question.entry = oracle.entry_costs(world, rules)
  local cost = oracle.walk(world, rules, question.entry, cells)
  assert(cost, "a step of the smoothed path is not legal")
  check.equal_cost(cost, smooth.cost, "smooth.cost against the sum of its steps")
  assert(smooth.cost <= path.cost + 1e-9, "the smoothed path is dearer")

  local points, i, length = smooth:waypoints(), 1, 0
  assert.same({ x = sx, y = sy }, points[1])
  assert.same({ x = gx, y = gy }, points[#points])
  for leg = 1, #points - 1 do
    local from, to = points[leg], points[leg + 1]
    length = length + math.sqrt((to.x - from.x) ^ 2 + (to.y - from.y) ^ 2)
    local line = oracle.line(rules, from.x, from.y, to.x, to.y)
    for k = 2, #line do
      i = i + 1
      assert(cells[i] and cells[i].x == line[k].x and cells[i].y == line[k].y,
        "the cells do not follow the legs")
    end
  end
  assert(i == #cells, "more cells than the legs have")
  check.equal_cost(length, smooth.length, "smooth.length")
  return #points - 1
end

describe("path:smooth", function()
  it("returns one leg if the goal is in sight", function()
    local path, world = find [[
      S.......
      ........
      .......G
    ]]
    assert.equal(1, check_smooth(path:smooth(), path, world, {}))
    assert.same({ { x = 1, y = 1 }, { x = 8, y = 3 } }, path:smooth():waypoints())
  end)

  it("returns a path that turns only where necessary", function()
    local path, world = find [[
      S....
      ####.
      G....
    ]]
    assert.equal(3, #path:waypoints() - 1)
    assert.equal(3, check_smooth(path:smooth(), path, world, {}))
  end)

  it("is shorter than the path if the path zigzags", function()
    local path = find [[
      S.......
      ........
      .......G
    ]]
    local smooth = path:smooth()
    assert.is_true(smooth.length < path.length)
    check.equal_cost(path.cost, smooth.cost, "cost")
  end)

  it("returns a path with all methods of a path", function()
    local path, _, grid = find [[
      S.......
      ........
      .......G
    ]]
    local smooth = path:smooth()
    assert.is_true(smooth:is_valid())
    assert.equal(path.algorithm, smooth.algorithm)
    assert.is_false(smooth.partial)
    assert.same(smooth:waypoints(), smooth:smooth():waypoints())
    local back = smooth:reverse()
    assert.same({ 8, 3 }, { back:cell(1) })
    check.equal_cost(smooth.cost, back.cost, "cost")
    grid:block(4, 1, 1, 3)
    assert.same({ false, 4 }, { smooth:is_valid() })
  end)

  it("returns a path that keeps its goal for repair and retarget", function()
    local grid = astar.grid(8, 8)
    grid:block(7, 1, 1, 8)
    local smooth = grid:find_path(1, 1, 8, 6, { partial = true }):smooth()
    assert.is_true(smooth.partial)
    grid:unblock(7, 1)
    local whole = smooth:repair()
    assert.is_false(whole.partial)
    assert.same({ 8, 6 }, { whole:cell(#whole) })
  end)

  it("does not change the original path", function()
    local path = find [[
      S.......
      ........
      .......G
    ]]
    local before = path:cells_flat()
    path:smooth()
    assert.same(before, path:cells_flat())
  end)

  it("returns one cell for a path of one cell", function()
    local smooth = astar.grid(2, 2):find_path(1, 1, 1, 1):smooth()
    assert.equal(1, #smooth)
    assert.equal(0, smooth.cost)
    assert.same({ { x = 1, y = 1 } }, smooth:waypoints())
  end)

  it("keeps the links of the original path", function()
    local grid = maps.read [[
      .....#.....
      .....#.....
      .....#.....
    ]]
    grid:link(4, 2, 7, 1, { label = "jump" })
    local smooth = grid:find_path(1, 1, 11, 3):smooth()
    local labels = {}
    for i = 1, #smooth do labels[#labels + 1] = smooth:link(i) end
    assert.same({ "jump" }, labels)
    assert.is_true(smooth:is_valid())
  end)

  it("returns a path that avoids the swamp that the original path avoids", function()
    local path, world = find([[
      S.......G
      .sssssss.
      .sssssss.
      .........
    ]], nil, { terrain = TERRAIN })
    check_smooth(path:smooth(), path, world, {})
    local around, ground = find([[
      .........
      .sssssss.
      SsssssssG
    ]], nil, { terrain = TERRAIN })
    assert.is_true(around.cost < 8 * 5)
    assert.is_true(check_smooth(around:smooth(), around, ground, {}) > 1)
  end)

  it("calls the finder's callbacks", function()
    local function cost(x, y, _, ground) return (x == 5 and y < 3) and 50 or ground end
    local path, world = find([[
      S.......G
      .........
      .........
    ]], { cost = cost })
    local rules = { cost = cost }
    assert.equal(body.fewest_legs(world, rules, path:totable()), check_smooth(path:smooth(), path, world, rules))
  end)

  it("passes on the error of a callback", function()
    local broken = false
    local path = find([[
      S...
      ...G
    ]], {
      cost = function(_, _, _, ground)
        if broken then error("stop", 0) end
        return ground
      end,
    })
    broken = true
    local ok, message = pcall(path.smooth, path)
    assert.is_false(ok)
    assert.equal("stop", message)
    broken = false
    assert.equal(2, #path:smooth():waypoints())
  end)

  it("treats equal costs as equal, whichever steps were added up", function()
    local seed = 5192 -- on this map one leg costs what it replaces but for the rounding
    local r = random.new(seed)
    local rows = r:map(r:int(5, 32), r:int(5, 32))
    r:sow(rows, { "g", "s", "r" })
    local world = oracle.world(rows, { terrain = TERRAIN })
    local rules = { diagonals = "always", diagonal_cost = r:pick { math.sqrt(2), 1.4, 1, 2 } }
    r:pick { 1, 1, 2 }
    local finder = maps.grid(world):finder(rules)
    for _ = 1, 3 do
      local path = finder:find_path(r:int(1, world.width), r:int(1, world.height),
        r:int(1, world.width), r:int(1, world.height))
      if path then
        assert.equal(body.fewest_legs(world, rules, path:totable()),
          check_smooth(path:smooth(), path, world, rules), "seed " .. seed)
      end
    end
  end)

  for _, rule in ipairs(RULES) do
    it("returns few legs on random maps if diagonals are " .. rule, function()
      local smoothed, fewest, taken = 0, 0, 0
      for seed = 1, 150 do
        local r = random.new(seed)
        local rows = r:map(r:int(2, 14), r:int(2, 14))
        if seed % 3 == 0 then r:sow(rows, { "g", "s", "r" }) end
        local world = oracle.world(rows, { terrain = TERRAIN })
        local rules = { diagonals = rule, diagonal_cost = r:pick { math.sqrt(2), 1.4, 1, 2 } }
        local finder = maps.grid(world):finder(rules)
        for _ = 1, 3 do
          local path = finder:find_path(r:int(1, world.width), r:int(1, world.height),
            r:int(1, world.width), r:int(1, world.height))
          if path then
            smoothed = smoothed + 1
            local ok, problem = pcall(function()
              local legs = check_smooth(path:smooth(), path, world, rules)
              assert.is_true(legs <= #path:waypoints() - 1, "more legs than the path has")
              fewest, taken = fewest + body.fewest_legs(world, rules, path:totable()), taken + legs
            end)
            assert(ok, ("seed %d: %s\n%s"):format(seed, tostring(problem), maps.describe(world)))
          end
        end
      end
      assert.is_true(smoothed > 100)
      assert.is_true(taken >= fewest, "fewer than the fewest")
      assert.is_true(taken <= 1.02 * fewest, taken .. " legs where " .. fewest .. " are the fewest")
    end)
  end
end)

describe("path:smooth of a long path", function()
  -- Corridors that lead to and fro; the fewest legs are known.
  local function serpentine(width, corridors)
    local rows = {}
    for i = 1, corridors do
      rows[#rows + 1] = ("."):rep(width)
      local wall = ("#"):rep(width - 1)
      if i < corridors then rows[#rows + 1] = i % 2 == 1 and wall .. "." or "." .. wall end
    end
    return astar.grid(rows), corridors % 2 == 1 and width or 1, 2 * corridors - 1
  end

  it("has the fewest legs, however often the path turns", function()
    local grid, gx, gy = serpentine(401, 101)
    local path = grid:find_path(1, 1, gx, gy)
    assert.equal(40601, #path)
    assert.equal(201, #path:smooth():waypoints() - 1)
    grid:block(200, 2) -- nothing is known of the path any more
    assert.equal(201, #path:smooth():waypoints() - 1)
  end)

  it("finds the shortcuts that an edit has opened", function()
    local grid = astar.grid(60, 41)
    grid:block(1, 20, 59, 1)
    local path = grid:find_path(1, 1, 1, 41)
    assert.is_true(#path:smooth():waypoints() > 2)
    grid:unblock(1, 20, 59, 1)
    assert.equal(2, #path:smooth():waypoints())
  end)
end)

describe("path:smooth of an any-angle path", function()
  it("returns a longer path only with fewer legs, and smoothing again never makes the path worse", function()
    local kept = 0
    for seed = 1, 300 do
      local r = random.new(seed)
      local width, height = r:int(4, 40), r:int(4, 40)
      local grid = astar.grid(width, height)
      for _ = 1, width * height * r:int(5, 40) / 100 do grid:block(r:int(1, width), r:int(1, height)) end
      local x, y = r:int(1, width), r:int(1, height)
      local path = grid:find_path(x, y, r:int(1, width), r:int(1, height), { any_angle = true })
      for _ = 1, path and 2 or 0 do
        local smooth = path:smooth()
        local legs, before = #smooth:waypoints(), #path:waypoints()
        assert.is_true(legs <= before, "seed " .. seed)
        assert.is_true(legs < before or smooth.length <= path.length + 1e-9, "seed " .. seed)
        if legs == before and before > 2 and smooth.length == path.length then kept = kept + 1 end
        path = smooth
      end
    end
    assert.is_true(kept > 100)
  end)
end)
