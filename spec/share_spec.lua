-- One map in many states. The states here are one: what matters is which version is seen, and that
-- must be what a grid says that was cloned at the publish. Threads: spec/c/shared.c, spec/faults/share.lua.

local astar = require "astar"
local random = require "spec.support.random"

local count = 0

-- A name that no other test has.
local function name()
  count = count + 1
  return "share_spec " .. count
end

-- A grid that is shared, and the map that another state would get.
local function share(...)
  local grid, called = astar.grid(...), name()
  grid:share(called)
  return grid, assert(astar.shared(called)), called
end

local TERRAIN = { ["."] = 1, ["~"] = 3, ["#"] = false }

describe("a shared map", function()
  it("shows the map as it was last published, with all edits or none", function()
    local grid, map = share("....\n....")
    grid:block(1, 1)
    grid:block(2, 2)
    assert.is_false(map:is_blocked(1, 1))
    assert.is_true(grid:is_blocked(1, 1))
    local version = grid:publish()
    assert.equal(grid:version(), version)
    assert.equal(version, map:version())
    assert.is_true(map:is_blocked(1, 1) and map:is_blocked(2, 2))
    assert.equal(version, grid:publish()) -- nothing new
  end)

  it("has the terrain keys, the origin and the labels of the grid, including later additions", function()
    local grid, map = share(4, 3, { terrain = { mud = 2, [7] = 1, [true] = 1 }, fill = 7, origin = { -3, 9 } })
    assert.same({ -3, 9, 0, 11 }, { map:bounds() })
    assert.equal(7, map:get(-3, 9))
    assert.equal(2, map:terrain "mud")
    grid:terrain("bog", 5)
    grid:fill(-3, 9, 2, 2, "bog")
    grid:set(0, 11, true)
    grid:link(-3, 9, 0, 11, { label = "door", cost = 2 })
    grid:link(-2, 9, 0, 10, { label = 4, one_way = true })
    assert.is_nil(map:terrain "bog")
    local by_terrain = { cost = function(_, _, terrain, cost) return terrain == "bog" and 9 or cost end }
    local finder = map:finder(by_terrain)
    grid:publish()
    assert.equal(grid:find_path(-3, 9, -1, 9, by_terrain).cost, finder:find_path(-3, 9, -1, 9).cost)
    assert.equal("bog", map:get(-2, 10))
    assert.is_true(map:get(0, 11))
    assert.equal(5, map:terrain "bog")
    assert.same(grid:links(), map:links())
    assert.equal("door", finder:find_path(-3, 9, 0, 11):link(1))
    assert.equal(grid:dump(), map:dump())
    assert.equal(grid:draw(), map:draw())
    assert.equal(2, map:finder { costs = { bog = 2 } }:find_path(-1, 9, -2, 9).cost)
  end)

  it("refuses all edits", function()
    local _, map = share("...\n...")
    for _, edit in ipairs {
      function() map:set(1, 1, "#") end, function() map:fill(1, 1, 1, 1, "#") end,
      function() map:set_cells(1, 1, 1, 1, "#") end, function() map:block(1, 1) end,
      function() map:unblock(1, 1) end, function() map:terrain("x", 2) end,
      function() map:link(1, 1, 2, 2) end, function() map:unlink(1, 1, 2, 2) end,
      function() map:wall(1, 1, "east") end, function() map:unwall(1, 1, "east") end,
      function() map:block(1, 1, "red") end, function() map:unblock(1, 1, "red") end,
      function() map:share "x" end, function() map:publish() end, function() map:unshare() end,
    } do
      local ok, message = pcall(edit)
      assert.is_false(ok)
      assert.matches("a map from astar.shared is read%-only: edit the grid that was shared$", message)
    end
    assert.has_error(function() map:finder():bake() end,
      "a map from astar.shared cannot be baked: bake the grid that was shared")
    assert.has_error(function() map:finder():load_baked "" end,
      "a map from astar.shared cannot be baked: bake the grid that was shared")
  end)

  it("has the layers of blocks that were published, and accepts no new layers", function()
    local grid, map = share(9, 9)
    local message = 'a map from astar.shared is read-only, and has no layer "red": ' ..
      "name it on the grid that was shared, and publish that"
    assert.has_error(function() map:finder { ignore = { "red" } } end, message)
    grid:finder { ignore = { "red" } }
    assert.has_error(function() map:finder { ignore = { "red" } } end, message)
    assert.equal(grid:publish(), map:version())
    local finder = map:finder { ignore = { "red" } }
    grid:block(5, 1, 1, 9, "red")
    grid:block(2, 2, "blue")
    assert.is_false(map:is_blocked(2, 2, "blue"))
    assert.same({ "", "red" }, map:block_layers())
    grid:publish()
    assert.same({ "", "red", "blue" }, map:block_layers())
    assert.same({ "red" }, map:block_layers(5, 5))
    assert.is_true(map:is_blocked(2, 2, "blue"))
    assert.is_false(map:is_blocked(2, 2) or map:is_walkable(2, 2))
    assert.equal(8, finder:find_path(1, 5, 9, 5).cost)
    assert.is_nil((map:find_path(1, 5, 9, 5)))
    assert.equal(grid:dump(), map:dump())
    assert.equal(grid:dump(), map:clone():dump())
  end)

  it("is refused by a crowd", function()
    local _, map = share(9, 9)
    assert.has_error(function() astar.crowd(map:finder()) end,
      "a crowd cannot walk a map from astar.shared: make it of the grid that was shared, or of a clone")
  end)

  it("can be cloned to a grid that belongs to the calling Lua state", function()
    local grid, map = share("...\n...", { terrain = TERRAIN })
    local clone = map:clone()
    clone:set(1, 1, "~")
    assert.equal(".", map:get(1, 1))
    assert.has_error(function() clone:publish() end, "grid is not shared")
    clone:share(name())
    grid:set(2, 1, "#")
    grid:publish()
    assert.equal(".", clone:get(2, 1))
  end)

  it("returns the routes of its grid on hexagons", function()
    local grid, map = share(9, 9, { shape = "hex", offset = "odd_q" })
    grid:block(5, 1, 1, 8)
    grid:publish()
    assert.same({ "hex", "odd_q" }, { map:shape() })
    assert.equal(grid:find_path(1, 1, 9, 1).cost, map:find_path(1, 1, 9, 1).cost)
  end)

  it("reports the memory of its copies in bytes", function()
    local grid = astar.grid(100, 100)
    local alone = grid:bytes()
    local called = name()
    grid:share(called)
    local one = grid:bytes()
    assert.is_true(one - alone > 10000)
    grid:block(1, 1)
    grid:publish()
    assert.is_true(grid:bytes() - one > 10000)
    assert.is_true(astar.shared(called):bytes() > 20000)
    grid:unshare()
    assert.is_true(grid:bytes() < one)
  end)
end)

