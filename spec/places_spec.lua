-- Several places: matrices against a question a pair, tours against all orders.

local astar = require "astar"
local random = require "spec.support.random"

local huge = math.huge

local function draw_finder(numbers)
  local width, height = numbers:int(6, 30), numbers:int(6, 20)
  local origin = { numbers:int(-9, 9), numbers:int(-9, 9) }
  local is_hex = numbers:chance(0.2)
  local grid = astar.grid(numbers:scatter(width, height, numbers:pick { 0, 0.1, 0.3 }), {
    origin = origin, shape = is_hex and "hex" or nil, offset = is_hex and "odd_r" or nil,
    terrain = { ["."] = 1, ["#"] = false, r = 0.5, s = 4 },
  })
  local function draw() return { origin[1] + numbers:int(0, width - 1), origin[2] + numbers:int(0, height - 1) } end
  for _ = 1, numbers:int(0, 20) do
    local cell = draw()
    if numbers:chance(0.5) then
      grid:set(cell[1], cell[2], numbers:pick { "r", "s" })
    elseif numbers:chance(0.5) then
      grid:block(cell[1], cell[2])
    else
      local other = draw()
      if other[1] ~= cell[1] or other[2] ~= cell[2] then
        grid:link(cell[1], cell[2], other[1], other[2], { one_way = true, cost = 2 })
      end
    end
  end
  local kind = numbers:int(1, 6)
  local finder = grid:finder {
    size = not is_hex and numbers:pick { 1, 1, 2 } or nil, max_cost = numbers:chance(0.2) and 12 or nil,
    range = kind == 1 and 1 or nil, bend_cost = kind == 2 and 0.5 or nil, weight = kind == 3 and 2 or nil,
    cost = kind == 4 and function(x, _, _, cost) return cost + x % 2 end or nil,
  }
  if numbers:chance(0.2) and kind == 5 and not is_hex then finder:bake { method = "labels" } end
  return finder, draw, grid
end

local function draw_places(numbers, draw, most)
  local places = {}
  for i = 1, numbers:int(1, most) do
    local cell = draw()
    places[i] = numbers:chance(0.5) and cell or { x = cell[1], y = cell[2] }
  end
  return places
end

-- All orders, one after the other.
local function each_order(count, visit)
  local order, is_taken = {}, {}
  local function go(at)
    if at > count then return visit(order) end
    for i = 1, count do
      if not is_taken[i] then
        order[at], is_taken[i] = i, true
        go(at + 1)
        is_taken[i] = false
      end
    end
  end
  go(1)
end

local function near(a, b) return a == b or math.abs(a - b) < 1e-6 * math.max(1, math.abs(a)) end

