-- walker_saving.lua -- walker:dump writes a walker as a string for saved games, and astar.load_walker reads the string.
--
-- All fields of a walker are saved, so a loaded walker moves exactly like the saved one, to the last bit. The core
-- saves its path. The step that the walker is making may belong to an earlier path, which is then saved, too. Each
-- value is checked when it is loaded, so even a forged string gives a walker that stays on its path.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local core = require(FOLDER .. ".load_core")
local describe = require(FOLDER .. ".describe")
local directions = require(FOLDER .. ".directions")
local savegame = require(FOLDER .. ".savegame")
local walker_of = require(FOLDER .. ".walker")

local walker_saving = {}

-- A number greater than every coordinate and every length of a path.
local FARTHEST = 2 ^ 40

local function is_real(value)
  return type(value) == "number" and value > -FARTHEST and value < FARTHEST
end

local function is_whole(value) return is_real(value) and value % 1 == 0 end
local function is_flag(value) return type(value) == "boolean" end
local function is_real_or_false(value) return value == false or is_real(value) end
local function is_real_or_nil(value) return value == nil or is_real(value) end
local function is_rate(value) return value == false or type(value) == "number" and value > 0 end
local function is_part(value) return is_real(value) and value >= 0 end
local function is_index(value, count) return is_whole(value) and value >= 0 and value <= count end

local function is_heading(value)
  return value == false or type(value) == "string" and rawget(directions, value) ~= nil
end

local function is_link(value)
  return type(value) == "string" or type(value) == "number" or type(value) == "boolean"
end

-- The fields of a walker that are saved, each with the check that its value must pass when it is loaded.
local KINDS = {
  { is_real, "x y at_x at_y back_x back_y from_x from_y to_x to_y dx dy" },
  { is_part, "along back_gap leg velocity" },
  { is_real_or_nil, "bend_x bend_y" },
  { is_real_or_false, "angle faces leg_faces rest" },
  { is_rate, "acceleration turn" },
  { is_whole, "from_cell_x from_cell_y to_cell_x to_cell_y" },
  { is_index, "index next_index leg_end" },
  { is_flag, "straight arrived blocked waiting is_halting is_resting is_returning is_turned needs_repair" },
  { is_heading, "heading" },
  { is_link, "link" },
}
local FIELDS, CHECKS = {}, {}
for _, kind in ipairs(KINDS) do
  for name in kind[2]:gmatch "%S+" do
    FIELDS[#FIELDS + 1], CHECKS[#CHECKS + 1] = name, kind[1]
  end
end

local CORNERS, OF_A_CORNER = { "back_corner", "to_corner" }, { "x", "y", "before_x", "before_y", "after_x", "after_y" }

-- Saving.

--- Returns the walker as a string.
function walker_saving.dump(walker)
  if not core.save_path then
    error("walker:dump needs the C module of astar; see docs/platforms.md", 3)
  elseif walker.path.of_world then
    error("a path of a world does not support this method: call it on the route", 3)
  end
  local step_path = walker.step_path
  local list = {
    core.save_path(walker.path), walker.place ~= core.place, walker.speed, walker.reach,
    step_path and step_path ~= walker.path and core.save_path(step_path) or step_path ~= nil and step_path ~= false,
    walker.step_index,
  }
  local count = 6
  local function add(value) count, list[count + 1] = count + 1, value end
  for _, name in ipairs(FIELDS) do add(walker[name]) end
  for _, name in ipairs(CORNERS) do
    add(walker[name].reach)
    for _, part in ipairs(OF_A_CORNER) do add(walker[name][part]) end
  end
  if walker.by_cost then add(walker.drag) end -- a dump without this value is of a walker at the pace "length"
  return savegame.seal("walker", list, count)
end

-- Loading.

-- Returns the path that a saved value contains. Returns nil if the value is not a saved path, or not a path that this
-- finder can have.
local function load_path(finder, value)
  return type(value) == "string" and core.read_path(finder, value) or nil
end

-- Sets the step that the walker is making: its path and its index there. `value` is true if the path is the walker's
-- own, false if there is no step, otherwise it is another saved path. Returns true if the values are valid.
local function load_step(walker, finder, value, index)
  walker.step_path, walker.step_index = nil, nil
  if value == false then return true end
  local path = value == true and walker.path or load_path(finder, value)
  walker.step_path, walker.step_index = path, index
  return path and is_whole(index) and index >= 1 and index < #path
end

-- Sets the fields of a corner from the values of a list, beginning at the index `at`. Returns true if they are valid.
local function load_corner(corner, list, at)
  corner.reach = list[at]
  local is_sound = is_part(corner.reach) and corner.reach <= 0.5
  for i, part in ipairs(OF_A_CORNER) do
    corner[part] = list[at + i]
    is_sound = is_sound and is_real(list[at + i])
  end
  return is_sound
end

-- Sets the fields of a walker from the values of a list. Returns true if they are valid.
local function load_fields(walker, list)
  local at, is_sound = 6, true
  for i, name in ipairs(FIELDS) do
    is_sound = is_sound and CHECKS[i](list[at + i], walker.count)
    walker[name] = list[at + i]
  end
  at = at + #FIELDS + 1
  for _, name in ipairs(CORNERS) do
    is_sound = load_corner(walker[name], list, at) and is_sound
    at = at + 1 + #OF_A_CORNER
  end
  local drag = list[at]
  walker.by_cost, walker.drag = drag ~= nil, drag == nil and 1 or drag
  is_sound = is_sound and (drag == false and walker.step_path or is_part(walker.drag) and walker.drag > 0)
  return is_sound and walker.index >= 1
end

--- astar.load_walker(string, finder): returns the walker that `walker:dump()` has saved in a string. `finder` must be
-- made with the same options as the finder of the walker's path, on the same map.
function walker_saving.load(text, finder)
  if not core.read_path then
    error("astar.load_walker needs the C module of astar; see docs/platforms.md", 3)
  elseif type(text) ~= "string" then
    error("a walker's dump expected, got " .. describe(text), 3)
  end
  local is_finder, problem = pcall(core.read_path, finder, "")
  if not is_finder then
    error(problem, 3)
  end
  local list = savegame.unseal("walker", text)
  if not list or type(list[1]) ~= "string" then
    error(savegame.refusal("walker", text), 3)
  end
  local path = load_path(finder, list[1])
  if not path then
    error("the walker's path does not fit this finder and its grid", 3)
  end
  local straight
  if list[2] then straight = false end
  local ok, walker = pcall(walker_of, path, { straight = straight, speed = list[3], corner = list[4] })
  if not (ok and load_step(walker, finder, list[5], list[6]) and load_fields(walker, list)) then
    error(savegame.refusal("walker", text), 3)
  end
  walker.seen_x, walker.seen_y, walker.seen_arrived = walker.x, walker.y, walker.arrived
  return walker
end

return walker_saving