describe("the name of a shared map", function()
  it("belongs to one map until the map is unshared or collected", function()
    local grid, _, called = share "...."
    local other = astar.grid "...."
    assert.has_error(function() other:share(called) end, ('another map is shared as "%s"'):format(called))
    assert.has_error(function() grid:share "y" end, "grid is shared already")
    grid:unshare()
    grid:unshare() -- nothing to free
    assert.has_error(function() grid:publish() end, "grid is not shared")
    other:share(called)
    assert.equal(4, astar.shared(called):size())
    other = nil -- luacheck: ignore
    collectgarbage()
    collectgarbage()
    assert.is_nil(astar.shared(called))
  end)

  it("returns nil and a reason if no map has the name", function()
    local map, why = astar.shared "nowhere"
    assert.is_nil(map)
    assert.equal('no map is shared as "nowhere" by this copy of astar: another copy in the process, or one linked ' ..
      "into it, has names of its own", why)
  end)

  it("may contain any bytes", function()
    local called = name() .. "\0x"
    local grid = astar.grid "..."
    grid:share(called)
    assert.is_nil(astar.shared((called:gsub("%z.*", ""))))
    assert.equal(3, astar.shared(called):size())
  end)

  it("is not needed by finders that outlive the grid and the map", function()
    local grid, map = share("....")
    grid:block(2, 1)
    grid:publish()
    local finder = map:finder()
    grid, map = nil, nil -- luacheck: ignore
    collectgarbage()
    collectgarbage()
    local _, why = finder:find_path(1, 1, 4, 1)
    assert.equal("unreachable", why)
  end)
end)

