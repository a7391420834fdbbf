-- walker.lua -- astar.walker: moves a sprite along a path, a little in each frame.
--
-- Legs. A walker moves along straight lines between the turning points of its path. It stores only its current leg,
-- the line from one cell of the path to the next: its two ends, and the distance that the walker has moved along it.
-- At the end of a leg it reads the next one from the path. The line goes through the middle of each cell, unless the
-- path is an any-angle path or was smoothed. An update allocates no memory, and a long frame gives the same result as
-- many short ones. The speed is in cells per second, so a diagonal step takes sqrt(2) times as long as a straight
-- one, and the whole path takes path.length / speed seconds.
--
-- Pace. With the option `pace = "cost"` the speed is in cost per second, so that the walker is slow on costly ground.
-- Each leg has a number `drag`, the cost of a cell of its length; without the option, drag is 1. The distance that an
-- update has to cover, and all quantities on which acceleration depends, are then in cost. The drag is read when the
-- leg begins.
--
-- Changes. A new path changes the end of the leg, but never the position of the walker, so the walker cannot jump. It
-- turns round on its leg or finishes it, and so uses only steps that were allowed. Each update checks that the
-- current step, and each step that it begins, is still allowed. If not, the walker goes back to the last cell or
-- stays where it is, and its field `blocked` is true.
--
-- Curves. The position on the leg is (at_x, at_y); all these positions together are called the track. The sprite is
-- drawn at (x, y), which follows a curve at each turn, see corner.lua. The curve stays in the cell of the turn. There
-- may be a curve at either end of a leg. If the path changes while the walker is in a curve, it walks straight to the
-- middle of that cell.
--
-- Hexagons. On a hexagonal grid, positions are in the coordinates of path:center, and the cells of the ends of a leg
-- are stored in separate fields.
--
-- Links. A walker does not move along a link. It stays at the entrance for as long as a straight step takes, with the
-- label of the link in its field `link`. After this time it is at the other end.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local core = require(FOLDER .. ".load_core")
local corner = require(FOLDER .. ".corner")
local describe = require(FOLDER .. ".describe")
local directions = require(FOLDER .. ".directions")
local ground_pace = require(FOLDER .. ".ground_pace")
local later = require(FOLDER .. ".later")
local no_field = require(FOLDER .. ".no_field")
local no_more = require(FOLDER .. ".no_more")
local pace = require(FOLDER .. ".pace")
local plain_options = require(FOLDER .. ".plain_options")
local unknown_option = require(FOLDER .. ".unknown_option")

-- Tolerance for distances in cells. For example, ten frames of 0.1 s add up to a little less than 1 s, and should still
-- be one cell at a speed of one cell per second.
local ROUNDING = 1e-9

-- Tangents of the angles from which on a direction counts as diagonal: on squares 22.5 degrees off an axis, on hexagons
-- 30 degrees off the axis along which the hexagons lie in rows or columns.
local DIAGONAL_FROM, SLANTED_FROM = math.tan(math.pi / 8), math.tan(math.pi / 6)

-- Methods of a path, which can be called without looking them up in the path. If they are called with a value that is
-- no path, they raise the error for this mistake.
local any_path = core.grid(1, 1):find_path(1, 1, 1, 1)
local path_cell, path_link, path_is_valid, path_repair =
  any_path.cell, any_path.link, any_path.is_valid, any_path.repair
local path_center, smooth, path_retarget = any_path.center, any_path.smooth, any_path.retarget
local leads_to, place_of, may_step = core.leads_to, core.place, core.may_step
local atan2 = math.atan2 or math.atan
local PI, sqrt, min, max, abs = math.pi, math.sqrt, math.min, math.max, math.abs
local getmetatable, select, type = getmetatable, select, type -- faster than globals, because each update calls them

-- A walker with a turning rate stands still while the angle between its facing and its direction is larger than this.
local FACING = PI / 2

local Walker = {}
no_field.of_class(Walker, "astar walker", [[
  x y arrived blocked waiting heading angle speed acceleration turn path index link]], [[
  along at_x at_y back_corner back_gap back_x back_y bend_x bend_y by_cost count drag dx dy faces from_cell_x
  from_cell_y from_x from_y is_halting is_resting is_returning is_turned leg leg_end leg_faces needs_repair next_index
  offset place reach
  rest seen_arrived seen_path seen_x seen_y step_index step_path straight to_cell_x to_cell_y to_corner to_x to_y
  velocity]])

-- Legs and corners. In the functions of this file, `self` is a walker.

-- Names of the directions by 3 * dy + dx + 5, a number from 1 to 9.
local NAMES = {}
for _, direction in ipairs(directions) do
  NAMES[3 * direction.dy + direction.dx + 5] = direction.name
end

local function sign(part, other, from)
  if math.abs(part) <= (from + ROUNDING) * math.abs(other) then
    return 0
  end
  return part > 0 and 1 or -1
end

