-- A walker's repair in slices, by a queue: against walker:repair, while walkers walk on and the map changes.

local astar = require "astar"
local random = require "spec.support.random"

describe("queue:repair", function()
  it("repairs paths that a wall has cut, a little in each update, while walkers continue", function()
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

  it("returns the same ticket until the repair is done, and accepts a priority", function()
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

  it("makes a walker wait if there is no route, and stops for a walker that got another path", function()
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

  it("ends with a path that can be walked after any edits, at the work of a repair", function()
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

  it("refuses values that are not walkers", function()
    local queue = astar.queue()
    assert.has_error(function() queue:repair(3) end, "astar walker expected, got 3")
    local walker = astar.walker(astar.grid(3, 3):find_path(1, 1, 3, 3))
    assert.has_error(function() queue:repair(walker, "high") end, 'priority must be a finite number, got "high"')
    assert.has_error(function() walker:repairing { from = 1 } end, 'unknown option "from"; there is "optimal"')
  end)
end)

-- The best way: what a new search from where the walker goes on costs.
describe("the cheapest path of a walker", function()
  local TERRAIN = { ["."] = 1, [","] = 2, ["#"] = false }

  -- Has a walker's path be the best there is, in one of the ways to ask for it.
  local function make_best(numbers, walker)
    local how = numbers:pick { "at once", "job", "queue", "queue by priority" }
    if how == "at once" then return walker:repair { optimal = true } end
    local job, queue = nil, nil
    if how == "job" then
      job = walker:repairing { optimal = true }
    else
      queue = astar.queue()
      if how == "queue" then
        queue:repair(walker, { optimal = true })
      else
        queue:repair(walker, 2)
        queue:repair(walker, { optimal = true, priority = 3 }) -- which is asked for later, and counts
      end
    end
    local is_walking = numbers:chance(0.5)
    repeat
      if is_walking then walker:update(0.1) end
      local is_over
      if job then is_over = job:step(7) ~= "running" else is_over = queue:update { expansions = 7 } == 0 end
    until is_over
  end

  -- Changes a cell or a rectangle of the map: paths grow cheaper and dearer, are closed and opened.
  local function edit(numbers, grid)
    local x, y = numbers:int(1, 24), numbers:int(1, 16)
    local w, h = numbers:int(1, math.min(6, 25 - x)), numbers:int(1, math.min(3, 17 - y))
    local kind = numbers:int(1, 4)
    if kind == 1 then
      grid:block(x, y)
    elseif kind == 2 then
      grid:unblock(x, y, w, h)
    else
      grid:fill(x, y, w, h, kind == 3 and "." or ",")
    end
  end

  it("is found after any edit by walker:repair, by jobs and by queues", function()
    local compared, better = 0, 0
    for seed = 1, 300 do
      local numbers = random.new(seed)
      local rows = numbers:scatter(24, 16, 0.15)
      numbers:sow(rows, { "," })
      local grid = astar.grid(rows, { terrain = TERRAIN })
      local finder = grid:finder { diagonals = numbers:pick { "always", "only_when_no_obstacles", "never" } }
      local function draw() return numbers:int(1, 24), numbers:int(1, 16) end
      local x, y = draw()
      local gx, gy = draw()
      local path = finder:find_path(x, y, gx, gy)
      local walker = path and astar.walker(path, { speed = 3 })
      for _ = 1, path and 6 or 0 do
        walker:update(numbers:int(0, 5) / 10)
        for _ = 1, numbers:int(1, 9) do edit(numbers, grid) end
        local before = walker.path
        make_best(numbers, walker)
        x, y = walker:cell()
        local best = finder:find_path(x, y, gx, gy)
        local index
        for i = 1, #walker.path do
          local cx, cy = walker.path:cell(i)
          index = cx == x and cy == y and i or index
        end
        local rest = index and walker.path:is_valid(index) and walker.path:repair { from = index }
        if best and not walker.blocked and not walker.arrived then
          assert(rest, ("seed %d: the walker's path cannot be walked"):format(seed))
          assert(math.abs(rest.cost - best.cost) < 1e-6, ("seed %d: %s, the best way %s"):format(seed, rest.cost,
            best.cost))
          compared, better = compared + 1, better + (walker.path ~= before and 1 or 0)
        end
      end
    end
    assert(compared > 500 and better > 100, compared .. " compared, " .. better .. " changed")
  end)

  it("leads over a road that was built, and through a door that opened", function()
    for _, ask in ipairs { "walker", "queue" } do
      local grid = astar.grid(60, 20, { terrain = { grass = 1, road = 0.5 }, fill = "grass" })
      local walker, queue = astar.walker(grid:find_path(2, 2, 58, 2)), astar.queue()
      local function repair()
        if ask == "walker" then return walker:repair { optimal = true } end
        local ticket = queue:repair(walker, { optimal = true })
        repeat until queue:update { expansions = 100 } == 0
        assert.equal("found", ticket.status)
      end
      grid:fill(2, 6, 57, 1, "road")
      repair()
      assert.near(grid:find_path(2, 2, 58, 2).cost, walker.path.cost, 1e-9)
      assert(walker.path.cost < 35)
      local kept = walker.path
      repair()
      assert.equal(kept, walker.path) -- where nothing is cheaper
      grid:block(30, 1, 1, 19)
      repair()
      assert(walker.path.cost > 40)
      grid:unblock(30, 6)
      repair()
      assert(walker.path.cost < 35)
    end
  end)

  it("is searched for only on request", function()
    local grid = astar.grid(9, 3)
    grid:block(5, 1, 1, 2)
    local walker = astar.walker(grid:find_path(1, 1, 9, 1))
    local path = walker.path
    grid:unblock(5, 1)
    assert.equal(path, walker:repair())
    local queue = astar.queue()
    queue:repair(walker, { priority = 1 })
    repeat until queue:update { expansions = 100 } == 0
    assert.equal(path, walker.path)
  end)

  it("refuses unknown options", function()
    local queue, walker = astar.queue(), astar.walker(astar.grid(3, 3):find_path(1, 1, 3, 3))
    assert.has_error(function() queue:repair(walker, { optimal = 1 }) end, "optimal must be a boolean, got 1")
    assert.has_error(function() queue:repair(walker, { best = true }) end,
      'unknown option "best"; there are "optimal" and "priority"')
    assert.has_error(function() queue:repair(walker, { priority = "high" }) end,
      'priority must be a finite number, got "high"')
  end)
end)
