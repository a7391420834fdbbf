-- Landmarks saved and loaded, held against plain A*: routes stay the best whatever the bytes are.

local alter = require "spec.support.alter"
local astar = require "astar"
local check = require "spec.support.check"
local forge = require "spec.support.forge"
local random = require "spec.support.random"
local times = require "spec.support.times"

local TERRAIN = { ["."] = 1, [","] = 2, ["~"] = 4.5, ["#"] = false }

-- The same where the dearest ground costs so many times what the cheapest does.
local function steep(r, ratio)
  local least = r:pick { 0.001, 1e6 / ratio, 1e6 / ratio }
  return { ["."] = least, [","] = least * math.sqrt(ratio), ["~"] = least * ratio, ["#"] = false }
end

-- Scattered blocks in a frame of open ground.
local function tangled(r, width, height, kind, terrain)
  local grid = astar.grid(width, height, { fill = ".", terrain = terrain or TERRAIN })
  for y = 2, height - 1 do
    for x = 2, width - 1 do
      if r:chance(0.35) then
        grid:set(x, y, "#")
      elseif kind ~= "even" and r:chance(0.4) then
        grid:set(x, y, r:pick { ",", "~" })
      end
    end
  end
  if kind == "joined" then
    for _ = 1, 3 do
      grid:link(r:int(1, width), 1, r:int(1, width), height, { cost = r:int(0, 9), one_way = r:chance(0.5) })
      local x = r:int(1, width - 1)
      grid:wall(x, r:int(1, height), r:pick { "north", "east" }, r:chance(0.5))
    end
  end
  return grid
end

-- Routes of a finder cost what those by plain A* do.
local function compare(r, grid, finder, options, count, label)
  local plain = { algorithm = "astar" }
  for name, value in pairs(options) do plain[name] = value end
  plain = grid:finder(plain)
  local width, height = grid:size()
  for _ = 1, count do
    local sx, sy, gx, gy = r:int(1, width), r:int(1, height), r:int(1, width), r:int(1, height)
    local path, why = finder:find_path(sx, sy, gx, gy)
    local expected, reason = plain:find_path(sx, sy, gx, gy)
    local where = ("%s, (%d, %d) to (%d, %d)"):format(label, sx, sy, gx, gy)
    assert.equal(reason, why, where)
    if path then check.equal_cost(expected.cost, path.cost, where) end
  end
end

local function edit(r, grid)
  local width, height = grid:size()
  for _ = 1, 4 do
    grid:set(r:int(1, width), r:int(1, height), r:pick { "#", ".", "~" })
  end
end

-- A finder with landmarks: some maps gain nothing by them.
local function baked_map(seed, kind, options, ratio)
  for again = 0, 20 do
    local r = random.new(seed + 1000 * again)
    local terrain = ratio and steep(r, ratio)
    local grid = tangled(r, r:int(12, 30), r:int(12, 30), kind, terrain)
    local finder = grid:finder(options)
    local baked = finder:bake { method = "landmarks" }
    if baked.method == "landmarks" then return r, grid, finder, baked end
  end
  error "no map gains by landmarks"
end

