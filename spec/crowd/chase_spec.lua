-- Units that chase others.

local astar = require "astar"
local crowd_checker = require "spec.support.crowd_checker"
local random = require "spec.support.random"
local times = require "spec.support.times"

local RULES = { "always", "if_at_most_one_obstacle", "only_when_no_obstacles", "never" }

-- How many columns or rows lie between two units, the more of them, from the nearest cells that they cover.
local function apart(unit, other)
  local x, y = unit:cell()
  local other_x, other_y = other:cell()
  return math.max(other_x - (x + unit.size - 1), x - (other_x + other.size - 1),
    other_y - (y + unit.size - 1), y - (other_y + other.size - 1), 0)
end

-- Whether a way leads to where a unit of a size is near enough to another: by the grid's own reach, cell by cell.
local function can_come_near(grid, options, x, y, prey, range)
  local size = options.size or 1
  for cell_x, cell_y in grid:finder(options):reach(x, y, math.huge):cells() do
    local dx = math.max(prey.x - (cell_x + size - 1), cell_x - (prey.x + prey.size - 1))
    local dy = math.max(prey.y - (cell_y + size - 1), cell_y - (prey.y + prey.size - 1))
    if math.max(dx, dy) <= range then return true end
  end
  return false
end

describe("unit:chase", function()
  it('brings a unit to its target if a route exists, near or far, and else reports "unreachable"', function()
    local reached, stuck = 0, 0
    for seed = 1, 200 do
      local r = random.new(seed)
      local finder_options = { diagonals = r:pick(RULES) }
      local grid = astar.grid(r:caves(r:int(4, 70), r:int(4, 60)))
      local width, height = grid:size()
      local crowd = astar.crowd(grid:finder(finder_options), { expansions = r:pick { 200, 100000 } })
      local hunter, prey = crowd:add(r:int(1, width), r:int(1, height)), crowd:add(r:int(1, width), r:int(1, height))
      if hunter and prey then
        local x, y = hunter:cell()
        local range = r:int(1, 3)
        local path = grid:find_path(x, y, select(1, prey:cell()), select(2, prey:cell()),
          { diagonals = finder_options.diagonals, range = range })
        prey:hold(true)
        assert.is_true(hunter:chase(prey, { range = range }))
        for _ = 1, 4 * (path and #path or 10) + 20 do
          if hunter.state == "arrived" then break end
          crowd:beat()
        end
        if path then
          assert.is_true(apart(hunter, prey) <= range, "seed " .. seed)
          assert.equal("arrived", hunter.state)
          reached = reached + 1
        else
          assert.equal("stuck", hunter.state, "seed " .. seed)
          stuck = stuck + 1
        end
      end
    end
    assert.is_true(reached > 60 and stuck > 2, reached .. " " .. stuck)
  end)

  it("ends equally near to the target from all sides, for units of all sizes", function()
    for size = 1, 4 do
      for prey_size = 1, 4 do
        for range = 1, 3 do
          for side = 0, 8 do
            local grid = astar.grid(44, 44)
            local crowd = astar.crowd(grid:finder { size = size })
            local prey = crowd:add(21, 21, { finder = grid:finder { size = prey_size } })
            local hunter = side ~= 4 and crowd:add(2 + 19 * (side % 3), 2 + 19 * math.floor(side / 3))
            if hunter then
              prey:hold(true)
              hunter:chase(prey, { range = range })
              for _ = 1, 40 do
                if hunter.state == "arrived" then break end
                assert.is_true(apart(hunter, prey) > range)
                crowd:beat()
              end
              local what = ("size %d after %d, range %d, side %d"):format(size, prey_size, range, side)
              assert.equal("arrived", hunter.state, what)
              assert.equal(range, apart(hunter, prey), what)
            end
          end
        end
      end
    end
  end)

  it("ends within range for large units and targets if a route exists, else reports that none exists", function()
    local reached, stuck, cases = 0, 0, times("CHASES", 300)
    for seed = 1, cases do
      local r = random.new(seed)
      local options, range = { diagonals = r:pick(RULES), size = r:int(1, 4) }, r:int(1, 4)
      local prey_options = { diagonals = r:pick(RULES), size = r:int(1, 4) }
      local grid = astar.grid(r:scatter(r:int(8, 50), r:int(8, 40), r:pick { 0, 0.02, 0.06 }))
      local width, height = grid:size()
      if r:chance(0.5) then grid:block(r:int(1, width), 1, 1, height) end
      local crowd = astar.crowd(grid:finder(options), { expansions = r:pick { 200, 100000 } })
      local hunter = crowd:add(r:int(1, width), r:int(1, height))
      local prey = crowd:add(r:int(1, width), r:int(1, height), { finder = grid:finder(prey_options) })
      if hunter and prey then
        local what = ("seed %d, size %d after %d within %d"):format(seed, hunter.size, prey.size, range)
        prey:hold(true)
        local can = can_come_near(grid, options, hunter.x, hunter.y, prey, range)
        hunter:chase(prey, { range = range })
        for _ = 1, 500 do
          if hunter.state == "arrived" then break end
          crowd:beat()
          if not can and hunter.state == "stuck" then break end
        end
        -- Who is chased may itself be in the way, which no map tells.
        if can and hunter.state ~= "arrived" then
          grid:block(prey.x, prey.y, prey.size, prey.size)
          can = can_come_near(grid, options, hunter.x, hunter.y, prey, range)
          assert.is_false(can, what .. ": " .. hunter.state)
        elseif can then
          assert.is_true(apart(hunter, prey) <= range, what)
          reached = reached + 1
        else
          assert.equal("stuck", hunter.state, what)
          stuck = stuck + 1
        end
      end
    end
    -- Few of the chases have no way: of 20 there may be none.
    assert.is_true(reached > cases / 8 and stuck > cases / 60 - 1, reached .. " " .. stuck)
  end)

  it("catches a slower target, continues when the target moves on, and ends when the target is removed", function()
    for seed = 1, 12 do
      local r = random.new(seed)
      local grid = astar.grid(r:scatter(60, 50, 0.1))
      local crowd, checker = astar.crowd(grid:finder()), crowd_checker.new(grid)
      local prey, hunters
      repeat prey = crowd:add(r:int(1, 60), r:int(1, 50), { period = 2, side = "prey" }) until prey
      checker:watch(prey, { period = 2 })
      hunters = {}
      for i = 1, 6 do
        repeat hunters[i] = crowd:add(r:int(1, 60), r:int(1, 50)) until hunters[i]
        checker:watch(hunters[i])
        hunters[i]:chase(prey, { range = 2 })
        assert.equal(prey, hunters[i].chased)
      end
      local caught = 0
      for _ = 1, 400 do
        if prey.state == "arrived" then prey:go(r:int(1, 60), r:int(1, 50), { partial = true }) end
        checker:begin()
        crowd:beat()
        checker:finish()
        for _, hunter in ipairs(hunters) do caught = caught + (apart(hunter, prey) <= 3 and 1 or 0) end
      end
      assert.is_true(caught > 6 * 200, "seed " .. seed .. ": " .. caught)
      assert.same({ prey:cell() }, { hunters[1]:goal() })
      hunters[2]:stop()
      prey:remove()
      assert.same({ "lost", "arrived" }, { hunters[1].state, hunters[2].state })
      assert.is_nil(hunters[1]:goal())
      assert.is_nil(hunters[1].chased)
      assert.equal(0, crowd.under_way)
      hunters[1]:go(select(1, hunters[1]:cell()), select(2, hunters[1]:cell()))
      assert.equal("arrived", hunters[1].state)
    end
  end)

  it("raises an error on grids with links that suggests another call", function()
    local grid = astar.grid(9, 9)
    local crowd = astar.crowd(grid:finder())
    local hunter, prey = crowd:add(1, 1), crowd:add(9, 9)
    local message = "a unit cannot chase on a grid with links: call unit:go with the cell of the other unit, " ..
      "and again when that unit has moved"
    grid:link(1, 2, 9, 8)
    assert.has_error(function() hunter:chase(prey) end, message)
    grid:unlink(1, 2, 9, 8)
    assert.is_true(hunter:chase(prey))
    grid:link(1, 2, 9, 8)
    for _ = 1, 9 do crowd:beat() end
    assert.equal("planning", hunter.state)
    grid:unlink(1, 2, 9, 8)
    for _ = 1, 9 do crowd:beat() end
    assert.equal("arrived", hunter.state)
  end)

  it("refuses the unit itself, a removed unit, a unit of another crowd and any other value", function()
    local crowd, other = astar.crowd(astar.grid(9, 9):finder()), astar.crowd(astar.grid(9, 9):finder())
    local unit, gone, stranger = crowd:add(1, 1), crowd:add(2, 2), other:add(1, 1)
    gone:remove()
    assert.has_error(function() unit:chase(unit) end, "a unit cannot chase itself")
    assert.has_error(function() unit:chase(gone) end, "other has been removed")
    assert.has_error(function() unit:chase(stranger) end, "other belongs to another crowd")
    assert.has_error(function() unit:chase(7) end)
    for _, range in ipairs { 0, 65, 1.5, "near" } do
      assert.has_error(function() unit:chase(crowd:add(5, 5) or crowd:unit_at(5, 5), { range = range }) end)
    end
  end)
end)
