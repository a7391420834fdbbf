-- crowd_games.lua -- three games with a crowd in each, played without a window: does it bear building?
--
--     lua5.4 spec/support/crowd_games.lua [rts|colony|defence|all] [frames [plays]]
--     games.play("rts", frames, { seed = 1 }) -> figures
--
-- Sixty frames a second. In each the player points at a place for a building: blocked, asked about, unblocked. Twice
-- a second one is built or razed. The crowd has its recipe of docs/crowd/crowds.md: crowd:step with a budget, then
-- crowd:update. Counted by what is drawn, and by states:
--
-- - stands: frames in which somebody has wanted on for a beat or longer, and nobody was drawn elsewhere than in the
--   last one
-- - overlaps: pairs of discs that come too near, by frame_checker
-- - waits: the most seconds that a unit has stood which wants on and has a way; late: of those who stood over ten
-- - late frames: those whose edits, orders and beats took more than a millisecond over the budget, the least of all
--   plays: chance is the seed's, so each play is the same, and what another process took away is in one of them only

local astar = require "astar"
local frame_checker = require "spec.support.frame_checker"
local random = require "spec.support.random"

local games = {}

local FRAME = 1 / 60
local EDIT_EVERY = 30       -- frames
local LONGEST_WAIT = 10 * 60 -- frames
games.BUDGET = 2e-3         -- seconds that crowd:step may take in a frame
games.SLICE = 1000          -- expansions, by which it does

-- ---- the player, who builds ----

local function is_free(game, x, y, w, h)
  for row = y - 1, y + h do
    for column = x - 1, x + w do
      local is_inside = column >= 1 and row >= 1 and column <= game.width and row <= game.height
      if not is_inside or not game.grid:is_walkable(column, row) then
        return false
      end
      if game.crowd:unit_at(column, row) or game:is_wanted(column, row) then return false end
    end
  end
  return true
end

-- Whether all go on finding their way with a building there; asked as games do, by an edit that is undone.
local function may_build(game, x, y, w, h)
  game.grid:block(x, y, w, h, "buildings")
  local may = true
  for _, way in ipairs(game.ways) do
    may = may and game.finder:reachable(way[1], way[2], way[3], way[4])
  end
  game.grid:unblock(x, y, w, h, "buildings")
  return may
end

local function point_at_place(game)
  local place = game.pointer
  if game.frame % 20 == 1 then
    place = { x = game.dice:int(2, game.width - 5), y = game.dice:int(2, game.height - 5),
      w = game.dice:int(1, 3), h = game.dice:int(1, 3) }
    game.pointer = place
  end
  place.x = math.max(2, math.min(game.width - 4, place.x + game.dice:int(-1, 1)))
  place.may = may_build(game, place.x, place.y, place.w, place.h)
end

