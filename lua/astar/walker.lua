-- walker.lua -- moves a sprite along a path, a little each frame.
--
-- A walker goes by distance along the straight lines between the path's turning points, from cell
-- to cell: its place in each is where the line is, which is the middle where that goes by eight
-- directions. So a diagonal step takes sqrt 2 times as long as a straight one, and all of it as long
-- as path.length. It keeps only the leg it is on, the way from one cell to the next, and asks the
-- path for another when it gets there: an update makes no garbage, and a frame as long as many
-- cells is walked like many short ones.
--
-- A leg is the line from one place to another and how far along it the walker is. A new path
-- changes where it leads to, never where the walker is: so it cannot jump. It turns round on
-- the leg it is on, or walks it to its end, and thereby stays on steps that it could take. Each update
-- asks whether the step that it is on, and each that it begins, may be made now: where not it goes
-- back, or stays, and says so by `blocked`.
--
-- On hexagons places are by the middles of cells, as path:center has them; which cells they are in
-- is kept beside.
--
-- Over a link nothing is walked: the walker stays at its entrance as long as a straight step
-- takes, with the link's label in the field `link`, and is then at its other end.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local core = require(FOLDER .. ".load_core")
local describe = require(FOLDER .. ".describe")
local directions = require(FOLDER .. ".directions")
local no_field = require(FOLDER .. ".no_field")
local no_more = require(FOLDER .. ".no_more")
local unknown_option = require(FOLDER .. ".unknown_option")

-- Ten frames of 0.1 s add up to a little less than a second; at one cell a second that is
-- a cell all the same.
local ROUNDING = 1e-9

-- A direction is diagonal from 22.5 degrees off the axes on; on hexagons, which have six, from 30 on
-- off the axis that they lie in rows along.
local DIAGONAL_FROM, SLANTED_FROM = math.tan(math.pi / 8), math.tan(math.pi / 6)

-- The methods themselves, taken from a path, refuse whatever is not a path.
local any_path = core.grid(1, 1):find_path(1, 1, 1, 1)
local path_cell, path_link, path_is_valid, path_repair =
  any_path.cell, any_path.link, any_path.is_valid, any_path.repair
local place_of, may_step = core.place, core.may_step

local Walker = {}
no_field.of_class(Walker, "astar walker", "x y arrived blocked heading speed path index link", [[
  along back_x back_y count dx dy from_cell_x from_cell_y from_x from_y is_halting is_resting is_returning is_turned leg
  needs_repair next_index offset step_index step_path to_cell_x to_cell_y to_x to_y]])

-- ---- legs ----

local NAMES = {}
for _, direction in ipairs(directions) do
  NAMES[3 * direction.dy + direction.dx] = direction.name
end

local function sign(part, other, from)
  if math.abs(part) <= (from + ROUNDING) * math.abs(other) then
    return 0
  end
  return part > 0 and 1 or -1
end

-- Faces where (dx, dy) leads, by the name of a direction that the grid has.
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
  self.heading = NAMES[3 * y + x]
end

-- Begins a leg, which leads to the path's cell 'next_index'.
local function set_leg(self, x, y, to_x, to_y, next_index)
  local dx, dy = to_x - x, to_y - y
  self.from_x, self.from_y, self.to_x, self.to_y = x, y, to_x, to_y
  self.dx, self.dy, self.along, self.next_index = dx, dy, 0, next_index
  self.leg = math.sqrt(dx * dx + dy * dy)
  if self.leg > 0 then
    face(self, dx, dy)
  end
end

-- Stays where it is, at the goal or at the entrance of a link: a leg on which nothing moves.
local function set_wait(self, to_x, to_y, next_index, leg)
  self.from_x, self.from_y, self.to_x, self.to_y = self.x, self.y, to_x, to_y
  self.dx, self.dy, self.along, self.next_index = 0, 0, 0, next_index
  self.leg = leg
end

-- Says which cells the leg leads from and to, and where it was in the first; nil: it leads from none.
local function set_cells(self, back_x, back_y, from_x, from_y, to_x, to_y)
  self.back_x, self.back_y = back_x, back_y
  self.from_cell_x, self.from_cell_y, self.to_cell_x, self.to_cell_y = from_x, from_y, to_x, to_y
end

local function turn_back(self, next_index)
  local to_x, to_y = self.to_x, self.to_y
  set_leg(self, self.x, self.y, self.back_x, self.back_y, next_index)
  set_cells(self, to_x, to_y, self.to_cell_x, self.to_cell_y, self.from_cell_x, self.from_cell_y)
  self.is_turned = not self.is_turned
end

-- Says which step of a path the leg is, to know whether it is closed; none: no step.
-- A path of a world cannot be asked: its steps count as open.
local function set_step(self, path, index)
  self.step_path, self.step_index, self.is_turned = path and not path.of_world and path, index, false
end