-- Sets the field heading to the name of the grid's direction that is nearest to the vector (dx, dy).
local function face(self, dx, dy)
  local x, y
  if not self.offset then
    x, y = sign(dx, dy, DIAGONAL_FROM), sign(dy, dx, DIAGONAL_FROM)
  elseif self.offset:find "_r$" then
    x, y = sign(dx, dy, 0), sign(dy, dx, SLANTED_FROM)
    x = x == 0 and 1 or x
  else
    x, y = sign(dx, dy, SLANTED_FROM), sign(dy, dx, 0)
    y = y == 0 and 1 or y
  end
  self.heading = NAMES[3 * y + x + 5]
end

-- Starts a leg from (x, y) to (to_x, to_y), a position in the cell 'next_index' of the path.
local function set_leg(self, x, y, to_x, to_y, next_index)
  local dx, dy = to_x - x, to_y - y
  self.from_x, self.from_y, self.to_x, self.to_y = x, y, to_x, to_y
  self.dx, self.dy, self.along, self.next_index = dx, dy, 0, next_index
  self.at_x, self.at_y, self.back_gap = x, y, 0
  self.leg = sqrt(dx * dx + dy * dy)
  if self.leg > 0 then
    face(self, dx, dy)
    self.leg_faces = atan2(dy, dx)
    self.faces = self.leg_faces
  end
end

-- Starts a leg on which the walker stays where it is, at the goal or at the entrance of a link. 'leg' is the length
-- of a leg that would take as long as the wait.
local function set_wait(self, to_x, to_y, next_index, leg)
  self.from_x, self.from_y, self.to_x, self.to_y = self.at_x, self.at_y, to_x, to_y
  self.dx, self.dy, self.along, self.next_index = 0, 0, 0, next_index
  self.leg = leg
end

local function forget_corners(self)
  self.back_corner.reach, self.to_corner.reach = 0, 0
end

-- Sets the curve at the end of the leg, in the path's cell 'index'. (before_x, before_y) is the beginning of the
-- straight line that leads there. There is no curve at the goal and at the entrance of a link.
local function set_corner(self, index, before_x, before_y)
  local path, round = self.path, self.to_corner
  round.reach = 0
  if self.reach == 0 or index >= self.count or path_link(path, index) then
    return
  end
  local x, y, last = self.place(path, index)
  local after_x, after_y = self.place(path, max(last, index + 1))
  corner.set(round, self.reach, x, y, before_x, before_y, after_x, after_y)
end

-- Returns true if the walker is in the curve at the end of its leg.
local function is_in_corner_ahead(self)
  return self.leg - self.along < self.to_corner.reach
end

-- Returns true if the walker is still in the curve at the beginning of its leg.
local function is_in_corner_behind(self)
  return self.back_gap + self.along < self.back_corner.reach
end

-- Stores the two cells that the leg connects, and the position (back_x, back_y) in the first cell, to which the
-- walker would turn back.
local function set_cells(self, back_x, back_y, from_x, from_y, to_x, to_y)
  self.back_x, self.back_y = back_x, back_y
  self.from_cell_x, self.from_cell_y, self.to_cell_x, self.to_cell_y = from_x, from_y, to_x, to_y
end

-- Returns true if the leg is part of a straight line from the position (back_x, back_y). This is false if the goal of
-- the leg was changed in the middle of a step.
local function is_leg_straight(self)
  local x, y = self.at_x - self.back_x, self.at_y - self.back_y
  return abs(self.dx * y - self.dy * x) <= ROUNDING * self.leg
end

-- Turns the walker round on its leg. The two ends of the leg and the curves at them are swapped.
local function turn_back(self, next_index)
  local to_x, to_y, gap = self.to_x, self.to_y, self.leg - self.along
  if not is_leg_straight(self) then
    forget_corners(self)
    self.at_x, self.at_y = self.x, self.y
  end
  set_leg(self, self.at_x, self.at_y, self.back_x, self.back_y, next_index)
  self.back_gap = gap
  self.back_corner, self.to_corner = self.to_corner, self.back_corner
  corner.mirror(self.back_corner)
  corner.mirror(self.to_corner)
  set_cells(self, to_x, to_y, self.to_cell_x, self.to_cell_y, self.from_cell_x, self.from_cell_y)
  self.is_turned = not self.is_turned
end

-- Stores which step of which path the leg belongs to, so that updates can check that the step is allowed. Without a
-- path, the leg belongs to no step and is always allowed. Steps of a path of a world are always allowed, too, because
-- they cannot be checked.
local function set_step(self, path, index)
  self.step_path, self.step_index, self.is_turned = path and not path.of_world and path, index, false
end

-- Returns the distance between the positions of two neighbouring cells of a path, 1 for a link.
local function length_at(self, path, index)
  if path_link(path, index) then return 1 end
  local x, y = self.place(path, index)
  local to_x, to_y = self.place(path, index + 1)
  return sqrt((to_x - x) ^ 2 + (to_y - y) ^ 2)
