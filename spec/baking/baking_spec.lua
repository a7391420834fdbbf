-- Routes by what was baked, held against plain A*: as cheap, by legal steps, whatever the rule, the
-- size and the edits.

local alter = require "spec.support.alter"
local astar = require "astar"
local check = require "spec.support.check"
local forge = require "spec.support.forge"
local random = require "spec.support.random"
local times = require "spec.support.times"

local METHODS = { "labels", "hierarchy" }
local PLENTY = 1e8

-- Rooms joined by gaps: few corners, long ways.
local function rooms(side)
  local grid = astar.grid(side, side)
  for at = 8, side - 1, 8 do
    grid:fill(at, 1, 1, side, "#")
    grid:fill(1, at, side, 1, "#")
  end
  for at = 8, side - 1, 8 do
    for i = 4, side, 8 do
      grid:set(at, i - (at / 8) % 3, ".")
      grid:set(i + (at / 8) % 2, at, ".")
    end
  end
  return grid
end

local function baked_rooms(method)
  local grid = rooms(47)
  local finder = grid:finder()
  return grid, finder, finder:bake { method = method, bytes = PLENTY }
end

local function anywhere(r, grid)
  local width, height = grid:size()
  return r:int(1, width), r:int(1, height)
end

-- Asks both finders about some cells; how many routes were found by what was baked.
local function compare(r, grid, finder, plain, count, label)
  local by_baked = 0
  for _ = 1, count do
    local sx, sy = anywhere(r, grid)
    local gx, gy = anywhere(r, grid)
    local path, reason = finder:find_path(sx, sy, gx, gy)
    local expected, why = plain:find_path(sx, sy, gx, gy)
    local where = ("%s, (%d, %d) to (%d, %d)"):format(label, sx, sy, gx, gy)
    assert.equal(why, reason, where)
    if path then
      assert.is_true(path:is_valid(), where)
      check.equal_cost(expected.cost, path.cost, where)
      if path.algorithm ~= "jps" then by_baked = by_baked + 1 end
    end
  end
  return by_baked
end

local function edit(r, grid)
  for _ = 1, r:int(1, 5) do
    local x, y = anywhere(r, grid)
    grid:set(x, y, r:pick { "#", "#", "." })
  end
end