-- As many stand as the game has room for: then the oldest goes.
local function build(game)
  if #game.buildings >= game.most_buildings then
    local old = table.remove(game.buildings, game.dice:int(1, #game.buildings))
    game.grid:unblock(old.x, old.y, old.w, old.h, "buildings")
    return
  end
  for _ = 1, 20 do
    local near = game.crowd:units()[game.dice:int(1, math.max(1, #game.crowd))]
    local x, y = game.dice:int(2, game.width - 4), game.dice:int(2, game.height - 4)
    if near and game.dice:chance(0.5) then -- in somebody's way
      local ux, uy = near:cell()
      x, y = ux + game.dice:int(-6, 6), uy + game.dice:int(-6, 6)
    end
    local w, h = game.dice:int(1, 3), game.dice:int(1, 3)
    if is_free(game, x, y, w, h) and may_build(game, x, y, w, h) then
      game.grid:block(x, y, w, h, "buildings")
      game.buildings[#game.buildings + 1] = { x = x, y = y, w = w, h = h }
      return
    end
  end
end

-- ---- the games ----

local function new_game(width, height, seed, terrain)
  return { width = width, height = height, dice = random.new(seed), frame = 0, buildings = {}, most_buildings = 60,
    ways = {}, added = {}, grid = astar.grid(width, height, terrain), is_wanted = function() return false end }
end

local function add(game, x, y, options)
  local unit = game.crowd:add(x, y, options)
  if unit then game.added[#game.added + 1] = unit end
  return unit
end

local kinds = {}

-- 400 units of two sides on 512 x 512: each of sixteen groups is sent somewhere as one, in a shape now and then.
function kinds.rts(seed)
  local game = new_game(512, 512, seed)
  local dice, grid = game.dice, game.grid
  for _ = 1, 250 do grid:fill(dice:int(20, 480), dice:int(20, 480), dice:int(2, 14), dice:int(2, 14), "#") end
  grid:fill(1, 1, 18, 512, ".")
  game.finder = grid:finder()
  -- 25 goals are new with each order: distances take all they may, which is to fit into ten frames' budgets
  game.crowd = astar.crowd(game.finder, { speed = 6, expansions = 2 ^ 17 })
  game.ways = { { 2, 2, 510, 510 }, { 2, 510, 510, 2 } }
  game.groups = {}
  local function place()
    local x, y
    repeat x, y = dice:int(20, 490), dice:int(20, 490) until game.finder:reachable(2, 2, x, y)
    return x, y
  end
  for group = 1, 16 do
    local units, x0, y0 = {}, place()
    for i = 0, 80 do
      local x, y = x0 + i % 9 - 4, y0 + math.floor(i / 9) - 4
      if #units < 25 and game.finder:reachable(2, 2, x, y) then
        units[#units + 1] = add(game, x, y, { side = group % 2 == 0 and "red" or "blue" })
      end
    end
    game.groups[group] = units
  end
  local shapes = { false, "box", "line", false, "wedge", "keep" }
  function game.order()
    if game.frame % 45 ~= 1 then return end
    local turn = math.floor(game.frame / 45)
    local x, y = place()
    local shape = shapes[turn % #shapes + 1]
    game.crowd:go(game.groups[turn % 16 + 1], x, y, shape and { shape = shape } or { partial = true })
  end
  return game
end

-- 60 colonists and their carts in rooms with doors; each goes to a place of its own, and doors are shut behind.
function kinds.colony(seed)
  local game = new_game(160, 120, seed, { terrain = { ["."] = 1, m = 2, ["#"] = false }, fill = "." })
  local dice, grid = game.dice, game.grid
  for _ = 1, 60 do grid:fill(dice:int(2, 140), dice:int(2, 100), dice:int(3, 15), dice:int(3, 15), "m") end
  game.doors = {}
  for room = 0, 19 do
    local x, y = 6 + room % 5 * 31, 6 + math.floor(room / 5) * 28
    grid:fill(x, y, 18, 15, "#")
    grid:fill(x + 1, y + 1, 16, 13, ".")
    for _, door in ipairs { { x + 8, y }, { x + 9, y + 14 }, { x, y + 7 } } do
      grid:set(door[1], door[2], ".")
      game.doors[#game.doors + 1] = { x = door[1], y = door[2] }
    end
  end
  game.finder = grid:finder()
  game.crowd = astar.crowd(game.finder, { speed = 5 })
  for room = 0, 19 do
    game.ways[room + 1] = { 1, 1, 10 + room % 5 * 31, 10 + math.floor(room / 5) * 28 }
  end
  game.most_buildings = 40
  local function place()
    local x, y
    repeat x, y = dice:int(1, 160), dice:int(1, 120)
    until game.finder:reachable(1, 1, x, y)
    return x, y
  end
  while #game.added < 60 do add(game, place()) end
  -- a job is done, and the next one begun: where somebody else has its own, the place is taken
  local goals, rests = {}, {}
  game.is_wanted = function(_, x, y) return goals[y * 1000 + x] ~= nil end
  local function send(unit)
    local x, y = place()
    if goals[y * 1000 + x] then return end
    local old_x, old_y = unit:goal()
    if old_x then goals[old_y * 1000 + old_x] = nil end
    if unit:go(x, y, { partial = true }) then
      x, y = unit:goal()
      goals[y * 1000 + x] = unit
      rests[unit] = nil
    end
  end
  function game.order()
    for _, unit in ipairs(game.crowd:units()) do
      if unit.state == "arrived" then
        rests[unit] = (rests[unit] or 0) + 1
        if rests[unit] > 60 then send(unit) end
      end
    end
    -- one door more in two seconds is locked for a while, from where somebody may have to go round
    if game.frame % 120 == 60 then
      local door = game.doors[dice:int(1, #game.doors)]
      if game.shut then game.grid:unblock(game.shut.x, game.shut.y, 1, 1, "doors") end
      game.shut = nil
      if not game.crowd:unit_at(door.x, door.y) and not game:is_wanted(door.x, door.y) then
        game.grid:block(door.x, door.y, 1, 1, "doors")
        game.shut = door
      end
    end
  end
  return game
end

-- Creeps of two sizes and four speeds come in from the west without end, and leave in the east.
function kinds.defence(seed)
  local game = new_game(64, 40, seed)
  local dice = game.dice
  game.finder = game.grid:finder()
  game.big = game.grid:finder { size = 2 }
  game.crowd = astar.crowd(game.finder, { speed = 6 })
  game.ways = { { 1, 20, 64, 20 } }
  game.most_buildings = 70
  game.is_wanted = function(_, x) return x < 4 or x > 60 end
  function game.order()
    if game.frame % 12 == 1 then
      local is_big = dice:chance(0.1)
      local unit = add(game, 1, dice:int(1, 39), { finder = is_big and game.big or nil,
        speed = dice:pick { 6, 6, 4.5, 3, 2 } })
      if unit then unit:go(is_big and 63 or 64, 20, { range = 12 }) end
    end
    for _, unit in ipairs(game.crowd:units()) do
      local x = unit:cell()
      if x >= 63 or x >= 62 and unit.size > 1 then
        unit:remove()
      end
    end
  end
  return game
end

-- ---- who looks on ----

local function new_watch(game)
  return { checker = frame_checker.new(), stood = {}, stands = 0, late = 0,
    longest = 0, planning = 0, wanting = 0, stuck = 0, overlaps = 0, game = game, seen = 0 }
end

local function wants_on(state)
  return state ~= "arrived" and state ~= "held" and state ~= "removed"
end

local function has_way(game, unit)
  local x, y = unit:cell()
  local gx, gy = unit:goal()
  local finder = unit.size > 1 and game.big or game.finder
  return gx ~= nil and finder:reachable(x, y, gx, gy) == true
end

local function look_at_unit(watch, one, moved)
  local unit = one.unit
  local state = unit.state
  if not wants_on(state) then
    watch.stood[unit] = nil
    return
  end
  watch.wanting = watch.wanting + 1
  if state == "planning" then watch.planning = watch.planning + 1 end
  if state == "stuck" then watch.stuck = watch.stuck + 1 end
  local stood = moved and 0 or (watch.stood[unit] or 0) + 1
  watch.stood[unit] = stood
  if stood % LONGEST_WAIT == 0 and stood > 0 and has_way(watch.game, unit) then
    watch.late = watch.late + 1
    watch.example = watch.example or { watch.game.frame, unit }
    if watch.on_late then watch.on_late(unit) end
  end
  if stood > watch.longest and (stood < LONGEST_WAIT or has_way(watch.game, unit)) then watch.longest = stood end
end

local function look(watch)
  local game, checker = watch.game, watch.checker
  for i = watch.seen + 1, #game.added do
    local unit = game.added[i]
    if unit.state ~= "removed" then checker:watch(unit, { speed = unit.speed, size = unit.size }) end
  end
  watch.seen = #game.added
  local kept, anybody, wants = {}, false, false
  for _, one in ipairs(checker.watched) do
    if one.unit.state ~= "removed" then
      kept[#kept + 1] = one
      local x, y = one.unit.x + one.size / 2, one.unit.y + one.size / 2
      local moved = x ~= one.x or y ~= one.y
      anybody, wants = anybody or moved, wants or wants_on(one.unit.state)
      look_at_unit(watch, one, moved)
    else
      watch.stood[one.unit] = nil
    end
  end
  checker.watched = kept
  -- who has wanted on since before the last beat
  watch.wanted = wants and (watch.wanted or 0) + 1 or 0
  if watch.wanted > 60 / game.crowd.speed + 1 and not anybody then watch.stands = watch.stands + 1 end
  checker.nearest = math.huge
  checker:look(FRAME)
  if checker.nearest < -1e-6 then watch.overlaps = watch.overlaps + 1 end
end

-- ---- playing ----

-- Works ahead within the budget, by the clock that tells what is late: by the wall's, what another process took would
-- have to be made up for in the last frame of a beat.
local function step(crowd)
  local ends = os.clock() + games.BUDGET
  while crowd:step(games.SLICE) == "running" and os.clock() < ends do end
end

local function play_frame(game)
  game.frame = game.frame + 1
  local begun = os.clock()
  game.order()
  point_at_place(game)
  if game.frame % EDIT_EVERY == 0 then build(game) end
  local before = os.clock()
  step(game.crowd)
  game.crowd:update(FRAME)
  local ended = os.clock()
  return ended - before, ended - begun
end

-- Plays so many frames. 'times', of an earlier play, are lowered to the least of each frame.
function games.play(name, frames, options)
  options = options or {}
  local game = kinds[name](options.seed or 1)
  local watch, times, wholes = new_watch(game), options.times or {}, options.wholes or {}
  watch.on_late, watch.times, watch.wholes = options.on_late, times, wholes
  for frame = 1, frames do
    local seconds, whole = play_frame(game)
    times[frame] = math.min(times[frame] or math.huge, seconds)
    wholes[frame] = math.min(wholes[frame] or math.huge, whole)
    if options.watches ~= false then look(watch) end
    if options.each_frame then options.each_frame(game, watch) end
  end
  return watch, game
end

local function tell(name, frames, watch)
  local worst, late, sum = 0, 0, 0
  for _, seconds in ipairs(watch.times) do
    worst, sum = math.max(worst, seconds), sum + seconds
    if seconds > games.BUDGET + 1e-3 then late = late + 1 end
  end
  print(("%-8s frames %d  added %d  stand %d  late frames %d  worst %.2f ms  mean %.3f ms  overlaps %d  "
    .. "longest wait %.1f s  waits over 10 s %d  planning %.2f %%  stuck %.2f %%  uneven stands %.1f %%"):format(name,
    frames, #watch.game.added, watch.stands, late, worst * 1e3, sum / frames * 1e3, watch.overlaps, watch.longest / 60,
    watch.late, 100 * watch.planning / math.max(1, watch.wanting), 100 * watch.stuck / math.max(1, watch.wanting),
    100 * watch.checker:share("stands")))
end

if arg and arg[0] and arg[0]:match "crowd_games%.lua$" then
  local frames, plays = tonumber(arg[2]) or 36000, tonumber(arg[3]) or 1
  for _, name in ipairs { "rts", "colony", "defence" } do
    if arg[1] == nil or arg[1] == "all" or arg[1] == name then
      local watch = games.play(name, frames)
      for _ = 2, plays do games.play(name, frames, { watches = false, times = watch.times, wholes = watch.wholes }) end
      tell(name, frames, watch)
    end
  end
end

return games
