-- edits.lua -- makes edits for measurements: edits of one cell, and doors that close and open between two cells.

local support = require "bench.support"

local edits = {}

local SEED = support.SEED

-- Returns an item for support.compare: a batch of edits, one per cell. Before each batch, 'undo' reverses the edits,
-- and queries perform the deferred updates. Therefore each edit has to keep all data of the grid up to date.
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

-- Returns the item of edits.item with a query after each edit.
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

-- Returns functions that edit one cell of a grid, by name.
function edits.of(grid)
  return {
    block = function(x, y) grid:block(x, y) end,
    unblock = function(x, y) grid:unblock(x, y) end,
    wall = function(x, y) grid:set(x, y, "#") end,
    ground = function(x, y) grid:set(x, y, ".") end,
    none = function() end,
  }
end

-- Returns free cells between two walls as { x =, y =, dx =, dy = }. dx and dy are the direction through the door.
function edits.doors(grid, count)
  local doors = support.pick_cells(grid, SEED, count, support.is_door)
  for _, door in ipairs(doors) do
    door.dx = grid:is_walkable(door.x + 1, door.y) and 1 or 0
    door.dy = 1 - door.dx
  end
  return doors
end

-- Queries a path from one side of each door to the other. Returns the mean seconds of four queries: while the door is
-- open, with closing the door, while it is closed, and with opening it.
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
