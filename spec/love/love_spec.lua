-- The prototypes of examples/love in real LÖVE: clicked on, waited for, looked at.

local full = require "spec.support.full"
local play = require "spec.support.love"

local astar = require "astar"

-- LÖVE has a Lua of its own: which one runs this spec does not matter, so only one does.
local is_once = _VERSION == "Lua 5.4" and not os.getenv "UBSAN_OPTIONS"
local missing = not is_once and "played once only: with make test LUA=5.4" or play.missing()

describe("in LÖVE", function()
  if missing then
    it("the games in examples/love run", function()
      pending(missing)
    end)
    return
  end

  -- To play them all takes minutes: make test plays one.
  local function try(name, what, f)
    local define = name == "click_to_walk" and it or full.only(it)
    define(name .. " " .. what, function()
      f(name)
    end)
  end

  try("click_to_walk", "shows the field, the wall, the player, the goal and the route", function(name)
    local told = play.play(name, [[
      local view, grid = game.view, game.grid
      player.tell("size", grid:size())
      player.tell("cost", ("%.9f"):format(game.path.cost))
      player.tell("walked", game.x, game.y)
      local picture = player.picture()
      local function at(x, y) return player.color(picture, view:to_pixel(x, y)) end
      local function is_like(x, y, color) -- tiles are scaled, which mixes neighbouring pixels
        local r, g, b = picture:getPixel(view:to_pixel(x, y))
        return math.max(math.abs(r - color[1]), math.abs(g - color[2]), math.abs(b - color[3])) < 0.05
      end
      local COLORS = require("art").COLORS
      player.tell("wall", is_like(4, 2, COLORS.wall), is_like(4, 9, COLORS.wall), is_like(20, 10, COLORS.wall))
      player.tell("goal", is_like(17, 5, COLORS.goal))
      player.tell("player", is_like(game.x, game.y, COLORS.player))
      local x, y = game.path:cell(math.floor(#game.path / 2))
      player.tell("route", at(x, y))
    ]])
    assert.equal("20 10", told.size)
    local grid = astar.grid(20, 10)
    grid:block(4, 2, 1, 8)
    assert.equal(("%.9f"):format(grid:find_path(2, 5, 17, 5).cost), told.cost)
    assert.equal("true true false", told.wall)
    assert.equal("true", told.goal)
    assert.equal("true", told.player)
    assert.equal("#ffffff", told.route)
  end)

  try("click_to_walk", "walks to the clicked cell, a little each frame", function(name)
    local told = play.play(name, [[
      local view = game.view
      local far, last_x, last_y = 0, game.x, game.y
      player.click(view:to_pixel(2, 9))
      player.wait_for(function()
        far = math.max(far, math.sqrt((game.x - last_x) ^ 2 + (game.y - last_y) ^ 2))
        last_x, last_y = game.x, game.y
        return game.x == 2 and game.y == 9
      end)
      player.tell("far", far < 0.11 + 2 * 0.1) -- a click takes two frames
      player.tell("at", game.x, game.y)
    ]])
    assert.equal("2 9", told.at)
    assert.equal("true", told.far)
  end)

  try("click_to_walk", "finds another route around new walls in mid-walk, and passes through no wall", function(name)
    local told = play.play(name, [[
      local view, grid = game.view, game.grid
      player.wait(30)
      for y = 1, 9 do
        if y ~= 3 then local px, py = view:to_pixel(10, y) player.click(px, py, 2) end
      end
      local px, py = view:to_pixel(10, 3)
      love.event.push("mousepressed", px, py, 2, false, 1)
      local through = false
      player.wait_for(function()
        local x, y = math.floor(game.x + 0.5), math.floor(game.y + 0.5)
        through = through or grid:is_blocked(x, y)
        return game.x == 17 and game.y == 5
      end)
      player.tell("through", through)
      player.tell("gap", grid:is_blocked(10, 3), grid:is_blocked(10, 10))
    ]])
    assert.equal("false", told.through)
    assert.equal("true false", told.gap)
  end)

  try("click_to_walk", "walks up to a clicked wall, and turns in mid-step without a jump", function(name)
    local told = play.play(name, [[
      local view, far, last_x, last_y = game.view, 0, game.x, game.y
      local function look()
        far = math.max(far, math.sqrt((game.x - last_x) ^ 2 + (game.y - last_y) ^ 2))
        last_x, last_y = game.x, game.y
      end
      for i, goal in ipairs { { 1, 1 }, { 2, 10 }, { 8, 3 }, { 1, 5 } } do
        local px, py = view:to_pixel(goal[1], goal[2])
        love.event.push("mousepressed", px, py, 1, false, 1)
        for _ = 1, 13 + i do player.wait(1) look() end
      end
      player.tell("far", far < 0.1 + 1e-6)
      local px, py = view:to_pixel(4, 5)
      love.event.push("mousepressed", px, py, 1, false, 1)
      player.wait_for(function() look() return game.walker.arrived end)
      player.tell("still", far < 0.1 + 1e-6)
      player.tell("wall", game.x, game.y, game.path.partial)
      player.click(game.view:to_pixel(17, 5))
      player.wait_for(function() return game.x == 17 and game.y == 5 end)
    ]])
    assert.equal("true", told.far)
    assert.equal("true", told.still)
    assert.equal("3 5 true", told.wall)
  end)

  try("village", "shows the map that Tiled exported, with its doors", function(name)
    local told = play.play(name, [[
      player.tell("size", game.grid:size())
      local open = {}
      for i, door in ipairs(game.doors) do open[i] = tostring(not game.grid:is_blocked(door.x, door.y)) end
      player.tell("doors", table.concat(open, " "))
      player.tell("people", #game.people)
    ]])
    assert.equal("32 20", told.size)
    assert.equal("true false true true", told.doors)
    assert.equal("10", told.people)
  end)

  try("village", "has a player that walks by road, and through a door once the door is open", function(name)
    local told = play.play(name, [[
      local view, grid, door = game.view, game.grid, game.doors[2]
      player.key "f"
      player.click(view:to_pixel(door.x - 1, door.y - 2))
      player.tell("closed", game.message)
      local px, py = view:to_pixel(door.x, door.y)
      local before = player.color(player.picture(), px, py)
      player.click(px, py, 2)
      player.wait(2)
      player.tell("changed", before ~= player.color(player.picture(), px, py))
      player.click(view:to_pixel(door.x - 1, door.y - 2))
      local path = game.player.path
      local best = grid:find_path(game.player.cell_x, game.player.cell_y, door.x - 1, door.y - 2)
      player.tell("best", path.cost == best.cost)
      player.wait_for(function() return not game.player.is_going end)
      player.tell("there", game.player.cell_x == door.x - 1 and game.player.cell_y == door.y - 2)
      player.tell("open", door.is_open, grid:is_blocked(door.x, door.y))
    ]])
    assert.equal("unreachable", told.closed)
    assert.equal("true", told.changed)
    assert.equal("true", told.best)
    assert.equal("true", told.there)
    assert.equal("true false", told.open)
  end)

  try("village", "turns its player in mid-step without a jump, and lets it wait if no route is left", function(name)
    local told = play.play(name, [[
      local door, who, far, last_x, last_y = game.doors[2], game.player, 0, game.player.x, game.player.y
      local function look()
        far = math.max(far, math.sqrt((who.x - last_x) ^ 2 + (who.y - last_y) ^ 2))
        last_x, last_y = who.x, who.y
      end
      local function press(x, y, button)
        local px, py = game.view:to_pixel(x, y)
        love.event.push("mousepressed", px, py, button, false, 1)
      end
      press(door.x, door.y, 2)
      press(door.x - 1, door.y - 2, 1)
      for _ = 1, 35 do player.wait(1) look() end
      press(12, 11, 1)
      for _ = 1, 5 do player.wait(1) look() end
      press(door.x - 1, door.y - 2, 1)
      for _ = 1, 5 do player.wait(1) look() end
      press(door.x, door.y, 2)
      player.wait(1) look()
      player.tell("shut", game.grid:is_blocked(door.x, door.y))
      for _ = 1, 120 do player.wait(1) look() end
      player.tell("waits", who.is_waiting, who.x == math.floor(who.x), who.y == math.floor(who.y), who.is_going)
      press(door.x, door.y, 2)
      player.wait_for(function() look() return not who.is_going end)
      player.tell("there", who.cell_x == door.x - 1 and who.cell_y == door.y - 2)
      player.tell("far", far < 2 ^ 0.5 * 5 / 60 + 1e-6) -- a diagonal step takes as long as a straight one
    ]])
    assert.equal("true", told.shut)
    assert.equal("true true true true", told.waits)
    assert.equal("true", told.there)
    assert.equal("true", told.far)
  end)

  try("village", "keeps each kind of unit on its terrain, and hides units behind walls", function(name)
    local told = play.play(name, [[
      local wrong = 0
      player.wait_for(function()
        for _, person in ipairs(game.people) do
          local key = game.grid:get(person.cell_x, person.cell_y)
          if person.kind == "cart" and (key == "swamp" or key == "floor") or key == "wall"
            or person.kind ~= "duck" and key == "water" then
            wrong = wrong + 1
          end
        end
        return player.frames > 900
      end, 1000)
      player.tell("wrong", wrong)
      local px, py = game.view:to_pixel(16, 5) -- in a house whose door is closed
      local hidden = player.color(player.picture(), px, py)
      player.key "f"
      player.tell("differs", hidden ~= player.color(player.picture(), px, py))
      player.tell("sees", game.visible[12 * 1000 + 9], game.visible[5 * 1000 + 16])
      local others, own = 0, 0
      for _ = 1, #game.people do
        player.key "tab"
        local eyes = game.watched
        own = own + (game.visible[eyes.cell_y * 1000 + eyes.cell_x] and 1 or 0)
        others = others + (eyes ~= game.player and 1 or 0)
      end
      player.tell("eyes", others, own, game.watched == game.player)
    ]])
    assert.equal("0", told.wrong)
    assert.equal("true", told.differs)
    assert.equal("true nil", told.sees)
    assert.equal("9 10 true", told.eyes)
  end)

  try("village", "has units that never overlap, never face backwards, and keep their facing at rest", function(name)
    local told = play.play(name, [[
      player.key "f"
      local overlaps, wrong, restless = 0, 0, 0
      local before = {}
      for frame = 1, 600 do
        player.is_drawn = false
        coroutine.yield()
        for i, a in ipairs(game.people) do
          for k = 1, i - 1 do
            local b = game.people[k]
            if math.max(math.abs(a.x - b.x), math.abs(a.y - b.y)) < 1 - 1e-6 then overlaps = overlaps + 1 end
          end
          local old = before[i] or { x = a.x, y = a.y, still = 0 }
          local dx, dy = a.x - old.x, a.y - old.y
          local still = (dx == 0 and dy == 0) and old.still + 1 or 0
          if still == 0 and before[i] then -- it looks where it goes
            if not a.faces or math.cos(a.faces) * dx + math.sin(a.faces) * dy <= 0 then wrong = wrong + 1 end
          elseif still > 30 and a.faces then
            restless = restless + 1
          end
          before[i] = { x = a.x, y = a.y, still = still }
        end
      end
      player.tell("people", overlaps, wrong, restless)
    ]])
    assert.equal("0 0 0", told.people)
  end)

  try("village", "has guards that follow the waypoints drawn on its map, and shows the waypoints", function(name)
    local told = play.play(name, [[
      local view, ways, who = game.view, game.ways, game.player
      player.key "f"
      local function pixel(x, y) return player.color(player.picture(), view:to_pixel(x, y)) end
      local bare = { pixel(7.5, 6), pixel(15, 9.5) }
      player.key "w"
      player.tell("edge", bare[1] ~= pixel(7.5, 6), pixel(7.5, 6), bare[2] ~= pixel(15, 9.5), pixel(15, 9.5))
      player.click(view:to_pixel(16, 7)) -- the house whose door is closed
      player.tell("closed", game.message)
      player.tell("blocked", ways:is_blocked("inn lane", "big house"))
      local door = game.doors[2]
      local px, py = view:to_pixel(door.x, door.y)
      player.click(px, py, 2)
      player.tell("open", ways:is_blocked("inn lane", "big house"), ways:is_blocked("east lane", "east house"))
      player.click(view:to_pixel(16, 7))
      local route = who.route
      local places = {}
      for i = 2, #route - 1 do places[#places + 1] = (tostring(route[i]):gsub(" ", "_")) end
      player.tell("route", table.concat(places, " "))
      player.tell("shown", pixel(ways:position(route[2])))
      local far, x, y = 0, who.x, who.y
      player.wait_for(function()
        far = math.max(far, math.sqrt((who.x - x) ^ 2 + (who.y - y) ^ 2))
        x, y = who.x, who.y
        return not who.is_going
      end)
      player.tell("there", who.cell_x, who.cell_y, far < 3 * 5 / 60 + 1e-6)
    ]])
    local edge = { told.edge:match "^(%S+) (%S+) (%S+) (%S+)$" }
    assert.same({ "true", "true" }, { edge[1], edge[3] })
    assert.equal("#0072b2", edge[4]) -- blocked
    assert.equal("#72338c", edge[2])
    assert.equal("unreachable", told.closed)
    assert.equal("true", told.blocked)
    assert.equal("false false", told.open)
    assert.is_truthy(told.route:find "big_house", told.route)
    assert.equal("#d65e00", told.shown)
    assert.equal("16 7 true", told.there)
  end)

  try("visualiser", "ends with the finder's own route, for every algorithm, rule and terrain", function(name)
    local told = play.play(name, [[
      local left, settings = game.sides[1], game.settings
      local count, wrong = 0, {}
      local function compare(algorithm, weight)
        left.name = algorithm
        player.key "r"
        player.wait_for(function() return left.state ~= "running" end)
        local path, reason = game.grid:find_path(settings.sx, settings.sy, settings.gx, settings.gy, {
          algorithm = weight and "astar" or algorithm, weight = weight, diagonals = settings.diagonals,
          heuristic = not algorithm:find "^jps" and settings.heuristic or nil,
        })
        local own = left.path and table.concat(left.path:cells_flat(), " ") or left.state
        if own ~= (path and table.concat(path:cells_flat(), " ") or reason) then
          wrong[#wrong + 1] = algorithm .. " " .. settings.diagonals .. " " .. tostring(left.problem)
        end
        count = count + 1
      end
      game.speed = 8
      for round = 1, 8 do
        if round == 5 then game.grid:fill(1, 1, 64, 64, ".") end -- swamp until then
        for _, algorithm in ipairs { "astar", "dijkstra", "jpsw" } do compare(algorithm) end
        compare("weighted", settings.weight)
        if round >= 5 then compare "jps" end
        player.key "d"
        if round == 2 then player.key "h" end
      end
      player.tell("compared", count)
      player.tell("wrong", table.concat(wrong, ", "))
    ]])
    assert.equal("36", told.compared)
    assert.equal("", told.wrong)
  end)

  try("visualiser", "colours the expanded cells, and shows numbers and arrows when zoomed in", function(name)
    local told = play.play(name, [[
      local left = game.sides[1]
      game.speed = 6
      player.wait_for(function() return left.state == "found" end)
      local function look()
        local picture, seen, view = player.picture(), {}, left.view
        for x, y, state in left.search:cells() do
          local px, py = view.x + (x - 0.95) * view.scale, view.y + (y - 0.5) * view.scale
          local s = game.settings -- the marks of start and goal are larger than a cell
          local is_marked = math.max(math.abs(x - s.gx), math.abs(y - s.gy)) <= 1
            or math.max(math.abs(x - s.sx), math.abs(y - s.sy)) <= 1
          if px > 0 and px < 500 and py > 50 and py < 540 and not is_marked then
            local r, g, b = picture:getPixel(px, py)
            local color = r > b + 0.2 and "orange" or b > r + 0.2 and "blue" or "else"
            seen[state .. color] = (seen[state .. color] or 0) + 1
          end
        end
        return seen
      end
      local function dark_pixels()
        local picture, dark = player.picture(), 0
        for y = 60, 540 do -- within the map, whose frame is dark
          for x = 0, 500 do
            local r, g, b = picture:getPixel(x, y)
            if r + g + b < 0.7 then dark = dark + 1 end
          end
        end
        return dark
      end
      local seen = look()
      player.tell("open", seen.openblue, seen.openorange)
      player.tell("closed", seen.closedorange > 500, seen.closedblue)
      local before = dark_pixels()
      love.mouse.getPosition = function() return left.view:to_pixel(12, 20) end
      for _ = 1, 13 do
        love.event.push("wheelmoved", 0, 1)
        player.wait(1)
      end
      player.wait(2)
      player.tell("zoomed", left.view.scale > 72, game.sides[2].view.scale == left.view.scale)
      player.tell("written", dark_pixels() > before + 2000)
    ]])
    assert.is_truthy(told.open:find "^%d+ nil$")
    assert.equal("true nil", told.closed)
    assert.equal("true true", told.zoomed)
    assert.equal("true", told.written)
  end)

  try("visualiser", "steps, pauses, paints, and starts again, by keys and by buttons", function(name)
    local told = play.play(name, [[
      local left, view = game.sides[1], game.sides[1].view
      local function closed() player.wait(2) return left.closed end
      player.key "space"
      player.key "r"
      player.tell("paused", closed())
      for _ = 1, 3 do player.key "right" end
      player.tell("stepped", closed())
      player.tell("sides", game.sides[1].closed == game.sides[2].closed)
      local px, py = view:to_pixel(10, 32)
      player.click(px, py)
      player.tell("painted", game.grid:is_blocked(10, 32), closed())
      player.key "d"
      player.tell("rule", game.settings.diagonals)
      local function press(key) player.click(game.button(key)) end
      press "right"
      player.tell("step_button", closed())
      press "3"
      player.click(px, py)
      press "q"
      press "-"
      press "down"
      player.tell("buttons", game.brush, game.sides[1].name, game.settings.weight, game.speed)
      player.tell("swamp", game.grid:get(10, 32))
      press "space"
      player.wait(40)
      player.tell("plays", game.is_playing, left.closed > 10)
      press "c"
      player.tell("cleared", game.grid:is_blocked(10, 32), game.grid:get(10, 32), game.grid:is_blocked(20, 20))
    ]])
    assert.equal("0", told.paused)
    assert.equal("3", told.stepped)
    assert.equal("true", told.sides)
    assert.equal("true 0", told.painted)
    assert.equal("if_at_most_one_obstacle", told.rule)
    assert.equal("1", told.step_button)
    assert.equal("3 dijkstra 1.5 4", told.buttons)
    assert.equal("~", told.swamp)
    assert.equal("true true", told.plays)
    assert.equal("false . false", told.cleared)
  end)

  try("visualiser", "draws walls in a colour that no search uses, and jump points on its own map", function(name)
    local told = play.play(name, [[
      local left, view = game.sides[1], game.sides[1].view
      left.name = "jps"
      player.key "r"
      player.wait_for(function() return left.state ~= "running" end)
      player.tell("jps", left.state, left.stand_in, left.problem)
      player.tell("found", #left.path > 50, left.closed > 20, left:describe():find("jpsw", 1, true) ~= nil)
      game.grid:fill(1, 1, 64, 64, ".")
      player.key "r"
      player.tell("plain", left.stand_in)
      local r, g, b = player.picture():getPixel(view:to_pixel(20, 30))
      player.tell("grey", math.abs(r - b) < 0.08, math.abs(g - b) < 0.08)
    ]])
    assert.equal("found jpsw nil", told.jps)
    assert.equal("true true true", told.found)
    assert.equal("false", told.plain)
    assert.equal("true true", told.grey)
  end)

  -- Drags the mouse from one cell to another in a single move.
  local DRAG = [[
    local function drag(view, button, x0, y0, x1, y1)
      love.mouse.isDown = function(...)
        for i = 1, select("#", ...) do
          if select(i, ...) == button then return true end
        end
        return false
      end
      local ax, ay = view:to_pixel(x0, y0)
      local bx, by = view:to_pixel(x1, y1)
      love.event.push("mousepressed", ax, ay, button, false, 1)
      love.event.push("mousemoved", bx, by, bx - ax, by - ay, false)
      player.wait(3)
      love.mouse.isDown = function() return false end
    end
    local function holes(grid, x0, y0, x1, y1)
      local count = 0
      for i = 0, 100 do
        local x, y = math.floor(x0 + (x1 - x0) * i / 100 + 0.5), math.floor(y0 + (y1 - y0) * i / 100 + 0.5)
        count = count + ((grid:is_blocked(x, y) or grid:is_blocked(x + 1, y) or grid:is_blocked(x, y + 1)
          or grid:is_blocked(x - 1, y) or grid:is_blocked(x, y - 1)) and 0 or 1)
      end
      return count
    end
  ]]

  for name, at in pairs {
    visualiser = { 1, "game.sides[1].view", 3, 40, 16, 60 }, horde = { 1, "game.view", 60, 20, 180, 90 },
    click_to_walk = { 2, "game.view", 7, 2, 18, 9 },
  } do
    try(name, "paints without holes in a quick drag", function()
      local told = play.play(name, DRAG .. ([[
        player.wait(5)
        drag(%s, %d, %d, %d, %d, %d)
        player.tell("holes", holes(game.grid, %d, %d, %d, %d))
      ]]):format(at[2], at[1], at[3], at[4], at[5], at[6], at[3], at[4], at[5], at[6]))
      assert.equal("0", told.holes)
    end)
  end

  try("hex", "shows hexagons, the units on hexagons and the walls between hexagons", function(name)
    local told = play.play(name, [[
      player.wait(3)
      local view, grid = game.view, game.grid
      local picture = player.picture()
      local function at(x, y, dx, dy)
        local px, py = view:to_pixel(grid:center(x, y))
        return player.color(picture, px + (dx or 0) * view.scale, py + (dy or 0) * view.scale)
      end
      player.tell("ground", at(1, 1), at(3, 3), at(5, 6), at(15, 2))
      player.tell("corner", at(1, 1, 0, 0.5), at(1, 1, -0.4, 0.4)) -- the tip, and past the slanted side
      local knight = { picture:getPixel(view:to_pixel(grid:center(2, 5))) }
      local bandit = { picture:getPixel(view:to_pixel(grid:center(17, 3))) }
      player.tell("units", knight[3] > knight[1] + 0.2, bandit[1] > bandit[3] + 0.2) -- a blue coat and a red one
      player.tell("wall", at(5, 9, 0.23, 0.398))
    ]])
    assert.equal("#7aa857 #3c7443 #83796d #3f78b5", told.ground)
    assert.matches("^#7aa857 #%x+$", told.corner)
    assert.is_nil(told.corner:find("#7aa857", 2, true))
    assert.equal("true true", told.units)
    assert.equal("#4a3020", told.wall)
  end)

  try("hex", "moves a knight to a clicked cell within its reach, and then bandits towards the knight", function(name)
    local told = play.play(name, [[
      local view, grid = game.view, game.grid
      local knight = game.units[1]
      local px, py = view:to_pixel(grid:center(knight.x, knight.y))
      player.click(px, py)
      player.tell("reach", game.chosen == knight, game.reach:distance(4, 6))
      local gx, gy = view:to_pixel(grid:center(4, 6))
      player.click(gx, gy)
      player.wait_for(function() return not game.walking end)
      player.tell("knight", knight.x, knight.y, knight.left, grid:is_blocked(4, 6), grid:is_blocked(2, 5))
      local bandit = game.units[4]
      local before = grid:distance(bandit.x, bandit.y, 4, 6)
      player.key "space"
      player.wait_for(function() return #game.queue == 0 and not game.walking end)
      player.tell("bandit", before - grid:distance(bandit.x, bandit.y, 4, 6), game.turn)
    ]])
    local knight_left = told.knight:match "^4 6 (%S+) true false$"
    assert.is_truthy(knight_left, told.knight)
    assert.matches("^true ", told.reach)
    assert.matches("^[1-3] 2$", told.bandit)
  end)

  it("windows fit a screen of 1366 x 768 pixels, with a bar above them, and maps follow the window's size", function()
    for _, name in ipairs {
      "armies", "click_to_walk", "colony", "gallery", "hex", "horde", "threads", "tower", "tower_defence",
      "village", "visualiser", "world",
    } do
      local conf = { window = {} }
      local environment = setmetatable({ love = {} }, { __index = _G })
      local file = assert(io.open("examples/love/" .. name .. "/conf.lua"))
      assert(load(file:read "*a", name, "t", environment))()
      file:close()
      environment.love.conf(conf)
      assert.is_true(conf.window.width <= 1366 and conf.window.height <= 710, name)
    end
    local told = play.play("horde", [[
      player.tell("flags", (select(3, love.window.getMode())).resizable)
      love.resize(1000, 500)
      local side = game.view.scale * 256
      player.tell("view", side > 360 and side < 456, game.view.x == (1000 - side) / 2, game.view.y)
    ]])
    assert.equal("true", told.flags)
    assert.equal("true true 0", told.view)
  end)

  -- What the scripts of the horde use: how far its units are from the goal on average, how many are within `radius`
  -- of it, how many stand where they do not fit, and how many pairs are drawn less than two radii apart.
  local LOOK = [[
    local goal_x, goal_y = game.view:to_pixel(190, 140)
    love.mouse.getPosition = function() return goal_x, goal_y end
    local function count_overlaps(units)
      local at, count, near = {}, 0, units.size - 0.3 - 1e-6
      for _, unit in ipairs(units.all) do
        local column, row = math.floor(unit.x / 3), math.floor(unit.y / 3)
        for other_row = row - 1, row + 1 do
          for other_column = column - 1, column + 1 do
            for _, other in ipairs(at[other_row * 1000 + other_column] or {}) do
              if (unit.x - other.x) ^ 2 + (unit.y - other.y) ^ 2 < near ^ 2 then count = count + 1 end
            end
          end
        end
        local key = row * 1000 + column
        at[key] = at[key] or {}
        table.insert(at[key], unit)
      end
      return count
    end
    local function look(radius)
      local units, sum, near, misplaced = game.units, 0, 0, 0
      for _, unit in ipairs(units.all) do
        local distance = math.max(math.abs(unit.x - game.goal_x), math.abs(unit.y - game.goal_y))
        sum, near = sum + distance, near + (distance <= radius and 1 or 0)
        misplaced = misplaced + (units:fits(unit:cell()) and 0 or 1)
      end
      return sum / #units.all, near, misplaced, count_overlaps(units)
    end
  ]]

  try("horde", "moves units towards the mouse, around new walls, without collisions", function(name)
    local told = play.play(name, LOOK .. [[
      player.wait(10)
      player.tell("goal", game.goal_x, game.goal_y)
      local first = look(20)
      player.wait(200)
      local later, _, misplaced, overlaps = look(20)
      player.tell("chase", #game.units.all, later < first - 10, misplaced, overlaps)
      for x = 70, 190, 4 do -- a wall under the goal, upon units and all
        local px, py = game.view:to_pixel(x, 146)
        love.event.push("mousepressed", px, py, 1, false, 1)
        player.wait(1)
      end
      player.tell("wall", game.grid:is_blocked(100, 147), game.flow:distance(120, 150) > 80)
      player.wait(123)
      player.tell("after", select(3, look(20)))
      player.wait(120)
      for x = 193, 205, 4 do -- where many have come to rest
        for y = 134, 146, 4 do
          local px, py = game.view:to_pixel(x, y)
          love.event.push("mousepressed", px, py, 1, false, 1)
        end
      end
      player.wait(2)
      player.tell("rest", #game.units.all, select(3, look(20)))
      local px, py = game.view:to_pixel(120, 147)
      player.tell("grey", player.color(player.picture(), px, py))
      local mean, worst = game.meter:read()
      player.tell("share", mean > 0, worst >= mean)
      love.event.push("mousepressed", px, py, 2, false, 1)
      player.wait(3)
      player.tell("fallen", game.grid:is_blocked(120, 147))
    ]])
    assert.equal("190 140", told.goal)
    assert.equal("5000 true 0 0", told.chase)
    assert.equal("true true", told.wall)
    assert.equal("0 0", told.after)
    assert.equal("5000 0 0", told.rest)
    assert.equal("#5b5f6b", told.grey)
    assert.equal("true true", told.share)
    assert.equal("false", told.fallen)
  end)

  try("horde", "makes units flee on command, and large units stay where they fit", function(name)
    local told = play.play(name, LOOK .. [[
      player.wait(400)
      local _, gathered = look(20)
      player.key "f"
      player.wait(200)
      local _, left, _, overlaps = look(20)
      player.tell("fled", gathered > 500, left < gathered / 4, overlaps)
      player.key "f"
      player.key "3"
      player.wait(203)
      local _, near, misplaced, overlaps_of_large = look(20)
      player.tell("large", game.units.size, near > 20, misplaced, overlaps_of_large)
      local picture, units, field = player.picture(), 0, 0
      player.key "a"
      local with_field = player.picture()
      for y = 0, 650, 2 do
        for x = 0, 650, 2 do
          local r, g, b = picture:getPixel(x, y)
          if r > 0.5 and g < 0.3 and b < 0.3 then units = units + 1 end
          local fr, fg, fb = with_field:getPixel(x, y)
          if math.abs(fr - r) + math.abs(fg - g) + math.abs(fb - b) > 0.2 then field = field + 1 end
        end
      end
      player.tell("picture", units > 1000, field > 10000)
    ]])
    assert.equal("true true 0", told.fled)
    assert.equal("3 true 0 0", told.large)
    assert.equal("true true", told.picture)
  end)

  try("tower_defence", "builds only where a route remains, previews routes, and shoots visible enemies", function(name)
    local told = play.play(name, [[
      local grid, view, flow = game.grid, game.view, game.flow
      local at_x, at_y = 1, 1
      love.mouse.getPosition = function() return view:to_pixel(at_x, at_y) end
      local function build(x, y) player.click(view:to_pixel(x, y)) end
      player.wait(3)
      build(31, 8)
      build(31, 9)
      player.tell("gate", grid:is_blocked(31, 8, "towers"), grid:is_blocked(31, 9, "towers"), game.gold)
      at_x, at_y = 31, 9
      player.wait(2)
      player.tell("why", game.looked.why_not)
      at_x, at_y = 30, 9
      local version, before = grid:version(), flow:distance(1, 5)
      player.wait(2)
      local path = game.looked.paths[1]
      player.tell("supposed", game.looked.why_not, grid:version() == version, flow:distance(1, 5) == before)
      for x, y in path:cells() do assert(not (x == 30 and y == 9)) end
      build(30, 9)
      player.tell("as_said", flow:path(1, 5).cost == path.cost)
      player.click(view:to_pixel(30, 9), select(2, view:to_pixel(30, 9)), 2)
      at_x, at_y = 1, 1
      player.key "space"
      player.wait_for(function() return game.to_come == 0 and #game.creeps == 10 end)
      local creep = game.creeps[1]
      build(creep.x, creep.y)
      player.tell("on_creep", grid:is_blocked(creep.x, creep.y))
      player.wait_for(function() return #game.creeps == 0 end, 3000)
      player.tell("lost", game.lives)
      player.key "r"
      for _, cell in ipairs { { 20, 7 }, { 20, 10 }, { 24, 6 }, { 24, 10 }, { 28, 7 }, { 28, 10 } } do
        build(cell[1], cell[2])
      end
      player.key "space"
      player.wait_for(function() return game.to_come == 0 and #game.creeps == 0 end, 3000)
      player.tell("won", game.lives, game.gold > 80)
    ]])
    assert.equal("true false 180", told.gate)
    assert.equal("that would shut the way", told.why)
    assert.equal("nil true true", told.supposed)
    assert.equal("true", told.as_said)
    assert.equal("false", told.on_creep)
    assert.equal("10", told.lost)
    assert.equal("20 true", told.won)
  end)

  try("colony", "lets colonists dig, build and carry, and lets raiders see, rob and break the door", function(name)
    local told = play.play(name, [[
      local grid, view = game.grid, game.view
      local function mark(x, y) player.click(view:to_pixel(x, y)) end
      player.wait(3)
      for x = 13, 8, -1 do mark(x, 10) end
      mark(8, 9)
      mark(8, 8)
      mark(8, 7) -- ore
      player.tell("marks", #game.marks)
      player.wait_for(function() return #game.marks == 0 end, 3000)
      player.tell("dug", grid:get(8, 10), grid:get(8, 7))
      player.wait_for(function() return game.stock == 14 and #game.piles == 0 end, 3000)
      player.key "2"
      mark(26, 10)
      player.wait_for(function() return grid:is_blocked(26, 10, "walls") end, 3000)
      player.tell("built", game.stock, grid:is_blocked(26, 10))
      player.key "4"
      mark(26, 10)
      player.wait_for(function() return not grid:is_blocked(26, 10, "walls") end, 3000)
      for _, person in ipairs(game.people) do person.pause = 1000 end -- nobody shoots
      player.key "space"
      local breaks = game.raiders[1].walker.path:breaches()
      player.tell("breaks", #breaks, breaks[1].layer, breaks[1].x, breaks[1].y)
      player.wait_for(function() return not grid:is_blocked(22, 10, "doors") end, 3000)
      player.tell("walls", grid:is_blocked(22, 9, "walls"))
      player.wait_for(function() return game.stolen > 0 end, 3000)
      player.tell("stolen", game.stolen > 0 and game.stolen % 3)
    ]])
    assert.equal("9", told.marks)
    assert.equal(". .", told.dug)
    assert.equal("13 false", told.built)
    assert.equal("1 doors 22 10", told.breaks)
    assert.equal("true", told.walls)
    assert.equal("0", told.stolen)
  end)

  try("armies", "has no collisions, blows up bridges, raises walls, and sends squads in formations", function(name)
    local told = play.play(name, [[
      local armies, watch, view = game.armies, game.watch, game.view
      local sizes, periods = {}, {}
      for _, soldier in ipairs(armies.soldiers) do
        sizes[soldier.unit.size], periods[soldier.unit.period] = true, true
      end
      player.tell("units", #armies.soldiers, #sizes, #periods)
      player.wait(60)
      player.tell("faces", (function()
        local astray = 0
        for _ = 1, 32 do player.wait(1) end -- drawn, since units turn as they are drawn
        for i, soldier in ipairs(armies.soldiers) do
          local rest = (soldier.angle - soldier.squad.facing + math.pi) % (2 * math.pi) - math.pi
          if soldier.unit.state == "arrived" and watch.stood[i] >= 30 and math.abs(rest) > 0.1 then
            astray = astray + 1
          end
        end
        return astray
      end)())
      player.tell("marshal", armies.manoeuvre)
      local function press(px, py, button, to_x, to_y)
        love.event.push("mousepressed", px, py, button, false, 1)
        love.event.push("mousemoved", to_x, to_y, to_x - px, to_y - py, false)
        love.event.push("mousereleased", to_x, to_y, button, false, 1)
        player.wait(2)
      end
      local function click(x, y)
        local px, py = view:to_pixel(x, y)
        press(px, py, 1, px, py)
      end
      local soldier = armies.soldiers[1]
      local color = player.color(player.picture(), view:to_pixel(soldier.unit.x, soldier.unit.y))
      player.tell("red", color)
      click(soldier.unit.x, soldier.unit.y)
      local selected = {}
      for squad in pairs(game.selected) do selected[#selected + 1] = squad end
      player.tell("selected", #selected, selected[1] == soldier.squad)
      player.key "2"
      local px, py = view:to_pixel(20, 60)
      local to_x, to_y = view:to_pixel(20, 70)
      press(px, py, 2, to_x, to_y)
      player.wait(10)
      local least_x, least_y, most_x, most_y = 999, 999, 0, 0
      for _, unit in ipairs(soldier.squad.units) do
        local x, y = unit:goal()
        least_x, least_y = math.min(least_x, x), math.min(least_y, y)
        most_x, most_y = math.max(most_x, x), math.max(most_y, y)
      end
      player.tell("box", most_x - least_x + 1, most_y - least_y + 1, armies.has_marshal)
      click(20, 30)
      player.tell("wall", game.grid:is_blocked(19, 29, "walls"), game.grid:is_blocked(21, 31, "walls"))
      click(20, 30)
      player.tell("razed", game.grid:is_blocked(20, 30))
      local first, second = armies.bridges[1], armies.bridges[2]
      click(100, 40)
      player.wait(60)
      player.tell("bridges", game.grid:get(100, 40), game.grid:get(100, 13), second.is_wanted, first.is_wanted)
      click(100, 40)
      player.wait(60)
      player.tell("built", game.grid:get(100, 40))
      player.key "space"
      local frame = armies.frame
      player.wait(20)
      player.tell("paused", armies.frame == frame, game.describe():find("Paused", 1, true) ~= nil)
      player.key "space"
      player.wait(30)
      player.tell("bumps", armies.frame > frame + 25, watch.overlaps, watch.most_jams)
    ]])
    assert.equal("1004 3 3", told.units)
    assert.equal("0", told.faces)
    assert.equal("lines", told.marshal)
    assert.equal("1 true", told.selected)
    assert.equal("7 4 false", told.box)
    assert.equal("true true", told.wall)
    assert.equal("false", told.razed)
    assert.equal("~ r false true", told.bridges)
    assert.equal("=", told.built)
    assert.equal("true true", told.paused)
    assert.equal("true 0 0", told.bumps)
    assert.matches("^#%x+$", told.red)
  end)

  it("compressed maps of Tiled can be read, and errors name missing libraries", function()
    local told = play.run([[
      local astar = require "astar"
      local tiled = astar.tiled
      local plain = tiled.grid("ground.lua", { "ground" })
      player.tell("inflated", tiled.grid("zlib.lua"):dump() == plain:dump())
      player.tell("ground", plain:get(1, 3), plain:terrain "swamp", #tiled.load("zlib.lua").layers[1].data)
      local function fails(word, ...) player.tell(word, select(2, pcall(tiled.grid, ...))) end
      fails("missing", "town.lua")
      fails("external", "external.lua")
      fails("layer", "zlib.lua", { "walls" })
      local broken = tiled.load "zlib.lua"
      broken.layers[1].data = "AAAA"
      fails("broken", broken)
    ]], { "spec/tiled/ground.lua", "spec/tiled/zlib.lua", "spec/tiled/external.lua" })
    assert.equal("true", told.inflated)
    assert.is_truthy(told.ground:find "^swamp 4 %d+$")
    assert.equal("town.lua: expected a map made with Tiled, got no file (No such file or directory)",
      told.missing)
    assert.is_truthy(told.external:find "^external.lua: tileset \"ground\" has no tiles, only the name of its file")
    assert.equal('zlib.lua: no layer "walls", expected one of "ground"', told.layer)
    assert.is_truthy(told.broken:find '^map: layer "ground": expected data that can be inflated')
  end)

  it("pictures can become grids, and a view draws them in the pictures' colours", function()
    local told = play.run [[
      local astar = require "astar"
      local image = love.image.newImageData(8, 6)
      image:mapPixel(function(x, y)
        if y == 2 and x < 6 then return 0, 0, 0, 1 end
        return 0x88 / 255, x == 7 and 0xaa / 255 or 1, 0x55 / 255, 1
      end)
      love.filesystem.write("map.png", image:encode "png")
      local grid = astar.love.grid(love.image.newImageData "map.png", {
        colors = { ["#"] = "#000000", ["."] = "#88ff55", ["~"] = "#88aa55" },
        terrain = { ["#"] = false, ["."] = 1, ["~"] = 3 },
      })
      player.tell("drawn", (grid:draw():gsub("\n", "/")))
      grid:block(1, 6)
      local view = astar.love.view(grid, {
        x = 4, y = 2, scale = 15, colors = { ["."] = "#ffffff", ["#"] = "#203040", ["~"] = { 0, 0, 1 } },
        theme = { block = "#ff0000", path = "#00ff00" },
      })
      local path = grid:find_path(2, 1, 2, 5)
      local flow = grid:finder():flow(2, 1)
      function love.draw()
        love.graphics.clear(0.5, 0.5, 0.5)
        view:draw()
        if player.wants_flow then view:draw_flow(player.wants_flow) else view:draw_path(path) end
      end
      player.wait(2)
      local picture = player.picture()
      local function at(x, y)
        local px, py = view:to_pixel(x, y)
        return player.color(picture, px, py)
      end
      player.tell("cells", at(1, 1), at(1, 3), at(8, 1), at(1, 6))
      player.tell("route", at(2, 1), at(path:cell(4)), at(2, 5))
      player.tell("around", player.color(picture, 2, 1), player.color(picture, 4 + 8 * 15 + 1, 50))
      grid:set(1, 1, "~")
      grid:unblock(1, 6)
      view:zoom(2, 4, 2)
      player.wait(2)
      picture = player.picture()
      player.tell("edited", at(1, 1))
      view:fit(0, 0, 160, 120)
      player.wants_flow = flow
      player.wait(2)
      picture = player.picture()
      local function off(x, y) -- beside the arrows
        local px, py = view:to_pixel(x, y)
        return picture:getPixel(px - view.scale * 0.45, py - view.scale * 0.45)
      end
      local r1, g1 = off(2, 1)
      local r2, g2 = off(1, 6)
      player.tell("flow", g1 > r1, r2 > g2, at(2, 3))
    ]]
    assert.equal(".......~/.......~/######.~/.......~/.......~/.......~/", told.drawn)
    assert.equal("#ffffff #203040 #0000ff #ff0000", told.cells)
    assert.equal("#00ff00 #00ff00 #00ff00", told.route)
    assert.equal("#808080 #808080", told.around)
    assert.equal("#0000ff", told.edited)
    assert.equal("true true #203040", told.flow)
  end)

  it("thin walls and links are drawn on top of the cells of searches and fields", function()
    local told = play.run [[
      local astar = require "astar"
      local grid = astar.grid(8, 4)
      grid:wall(2, 1, "east")
      grid:wall(2, 3, "south", true)
      grid:link(4, 2, 7, 2, { one_way = true })
      local view = astar.love.view(grid, { scale = 20, theme = { wall = "#ff0000", link = "#0000ff" } })
      local search, flow = grid:finder():search(1, 1, 8, 4), grid:finder():flow(1, 1)
      search:step()
      local also
      function love.draw()
        love.graphics.clear(0.5, 0.5, 0.5)
        view:draw()
        if also then view[also](view, also == "draw_flow" and flow or search) end
      end
      local function look(what)
        player.wait(2)
        local picture = player.picture()
        local function at(px, py)
          local color = player.color(picture, px, py)
          return color == "#ff0000" and "wall" or color == "#0000ff" and "link" or "-"
        end
        player.tell(what, at(39, 5), at(41, 5), at(30, 59), at(30, 61), at(110, 30), at(30, 30))
      end
      look "ground"
      also = "draw_search"
      look "search"
      also = "draw_flow"
      look "flow"
      also = nil
      grid:unwall(2, 1, "west")
      grid:unwall(2, 1, "east")
      grid:unlink(4, 2, 7, 2)
      view:touch(2, 1)
      look "touched"
      view.scale = 3
      grid:wall(1, 1, "east")
      player.wait(2)
      local picture, walls = player.picture(), 0
      for x = 0, 23 do
        if player.color(picture, x, 1) == "#ff0000" then walls = walls + 1 end
      end
      player.tell("small", walls)
    ]]
    local all = "wall wall wall - link -"
    assert.same({ all, all, all }, { told.ground, told.search, told.flow })
    assert.equal("- - wall - - -", told.touched)
    assert.equal("0", told.small)
  end)

  try("village", "runs as a .love file and fused with LÖVE, with the core in the file", function(name)
    if not play.can_pack() then
      pending "needs the program zip"
      return
    end
    local packed, fused = play.play_packed("build/love/" .. name, [[
      player.tell("fused", love.filesystem.isFused())
      player.tell("packed", love.filesystem.getInfo("astar/init.lua") ~= nil,
        love.filesystem.getInfo("astar/core.so") ~= nil)
      local copy = ("astar-core-%s/astar_core.so"):format(require("astar")._VERSION)
      player.tell("copied", love.filesystem.getInfo(copy) ~= nil)
      player.click(game.view:to_pixel(12, 11))
      player.wait_for(function() return not game.player.is_going end)
      player.tell("at", game.player.cell_x, game.player.cell_y)
    ]])
    assert.same({ "false", "true" }, { packed.fused, fused.fused })
    for _, told in ipairs { packed, fused } do
      assert.equal("true true", told.packed)
      assert.equal("true", told.copied)
      assert.equal("12 11", told.at)
    end
  end)

  try("tower", "has a player that walks up the stairs to the clicked roof, and down by the shaft", function(name)
    local told = play.play(name, [[
      local tower, walker, links = game.tower, game.walker, {}
      local function go(x, y, z)
        player.click(game.view:to_pixel(tower:at(x, y, z)))
        player.wait_for(function()
          if walker.link then links[walker.link] = true end
          return walker.arrived
        end)
        return tower:of(walker.x, walker.y)
      end
      -- No part of the line that is drawn leaves its floor.
      local function count_strays()
        local strays = 0
        for _, part in ipairs(game.drawn or {}) do
          for i = 3, #part, 2 do
            local _, _, from = tower:of(game.view:to_cell(part[i - 2], part[i - 1]))
            local _, _, to = tower:of(game.view:to_cell(part[i], part[i + 1]))
            if from ~= to then strays = strays + 1 end
          end
        end
        return strays
      end
      player.click(game.view:to_pixel(tower:at(7, 5, 3)))
      player.tell("parts", #game.drawn, count_strays())
      local between = 0
      player.wait_for(function()
        local x, y = math.floor(game.shown_x + 0.5), math.floor(game.shown_y + 0.5)
        if not pcall(tower.of, tower, x, y) then between = between + 1 end
        return game.walker.arrived
      end)
      player.tell("between", between)
      go(2, 2, 1)
      links.stairs, links.shaft = nil, nil
      player.tell("up", go(7, 5, 3))
      player.tell("over", links.stairs, links.shaft)
      player.tell("down", go(2, 5, 1))
      player.tell("by", links.shaft)
      player.click(game.view:to_pixel(11, 1)) -- between two floors
      player.tell("still", walker.arrived)
      local x, y = tower:at(8, 2, 1)
      local px, py = game.view:to_pixel(x, y)
      player.click(px, py)
      player.click(px, py, 2)
      player.tell("crate", game.grid:is_blocked(x, y))
    ]])
    assert.equal("3 0", told.parts)
    assert.equal("0", told.between)
    assert.equal("7 5 3", told.up)
    assert.equal("true nil", told.over)
    assert.equal("2 5 1", told.down)
    assert.equal("true", told.by)
    assert.equal("true", told.still)
    assert.equal("true", told.crate)
  end)

  -- The threads go by the clock, unlike the frames.
  try("threads", "hunts in three threads on one map, follows edits, and ends", function(name)
    local told = play.play(name, [[
      local function all(holds)
        player.wait_for(function()
          love.timer.sleep(0.01)
          for _, pack in ipairs(game.packs) do
            if not holds(pack) then return false end
          end
          return true
        end, 2000)
      end
      all(function(pack) return pack.searches > 0 end)
      game.grid:block(60, 1, 1, 80)
      game.grid:block(100, 1, 1, 80)
      local version = game.grid:version()
      all(function(pack) return pack.version >= version end)
      local left = {}
      for i, pack in ipairs(game.packs) do left[i] = pack.cells end
      all(function(pack) return pack.searches > #pack.cells end)
      local crossed = 0
      for i, pack in ipairs(game.packs) do
        for k = 1, #pack.cells, 2 do
          local from, to = left[i][k], pack.cells[k]
          if from < 100 and to > 100 or from > 100 and to < 100 then crossed = crossed + 1 end
        end
      end
      player.tell("crossed", crossed, #left[1], #left[2], #left[3])
      game.grid:unblock(60, 1, 1, 80)
      game.grid:unblock(100, 1, 1, 80)
      local function count_shared()
        local taken, shared = {}, 0
        for _, pack in ipairs(game.packs) do
          for k = 1, #pack.cells, 2 do
            local cell = pack.cells[k] + 1000 * pack.cells[k + 1]
            shared, taken[cell] = shared + (taken[cell] and 1 or 0), true
          end
        end
        return shared
      end
      local least = math.huge
      for _ = 1, 1500 do
        game.waited = 0
        love.timer.sleep(0.01)
        player.wait(1)
        least = math.min(least, count_shared())
        if least == 0 then break end
      end
      player.tell("heap", least)
      love.quit()
      for i, thread in ipairs(game.threads) do
        player.tell("thread" .. i, thread:isRunning(), thread:getError())
      end
    ]])
    assert.equal("0 120 120 120", told.crossed)
    assert.equal("0", told.heap) -- in the end each has a cell of its own
    for i = 1, 3 do assert.equal("false nil", told["thread" .. i]) end
  end)

  try("world", "makes the chunks of its route in a thread, and draws the route beyond the next stretch", function(name)
    local told = play.play(name, [[
      local x, most = game.x, 0
      player.wait_for(function()
        most = math.max(most, game.ordered)
        return game.x > x + 100
      end, 20000)
      player.tell("came", game.world:stats().chunks > 10, most)
      game.scale = 1.5
      player.wait_for(function() return game.rest and #game.rest > 20 end, 20000)
      local last, first = game.path, game.rest
      local x0, y0 = last:cell(#last)
      player.tell("rest", first:cell(1) == x0, (select(2, first:cell(1))) == y0)
      love.quit()
      player.tell("thread", game.thread:isRunning(), game.thread:getError())
    ]])
    assert.equal("true true", told.rest)
    assert.equal("true 6", told.came)
    assert.equal("false nil", told.thread)
  end)

  local DEMOS = {
    "village", "click_to_walk", "horde", "armies", "tower_defence", "colony", "hex", "tower", "visualiser", "world",
    "threads",
  }

  try("gallery", "lists the prototypes, and starts a prototype by a click or by its number", function(name)
    local told = play.play(name, [[
      player.tell("demos", table.concat(game.demos, " "))
      local pictures = 0
      for _ in pairs(game.pictures) do pictures = pictures + 1 end
      player.tell("pictures", pictures)
      local x, y = game.card(2)
      player.click(x + 20, y + 20)
      player.wait(20)
      player.tell("running", game.running)
      player.tell("cells", #game.state.path)
    ]])
    assert.equal(table.concat(DEMOS, " "), told.demos)
    assert.equal("click_to_walk", told.running)
    assert.equal(tostring(#DEMOS), told.pictures)
    assert.is_true(tonumber(told.cells) > 1)
    for i, demo in ipairs(DEMOS) do
      local one = play.play(name, ([[
        player.key "%x"
        player.wait(10)
        player.tell("running", game.running, game.state.grid ~= nil, love.window.getTitle())
      ]]):format(i))
      assert.equal(demo .. " true astar: " .. demo:gsub("_", " "), one.running)
    end
  end)
end)