end

-- Returns the drag of the step from a path's cell 'index' to the next one, and its length. The drag is 1 if the step
-- cannot be made now. The drag is greater than 0, although a link may cost nothing.
local function drag_at(self, path, index)
  local length = length_at(self, path, index)
  local drag = ground_pace(path, index, length)
  return drag and max(drag, ROUNDING) or 1, length, drag ~= nil
end

-- Returns the drag of the walker's leg. The field is false until it is needed. While the step is not allowed, the
-- drag is not stored, so that it is read again once the step is allowed.
local function drag_of(self)
  if self.drag then return self.drag end
  local drag, _, is_open = drag_at(self, self.step_path, self.step_index)
  if is_open then self.drag = drag end
  return drag
end

-- Places the walker on the cell 'index' of its path and starts the leg to the next cell. At the goal the walker
-- arrives.
local function enter_cell(self, index)
  local path, place = self.path, self.place
  local x, y, last = place(path, index)
  local cell_x, cell_y = path_cell(path, index)
  self.index, self.at_x, self.at_y = index, x, y
  self.to_corner.reach = 0
  self.arrived = index == self.count
  self.seen_arrived = self.arrived
  self.link = path_link(path, index) or false
  self.drag = (self.arrived or not self.by_cost) and 1
  if self.arrived then
    self.velocity = 0
    set_step(self, nil)
    set_cells(self, x, y, cell_x, cell_y, cell_x, cell_y)
    return set_wait(self, x, y, index, 0)
  end
  local next_x, next_y = place(path, index + 1)
  set_step(self, path, index)
  set_cells(self, x, y, cell_x, cell_y, path_cell(path, index + 1))
  if self.link then
    set_wait(self, next_x, next_y, index + 1, 1)
  else
    set_leg(self, x, y, next_x, next_y, index + 1)
    if index >= self.leg_end then
      self.bend_x, self.bend_y, self.leg_end = x, y, last
    end
    if index + 1 >= last then
      set_corner(self, index + 1, self.bend_x, self.bend_y)
    end
  end
  self.rest = self.rest and max(self.rest - self.leg * drag_of(self), 0)
end

-- Returns the cell at that end of the leg at which the walker is, or nil if the walker is between the two ends.
local function cell_below(self)
  if self.at_x == self.back_x and self.at_y == self.back_y then
    return self.from_cell_x, self.from_cell_y
  elseif self.at_x == self.to_x and self.at_y == self.to_y then
    return self.to_cell_x, self.to_cell_y
  end
end

-- Ends a leg: enters the next cell of the path, or rests if the walker is halting. A halting walker may have gone back
-- to a cell that is not on its path.
local function land(self)
  if not self.is_halting then
    self.back_corner, self.to_corner = self.to_corner, self.back_corner
    return enter_cell(self, self.next_index)
  end
  self.at_x, self.at_y, self.along = self.to_x, self.to_y, self.leg
  self.index = max(self.next_index, 1)
  self.is_resting, self.waiting, self.link, self.velocity = true, true, false, 0
  forget_corners(self)
end

-- Computes the position (x, y) of the sprite and its direction of movement in radians, stores them in the walker and
-- returns them. The position is also stored in seen_x and seen_y, by which the next update detects that a script has
-- written x or y.
local function show(self)
  local x, y, faces
  local gone, round = self.along, self.to_corner
  local along = gone - self.leg
  if -along >= round.reach then
    round, along = self.back_corner, self.back_gap + gone
  end
  if along >= round.reach then
    x, y, faces = self.at_x, self.at_y, self.leg_faces
  else
    local dx, dy
    x, y, dx, dy = corner.place(round, along)
    faces = atan2(dy, dx)
  end
  self.x, self.y, self.seen_x, self.seen_y, self.faces = x, y, x, y, faces
  return x, y, faces
end

-- Returns true if the current step is no longer allowed in the direction of the path, for example because of a new
-- block.
local function is_step_closed(self)
  return self.step_path and not may_step(self.step_path, self.step_index)
end

-- Turns the walker back to the cell that it comes from, where it will rest.
local function go_back(self)
  turn_back(self, self.next_index - 1)
  self.to_corner.reach = 0
  self.is_halting, self.is_returning = true, true
end

-- Ends a halt because the step is allowed again, and continues along the path.
local function resume(self)
  local is_returning, was_resting = self.is_returning, self.is_resting
  self.is_halting, self.is_returning, self.is_resting = false, false, false
  self.needs_repair, self.blocked, self.waiting = false, false, false
  if is_returning then
    return turn_back(self, self.next_index + 1)
  end
  local x, y = self.place(self.path, self.index)
  if was_resting and x == self.at_x and y == self.at_y then
    self.rest = false
    enter_cell(self, self.index)
  end
end

