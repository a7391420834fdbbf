-- frames.lua -- the longest frame of a queue whose map is edited, from its first question on.
--
-- Each frame edits the map, a cell or a block, and then updates the queue, in which requests wait at
-- all times. Processor time counts, so that what else runs on the machine does not.

local astar = require "astar"
local maps = require "bench.maps"
local support = require "bench.support"
local random = require "spec.support.random"

local SEED = 7
local BUDGET = 2 -- milliseconds a frame
local WAITING = 20
local BLOCK, EVERY = 64, 30 -- a block comes and goes so often; the other frames edit a cell

local clock = os.clock

local function edit(grid, r, frame, width, height)
  if frame % EVERY == 0 then
    local w, h = math.min(BLOCK, width), math.min(BLOCK, height)
    local x, y = r:int(1, width - w + 1), r:int(1, height - h + 1)
    if frame % (2 * EVERY) == 0 then grid:block(x, y, w, h) else grid:unblock(x, y, w, h) end
  else
    local x, y = r:int(1, width), r:int(1, height)
    if r:chance(0.5) then grid:block(x, y) else grid:unblock(x, y) end
  end
end

-- The longest frame, the longest edit, how many frames took a millisecond more than their budget, how
-- many requests were answered, and how many of them had been thrown back three times, to go on after
-- edits from then on, and six times: those are asked of a copy of the map.
local function run_frames(grid, options, frames)
  collectgarbage()
  collectgarbage() -- what was measured before is not to be freed meanwhile
  local r, queue, finder = random.new(SEED), astar.queue(), grid:finder(options)
  local width, height = grid:size()
  local answered, thrown_back, of_copies, longest, longest_edit, late = 0, 0, 0, 0, 0, 0
  local function count(_, _, ticket)
    answered = answered + 1
    thrown_back = thrown_back + (ticket.restarts >= 3 and 1 or 0)
    of_copies = of_copies + (ticket.restarts >= 6 and 1 or 0)
  end
  for frame = 1, frames do
    local start = clock()
    edit(grid, r, frame, width, height)
    longest_edit = math.max(longest_edit, clock() - start)
    while queue:count() < WAITING do
      queue:request(finder, r:int(1, width), r:int(1, height), r:int(1, width), r:int(1, height), count)
    end
    start = clock()
    queue:update { ms = BUDGET }
    local took = (clock() - start) * 1e3
    longest = math.max(longest, took)
    late = late + (took > BUDGET + 1 and 1 or 0)
  end
  return longest, longest_edit * 1e3, late, answered, thrown_back, of_copies
end

local UNITS = {
  { "jps", {} },
  { "four ways", { diagonals = "never" } },
  { "size 2", { size = 2 } },
  { "partial", { partial = true } },
}

return function(report, plan, options)
  local frames = options.quick and 20 or options.count
  report:note(([[

frames: the longest of %d frames of a queue with a budget of %d ms, over a map that each frame edits, from its
first question on; the frames that took more than a millisecond more (count=216000 is an hour of them)]])
    :format(frames, BUDGET))
  report:section("frames", { { "map", "%-12s" }, { "width", "%6d" }, { "unit", " %-10s" },
    { "longest ms", "%11.2f" }, { "late", "%6d" }, { "edit ms", "%8.2f" }, { "answered", "%9d" },
    { "thrown back", "%12d" }, { "of copies", "%10d" } })
  local side = math.min(plan.side, plan.largest)
  while side <= plan.largest do
    for _, name in ipairs { "caves", "maze-8" } do
      support.progress(("frames: %s, %d"):format(name, side))
      local rows = maps.kind(name).make(SEED, side, side)
      for _, unit in ipairs(UNITS) do
        local longest, longest_edit, late, answered, thrown_back, of_copies =
          run_frames(astar.grid(rows), unit[2], frames)
        report:row { name, side, unit[1], longest, late, longest_edit, answered, thrown_back, of_copies }
      end
    end
    side = side * 2
  end
end
