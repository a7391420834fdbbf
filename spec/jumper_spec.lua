-- astar.jumper: what games written for Jumper call, on the C module and on the twin in plain Lua. Lengths of paths are
-- those of a plain Dijkstra, spec/support/oracle.lua, by Jumper's rules.

local astar = require "astar"
local plain = require "astar.plain"
local check = require "spec.support.check"
local oracle = require "spec.support.oracle"
local process = require "spec.support.process"
local random = require "spec.support.random"
local times = require "spec.support.times"

local MAPS = times("ASTAR_MAPS", 60)
local FIRST_SEED = tonumber(os.getenv "ASTAR_SEED") or 1

local error_of = check.error_of
local unpack = table.unpack or unpack

-- Returns the cells of a path as text.
local function show(path)
  local cells = {}
  for node in path:nodes() do cells[#cells + 1] = node:getX() .. "," .. node:getY() end
  return table.concat(cells, " ")
end

for name, module in pairs { ["the C module"] = astar, ["the twin"] = plain } do
  local J = module.jumper

  describe("astar.jumper over " .. name, function()
    local MAP = {
      { 0, 1, 0, 1, 0 },
      { 0, 1, 0, 1, 0 },
      { 0, 1, 1, 1, 0 },
      { 0, 0, 0, 0, 0 },
    }

    it("finds the path in the example of Jumper's own manual", function()
      local path, length = J.Pathfinder(J.Grid(MAP), "JPS", 0):getPath(1, 1, 5, 1)
      assert.equal("1,1 1,3 2,4 4,4 5,3 5,1", show(path))
      check.equal_cost(6 + 2 * math.sqrt(2), length)
      assert.equal(length, path:getLength())
    end)

    it("returns turning points for JPS, and every cell for all other finders except THETASTAR", function()
      local finder = J.Pathfinder(J.Grid "000\n000\n000", "JPS", "0")
      assert.equal("1,1 3,3", show((finder:getPath(1, 1, 3, 3))))
      for _, each in ipairs { "ASTAR", "DIJKSTRA", "BFS", "DFS" } do
        assert.equal("1,1 2,2 3,3", show((finder:setFinder(each):getPath(1, 1, 3, 3))))
      end
    end)

    it("returns turning points for THETASTAR", function()
      local path, length = J.Pathfinder(J.Grid "00000\n00000\n00000", "THETASTAR", "0"):getPath(1, 1, 5, 3)
      if module == astar then
        assert.equal("1,1 5,3", show(path))
        check.equal_cost(math.sqrt(20), length)
      else -- the twin has no any_angle
        assert.equal(3, #path._nodes)
      end
    end)

    it("returns nil and 0 if there is no path", function()
      local grid = J.Grid { { 0, 1, 0 } }
      assert.same({ nil, 0 }, { J.Pathfinder(grid, "JPS", 0):getPath(1, 1, 3, 1) })
      assert.same({ nil, 0 }, { J.Pathfinder(grid, "JPS", 0):getPath(1, 1, 2, 1) })
    end)

    it("finds a path from a start that is not walkable", function()
      local finder = J.Pathfinder(J.Grid { { 0, 1, 0 } }, "ASTAR", 0)
      assert.equal("2,1 3,1", show((finder:getPath(2, 1, 3, 1))))
      assert.equal("2,1", show((finder:getPath(2, 1, 2, 1))))
    end)

    it("accepts a value, a function or nil as the argument walkable", function()
      local map = { { "a", "b", "c" } }
      local grid = J.Grid(map)
      assert.is_nil((J.Pathfinder(grid, "ASTAR", "a"):getPath(1, 1, 3, 1)))
      assert.is_nil((J.Pathfinder(grid, "ASTAR", "c"):getPath(1, 1, 3, 1)))
      assert.is_table((J.Pathfinder(grid, "ASTAR", function(value) return value ~= "a" end):getPath(1, 1, 3, 1)))
      assert.is_table((J.Pathfinder(grid, "ASTAR"):getPath(1, 1, 3, 1)))
    end)

    it("accepts any values as cells of the map", function()
      local door = { is_open = true }
      local grid = J.Grid { { false, door, 1.5 } }
      local finder = J.Pathfinder(grid, "ASTAR", function(value) return value == 1.5 or value and value.is_open end)
      assert.equal("1,1 2,1 3,1", show((finder:getPath(1, 1, 3, 1))))
      assert.is_true(grid:isWalkableAt(1, 1, false))
      assert.is_false(grid:isWalkableAt(2, 1, false))
    end)

    it("accepts maps whose rows and columns start at 0", function()
      local map = { [0] = { [0] = 0, 0 }, { [0] = 1, 0 } }
      local grid = J.Grid(map)
      assert.same({ 0, 0, 1, 1 }, { grid:getBounds() })
      assert.same({ 2, 2 }, { grid:getWidth(), grid:getHeight() })
      assert.equal("0,0 1,1", show((J.Pathfinder(grid, "JPS", 0):getPath(0, 0, 1, 1))))
    end)

    it("passes a corner, but not between two cells that are not walkable, unless tunnelling is on", function()
      local one, two = J.Grid { { 0, 1 }, { 0, 0 } }, J.Grid { { 0, 1 }, { 1, 0 } }
      assert.equal("1,1 2,2", show((J.Pathfinder(one, "ASTAR", 0):getPath(1, 1, 2, 2))))
      local finder = J.Pathfinder(two, "ASTAR", 0)
      assert.is_nil((finder:getPath(1, 1, 2, 2)))
      assert.equal("1,1 2,2", show((finder:getPath(1, 1, 2, 2, true))))
      assert.equal("1,1 2,2", show((finder:setTunnelling(true):getPath(1, 1, 2, 2))))
      assert.is_nil((finder:getPath(1, 1, 2, 2, false)))
      assert.is_nil((finder:setFinder("JPS"):getPath(1, 1, 2, 2))) -- as Jumper's documentation says
    end)

    it("moves in four directions in the mode ORTHOGONAL", function()
      local finder = J.Pathfinder(J.Grid "000\n000", "ASTAR", "0"):setMode "ORTHOGONAL"
      assert.equal("ORTHOGONAL", finder:getMode())
      assert.equal(3, select(2, finder:getPath(1, 1, 3, 2)))
    end)

    it("finds paths with the clearance that the fifth argument of getPath gives", function()
      local map = {
        { 0, 0, 0, 0, 0 },
        { 0, 0, 1, 0, 0 },
        { 0, 0, 0, 0, 0 },
        { 0, 0, 0, 0, 0 },
      }
      local grid = J.Grid(map)
      local finder = J.Pathfinder(grid, "ASTAR", 0):annotateGrid()
      local clearances = {}
      for node in grid:iter() do clearances[#clearances + 1] = node:getClearance(0) end
      assert.same({ 2, 1, 1, 2, 1, 2, 1, 0, 2, 1, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1 }, clearances)
      assert.equal("1,1 1,2 2,3 3,3 4,2 4,1", show((finder:getPath(1, 1, 4, 1, 2))))
      assert.is_nil((finder:getPath(1, 1, 5, 1, 2))) -- half outside
      assert.is_table((finder:getPath(5, 3, 4, 1, 2))) -- the start needs no room
      assert.is_true(grid:isWalkableAt(1, 3, 0, 2))
      assert.is_false(grid:isWalkableAt(2, 2, 0, 2))
      finder:clearAnnotations()
      assert.is_nil(grid:getNodeAt(1, 1):getClearance(0))
    end)

    it("leads around a wall that was added to the map", function()
      local map = { { 0, 0, 0 }, { 0, 0, 0 } }
      local finder = J.Pathfinder(J.Grid(map), "ASTAR", 0)
      assert.equal(2, select(2, finder:getPath(1, 1, 3, 1)))
      map[1][2] = 1
      assert.equal("1,1 2,2 3,1", show((finder:getPath(1, 1, 3, 1))))
      map[2][2] = 1
      assert.is_nil((finder:getPath(1, 1, 3, 1)))
    end)

    it("does not pass between two walls that were added to the map", function()
      local map = { { 0, 0 }, { 0, 0 } }
      local finder = J.Pathfinder(J.Grid(map), "ASTAR", 0)
      assert.is_table((finder:getPath(1, 1, 2, 2)))
      map[1][2], map[2][1] = 1, 1
      assert.is_nil((finder:getPath(1, 1, 2, 2)))
    end)

    it("finds a path through a door that has opened, and a shorter one after grid:update()", function()
      local map = { { 0, 1, 0 }, { 0, 1, 0 }, { 0, 1, 0 } }
      local grid = J.Grid(map)
      local finder = J.Pathfinder(grid, "ASTAR", 0)
      assert.is_nil((finder:getPath(1, 1, 3, 1)))
      map[3][2] = 0
      assert.equal("1,1 1,2 2,3 3,2 3,1", show((finder:getPath(1, 1, 3, 1))))
      map[1][2] = 0
      assert.is_true(grid:update())
      assert.equal("1,1 2,1 3,1", show((finder:getPath(1, 1, 3, 1))))
      assert.is_false(grid:update())
    end)

    it("terminates if the walkable function returns something else each time", function()
      local count = 0
      local finder = J.Pathfinder(J.Grid { { 0, 0, 0 } }, "ASTAR", function()
        count = count + 1
        return count % 2 == 0
      end)
      assert.has_no.errors(function() finder:getPath(1, 1, 3, 1) end)
    end)

    it("frees its data about a walkable function together with the function", function()
      local grid = J.Grid { { 0, 0 } }
      for i = 1, 20 do J.Pathfinder(grid, "ASTAR", function(value) return value < i end):getPath(1, 1, 2, 1) end
      collectgarbage()
      collectgarbage()
      local count = 0
      for _ in pairs(grid._snapshots) do count = count + 1 end
      assert.is_true(count <= 1, count)
    end)

    it("returns paths and nodes with the fields that games read", function()
      local grid = J.Grid { { 0, 0 }, { 0, 0 } }
      local path = J.Pathfinder(grid, "ASTAR", 0):getPath(1, 1, 2, 2)
      local node = path._nodes[2]
      assert.equal(grid:getNodeAt(2, 2), node)
      assert.equal(node, path[2]) -- Jumper 1.8.1
      assert.same({ 2, 2, 2, 2, 2, 2 }, { node._x, node._y, node.x, node.y, node:getPos() })
      assert.equal(2, #path)
      local count = 0
      for _ in pairs(path) do count = count + 1 end
      assert.equal(2, count)
      for each, i in path:iter() do assert.equal(path._nodes[i], each) end
      node.tag = "mine"
      assert.equal("mine", grid:getNodeAt(2, 2).tag)
      assert.is_nil(grid:getNodeAt(3, 1))
      assert.is_nil(grid:getNodeAt(1.5, 1))
      assert.is_nil(grid:getNodeAt())
    end)

    it("creates node objects only on request", function()
      local lazy, eager = J.Grid({ { 0, 0 } }, true), J.Grid { { 0, 0 } }
      assert.is_nil(next(lazy:getNodes()))
      assert.is_nil(lazy(1, 1))
      assert.equal(lazy(1, 1, true), lazy(1, 1))
      assert.is_nil(next(eager._nodes))
      assert.equal(2, #eager:getNodes()[1])
      assert.equal(eager(2, 1), eager:getNodeAt(2, 1))
    end)

    it("can fill, filter, clone, reverse and append paths", function()
      local finder = J.Pathfinder(J.Grid(MAP), "JPS", 0)
      local path = finder:getPath(1, 1, 5, 1)
      local turns, copy = show(path), path:clone()
      assert.equal("1,1 1,2 1,3 2,4 3,4 4,4 5,3 5,2 5,1", show(path:fill()))
      assert.equal(turns, show(path:filter()))
      assert.is_true(path:isEqualTo(copy:fill()))
      assert.equal("5,1 5,3 4,4 2,4 1,3 1,1", show(path:reverse()))
      assert.is_false(path:isEqualTo(copy))
      assert.equal("1,1 1,1", show(finder:getPath(1, 1, 1, 1):append((finder:getPath(1, 1, 1, 1)))))
      assert.equal("1,1", show(finder:getPath(1, 1, 1, 1):fill():filter()))
    end)

    it("iterates over a grid, a rectangle, an outline and neighbours", function()
      local grid, cells = J.Grid "000\n010\n000", {}
      local function list(node, mark) cells[#cells + 1] = node._x .. "," .. node._y .. (mark or "") end
      for node in grid:iter(2, 1, 3, 2) do list(node) end
      assert.equal("2,1 3,1 2,2 3,2", table.concat(cells, " "))
      cells = {}
      for node in grid:around(grid:getNodeAt(1, 1)) do list(node) end
      assert.equal("2,1 2,2 1,2", table.concat(cells, " "))
      cells = {}
      for _, node in ipairs(grid:getNeighbours(grid:getNodeAt(2, 3), "0", true)) do list(node) end
      assert.equal("3,3 1,3 1,2 3,2", table.concat(cells, " "))
      cells = {}
      assert.equal(grid, grid:eachRange(1, 1, 2, 1, list, "!"))
      assert.equal("1,1! 2,1!", table.concat(cells, " "))
      assert.equal(grid, grid:each(list):imap(list):imapRange(1, 1, 1, 1, list))
      assert.equal(2 + 9 + 9 + 1, #cells)
    end)

    it("has setters that return the pathfinder, and functions that list the valid names of its options", function()
      local grid = J.Grid "00"
      local finder = J.Pathfinder:new(grid)
      assert.equal("ASTAR", finder:getFinder())
      assert.equal(finder, finder:setFinder():setGrid(grid):setWalkable("0"):setHeuristic("DIAGONAL"):reset())
      assert.equal(grid, finder:getGrid())
      assert.equal("0", finder:getWalkable())
      assert.equal(J.Heuristics.DIAGONAL, finder:getHeuristic())
      assert.same({ "ASTAR", "BFS", "DFS", "DIJKSTRA", "JPS", "THETASTAR" }, finder:getFinders())
      assert.same({ "CARDINTCARD", "DIAGONAL", "EUCLIDIAN", "MANHATTAN" }, finder:getHeuristics())
      assert.same({ "DIAGONAL", "ORTHOGONAL" }, finder:getModes())
      local a, b = J.Node(1, 1), J.Node(4, 3)
      check.equal_cost(3 + 2 * (math.sqrt(2) - 1) + 0, J.Heuristics.CARDINTCARD(a, b))
      assert.same({ 5, 3 }, { J.Heuristics.MANHATTAN(a, b), J.Heuristics.DIAGONAL(a, b) })
    end)

    it("raises errors that name the mistake at the line of the caller", function()
      local grid = J.Grid { { 0, 0 } }
      local finder = J.Pathfinder(grid, "ASTAR", 0)
      local function expect(message, f, ...)
        local arguments, count = { ... }, select("#", ...)
        assert.equal(message, error_of(function() local _ = f(unpack(arguments, 1, count)) end))
      end
      expect("Grid: map must be a table of rows or a string, got nil", J.Grid)
      expect("Grid: map must not be empty", J.Grid, {})
      expect("Grid: map must not be empty", J.Grid, "\n")
      expect("Grid: row 1 must not be empty", J.Grid, { {} })
      expect('Grid: row 1 must be a table, got "00"', J.Grid, { "00" })
      expect("Grid: row 2 must have cells 1 to 2, as the first row has", J.Grid, { { 0, 0 }, { 0 } })
      expect("Grid: row 2 must have cells 1 to 1, as the first row has", J.Grid, { { 0 }, { 0, 0 } })
      expect('Grid: map must be counted from 0 or 1, got an entry ["name"]', J.Grid, { { 0 }, name = "cave" })
      expect("Grid: map must have no holes", J.Grid, { { 0 }, [3] = { 0 } })
      expect("Grid: cacheNodeAtRuntime must be a boolean, got 1", J.Grid, { { 0 } }, 1)
      expect("Pathfinder: grid must be a grid made by Grid(map), got a table", J.Pathfinder, {})
      expect('Pathfinder: finderName must be ASTAR, BFS, DFS, DIJKSTRA, JPS or THETASTAR, got "A*"', J.Pathfinder,
        grid, "A*")
      expect("Pathfinder: walkable must be a string, an integer, a boolean, a function or nil, got 0.5", J.Pathfinder,
        grid, "JPS", 0.5)
      expect("setGrid: grid must be a grid made by Grid(map), got nil", finder.setGrid, finder)
      expect("setMode: mode must be DIAGONAL or ORTHOGONAL, got nil", finder.setMode, finder)
      expect('setHeuristic: heuristic must be CARDINTCARD, DIAGONAL, EUCLIDIAN or MANHATTAN, got "OCTILE"',
        finder.setHeuristic, finder, "OCTILE")
      expect("setTunnelling: a boolean expected, got nil", finder.setTunnelling, finder)
      expect("getPath: start must be a cell of the map, got [0, 1]", finder.getPath, finder, 0, 1, 1, 1)
      expect("getPath: goal must be a cell of the map, got [1.5, nil]", finder.getPath, finder, 1, 1, 1.5)
      expect("getPath: the fifth argument must be tunnel, a boolean, or clearance, an integer from 1, got 0",
        finder.getPath, finder, 1, 1, 2, 1, 0)
      expect("annotateGrid: the pathfinder needs a walkable value: call setWalkable first",
        finder.annotateGrid, J.Pathfinder(grid))
    end)

    it("raises an error for a function as heuristic that suggests cost and avoid", function()
      local finder = J.Pathfinder(J.Grid "00", "ASTAR", "0"):setHeuristic(function() return 0 end)
      local problem = error_of(function() local _ = finder:getPath(1, 1, 2, 1) end)
      assert.matches("setHeuristic", problem, 1, true)
      assert.matches("cost or avoid of grid:finder", problem, 1, true)
      assert.is_table((finder:setHeuristic(J.Heuristics.EUCLIDIAN):getPath(1, 1, 2, 1)))
    end)

    it("finds a shortest path on random maps, and on edited maps", function()
      for seed = FIRST_SEED, FIRST_SEED + MAPS - 1 do
        local r = random.new(seed)
        local width, height, origin = r:int(1, 12), r:int(1, 12), r:int(0, 1)
        local map = {}
        for y = origin, origin + height - 1 do
          map[y] = {}
          for x = origin, origin + width - 1 do map[y][x] = r:chance(0.3) and 1 or 0 end
        end
        local mode, tunnel = r:pick { "DIAGONAL", "ORTHOGONAL" }, r:chance(0.3)
        local finder = J.Pathfinder(J.Grid(map), r:pick { "ASTAR", "DIJKSTRA", "BFS", "DFS" },
          r:pick { 0, function(value) return value == 0 end })
        finder:setMode(mode):setTunnelling(tunnel)
        local rules = { diagonals = tunnel and "always" or "if_at_most_one_obstacle" }
        if mode == "ORTHOGONAL" then rules.diagonals = "never" end
        for _ = 1, 8 do
          local function cell() return r:int(origin, origin + width - 1), r:int(origin, origin + height - 1) end
          local wall_x, wall_y = cell()
          map[wall_y][wall_x] = 1
          local opened_x, opened_y = cell()
          if r:chance(0.5) then
            map[opened_y][opened_x] = 0
            finder:getGrid():update()
          end
          local sx, sy = cell()
          local gx, gy = cell()
          local rows = {}
          for y = 1, height do
            rows[y] = {}
            for x = 1, width do rows[y][x] = map[y + origin - 1][x + origin - 1] == 0 and "." or "#" end
          end
          rows[sy - origin + 1][sx - origin + 1] = "." -- the start is free
          local world = oracle.world(rows, { origin = { origin, origin } })
          local is_goal_open = map[gy][gx] == 0 or gx == sx and gy == sy
          local expected = is_goal_open and oracle.distances(world, rules, sx, sy)[oracle.cell(world, gx, gy)]
          local path, length = finder:getPath(sx, sy, gx, gy)
          assert.equal(expected and expected < math.huge or false, path ~= nil, "seed " .. seed)
          if path then check.equal_cost(expected, length, "seed " .. seed) end
        end
      end
    end)
  end)
end

describe("the two files of examples/jumper", function()
  local RUN = [[
    package.path = %q .. package.path
    package.cpath = ""
    local Grid, Pathfinder = require "%sjumper%sgrid", require "%sjumper%spathfinder"
    print(#Pathfinder(Grid "000", "ASTAR", "0"):getPath(1, 1, 3, 1)._nodes)
  ]]

  for _, prefix in ipairs { "", "libs.", "libs/", "a.b/" } do
    it(("work as %sjumper.grid, with astar beside them"):format(prefix), function()
      local root = os.tmpname()
      os.remove(root)
      local folder = root .. "/" .. prefix:gsub("[./]", "/")
      process.shell(("mkdir -p '%s' && cp -R examples/jumper lua/astar '%s'"):format(folder, folder))
      local path = root .. "/?.lua;" .. root .. "/?/init.lua;"
      for _, dot in ipairs { ".", "/" } do
        local output = process.run_alone(RUN:format(path, prefix, dot, prefix, dot))
        assert.matches("3\n", output, 1, true)
      end
      process.shell(("rm -r '%s'"):format(root))
    end)
  end
end)