-- Turns the walker back because its step is no longer allowed, and returns true. Returns false if it must stay where it
-- is: on a cell, in the curve at the beginning of its leg, already turned round, or if the step back is not allowed.
local function try_to_go_back(self)
  self.blocked = true
  local path, index = self.step_path, self.step_index
  if self.is_turned or cell_below(self) or is_in_corner_behind(self) or not may_step(path, index, true) then
    return false
  end
  go_back(self)
  return true
end

-- Moves the walker by a distance along its track, in cells, or in cost by the pace "cost". Most frames do not reach the
-- end of a leg. The function has a tail call in place of a loop, so that LuaJIT compiles it together with the function
-- that calls it.
local function advance(self, distance)
  local path = self.step_path
  if not path or may_step(path, self.step_index, self.is_turned) then
    self.blocked = self.is_halting
  elseif not try_to_go_back(self) then
    self.waiting, self.velocity = true, 0
    return
  end
  local drag = self.drag
  if drag ~= 1 then
    drag = drag_of(self)
    distance = distance / drag
  end
  local along, leg = self.along + distance, self.leg
  if along < leg - ROUNDING then
    self.along = along
    if along > 0 then -- at the beginning of a leg x and y stay integers, because no division turns them into floats
      self.at_x = self.from_x + self.dx * along / leg
      self.at_y = self.from_y + self.dy * along / leg
    end
    return
  end
  distance = max(along - leg, 0)
  if drag ~= 1 then distance = distance * drag end
  land(self)
  if not (self.arrived or self.is_resting) then return advance(self, distance) end
end

-- Acceleration and turning.

-- Returns the cost of the track from the path's cell 'index' to the goal.
local function measure_cost(self, index)
  local cost = 0
  for i = index, self.count - 1 do
    local drag, length = drag_at(self, self.path, i)
    cost = cost + drag * length
  end
  return cost
end

-- Returns the length of the track from the path's cell 'index' to the goal. A link counts as 1, as a straight step.
-- By the pace "cost" the result is the cost of the track.
local function measure(self, index)
  if self.by_cost then return measure_cost(self, index) end
  local path, far = self.path, 0
  local x, y, last = self.place(path, index)
  while index < self.count do
    local is_link = path_link(path, index)
    index = is_link and index + 1 or max(last, index + 1)
    local to_x, to_y, to_last = self.place(path, index)
    far = far + (is_link and 1 or sqrt((to_x - x) ^ 2 + (to_y - y) ^ 2))
    x, y, last = to_x, to_y, to_last
  end
  return far
end

-- Returns the distance that the walker moves in 'dt' seconds, and updates its velocity if it has an acceleration.
local function distance_in(self, dt)
  if not self.acceleration then
    return self.speed * dt
  end
  self.rest = self.rest or measure(self, max(self.next_index, 1))
  local left = (self.leg - self.along) * drag_of(self) + (self.is_halting and 0 or self.rest)
  local distance, velocity = pace(self.velocity, left, dt, self.speed, self.acceleration)
  self.velocity = velocity
  return left - distance < ROUNDING and left or distance
end

-- Returns the angle by which the walker still has to turn, from -pi to pi.
local function turn_left(self)
  return (self.faces - self.angle + PI) % (2 * PI) - PI
end

-- Returns the part of 'dt' in which the walker can move: the time that is left after it has turned until the remaining
-- angle is at most FACING.
local function turn_in_place(self, dt)
  local far = abs(turn_left(self)) - FACING
  return far > 0 and max(dt - far / self.turn, 0) or dt
end

-- Turns the walker towards its direction of movement, by at most 'most' radians.
local function turn(self, most)
  local angle = self.angle + max(min(turn_left(self), most), -most)
  self.angle = (angle + PI) % (2 * PI) - PI
end

-- Moves the walker for 'dt' seconds. Used for a walker without acceleration and turning rate.
local function walk_at_once(self, dt, speed)
  advance(self, speed * dt)
  local x, y, faces = show(self)
  self.angle = faces
  return x, y
end

-- Moves the walker for 'dt' seconds. Used for a walker with an acceleration, a turning rate or both.
local function walk_by_rates(self, dt)
  local time = self.turn and self.angle and turn_in_place(self, dt) or dt
  if time > 0 then
    advance(self, distance_in(self, time))
    show(self)
  end
  if self.turn and self.angle then
    turn(self, self.turn * dt)
  else
    self.angle = self.faces
  end
  return self.x, self.y
end

-- Checks of arguments.

local function is_speed(value)
  return type(value) == "number" and value > 0
end

-- Lua cannot prevent a script from writing fields of a table that are read-only. So each call compares these fields
-- with their last values, restores them and raises an error. CURES has the advice of the error for some fields.
local CURES = {
  path = "call walker:follow(path)",
  arrived = "a walker arrives at the last cell of its path; to stop it, do not update it",
}

-- Restores a read-only field, and raises an error that names the value that a script has written to it.
local function refuse_write(self, name)
  local value = rawget(self, name)
  rawset(self, name, self["seen_" .. name])
  error(("walker.%s is read-only, but was set to %s: %s"):format(name, describe(value),
    CURES[name] or "to move the walker elsewhere, call astar.walker(path) or walker:follow(path)"), 5)
