-- saving.lua -- a game with everything that the library holds, saved in one string, loaded, and continued identically.

local astar = require "astar"

-- ---- strings in one string ----

-- Each part is its name, its length and its bytes, so a part may have any bytes.
local function pack(parts)
  local names, text = {}, {}
  for name in pairs(parts) do names[#names + 1] = name end
  table.sort(names)
  for i, name in ipairs(names) do text[i] = name .. " " .. #parts[name] .. "\n" .. parts[name] end
  return table.concat(text)
end

local function unpack_parts(text)
  local parts, at = {}, 1
  while at <= #text do
    local name, length, from = text:match("^([%w_]+) (%d+)\n()", at)
    local last = name and from + length - 1
    if not name or last > #text then error "this is no saved game" end
    parts[name], at = text:sub(from, last), last + 1
  end
  return parts
end

-- ---- what is remade ----

-- Finders, flows, queues and desire maps hold nothing of their own. They are made by the same code in a new game and in
-- a loaded one.
local function remake(game)
  game.walking = game.grid:finder { costs = { ["~"] = 2 } }
  game.careful = game.grid:finder { avoid = game.danger, avoid_weight = 2 }
  game.climbing = game.tower.grid:finder()
  game.trains = game.yard:finder { diagonals = "never" }
  game.troops = game.yard:finder()
  game.roads = game.graph:finder()
  game.to_goals = game.walking:flow(game.goals)
  game.queue = astar.queue()
  return game
end

-- A world asks for its chunks again. Chunks that the player has changed are in the saved game.
local function new_world(chunks)
  return astar.world {
    load = function(cx, cy)
      local saved = chunks[("chunk_%d_%d"):format(cx, cy)]
      if saved then return saved end
      local keys = {}
      for i = 1, 64 * 64 do keys[i] = "." end
      return keys
    end,
  }
end

-- ---- a new game ----

local function new_game()
  local game = {}
  game.grid = astar.grid("....~~....\n.##.~~.##.\n.#......#.\n.##.~~.##.\n....~~....", {
    terrain = { ["."] = 1, ["~"] = 3, ["#"] = false },
  })
  game.grid:block(5, 1, 1, 1, "doors")
  game.grid:link(1, 1, 10, 5, { cost = 4, label = "tunnel", one_way = true })
  game.grid:wall(4, 3, "east", true)
  game.grid:restrict(1, 3, { "north", "south" })
  game.danger = astar.field(game.grid)
  game.danger:stamp(5, 3, 2, 7)
  game.goals = astar.goals(game.grid, { { 10, 1 }, { 1, 5 }, { 10, 5 } })
  game.goals:remove(10, 1)
  game.tower = astar.floors({ game.grid, "....\n....\n....", { 6, 4 } }, { gap = 2 })
  game.tower:link(10, 1, 1, 1, 1, 2, { label = "stairs" })
  game.tower:link(4, 3, 2, 6, 4, 3, { label = "lift", cost = 2 })
  game.yard = astar.grid(12, 3)
  game.schedule = astar.schedule(game.yard)
  game.graph = astar.graph()
  for _, name in ipairs { "village", "mill", "castle" } do game.graph:node(name) end
  game.graph:edge("village", "mill", { cost = 3 })
  game.graph:edge("mill", "castle", { cost = 2, label = "bridge" })
  game.world = new_world {}
  remake(game)

  game.path = game.careful:find_path(1, 5, 10, 1)
  game.walker = astar.walker(game.walking:find_path(1, 1, 10, 1), { speed = 2 })
  game.walker:update(1.3)
  game.crowd = astar.crowd(game.troops, { speed = 3 })
  game.crowd:add(1, 3):go(10, 3)
  game.crowd:add(12, 2):chase(game.crowd:units()[1])
  game.crowd:update(0.7)
  game.train = game.schedule:find_path(game.trains, 3, 2, 12, 2, { at = 1, length = 2, tail = { { 2, 2 } } })
  game.schedule:reserve(game.train)
  game.schedule:reserve_cell(6, 1, { from = 2, to = 4, every = 10, times = 3 })
  game.waiting = { { 1, 1, 10, 5 }, { 1, 5, 10, 1 } } -- requests whose paths have not come yet
  game.world:set(3, 3, "#")
  game.world:block(5, 5, 2, 2)
  game.baked = game.trains:bake { method = "labels" }
  return game
end

-- ---- saving and loading ----

local function save(game)
  local waiting = {}
  for i, request in ipairs(game.waiting) do waiting[i] = table.concat(request, ",") end
  return pack {
    grid = game.grid:dump(), danger = game.danger:dump(), goals = game.goals:dump(), tower = game.tower:dump(),
    yard = game.yard:dump(), schedule = game.schedule:dump(), train = game.train:dump(), graph = game.graph:dump(),
    path = game.path:dump(), walker = game.walker:dump(), crowd = game.crowd:dump(), baked = game.baked:save(),
    chunk_0_0 = game.world:save(0, 0), waiting = table.concat(waiting, ";"),
  }
end

-- First the maps, then what is remade on them, then what is on the way there.
local function load(text)
  local parts = unpack_parts(text)
  local game = {
    grid = astar.load(parts.grid), danger = astar.load_field(parts.danger), tower = astar.load_floors(parts.tower),
    yard = astar.load(parts.yard), graph = astar.graph.load(parts.graph), world = new_world(parts), waiting = {},
  }
  game.goals = astar.load_goals(parts.goals, game.grid)
  game.schedule = astar.load_schedule(parts.schedule, game.yard)
  remake(game)
  game.path = astar.load_path(parts.path, game.careful)
  game.walker = astar.load_walker(parts.walker, game.walking)
  game.crowd = astar.load_crowd(parts.crowd, game.troops)
  game.train = game.schedule:load_path(parts.train, game.trains)
  game.baked = game.trains:load_baked(parts.baked)
  for a, b, c, d in parts.waiting:gmatch "(%d+),(%d+),(%d+),(%d+)" do
    local floor = math.floor -- Lua 5.3 makes 10.0 of "10" + 0
    game.waiting[#game.waiting + 1] = { floor(a + 0), floor(b + 0), floor(c + 0), floor(d + 0) }
  end
  return game
end

-- ---- going on ----

-- Plays on, and returns a text of all that happens.
local function go_on(game)
  local lines = {}
  local function note(...)
    local words = { ... }
    for i = 1, select("#", ...) do words[i] = tostring((select(i, ...))) end
    lines[#lines + 1] = table.concat(words, " ")
  end
  for _, request in ipairs(game.waiting) do
    game.queue:request(game.walking, request[1], request[2], request[3], request[4], function(path)
      note("request", path and path.cost)
    end)
  end
  game.queue:update { ms = 1000 }
  for frame = 1, 30 do
    game.walker:update(0.1)
    game.crowd:update(0.1)
    note(frame, game.walker.x, game.walker.y, game.train:place(frame / 3, 2))
    for _, unit in ipairs(game.crowd:units()) do note(unit.x, unit.y, unit.state) end
    if frame == 10 then
      game.grid:unblock(5, 1, 1, 1, "doors")
      game.danger:decay(0.5)
      game.goals:add(10, 1)
    end
  end
  local X, Y = game.tower:at(6, 4, 3)
  note("tower", game.climbing:find_path(1, 1, X, Y).cost, game.tower:of(X, Y))
  note("careful", game.careful:find_path(1, 5, 10, 1).cost, game.path.cost, game.path:is_valid(), game.danger:get(5, 3))
  note("goals", game.walking:flow(game.goals):distance(4, 3), game.to_goals:distance(4, 3))
  note("train", game.schedule:find_path(game.trains, 1, 1, 12, 1, { at = 0 }).arrival)
  note("road", game.roads:find_path("village", "castle").cost)
  note("world", game.world:is_walkable(3, 3), game.world:is_blocked(6, 6), game.world:is_walkable(9, 9))
  return table.concat(lines, "\n")
end

local game = new_game()
local text = save(game)
local loaded = load(text)
assert(save(loaded) == text)

local first, second = go_on(game), go_on(loaded)
assert(first == second)
assert(save(loaded) == save(game))
print(("%d objects in a string of %d bytes"):format(14, #text))
print(first:match "[^\n]*\n[^\n]*\n[^\n]*\n[^\n]*\n[^\n]*\n[^\n]*$")

-- A string that was cut off or altered is refused: the error names the part.
print(pcall(astar.load_field, game.danger:dump():sub(1, -2)))
