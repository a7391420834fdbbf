-- frames.lua -- the longest frame of a queue whose map is edited, from its first question on.
--
-- Each frame edits the map, a cell or a block, and then updates the queue, in which requests wait at
-- all times. Frames are counted by processor time, so that what else runs on the machine does not
-- count; but the time that a virtual machine is kept from its processor does, and so does what the
-- caches have lost to others. So frames in which the thread was interrupted are counted apart, where
-- the system tells; and beside them frames are measured that do nothing but look at the clock: as
-- many of those come too late by the machine. An hour of frames at 512 wide:
--
--     make bench BENCH='frames side=512 count=216000'
--
-- The program lua of 5.4 collects by generations, now and then all of its heap in one go, whatever the
-- budget. A game that wants even frames does not, nor is it measured here (docs/slices.md).

local astar = require "astar"
local core = require "astar.core"
local maps = require "bench.maps"
local support = require "bench.support"
local random = require "spec.support.random"

local SEED = 7
local BUDGET = 2 -- milliseconds a frame
local WAITING = 20
local BLOCK, EVERY = 64, 30 -- a block comes and goes so often; the other frames edit a cell

local clock, wall_clock = os.clock, core.clock

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

local Measured = {}
Measured.__index = Measured

local function new_measured()
  return setmetatable({ longest = 0, wall = 0, late = 0, alone = 0, longest_alone = 0 }, Measured)
end

-- Kept open, and read as one short line: what measures a frame is not to leave it garbage to collect.
local schedstat = io.open "/proc/thread-self/schedstat"
if schedstat then schedstat:setvbuf "no" end

-- How often this thread was given a processor; always the same where it cannot be told.
local function times_scheduled()
  local line = schedstat and schedstat:seek "set" and schedstat:read "*l"
  return line and line:match "%d+$"
end

-- Takes the time of a frame that calls a function.
function Measured:take(run, ...)
  local before = times_scheduled()
  local start, wall_start = clock(), wall_clock()
  run(...)
  local took = (clock() - start) * 1e3
  self.longest, self.wall = math.max(self.longest, took), math.max(self.wall, (wall_clock() - wall_start) * 1e3)
  if took > BUDGET + 1 then
    local is_alone = times_scheduled() == before
    self.late, self.alone = self.late + 1, self.alone + (is_alone and 1 or 0)
    if is_alone then self.longest_alone = math.max(self.longest_alone, took) end
  end
end

-- A frame in which nothing is done.
local function wait_for_budget()
  local finish_at = wall_clock() + BUDGET / 1000
  while wall_clock() < finish_at do end
end

local function wait_frames(frames)
  local measured = new_measured()
  for _ = 1, frames do measured:take(wait_for_budget) end
  return measured
end

-- Asks for something of a random kind: a path mostly, else the nearest of many goals, a repair, a flow or
-- now and then landmarks.
local function ask(r, queue, grid, finder, unit, width, height, count, last)
  local function cell() return r:int(1, width), r:int(1, height) end
  local sx, sy = cell()
  local kind = unit.jobs and r:int(1, 30) % 5 or 4
  local function job_done(job)
    local is_search = kind == 1 or kind == 2
    count(is_search and job:path(), nil, { restarts = 0 })
    job:close()
  end
  if kind == 1 then
    local goals = {}
    for i = 1, r:int(1, 30) do goals[i] = { cell() } end
    queue:add(finder:finding_nearest(sx, sy, goals), { done = job_done })
  elseif kind == 2 and last then
    queue:add(last:repairing(), { done = job_done })
  elseif kind == 3 and grid:is_walkable(sx, sy) then
    queue:add(finder:flow(sx, sy):completing(), { done = job_done })
  elseif kind == 0 and r:chance(0.02) then
    queue:add(finder:baking { method = "landmarks" }, { done = job_done })
  else
    local gx, gy = cell()
    queue:request(finder, sx, sy, gx, gy, count)
  end
end

-- What frames took, the longest edit, how many requests were answered, and how many of them had been
-- thrown back three times, to go on after edits from then on, and six times: those are asked of a copy
-- of the map.
local function run_frames(grid, unit, frames)
  collectgarbage()
  collectgarbage() -- what was measured before is not to be freed meanwhile
  local r, queue, finder = random.new(SEED), astar.queue(), grid:finder(unit.options)
  local width, height = grid:size()
  local answered, thrown_back, of_copies, longest_edit, last = 0, 0, 0, 0, nil
  local measured = new_measured()
  local function count(path, _, ticket)
    last = path or last
    answered = answered + 1
    thrown_back = thrown_back + (ticket.restarts >= 3 and 1 or 0)
    of_copies = of_copies + (ticket.restarts >= 6 and 1 or 0)
  end
  for frame = 1, frames do
    local start = clock()
    edit(grid, r, frame, width, height)
    longest_edit = math.max(longest_edit, clock() - start)
    while queue:count() < WAITING do
      ask(r, queue, grid, finder, unit, width, height, count, last)
    end
    measured:take(queue.update, queue, { ms = BUDGET })
  end
  return measured, longest_edit * 1e3, answered, thrown_back, of_copies
end

local UNITS = {
  { name = "jps", options = {} },
  { name = "four ways", options = { diagonals = "never" } },
  { name = "size 2", options = { size = 2 } },
  { name = "partial", options = { partial = true } },
  { name = "bends", options = { bends = "fewest" } },
  { name = "any angle", options = { any_angle = true } },
  { name = "and jobs", options = {}, jobs = true },
}

local function measure_frames(report, plan, frames)
  report:note(([[

frames: the longest of %d frames of a queue with a budget of %d ms, over a map that each frame edits, from its
first question on, by processor time and by the wall; the frames that took more than a millisecond more processor
time, those of them in which nobody took the processor, ours at the least, and the longest of these (count=216000 is
an hour); last as many that only wait: of those the machine alone makes some late. Lua collects incrementally]])
    :format(frames, BUDGET))
  report:section("frames", { { "map", "%-12s" }, { "width", "%6d" }, { "unit", " %-10s" },
    { "longest ms", "%11.2f" }, { "wall ms", "%9.2f" }, { "late", "%6d" },
    { "undisturbed", "%12d" }, { "its ms", "%7.2f" },
    { "edit ms", "%8.2f" }, { "answered", "%9d" }, { "thrown back", "%12d" }, { "of copies", "%10d" } })
  local side = math.min(plan.side, plan.largest)
  while side <= plan.largest do
    for _, name in ipairs { "caves", "maze-8" } do
      support.progress(("frames: %s, %d"):format(name, side))
      local rows = maps.kind(name).make(SEED, side, side)
      for _, unit in ipairs(UNITS) do
        local measured, longest_edit, answered, thrown_back, of_copies =
          run_frames(astar.grid(rows), unit, frames)
        report:row { name, side, unit.name, measured.longest, measured.wall, measured.late,
          measured.alone, measured.longest_alone, longest_edit, answered, thrown_back, of_copies }
      end
    end
    side = side * 2
  end
  local waited = wait_frames(frames)
  report:row { "none", 0, "waiting", waited.longest, waited.wall, waited.late, waited.alone,
    waited.longest_alone, 0, 0, 0, 0 }
end

return function(report, plan, options)
  support.collecting_evenly(function()
    measure_frames(report, plan, options.quick and 20 or options.count)
  end)
end
