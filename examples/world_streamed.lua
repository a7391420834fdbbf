-- world_streamed.lua -- chunks that take time to load: coroutines load the most urgent chunks of the route first.
--
-- In a game, a request to a server or a file that another thread reads takes the place of a coroutine. In LÖVE that is
-- love.thread, see examples/love/world.

local astar = require "astar"

local AT_A_TIME, TICKS = 3, 4 -- chunks under way at once, and how long each takes

local asked = {} -- in the order of asking

local world = astar.world { load = function() return nil end } -- not there yet

-- Rock with a gap, which is another one in each column of chunks.
local function rows_of(cx)
  local rows, gap = {}, 8 + cx * 17 % 48
  for y = 1, 64 do rows[y] = ("."):rep(31) .. (y > gap and y < gap + 4 and ".." or "##") .. ("."):rep(31) end
  return rows
end

-- ---- the loader ----

local jobs, count = {}, 0

local function load_later(cx, cy)
  return coroutine.wrap(function()
    for _ = 1, TICKS do coroutine.yield(false) end -- here one would wait for the answer
    world:put_chunk(cx, cy, rows_of(cx))
    return true
  end)
end

-- One tick: what is done goes, and of what is wanted the most urgent is begun.
local function stream()
  for name, job in pairs(jobs) do
    if job() then jobs[name], count = nil, count - 1 end
  end
  for _, at in ipairs(world:wanted(AT_A_TIME)) do
    local name = at.cx .. "," .. at.cy
    if count < AT_A_TIME and not jobs[name] then
      jobs[name], count = load_later(at.cx, at.cy), count + 1
      asked[#asked + 1] = name
    end
  end
end

-- ---- a walk ----

local finder = world:finder()
local gx, gy = 600, 40
local x, y, route = 1, 1, nil
local ticks, waited, walked, steps = 0, 0, 0, {}

repeat
  ticks = ticks + 1
  stream()
  if #steps > 0 then
    local step = table.remove(steps, 1)
    x, y = step[1], step[2]
  else
    if not route then route = finder:find_route(x, y, gx, gy) end
    local path = route and route:stretch() -- asks anew where chunks have come
    if path then
      walked = walked + path.cost
      for cx, cy in path:cells() do steps[#steps + 1] = { cx, cy } end
    else
      waited = waited + 1
    end
  end
until x == gx and y == gy

print(("at (%d, %d) after %d ticks, of which %d waiting for chunks"):format(x, y, ticks, waited))
print(("%d chunks came, the first: %s"):format(#asked, table.concat(asked, "  ", 1, 6)))
print(("walked for %.1f, where all is known the best way costs %.1f"):format(walked,
  finder:find_route(1, 1, gx, gy, { exact = true }).cost))