-- ---- against a model ----

-- One random edit of a grid of 24 x 18.
local function edit(grid, below)
  local x, y = below(24) + 1, below(18) + 1
  local w, h = below(25 - x > 5 and 5 or 25 - x) + 1, below(19 - y > 5 and 5 or 19 - y) + 1
  local kind = below(30)
  if kind >= 28 then grid:unblock(x, y, w, h, below(2) == 0 and "red" or "blue")
  elseif kind == 27 then grid:block(x, y, w, h, "blue")
  elseif kind >= 24 then grid:block(x, y, kind == 24 and w or 1, kind == 24 and h or 1, "red")
  elseif kind == 0 then
    grid:link(x, y, 25 - x, 19 - y == y and 1 or 19 - y, { cost = below(3), label = "l" .. below(4) })
  elseif kind == 1 then grid:unlink(x, y, 25 - x, 19 - y == y and 1 or 19 - y)
  elseif kind == 2 then grid:wall(x, y, "east", below(2) == 0)
  elseif kind == 3 then grid:unwall(x, y, "east")
  elseif kind == 4 then grid:terrain("~", 2 + below(3))
  elseif kind == 5 then grid:terrain("t" .. below(5), 1 + below(3))
  elseif kind < 9 then grid:fill(x, y, w, h, below(2) == 0 and "~" or ".")
  elseif kind < 12 then grid:block(x, y, w, h)
  elseif kind < 14 then grid:unblock(x, y, w, h)
  else grid:set(x, y, below(3) == 0 and "#" or ".") end
end

local OPTIONS = {
  {}, { diagonals = "never" }, { algorithm = "astar", diagonals = "always" }, { size = 2 },
  { costs = { ["~"] = false } }, { any_angle = true }, { step_cost = function(_, _, _, _, cost) return cost end },
  { ignore = { "red" } }, { ignore = { "red" }, size = 2, diagonals = "never" }, { ignore = { "", "blue" } },
}

local function answer(path, why)
  return path and { path.cost, path:cells_flat() } or why
end

