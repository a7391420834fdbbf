-- Crowds of several sides: who makes way for whom, and who goes round whom.

local astar = require "astar"
local crowd_checker = require "spec.support.crowd_checker"
local random = require "spec.support.random"

local RULES = { "always", "if_at_most_one_obstacle", "only_when_no_obstacles", "never" }

describe("sides", function()
  local function beats(crowd, checker, most)
    for beat = 0, most do
      if crowd.under_way == 0 then return beat end
      checker:begin()
      crowd:beat()
      checker:finish()
    end
  end

  it("have units that do not step aside for each other, as units of one side do", function()
    for _, side in ipairs { "red", "blue" } do
      local crowd = astar.crowd(astar.grid "......":finder())
      local walker, other = crowd:add(1, 1, { side = "red" }), crowd:add(3, 1, { side = side })
      walker:go(5, 1)
      for _ = 1, 40 do crowd:beat() end
      assert.same(side == "red" and { 5, "arrived" } or { 2, "stuck" }, { walker:cell(), walker.state })
      assert.equal(side, other.side)
      if side == "blue" then assert.equal(other, walker.blocker) end
    end
  end)

  it("are named by strings, and all units without a name form a side of their own", function()
    local crowd = astar.crowd(astar.grid(20, 20):finder())
    local none, red = crowd:add(1, 1), crowd:add(2, 1, { side = "red" })
    assert.is_nil(none.side)
    assert.equal("red", red.side)
    assert.is_nil(crowd:add(3, 1, {}).side)
    assert.has_error(function() crowd:add(4, 1, { side = 7 }) end, "side must be a string, got 7")
    for i = 2, 255 do
      local name, x, y = "side " .. i, 1 + i % 20, 2 + math.floor(i / 20)
      assert.equal(name, crowd:add(x, y, { side = name }).side)
    end
    assert.has_error(function() crowd:add(1, 20, { side = "one more" }) end, "a crowd has 255 sides at most")
    red:remove()
    assert.is_nil(red.side)
    assert.is_nil(crowd:add(2, 1).side)
  end)

  it("have units that walk around standing units of another side", function()
    for case = 1, 2 do
      local grid = astar.grid(24, 20)
      local crowd, checker = astar.crowd(grid:finder()), crowd_checker.new(grid)
      for y = case == 1 and 9 or 6, case == 1 and 11 or 14 do
        checker:watch(crowd:add(12, y, { side = "blue" }))
      end
      local unit = crowd:add(2, 10, { side = "red" })
      checker:watch(unit)
      unit:go(22, 10)
      assert.is_truthy(beats(crowd, checker, 160), "case " .. case)
      for y = 9, 11 do assert.is_truthy(crowd:unit_at(12, y)) end
    end
  end)

  it("have units that pass each other on open ground", function()
    for seed = 1, 12 do
      local r = random.new(seed)
      local grid = astar.grid(40, 30)
      local crowd, checker = astar.crowd(grid:finder { diagonals = r:pick(RULES) }), crowd_checker.new(grid)
      for i = 0, 59 do
        local is_red, x, y = i % 2 == 0, 1 + math.floor(i / 2) % 3, 5 + math.floor(i / 6) * 2
        local unit = crowd:add(is_red and x or 41 - x, y, { side = is_red and "red" or "blue" })
        checker:watch(unit, { diagonals = "always" })
        unit:go(is_red and 41 - x or x, y)
      end
      assert.is_truthy(beats(crowd, checker, 400), "seed " .. seed)
    end
  end)

  -- No distances are ever worked out by one expansion a beat. By four moves nobody slips past at an angle.
  local function by_routes(drawing)
    return astar.crowd(astar.grid(drawing):finder { diagonals = "never" }, { expansions = 1, knots = false })
  end

  it("have units with routes that pass each other on open ground, and do not stand still for long", function()
    for _, abreast in ipairs { 1, 2, 4 } do
      for _, height in ipairs { 8, 14, 20 } do
        local crowd = by_routes((("."):rep(60) .. "\n"):rep(height))
        local units, stood, top = {}, {}, math.floor((height - abreast) / 2)
        for i = 0, 2 * abreast - 1 do
          local behind, y = math.floor(i / abreast), top + 1 + i % abreast
          local red = crowd:add(25 - behind, y, { side = "red" })
          local blue = crowd:add(35 + behind, y, { side = "blue" })
          red:go(60 - behind, y)
          blue:go(1 + behind, y)
          units[#units + 1], units[#units + 2] = red, blue
        end
        for _ = 1, 200 do
          local steps = {}
          for _, step in ipairs(crowd:beat()) do steps[step.unit] = true end
          for _, unit in ipairs(units) do
            stood[unit] = (steps[unit] or unit.state == "arrived") and 0 or (stood[unit] or 0) + 1
            assert.is_true(stood[unit] <= 24, abreast .. " abreast, " .. height .. " high")
          end
        end
        assert.equal(0, crowd.under_way, abreast .. " abreast, " .. height .. " high")
      end
    end
  end)

  it("have units that report which unit blocks them if they cannot pass, with routes too", function()
    local crowd = by_routes "............"
    local red, blue = crowd:add(1, 1, { side = "red" }), crowd:add(12, 1, { side = "blue" })
    red:go(12, 1)
    blue:go(1, 1)
    for _ = 1, 40 do crowd:beat() end
    assert.same({ "stuck", "stuck", blue, red }, { red.state, blue.state, red.blocker, blue.blocker })
    blue:remove()
    for _ = 1, 40 do crowd:beat() end
    assert.equal("arrived", red.state)
  end)

  -- Nobody is told to move but the first side: so none of the others ever does.
  it("have units that never push or pull each other, for all sizes, plans and links", function()
    local steps = 0
    for seed = 1, 60 do
      local r = random.new(seed)
      local grid = astar.grid(r:scatter(r:int(4, 20), r:int(4, 16), 0.15))
      local width, height = grid:size()
      if r:chance(0.2) then grid:link(1, 1, width, height) end
      local small, large = grid:finder { diagonals = r:pick(RULES) }, grid:finder { size = 2 }
      local crowd = astar.crowd(small, { exclusive = r:chance(0.3), seed = seed })
      local has_sizes, red, blue = r:chance(0.3), {}, {}
      for _ = 1, r:int(5, width * height / 2) do
        local is_red = r:chance(0.5)
        local unit = crowd:add(r:int(1, width), r:int(1, height),
          { side = is_red and "red" or "blue", finder = has_sizes and r:chance(0.3) and large or nil })
        if unit then table.insert(is_red and red or blue, unit) end
      end
      local places = {}
      for i, unit in ipairs(blue) do places[i] = { unit:cell() } end
      for beat = 1, 120 do
        for _, unit in ipairs(red) do
          if r:chance(0.05) then unit:go(r:int(1, width), r:int(1, height), { partial = true }) end
        end
        if beat % 40 == 20 and not has_sizes and #grid:links() == 0 then crowd:resolving(red):step(20000) end
        steps = steps + #crowd:beat()
        local x, y = r:int(1, width), r:int(1, height) -- maybe in a plan's way
        local late = beat % 4 == 0 and crowd:add(x, y, { side = "blue" })
        if late then
          table.insert(blue, late)
          table.insert(places, { late:cell() })
        end
      end
      for i, unit in ipairs(blue) do assert.same(places[i], { unit:cell() }, "seed " .. seed) end
    end
    assert.is_true(steps > 10000, steps)
  end)
end)
