-- What debug can do to the module's objects: an error, a wrong answer, but never a crash. A process of its
-- own for each, for a crash would take the other specs along.

local process = require "spec.support.process"

local PRELUDE = [[
  local set = debug.setuservalue or debug.setfenv
  local get = debug.getuservalue or debug.getfenv
  local function cost(_, _, _, c) return c end
  local grid = astar.grid(".,\n..", { terrain = { ["."] = 1, [","] = 2 } })
  grid:link(1, 1, 2, 2, { label = "stairs" })
  local objects, calls = {}, {}
  for _, options in ipairs { {}, { cost = cost }, { step_cost = cost }, { heuristic = function() return 0 end } } do
    local finder = grid:finder(options)
    local search = finder:search(1, 1, 2, 2)
    local found = finder:search(1, 1, 2, 2)
    while found:step(9) == "running" do end
    for _, object in ipairs { finder, search, found, finder:find_path(1, 1, 2, 2), finder:flow(2, 2), found:path(),
      finder:reach(1, 1, 9) } do objects[#objects + 1] = object end
  end
  local rooms = astar.graph()
  local table_key = {}
  for _, key in ipairs { 1, 2, "b", table_key } do rooms:node(key, 1, 1) end
  rooms:edge(1, 2, { label = "stairs" })
  rooms:edge(2, table_key, { label = 7 })
  local space = astar.states { neighbours = function(n, add) if n < 9 then add(n + 1, 1, "on") end end,
    heuristic = function() return 0 end, key = function(n) return n end }
  for _, of in ipairs { rooms:finder(), rooms:finder { cost = cost }, space:finder() } do
    local search, found = of:search(1, 2), of:search(1, 2)
    while found:step(9) == "running" do end
    for _, object in ipairs { of, search, found, of:find_path(1, 2), of:reach(1, 9) } do
      objects[#objects + 1] = object
    end
  end
  objects[#objects + 1] = rooms
  objects[#objects + 1] = space
  objects[#objects + 1] = rooms:join(grid:finder())
  objects[#objects + 1] = grid
  objects[#objects + 1] = astar.field(grid)
  local ARGUMENTS = {
    {}, { 1, 1 }, { 1 }, { 1, 1, 2, 2 }, { 1, 1, "." }, { 1, 1, 1, 1, "," }, { { { 2, 2 } } }, { 1, 1, { { 2, 2 } } },
    { 1, 1, 2, 2, { label = "chute" } }, { 1, 1, function() return true end }, { { costs = { [","] = 3 } } },
    { "new", 3 }, { ",", 3 }, { 1, 1, 2, 2, { costs = { ["."] = 2 } } }, { 1, 1, 3 },
  }
  local unpack = table.unpack or unpack
  local function methods_of(object)
    local index = debug.getmetatable(object).__index
    if type(index) == "function" then index = select(2, debug.getupvalue(index, 1)) end
    local names = {}
    for name in pairs(index or {}) do names[#names + 1] = name end
    if #names == 0 then -- before Lua 5.2 that is not shown
      for _, name in ipairs { "cell", "cells", "cells_flat", "directions", "is_valid", "repair", "link", "reverse",
        "smooth", "totable", "waypoints", "step", "path", "close" } do -- of graphs' paths and searches, too
        if pcall(function() return object[name] end) then names[#names + 1] = name end
      end
    end
    table.sort(names)
    return names
  end
  local function use(object)
    for _, name in ipairs(methods_of(object)) do
      for _, arguments in ipairs(ARGUMENTS) do
        if name ~= "close" then
          pcall(function()
            local result = object[name](object, unpack(arguments))
            if type(result) == "function" then for _ = 1, 9 do if result() == nil then break end end end
          end)
        end
      end
    end
    pcall(tostring, object)
    pcall(function() return #object, object[1], object.cost, grid:draw(object) end)
  end
  local VALUES = { {}, setmetatable({}, { __index = error, __newindex = error }), 5, "x", false, io.stdout, type, grid }
]]

-- An object that the module does not know again is not freed.
local NO_LEAKS = "export ASAN_OPTIONS=detect_leaks=0"

local function survives(code)
  local output, status = process.run(PRELUDE .. code .. " collectgarbage() collectgarbage() print 'alive'", NO_LEAKS)
  assert.equal("alive\n", output)
  assert.equal(0, status)
end

describe("an object of the module", function()
  it("causes no crash if its uservalue is replaced", function()
    survives [[
      for i = 1, 8 do
        for _, object in ipairs(objects) do
          local own = get(object)
          if pcall(set, object, VALUES[i]) then
            use(object)
            if own then set(object, own) end
          end
        end
      end
      pcall(set, grid, nil)
      use(grid)
    ]]
  end)

  it("causes no crash if values are written into its uservalue", function()
    survives [[
      for _, object in ipairs(objects) do
        local parts = get(object)
        if type(parts) == "table" and parts ~= _G then
          for part = 1, 8 do
            local own = parts[part]
            parts[part] = nil
            use(object)
            for i = 1, 8 do
              parts[part] = VALUES[i]
              use(object)
            end
            parts[part] = own
          end
        end
      end
    ]]
  end)

  it("causes no crash if values are written into the tables of its uservalue", function()
    survives [[
      local wild = { -1, 1e9, 0 / 0, 2 ^ 53, {}, type, "x", 255, 1 / 0 }
      for _, object in ipairs(objects) do
        local parts = get(object)
        for part = 1, type(parts) == "table" and parts ~= _G and 8 or 0 do
          local inner = parts[part]
          if type(inner) == "table" then
            local own = {}
            for key, value in pairs(inner) do own[key] = value end
            for _, value in ipairs(wild) do
              for key in pairs(own) do inner[key] = value end
              use(object)
              use(grid)
            end
            for key, value in pairs(own) do inner[key] = value end
          end
        end
      end
    ]]
  end)

  it("causes no crash without a metatable, and with the metatable of another object", function()
    survives [[
      local metatables = {}
      for i, object in ipairs(objects) do metatables[i] = debug.getmetatable(object) end
      for i, object in ipairs(objects) do
        for j = 1, #objects, 5 do
          debug.setmetatable(object, metatables[j])
          use(object)
        end
        debug.setmetatable(object, nil)
        pcall(metatables[i].__gc, object)
        pcall(metatables[i].__tostring, object)
        debug.setmetatable(object, metatables[i])
        use(object)
      end
    ]]
  end)

  it("causes no crash if values are removed from the registry", function()
    survives [[
      local registry, kept = debug.getregistry(), {}
      for key, value in pairs(registry) do
        if type(key) == "userdata" then kept[key] = value end
      end
      for key, value in pairs(kept) do
        registry[key] = nil
        for _, object in ipairs(objects) do use(object) end
        pcall(astar.grid, 3, 3)
        registry[key] = value
      end
      assert(astar.grid(3, 3):find_path(1, 1, 3, 3))
    ]]
  end)

  it("raises an error when it is read without its uservalue, and works again with its uservalue", function()
    survives [[
      local finder = grid:finder { cost = cost }
      local own = get(finder)
      set(finder, {})
      local ok, message = pcall(finder.find_path, finder, 1, 1, 2, 2)
      assert(not ok and message:find "has replaced the data that astar keeps for astar finder", message)
      set(finder, own)
      assert(finder:find_path(1, 1, 2, 2))
      own = get(grid)
      set(grid, {})
      ok, message = pcall(grid.get, grid, 1, 1)
      assert(not ok and message:find "has replaced the data that astar keeps for astar grid", message)
      set(grid, own)
      assert(grid:get(1, 1) == ".")
    ]]
  end)
end)

describe("a function of the module", function()
  it("raises an error if its upvalue is replaced", function()
    survives [[
      for _, value in ipairs { 5, "x", {}, type } do
        local get_cell = grid.get
        if debug.setupvalue(get_cell, 1, value) then
          assert(not pcall(get_cell, grid, 1, 1))
        end
      end
    ]]
  end)

  it("causes no crash if its upvalue is replaced and it runs as a metamethod", function()
    survives [[
      local meta = debug.getmetatable(grid)
      for _, name in ipairs { "__gc", "__tostring" } do
        local _, own = debug.getupvalue(meta[name], 1)
        for _, value in ipairs { 5, "x", {}, type } do
          if debug.setupvalue(meta[name], 1, value) then
            assert(pcall(meta[name], grid) == (name == "__gc"))
          end
        end
        debug.setupvalue(meta[name], 1, own)
      end
      assert(tostring(grid):find "^astar grid %d")
    ]]
  end)

  it("causes no crash if its upvalue is replaced and it runs as an iterator", function()
    survives [[
      VALUES[#VALUES + 1] = -1
      VALUES[#VALUES + 1] = 2 ^ 60
      VALUES[#VALUES + 1] = 0 / 0
      local long = astar.grid(99, 9):finder()
      local function iterators()
        local path, search = long:find_path(1, 1, 99, 9), long:search(1, 1, 99, 9)
        search:step(9)
        local cells = path:cells()
        local _, some = debug.getupvalue(cells, 1)
        local list = { cells, long:flow(2, 2):cells(), search:cells(), debug.getmetatable(path).__index,
          debug.getmetatable(search).__index, type(some) == "table" and some[3] or nil }
        return list, path
      end
      for which = 1, #iterators() do
        for upvalue = 1, 3 do
          for i = 1, #VALUES + 5 do
            local list, path = iterators()
            local value = VALUES[i]
            if i > #VALUES then value = select(2, debug.getupvalue(list[i - #VALUES] or list[1], 1)) end
            local _, own = debug.getupvalue(list[which], upvalue)
            if debug.setupvalue(list[which], upvalue, value) then
              for _ = 1, 5 do pcall(list[which], path, "cost") end
              pcall(list[which], {}, "cost")
              debug.setupvalue(list[which], upvalue, own)
            end
          end
        end
      end
    ]]
  end)
end)