describe("saved landmarks", function()
  for _, kind in ipairs { "even", "rough", "joined" } do
    it("give the same estimates as the landmarks that were saved, over ground that is " .. kind, function()
      for seed = 1, 12 do
        local options = { diagonals = check.RULES[seed % 4 + 1], diagonal_cost = seed % 3 == 0 and 1.5 or nil }
        local r, grid, finder, baked = baked_map(seed, kind, options)
        local label = ("seed %d, %s"):format(seed, kind)
        local saved = baked:save()
        local fresh = astar.load(grid:dump()):finder(options)
        local loaded = fresh:load_baked(saved)
        assert.same({ baked.method, baked.bytes, baked.gain, baked.pivots },
          { loaded.method, loaded.bytes, loaded.gain, loaded.pivots }, label)
        assert.equal(saved, loaded:save(), label)
        assert.is_true(loaded:is_current(), label)
        local settling = fresh:preparing { settled = true } -- as baking does
        while settling:step(10000) == "running" do end
        local width, height = grid:size()
        for _ = 1, 20 do
          local sx, sy, gx, gy = r:int(1, width), r:int(1, height), r:int(1, width), r:int(1, height)
          local path, same = finder:find_path(sx, sy, gx, gy), fresh:find_path(sx, sy, gx, gy)
          assert.same(path and { path.expanded, path.cost, path:cells_flat() },
            same and { same.expanded, same.cost, same:cells_flat() }, label)
        end
      end
    end)

    it("are repaired after edits of the map before and after loading, over ground that is " .. kind, function()
      for seed = 1, 12 do
        local options = { diagonals = check.RULES[seed % 4 + 1], size = seed % 3 + 1 }
        if kind == "joined" then options.size = nil end
        local ok, r, grid, _, baked = pcall(baked_map, seed, kind, options)
        if ok then
          local label = ("seed %d, %s"):format(seed, kind)
          edit(r, grid)
          local could, saved = pcall(baked.save, baked)
          local other = grid:finder(options)
          if could then
            other:load_baked(saved)
            compare(r, grid, other, options, 25, label)
            edit(r, grid)
            compare(r, grid, other, options, 25, label .. ", edited again")
          else
            assert.matches("^these landmarks are no longer valid", saved)
          end
        end
      end
    end)
  end

  it("are accepted by the map that was baked, however much its terrain costs differ", function()
    for seed = 1, 40 do
      local kind, ratio = seed % 2 == 0 and "rough" or "joined", 10 ^ (seed % 10)
      local options = { diagonals = check.RULES[seed % 4 + 1], size = kind == "rough" and seed % 8 == 0 and 2 or nil }
      local r, grid, finder, baked = baked_map(seed, kind, options, ratio)
      local label = ("seed %d, %s, dearest %g times the cheapest"):format(seed, kind, ratio)
      local saved = baked:save()
      local fresh = astar.load(grid:dump()):finder(options)
      for _, each in ipairs { finder, fresh } do
        local ok, loaded = pcall(each.load_baked, each, saved)
        assert.is_true(ok, label .. ": " .. tostring(loaded))
        assert.equal(saved, loaded:save(), label)
        compare(r, grid, each, options, 20, label)
      end
    end
  end)

  it("are refused by another map, corner rule, size or diagonal cost, or if a step has become cheaper", function()
    local _, grid, _, baked = baked_map(3, "rough", {})
    local saved = baked:save()
    local function refusal(map, options)
      local finder = map:finder(options)
      return select(2, pcall(finder.load_baked, finder, saved))
    end
    assert.matches("baked for another rule of diagonals", refusal(grid, { diagonals = "never" }))
    assert.matches("baked for another size", refusal(grid, { size = 2 }))
    assert.matches("baked for another diagonal_cost", refusal(grid, { diagonal_cost = 1.5 }))
    assert.matches("baked for another map", refusal(astar.grid(5, 5)))
    assert.matches("baked for other costs", refusal(grid, { costs = { ["."] = 0.5 } }))
    assert.matches("baked for other costs", refusal(grid, { costs = { [","] = 1, ["~"] = 1 } }))
    assert.matches("nothing can be baked for this finder", refusal(grid, { range = 2 }))
    grid:link(1, 1, 1, select(2, grid:size()), { cost = 0 })
    assert.matches("baked for other costs, links or walls", refusal(grid, {}))
  end)

  it("stay valid for terrain that became more expensive", function()
    for seed = 1, 6 do
      local r, grid, _, baked = baked_map(seed, "rough", {})
      local options = { costs = { ["~"] = 9, [","] = 2.5 } }
      local finder = grid:finder(options)
      assert.equal("landmarks", finder:load_baked(baked:save()).method)
      compare(r, grid, finder, options, 20, "seed " .. seed)
    end
  end)

  it("cannot be saved once an edit made them invalid or other data was baked", function()
    local _, grid, finder, baked = baked_map(1, "even", {})
    finder:bake { pivots = 0 }
    assert.is_false(baked:is_current())
    assert.has_error(function() baked:save() end, "these landmarks are no longer valid: bake again")
    local again = finder:bake { method = "landmarks" }
    assert.equal("landmarks", again.method)
    local width, height = grid:size()
    grid:fill(1, 1, width, height, "~")
    grid:fill(1, 1, width, height, ".")
    if not again:is_current() then
      assert.has_error(function() again:save() end, "these landmarks are no longer valid: bake again")
    end
  end)

  it("never make a route more expensive, whatever bytes the file of landmarks has", function()
    local FIRST_SEED = tonumber(os.getenv "ASTAR_SEED") or 1
    local TIMES = times("ASTAR_MAPS", 300)
    for _, kind in ipairs { "even", "joined", "steep" } do
      local _, grid, finder, baked = baked_map(2, kind, {}, kind == "steep" and 1e7)
      local body, accepted = forge.body(baked:save()), 0
      for seed = FIRST_SEED, FIRST_SEED + TIMES - 1 do
        local r = random.new(seed)
        local ok, loaded = pcall(finder.load_baked, finder, forge.dump(alter.text(r, body)))
        if ok then
          accepted = accepted + 1
          compare(r, grid, finder, {}, 4, ("%s, seed %d"):format(kind, seed))
        else
          assert.matches("baked", loaded)
        end
      end
      assert.is_true(accepted < TIMES / 2, kind .. " " .. accepted)
    end
  end)
end)
