-- files.lua -- saving a grid, loading it again, and maps in the Moving AI format.

local astar = require "astar"

local grid = astar.grid("..,,.\n.##,.\n.....", {
  terrain = { ["."] = 1, [","] = 3, ["#"] = false },
  origin = { 100, 200 }, -- a chunk of a larger world
})
grid:block(104, 201)
print(tostring(grid) .. ", from (100, 200)")
print(grid:draw())

-- A dump is a string of bytes, the same on every machine: open files for it with "wb" and "rb".
local name = os.tmpname()
local file = assert(io.open(name, "wb"))
file:write(grid:dump())
file:close()

file = assert(io.open(name, "rb"))
local loaded = astar.load(file:read "*a")
file:close()
print(("%d bytes saved and loaded: %s"):format(#grid:dump(), tostring(loaded)))
print(loaded:draw(loaded:find_path(100, 200, 104, 202)))

-- A string that was cut off or altered is refused.
print(pcall(astar.load, grid:dump():sub(1, -2)))

-- Moving AI maps know ground that costs 1 and what cannot be entered; (0, 0) is their first cell.
astar.movingai.write_map(astar.grid("....\n.##.\n...."), name)
local map = astar.movingai.read_map(name)
print "\nthe same as a .map file:"
io.write(astar.movingai.format_map(map))
print(("route from (0, 0) to (3, 2): length %g"):format(map:find_path(0, 0, 3, 2).length))
os.remove(name)