end

local function refuse_writes(self)
  if rawget(self, "x") ~= self.seen_x then refuse_write(self, "x") end
  if rawget(self, "y") ~= self.seen_y then refuse_write(self, "y") end
  if rawget(self, "arrived") ~= self.seen_arrived then refuse_write(self, "arrived") end
  if rawget(self, "path") ~= self.seen_path then refuse_write(self, "path") end
end

-- Raises an error if `self` is not a walker, or if a script has written one of its read-only fields. All methods call
-- this function first, except update, which makes the same checks in less time.
local function check_walker(self)
  if getmetatable(self) ~= Walker then
    error("astar walker expected, got " .. describe(self)
      .. (type(self) == "number" and ": a method is called with a colon, walker:update(dt)" or ""), 3)
  end
  refuse_writes(self)
end

-- The reasons that find_path returns after nil.
local REASONS = {
  ["start blocked"] = true, ["goal blocked"] = true, unreachable = true, max_cost = true, max_expansions = true,
}

-- The message for a path of a world, whose steps have no known cost.
local WORLD_PACE = "pace \"cost\" needs a path of a grid: a walker on a path of a world walks at the pace \"length\""

-- Advice for a blocked goal, which is often the cell of another unit with a block on it.
local BESIDE_BLOCKED = "range = 1 leads next to a blocked goal, ignore = { layer } into it"

-- Raises an error if a value is not a path. `reason` is the argument after the path. If a script passes both results
-- of find_path and there is no path, this argument is the reason.
local function check_path(path, reason)
  if path == nil then
    local why = type(reason) == "string" and (" (%s)"):format(reason) or ""
    local beside = reason == "goal blocked" and "; " .. BESIDE_BLOCKED or ""
    error(("astar path expected, got nil: there was no path%s; check what find_path returned%s"):format(why, beside), 3)
  end
  local is_path, message = pcall(path_cell, path, 1)
  if not is_path then
    error(later(FOLDER .. ".wrong_kind")(message, path), 3)
  end
end

-- Returns an error message if the options are no table or contain a name that is not in the list `known`, else nil.
local function problem_with(options, known)
  if options ~= nil and type(options) ~= "table" then
    return "options must be a table, got " .. describe(options) .. core.meant(options, known, "options")
  end
  return options and unknown_option(options, known)
end

-- Returns an error message if the acceleration or the turning rate is wrong, else nil. Either may be nil or false.
local function problem_with_rates(acceleration, turn_rate)
  if acceleration and not is_speed(acceleration) then
    return "acceleration must be a number > 0, got " .. describe(acceleration)
  elseif turn_rate and not is_speed(turn_rate) then
    return "turn must be a number > 0, got " .. describe(turn_rate)
  end
end

-- Public methods.

--- Moves the walker for `dt` seconds, a number >= 0 of any size. Returns its position x and y, and true if it has
-- reached the goal. At the goal, x and y are the integer coordinates of the goal. The walker begins no step that is
-- not allowed now: it waits, and its field `blocked` is true, until the step is allowed again.
function Walker:update(dt, ...)
  if getmetatable(self) ~= Walker then check_walker(self) end
  local x, y, arrived = self.x, self.y, self.arrived
  if x ~= self.seen_x or y ~= self.seen_y or arrived ~= self.seen_arrived or self.path ~= self.seen_path then
    check_walker(self)
  end
  if select("#", ...) > 0 then no_more("update", 1, ...) end
  local is_duration = type(dt) == "number" and dt >= 0
  if not is_duration then
    error("dt must be a number >= 0, got " .. describe(dt), 2)
  end
  local speed = self.speed
  local is_valid = type(speed) == "number" and speed > 0
  if not is_valid then
    error("speed must be a number > 0, got " .. describe(speed), 2)
  end
  local walk = walk_at_once
  if self.acceleration or self.turn then
    local problem = problem_with_rates(self.acceleration, self.turn)
    if problem then
      error(problem, 2)
    end
    walk = walk_by_rates
  end
  if dt > 0 and not arrived then
    local is_resting = self.is_halting
    if is_resting then -- a halting walker may still be on its way to the cell where it will rest
      if not self.needs_repair and not is_step_closed(self) then
        resume(self)
      end
      is_resting = self.is_resting
    end
    self.waiting = is_resting
    if not is_resting then
      x, y = walk(self, dt, speed)
    end
  end
  return x, y, self.arrived
end

--- Returns the cell where a new path for the walker should begin: the cell on which the walker is. If the walker is
-- between two cells, it is the cell to which the walker moves or, if the step to that cell is no longer allowed, the
-- cell from which it comes.
function Walker:cell(...)
  check_walker(self)
  no_more("cell", 0, ...)
  local x, y = cell_below(self)
  if x then
    return x, y
  elseif not self.is_turned and is_step_closed(self) then
    return self.from_cell_x, self.from_cell_y
  end
  return self.to_cell_x, self.to_cell_y
