-- frames.lua -- measures the longest frame of a queue whose map is edited, the first frame included.
--
-- Each frame edits one cell or a block of cells of the map, and then updates the queue. Requests wait in
-- the queue at all times. Frames are measured in processor time, so that other programs on the machine
-- do not count. But processor time includes pauses of a virtual machine, and cache misses caused by
-- other programs. Therefore frames in which the thread was interrupted are counted separately, if the
-- system reports interruptions. The last row measures frames that only read the clock. Its late frames
-- show how many late frames of the other rows the machine alone causes. An hour of frames on maps 512
-- cells wide:
--
--     make bench BENCH='frames side=512 count=216000'
--
-- The generational garbage collector, the default of the program lua 5.4, sometimes traverses its whole
-- heap in one frame, whatever the budget. This section uses the incremental collector, as a game should
-- that wants frames of even length (docs/slices.md).

local astar = require "astar"
local core = require "astar.core"
local maps = require "bench.maps"
local support = require "bench.support"
local random = require "spec.support.random"

local SEED = 7
local BUDGET = 2 -- milliseconds a frame
local WAITING = 20
-- Every EVERY frames, a block of BLOCK x BLOCK cells is blocked or unblocked. The other frames edit one cell.
local BLOCK, EVERY = 64, 30

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

-- The file stays open and is read as one short line, so that the measurement leaves little garbage in a frame.
local schedstat = io.open "/proc/thread-self/schedstat"
if schedstat then schedstat:setvbuf "no" end

-- Returns how often this thread was given a processor, or nil if the system does not report the number.
local function times_scheduled()
  local line = schedstat and schedstat:seek "set" and schedstat:read "*l"
  return line and line:match "%d+$"
end

-- Measures a frame that calls run(...).
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

-- Waits for as long as the budget of a frame.
local function wait_for_budget()
  local finish_at = wall_clock() + BUDGET / 1000
  while wall_clock() < finish_at do end
end

local function wait_frames(frames)
  local measured = new_measured()
  for _ = 1, frames do measured:take(wait_for_budget) end
  return measured
end

-- Adds a random request or job to the queue: mostly a path, else the nearest of many goals, a repair, a flow or,
-- rarely, landmarks.
local function add_request(r, queue, grid, finder, unit, width, height, count, last)
  local function cell() return r:int(1, width), r:int(1, height) end
  local sx, sy = cell()
  local kind = unit.jobs and r:int(1, 30) % 5 or 4
  local function job_done(job)
    count(job.status == "found" and job:path() or nil, nil, { restarts = 0 })
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

-- Runs frames. Returns their measured times, the milliseconds of the longest edit, the number of answered
-- requests, and the numbers of requests that restarted at least three and at least six times.
local function run_frames(grid, unit, frames)
  collectgarbage()
  collectgarbage() -- so that no garbage of earlier measurements is freed during the frames
  local r, queue, finder = random.new(SEED), astar.queue(), grid:finder(unit.options)
  local width, height = grid:size()
  local answered, three_restarts, six_restarts, longest_edit, last = 0, 0, 0, 0, nil
  local measured = new_measured()
  local function count(path, _, ticket)
    last = path or last
    answered = answered + 1
    three_restarts = three_restarts + (ticket.restarts >= 3 and 1 or 0)
    six_restarts = six_restarts + (ticket.restarts >= 6 and 1 or 0)
  end
  for frame = 1, frames do
    local start = clock()
    edit(grid, r, frame, width, height)
    longest_edit = math.max(longest_edit, clock() - start)
    while queue:count() < WAITING do
      add_request(r, queue, grid, finder, unit, width, height, count, last)
    end
    measured:take(queue.update, queue, { ms = BUDGET })
  end
  return measured, longest_edit * 1e3, answered, three_restarts, six_restarts
end

local UNITS = {
  { name = "jps", options = {} },
  { name = "four moves", options = { diagonals = "never" } },
  { name = "size 2", options = { size = 2 } },
  { name = "partial", options = { partial = true } },
  { name = "bends", options = { bends = "fewest" } },
  { name = "any angle", options = { any_angle = true } },
  { name = "with jobs", options = {}, jobs = true },
}

local function measure_frames(report, plan, frames)
  report:note(([[

frames: %d frames of a queue with a budget of %d ms, on a map that is edited in each frame; the first frame is
included. "cpu ms" and "wall ms": the longest frame in processor time and in wall-clock time. "late": frames whose
processor time exceeds the budget by more than 1 ms. "undisturbed": late frames in which no other program ran on the
processor; the next column is the longest of them. "3 restarts" and "6 restarts": requests that restarted at least so
often. The last row is frames that only wait: its late frames are caused by the machine. Lua's garbage collector is
incremental. count=216000 measures an hour.]])
    :format(frames, BUDGET))
  report:section("frames", { { "map", "%-12s" }, { "width", "%6d" }, { "unit", " %-10s" },
    { "cpu ms", "%11.2f" }, { "wall ms", "%9.2f" }, { "late", "%6d" },
    { "undisturbed", "%12d" }, { "longest ms", "%11.2f" },
    { "edit ms", "%8.2f" }, { "answered", "%9d" }, { "3 restarts", "%11d" }, { "6 restarts", "%11d" } })
  local side = math.min(plan.side, plan.largest)
  while side <= plan.largest do
    for _, name in ipairs { "caves", "maze-8" } do
      support.progress(("frames: %s, %d"):format(name, side))
      local rows = maps.kind(name).make(SEED, side, side)
      for _, unit in ipairs(UNITS) do
        local measured, longest_edit, answered, three_restarts, six_restarts =
          run_frames(astar.grid(rows), unit, frames)
        report:row { name, side, unit.name, measured.longest, measured.wall, measured.late,
          measured.alone, measured.longest_alone, longest_edit, answered, three_restarts, six_restarts }
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
