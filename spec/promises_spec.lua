-- docs/promises.md: what was dumped by 1.0 is loaded by every 1.x. The dumps lie in spec/dumps as they were written, in
-- hexadecimal digits; what they were made of is made here anew. They are never made anew themselves once 1.0.0 is out:
-- ASTAR_WRITE_DUMPS=1 did it, with 1.0.0-rc.

local astar = require "astar"

local MAKERS = {}

function MAKERS.grid()
  local grid = astar.grid("..,,\n.#.~\n..,.\n", {
    terrain = { ["."] = 1, [","] = 2.5, ["#"] = false, ["~"] = 1000 }, origin = { -3, 7 },
  })
  grid:block(-3, 9, 2, 1)
  grid:link(-3, 7, 0, 9, { cost = 2, label = "stairs" })
  grid:link(0, 7, -2, 9, { cost = 1, one_way = true })
  grid:wall(-1, 8, "east")
  return grid
end

function MAKERS.hexagons()
  local grid = astar.grid(5, 4, {
    shape = "hex", offset = "even_q", terrain = { [1] = 1, [2] = 3, [true] = false }, fill = 1,
  })
  grid:set(2, 2, 2)
  grid:set(3, 3, true)
  grid:block(5, 4)
  return grid
end

function MAKERS.graph()
  local graph = astar.graph()
  graph:node("gate", 0, 0)
  graph:node(7, 3, 4)
  graph:node("tower", 6, 0)
  graph:edge("gate", 7)
  graph:edge(7, "tower", { cost = 9, label = "road", one_way = true })
  return graph
end

local LOAD = { grid = astar.load, hexagons = astar.load, graph = astar.graph.load }

local function file_of(name)
  return "spec/dumps/" .. name .. "-1.0.txt"
end

local function write(name, bytes)
  local digits = bytes:gsub(".", function(c) return ("%02x"):format(c:byte()) end)
  local file = assert(io.open(file_of(name), "w"))
  file:write((digits:gsub(("."):rep(64), "%0\n")), "\n")
  file:close()
end

local function read(name)
  local file = assert(io.open(file_of(name)))
  local digits = file:read("*a"):gsub("%s", "")
  file:close()
  return (digits:gsub("..", function(two) return string.char(tonumber(two, 16)) end))
end

describe("a dump that 1.0 wrote", function()
  for name, make in pairs(MAKERS) do
    it("is loaded: " .. name, function()
      if os.getenv "ASTAR_WRITE_DUMPS" then write(name, make():dump()) end
      local loaded = LOAD[name](read(name))
      assert.equal(make():dump(), loaded:dump())
    end)
  end
end)