end

-- Returns true if the first step of a path is the step that the walker is making. (x, y) is the first cell of the
-- path.
local function is_same_step(self, path, x, y)
  if x ~= self.from_cell_x or y ~= self.from_cell_y or #path == 1 then
    return false
  end
  local next_x, next_y = path_cell(path, 2)
  return next_x == self.to_cell_x and next_y == self.to_cell_y and (path_link(path, 1) or false) == self.link
end

-- Starts a leg straight to the position (x, y) in the path's cell 'index', (cell_x, cell_y). The leg belongs to no
-- step, so the cells that it crosses are not checked.
local function go_straight(self, index, cell_x, cell_y, x, y)
  local from_x, from_y = cell_below(self)
  set_cells(self, self.x, self.y, from_x or cell_x, from_y or cell_y, cell_x, cell_y)
  set_leg(self, self.x, self.y, x, y, index)
  forget_corners(self)
  self.drag = drag_of(self) -- the ground below the walker is still the same
  set_step(self, nil)
  self.link = false
end

-- Starts a leg to the position (x, y) in the cell in whose curve the walker is. The walker stays in this cell, so the
-- leg belongs to no step.
local function start_leg_in_cell(self, index, cell_x, cell_y, x, y)
  go_straight(self, index, cell_x, cell_y, x, y)
  set_cells(self, self.x, self.y, cell_x, cell_y, cell_x, cell_y)
end

-- Returns true if the path leaves its cell 'index' in the direction of the end of the curve in which the walker is.
local function leaves_by_curve(self, index)
  local path, round = self.path, self.to_corner
  local x, y, last = self.place(path, index)
  if x ~= self.to_x or y ~= self.to_y or index >= self.count or path_link(path, index) then
    return false
  end
  local after_x, after_y = self.place(path, max(last, index + 1))
  local dx, dy = after_x - x, after_y - y
  return dx * round.after_x + dy * round.after_y >= (1 - ROUNDING) * sqrt(dx * dx + dy * dy)
end

-- Adapts the leg to a new path whose cell 'index' is the cell to which the leg already leads. The leg now ends at the
-- position of the new path in this cell. The curve there gets a reach that is not longer than the rest of the leg.
local function aim(self, index)
  local x, y = self.place(self.path, index)
  self.next_index = index
  if is_in_corner_ahead(self) then
    if leaves_by_curve(self, index) then return end
    start_leg_in_cell(self, index, self.to_cell_x, self.to_cell_y, x, y)
  elseif x ~= self.to_x or y ~= self.to_y then
    set_leg(self, self.x, self.y, x, y, index)
    forget_corners(self)
  end
  if self.leg > self.along then
    local middle_x, middle_y = path_center(self.path, index)
    local off = sqrt((x - middle_x) ^ 2 + (y - middle_y) ^ 2)
    set_corner(self, index, self.from_x, self.from_y)
    self.to_corner.reach = max(min(self.to_corner.reach, corner.MOST_REACH - off, self.leg - self.along), 0)
  end
end

-- Turns the walker back to the first cell of its new path, which is the cell from which it comes.
local function go_back_to(self, cell_x, cell_y, x, y)
  if is_in_corner_behind(self) then
    return start_leg_in_cell(self, 1, cell_x, cell_y, x, y)
  end
  turn_back(self, 1)
  self.to_corner.reach = 0
  aim(self, 1)
end

-- Returns the middle of a path's cell, and the index of the cell where the leg from there ends, which is the next cell.
-- A walker with the option straight = false calls this function in place of core.place, which returns the same values
-- for the line of the path.
local function place_in_middle(path, index)
  local x, y = path_center(path, index)
  return x, y, index + 1
end

-- Stores a path in the walker, smoothed if the option `straight` is true. Returns the stored path.
local function take_path(self, path)
  path = self.straight and smooth(path) or path
  self.path, self.count, self.index, self.offset = path, #path, 1, select(4, place_of(path, 1))
  self.seen_path = path
  self.leg_end, self.rest = 0, false
  return path
end

-- Gives the walker a new path and adapts its leg, so that it continues from its present position.
local function follow(self, path)
  path = take_path(self, path)
  local cell_x, cell_y = path_cell(path, 1)
  local x, y = self.place(path, 1)
  local below_x, below_y = cell_below(self)
  self.is_halting, self.is_returning, self.is_resting = false, false, false
  self.arrived, self.seen_arrived = false, false
  self.needs_repair, self.blocked, self.waiting = false, false, false
  if is_same_step(self, path, cell_x, cell_y) then
    local is_link = self.link
    set_step(self, path, 1)
    self.drag = not self.by_cost and 1
    if not is_link then aim(self, 2) else self.next_index = 2 end
  elseif x == self.x and y == self.y then
    forget_corners(self)
    enter_cell(self, 1)
  elseif below_x == cell_x and below_y == cell_y then
    go_straight(self, 1, cell_x, cell_y, x, y)
  elseif cell_x == self.to_cell_x and cell_y == self.to_cell_y then
    aim(self, 1)
  elseif cell_x == self.from_cell_x and cell_y == self.from_cell_y then
    go_back_to(self, cell_x, cell_y, x, y)
  else
    go_straight(self, 1, cell_x, cell_y, x, y)
    self.drag = 1
  end
