-- The prototypes of examples/love in real LÖVE: clicked on, waited for, looked at.

local play = require "spec.support.love"

local astar = require "astar"

local missing = play.missing()

describe("in LÖVE", function()
  local function try(name, what, f)
    it(name .. " " .. what, function()
      if missing then
        pending(missing)
        return
      end
      f(name)
    end)
  end

  try("click_to_walk", "shows the field, the wall, player, goal and route", function(name)
    local told = play.play(name, [[
      local view, grid = game.view, game.grid
      player.tell("size", grid:size())
      player.tell("cost", ("%.9f"):format(game.path.cost))
      player.tell("walked", game.x, game.y)
      local picture = player.picture()
      local function at(x, y) return player.color(picture, view:to_pixel(x, y)) end
      player.tell("wall", at(4, 2), at(4, 9), at(20, 10))
      player.tell("goal", at(17, 5))
      player.tell("player", at(game.x, game.y))
      local x, y = game.path:cell(math.floor(#game.path / 2))
      player.tell("route", at(x, y))
    ]])
    assert.equal("20 10", told.size)
    local grid = astar.grid(20, 10)
    grid:block(4, 2, 1, 8)
    assert.equal(("%.9f"):format(grid:find_path(2, 5, 17, 5).cost), told.cost)
    assert.equal("#2f7fd0 #2f7fd0 #3a4a3f", told.wall)
    assert.equal("#cc3333", told.goal)
    assert.equal("#33cc66", told.player)
    assert.equal("#ffffff", told.route)
  end)

  try("click_to_walk", "walks to where one clicks, a little each frame", function(name)
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

  try("click_to_walk", "replans in mid-walk around new walls, and goes through none", function(name)
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

  try("gallery", "lists the prototypes and starts the one clicked", function(name)
    local told = play.play(name, [[
      player.tell("demos", table.concat(game.demos, " "))
      player.click(100, game.top + 20)
      player.wait(20)
      player.tell("running", game.running)
      player.tell("cells", #game.state.path)
    ]])
    assert.is_truthy(told.demos:find "^click_to_walk")
    assert.equal("click_to_walk", told.running)
    assert.is_true(tonumber(told.cells) > 1)
  end)
end)
