-- What of astar.love needs no LÖVE: where cells are on the screen, and grids of pictures. What it
-- draws is looked at by spec/love/love_spec.lua.

local astar = require "astar"
local check = require "spec.support.check"

local function fails(expected, misuse)
  assert.equal(expected, check.error_of(misuse))
end

describe("a view", function()
  local grid = astar.grid(20, 10, { origin = { -5, 3 } })

  it("maps each pixel to the cell that contains the pixel", function()
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

  it("keeps the cell at the given pixel when it zooms, and moves that cell when it scrolls", function()
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

  it("fits the grid into a given rectangle", function()
    local view = astar.love.view(grid)
    view:fit(10, 20, 410, 300)
    assert.equal(20, view.scale)
    assert.same({ 15, 70 }, { view.x, view.y })
  end)

  it("draws cells in any colour that its options name", function()
    local view, drawn = astar.love.view(grid), {}
    local before = rawget(_G, "love")
    rawset(_G, "love", { graphics = { setColor = function(color) drawn[#drawn + 1] = color end,
      rectangle = function() end, line = function() end, setLineWidth = function() end } })
    local ok, problem = pcall(function()
      view:draw_cell(1, 4, "#ff0000")
      view:draw_cell(1, 4, { 0, 1, 0 })
      view:draw_lines "#0000ff"
    end)
    local wrong = check.error_of(function() view:draw_cell(1, 4, "red") end)
    rawset(_G, "love", before)
    assert.is_true(ok, problem)
    assert.same({ { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, drawn)
    assert.equal('color must be a colour, "#rrggbb" or {r, g, b} from 0 to 1, got "red"', wrong)
  end)

  it("leaves the line width and the line join as they were when it draws a path", function()
    local width, join, drawn = 2.5, "miter", {}
    local before = rawget(_G, "love")
    rawset(_G, "love", { graphics = {
      setColor = function() end, circle = function() end,
      line = function() drawn[#drawn + 1] = join .. width end,
      getLineWidth = function() return width end, setLineWidth = function(value) width = value end,
      getLineJoin = function() return join end, setLineJoin = function(value) join = value end,
    } })
    local ok, problem = pcall(function()
      astar.love.view(grid, { scale = 60 }):draw_path(grid:find_path(-5, 3, 4, 8))
    end)
    rawset(_G, "love", before)
    assert.is_true(ok, problem)
    assert.same({ 2.5, "miter" }, { width, join })
    assert.is_true(#drawn > 0)
    for _, how in ipairs(drawn) do assert.equal("bevel10", (how:gsub("%.0$", ""))) end
  end)

  -- A stand-in for love.graphics whose state is a line width. The width is 2.5 when a call begins.
  local function width_after(f)
    local width = 2.5
    local function nothing() end
    local function new_image() return { setFilter = nothing, replacePixels = nothing } end
    local function new_pixels(w, h)
      return { setPixel = nothing, paste = nothing, mapPixel = nothing, clear = nothing,
        clone = function() return new_pixels(w, h) end, getDimensions = function() return w, h end }
    end
    local graphics = {
      getLineWidth = function() return width end, setLineWidth = function(value) width = value end,
      getLineJoin = function() return "miter" end, getScissor = nothing, getDimensions = function() return 800, 600 end,
      getFont = function() return { getHeight = function() return 12 end } end, newImage = new_image,
      newSpriteBatch = function() return { clear = nothing, add = nothing, setColor = nothing, set = nothing } end,
    }
    for _, name in ipairs {
      "setColor", "setLineJoin", "circle", "line", "rectangle", "polygon", "draw", "print", "printf",
    } do
      graphics[name] = nothing
    end
    local before = rawget(_G, "love")
    rawset(_G, "love", { graphics = graphics, image = { newImageData = new_pixels } })
    local ok, problem = pcall(f)
    rawset(_G, "love", before)
    assert.is_true(ok, problem)
    return width
  end

  it("leaves the line width as it was, whatever it draws", function()
    local land = astar.grid(12, 8)
    land:wall(3, 3, "east")
    land:link(1, 1, 9, 7, { one_way = true })
    local graph = astar.graph()
    graph:node("a", 1, 1)
    graph:node("b", 5, 5)
    graph:edge("a", "b")
    local search, flow = land:finder():search(1, 1, 12, 8), land:finder():flow(2, 2)
    search:step(5)
    for _, scale in ipairs { 3, 30, 80 } do
      local view = astar.love.view(land, { scale = scale })
      for name, argument in pairs {
        draw = false, draw_lines = false, draw_path = land:find_path(1, 1, 12, 8), draw_search = search,
        draw_flow = flow, draw_graph = graph,
      } do
        assert.equal(2.5, width_after(function() view[name](view, argument or nil) end), name .. " at " .. scale)
      end
    end
  end)

  it("raises errors that name wrong arguments", function()
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
    fails("astar path expected, got astar grid: pass the path that find_path returned",
      function() view:draw_path(grid) end)
    fails("corner must be a number from 0 to 0.5, got 2", function()
      view:draw_path(grid:find_path(-5, 3, -4, 3), nil, 2)
    end)
    fails("astar graph expected, got nil", function() view:draw_graph(nil) end)
    fails("astar graph expected, got astar grid", function() view:draw_graph(grid) end)
    fails("astar graph path expected, got a table", function() view:draw_graph(astar.graph(), {}) end)
    fails("a space of states stores no nodes: call only its method finder",
      function() view:draw_graph(astar.states { neighbours = print }) end)
    fails("astar search expected, got a table", function() view:draw_search {} end)
    fails("astar flow expected, got astar search", function()
      view:draw_flow(grid:finder():search(-5, 3, 0, 3))
    end)
    if not rawget(_G, "love") then
      fails("drawing needs LÖVE: love.graphics is missing", function() view:draw() end)
    end
  end)
end)

describe("a view of hexagons", function()
  for _, offset in ipairs { "odd_r", "even_r", "odd_q", "even_q" } do
    local grid = astar.grid(7, 6, { shape = "hex", offset = offset, origin = { -2, 4 } })

    it("maps each pixel to the hexagon that contains it, offset " .. offset, function()
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

    it("fits the grid into a given rectangle, offset " .. offset, function()
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

-- ---- what is painted, counted ----

-- In place of LÖVE: pictures that count the pixels set, and lines that are kept.
local function fake_love()
  local seen = { pixels = 0, sprites = 0, lines = {} }
  local Data = {}
  Data.__index = Data
  function Data:getDimensions() return self.width, self.height end
  function Data:getWidth() return self.width end
  function Data:getHeight() return self.height end
  function Data.mapPixel() end
  function Data:setPixel(x, y, r, g, b, a)
    assert(x >= 0 and y >= 0 and x < self.width and y < self.height)
    seen.pixels = seen.pixels + 1
    self[y * self.width + x] = ("%.4f %.4f %.4f %.4f"):format(r, g, b, a)
  end
  function Data:paste(other)
    for place = 0, self.width * self.height - 1 do self[place] = other[place] end
  end
  function Data:clone()
    local copy = setmetatable({ width = self.width, height = self.height }, Data)
    copy:paste(self)
    return copy
  end
  local Image = {}
  Image.__index = Image
  function Image.setFilter() end
  function Image:replacePixels(data) self.shown = data:clone() end
  function Image:getWidth() return self.shown.width end
  function Image:getHeight() return self.shown.height end
  local Batch = {}
  Batch.__index = Batch
  function Batch:setColor(r, g, b, a) self.color = ("%.4f %.4f %.4f %.4f"):format(r, g, b, a) end
  function Batch:set(id, x, y)
    assert(self[id], "no such sprite")
    self[id] = ("%.4f %.4f %s"):format(x, y, tostring(self.color))
    seen.sprites = seen.sprites + 1
  end
  function Batch:add(x, y)
    self.count = self.count + 1
    self[self.count] = ""
    self:set(self.count, x, y)
    return self.count
  end
  function Batch:clear()
    for id = 1, self.count do self[id] = nil end
    self.count = 0
  end
  local graphics = setmetatable({
    newImage = function(data) return setmetatable({ shown = data:clone() }, Image) end,
    newSpriteBatch = function() return setmetatable({ count = 0 }, Batch) end,
    getDimensions = function() return 800, 600 end,
    line = function(points, ...)
      seen.lines[#seen.lines + 1] = type(points) == "table" and points or { points, ... }
    end,
  }, { __index = function() return function() end end })
  local image = {
    newImageData = function(width, height) return setmetatable({ width = width, height = height }, Data) end,
  }
  return { graphics = graphics, image = image, seen = seen }
end

-- All pixels of a picture, and sprites of a batch that can be seen.
local function look_at(picture)
  local cells = {}
  if picture.batch then
    for id = 1, picture.batch.count do
      if not picture.batch[id]:find " 0.0000$" then cells[#cells + 1] = picture.batch[id] end
    end
    table.sort(cells)
  else
    local shown = picture.image.shown
    for place = 0, shown.width * shown.height - 1 do
      cells[#cells + 1] = shown[place] or "0.0000 0.0000 0.0000 0.0000"
    end
  end
  return table.concat(cells, "\n")
end

describe("what a view repaints", function()
  local before

  before_each(function()
    before = rawget(_G, "love")
    rawset(_G, "love", fake_love())
  end)
  after_each(function() rawset(_G, "love", before) end)

  -- How many cells 'f' has painted.
  local function painted(f)
    local seen = rawget(_G, "love").seen
    seen.pixels, seen.sprites = 0, 0
    f()
    return math.max(seen.pixels, seen.sprites)
  end

  local function random_edit(grid, numbers)
    local x0, y0, x1, y1 = grid:bounds()
    local x, y, choice = numbers:int(x0, x1), numbers:int(y0, y1), numbers:int(1, 6)
    local w, h = math.min(numbers:int(1, 3), x1 - x + 1), math.min(numbers:int(1, 3), y1 - y + 1)
    if choice == 1 then grid:block(x, y, w, h)
    elseif choice == 2 then grid:unblock(x, y, w, h)
    elseif choice == 3 then grid:block(x, y, w, h, numbers:pick { "doors", "crates" })
    elseif choice == 4 then grid:set(x, y, numbers:pick { ".", "#", "~" })
    elseif choice == 5 then grid:fill(x, y, w, h, numbers:pick { ".", "~" })
    else grid:wall(x, y, grid:shape() == "hex" and "south_east" or "east") end
  end

  local function each_grid(visit)
    for seed, shape in ipairs { "square", "odd_r", "even_q", "square" } do
      local is_hex = shape ~= "square"
      local grid = astar.grid(24, 18, {
        shape = is_hex and "hex" or nil, offset = is_hex and shape or nil, origin = { -3, 7 }, fill = ".",
        terrain = { ["."] = 1, ["#"] = false, ["~"] = 3 },
      })
      visit(grid, require("spec.support.random").new(seed))
    end
  end

  it("consists of only the edited cells, and the picture looks as if all cells were painted", function()
    each_grid(function(grid, numbers)
      local view = astar.love.view(grid)
      assert.equal(24 * 18, painted(function() view:draw() end))
      assert.equal(0, painted(function() view:draw() end))
      grid:block(3, 9)
      assert.equal(1, painted(function() view:draw() end))
      for _ = 1, 40 do
        local count = numbers:int(1, 5)
        local most = painted(function()
          for _ = 1, count do random_edit(grid, numbers) end
          view:draw()
        end)
        assert(most <= 9 * count, most)
        local anew = astar.love.view(grid)
        anew:draw()
        assert.equal(look_at(anew.ground), look_at(view.ground))
      end
    end)
  end)

  it("consists of all cells if costs have changed, and after more edits than the grid remembers", function()
    each_grid(function(grid)
      local view = astar.love.view(grid)
      view:draw()
      grid:terrain("~", 5)
      assert.equal(24 * 18, painted(function() view:draw() end))
      for i = 1, 300 do grid:set(i % 20, 10, i % 40 < 20 and "." or "~") end
      assert.equal(24 * 18, painted(function() view:draw() end))
      local anew = astar.love.view(grid)
      anew:draw()
      assert.equal(look_at(anew.ground), look_at(view.ground))
    end)
  end)

  it("consists of the edited cells in each of several views, however rarely a view is drawn", function()
    local grid = astar.grid(30, 30)
    local first, second = astar.love.view(grid), astar.love.view(grid)
    first:draw()
    second:draw()
    for i = 1, 10 do
      grid:block(i, 5)
      assert.equal(1, painted(function() first:draw() end))
    end
    assert.equal(10, painted(function() second:draw() end))
    assert.equal(look_at(first.ground), look_at(second.ground))
  end)

  it("includes the cells that are given to view:touch", function()
    local grid = astar.grid(30, 30)
    local view = astar.love.view(grid)
    view:draw()
    grid:block(2, 2, 3, 2)
    assert.equal(6, painted(function() view:touch(2, 2, 3, 2) view:draw() end))
  end)

  it("consists of the flow's cells with a new distance, and looks as if all cells were painted", function()
    each_grid(function(grid, numbers)
      local flow = grid:finder():flow(0, 9)
      local view = astar.love.view(grid, { scale = 8 })
      assert.equal(24 * 18, painted(function() view:draw_flow(flow) end))
      assert.equal(0, painted(function() view:draw_flow(flow) end))
      grid:block(20, 24) -- the last corner: nothing leads past it
      assert.equal(1, painted(function() view:draw_flow(flow) end))
      grid:unblock(20, 24)
      assert.equal(1, painted(function() view:draw_flow(flow) end))
      for _ = 1, 40 do
        random_edit(grid, numbers)
        view:draw_flow(flow)
        local anew = astar.love.view(grid, { scale = 8 })
        anew:draw_flow(flow)
        assert.equal(look_at(anew.overlay), look_at(view.overlay))
      end
      local search = grid:finder():search(0, 9, 0, 9)
      search:step(1000)
      view:draw_search(search)
      view:draw_flow(flow)
      local anew = astar.love.view(grid, { scale = 8 })
      anew:draw_flow(flow)
      assert.equal(look_at(anew.overlay), look_at(view.overlay))
    end)
  end)

  it("has different colours for near and far cells of a flow", function()
    local grid = astar.grid(60, 60)
    local view = astar.love.view(grid, { theme = { near = { 0, 0, 0 }, far = { 1, 1, 1 } } })
    local function shade(x, y)
      return tonumber(view.overlay.image.shown[(y - 1) * 60 + x - 1]:match "^%S+")
    end
    for _, flow in ipairs { grid:finder():flow(1, 1), grid:finder():flow(1, 1):flee() } do
      view:draw_flow(flow)
      local last = -1
      local cells = {}
      for x, y, distance in flow:cells() do cells[#cells + 1] = { distance, shade(x, y) } end
      table.sort(cells, function(a, b) return a[1] < b[1] end)
      for _, cell in ipairs(cells) do
        assert(cell[2] >= last - 1e-4)
        last = cell[2]
      end
      assert(cells[1][2] < 0.15 and last > 0.8, last)
    end
  end)

  it("cannot include a flow over a grid of another size", function()
    local view = astar.love.view(astar.grid(5, 5))
    local flow = astar.grid(6, 6):finder():flow(1, 1)
    fails("flow is over a grid of another size than the view's", function() view:draw_flow(flow) end)
  end)

  it("includes, for a path, the line that a walker follows, with its curves", function()
    local love = rawget(_G, "love")
    for seed = 1, 60 do
      local dice = require("spec.support.random").new(seed)
      local offset = dice:pick { "square", "square", "odd_r", "even_q" }
      local is_square = offset == "square"
      local grid = astar.grid(dice:scatter(20, 15, 0.2), {
        shape = not is_square and "hex" or nil, offset = not is_square and offset or nil,
      })
      if dice:chance(0.3) then grid:link(2, 2, 17, 12) end
      local finder = grid:finder { any_angle = is_square and dice:chance(0.5) or nil }
      local path = finder:find_path(1, 1, 20, 15)
      local reach = dice:pick { 0, 0.25, 0.4, 0.5 }
      local walker = path and astar.walker(path, { corner = reach })
      if path then
        love.seen.lines = {}
        local view = astar.love.view(grid, { scale = 1 })
        view:draw_path(path, nil, reach)
        local line = love.seen.lines[1]
        repeat
          walker:update(0.03)
          local x, y = view:to_pixel(walker.x, walker.y)
          local least = walker.link and 0 or math.huge
          for i = 1, #line - 3, 2 do
            local dx, dy = line[i + 2] - line[i], line[i + 3] - line[i + 1]
            local length = dx * dx + dy * dy
            local part = length > 0 and ((x - line[i]) * dx + (y - line[i + 1]) * dy) / length or 0
            part = math.max(0, math.min(1, part))
            local off_x, off_y = line[i] + part * dx - x, line[i + 1] + part * dy - y
            least = math.min(least, off_x * off_x + off_y * off_y)
          end
          assert(least < 0.01 ^ 2, ("seed %d: %g off at %g, %g"):format(seed, least ^ 0.5, walker.x, walker.y))
        until walker.arrived
      end
    end
  end)

  it("includes two lines for a path that returns over a link, because the link separates them", function()
    local grid = astar.grid "......\n.#####\n......"
    grid:link(1, 1, 6, 3)
    local view, seen = astar.love.view(grid, { scale = 10 }), rawget(_G, "love").seen
    seen.lines = {}
    view:draw_path(grid:find_path(6, 1, 6, 3))
    assert.same({ { 55, 5, 5, 5 }, { 5, 5, 55, 25 } }, seen.lines)
  end)

  it("includes path lines that end at the edge of a wrapped map, and continue at the opposite edge", function()
    local function lines_of(wrap, ...)
      local grid, seen = astar.grid(8, 6, { wrap = wrap }), rawget(_G, "love").seen
      grid:link(4, 1, 4, 6, { label = "lift" })
      seen.lines = {}
      astar.love.view(grid, { scale = 2, x = 1, y = 1 }):draw_path(grid:find_path(...), nil, 0)
      return seen.lines -- by two pixels a cell, of which the first has its middle at 2, 2
    end
    assert.same({ { 14, 6, 16, 6, 17, 6 }, { 1, 6, 2, 6, 4, 6 } }, lines_of("x", 7, 3, 2, 3))
    assert.same({ { 16, 12, 17, 13 }, { 1, 1, 2, 2 } }, lines_of("both", 8, 6, 1, 1))
    assert.same({ { 6, 2, 6, 1 }, { 6, 13, 6, 12 } }, lines_of("y", 3, 1, 3, 6))
    assert.same({ { 8, 2, 8, 12 } }, lines_of("x", 4, 1, 4, 6)) -- a link is no seam
  end)

  it("includes, for a path without curves, a line between its turning points", function()
    each_grid(function(grid, numbers)
      for _ = 1, 8 do random_edit(grid, numbers) end
      local view = astar.love.view(grid)
      local path = grid:find_path(-3, 7, 20, 24) or grid:find_path(-3, 7, -3, 7)
      for _, way in ipairs { path, path:smooth() } do
        local points = {}
        for _, point in ipairs(way:waypoints()) do
          points[#points + 1], points[#points + 2] = view:to_pixel(grid:center(point.x, point.y))
        end
        local seen = rawget(_G, "love").seen
        seen.lines = {}
        view:draw_path(way, nil, 0)
        assert.same(#points > 2 and { points } or {}, seen.lines)
      end
    end)
  end)
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

  it("makes a grid of a picture by its colours", function()
    local grid = astar.love.grid(picture { "WWB", "GWB" }, {
      colors = { ["."] = { 1, 1, 1 }, ["#"] = "#000000", [","] = "#88aa55" },
      terrain = { ["."] = 1, [","] = 2, ["#"] = false },
      origin = { 0, 0 },
    })
    assert.equal("..#\n,.#\n", grid:draw())
    assert.equal(",", grid:get(0, 1))
  end)

  it("raises an error that names a pixel of an unknown colour", function()
    fails("pixel (0, 1) has the colour #88aa55, expected one of #000000, #ffffff", function()
      astar.love.grid(picture { "WB", "GW" }, { colors = { ["."] = "#ffffff", ["#"] = "#000000" } })
    end)
    fails("image must be LÖVE's ImageData, got nil", function() astar.love.grid(nil, { colors = {} }) end)
    fails("a grid made from an image needs the option colors: { [key] = colour }",
      function() astar.love.grid(picture { "W" }) end)
    fails('#ffffff is the colour of two keys, "a" and "b"', function()
      astar.love.grid(picture { "W" }, { colors = { b = { 1, 1, 1 }, a = "#ffffff" } })
    end)
  end)
end)