-- Stands on cell 'index' of the path, about to walk to the one after it.
local function enter_cell(self, index)
  local path = self.path
  local x, y = place_of(path, index)
  local cell_x, cell_y = path_cell(path, index)
  self.index, self.x, self.y = index, x, y
  self.arrived = index == self.count
  self.link = path_link(path, index) or false
  if self.arrived then
    set_step(self, nil)
    set_cells(self, x, y, cell_x, cell_y, cell_x, cell_y)
    return set_wait(self, x, y, index, 0)
  end
  local next_x, next_y = place_of(path, index + 1)
  set_step(self, path, index)
  set_cells(self, x, y, cell_x, cell_y, path_cell(path, index + 1))
  if self.link then
    set_wait(self, next_x, next_y, index + 1, 1)
  else
    set_leg(self, x, y, next_x, next_y, index + 1)
  end
end

-- The cell it is on, nil between two.
local function cell_below(self)
  if self.x == self.back_x and self.y == self.back_y then
    return self.from_cell_x, self.from_cell_y
  elseif self.x == self.to_x and self.y == self.to_y then
    return self.to_cell_x, self.to_cell_y
  end
end

-- The end of a leg: that of one back to where it came from need not be a cell of the path.
local function land(self)
  if not self.is_halting then
    return enter_cell(self, self.next_index)
  end
  self.x, self.y, self.along = self.to_x, self.to_y, self.leg
  self.index = math.max(self.next_index, 1)
  self.is_resting, self.link = true, false
end

-- Whether the step that it is on cannot be made now, the way that the path leads.
local function is_step_closed(self)
  return self.step_path and not may_step(self.step_path, self.step_index)
end

-- Turns back to the cell that it comes from, to rest there.
local function go_back(self)
  turn_back(self, self.next_index - 1)
  self.is_halting, self.is_returning = true, true
end

-- After a halt: the way is free again.
local function resume(self)
  local is_returning, was_resting = self.is_returning, self.is_resting
  self.is_halting, self.is_returning, self.is_resting = false, false, false
  self.needs_repair, self.blocked = false, false
  if is_returning then
    return turn_back(self, self.next_index + 1)
  end
  local x, y = place_of(self.path, self.index)
  if was_resting and x == self.x and y == self.y then
    enter_cell(self, self.index)
  end
end

-- Whether it may walk on along its leg; where not it goes back, if it is between two cells and can, or stays.
local function may_go_on(self)
  local path, index = self.step_path, self.step_index
  if not path or may_step(path, index, self.is_turned) then
    self.blocked = self.is_halting
    return true
  end
  self.blocked = true
  if self.is_turned or cell_below(self) or not may_step(path, index, true) then
    return false
  end
  go_back(self)
  return true
end

local function advance(self, distance)
  repeat
    if not may_go_on(self) then
      return
    end
    local along = self.along + distance
    if along < self.leg - ROUNDING then
      self.along = along
      if along > 0 then -- on a cell x and y stay the whole numbers they are
        self.x = self.from_x + self.dx * along / self.leg
        self.y = self.from_y + self.dy * along / self.leg
      end
      return
    end
    distance = math.max(along - self.leg, 0)
    land(self)
  until self.arrived or self.is_resting
end

-- ---- arguments ----

local function is_speed(value)
  return type(value) == "number" and value > 0
end

local function is_duration(value)
  return type(value) == "number" and value >= 0
end

local function check_walker(self)
  if getmetatable(self) ~= Walker then
    error("astar walker expected, got " .. describe(self), 3)
  end
end

-- Raises what the path's own method says of what is not a path.
local function check_path(path)
  local is_path, message = pcall(path_cell, path, 1)
  if not is_path then
    error(message, 3)
  end
end

-- The only option there may be, or nil; and what is wrong with the options.
local function read_option(options, known)
  if options == nil then
    return nil
  elseif type(options) ~= "table" then
    return nil, "options must be a table, got " .. describe(options)
  end
  local unknown = unknown_option(options, { known })
  if unknown then
    return nil, unknown
  end
  return rawget(options, known)
end

-- ---- walking ----

--- Walks on for `dt` seconds and returns where the walker is then.
-- dt: a number >= 0, however large. Returns x, y and whether the goal is reached; there
-- x and y are the goal's own whole numbers. No step is begun that is closed now: it is `blocked` then,
-- until that is free.
function Walker:update(dt, ...)
  check_walker(self)
  no_more("update", 1, ...)
  if not is_duration(dt) then
    error("dt must be a number >= 0, got " .. describe(dt), 2)
  end
  local speed = self.speed
  if not is_speed(speed) then
    error("speed must be a number > 0, got " .. describe(speed), 2)
  end
  if dt > 0 and not self.arrived then
    if self.is_halting and not self.needs_repair and not is_step_closed(self) then
      resume(self)
    end
    if not self.is_resting then
      advance(self, speed * dt)
    end
  end
  return self.x, self.y, self.arrived
end

--- The cell from which a new path for it should begin: the one it is on; between two the one
-- it walks to, or, where the step to that has been closed, the one it comes from.
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

