-- steps.lua -- runs the jobs of the module in slices, for the queries of questions.lua and journeys.lua. `context` is
-- described at questions.answer.

local steps = {}

steps.MOST_AT_ONCE = 500 -- entries of a list that are made between two looks at the clock

-- Lets others go on between so many entries of a long list.
function steps.pause_at(context, i)
  if i % steps.MOST_AT_ONCE == 0 then context.pause() end
end

-- Runs a job in slices, others served in between, and closes it: what take(job, status) returns for its last status, or
-- "timeout" as the status. An edit of the map in between ends it by an error, see asking.lua.
function steps.run(job, context, take)
  local status
  local ok, problem = pcall(function()
    repeat
      status = job:step { ms = context.left() }
      if status ~= "running" then return end
      context.pause()
    until context.clock() > context.deadline
    status = "timeout"
  end)
  local results = ok and take and table.pack(pcall(take, job, status))
  job:close()
  if not ok then error(problem, 0) end
  if not take then return status end
  if not results[1] then error(results[2], 0) end
  return table.unpack(results, 2, results.n)
end

-- The stamp of the map for which each finder was prepared last. While it stays, queries make no job to prepare it.
local prepared_for = setmetatable({}, { __mode = "k" })

-- The finder of a unit over a grid, with all built that it needs of the map, in slices; nil if that takes too long.
-- Only then are calls short that are made in one go, such as finder:reachable.
function steps.finder_of(map, context, unit)
  local finder, is_new = map:finder(unit)
  local stamp = map:stamp()
  if prepared_for[finder] == stamp then return finder end
  if is_new then context.check_memory(map) end
  if steps.run(finder:preparing(), context) == "timeout" then return nil end
  prepared_for[finder] = stamp
  return finder
end

local function take_path(job, status)
  local path, which
  if status == "found" then path, which = job:path() end
  if path then return path, which end
  return nil, status
end

-- Runs a search: its path and the number of its goal, or nil and the reason.
function steps.find(search, context)
  return steps.run(search, context, take_path)
end

return steps
