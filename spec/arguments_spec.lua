-- An argument too many is an error that names it, everywhere: all functions and methods there are, with
-- as many arguments as lua/astar/core.d.lua says they take, and one more.

local astar = require "astar"
local core = require "astar.core"
local public = require "spec.support.public"
local unpack = table.unpack or unpack -- luacheck: ignore

local file = assert(io.open "lua/astar/core.d.lua")
local ANNOTATIONS = file:read "*a"
file:close()

local function count(parameters)
  local n = 0
  for name in parameters:gmatch "([%a_][%w_]*)%??[^,]*" do n = n + (name ~= "self" and 1 or 0) end
  return n
end

-- How many arguments a function takes, in the longest of its forms: { ["Grid:get"] = 2, ... }; one whose last are "..."
-- takes any number, and each is looked at.
local most, overloads = {}, {}
for line in ANNOTATIONS:gmatch "[^\n]+" do
  local overload = line:match "^%-%-%-@overload fun(%b())"
  local name, parameters = line:match "^function ([%w_.:]+)(%b()) end"
  if overload then
    overload = overload:sub(2, -2):gsub("%b{}", ""):gsub("%b<>", ""):gsub("%b()", ""):gsub(":[^,]*", "")
    overloads[#overloads + 1] = count(overload)
  elseif name then
    most[name] = math.max(count(parameters:sub(2, -2)), unpack(overloads))
    if parameters:find("...", 1, true) then most[name] = math.huge end
    overloads = {}
  end
end

local function of(class) return (class:gsub("^astar%.", ""):gsub("^(%l)", string.upper)) end

-- { title =, name =, most =, call(...) }
local functions = {
  { title = "core.clock", name = "clock", most = 0, call = core.clock },
  { title = "core.check_graph_question", name = "check_graph_question", most = 4, call = core.check_graph_question },
  { title = "core.is_graph_finder", name = "is_graph_finder", most = 1, call = core.is_graph_finder },
  { title = "core.batch", name = "batch", most = 1, call = core.batch },
  { title = "core.is_for_workers", name = "is_for_workers", most = 1, call = core.is_for_workers },
  { title = "core.check_query", name = "check_query", most = 6, call = core.check_query },
}
for _, method in ipairs(public.methods) do
  local title = of(method.class) .. ":" .. method.name
  functions[#functions + 1] = {
    title = title, name = method.name, most = most[title],
    call = function(...) return method.call(method.object, ...) end,
  }
end
for _, f in ipairs(public.functions) do
  local title = f.class .. "." .. f.name
  functions[#functions + 1] = {
    title = title, name = f.name, most = most[title] or most[title:match "%w+%.[%w_]+$"], call = f.call,
  }
end
for _, name in ipairs { "queue", "walker" } do -- modules of one function each
  local title = "astar." .. name
  functions[#functions + 1] = { title = title, name = name, most = most[title], call = astar[name] }
end

-- The error of a call with 'last' arguments, the last of them 'value', the others 'before'.
local function message_of(f, last, value, before)
  local arguments = {}
  for i = 1, last - 1 do arguments[i] = before end
  arguments[last] = value
  local ok, message = pcall(f.call, unpack(arguments, 1, last))
  return not ok and tostring(message) or ""
end

describe("a superfluous argument", function()
  for _, f in ipairs(functions) do
    it("raises an error that names the superfluous argument, for " .. f.title, function()
      assert.is_number(f.most, "not annotated")
      if f.most == math.huge then return end
      local takes = f.most == 0 and "no arguments" or f.most == 1 and "1 argument" or f.most .. " arguments"
      local text = ('%s takes %s, got "extra" as argument %%d'):format(f.name, takes)
      for more = 1, 3 do
        local message = message_of(f, f.most + more, "extra")
        assert.is_truthy(message:find(text:format(f.most + more), 1, true), message)
      end
    end)

    it("is accepted if the superfluous argument is nil, for " .. f.title, function()
      if f.most == math.huge then return end
      assert.is_nil(message_of(f, f.most + 3, nil):find(" takes ", 1, true))
      if f.most > 0 then assert.is_nil(message_of(f, f.most, "extra", 1):find(" takes ", 1, true)) end
    end)
  end

  it("is detected in functions that accept a variable number of arguments", function()
    local grid = astar.grid(3, 3)
    local finder = grid:finder()
    local ok, message = pcall(astar.load_crowd, astar.crowd(finder):dump(), finder, "extra")
    assert.same({ false, 'astar finder expected, got "extra"' }, { ok, message })
  end)

  it("is detected by the number of parameters of each form of a function", function()
    local grid = astar.grid(3, 3)
    local finder, field = grid:finder(), astar.field(grid)
    for text, call in pairs {
      ["grid takes 2 arguments, got 3 as argument 3"] = function() astar.grid("..", {}, 3) end,
      ["grid takes 2 arguments, got 4 as argument 3"] = function() astar.grid({ ".." }, {}, 4) end,
      ["field takes 1 argument, got a table as argument 2"] = function() astar.field(grid, {}) end,
      ["flow takes 2 arguments, got a table as argument 3"] = function() finder:flow({ { 1, 1 } }, {}, {}) end,
    } do
      local ok, message = pcall(call)
      assert.is_false(ok)
      assert.is_truthy(message:find(text, 1, true), message)
    end
    field:fill(5, nil, nil, nil)
    assert.equal(5, field:get(3, 3))
  end)

  it("is accepted if the superfluous argument is a trailing nil", function()
    local finder = astar.grid(3, 3):finder()
    assert.equal(2, #finder:find_path(1, 1, 2, 2, nil))
    assert.equal(2, #finder:find_path(1, 1, 2, 2, nil, nil, nil))
    assert.equal(2, #astar.grid("..", nil, nil):find_path(1, 1, 2, 1, nil, nil))
    assert.equal(1, finder:flow({ { 1, 1 } }, nil, nil, nil):distance(1, 2))
    assert.equal(1, (astar.walker(finder:find_path(1, 1, 2, 2), nil, nil):update(0, nil)))
  end)
end)
