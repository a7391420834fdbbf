-- A name that an object has no field of is an error that says which was meant, read or written: of every object and
-- module there is, for every name that lua/astar/core.d.lua has of it. So are other libraries' names.

local astar = require "astar"
local public = require "spec.support.public"

local function read_file(name)
  local file = assert(io.open(name))
  local text = file:read "*a"
  file:close()
  return text
end

local function error_of(f, ...)
  local ok, message = pcall(f, ...)
  return not ok and tostring(message) or nil
end

local function get(object, key)
  local value = object[key]
  return value
end

local function set(object, key, value) object[key] = value end

-- The second letter twice: of no other name.
local function misspelt(name) return name:sub(1, 2) .. name:sub(2) end

-- The fields of each class by core.d.lua, which calls classes as public.lua does but for a large letter.
local fields = {}
do
  local class
  for line in read_file "lua/astar/core.d.lua":gmatch "[^\n]+" do
    class = line:match "^%-%-%-@class astar%.(%w+)" or line:find "^%-%-%-@" and class or nil
    local field = line:match "^%-%-%-@field ([%a_]+)"
    if class and field then
      local name = class:gsub("^%u", string.lower)
      fields[name] = fields[name] or {}
      table.insert(fields[name], field)
    end
  end
end

-- { name = { object =, title =, methods = {...} } }
local objects = {}
for _, method in ipairs(public.methods) do
  local object = objects[method.class] or { object = method.object, title = method.title, methods = {} }
  objects[method.class] = object
  table.insert(object.methods, method.name)
end