end

--- Gives the walker another path. The walker continues from its present position and never jumps. The annotations in
-- core.d.lua say how it moves to a path that does not begin at `walker:cell()`.
function Walker:follow(path, ...)
  check_walker(self)
  if path ~= nil or not REASONS[(...) or false] then no_more("follow", 1, ...) end
  check_path(path, ...)
  if self.by_cost and path.of_world then error(WORLD_PACE, 2) end
  follow(self, path)
end

-- Halts the walker because its path cannot be continued. It walks to the end of its step, or back to the beginning if
-- the step is not allowed ('is_closed'), and rests there.
local function halt(self, is_closed)
  self.is_halting, self.needs_repair, self.blocked = true, true, true
  if cell_below(self) or is_closed and is_in_corner_behind(self) then
    self.is_resting, self.waiting, self.velocity = true, true, 0
  elseif is_closed and not self.is_turned then
    go_back(self)
  elseif is_in_corner_ahead(self) then
    start_leg_in_cell(self, self.next_index, self.to_cell_x, self.to_cell_y, self.to_x, self.to_y)
  else
    self.to_corner.reach = 0
  end
end

-- Returns true if the walker has not reached the first cell of its path and the step there is no longer allowed. A
-- repair of the path cannot help: the walker needs another path, or the block must be removed.
local function is_cut_off(self)
  return (self.next_index == 0 or self.next_index == 1 and not self.is_turned) and is_step_closed(self)
end

-- Returns true if a new path from the cell 'from' of the walker's path is not cheaper than the rest of the walker's
-- path, which is still allowed.
local function is_no_better(self, path, from)
  if self.path.partial then return false end
  local rest = path_repair(self.path, { from = from })
  local other = self.straight and smooth(path) or path
  return rest and rest.cost <= other.cost * (1 + ROUNDING)
end

-- Makes the walker follow the best path from the cell 'from' of its own path. If its own path is still allowed, the
-- walker changes only to a cheaper one.
local function follow_best(self, path, from)
  if not path_is_valid(self.path, from) or not is_no_better(self, path, from) then
    follow(self, path)
  elseif self.is_halting then
    resume(self)
  end
end

-- Searches a new rest of the path and follows it. The new rest begins at the cell to which the walker moves, unless
-- the step there is no longer allowed. 'bad' is the index of the first cell of the path that its unit can no longer
-- enter, nil if it can enter all cells. Returns the path, or nil and the reason if there is none.
local function find_rest(self, bad, optimal)
  local is_walking = self.next_index == self.index + 1 and not cell_below(self)
  local is_closed = is_walking and bad == self.next_index
  local from = is_walking and not is_closed and self.next_index or self.index
  local path, reason = path_repair(self.path, { from = from, optimal = optimal })
  if not path then
    halt(self, is_closed)
    return nil, reason
  elseif bad then
    follow(self, path)
  else
    follow_best(self, path, from)
  end
  return self.path
end

-- Returns the index of the cell of the walker's path where a new path should begin: the cell to which the walker
-- moves, if that cell is on the path and the step is allowed; else the last cell of the path that the walker entered
-- (1 if there is none).
local function index_to_begin_at(self)
  local index = self.next_index
  local is_closed = index > self.index and is_step_closed(self)
  return not is_closed and not cell_below(self) and index >= 1 and index <= self.count and index or self.index
end

local OF_REPAIRS, OF_RETARGETS = { "optimal" }, { "bound" }

-- Returns the option optimal of a repair. Raises an error if an option is wrong, or if the path is one of a world.
local function read_repair(self, options)
  options = plain_options(options, OF_REPAIRS)
  local problem = problem_with(options, OF_REPAIRS)
  local optimal = not problem and options and rawget(options, "optimal") or nil
  if problem or optimal ~= nil and type(optimal) ~= "boolean" then
    error(problem or ("optimal must be a boolean, got " .. describe(optimal)), 3)
  end
  if self.path.of_world then
    error("a path of a world does not support this method: call it on the route", 3)
  end
  return optimal
end

--- Returns a job that does the work of `repair` in steps, for a queue. The walker continues to move until the job is
-- finished.
function Walker:repairing(options, ...)
  check_walker(self)
  no_more("repairing", 1, ...)
  return later(FOLDER .. ".walker_job")(self, read_repair(self, options), follow_best)
end

