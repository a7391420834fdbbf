-- A walker's repair in slices, by a queue: against walker:repair, while walkers walk on and the map changes.

local astar = require "astar"
local random = require "spec.support.random"

describe("queue:repair", function()
  it("repairs what a wall has cut off, a little each update, and walkers go on", function()
    local grid = astar.grid(64, 64)
    local finder, queue, walkers = grid:finder(), astar.queue(), {}
    for i = 1, 40 do walkers[i] = astar.walker(finder:find_path(2, i, 60, 65 - i), { speed = 4 }) end
    for _, walker in ipairs(walkers) do walker:update(3 + 0.1 * walker.path:cell(1)) end
    grid:block(32, 1, 1, 60)
    for _, walker in ipairs(walkers) do queue:repair(walker) end
    assert.equal(40, queue:count())
    local updates = 0
    repeat
      updates = updates + 1
      local before = queue:count()
      assert(before - queue:update { expansions = 200 } < 20)
      for _, walker in ipairs(walkers) do
        walker:update(0.1)
        assert(grid:is_walkable(walker:cell()))
      end
    until queue:count() == 0
    assert(updates > 3, updates)
    for _, walker in ipairs(walkers) do
      assert.is_true(walker.path:is_valid(walker.index))
      walker:update(1e6)
      assert.is_true(walker.arrived)
    end
  end)

  it("gives the same ticket until it is done, and takes a priority", function()
    local grid = astar.grid(9, 9)
    local queue, walker = astar.queue(), astar.walker(grid:find_path(1, 1, 9, 1))
    grid:block(5, 1)
    local ticket = queue:repair(walker)
    assert.equal(ticket, queue:repair(walker, 3))
    assert.equal(3, ticket.priority)
    repeat until queue:update { expansions = 1000 } == 0
    assert.same({ "found", walker.path }, { ticket.status, (ticket:path()) })
    assert.is_not.equal(ticket, queue:repair(walker))
  end)

  it("has a walker wait where there is no way, and needs nothing of one that goes elsewhere", function()
    local grid = astar.grid(9, 3)
    local queue = astar.queue()
    local walker, other = astar.walker(grid:find_path(1, 2, 9, 2)), astar.walker(grid:find_path(1, 1, 9, 1))
    grid:block(5, 1, 1, 3)
    local ticket, second = queue:repair(walker), queue:repair(other)
    other:follow(grid:find_path(1, 1, 1, 3))
    repeat until queue:update { expansions = 1000 } == 0
    assert.same({ "unreachable", "found" }, { ticket.status, second.status })
    walker:update(100)
    assert.same({ true, true }, { walker.blocked, walker.waiting })
    grid:unblock(5, 2)
    queue:repair(walker)
    repeat until queue:update { expansions = 1000 } == 0
    walker:update(100)
    assert.is_true(walker.arrived)
  end)

  it("ends with a way that can be walked, whatever is edited, and as dear as a repair's", function()
    for seed = 1, 120 do
      local numbers = random.new(seed)
      local grid = astar.grid(numbers:scatter(24, 16, 0.1))
      local finder = grid:finder { any_angle = numbers:chance(0.3) or nil }
      local function draw() return numbers:int(1, 24), numbers:int(1, 16) end
      local x, y = draw()
      local path = finder:find_path(x, y, draw())
      if path and #path > 3 then
        local walker, queue = astar.walker(path, { speed = 3, straight = numbers:chance(0.3) or nil }), astar.queue()
        for _ = 1, 12 do
          for _ = 1, numbers:int(0, 3) do
            local bx, by = path:cell(numbers:int(1, #path))
            if grid:is_blocked(bx, by) then grid:unblock(bx, by) else grid:block(bx, by) end
          end
          local ticket = queue:repair(walker)
          for _ = 1, 30 do
            walker:update(numbers:int(0, 10) / 50)
            if queue:update { expansions = 3 } == 0 then break end
          end
          repeat until queue:update { expansions = 1e6 } == 0
          assert(ticket.done, seed)
          local is_good = walker.path:is_valid(walker.index)
          assert(is_good or ticket.status ~= "found" or walker.blocked, ("seed %d: %s"):format(seed, ticket.status))
        end
        grid:unblock(1, 1, 24, 16)
        queue:repair(walker)
        repeat until queue:update { expansions = 1e6 } == 0
        walker:update(1e6)
        assert(walker.arrived, ("seed %d: does not arrive"):format(seed))
      end
    end
  end)

  it("refuses what is not a walker", function()
    local queue = astar.queue()
    assert.has_error(function() queue:repair(3) end, "astar walker expected, got 3")
    local walker = astar.walker(astar.grid(3, 3):find_path(1, 1, 3, 3))
    assert.has_error(function() queue:repair(walker, "high") end, 'priority must be a finite number, got "high"')
    assert.has_error(function() walker:repairing { from = 1 } end, 'unknown option "from"; there is "optimal"')
  end)
end)