describe("an object made of a shared map", function()
  for seed = 1, 6 do
    it("returns the results of a clone of the grid made at the publish, seed " .. seed, function()
      local numbers = random.new(seed)
      local function below(n) return numbers:int(0, n - 1) end
      local grid, map = share(24, 18, { terrain = TERRAIN, fill = "." })
      for _, layer in ipairs { "red", "blue" } do grid:block(3, 3, layer) end
      grid:publish()
      local finders, flows = {}, {}
      for i, options in ipairs(OPTIONS) do finders[i] = map:finder(options) end
      for i, finder in ipairs(finders) do flows[i] = finder:flow(20, 4) end
      local model = grid:clone()
      for round = 1, 60 do
        for _ = 1, round % 15 == 0 and 300 or below(6) do edit(grid, below) end
        if below(4) > 0 then
          assert(grid:publish())
          model = grid:clone()
        end
        assert.equal(model:dump(), map:dump())
        local kind = below(#OPTIONS) + 1
        local plain = model:finder(OPTIONS[kind])
        local sx, sy, gx, gy = below(23) + 1, below(17) + 1, below(23) + 1, below(17) + 1
        assert.same(answer(plain:find_path(sx, sy, gx, gy)), answer(finders[kind]:find_path(sx, sy, gx, gy)))
        assert.same({ plain:flow(20, 4):distance(sx, sy) }, { flows[kind]:distance(sx, sy) })
        local goals = { { 20, 4 }, { gx, gy } }
        local told = below(2) == 0 and goals or function(x, y) return x == 20 and y == 4 or x == gx and y == gy end
        local nearest, index = plain:find_nearest(sx, sy, told)
        local job = finders[kind]:finding_nearest(sx, sy, told)
        while job:step(7) == "running" do end
        local found, which = job:path()
        assert.same({ nearest and nearest.cost, index }, { found and found.cost, which })
        assert.equal(plain:reachable(sx, sy, gx, gy), finders[kind]:reachable(sx, sy, gx, gy))
        assert.same({ plain:raycast(sx, sy, gx, gy) }, { finders[kind]:raycast(sx, sy, gx, gy) })
        assert.equal(plain:clearance(sx, sy), finders[kind]:clearance(sx, sy))
      end
    end)
  end

  it("uses data that was baked on the grid once that data is published", function()
    local grid, map = share(40, 40)
    for i = 1, 12 do grid:block(i * 3, i % 2 * 5 + 3, 1, 30) end
    grid:publish()
    local own, unit = grid:finder(), map:finder()
    assert.equal("jps", unit:find_path(1, 1, 40, 40).algorithm)
    local version = map:version()
    own:bake { method = "labels" }
    assert.equal("jps", unit:find_path(1, 1, 40, 40).algorithm)
    assert.is_true(grid:publish() > version) -- what questions find may be another of the best
    for round = 1, 5 do
      if round == 4 then own:bake { method = "hierarchy" } end
      grid:block(39, round)
      grid:publish()
      local expected, path = own:find_path(1, 1, 40, 40 - round), unit:find_path(1, 1, 40, 40 - round)
      assert.equal(round < 4 and "labels" or "hierarchy", path.algorithm)
      assert.same(expected:cells_flat(), path:cells_flat())
    end
    grid:unblock(3, 8)
    grid:publish()
    assert.equal("jps", unit:find_path(1, 1, 40, 40).algorithm)
    own, grid = nil, nil -- luacheck: ignore
    collectgarbage()
    collectgarbage()
    assert.is_number(unit:find_path(1, 1, 40, 40).cost) -- it outlives the grid that was baked
  end)

  it("continues after publishes that do not change its cells", function()
    local grid, map = share(60, 60)
    local finder = map:finder { algorithm = "astar" }
    local search = finder:search(1, 1, 30, 30)
    for i = 1, 60 do
      if search:step(1) ~= "running" then break end
      grid:block(60, i)
      grid:publish()
    end
    assert.equal("found", search:step(10000))
    assert.equal(29 * math.sqrt(2), search:path().cost)
  end)

  it("uses the links of every published copy, also of copies that change no cell", function()
    local grid, map = share(10, 3)
    grid:block(5, 1, 1, 3)
    grid:link(4, 2, 6, 2)
    grid:block(9, 3, "red")
    grid:publish()
    local reach = map:finder({ ignore = { "red" } }):reach(1, 2, math.huge)
    for i = 1, 6 do
      assert.same({ 4, 2 }, { reach:next(6, 2) })
      assert.equal(9, #reach:path(10, 2))
      grid[i % 2 == 1 and "unblock" or "block"](grid, 9, 3, "red")
      grid:publish()
    end
  end)

  it("keeps a path that was found, whatever is published later", function()
    local grid, map = share("......\n......")
    local search = map:finder():search(1, 1, 6, 1)
    assert.equal("found", search:step(1000))
    grid:block(3, 1, 1, 2)
    grid:publish()
    local path = search:path()
    assert.equal(5, path.cost)
    assert.same({ false, 3 }, { path:is_valid() })
    assert.equal("unreachable", select(2, path:repair()))
  end)

  it("finds the nearest goal and repairs paths, in steps and with publishes between the steps", function()
    local grid, map = share(60, 60)
    local finder = map:finder { algorithm = "astar" }
    local path = finder:find_path(1, 1, 30, 30)
    grid:block(20, 1, 1, 40)
    grid:publish()
    for _, made in ipairs {
      function() return path:repairing { optimal = true } end,
      function() return finder:finding_nearest(1, 1, { { 30, 30 }, { 31, 60 } }) end,
    } do
      local job = made()
      for i = 1, 60 do
        if job:step(1) ~= "running" then break end
        grid[grid:is_blocked(60, i) and "unblock" or "block"](grid, 60, i)
        grid:publish()
      end
      while job:step(1000) == "running" do end
      assert.equal("found", job.status)
      local found = job:path()
      grid:block(1, 2)
      grid:publish() -- the path is the one of the version it was found at
      assert.equal(found, (job:path()))
      grid:unblock(1, 2)
      grid:publish()
      assert.near(grid:find_path(1, 1, 30, 30, { algorithm = "astar" }).cost, found.cost, 1e-9)
    end
  end)

  it("restarts if a publish changes a cell that its search has read", function()
    local grid, map = share("......\n......")
    local search = map:finder { algorithm = "astar" }:search(1, 1, 6, 1)
    assert.equal("running", search:step(2))
    grid:block(2, 1)
    grid:publish()
    assert.equal("found", search:step(1000))
    assert.equal(1, search.restarts)
    assert.equal(grid:find_path(1, 1, 6, 1).cost, search:path().cost)
  end)

  it("completes a queue's requests over several updates, however often the map is published", function()
    local grid, map = share(60, 40)
    for x = 10, 50, 10 do grid:block(x, 2, 1, 39) end
    grid:publish()
    local finder, queue, slow, now = map:finder { algorithm = "astar" }, astar.queue(), 0
    local below = random.new(7)
    for frame = 1, 400 do
      local x, y, asked = below:int(12, 18), below:int(1, 40), frame
      now = frame
      grid[frame % 2 == 0 and "block" or "unblock"](grid, x, y)
      grid:publish()
      if queue:count() < 2 then
        queue:request(finder, 1, below:int(1, 40), 60, below:int(1, 40), function(path, reason)
          slow = slow + (now - asked >= 3 and 1 or 0)
          assert.is_nil(reason)
          assert.is_true(path.cost >= 59)
        end)
      end
      queue:update { expansions = 500 }
    end
    assert.is_true(slow > 20, slow)
  end)

  it("works in queues and walkers, and can be prepared by a job", function()
    local grid, map = share(50, 50)
    local finder, queue = map:finder(), astar.queue()
    local job = finder:preparing()
    while job:step(3) == "running" do grid:block(50, 50) end
    local ticket = queue:request(finder, 1, 1, 40, 40)
    for i = 1, 100 do
      grid:block(50, i % 50 + 1)
      grid:publish()
      queue:update { expansions = 2 }
    end
    assert.equal("found", ticket.status)
    local walker = astar.walker(ticket:path(), { speed = 1000 })
    assert.is_true(select(3, walker:update(1)))
  end)

  it("accepts for the option avoid a field of the Lua state that uses the map, and follows its changes", function()
    local grid, map = share(20, 5, { terrain = TERRAIN, fill = "." })
    local field = astar.field(map)
    field:fill(5, 1, 3, 4, 10)
    local finder = map:finder { avoid = field }
    for i = 1, 10 do
      grid:set(i + 8, 3, i % 2 == 0 and "~" or "#")
      grid:publish()
      field:stamp(10, 3, 2, 1)
      local model = grid:clone()
      assert.same(answer(model:finder { avoid = field }:find_path(1, 3, 20, 3)), answer(finder:find_path(1, 3, 20, 3)))
    end
  end)

  it("can be joined to graphs", function()
    local grid, map = share(20, 9)
    local graph = astar.graph()
    graph:node("a", 3, 8)
    graph:node("b", 17, 8)
    graph:edge("a", "b")
    grid:block(10, 1, 1, 8)
    local joined = graph:join(map:finder())
    assert.equal(18, joined:find_path(1, 1, 19, 1).cost)
    grid:publish()
    assert.is_true(joined:find_path(1, 1, 19, 1).cost > 18)
  end)
end)

describe("a publish in the middle of a query", function()
  it("is not visible to the running query, nor to queries by its callbacks", function()
    local grid, map = share("......\n......")
    local seen = {}
    local finder
    local function cost(x, y, _, base)
      if #seen == 0 then
        grid:block(3, 1, 1, 2)
        assert(grid:publish())
      end
      seen[#seen + 1] = tostring(map:is_blocked(3, 1)) .. tostring(map:find_path(1, 1, 6, 1) ~= nil)
      return x + y > 100 and false or base
    end
    finder = map:finder { cost = cost }
    assert.equal(5, finder:find_path(1, 1, 6, 1).cost)
    for _, each in ipairs(seen) do assert.equal("falsetrue", each) end
    assert.is_true(map:is_blocked(3, 1))
    assert.is_nil((finder:find_path(1, 1, 6, 1)))
  end)

  it("may come from a callback that then drops the map and the grid", function()
    for what, close in pairs {
      ["the map closed"] = function(map) debug.getmetatable(map).__gc(map) end,
      ["the grid unshared"] = function(_, grid) grid:unshare() end,
      ["the grid closed"] = function(_, grid) debug.getmetatable(grid).__gc(grid) end,
      ["both closed"] = function(map, grid)
        debug.getmetatable(grid).__gc(grid)
        debug.getmetatable(map).__gc(map)
      end,
      ["all collected"] = function() collectgarbage() end,
      ["edited, published, unshared"] = function(_, grid)
        grid:block(3, 1, 1, 2)
        grid:publish()
        grid:unshare()
      end,
    } do
      local grid, map, called = share("......\n......")
      local done = false
      local finder = map:finder { cost = function(_, _, _, base)
        if not done then close(map, grid) end
        done = true
        return base
      end }
      local search = finder:search(1, 1, 6, 1)
      assert.equal(5, finder:find_path(1, 1, 6, 1).cost, what)
      grid, map = nil, nil -- luacheck: ignore
      collectgarbage()
      assert.is_nil((astar.shared(called)), what)
      local status
      repeat status = search:step(1000) until status ~= "running"
      assert.is_true(status == "found" or status == "unreachable", what)
    end
  end)

  it("becomes visible after a query that ended with an error, wherever the error was caught", function()
    local grid, map = share("......\n......")
    local finder = map:finder { cost = function() error "no" end }
    local inner = map:finder()
    for i = 1, 6 do
      assert.is_false(pcall(finder.find_path, finder, 1, 1, 6, 1))
      if i % 2 == 0 then grid:block(i, 1) else grid:unblock(1, 1, 6, 2) end
      grid:publish()
      if i % 3 == 0 then
        assert.equal(i % 2 == 0, map:is_blocked(i, 1))
      elseif i % 3 == 1 then
        assert.equal(grid:find_path(1, 2, 6, 1) and grid:find_path(1, 2, 6, 1).cost,
          coroutine.wrap(function() return inner:find_path(1, 2, 6, 1).cost end)())
      end
      local _, deep = pcall(function() return select(2, pcall(function() return map:version() end)) end)
      assert.equal(grid:version(), deep)
    end
  end)

  it('needs a further copy, and returns "busy" if eight copies exist', function()
    local grid, map = share("....")
    local versions = {}
    local function nest(depth)
      local at = map:version()
      local other = depth < 8 and map:clone() -- not a view: nothing is held by it
      assert(other == false or other:version() == at)
      local finder = assert(astar.shared("share_spec " .. count)):finder {
        cost = function(x, y, _, cost)
          if x == 2 and not versions[depth] then
            grid:set(4, 1, depth % 2 == 0 and "." or "#")
            versions[depth] = { grid:publish() }
            if depth < 8 then nest(depth + 1) end
          end
          return y > 1 and false or cost
        end,
      }
      finder:find_path(1, 1, 3, 1)
    end
    nest(1)
    for depth = 1, 7 do assert.is_number(versions[depth][1]) end
    assert.same({ nil, "every copy is being read" }, versions[8])
    assert.is_number(grid:publish())
    assert.equal(grid:get(4, 1), map:get(4, 1))
  end)
end)