describe("finder:matrix", function()
  it("returns the costs that find_path returns, for each pair of places", function()
    local found, none = 0, 0
    for seed = 1, 200 do
      local numbers = random.new(seed)
      local finder, draw = draw_finder(numbers)
      local from, to = draw_places(numbers, draw, 9), numbers:chance(0.5) and draw_places(numbers, draw, 5) or nil
      local rows = finder:matrix(from, to)
      assert.equal(#from, #rows)
      for i, a in ipairs(from) do
        assert.equal(#(to or from), #rows[i])
        for j, b in ipairs(to or from) do
          local path = finder:find_path(a.x or a[1], a.y or a[2], b.x or b[1], b.y or b[2], { weight = 1 })
          local cost = path and path.cost or huge
          found, none = found + (path and 1 or 0), none + (path and 0 or 1)
          assert(near(cost, rows[i][j]), ("seed %d, %d to %d: %g, not %g"):format(seed, i, j, rows[i][j], cost))
        end
      end
    end
    assert(found > 1000 and none > 1000, found .. ", " .. none)
  end)

  it("accepts nodes of a graph, whatever the directions of its edges", function()
    local graph = astar.graph()
    for _, key in ipairs { "a", "b", "c" } do graph:node(key) end
    graph:edge("a", "b", { cost = 2, one_way = true })
    graph:edge("b", "c", { cost = 3 })
    assert.same({ { 0, 2, 5 }, { huge, 0, 3 }, { huge, 3, 0 } }, graph:finder():matrix { "a", "b", "c" })
    assert.same({ { "a" }, { 2, 1, 3 } }, { { "a" }, (graph:finder():tour({ "b", "a", "c" })) })
  end)

  it("returns an empty matrix for empty lists", function()
    local finder = astar.grid(3, 3):finder()
    assert.same({}, finder:matrix {})
    assert.same({ {} }, finder:matrix({ { 1, 1 } }, {}))
  end)
end)

describe("finder:tour", function()
  -- What an order costs, by a matrix of all places, that it begins at and ends at.
  local function cost_of(order, costs, from, back)
    local cost, at = 0, from
    for _, place in ipairs(order) do
      cost = cost + (at and costs[at][place] or 0)
      at = place
    end
    return cost + (back and costs[at][back == true and (from or order[1]) or back] or 0)
  end

  it("returns the cheapest of all orders, with and without fixed ends", function()
    local found, none = 0, 0
    for seed = 1, 200 do
      local numbers = random.new(seed)
      local finder, draw = draw_finder(numbers)
      local places = draw_places(numbers, draw, 6)
      local count = #places
      local options, all = {}, {}
      for i, place in ipairs(places) do all[i] = place end
      local from, back
      if numbers:chance(0.5) then
        options.from = draw()
        all[#all + 1], from = options.from, #all + 1
      end
      if numbers:chance(0.3) then
        options.back, back = true, true
      elseif numbers:chance(0.4) then
        options.back = draw()
        all[#all + 1], back = options.back, #all + 1
      end
      local order, cost, exact, bound = finder:tour(places, options)
      local costs, least = finder:matrix(all), huge
      each_order(count, function(each) least = math.min(least, cost_of(each, costs, from, back)) end)
      if order then
        found = found + 1
        assert(near(least, cost) and near(cost, cost_of(order, costs, from, back)), ("seed %d: %g, not %g"):format(seed,
          cost, least))
        assert(exact and bound == cost and #order == count)
      else
        none = none + 1
        assert.same({ "unreachable", huge }, { cost, least })
      end
    end
    assert(found > 50 and none > 20, found .. ", " .. none)
  end)

  it("returns a good tour of many places, within the bound that it reports", function()
    local tours = require "astar.time.tours"
    for seed = 1, 10 do
      local numbers = random.new(seed)
      local count, places, rows, first, last = 13 + seed % 8, {}, {}, {}, {}
      local skew = numbers:pick { 0, 0, 0.3 } -- dearer one way
      for i = 1, count + 1 do places[i] = { numbers:int(1, 100), numbers:int(1, 100) } end
      local function cost(a, b)
        local dx, dy = b[1] - a[1], b[2] - a[2]
        return math.sqrt(dx * dx + dy * dy) * (1 + (dx > 0 and skew or 0))
      end
      for i = 1, count do
        rows[i], first[i] = {}, cost(places[count + 1], places[i])
        last[i] = seed % 2 == 0 and cost(places[i], places[count + 1]) or 0
        for j = 1, count do rows[i][j] = cost(places[i], places[j]) end
      end
      local order, found, exact, bound = tours.best(rows, first, last)
      local sum, is_there = first[order[1]] + last[order[count]], {}
      for i, place in ipairs(order) do
        is_there[place] = true
        sum = sum + (i > 1 and rows[order[i - 1]][place] or 0)
      end
      for i = 1, count do assert(is_there[i]) end
      assert(near(sum, found) and bound <= found and bound > found * (skew > 0 and 0.7 or 0.97), seed)
      assert.equal(exact, bound == found)
      -- a part of it, between two places, is the best order of those, too
      local part, ends, starts, own = {}, {}, {}, {}
      for i = 1, 7 do
        starts[i], ends[i], own[i] = rows[order[2]][order[2 + i]], rows[order[2 + i]][order[10]], {}
        for j = 1, 7 do own[i][j] = rows[order[2 + i]][order[2 + j]] end
        part[i] = order[2 + i]
      end
      local least = select(2, tours.best(own, starts, ends))
      local as_it_is = rows[order[2]][part[1]] + rows[part[7]][order[10]]
      for i = 2, 7 do as_it_is = as_it_is + rows[part[i - 1]][part[i]] end
      assert(as_it_is <= least * 1.1, ("seed %d: %g, not %g"):format(seed, as_it_is, least))
    end
  end)

  it("terminates if many pairs of places have no route", function()
    local tours = require "astar.time.tours"
    local had_jit = jit and jit.status()
    if jit then jit.off() end -- else it counts nothing
    debug.sethook(function() error "it does not end" end, "", 3e8)
    for seed = 1, 8 do
      local draw, places, rows, first, last = random.new(seed), {}, {}, {}, {}
      local count = 13 + seed % 8
      for i = 0, count do places[i] = { draw:int(1, 100000) / 1000, draw:int(1, 100000) / 1000 } end
      local function cost(a, b)
        local dx, dy = places[b][1] - places[a][1], places[b][2] - places[a][2]
        return draw:int(1, 10) <= 3 and math.huge or math.sqrt(dx * dx + dy * dy)
      end
      for i = 1, count do
        rows[i], first[i], last[i] = {}, cost(0, i), 0
        for j = 1, count do rows[i][j] = i == j and 0 or cost(i, j) end
      end
      local order, found = tours.best(rows, first, last)
      local sum = first[order[1]]
      for i = 2, count do sum = sum + rows[order[i - 1]][order[i]] end
      assert.is_true(near(sum, found) and found < math.huge, seed)
    end
    debug.sethook()
    if had_jit then jit.on() end
  end)

  it("follows one-way links between many places if they are the only route", function()
    local grid = astar.grid(40, 1)
    for x = 2, 40, 2 do grid:block(x, 1) end
    for x = 1, 37, 2 do grid:link(x, 1, x + 2, 1, { one_way = true }) end
    local places = {}
    for i = 1, 20 do places[i] = { (7 * i % 20) * 2 + 1, 1 } end
    local order, cost = grid:finder():tour(places)
    assert.equal(38, cost * 2)
    for i, place in ipairs(order) do assert.equal(2 * i - 1, places[place][1]) end
    assert.same({ nil, "unreachable" }, { grid:finder():tour(places, { back = true }) })
  end)

  it("raises errors that name wrong arguments", function()
    local finder = astar.grid(3, 3):finder()
    for message, misuse in pairs {
      ["places must be a list of places, got nil"] = function() finder:tour() end,
      ["places[2]: sx must be an integer from 1 to 3, got 9"] = function() finder:tour { { 1, 1 }, { 9, 1 } } end,
      ["places[1] must be a cell, got 3"] = function() finder:matrix { 3 } end,
      ['unknown option "form" (did you mean "from"?)'] = function() finder:tour({ { 1, 1 } }, { form = { 1, 1 } }) end,
      ["options must be a table, got 3"] = function() finder:tour({ { 1, 1 } }, 3) end,
      ["from must be a cell, got 3"] = function() finder:tour({ { 1, 1 } }, { from = 3 }) end,
    } do
      local ok, problem = pcall(misuse)
      assert(not ok and problem:find(message, 1, true), problem)
      assert(problem:find("places_spec", 1, true), problem)
    end
  end)
end)

describe("finder:intercept", function()
  -- By time: the first moment at which who is hunted is on a cell that the hunter can have come to, or waits at its
  -- end.
  local function first_meeting(finder, x, y, path, index, speed, its_speed)
    local time = 0
    for i = index, #path do
      local cx, cy = path:cell(i)
      if i > index then
        local bx, by = path:cell(i - 1)
        time = time + math.sqrt((cx - bx) ^ 2 + (cy - by) ^ 2) / its_speed
      end
      local own = finder:find_path(x, y, cx, cy)
      if own and own.cost / speed <= time + 1e-9 then return time, i end
      if own and i == #path then return own.cost / speed, i end
    end
  end

  it("returns the earliest meeting, whichever of the two is faster", function()
    local met, caught, none = 0, 0, 0
    for seed = 1, 400 do
      local numbers = random.new(seed)
      local grid = astar.grid(numbers:scatter(20, 14, numbers:pick { 0, 0.2, 0.35 }))
      local finder = grid:finder { size = numbers:pick { 1, 1, 2 } }
      local function draw() return numbers:int(1, 20), numbers:int(1, 14) end
      local x, y = draw()
      local ax, ay = draw()
      local path = grid:find_path(ax, ay, draw())
      if path then
        local speed, its_speed, index = numbers:int(1, 20) / 5, numbers:int(1, 20) / 5, numbers:int(1, #path)
        local own, seconds, at = finder:intercept(x, y, path, { speed = speed, its_speed = its_speed, index = index })
        local time, expected = first_meeting(finder, x, y, path, index, speed, its_speed)
        if own then
          assert.equal(expected, at, seed)
          assert(near(time, seconds), seed)
          assert.same({ path:cell(at) }, { own:cell(#own) })
          met, caught = met + 1, caught + (at < #path and 1 or 0)
        else
          assert.is_nil(time, seed)
          none = none + 1
        end
      end
    end
    assert(met > 100 and caught > 30 and none > 20, table.concat({ met, caught, none }, ", "))
  end)
end)
