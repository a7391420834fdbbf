-- Graphs drawn in Tiled: spec/tiled/ways.tmx, as Tiled exports it, and random drawings against the rules told of each
-- corner by itself.

local check = require "spec.support.check"
local hex_oracle = require "spec.support.hex_oracle"
local random = require "spec.support.random"

local astar = require "astar"

local tiled = astar.tiled

local WAYS = "spec/tiled/ways.lua"

local function fails(expected, misuse)
  assert.equal(expected, check.error_of(misuse))
end

-- A graph as a list of lines: its nodes in their order, each with its edges.
local function listed(graph)
  local list = {}
  for key, x, y in graph:nodes() do
    local edges = {}
    for to, cost, label in graph:edges(key) do
      edges[#edges + 1] = ("%s %.9g%s"):format(to, cost, label and " " .. label or "")
    end
    table.sort(edges)
    list[#list + 1] = ("%s (%.9g, %.9g): %s"):format(key, x, y, table.concat(edges, ", "))
  end
  return list
end

-- A map with nothing but objects, each { shape, x, y, ... } as Tiled exports it but for what is added here.
local function map_of(objects, changes)
  local map = {
    orientation = "orthogonal", width = 20, height = 20, tilewidth = 16, tileheight = 16, tilesets = {},
    layers = { { name = "ways", type = "objectgroup", objects = objects } },
  }
  for i, object in ipairs(objects) do
    object.id, object.properties = object.id or i, object.properties or {}
    object.name = object.name or ""
  end
  for key, value in pairs(changes or {}) do map[key] = value end
  return map
end

local function point(x, y, name)
  return { shape = "point", x = x, y = y, width = 0, height = 0, rotation = 0, name = name }
end

-- A polyline through corners { x1, y1, x2, y2, ... }.
local function line(corners, properties, name)
  local points = {}
  for i = 1, #corners, 2 do
    points[#points + 1] = { x = corners[i] - corners[1], y = corners[i + 1] - corners[2] }
  end
  return {
    shape = "polyline", x = corners[1], y = corners[2], rotation = 0, polyline = points, properties = properties,
    name = name,
  }
end

describe("tiled.graph", function()
  it("has waypoints at drawn points and corners, and edges along the lines", function()
    local ferry = 9 / (math.sqrt(7 ^ 2 + 1) + 3)
    assert.same({
      "west gate (1, 3): 8/2 3, gap 4 road",
      "gap (5, 3): 6/2 2, west gate 4 road",
      "well (10, 2): 6/4 3",
      "4 (3, 6): " .. ("6/4 %.9g ferry, 8/2 2"):format(math.sqrt(7 ^ 2 + 1) * ferry),
      "6/2 (7, 3): 6/3 2, gap 2",
      "6/3 (7, 5): 6/2 2, 6/4 3",
      "6/4 (10, 5): 6/3 3, well " .. ("%.9g ferry"):format(3 * ferry),
      "8/2 (1, 6): 4 2, west gate 3",
    }, listed(tiled.graph(WAYS, { "ways" })))
  end)

  it("reads every object layer by default, from a file or a loaded table, or one layer by its name", function()
    local all = listed(tiled.graph(WAYS))
    assert.same(all, listed(tiled.graph(WAYS, { "ways" })))
    assert.same(all, listed(tiled.graph(tiled.load(WAYS), {})))
  end)

  it("leads over waypoints from cell to cell of the grid that was made from the same map", function()
    local grid = tiled.grid(WAYS)
    local ways = tiled.graph(WAYS, { "ways" })
    local joined = ways:join(grid:finder())
    local route = joined:find_path(1, 1, 9, 2)
    assert.same({ x = 1, y = 1 }, route[1])
    assert.same({ "gap", "6/2" }, { route[2], route[3] }) -- the gap is in sight
    assert.same({ x = 9, y = 2 }, route[#route])
    for i = 1, #route - 1 do
      local from, to = joined:leg(route, i):cell(1)
      assert.same(i == 1 and { 1, 1 } or { grid:cell_at(ways:position(route[i])) }, { from, to })
    end
    local at = tiled.graph(WAYS, { "ways", origin = { 0, -2 } })
    assert.same({ 4, 0 }, { at:position "gap" })
  end)

  it("uses the label of an edge or the line's name, and adds a line's cost once per line", function()
    local objects = {
      point(8, 8, "a"), point(40, 8, "b"), point(104, 8, "c"),
      line({ 8, 8, 40, 8, 104, 8 }, { cost = 3 }, "lane"),
      line({ 104, 8, 8, 8 }, { label = 7, one_way = true }, "back"),
    }
    assert.same({ "a (1, 1): b 1 lane", "b (3, 1): a 1 lane, c 2 lane", "c (7, 1): a 6 7, b 2 lane" },
      listed(tiled.graph(map_of(objects))))
    objects[4].properties = { price = 3, what = "x", once = true }
    objects[5].properties = { once = true }
    assert.same({ "a (1, 1): b 1 x", "b (3, 1): c 2 x", "c (7, 1): a 6 back" },
      listed(tiled.graph(map_of(objects), { properties = { cost = "price", label = "what", one_way = "once" } })))
  end)

  it("closes polygons, rotates objects, and reads isometric maps", function()
    local ring = line { 8, 8, 40, 8, 40, 40 }
    ring.shape, ring.polygon, ring.polyline = "polygon", ring.polyline, nil
    assert.same({
      "1/1 (1, 1): 1/2 2, 1/3 2.82842712", "1/2 (3, 1): 1/1 2, 1/3 2", "1/3 (3, 3): 1/1 2.82842712, 1/2 2",
    }, listed(tiled.graph(map_of { ring })))
    ring.rotation = 90
    assert.same({ 1, 3 }, { tiled.graph(map_of { ring }):position "1/2" })
    local diamond = map_of({ point(8, 8, "a"), line { 8, 8, 24, 8, 24, 40 } },
      { orientation = "isometric", tilewidth = 32 })
    assert.same({ "a (1, 1): 2/2 1", "2/2 (2, 1): 2/3 2, a 1", "2/3 (2, 3): 2/2 2" }, listed(tiled.graph(diamond)))
  end)

  it("puts waypoints of hexagonal maps on the centres of their cells", function()
    for offset, axis in pairs { odd_r = "y", even_r = "y", odd_q = "x", even_q = "x" } do
      local r = random.new(#offset)
      local wide = { tilewidth = 28, tileheight = 32, hexsidelength = 16 }
      local map = map_of({}, {
        orientation = "hexagonal", staggeraxis = axis, staggerindex = offset:match "^%a+", hexsidelength = 16,
        tilewidth = axis == "y" and wide.tilewidth or wide.tileheight,
        tileheight = axis == "y" and wide.tileheight or wide.tilewidth,
      })
      -- the oracle's tiles are 40 pixels long; these are 32, and a little narrower than regular ones
      local kx = axis == "y" and 28 / (math.sqrt(3) * 20) or 0.8
      local ky = axis == "y" and 0.8 or 28 / (math.sqrt(3) * 20)
      for _ = 1, 20 do
        local ax, ay, bx, by = r:int(0, 9), r:int(0, 9), r:int(0, 9), r:int(0, 9)
        if ax ~= bx or ay ~= by then
          local apx, apy = hex_oracle.tiled_middle(offset, ax, ay)
          local bpx, bpy = hex_oracle.tiled_middle(offset, bx, by)
          map.layers[1].objects = map_of({
            point(apx * kx + 2, apy * ky - 2, "a"), point(bpx * kx - 3, bpy * ky + 1, "b"),
            line { apx * kx, apy * ky, bpx * kx, bpy * ky },
          }).layers[1].objects
          local graph, grid = tiled.graph(map), astar.grid(10, 10, { shape = "hex", offset = offset })
          assert.same({ ax + 1, ay + 1 }, { grid:cell_at(graph:position "a") })
          local x, y = graph:position "b"
          local cx, cy = grid:center(bx + 1, by + 1)
          assert.is_true(math.abs(x - cx) + math.abs(y - cy) < 1e-9)
          local apart = math.sqrt((apx - bpx) ^ 2 + (apy - bpy) ^ 2) / (math.sqrt(3) * 20)
          assert.is_true(math.abs(graph:finder():find_path("a", "b").cost - apart) < 1e-9)
        end
      end
    end
  end)

  -- What a drawing means, corner by corner.
  local function expected_of(objects, snap)
    local nodes, edges = {}, {}
    local function nearest(px, py, is_point)
      local best, least
      for _, node in ipairs(nodes) do
        local apart = math.sqrt((node.x - px) ^ 2 + (node.y - py) ^ 2)
        if node.is_point == is_point and apart <= snap and (not best or apart < least) then
          best, least = node, apart
        end
      end
      return best
    end
    for _, object in ipairs(objects) do
      if object.shape == "point" then
        nodes[#nodes + 1] = { key = object.id, x = object.x / 16 + 0.5, y = object.y / 16 + 0.5, is_point = true }
      end
    end
    for _, object in ipairs(objects) do
      local last
      for i, corner in ipairs(object.polyline or {}) do
        local x, y = (object.x + corner.x) / 16 + 0.5, (object.y + corner.y) / 16 + 0.5
        local node = nearest(x, y, true) or nearest(x, y, false)
        if not node then
          node = { key = object.id .. "/" .. i, x = x, y = y, is_point = false }
          nodes[#nodes + 1] = node
        end
        if last and last ~= node then
          edges[last], edges[node] = edges[last] or {}, edges[node] or {}
          local cost = math.sqrt((last.x - node.x) ^ 2 + (last.y - node.y) ^ 2)
          edges[last][node.key], edges[node][last.key] = cost, cost
        end
        last = node
      end
    end
    local list = {}
    for i, node in ipairs(nodes) do
      local own = {}
      for key, cost in pairs(edges[node] or {}) do own[#own + 1] = ("%s %.9g"):format(key, cost) end
      table.sort(own)
      list[i] = ("%s (%.9g, %.9g): %s"):format(node.key, node.x, node.y, table.concat(own, ", "))
    end
    return list
  end

  it("has the nodes and edges that the corners describe, for any drawing", function()
    for seed = 1, 300 do
      local r = random.new(seed)
      local objects = {}
      for i = 1, r:int(1, 25) do
        if r:chance(0.5) then
          objects[i] = point(r:int(0, 80), r:int(0, 80))
        else
          local corners = { 200 + seed, 200 } -- far from all others: never a line without an edge
          for _ = 1, 2 * r:int(1, 6) do corners[#corners + 1] = r:int(0, 80) end
          objects[i] = line(corners)
        end
      end
      local snap = r:chance(0.3) and 0 or r:int(1, 32) / 16
      assert.same(expected_of(map_of(objects).layers[1].objects, snap), listed(tiled.graph(map_of(objects),
        { snap = snap })), "seed " .. seed)
    end
  end)
end)

describe("tiled.graph's errors", function()
  it("mention the wrong object, and the expected value", function()
    local where = 'map: layer "ways": object '
    local function of(objects) return function() tiled.graph(map_of(objects)) end end
    fails(where .. "2: expected a unique name, got \"a\", as " .. where .. "1 has",
      of { point(8, 8, "a"), point(40, 8, "a") })
    fails(where .. "1: expected a point or a line, got \"rectangle\"", of { { shape = "rectangle", x = 0, y = 0 } })
    fails(where .. "1: expected a point or a line, got a tile", of { { shape = "rectangle", x = 0, y = 0, gid = 1 } })
    fails(where .. "2: expected a line from one waypoint to another, got all of its corners at one",
      of { point(8, 8, "a"), line { 8, 8, 10, 10 } })
    for _, case in ipairs {
      { "cost", -1, "a number from 0 to 1e15", "-1" }, { "cost", 0 / 0, "a number from 0 to 1e15", "nan" },
      { "cost", "9", "a number from 0 to 1e15", '"9"' }, { "label", true, "a string or a number", "true" },
      { "one_way", 1, "true or false", "1" },
    } do
      fails(("%s1: expected %s for %s, got %s"):format(where, case[3], case[1], case[4]),
        of { line({ 0, 0, 99, 0 }, { [case[1]] = case[2] }) })
    end
    fails(where .. "1: expected a string for name, got 3", of { point(8, 8, 3) })
    fails(where .. "1.5: expected an integer for id, got 1.5", function()
      local map = map_of { point(8, 8) }
      map.layers[1].objects[1].id = 1.5
      tiled.graph(map)
    end)
    fails("map: expected a map of hexagons that is not infinite: the origin of its grid decides which rows are shifted",
      function()
      local map = map_of({}, { orientation = "hexagonal", staggeraxis = "x", staggerindex = "odd", hexsidelength = 8 })
      local layer = { type = "tilelayer", name = "ground", width = 1, height = 1, encoding = "lua" }
      layer.chunks = { { x = -4, y = 0, width = 1, height = 1, data = { 0 } } } -- which is all that Tiled says of it
      map.layers[#map.layers + 1] = layer
      tiled.graph(map)
    end)
    fails(WAYS .. ': layer "ground": expected an object layer, got one of type "tilelayer"',
      function() tiled.graph(WAYS, { "ground" }) end)
    fails(WAYS .. ': no layer "way", expected one of "ground", "ways"', function() tiled.graph(WAYS, { "way" }) end)
  end)

  it("mention the name of an invalid option", function()
    local known = "names of layers, origin, properties or snap"
    local function given(options) return function() tiled.graph(WAYS, options) end end
    fails("options must be a table, got 3", given(3))
    fails('unknown option "snaps", expected ' .. known, given { snaps = 1 })
    fails("unknown option 2, expected " .. known, given { [2] = "ways" })
    fails("layers must be names of layers, got 2 at index 1", given { 2 })
    fails("snap must be a number >= 0, got -1", given { snap = -1 })
    fails("snap must be a number >= 0, got nan", given { snap = 0 / 0 })
    fails("origin must be two integers, got 1.5", given { origin = { 1, 1.5 } })
    fails("origin must be a table, got 1", given { origin = 1 })
    fails("properties must be a table, got 1", given { properties = 1 })
    fails('properties must be names for cost, label and one_way, got price = "x"',
      given { properties = { price = "x" } })
    fails("map must be a table or the name of a file, got nil", function() tiled.graph() end)
    fails("graph takes 2 arguments, got 3 as argument 3", function() tiled.graph(WAYS, {}, 3) end)
    local liar = setmetatable({}, { __index = function() return nil end, __len = error })
    assert.has_no.errors(given(liar))
    assert.has_no.errors(given { properties = liar })
  end)
end)