local order = {}
for name in pairs(objects) do order[#order + 1] = name end
table.sort(order)

describe("a field that does not exist", function()
  it("is tested for every class with documented fields", function()
    for _, name in ipairs { "path", "search", "job", "baked", "crowd", "unit", "resolving", "route", "routeSearch",
      "graphPath", "graphSearch", "walker", "ticket", "view", "tower" } do
      assert.is_truthy(objects[name] and fields[name], name)
    end
  end)

  for _, class in ipairs(order) do
    local object, title = objects[class].object, objects[class].title

    it("raises an error when it is read, in " .. title, function()
      local names = { unpack and unpack(objects[class].methods) or table.unpack(objects[class].methods) }
      for _, field in ipairs(fields[class] or {}) do names[#names + 1] = field end
      for _, name in ipairs(names) do
        assert.is_nil(error_of(get, object, name), name) -- it may be nil now
        if #name > 1 then
          local message = error_of(get, object, misspelt(name))
          assert.is_truthy(message, "took " .. misspelt(name))
          local text = ('%s has no field "%s" (did you mean "%s"?)'):format(title, misspelt(name), name)
          assert.is_truthy(message:find(text, 1, true), message)
        end
      end
      assert.matches(title .. ' has no field "nothing of the kind"$', error_of(get, object, "nothing of the kind"))
    end)

    it("raises an error when it is written, in " .. title, function()
      for _, name in ipairs(fields[class] or {}) do
        if #name > 1 then assert.matches(title, error_of(set, object, misspelt(name), 9) or "taken: " .. name) end
      end
      for _, name in ipairs { "nothing of the kind", "_mine" } do
        assert.matches(title .. ".*keep your own data in a table with weak keys",
          error_of(set, object, name, true) or "")
      end
      for _, name in ipairs(objects[class].methods) do
        assert.matches(title .. ".* cannot be set", error_of(set, object, name, print) or "taken: " .. name)
        assert.is_function(object[name])
      end
    end)

    it("raises an error if its name is not a string, in " .. title, function()
      local has_elements = class == "path" or class == "graphPath"
      for _, key in ipairs { true, print, {}, io.stdout } do
        assert.matches(title .. " has no field ", error_of(get, object, key) or "")
        assert.matches(title, error_of(set, object, key, true) or "")
      end
      for _, key in ipairs { 0, -1, 1e9, 1.5, 0 / 0, math.huge, -math.huge } do
        if has_elements then
          assert.is_nil(object[key])
        else
          assert.matches(title .. " has no field ", error_of(get, object, key) or "")
        end
        if key == key then assert.matches(title, error_of(set, object, key, true) or "") end
      end
    end)

    it("is nil if Lua or tools look up its name, in " .. title, function()
      for _, name in ipairs { "__name", "__call", "__jsontype", "_class", "_" } do assert.is_nil(object[name]) end
      assert.is_string(tostring(object))
    end)

    it("raises an error if its name is long or contains zero bytes, in " .. title, function()
      local method = objects[class].methods[1]
      for _, name in ipairs { "", "\0", method .. "\0", "\0" .. method, ("x"):rep(5000), "%s%n", "\255" } do
        assert.matches("has no field", error_of(get, object, name) or "taken: " .. name)
        assert.matches(title, error_of(set, object, name, 1) or "taken: " .. name)
      end
    end)
  end

  it("is reported at the line that reads the field", function()
    local path = astar.grid(3, 3):find_path(1, 1, 3, 3)
    for _, object in ipairs { path, astar.grid(3, 3), astar.walker(path), astar.queue(), astar, astar.tiled } do
      for _, text in ipairs { "local x = o.lenght_ return x", "o.lenght_ = 1", "o:lenght_() return 1" } do
        local chunk = assert((loadstring or load)("local o = ...\n" .. text, "=script"))
        assert.matches("^script:2: astar", error_of(chunk, object))
      end
    end
  end)

  it("is nil at the end of a list of cells", function()
    local path = astar.grid(5, 5):find_path(1, 1, 5, 5)
    local graph = astar.graph()
    graph:node "a" graph:node "b" graph:edge("a", "b")
    for _, list in ipairs { path, (graph:finder():find_path("a", "b")) } do
      local count = 0
      while list[count + 1] do count = count + 1 end
      assert.equal(#list, count)
      assert.is_nil(list[0])
      assert.is_nil(list[#list + 1])
    end
    local count = 0
    for _ in ipairs(astar.directions) do count = count + 1 end
    assert.equal(8, count)
  end)

  it("is distinguished from a documented field that is nil at the moment", function()
    local finder = astar.grid(3, 3):finder()
    local crowd = astar.crowd(finder)
    local unit, resolving = crowd:add(1, 1), crowd:resolving()
    assert.is_nil(unit.heading)
    assert.is_nil(resolving.beats)
    unit:remove()
    assert.equal("removed", unit.state)
    assert.is_nil(unit.x)
    assert.matches("no field", error_of(get, unit, "stat"))
    assert.is_nil(finder:baking().result)
    local grid = astar.grid "..\n.#"
    assert.is_nil(grid:finder():search(1, 1, 2, 2).algorithm)
  end)
end)

describe("a field that a module does not have", function()
  for title, module in pairs {
    astar = astar, ["astar.graph"] = astar.graph, ["astar.tiled"] = astar.tiled, ["astar.love"] = astar.love,
    ["astar.movingai"] = astar.movingai, ["astar.directions"] = astar.directions,
  } do
    it("raises an error when it is read, in " .. title, function()
      local names = {}
      for name in pairs(module) do names[#names + 1] = name end
      for _, name in ipairs(names) do
        if type(name) == "string" and not name:find "^_" then
          local text = ('%s has no field "%s" (did you mean "'):format(title, misspelt(name))
          for _, call in ipairs { get, set } do
            local message = error_of(call, module, misspelt(name), 1) or "taken"
            assert.is_truthy(message:find(text, 1, true), message)
          end
        end
      end
      assert.matches("no field", error_of(get, module, {}))
      assert.matches("no field", error_of(set, module, "mine", 1))
      assert.is_nil(module.__name)
      assert.is_nil(module._NAME)
    end)
  end

  it("is not confused with modules that are loaded on first use", function()
    local fresh = require "spec.support.process"
    local output = fresh.run [[
      local astar = require "astar"
      print(select(2, pcall(function() return astar.tilled end)))
      astar.tiled = "mine"
      print(astar.tiled, rawget(astar, "graph"))
    ]]
    assert.matches('has no field "tilled" %(did you mean "tiled"%?%)\nmine\tnil\n', output)
  end)

  it("can be set by tools that hook into the module", function()
    local grid = astar.grid
    astar.grid = print
    assert.equal(print, astar.grid)
    astar.grid = grid
    assert.is_string(astar._VERSION)
  end)
end)

-- What the tables for those who come from another library have in their first column.
local function names_in(page)
  local names = {}
  for line in read_file(page):match "## Calls(.*)":gmatch "\n|([^\n]-)|" do
    for code in line:gmatch "`([^`]+)`" do
      local name = code:match "^([%w_]+) =" or code:match "([%w_]+)%(" or code:match "^([%w_]+)$"
      if name and not name:find "^%u+_" then names[#names + 1] = name end
    end
  end
  return names
end

describe("a name from another library", function()
  local path = astar.grid(5, 5):find_path(1, 1, 5, 5)
  local grid = astar.grid(5, 5)
  local targets = { grid, grid:finder(), path, astar }

  for _, page in ipairs { "docs/from_jumper.md", "docs/from_godot.md" } do
    it("causes an error that gives astar's name for it, from the page " .. page, function()
      local count = 0
      for _, name in ipairs(names_in(page)) do
        for _, target in ipairs(name:find "^%u" and { astar } or targets) do
          -- Some are here under the same name, or are read as names of tools.
          local message = not name:find "^_" and error_of(get, target, name) or error_of(set, target, name, 1)
          if message and not message:find("cannot be set$") then
            count = count + 1
            assert.is_truthy(message:find(": here it is ", 1, true) or message:find("(did you mean", 1, true), message)
          end
        end
      end
      assert.is_true(count > 60, count)
    end)
  end

  it("causes an error that suggests an existing call, option or value", function()
    for text, call in pairs {
      ['astar grid has no field "getPath": here it is find_path(sx, sy, gx, gy)'] = function()
        return grid:getPath(1, 1, 2, 2) end,
      ['astar finder has no field "getPath": here it is find_path'] = function()
        return grid:finder():getPath(1, 1, 2, 2) end,
      ['astar has no field "Pathfinder": here it is grid:finder'] = function()
        return astar.Pathfinder(grid, "JPS", 0) end,
      ['astar path has no field "nodes": here it is for x, y in path:cells() do'] = function() return path:nodes() end,
      ['astar path has no field "getLength": here it is path.length'] = function() return path:getLength() end,
      ['"set_point_solid": here it is grid:block(x, y)'] = function() return grid:set_point_solid({}, true) end,
      ['"is_in_boundsv": here it is grid:contains(x, y)'] = function() return grid:is_in_boundsv {} end,
      ['"jumping_enabled" cannot be set: here it is algorithm = "auto"'] = function() grid.jumping_enabled = true end,
      ['unknown option "diagonal_mode": here it is the option diagonals'] = function()
        return grid:finder { diagonal_mode = 1 } end,
      ['unknown option "default_compute_heuristic": here it is the option diagonal_cost'] = function()
        return grid:finder { default_compute_heuristic = 1 } end,
      ['unknown option "mode": here it is the option diagonals'] = function() return grid:finder { mode = "x" } end,
      ['astar has no field "AStarGrid2D": here it is astar.grid(width, height)'] = function()
        return astar.AStarGrid2D() end,
      ['got "DIAGONAL_MODE_AT_LEAST_ONE_WALKABLE": here it is "if_at_most_one_obstacle"'] = function()
        return grid:finder { diagonals = "DIAGONAL_MODE_AT_LEAST_ONE_WALKABLE" } end,
      ['got "HEURISTIC_OCTILE": here it is "octile"'] = function()
        return grid:finder { heuristic = "HEURISTIC_OCTILE" } end,
      ['got "MANHATTAN": here it is "manhattan"'] = function() return grid:finder { heuristic = "MANHATTAN" } end,
      ['got "CARDINTCARD": here it is "octile"'] = function() return grid:finder { heuristic = "CARDINTCARD" } end,
      ['got "ORTHOGONAL": here it is "never"'] = function() return grid:finder { diagonals = "ORTHOGONAL" } end,
      ['got "THETASTAR": here it is the option any_angle = true'] = function()
        return grid:finder { algorithm = "THETASTAR" } end,
      ['options must be a table, got "JPS": here it is { algorithm = "jps" }'] = function()
        return grid:finder("JPS", 0) end,
      ['options must be a table, got 3'] = function() return astar.graph():finder(3, 0) end,
      ['options must be a table, got "ASTAR": here it is'] = function()
        return astar.world { load = function() return false end }:finder("ASTAR", 0) end,
      ["finder takes 1 argument, got 0 as argument 2"] = function() return grid:finder({}, 0) end,
    } do
      local message = error_of(call) or "taken"
      assert.is_truthy(message:find(text, 1, true), message)
    end
  end)

  it("causes no error if astar has a call of the same name", function()
    local finder = grid:finder { heuristic = "manhattan", algorithm = "astar", diagonals = "never" }
    assert.equal(5, #finder:find_path(1, 1, 5, 1))
  end)
end)

describe("a suggestion in an error", function()
  it("is given for an unknown terrain key", function()
    local cure = ": give it a cost in the option terrain"
    local grid = astar.grid "..\n.."
    for text, call in pairs {
      ['unknown terrain "x" at row 1, column 2'] = function() astar.grid ".x" end,
      ['unknown terrain 2 at row 1, column 2'] = function() astar.grid { { 0, 2 } } end,
      ['unknown terrain "x"'] = function() grid:set(1, 1, "x") end, -- ", or by grid:terrain" follows
      ['unknown terrain 7'] = function() grid:fill(1, 1, 2, 2, 7) end,
      ['unknown terrain "x" at row 2, column 1'] = function() grid:set_cells(1, 1, 2, 2, "..x.") end,
      ['costs: unknown terrain "lava"'] = function() grid:finder { costs = { lava = 2 } } end,
      ['keys: unknown terrain "x" at row 1, column 1'] = function()
        local rows = {}
        for y = 1, 64 do rows[y] = ("x"):rep(64) end
        astar.world():put_chunk(0, 0, rows) end,
    } do
      local message = error_of(call) or "taken"
      assert.is_truthy(message:find(text .. cure, 1, true), message)
    end
    assert.equal("unknown terrain nil", (error_of(grid.set, grid, 1, 1):gsub("^.-: ", "")))
  end)

  it("is given for an entry of ignore that is not a layer name", function()
    local grid = astar.grid(3, 3)
    for _, ignore in ipairs { { monsters = 5 }, { monsters = true }, { "red", monsters = 5 }, { [0] = "red" },
      { [{}] = "red" } } do
      assert.matches('ignore must be a list of layers, like { "red" }, got an entry %[',
        error_of(grid.finder, grid, { ignore = ignore }) or "taken")
    end
    assert.equal("ignore[2] must be a string, got nil",
      error_of(grid.finder, grid, { ignore = { "red", nil, "blue" } }))
  end)
end)
