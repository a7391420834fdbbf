-- The floors of a tower on one grid: places, links, routes against the oracle, misuse.

local astar = require "astar"
local check = require "spec.support.check"
local random = require "spec.support.random"

local function fails(expected, misuse)
  assert.equal(expected, check.error_of(misuse))
end

local function tower_of_three()
  return astar.floors { "...\n.#.\n...", "....\n....", { 2, 5 } }
end

describe("astar.floors", function()
  it("places floors of different sizes side by side, with blocked cells between them", function()
    assert.equal("...X....X..\n.#.X....X..\n...XXXXXX..\nXXXXXXXXX..\nXXXXXXXXX..",
      (tower_of_three().grid:draw():gsub("\n$", "")))
  end)

  it("converts between cells of a floor and cells of the joined grid", function()
    local tower = tower_of_three()
    assert.same({ 6, 2 }, { tower:at(2, 2, 2) })
    for z, size in ipairs { { 3, 3 }, { 4, 2 }, { 2, 5 } } do
      assert.same(size, { tower:size(z) })
      for y = 1, size[2] do
        for x = 1, size[1] do
          local column, row = tower:at(x, y, z)
          assert.same({ x, y, z }, { tower:of(column, row) })
        end
      end
    end
  end)

  it("keeps each kind of terrain and its cost", function()
    local tower = astar.floors({ "gg", { { "g", "swamp" } }, { 2, 1 } },
      { terrain = { g = 1, swamp = 3, stone = 0.5 }, fill = "stone" })
    assert.same({ "g", "swamp", "stone" }, { tower.grid:get(1, 1), tower.grid:get(5, 1), tower.grid:get(8, 1) })
    assert.same({ 3, 0.5 }, { tower.grid:terrain "swamp", tower.grid:terrain "stone" })
  end)

  it("connects floors only by links", function()
    local tower = tower_of_three()
    local function route(x, y, z, x2, y2, z2)
      local sx, sy = tower:at(x, y, z)
      local gx, gy = tower:at(x2, y2, z2)
      return tower.grid:find_path(sx, sy, gx, gy, { diagonals = "always" })
    end
    assert.is_nil((route(3, 1, 1, 1, 1, 2)))
    tower:link(3, 3, 1, 1, 1, 2, { cost = 2, label = "stairs" })
    tower:link(4, 2, 2, 2, 5, 3, { one_way = true })
    local path = route(1, 1, 1, 1, 1, 3)
    local labels = {}
    for i = 1, #path do labels[#labels + 1] = path:link(i) end
    assert.same({ "stairs", true }, labels)
    assert.is_nil((route(1, 1, 3, 1, 1, 1)))
  end)

  it("keeps the given number of blocked cells between floors", function()
    local tower = astar.floors({ "..", ".." }, { gap = 4 })
    assert.same({ 8, 1 }, { tower.grid:size() })
    assert.same({ 7, 1 }, { tower:at(1, 1, 2) })
    assert.is_nil((tower.grid:find_path(1, 1, 8, 1, { range = 4 })))
  end)

  -- Dijkstra's algorithm over (x, y, z), four steps and links.
  local function least_costs(levels, links, sx, sy, sz)
    local costs, open = { [sx .. " " .. sy .. " " .. sz] = 0 }, { { 0, sx, sy, sz } }
    while #open > 0 do
      table.sort(open, function(a, b) return a[1] > b[1] end)
      local node = table.remove(open)
      local cost, x, y, z = node[1], node[2], node[3], node[4]
      local function reach(nx, ny, nz, step)
        local row = levels[nz][ny]
        local key = nx .. " " .. ny .. " " .. nz
        if row and row:sub(nx, nx) == "." and cost + step < (costs[key] or math.huge) then
          costs[key] = cost + step
          open[#open + 1] = { cost + step, nx, ny, nz }
        end
      end
      for _, step in ipairs { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } } do reach(x + step[1], y + step[2], z, 1) end
      for _, link in ipairs(links) do
        if link[1] == x and link[2] == y and link[3] == z then reach(link[4], link[5], link[6], link[7]) end
        if link[4] == x and link[5] == y and link[6] == z then reach(link[1], link[2], link[3], link[7]) end
      end
    end
    return costs
  end

  it("returns routes that the floors and their stairs allow", function()
    for seed = 1, 60 do
      local r, levels, links = random.new(seed), {}, {}
      for z = 1, r:int(1, 4) do
        levels[z] = {}
        local width = r:int(1, 6)
        for y = 1, r:int(1, 6) do
          local row = {}
          for x = 1, width do row[x] = r:chance(0.25) and "#" or "." end
          levels[z][y] = table.concat(row)
        end
      end
      local function anywhere()
        local z = r:int(1, #levels)
        return r:int(1, #levels[z][1]), r:int(1, #levels[z]), z
      end
      local tower, linked = astar.floors(levels), {}
      for _ = 1, r:int(0, 6) do
        local x, y, z = anywhere()
        local x2, y2, z2 = anywhere()
        local cost, key, back = r:int(0, 5), table.concat({ x, y, z, x2, y2, z2 }, " "),
          table.concat({ x2, y2, z2, x, y, z }, " ")
        if not linked[key] and key ~= back then
          linked[key], linked[back] = true, true
          links[#links + 1] = { x, y, z, x2, y2, z2, cost }
          tower:link(x, y, z, x2, y2, z2, { cost = cost })
        end
      end
      local sx, sy, sz = anywhere()
      local finder = tower.grid:finder { diagonals = "never" }
      local costs = least_costs(levels, links, sx, sy, sz)
      local column, row = tower:at(sx, sy, sz)
      if tower.grid:is_walkable(column, row) then
        for z, level in ipairs(levels) do
          for y = 1, #level do
            for x = 1, #level[1] do
              local path = finder:find_path(column, row, tower:at(x, y, z))
              assert.equal(costs[x .. " " .. y .. " " .. z], path and path.cost, "seed " .. seed)
            end
          end
        end
      end
    end
  end)

  it("refuses cells that are not on a floor", function()
    local tower = tower_of_three()
    fails("x must be an integer from 1 to 3, got 4", function() tower:at(4, 1, 1) end)
    fails("x must be an integer from 1 to 3, got 1.5", function() tower:at(1.5, 1, 1) end)
    fails('y must be an integer from 1 to 2, got "1"', function() tower:at(1, "1", 2) end)
    fails("z must be an integer from 1 to 3, got 0", function() tower:at(1, 1, 0) end)
    fails("z must be an integer from 1 to 3, got nil", function() tower:at(1, 1) end)
    fails("z must be an integer from 1 to 3, got nan", function() tower:size(0 / 0) end)
    fails("at takes 3 arguments, got 9 as argument 4", function() tower:at(1, 1, 1, 9) end)
    fails("(4, 1) lies on no floor", function() tower:of(4, 1) end)
    fails("(6, 3) lies on no floor", function() tower:of(6, 3) end)
    fails("X must be an integer from 1 to 11, got 12", function() tower:of(12, 1) end)
    fails("Y must be an integer from 1 to 5, got inf", function() tower:of(1, math.huge) end)
    fails("y2 must be an integer from 1 to 2, got 3", function() tower:link(1, 1, 1, 1, 3, 2) end)
    fails("z must be an integer from 1 to 3, got a table", function() tower:link(1, 1, {}, 1, 1, 2) end)
    fails('unknown option "cots" (did you mean "cost"?)', function() tower:link(1, 1, 1, 1, 1, 2, { cots = 2 }) end)
    fails("a link must join two cells, got (1, 1) twice", function() tower:link(1, 1, 1, 1, 1, 1) end)
    fails("astar tower expected, got a table", function() tower.at({}, 1, 1, 1) end)
    fails("astar tower expected, got nil", function() tower.of() end)
    fails("astar tower expected, got 3", function() tower.size(3) end)
    fails("astar tower expected, got a table", function() tower.link {} end)
  end)

  it("refuses arguments that are no valid list of floors", function()
    fails("floors must be a list of floors, got none", function() astar.floors {} end)
    fails('floors must be a list of floors, got "..."', function() astar.floors "..." end)
    fails("floors must be a list of floors, got nil", function() astar.floors() end)
    fails("floor 2: expected a grid, a drawing, rows or { width, height }, got 5",
      function() astar.floors { "..", 5 } end)
    fails("floor 1: width must be an integer from 1 to 16777216, got 0", function() astar.floors { { 0, 5 } } end)
    fails('floor 1: unknown terrain "q" at row 1, column 2: give it a cost in the option terrain',
      function() astar.floors { ".q" } end)
    fails('unknown option "origin"; there are "terrain", "fill", "gap" and "grid"', function()
      astar.floors({ ".." }, { origin = { 1, 1 } })
    end)
    fails("gap must be an integer from 1 to 255, got 0", function() astar.floors({ ".." }, { gap = 0 }) end)
    fails("options must be a table, got 1", function() astar.floors({ ".." }, 1) end)
    fails("floors takes 2 arguments, got 3 as argument 3", function() astar.floors({ ".." }, nil, 3) end)
  end)
end)

describe("a tower whose grid was saved", function()
  local FLOORS = { { 4, 3 }, { 3, 2 } }

  it("is rebuilt from the loaded grid, with its links, blocks and terrain", function()
    local tower = astar.floors({ "....\n..~.\n....", "...\n..." }, { terrain = { ["."] = 1, ["~"] = 4 }, gap = 2 })
    tower:link(4, 3, 1, 1, 1, 2, { cost = 2, label = "stairs" })
    tower.grid:block(tower:at(2, 2, 1))
    local loaded = astar.load(tower.grid:dump())
    for _, levels in ipairs { FLOORS, { "....\n..~.\n....", "...\n..." } } do
      local again = astar.floors(levels, { gap = 2, grid = loaded, terrain = { ["."] = 1, ["~"] = 4 } })
      assert.equal(loaded, again.grid)
      assert.same({ tower:at(2, 1, 2) }, { again:at(2, 1, 2) })
      assert.same({ 3, 2 }, { again:size(2) })
      assert.same(tower.grid:links(), again.grid:links())
      assert.equal("~", again.grid:get(again:at(3, 2, 1)))
      assert.is_true(again.grid:is_blocked(again:at(2, 2, 1)))
      local gx, gy = again:at(3, 2, 2)
      assert.equal(tower.grid:find_path(1, 1, gx, gy).cost, again.grid:find_path(1, 1, gx, gy).cost)
    end
  end)

  it("raises an error if the loaded grid cannot consist of the given floors", function()
    local function message(options, levels)
      return select(2, pcall(astar.floors, levels or FLOORS, options)):gsub("^[^\n:]*:%d+: ", "")
    end
    local tower = astar.floors(FLOORS)
    assert.equal("grid must have the size of these floors with their gaps, 9 x 3 from (1, 1) on, "
      .. "got 8 x 3 from (1, 1) on", (message { gap = 2, grid = tower.grid }))
    assert.equal("grid is not that of these floors: (5, 1) lies beside floor 1, and is not blocked",
      (message { grid = astar.grid(8, 3) }))
    assert.equal("grid must be the grid of a tower, got a table", (message { grid = tower }))
    assert.equal("grid must be the grid of a tower, got 3", (message { grid = 3 }))
  end)
end)