-- Whether the path begins with the very step that it is on, from cell (x, y).
local function is_same_step(self, path, x, y)
  if x ~= self.from_cell_x or y ~= self.from_cell_y or #path == 1 then
    return false
  end
  local next_x, next_y = path_cell(path, 2)
  return next_x == self.to_cell_x and next_y == self.to_cell_y and (path_link(path, 1) or false) == self.link
end

-- Has the leg lead to the path's cell 'index', which it leads to already, to where the path is in that.
local function aim(self, index)
  local x, y = place_of(self.path, index)
  if x ~= self.to_x or y ~= self.to_y then
    set_leg(self, self.x, self.y, x, y, index)
  end
  self.next_index = index
end

-- Goes to the path's first cell, (cell_x, cell_y), whatever lies between.
local function go_straight(self, cell_x, cell_y)
  local from_x, from_y = cell_below(self)
  local x, y = place_of(self.path, 1)
  set_cells(self, self.x, self.y, from_x, from_y, cell_x, cell_y)
  set_leg(self, self.x, self.y, x, y, 1)
  set_step(self, nil)
  self.link = false
end

local function follow(self, path)
  local cell_x, cell_y = path_cell(path, 1)
  local x, y, _, offset = place_of(path, 1)
  local below_x, below_y = cell_below(self)
  local is_same = is_same_step(self, path, cell_x, cell_y)
  self.path, self.count, self.index, self.offset = path, #path, 1, offset
  self.is_halting, self.is_returning, self.is_resting = false, false, false
  self.arrived, self.needs_repair, self.blocked = false, false, false
  if is_same then
    aim(self, 2)
    set_step(self, path, 1)
  elseif x == self.x and y == self.y then
    enter_cell(self, 1)
  elseif below_x == cell_x and below_y == cell_y then
    go_straight(self, cell_x, cell_y)
  elseif cell_x == self.to_cell_x and cell_y == self.to_cell_y then
    aim(self, 1)
  elseif cell_x == self.from_cell_x and cell_y == self.from_cell_y then
    turn_back(self, 1)
    aim(self, 1)
  else
    go_straight(self, cell_x, cell_y)
  end
end

--- Goes on along another path, from where it is: it never jumps. See core.d.lua on how it
-- comes to a path that does not begin at `walker:cell()`.
function Walker:follow(path, ...)
  check_walker(self)
  no_more("follow", 1, ...)
  check_path(path)
  follow(self, path)
end

-- There is no way on: it walks to the next cell, or back where the step there is closed, and rests.
local function halt(self, is_closed)
  self.is_halting, self.needs_repair, self.blocked = true, true, true
  if cell_below(self) then
    self.is_resting = true
  elseif is_closed and not self.is_turned then
    go_back(self)
  end
end

-- The way to the path's first cell has been closed: only a new path can help, or an open door.
local function is_cut_off(self)
  return (self.next_index == 0 or self.next_index == 1 and not self.is_turned) and is_step_closed(self)
end

-- Finds a new rest of the path, from the cell ahead unless that is the one which has been closed.
local function find_rest(self, bad, optimal)
  local is_walking = self.next_index == self.index + 1 and not cell_below(self)
  local is_closed = is_walking and bad == self.next_index
  local from = is_walking and not is_closed and self.next_index or self.index
  local path, reason = path_repair(self.path, { from = from, optimal = optimal })
  if path then
    follow(self, path)
  else
    halt(self, is_closed)
  end
  return path, reason
end

--- Makes its path good again, where it has been closed, and follows it: the path, or nil and
-- the reason; then it walks to the next cell and waits there for a way.
function Walker:repair(options, ...)
  check_walker(self)
  no_more("repair", 1, ...)
  local optimal, problem = read_option(options, "optimal")
  if problem or optimal ~= nil and type(optimal) ~= "boolean" then
    error(problem or ("optimal must be a boolean, got " .. describe(optimal)), 2)
  end
  if self.path.of_world then
    error("a path of a world cannot do this: ask its route", 2)
  end
  local is_valid, bad = path_is_valid(self.path, self.index)
  if is_cut_off(self) then
    halt(self, true)
    return nil, "start blocked"
  elseif is_valid then
    if self.is_halting then
      resume(self)
    end
    return self.path
  end
  return find_rest(self, bad, optimal)
end

--- astar.walker(path [, { speed = 1 }]): a walker on the first cell of `path`.
-- speed: cells a second, a number > 0; the field `speed` may be changed on the way.
return function(path, options, ...)
  no_more("walker", 2, ...)
  check_path(path)
  local speed, problem = read_option(options, "speed")
  speed = speed == nil and 1 or speed
  if problem or not is_speed(speed) then
    error(problem or ("speed must be a number > 0, got " .. describe(speed)), 2)
  end
  local walker = {
    path = path, count = #path, speed = speed, heading = false, offset = select(4, place_of(path, 1)),
    is_halting = false, is_returning = false, is_resting = false, needs_repair = false, blocked = false,
  }
  enter_cell(walker, 1)
  return setmetatable(walker, Walker)
end