describe("baking", function()
  for _, method in ipairs(METHODS) do
    describe("by " .. method, function()
      it("gives the same routes if the map was baked in one call, in steps, or from loaded data", function()
        for seed = 1, 8 do
          local r = random.new(seed)
          local rules = { "always", "if_at_most_one_obstacle", "only_when_no_obstacles", "never" }
          local grid = astar.grid(r:scatter(r:int(4, 90), r:int(4, 50), 0.05 + 0.3 * r:int(0, 100) / 100))
          local options = { diagonals = r:pick(rules) }
          local finder, other = grid:finder(options), astar.load(grid:dump()):finder(options)
          other:load_baked(finder:bake({ method = method, bytes = PLENTY }):save())
          for _ = 1, 40 do
            local sx, sy = anywhere(r, grid)
            local gx, gy = anywhere(r, grid)
            local path, reason = finder:find_path(sx, sy, gx, gy)
            local search, loaded = finder:search(sx, sy, gx, gy), other:find_path(sx, sy, gx, gy)
            local status
            repeat status = search:step { expansions = 3 } until status ~= "running"
            local where = ("seed %d, (%d, %d) to (%d, %d)"):format(seed, sx, sy, gx, gy)
            assert.equal(reason or "found", status, where)
            for _, same in ipairs(path and { search:path(), loaded } or {}) do
              assert.equal(tostring(path), tostring(same), where)
              assert.equal(path.cost, same.cost, where)
              assert.equal(path.length, same.length, where)
              assert.equal(path.algorithm, same.algorithm, where)
              assert.same(path:waypoints(), same:waypoints(), where)
            end
          end
        end
      end)

      it("finds routes without a search that cost as much as searched routes", function()
        local grid, finder, baked = baked_rooms(method)
        assert.equal(method, baked.method)
        assert.is_true(baked.bytes > 0 and baked.gain >= 1 and baked.milliseconds >= 0)
        assert.is_true(baked:is_current())
        local path = finder:find_path(1, 1, 47, 47)
        assert.equal(method, path.algorithm)
        assert.equal(0, path.expanded)
        check.equal_cost(grid:finder({ algorithm = "astar" }):find_path(1, 1, 47, 47).cost, path.cost)
        assert.same({ 1, 1, 47, 47 }, { path[1].x, path[1].y, path[#path].x, path[#path].y })
        assert.equal(0, finder:find_path(3, 3, 3, 3).cost)
      end)

      it("serves every finder with the same corner rule, size and diagonal cost, and no other finder", function()
        local grid = baked_rooms(method)
        local function algorithm(options)
          return grid:finder(options):find_path(1, 1, 47, 47).algorithm
        end
        assert.equal(method, algorithm {})
        assert.equal(method, algorithm { heuristic = "octile" })
        for _, options in ipairs { { diagonals = "always" }, { size = 2 }, { diagonal_cost = 1.5 },
          { algorithm = "jps" }, { max_cost = 1000 }, { max_expansions = 1e6 } } do
          if not options.size then assert.equal("jps", algorithm(options)) end
        end
        assert.equal("astar", algorithm { algorithm = "astar" })
        assert.equal("jps", algorithm { range = 1 })
        assert.equal("jps", algorithm { range = 3 })
        assert.not_equal(method, algorithm { any_angle = true })
        assert.not_equal(method, algorithm { cost = function() return 1 end, min_cost = 1 })
      end)

      it("stays valid while walls are built, and routes lead around the walls", function()
        local grid, finder, baked = baked_rooms(method)
        local plain = grid:finder { algorithm = "astar" }
        local x, y = 25, 25
        local path = finder:find_path(1, 1, 47, 47)
        grid:block(path[#path - 1].x, path[#path - 1].y)
        assert.is_true(baked:is_current())
        compare(random.new(2), grid, finder, plain, 60, "after a wall")
        assert.is_true(compare(random.new(3), grid, finder, plain, 60, "by what is whole") > 30)
        grid:block(x, y, 3, 3)
        compare(random.new(4), grid, finder, plain, 60, "after more")
      end)

      it("finds a route past a newly blocked cell if that route costs the same", function()
        local grid = astar.grid(41, 31)
        grid:fill(20, 1, 1, 31, "#")
        grid:set(20, 16, ".")
        local finder, plain = grid:finder(), grid:finder { algorithm = "astar" }
        finder:bake { method = method, bytes = PLENTY }
        local path, led_past = finder:find_path(2, 3, 39, 25), 0
        for i = 1, #path do
          local cell = path[i]
          if cell.x ~= 2 and math.abs(cell.x - 20) > 1 and cell.x ~= 39 then
            grid:block(cell.x, cell.y)
            grid:block(cell.x, cell.y + 1)
            local found, expected = finder:find_path(2, 3, 39, 25), plain:find_path(2, 3, 39, 25)
            local where = ("(%d, %d) closed"):format(cell.x, cell.y)
            check.equal_cost(expected.cost, found.cost, where)
            assert.is_true(found:is_valid(), where)
            if expected.cost == path.cost then
              assert.same({ method, 0 }, { found.algorithm, found.expanded }, where)
              led_past = led_past + 1
            end
            grid:unblock(cell.x, cell.y, 1, 2)
          end
        end
        assert.is_true(led_past > 20)
      end)

      it("is not used by queries after a cell opens, until that cell is blocked again", function()
        local grid, finder, baked = baked_rooms(method)
        local plain = grid:finder { algorithm = "astar" }
        grid:set(8, 1, ".")
        assert.is_false(baked:is_current())
        assert.equal("jps", finder:find_path(1, 1, 47, 47).algorithm)
        compare(random.new(5), grid, finder, plain, 40, "after an opening")
        grid:set(8, 1, "#")
        assert.is_true(baked:is_current())
        assert.equal(method, finder:find_path(1, 1, 47, 47).algorithm)
        grid:fill(1, 1, 47, 47, ".")
        assert.is_false(baked:is_current())
        assert.equal("jps", finder:find_path(1, 1, 47, 47).algorithm)
      end)

      it("gives data that can be saved, and loaded for an equal map", function()
        local grid, finder, baked = baked_rooms(method)
        local saved = baked:save()
        local other = astar.load(grid:dump())
        local fresh = other:finder()
        local loaded = fresh:load_baked(saved)
        assert.equal(method, loaded.method)
        assert.equal(baked.gain, loaded.gain)
        assert.equal(baked.bytes, loaded.bytes)
        assert.equal(saved, loaded:save())
        local r = random.new(6)
        for _ = 1, 60 do
          local sx, sy = anywhere(r, grid)
          local gx, gy = anywhere(r, grid)
          local path, same = finder:find_path(sx, sy, gx, gy), fresh:find_path(sx, sy, gx, gy)
          assert.same(path and path:cells_flat(), same and same:cells_flat())
          assert.equal(path and path.algorithm, same and same.algorithm)
        end
      end)

      it("gives data that can be loaded for its map, whatever the map's terrain costs now", function()
        for seed = 1, 20 do
          local r = random.new(seed)
          local cost = 10 ^ (seed % 10 - 3)
          local terrain = { ["."] = math.min(cost, 1e6), ["#"] = false }
          local grid = astar.grid(r:scatter(r:int(4, 40), r:int(4, 40), 0.2), { terrain = terrain })
          local options = { diagonals = r:pick(check.RULES), diagonal_cost = r:pick { math.sqrt(2), 1, 1.25 } }
          local finder, label = grid:finder(options), ("seed %d, ground of %g"):format(seed, cost)
          local saved = finder:bake({ method = method, bytes = PLENTY }):save()
          for _, each in ipairs { finder, astar.load(grid:dump()):finder(options) } do
            local loaded = each:load_baked(saved)
            assert.equal(saved, loaded:save(), label)
            options.algorithm = "astar"
            compare(r, grid, each, grid:finder(options), 20, label)
            options.algorithm = nil
          end
        end
      end)

      it("gives data that raises an error if loaded for another map, corner rule, size or diagonal cost", function()
        local grid, _, baked = baked_rooms(method)
        local saved = baked:save()
        local function refusal(map, options)
          local finder = map:finder(options)
          return select(2, pcall(finder.load_baked, finder, saved))
        end
        assert.matches("baked for another rule of diagonals", refusal(grid, { diagonals = "never" }))
        assert.matches("baked for another size", refusal(grid, { size = 2 }))
        assert.matches("baked for another diagonal_cost", refusal(grid, { diagonal_cost = 1.5 }))
        assert.matches("baked for another map", refusal(astar.grid(47, 47)))
        assert.matches("baked for another map", refusal(astar.grid(47, 48)))
        assert.matches("baked for another map", refusal(astar.grid(48, 47)))
        grid:block(1, 1)
        assert.matches("baked for another map", refusal(grid))
        grid:unblock(1, 1)
        assert.equal(method, grid:finder():load_baked(saved).method)
      end)
    end)
  end

  for _, rule in ipairs(check.RULES) do
    it("never makes a route more expensive after any edit, with diagonals " .. rule, function()
      for seed = 1, 30 do
        local r = random.new(seed)
        local width, height = r:int(1, 40), r:int(1, 40)
        local grid = astar.grid(r:scatter(width, height, r:pick { 0.05, 0.2, 0.35 }))
        local options = { diagonals = rule, size = r:body(1, 3), diagonal_cost = r:pick { 1, 1.4, 2 ^ 0.5, 1.75 } }
        local finder = grid:finder(options)
        local plain = grid:finder {
          diagonals = rule, size = options.size, diagonal_cost = options.diagonal_cost, algorithm = "astar",
        }
        local method = r:pick(METHODS)
        local label = ("seed %d, %s"):format(seed, method)
        finder:bake { method = method, bytes = PLENTY }
        for _ = 1, 3 do
          compare(r, grid, finder, plain, 25, label)
          edit(r, grid)
        end
        finder:bake { method = method, bytes = PLENTY }
        compare(r, grid, finder, plain, 25, label .. ", baked again")
      end
    end)
  end

  it("is not used for near goals if the method was chosen automatically and baking saves little", function()
    local by_search, by_baked = 0, 0
    for seed = 1, 6 do
      local r = random.new(seed)
      local grid = astar.grid(r:scatter(140, 100, 0.17 + 0.03 * seed))
      local finder, plain, other = grid:finder(), grid:finder(), astar.load(grid:dump()):finder()
      local baked = finder:bake()
      local is_kept = baked.method ~= "none"
      if is_kept then other:load_baked(baked:save()) end
      local is_left = baked.gain < (baked.method == "labels" and 5 or 20)
      for _ = 1, is_kept and 150 or 0 do
        local sx, sy = anywhere(r, grid)
        local gx, gy = anywhere(r, grid)
        local path, search = finder:find_path(sx, sy, gx, gy), finder:search(sx, sy, gx, gy)
        while search:step { expansions = 2 } == "running" do end
        if path then
          local where = ("seed %d, (%d, %d) to (%d, %d)"):format(seed, sx, sy, gx, gy)
          local loaded = other:find_path(sx, sy, gx, gy)
          for _, same in ipairs { loaded, search:path() } do
            assert.same(path:waypoints(), same:waypoints(), where)
            assert.equal(path.algorithm, same.algorithm, where)
          end
          local is_near = is_left and math.abs(gx - sx) < 32 and math.abs(gy - sy) < 32
          assert.is_true(path.algorithm == "jps" or not is_near, where)
          check.equal_cost(plain:find_path(sx, sy, gx, gy, { max_cost = 1e6 }).cost, path.cost, where)
          by_search, by_baked = by_search + (is_near and 1 or 0), by_baked + (path.algorithm == "jps" and 0 or 1)
        end
      end
    end
    assert.is_true(by_search > 20 and by_baked > 20, ("%d by a search, %d by baked data"):format(by_search, by_baked))
    local _, finder = baked_rooms "labels"
    assert.equal("jps", finder:find_path(1, 1, 7, 7).algorithm)
    assert.equal("labels", finder:find_path(1, 1, 7, 9).algorithm)
  end)

  it("runs as a job with a limit of expansions or time, and takes effect when the job is done", function()
    for _, method in ipairs(METHODS) do
      local finder = rooms(47):finder()
      local job = finder:baking { method = method, bytes = PLENTY }
      assert.equal("running", job.status)
      assert.is_nil(job.result)
      assert.equal("running", job:step())
      assert.equal("jps", finder:find_path(1, 1, 47, 47).algorithm)
      while job:step { expansions = 7 } == "running" do end
      assert.equal("done", job.status)
      assert.equal(method, job.result.method)
      assert.equal(method, finder:find_path(1, 1, 47, 47).algorithm)
      assert.equal("done", job:step { ms = 60000 })
      job:close()
    end
  end)

  it("can run as a job in a queue among requests", function()
    local finder, queue, told = rooms(47):finder(), astar.queue(), nil
    queue:add(finder:baking { method = "labels" }, { done = function(job) told = job.result.method end })
    local ticket = queue:request(finder, 1, 1, 47, 47)
    while queue:update { expansions = 50 } > 0 do end
    assert.equal("labels", told)
    assert.equal("found", ticket.status)
    assert.equal("labels", finder:find_path(1, 1, 47, 47).algorithm)
  end)

  it("gives data about the map as it was when the baking job began", function()
    for steps = 1, 60, 7 do
      local grid = rooms(47)
      local finder, plain = grid:finder(), grid:finder { algorithm = "astar" }
      local job = finder:baking()
      job:step { expansions = steps }
      grid:set(8, 8, ".")
      grid:block(30, 12)
      while job:step { expansions = 20 } == "running" do end
      compare(random.new(steps), grid, finder, plain, 20, "edited after " .. steps)
    end
  end)

  it("rebuilds what an edit made invalid, in the order of the last baking", function()
    local grid, finder = baked_rooms "labels"
    local plain = grid:finder { algorithm = "astar" }
    grid:set(8, 1, ".")
    grid:set(16, 30, ".")
    local again = finder:bake { method = "labels", bytes = PLENTY }
    assert.is_true(again:is_current())
    assert.equal("labels", finder:find_path(1, 1, 47, 47).algorithm)
    compare(random.new(9), grid, finder, plain, 60, "baked again")
  end)

  it("stays within its limit of bytes: it stores labels, else a hierarchy, else nothing", function()
    local grid = astar.grid(random.new(3):scatter(90, 90, 0.34))
    local finder = grid:finder()
    local labels = finder:bake { bytes = PLENTY }
    assert.equal("labels", labels.method)
    local bare = finder:bake { bytes = labels.bytes - 1 } -- what each cell sees is looked for by questions
    assert.equal("labels", bare.method)
    assert.is_true(bare.bytes < labels.bytes)
    assert.is_true(compare(random.new(5), grid, finder, grid:finder { algorithm = "astar" }, 100, "bare") > 10)
    local less = finder:bake { bytes = bare.bytes - 1 }
    assert.equal("hierarchy", less.method)
    assert.is_true(less.bytes < bare.bytes)
    assert.equal("none", finder:bake({ bytes = 1 }).method)
    assert.equal("none", finder:bake({ method = "labels", bytes = 1 }).method)
    assert.equal("none", finder:bake({ method = "hierarchy", bytes = 1 }).method)
    assert.equal("none", astar.grid(40, 40):finder():bake().method)
  end)

  it("stores landmarks or nothing, by the map's corners, if labels and a hierarchy would save too little", function()
    local finder = astar.grid(random.new(4):scatter(256, 256, 0.1)):finder()
    local function steps(method)
      local job, count = finder:baking { method = method }, 0
      repeat count = count + 1 until job:step { expansions = 50 } == "done"
      return count, job.result.method
    end
    local of_labels, labels = steps "labels"
    local of_all, auto = steps "auto"
    assert.equal("none", labels)
    assert.is_true(auto == "landmarks" or auto == "none")
    assert.is_true(of_all < of_labels / 2, ("%d steps of %d"):format(of_all, of_labels))
  end)

  it("frees the memory of baked data when other data is baked", function()
    local _, finder, baked = baked_rooms "labels"
    finder:bake { pivots = 4 }
    assert.is_false(baked:is_current())
    assert.not_equal("labels", finder:find_path(1, 1, 47, 47).algorithm)
    assert.equal("labels", baked.method)
    assert.equal("labels", finder:load_baked(baked:save()).method)
  end)

  it("bakes nothing for a diagonal_cost of 2 if diagonal steps may cut corners", function()
    local function method(rule)
      return rooms(23):finder({ diagonals = rule, diagonal_cost = 2 }):bake({ method = "labels" }).method
    end
    assert.equal("none", method "always")
    assert.equal("none", method "if_at_most_one_obstacle")
    assert.equal("labels", method "only_when_no_obstacles")
  end)

  it("bakes nothing for a finder that cannot use jump point search", function()
    local rough = astar.grid("..,..", { terrain = { ["."] = 1, [","] = 2 } })
    assert.equal("none", rough:finder():bake({ method = "labels" }).method)
    assert.equal("none", rooms(23):finder({ heuristic = "zero" }):bake({ method = "hierarchy" }).method)
  end)

  it("gives searches in steps the same results, with edits between the steps", function()
    for _, method in ipairs(METHODS) do
      local grid, finder = baked_rooms(method)
      local plain = grid:finder { algorithm = "astar" }
      local search = finder:search(1, 1, 47, 47)
      grid:block(20, 3)
      while search:step(5) == "running" do end
      check.equal_cost(plain:find_path(1, 1, 47, 47).cost, search:path().cost)
      local other = finder:search(2, 2, 46, 46)
      while other:step(1) == "running" do end
      assert.equal("found", other.status)
      for _ in other:cells() do error "nothing was expanded" end
    end
  end)
end)

-- ---- altered data ----

describe("altered baked data", function()
  local FIRST_SEED = tonumber(os.getenv "ASTAR_SEED") or 1
  local TIMES = times("ASTAR_MAPS", 600)

  for _, method in ipairs(METHODS) do
    it("raise an error when loaded or still give right routes, for the method " .. method, function()
      local grid = rooms(31)
      local finder = grid:finder()
      local body = finder:bake({ method = method, bytes = PLENTY }):save():sub(1, -9)
      local accepted = 0
      for seed = FIRST_SEED, FIRST_SEED + TIMES - 1 do
        local r = random.new(seed)
        local altered = seed % 3 == 0 and body .. "12345678" or forge.dump(alter.text(r, body))
        local ok, loaded = pcall(finder.load_baked, finder, altered)
        if not ok then
          assert.matches("baked", loaded)
        else
          accepted = accepted + 1
          for _ = 1, 4 do
            local sx, sy = anywhere(r, grid)
            local path = finder:find_path(sx, sy, anywhere(r, grid))
            assert.is_true(not path or path:is_valid(), "seed " .. seed)
          end
        end
      end
      assert.is_true(accepted < TIMES / 2)
    end)
  end

  it("raise an error when loaded if the end, the beginning or all of the data is missing", function()
    local grid, finder, baked = baked_rooms "labels"
    local saved = baked:save()
    for _, text in ipairs { "", "astar baked 2\n", saved:sub(2), saved:sub(1, -2), saved .. "x", grid:dump() } do
      assert.has_error(function() finder:load_baked(text) end, "not baked data, or damaged")
    end
  end)
end)
