-- Every method there is, called with every wrong self, and on objects whose finalizer was called by
-- hand; every function of the modules, called with what it cannot take. What only some of them
-- take is in bad_input_spec.lua and the specs of the features.

local astar = require "astar"
local public = require "spec.support.public"

local function forge(metatable)
  local stranger = newproxy and newproxy(true) or io.tmpfile()
  debug.setmetatable(stranger, metatable)
  return stranger
end

local function is_right(path) return path and #path == 9 and math.abs(path.cost - 8 * math.sqrt(2)) < 1e-9 end

local function control() assert.is_true(is_right(astar.grid(9, 9):find_path(1, 1, 9, 9))) end

-- Calls at a line of its own: a Lua error there, or nil and the message.
local function call(f, ...)
  local chunk = (loadstring or load)("local f = ... local result = f(select(2, ...)) return result", "=row")
  local ok, message = pcall(chunk, f, ...)
  return ok, tostring(message)
end

-- The wrong selves of a class: nothing at all is { n = 0 }.
local function strangers(class)
  local list = {
    { n = 0 }, { nil, n = 1 }, { {}, n = 1 }, { 3, n = 1 }, { "grid", n = 1 }, { true, n = 1 }, { print, n = 1 },
    { io.stdout, n = 1 }, { coroutine.create(function() end), n = 1 },
    { setmetatable({}, { __index = function() return 1 end, __name = class.title }), n = 1 },
  }
  for _, other in ipairs(public.methods) do
    if other.class ~= class.class and other.name < "c" then list[#list + 1] = { other.object, n = 1 } end
  end
  if type(class.object) == "userdata" then
    list[#list + 1] = { forge(debug.getmetatable(class.object)), n = 1 }
    list[#list + 1] = { setmetatable({}, debug.getmetatable(class.object)), n = 1 }
  end
  return list
end

describe("a wrong self", function()
  for _, method in ipairs(public.methods) do
    it(("is refused by %s:%s"):format(method.class, method.name), function()
      for i, self in ipairs(strangers(method)) do
        for _, rest in ipairs { {}, { 1, 1, 1, 1 } } do
          local arguments = { self[1], rest[1], rest[2], rest[3], rest[4] }
          local ok, message = call(method.call, unpack and unpack(arguments, 1, self.n + #rest)
            or table.unpack(arguments, 1, self.n + #rest))
          assert.is_false(ok, "accepted stranger " .. i)
          if self.n == 1 then
            assert.matches("^row:1: " .. method.title .. " expected, got ", message)
          end
        end
      end
      control()
    end)
  end
end)

describe("a closed object", function()
  local function new(class)
    local grid = astar.grid(9, 9)
    local finder = grid:finder()
    if class == "grid" then return grid end
    if class == "finder" then return finder end
    if class == "path" then return finder:find_path(1, 1, 9, 9) end
    if class == "search" then return finder:search(1, 1, 9, 9) end
    if class == "field" then return astar.field(grid) end
    if class == "flow" then return finder:flow(9, 9) end
    if class == "crowd" then return astar.crowd(finder) end
    if class == "unit" then return astar.crowd(finder):add(1, 1) end
  end

  for _, method in ipairs(public.methods) do
    if new(method.class) then
      it(("is refused by %s:%s"):format(method.class, method.name), function()
        local object = new(method.class)
        local gc = debug.getmetatable(object).__gc
        gc(object)
        gc(object)
        local ok, message = call(method.call, object, 1, 1, 1, 1)
        for most = 3, 0, -1 do -- as many as it takes
          if not message:find(" takes ", 1, true) then break end
          ok, message = call(method.call, object, (unpack or table.unpack)({ 1, 1, 1 }, 1, most))
        end
        if method.name == "close" then
          assert.is_true(ok, message)
        else
          assert.equal(("row:1: %s is closed"):format(method.class), message)
        end
        assert.is_string(tostring(object))
        control()
      end)
    end
  end
end)

describe("a wrong argument", function()
  for _, f in ipairs(public.functions) do
    if f.name ~= "queue" and f.name ~= "world" then -- need none
      it(("is refused by %s.%s"):format(f.class, f.name), function()
        local thread = coroutine.create(function() end)
        local number = f.name == "workers" and 0.5 or 3
        for _, value in ipairs { false, number, {}, print, io.stdout, thread, 0 / 0, astar.queue() } do
          local ok, message = call(f.call, value)
          assert.is_false(ok, "accepted " .. tostring(value))
          assert.matches("^row:1: ", message)
        end
        if f.name ~= "preload" then -- takes none
          local ok, message = call(f.call)
          assert.is_false(ok, "accepted nothing")
          assert.matches("^row:1: ", message)
        end
        control()
      end)
    end
  end
end)
