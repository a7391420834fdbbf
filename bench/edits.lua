-- edits.lua -- edits to be timed: of one cell at a time, and of doors on the way.

local support = require "bench.support"

local edits = {}

local SEED = support.SEED

-- A batch of edits, one a cell. Before it, 'undo' of all, and queries, which make good what was
-- put off, so that every edit has all to keep current.
function edits.item(finder, queries, cells, edit, undo)
  return {
    count = #cells,
    prepare = function()
      for _, cell in ipairs(cells) do undo(cell.x, cell.y) end
      support.warm(finder, queries)
    end,
    run = function()
      for i = 1, #cells do edit(cells[i].x, cells[i].y) end
    end,
  }
end

-- The same with a query after each edit.
function edits.item_with_query(finder, queries, cells, edit, undo)
  local item = edits.item(finder, queries, cells, edit, undo)
  item.run = function()
    for i = 1, #cells do
      edit(cells[i].x, cells[i].y)
      local query = queries[i]
      finder:find_path(query.sx, query.sy, query.gx, query.gy)
    end
  end
  return item
end

-- Edits of one cell by name.
function edits.of(grid)
  return {
    block = function(x, y) grid:block(x, y) end,
    unblock = function(x, y) grid:unblock(x, y) end,
    wall = function(x, y) grid:set(x, y, "#") end,
    ground = function(x, y) grid:set(x, y, ".") end,
    none = function() end,
  }
end

-- Cells between two walls: { x =, y =, dx =, dy = }, the latter the way through.
function edits.doors(grid, count)
  local doors = support.pick_cells(grid, SEED, count, support.is_door)
  for _, door in ipairs(doors) do
    door.dx = grid:is_walkable(door.x + 1, door.y) and 1 or 0
    door.dy = 1 - door.dx
  end
  return doors
end

-- From one side of each door to the other: while it is open, right after it was closed, once
-- more, and right after it was opened. The mean seconds of each.
function edits.try_doors(grid, finder, doors)
  local means = { 0, 0, 0, 0 }
  for _, door in ipairs(doors) do
    local dx, dy = door.dx, door.dy
    local function through()
      finder:find_path(door.x - dx, door.y - dy, door.x + dx, door.y + dy)
    end
    local tries = { through, function() grid:block(door.x, door.y) through() end, through,
      function() grid:unblock(door.x, door.y) through() end }
    for i, try in ipairs(tries) do
      means[i] = means[i] + (support.seconds(try) - support.clock_seconds) / #doors
    end
  end
  return means
end

return edits
