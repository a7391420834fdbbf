local astar = require "astar"
local check = require "spec.support.check"
local maps = require "spec.support.maps"

local error_of = check.error_of

describe("grid:draw", function()
  it("draws the terrain, one line per row", function()
    assert.equal("..#\n#..\n", astar.grid("..#\n#.."):draw())
  end)

  it("draws the route, its start and its goal", function()
    local grid, at = maps.read [[
      S..#
      ##.#
      ##.G
    ]]
    local path = grid:find_path(at.S.x, at.S.y, at.G.x, at.G.y)
    assert.equal(maps.text [[
      S**#
      ##*#
      ##*G
    ]], grid:draw(path))
  end)

  it("draws blocks as X", function()
    local grid = astar.grid "..#"
    grid:block(2, 1, 2)
    assert.equal(".XX\n", grid:draw())
  end)

  it("draws a route over blocks that were added later", function()
    local grid = astar.grid(5, 1)
    local path = grid:find_path(1, 1, 5, 1)
    grid:block(3, 1)
    local picture = grid:draw(path)
    assert.equal(6, #picture)
    assert.matches("^S%*[X*]%*G\n$", picture)
  end)

  it("draws a path of one cell", function()
    local grid = astar.grid(3, 1)
    assert.matches("^%.[SG]%.\n$", grid:draw(grid:find_path(2, 1, 2, 1)))
  end)

  it("draws each terrain key as the character that the legend gives", function()
    local grid = astar.grid({ { "grass", "water" }, { 3, "grass" } },
      { terrain = { grass = 1, water = false, [3] = 2 } })
    assert.equal(",~\n3,\n", grid:draw { grass = ",", water = "~", [3] = "3" })
    assert.equal(",≈\n^,\n", grid:draw { grass = ",", water = "≈", [3] = "^" })
  end)

  it("accepts a path and a legend", function()
    local grid = astar.grid({ { "grass", "grass", "grass", "water" } },
      { terrain = { grass = 1, water = false } })
    local path = grid:find_path(1, 1, 3, 1)
    assert.equal("S*G~\n", grid:draw(path, { grass = ",", water = "~" }))
    assert.equal(",,,~\n", grid:draw(nil, { grass = ",", water = "~" }))
  end)

  it("draws the legend's character rather than the key's character", function()
    assert.equal("  █\n", astar.grid("..#"):draw { ["."] = " ", ["#"] = "█" })
  end)

  it("draws UTF-8 keys as they were given", function()
    local grid = astar.grid("é≈\n≈é", { terrain = { ["é"] = 1, ["≈"] = 3 } })
    assert.equal("é≈\n≈é\n", grid:draw())
  end)

  it("draws one character per cell for keys of any length", function()
    local grid = astar.grid({ { "grass", 10, "x" } }, { terrain = { grass = 1, [10] = 1, x = 1 } })
    local count = 0
    for _ in grid:draw():gsub("\n", ""):gmatch "[%z\1-\127\194-\244][\128-\191]*" do
      count = count + 1
    end
    assert.equal(3, count)
  end)

  it("draws terrain whose key is not one character by its cost: # blocked, : more than 1, . otherwise", function()
    assert.equal(".#\n#.\n", astar.grid({ { 0, 1 }, { 1, 0 } }):draw())
    assert.equal(".#\n", astar.grid({ { true, false } }):draw())
    assert.equal(".:#\n", astar.grid({ { "road", "swamp", "water" } }, {
      terrain = { road = 0.5, swamp = 5, water = false },
    }):draw())
  end)

  it("returns a drawing from which astar.grid can make an equal grid", function()
    local grid = astar.grid("..#\n#..")
    assert.equal(grid:draw(), astar.grid(grid:draw()):draw())
  end)

  it("draws a path only on the grid that found the path, not on a clone of that grid", function()
    local grid = astar.grid(3, 1)
    local copy = grid:clone()
    local path = copy:find_path(1, 1, 3, 1)
    assert.equal("S*G\n", copy:draw(path))
    assert.equal("the path belongs to another grid: draw it by the grid that it was found on",
      error_of(function() grid:draw(path) end))
    copy:block(2, 1)
    assert.equal("SXG\n", (copy:draw(path):gsub("%*", "X")))
  end)

  it("draws in the grid's own coordinates", function()
    local grid = astar.grid(3, 2, { origin = { -1, 8 } })
    assert.equal("S..\n.*G\n", grid:draw(grid:find_path(-1, 8, 1, 9, { diagonals = "always" }))
      :gsub("S%*%.\n%.%.G", "S..\n.*G")) -- either way round is best
  end)

  it("refuses a value that is neither a path nor a legend", function()
    local grid = astar.grid(3, 1)
    assert.matches("got 3$", error_of(function() grid:draw(3) end))
    assert.matches("got a function$", error_of(function() grid:draw(print) end))
    assert.matches("legend", error_of(function() grid:draw(nil, "x") end))
    assert.matches("legend", error_of(function() grid:draw { ["."] = 7 } end))
    assert.matches("legend", error_of(function() grid:draw { ["."] = "two" } end))
    assert.equal("...\n", grid:draw { z = "z" }) -- of no terrain here
  end)
end)
