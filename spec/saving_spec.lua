-- Saved games: fields, goals, towers, paths, schedules and timed paths are the same after they were dumped and loaded,
-- at random, and give the same results from then on. Any other string is an error or gives a valid object.

local alter = require "spec.support.alter"
local astar = require "astar"
local check = require "spec.support.check"
local forge = require "spec.support.forge"
local random = require "spec.support.random"
local savegame = require "astar.savegame"
local times = require "spec.support.times"

local SEEDS = times("SAVED_OBJECTS", 40)

local function values_of(field)
  local list = {}
  local x0, y0, x1, y1 = field:bounds()
  for y = y0, y1 do
    for x = x0, x1 do list[#list + 1] = field:get(x, y) end
  end
  return list
end

local function random_field(r)
  local width, height = r:int(3, 40), r:int(3, 30)
  local kind = r:pick { "square", "square", "odd_r", "even_r", "odd_q", "even_q", "wrap" }
  local options = { origin = { r:int(-50, 50), r:int(-50, 50) } }
  if kind == "wrap" then options.wrap = r:pick { "x", "y", "both" }
  elseif kind ~= "square" then options.shape, options.offset = "hex", kind end
  local field = astar.field(width, height, options)
  local x0, y0, x1, y1 = field:bounds()
  for _ = 1, r:int(0, 12) do
    local x, y, what = r:int(x0, x1), r:int(y0, y1), r:int(1, 6)
    if what == 1 then field:set(x, y, r:pick { 1e6, -1e6, 1e-30, -1e-40, 1 / 3, 0 })
    elseif what == 2 then field:fill(x, y, r:int(1, x1 - x + 1), r:int(1, y1 - y + 1), r:int(-5, 5))
    elseif what == 3 then field:stamp(x, y, r:int(0, 9), r:int(-90, 90) / 7)
    elseif what == 4 then field:scale(r:pick { -1, 0, 0.37 })
    elseif what == 5 then field:fill(r:pick { 0, 2.5 })
    else
      for cell = 1, width * height do
        if r:chance(0.5) then
          field:set(x0 + (cell - 1) % width, y0 + math.floor((cell - 1) / width), r:int(-1e6, 1e6) / 3)
        end
      end
    end
  end
  return field
end

local function is_valid_field(field)
  for _, value in ipairs(values_of(field)) do
    if not (value >= -1e6 and value <= 1e6) then return false end
  end
  return astar.load_field(field:dump()):dump() == field:dump()
end

describe("a field that was saved", function()
  it("has the same values, cells and shape", function()
    for seed = 1, SEEDS * 5 do
      local field = random_field(random.new(seed))
      local copy = astar.load_field(field:dump())
      assert.same({ field:bounds() }, { copy:bounds() })
      assert.same(values_of(field), values_of(copy))
      assert.equal(field:dump(), copy:dump())
      copy:add_field(field) -- an error for another shape
      local cells = 0
      for _ in field:cells() do cells = cells + 1 end
      for _ in astar.load_field(field:dump()):cells() do cells = cells - 1 end
      assert.equal(0, cells)
    end
  end)

  it("gives the same routes, and can be changed", function()
    for seed = 1, SEEDS do
      local r = random.new(seed)
      local grid = astar.grid(r:scatter(24, 18, 0.2))
      local field = astar.field(grid)
      for _ = 1, 5 do field:stamp(r:int(1, 24), r:int(1, 18), r:int(1, 6), r:int(1, 30)) end
      local copy = astar.load_field(field:dump())
      local finder, other = grid:finder { avoid = field }, grid:finder { avoid = copy }
      for _ = 1, 6 do
        local sx, sy, gx, gy = r:int(1, 24), r:int(1, 18), r:int(1, 24), r:int(1, 18)
        local path, again = finder:find_path(sx, sy, gx, gy), other:find_path(sx, sy, gx, gy)
        assert.equal(path and path.cost, again and again.cost)
        assert.same(path and path:cells_flat(), again and again:cells_flat())
        for _, each in ipairs { field, copy } do each:stamp(gx, gy, 2, 9) end
      end
      for _, each in ipairs { field, copy } do each:decay(0.5) each:fill(3, 3, 4, 4, 0) end
      assert.equal(field:dump(), copy:dump())
    end
  end)

  it("takes few bytes if it is mostly 0", function()
    local field = astar.field(1000, 1000)
    assert.is_true(#field:dump() < 60)
    field:set(500, 500, 3)
    assert.is_true(#field:dump() < 80)
  end)

  it("raises an error if its string is altered, cut off, foreign or of a later version", function()
    local REFUSED = "not a field's dump, or a damaged one"
    for seed = 1, SEEDS * 10 do
      local r = random.new(seed)
      local dump = random_field(r):dump()
      local altered = alter.text(r, dump)
      local field, problem = alter.outcome(astar.load_field, altered)
      assert(field and altered == dump or not field and problem:find(REFUSED, 1, true), problem)
      assert.equal(REFUSED, check.error_of(function() astar.load_field(dump:sub(1, r:int(0, #dump - 1))) end))
    end
    local later = forge.dump(forge.body((astar.field(3, 3):dump():gsub("field 1", "field 2"))))
    assert.equal(REFUSED, check.error_of(function() astar.load_field(later) end))
    assert.equal(REFUSED, check.error_of(function() astar.load_field(astar.grid(3, 3):dump()) end))
  end)

  it("raises an error or gives a valid field after any forgery", function()
    local loaded = 0
    for seed = 1, SEEDS * 20 do
      local r = random.new(seed)
      local body = alter.text(r, forge.body(random_field(r):dump()))
      local field, problem = alter.outcome(astar.load_field, forge.dump(body), { max_cells = 1e5 })
      assert(field or problem:find "^not a field's dump" or problem:find "max_cells, 100000$", problem)
      if field then
        loaded = loaded + 1
        assert.is_true(is_valid_field(field))
      end
    end
    assert.is_true(loaded > 0)
  end)
end)

describe("a set of goals that was saved", function()
  it("has the same goals with the same indices, and gives the same results", function()
    for seed = 1, SEEDS do
      local r = random.new(seed)
      local x0, y0 = r:int(-9, 9), r:int(-9, 9)
      local grid = astar.grid(r:scatter(20, 15, 0.2), { origin = { x0, y0 } })
      local goals = astar.goals(grid)
      for _ = 1, r:int(0, 30) do
        local x, y = r:int(x0, x0 + 19), r:int(y0, y0 + 14)
        if r:chance(0.3) then goals:remove(x, y) else goals:add(x, y) end
      end
      local other = astar.load(grid:dump())
      local copy = astar.load_goals(goals:dump(), other)
      assert.equal(goals:count(), copy:count())
      for i = 1, goals:count() do assert.same({ goals:cell(i) }, { copy:cell(i) }) end
      local x, y = r:int(x0, x0 + 19), r:int(y0, y0 + 14)
      if goals:count() > 0 then
        local path, index = grid:finder():find_nearest(x, y, goals)
        local again, number = other:finder():find_nearest(x, y, copy)
        assert.equal(index, number)
        assert.equal(path and path.cost, again and again.cost)
      end
      goals:add(x, y)
      copy:add(x, y)
      goals:remove(goals:cell(1))
      copy:remove(copy:cell(1))
      assert.equal(goals:dump(), copy:dump())
    end
  end)
end)

describe("a tower that was saved", function()
  local function random_tower(r)
    local levels = {}
    for z = 1, r:int(1, 4) do
      local width, height = r:int(2, 9), r:int(2, 7)
      levels[z] = r:pick { { width, height }, r:scatter(width, height, 0.2) }
      if r:chance(0.4) then
        local grid = astar.grid(r:scatter(width, height, 0.2), { origin = { r:int(-5, 5), r:int(-5, 5) } })
        local x0, y0, x1, y1 = grid:bounds()
        grid:link(x0, y0, x1, y1, { label = "inner", cost = 2, one_way = r:chance(0.5) })
        grid:wall(x0, y0, "east", r:chance(0.5))
        grid:restrict(x1, y0, { "west" })
        grid:block(x0, y1, 1, 1, r:pick { "", "doors" })
        levels[z] = grid
      end
    end
    local tower = astar.floors(levels, { gap = r:int(1, 3) })
    for _ = 1, r:int(0, 6) do
      local z, z2 = r:int(1, #levels), r:int(1, #levels)
      local width, height = tower:size(z)
      local width2, height2 = tower:size(z2)
      local x, y, x2, y2 = r:int(1, width), r:int(1, height), r:int(1, width2), r:int(1, height2)
      if z ~= z2 or x ~= x2 or y ~= y2 then tower:link(x, y, z, x2, y2, z2, { label = r:pick { "stairs", 7 } }) end
    end
    return tower, #levels, levels
  end

  it("has the same floors and links, and can be edited", function()
    for seed = 1, SEEDS do
      local r = random.new(seed)
      local tower, count = random_tower(r)
      local width, height = tower.grid:size()
      if r:chance(0.3) then tower.grid:unblock(1, 1, width, height) end -- the gaps, too
      local copy = astar.load_floors(tower:dump())
      for z = 1, count do
        assert.same({ tower:size(z) }, { copy:size(z) })
        assert.same({ tower:at(1, 1, z) }, { copy:at(1, 1, z) })
      end
      assert.same(tower.grid:links(), copy.grid:links())
      for _ = 1, 5 do
        local x, y, z = r:int(1, 2), r:int(1, 2), r:int(1, count)
        for _, each in ipairs { tower, copy } do
          if x ~= 1 then each:link(x, y, z, 1, 1, count, { cost = 3 }) end
          each.grid:block(each:at(y, x, z))
        end
        local gx, gy = tower:at(2, 2, r:int(1, count))
        local path, again = tower.grid:find_path(1, 1, gx, gy), copy.grid:find_path(1, 1, gx, gy)
        assert.equal(path and path.cost, again and again.cost)
      end
      assert.equal(tower:dump(), copy:dump())
      assert.is_false(pcall(copy.at, copy, 1, 1, count + 1))
    end
  end)

  it("keeps links, walls, restrictions and blocks of floors that are grids", function()
    for seed = 1, SEEDS do
      local tower, _, levels = random_tower(random.new(seed))
      for z, grid in ipairs(levels) do
        if type(grid) == "userdata" then
          local x0, y0, x1, y1 = grid:bounds()
          local dx, dy = tower:at(1, 1, z)
          dx, dy = dx - x0, dy - y0
          local finder, other = grid:finder(), tower.grid:finder()
          for y = y0, y1 do
            for x = x0, x1 do
              assert.equal(grid:get(x, y), tower.grid:get(x + dx, y + dy))
              assert.same(grid:block_layers(x, y), tower.grid:block_layers(x + dx, y + dy))
              assert.equal(grid:has_wall(x, y, "east"), tower.grid:has_wall(x + dx, y + dy, "east"))
            end
          end
          for _, link in ipairs(grid:links()) do
            local is_there = false
            for _, each in ipairs(tower.grid:links()) do
              is_there = is_there or each.x0 == link.x0 + dx and each.y0 == link.y0 + dy and each.x1 == link.x1 + dx
                and each.y1 == link.y1 + dy
            end
            assert.is_true(is_there)
          end
          local path = finder:find_path(x0, y0, x1, y1)
          local again = other:find_path(x0 + dx, y0 + dy, x1 + dx, y1 + dy)
          assert.is_true(not path or again ~= nil and again.cost <= path.cost + 1e-9)
        end
      end
    end
  end)

  it("needs the option terrain if a kind of ground has several costs", function()
    local first, second = astar.grid("..", { terrain = { ["."] = 1 } }), astar.grid("..", { terrain = { ["."] = 2 } })
    assert.equal('floor 2: the ground "." costs 2, and 1 on a floor below: give its cost in the option terrain',
      check.error_of(function() astar.floors { first, second } end))
    assert.equal(3, astar.floors({ first, second }, { terrain = { ["."] = 3 } }).grid:terrain ".")
  end)
end)

describe("a path that was saved", function()
  it("has the same cells, cost and options", function()
    for seed = 1, SEEDS do
      local r = random.new(seed)
      local grid = astar.grid(r:scatter(30, 20, 0.2))
      local options = { any_angle = r:chance(0.3) or nil, diagonals = r:pick(check.RULES) }
      local path = grid:finder(options):find_path(r:int(1, 30), r:int(1, 20), r:int(1, 30), r:int(1, 20))
      if path then
        local other = astar.load(grid:dump())
        local copy = astar.load_path(path:dump(), other:finder(options))
        assert.same(path:cells_flat(), copy:cells_flat())
        assert.same({ path.cost, path.length, path.partial }, { copy.cost, copy.length, copy.partial })
        assert.is_true(copy:is_valid())
        other:block(copy:cell(#copy))
        assert.equal(#copy == 1, copy:is_valid())
      end
    end
  end)
end)

describe("a schedule that was saved", function()
  local function random_schedule(r, grid)
    local schedule, finder, paths = astar.schedule(grid), grid:finder { diagonals = r:pick(check.RULES) }, {}
    for _ = 1, r:int(0, 8) do
      local x, y = r:int(1, 12), r:int(1, 8)
      if r:chance(0.3) then
        local from = r:int(0, 9)
        local is_open = r:chance(0.3)
        schedule:reserve_cell(x, y, { from = from, to = from + r:int(1, 4), every = not is_open and 20 or nil,
          times = not is_open and r:int(1, 3) or nil, open = is_open or nil })
      else
        local timed = schedule:find_path(finder, x, y, r:int(1, 12), r:int(1, 8), { at = r:int(0, 5) / 3,
          speed = r:pick { 1, 2, 1 / 3 }, stay = r:pick { true, false, 4 }, length = r:pick { 1, 1, 3 },
          max_expansions = 2000 })
        if timed then
          paths[#paths + 1] = timed
          schedule:reserve(timed, { force = r:chance(0.2) })
        end
      end
    end
    if r:chance(0.3) then schedule:forget(r:int(1, 6)) end
    return schedule, finder, paths
  end

  it("has the same reservations, and gives the same routes in time", function()
    for seed = 1, SEEDS do
      local r = random.new(seed)
      local grid = astar.grid(r:scatter(12, 8, 0.1))
      local schedule, finder, paths = random_schedule(r, grid)
      local other = astar.load(grid:dump())
      local copy = astar.load_schedule(schedule:dump(), other)
      local same_finder = other:finder(finder:options())
      assert.equal(schedule:dump(), copy:dump())
      for _ = 1, 40 do
        local x, y, time = r:int(1, 12), r:int(1, 8), r:int(0, 60) / 2
        assert.equal(schedule:taken_by(x, y, time), copy:taken_by(x, y, time))
      end
      for _, timed in ipairs(paths) do
        local again = copy:load_path(timed:dump(), same_finder)
        assert.same(timed:totable(), again:totable())
        for time = 0, 30 do assert.same({ timed:place(time / 2) }, { again:place(time / 2) }) end
        assert.same({ schedule:reserve(timed) }, { copy:reserve(again) })
      end
      local x, y, gx, gy = r:int(1, 12), r:int(1, 8), r:int(1, 12), r:int(1, 8)
      local route = schedule:find_path(finder, x, y, gx, gy, { at = 3 })
      local same = copy:find_path(same_finder, x, y, gx, gy, { at = 3 })
      assert.equal(route and route.arrival, same and same.arrival)
      local id = schedule:reserve_cell(1, 1, { from = 100, to = 101 })
      assert.equal(id, copy:reserve_cell(1, 1, { from = 100, to = 101 }))
      for each = 1, id do assert.equal(schedule:release(each), copy:release(each)) end
      assert.equal(schedule:dump(), copy:dump())
    end
  end)

  -- Replaces values of a list that was saved, and gives it the right hash.
  local function forged(r, kind, text)
    local list, count = savegame.unseal(kind, text)
    for _ = 1, r:int(1, 3) do
      local at = r:int(1, math.max(1, count))
      list[at] = r:pick { -1, 0, 1, 2, 7.5, 1e9, 2 ^ 53, math.huge, -math.huge, 0 / 0, true, "x", false, 3 }
    end
    if r:chance(0.1) then count = r:int(0, count + 2) end
    return savegame.seal(kind, list, count)
  end

  it("raises an error or gives a valid object after any forgery, as goals, towers and timed paths do", function()
    local loaded = 0
    for seed = 1, SEEDS * 10 do
      local r = random.new(seed)
      local grid = astar.grid(12, 8)
      local schedule, finder, paths = random_schedule(r, grid)
      local goals = astar.goals(grid, { { 1, 2 }, { 3, 4 } })
      local ok, copy = pcall(astar.load_schedule, forged(r, "schedule", schedule:dump()), grid)
      if ok then
        loaded = loaded + 1
        copy:find_path(finder, 1, 1, 9, 6, { max_expansions = 500 })
        copy:reserve_cell(2, 2)
        copy:release(1 + 0)
        assert.equal(copy:dump(), astar.load_schedule(copy:dump(), grid):dump())
      end
      ok, copy = pcall(astar.load_goals, forged(r, "goal set", goals:dump()), grid)
      if ok then grid:finder():find_nearest(5, 5, copy, { partial = true }) end
      ok, copy = pcall(astar.load_floors, forged(r, "tower", astar.floors({ "..\n..", { 3, 3 } }):dump()))
      if ok then assert.is_true(copy:at(1, 1, 1) >= 1) end
      if paths[1] then
        ok, copy = pcall(schedule.load_path, schedule, forged(r, "timed path", paths[1]:dump()), finder)
        if ok then
          loaded = loaded + 1
          copy:place(copy.at)
          copy:totable()
          schedule:reserve(copy, { force = true })
          assert.equal(copy:dump(), schedule:load_path(copy:dump(), finder):dump())
        end
      end
    end
    assert.is_true(loaded > 10)
  end)

  it("raises an error if any byte of a string is altered", function()
    local grid = astar.grid(6, 6)
    local schedule, finder = astar.schedule(grid), grid:finder()
    local timed = schedule:find_path(finder, 1, 1, 4, 3)
    schedule:reserve(timed)
    local dumps = {
      [schedule:dump()] = function(text) return astar.load_schedule(text, grid) end,
      [timed:dump()] = function(text) return schedule:load_path(text, finder) end,
      [astar.goals(grid, { { 1, 1 } }):dump()] = function(text) return astar.load_goals(text, grid) end,
      [astar.floors({ "..", ".." }):dump()] = astar.load_floors,
      [grid:find_path(1, 1, 4, 3):dump()] = function(text) return astar.load_path(text, finder) end,
    }
    for dump, load in pairs(dumps) do
      for at = 1, #dump do
        local altered = dump:sub(1, at - 1) .. string.char((dump:byte(at) + 1) % 256) .. dump:sub(at + 1)
        assert.is_false((pcall(load, altered)))
        assert.is_false((pcall(load, dump:sub(1, at - 1))))
      end
      assert.is_not_nil(load(dump))
    end
  end)
end)
