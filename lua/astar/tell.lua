-- tell.lua -- the results of tostring for the objects of the C module, such as "astar path of 12 cells, cost 14.5".

local describe = require((...):match "^(.+)[./][^./]+$" .. ".describe")

local tell = {}

tell["astar grid"] = function(grid)
  local width, height = grid:size()
  local shape, how = grid:shape()
  local kind = shape == "hex" and " hexagons" or how and ", wrap " .. how or ""
  return ("astar grid %d x %d%s"):format(width, height, kind)
end

tell["astar field"] = function(field) return ("astar field %d x %d"):format(field:size()) end

tell["astar path"] = function(path)
  return ("astar path of %d cells, cost %s"):format(#path, describe(path.cost))
end

tell["astar graph path"] = function(path)
  return ("astar graph path of %d nodes, cost %s"):format(#path, describe(path.cost))
end

tell["astar route"] = function(route) return "astar route, cost " .. describe(route.cost) end

tell["astar world"] = function(world) return ("astar world, %d chunks"):format(world:stats().chunks) end

tell["astar crowd"] = function(crowd)
  return ("astar crowd, %d units, %d under way"):format(#crowd, crowd.under_way)
end

tell["astar unit"] = function(unit)
  if unit.state == "removed" then return "astar unit, removed" end
  local x, y = unit:cell()
  return ("astar unit at %d, %d, %s"):format(x, y, unit.state)
end

tell["astar workers"] = function(workers)
  local count = workers:count()
  return count > 0 and "astar workers, " .. count or "astar workers (closed)"
end

tell["astar baked data"] = function(baked)
  return ("astar baked data, %s, %d bytes"):format(baked.method, baked.bytes)
end

tell["astar job"] = function(job) return "astar job, " .. job.status end

for _, name in ipairs { "astar search", "astar graph search", "astar route search", "astar resolving job" } do
  tell[name] = function(job) return ("%s, %s, %s expanded"):format(name, job.status, describe(job.expanded)) end
end

--- Returns the text of tostring for an object that is not closed. `name` is its type, such as "astar path". For types
-- without a function above, the text is the type alone.
return function(name, object) return tell[name] and tell[name](object) or name end
