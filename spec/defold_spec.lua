-- What goes into the archive for Defold, in a stand-in for the engine: tools/defold, the Lua in one file, and what its
-- editor completes. The C of it is compiled by spec/archives.lua.

local process = require "spec.support.process"

local function read_file(name)
  local file = assert(io.open(name))
  local text = file:read "*a"
  file:close()
  return text
end

-- All of the Lua in one file, by its name.
local function make_one_file()
  local name = os.tmpname()
  local files = "$(ls lua/astar/*.lua lua/astar/*/*.lua | grep -v -e astar/love -e /plain/ -e core.d.lua)"
  local output, status = process.shell(("%s tools/one_file.lua core %s >%s"):format(process.interpreter(), files, name))
  assert(status == 0, output)
  return name
end

-- Lua that finds the C module as Defold's does, in package.preload, and no other file of astar.
local PRELUDE = [[
  package.cpath = %q
  local core = require "astar.core"
  package.loaded["astar.core"], package.preload["astar.core"] = nil, function() return core end
  package.path, package.cpath = "", ""
  package.preload["astar.astar"] = assert(loadfile %q)
]]

local ENGINE = [[
  lines = 0
  msg = { post = function(to, what) lines = lines + (to == "@render:" and what == "draw_line" and 1 or 0) end }
  vmath = { vector3 = function(x, y, z) return { x = x, y = y, z = z } end, vector4 = function() return {} end }
  hash = function(name) return name end
  dofile "tools/defold/example/example.script"
  local self = {}
  init(self)
  update(self, 0)
  print(lines)
  on_input(self, hash "touch", { pressed = true, x = 19.5 * 32, y = 0.5 * 32 }) -- the last cell
  for _ = 1, 600 do update(self, 1 / 60) end
  print(self.x, self.y)
  on_input(self, hash "touch", { pressed = true, x = 2.5 * 32, y = 12.5 * 32 })  -- in a wall
  on_input(self, hash "touch", { pressed = true, x = 700, y = 12.5 * 32 })
]]

describe("the archive for Defold", function()
  local one_file
  setup(function() one_file = make_one_file() end)
  teardown(function() os.remove(one_file) end)

  local function run(code)
    local output, status = process.run_alone(PRELUDE:format(package.cpath, one_file) .. code)
    assert(status == 0, output)
    return output
  end

  it("contains all of the module's Lua in one file, for the C module", function()
    assert.equal("c\t4.0\ttrue\ttrue\ttrue\n", run [[
      local astar = require "astar.astar"
      local crowd, tiled = astar.crowd(astar.grid(3, 3):finder()), astar.tiled
      local _, message = pcall(astar.grid, 3, 3, { terain = {} })
      local path = astar.grid("...\n.#.\n..."):find_path(1, 2, 3, 2, { diagonals = "never" })
      print(astar.implementation, ("%.1f"):format(path.cost), crowd ~= nil, tiled.grid ~= nil,
        message:find('did you mean "terrain"', 1, true) ~= nil)
    ]])
  end)

  it("contains an example that walks to a click", function()
    local output = run(ENGINE)
    local version, cost, lines, x, y, reason = output:match
      "^astar\t(%S+)\t([%d.]+)\n(%d+)\n[%d.]+\n([%d.]+)\t([%d.]+)\n([^\n]+)\n$"
    assert(version, output)
    assert.equal(require("astar")._VERSION, version)
    assert.is_true(tonumber(cost) > 19)
    local map = read_file("tools/defold/example/example.script"):match "%[%[(.-)%]%]"
    local _, walls = map:gsub("#", "")
    assert.equal(2 * walls + 2, tonumber(lines)) -- a cross for each, and one for the walker
    assert.same({ 20, 15 }, { tonumber(x), tonumber(y) })
    assert.equal("goal blocked", reason)
  end)

  it("lists in the manifest of the extension the names that its C++ file declares", function()
    local name = read_file("tools/defold/astar/ext.manifest"):match '\nname: "(%w+)"'
    local source = read_file "tools/defold/astar/src/extension.cpp"
    assert.is_truthy(source:find("DM_DECLARE_EXTENSION(" .. name .. ",", 1, true))
    assert.is_truthy(source:find('"astar.core"', 1, true) and source:find("luaopen_astar_core", 1, true))
  end)

  it("lists completions for each function of the module and of its tables", function()
    local text, status = process.shell(process.interpreter() .. " tools/script_api.lua")
    assert(status == 0, text)
    local astar, missing = require "astar", {}
    local function look(owner, names, indent)
      for _, name in ipairs(names) do
        local kind = type(owner[name]) == "function" and "function" or "table"
        if not text:find(("\n%s- name: %s\n%s  type: %s\n"):format(indent, name, indent, kind), 1, true) then
          missing[#missing + 1] = name
        end
      end
    end
    look(astar, { "grid", "load", "shared", "queue", "workers", "field", "walker", "floors", "world", "movingai" },
      "    ")
    look(astar.tiled, { "load", "grid", "objects", "graph" }, "        ")
    look(astar.movingai, { "read_map", "write_map", "read_scenarios" }, "        ")
    assert.same({}, missing)
    for line in text:gmatch "[^\n]+" do -- one line a value, quoted where it is text
      assert.is_truthy(line:find "^#" or line:find '^ *-? ?%l+:$' or line:find '^ *-? ?%l+: [%w_. ]+%.?$'
        or line:find '^ *-? ?%l+: "[^"]*"$' or line:find '^ *desc: "(.*)"$', line)
    end
  end)
end)
