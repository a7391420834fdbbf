-- What of astar.love needs no LÖVE: where cells are on the screen, and grids of pictures. What it
-- draws is looked at by spec/love_spec.lua.

local astar = require "astar"
local check = require "spec.support.check"

local function fails(expected, misuse)
  assert.equal(expected, check.error_of(misuse))
end

describe("a view", function()
  local grid = astar.grid(20, 10, { origin = { -5, 3 } })

  it("maps each pixel to the cell whose centre maps back into it", function()
    local view = astar.love.view(grid, { x = 7, y = -11, scale = 12 })
    for y = 3, 12 do
      for x = -5, 14 do
        local px, py = view:to_pixel(x, y)
        for _, offset in ipairs { -6, 0, 5.99 } do
          assert.same({ x, y }, { view:to_cell(px + offset, py + offset) })
        end
      end
    end
    assert.is_nil(view:to_cell(6.9, 0))
    assert.is_nil(view:to_cell(7 + 20 * 12, 0))
  end)

  it("keeps what is at the pixel when zooming, and moves it when scrolling", function()
    local view = astar.love.view(grid)
    local x, y = view:to_cell(100, 50)
    view:zoom(3, 100, 50)
    assert.equal(48, view.scale)
    assert.same({ x, y }, { view:to_cell(100, 50) })
    view:scroll(-48, 96)
    assert.same({ x + 1, y - 2 }, { view:to_cell(100, 50) })
    view:zoom(1e9, 0, 0)
    assert.equal(256, view.scale)
  end)

  it("fits the grid into a rectangle", function()
    local view = astar.love.view(grid)
    view:fit(10, 20, 410, 300)
    assert.equal(20, view.scale)
    assert.same({ 15, 70 }, { view.x, view.y })
  end)

  it("tells what is wrong", function()
    local view = astar.love.view(grid)
    fails("astar grid expected, got a table", function() astar.love.view({}) end)
    fails('unknown option "zoom", expected one of x, y, scale, colors and theme',
      function() astar.love.view(grid, { zoom = 2 }) end)
    fails("scale must be a number from 0.25 to 256, got 0", function() astar.love.view(grid, { scale = 0 }) end)
    fails('the colour of "." must be a colour, "#rrggbb" or {r, g, b} from 0 to 1, got "red"',
      function() astar.love.view(grid, { colors = { ["."] = "red" } }) end)
    for _, color in ipairs { { 1, 1, 255 }, { 1, 1, 1, 2 }, { 1, 1, 1, 1, 1 }, { 1, 1, 1, a = 1 }, { 0 / 0, 0, 0 } } do
      fails('ink must be a colour, "#rrggbb" or {r, g, b} from 0 to 1, got a table',
        function() astar.love.view(grid, { theme = { ink = color } }) end)
    end
    fails('unknown colour "paht" in theme, expected block, wall, link, path, open, closed, near, far or ink',
      function() astar.love.view(grid, { theme = { paht = "#ffffff" } }) end)
    fails("px must be a number, got nil", function() view:to_cell() end)
    fails("factor must be a number > 0, got 0", function() view:zoom(0, 1, 1) end)
    fails("astar view expected, got nil", function() view.scroll(nil, 1, 1) end)
    fails("astar path expected, got nil", function() view:draw_path(nil) end)
    fails("astar path expected, got astar grid", function() view:draw_path(grid) end)
    fails("astar graph expected, got nil", function() view:draw_graph(nil) end)
    fails("astar graph expected, got astar grid", function() view:draw_graph(grid) end)
    fails("astar graph path expected, got a table", function() view:draw_graph(astar.graph(), {}) end)
    fails("a graph with neighbours has no nodes of its own",
      function() view:draw_graph(astar.graph { neighbours = print }) end)
    fails("astar search expected, got a table", function() view:draw_search {} end)
    fails("astar flow expected, got astar search", function()
      view:draw_flow(grid:finder():search(-5, 3, 0, 3))
    end)
    if not rawget(_G, "love") then
      fails("drawing needs LÖVE: love.graphics is not there", function() view:draw() end)
    end
  end)
end)

describe("a view of hexagons", function()
  for _, offset in ipairs { "odd_r", "even_r", "odd_q", "even_q" } do
    local grid = astar.grid(7, 6, { shape = "hex", offset = offset, origin = { -2, 4 } })

    it("maps each pixel to the hexagon it is in, " .. offset, function()
      local view = astar.love.view(grid, { x = 9, y = -5, scale = 20 })
      for y = 4, 9 do
        for x = -2, 4 do
          local px, py = view:to_pixel(grid:center(x, y))
          for _, angle in ipairs { 0, 1, 2, 3, 4, 5, 6 } do
            assert.same({ x, y }, { view:to_cell(px + 9.9 * math.cos(angle), py + 9.9 * math.sin(angle)) })
          end
        end
      end
      assert.is_nil((view:to_cell(8, -5)))
      assert.is_nil((view:to_cell(-1e300, 5)))
    end)

    it("fits the grid into a rectangle, " .. offset, function()
      local view = astar.love.view(grid)
      view:fit(0, 0, 300, 200)
      local in_rows = offset:sub(-1) == "r"
      local reach_x, reach_y = in_rows and 0.5 or 1 / math.sqrt(3), in_rows and 1 / math.sqrt(3) or 0.5
      for y = 4, 9 do
        for x = -2, 4 do
          local px, py = view:to_pixel(grid:center(x, y))
          assert.is_true(px - reach_x * view.scale >= -1 and px + reach_x * view.scale <= 301)
          assert.is_true(py - reach_y * view.scale >= -1 and py + reach_y * view.scale <= 201)
        end
      end
    end)
  end
end)

describe("love.grid", function()
  -- As LÖVE's ImageData answers: 0-based, parts from 0 to 1.
  local function picture(rows)
    local parts = { W = { 1, 1, 1 }, B = { 0, 0, 0 }, G = { 0x88 / 255, 0xaa / 255, 0x55 / 255 } }
    return {
      getWidth = function() return #rows[1] end,
      getHeight = function() return #rows end,
      getPixel = function(_, x, y)
        local color = parts[rows[y + 1]:sub(x + 1, x + 1)]
        return color[1], color[2], color[3], 1
      end,
    }
  end

  it("is a grid of a picture by colour", function()
    local grid = astar.love.grid(picture { "WWB", "GWB" }, {
      colors = { ["."] = { 1, 1, 1 }, ["#"] = "#000000", [","] = "#88aa55" },
      terrain = { ["."] = 1, [","] = 2, ["#"] = false },
      origin = { 0, 0 },
    })
    assert.equal("..#\n,.#\n", grid:draw())
    assert.equal(",", grid:get(0, 1))
  end)

  it("tells which pixel has an unknown colour", function()
    fails("pixel (0, 1) has the colour #88aa55, expected one of #000000, #ffffff", function()
      astar.love.grid(picture { "WB", "GW" }, { colors = { ["."] = "#ffffff", ["#"] = "#000000" } })
    end)
    fails("image must be LÖVE's ImageData, got nil", function() astar.love.grid(nil, { colors = {} }) end)
    fails("a grid of an image needs the option colors: { [key] = colour }",
      function() astar.love.grid(picture { "W" }) end)
    fails('#ffffff is the colour of two keys, "a" and "b"', function()
      astar.love.grid(picture { "W" }, { colors = { b = { 1, 1, 1 }, a = "#ffffff" } })
    end)
  end)
end)