--- Repairs the walker's path after edits of the map, and follows the repaired path. Returns the path. If there is no
-- route, returns nil and the reason; the walker then goes to the next cell and waits there.
function Walker:repair(options, ...)
  check_walker(self)
  no_more("repair", 1, ...)
  local optimal = read_repair(self, options)
  local is_valid, bad = path_is_valid(self.path, self.index)
  if is_cut_off(self) then
    halt(self, true)
    return nil, "start blocked"
  elseif is_valid and not optimal then
    if self.is_halting then
      resume(self)
    end
    return self.path
  end
  return find_rest(self, bad, optimal)
end

--- Changes the goal of the walker's path, for example because its target unit has moved, and follows the new path, see
-- path:retarget. Returns the path. If there is no route, returns nil and the reason, and for a blocked goal also
-- advice; the walker then keeps its old path.
function Walker:retarget(gx, gy, options, ...)
  check_walker(self)
  no_more("retarget", 3, ...)
  options = plain_options(options, OF_RETARGETS)
  local problem = problem_with(options, OF_RETARGETS)
  if problem or self.path.of_world then
    error(problem or "a path of a world does not support this method: call it on the route", 2)
  end
  if leads_to(self.path, gx, gy) and not self.blocked and path_is_valid(self.path, self.index) then
    return self.path
  end
  local how = { from = index_to_begin_at(self), bound = options and rawget(options, "bound") }
  local ok, path, reason = pcall(path_retarget, self.path, gx, gy, how)
  if not ok then
    error(path, type(path) == "string" and path:find "^%a+ must be" and 2 or 0)
  elseif path then
    follow(self, path)
    return self.path
  end
  return nil, reason, reason == "goal blocked" and "give the finder one of these options: " .. BESIDE_BLOCKED or nil
end

--- Returns the walker as a string for a saved game, which astar.load_walker reads.
function Walker:dump(...)
  check_walker(self)
  no_more("dump", 0, ...)
  return (later(FOLDER .. ".walker_saving").dump(self))
end

local OPTIONS = { "speed", "straight", "corner", "acceleration", "turn", "pace" }

local function is_corner(value)
  return type(value) == "number" and value >= 0 and value <= corner.MOST_REACH
end

-- Returns the values of the options of astar.walker, or raises an error if one is wrong.
local function read_options(options)
  options = plain_options(options, OPTIONS)
  local problem = problem_with(options, OPTIONS)
  if problem then
    error(problem, 3)
  end
  local function read(name, default)
    local value = options and rawget(options, name)
    if value == nil then return default end
    return value
  end
  local speed, straight, reach = read("speed", 1), read "straight", read("corner", 0.4)
  local acceleration, turn_rate, pace_name = read("acceleration", false), read("turn", false), read("pace", "length")
  if not is_speed(speed) then
    problem = "speed must be a number > 0, got " .. describe(speed)
  elseif pace_name ~= "length" and pace_name ~= "cost" then
    problem = 'pace must be "length" or "cost", got ' .. describe(pace_name)
  elseif straight ~= nil and type(straight) ~= "boolean" then
    problem = "straight must be a boolean, got " .. describe(straight)
  elseif not is_corner(reach) then
    problem = "corner must be a number from 0 to 0.5, got " .. describe(reach)
  end
  problem = problem or problem_with_rates(acceleration, turn_rate)
  if problem then
    error(problem, 3)
  end
  return speed, straight, reach, acceleration, turn_rate, pace_name == "cost"
end

--- astar.walker(path [, options]): returns a walker on the first cell of `path`. Options:
-- speed: cells per second, a number > 0, 1 by default; a script may change the field `speed` at any time;
-- pace: "length" (the default), or "cost", with which the speed is in cost per second;
-- straight: if true, the path is smoothed; if false, the walker moves from middle to middle of its cells;
-- corner: the distance in cells before a turning point at which a curve begins, from 0 to 0.5, 0.4 by default;
-- acceleration: in cells per second squared; without it, the walker always has its full speed;
-- turn: the turning rate in radians per second; without it, the walker faces its direction immediately.
return function(path, options, ...)
  no_more("walker", 2, ...)
  check_path(path, options)
  local speed, straight, reach, acceleration, turn_rate, by_cost = read_options(options)
  if by_cost and path.of_world then error(WORLD_PACE, 2) end
  local walker = {
    speed = speed, straight = straight or false, reach = reach, acceleration = acceleration, turn = turn_rate,
    by_cost = by_cost, drag = 1,
    place = straight == false and place_in_middle or place_of, velocity = 0,
    heading = false, faces = false, leg_faces = false, blocked = false, waiting = false,
    is_halting = false, is_returning = false, is_resting = false, needs_repair = false,
    back_corner = corner.new(), to_corner = corner.new(), back_gap = 0,
  }
  take_path(walker, path)
  enter_cell(walker, 1)
  walker.x, walker.y, walker.angle = walker.at_x, walker.at_y, walker.faces
  walker.seen_x, walker.seen_y = walker.x, walker.y
  return setmetatable(walker, Walker)
end
