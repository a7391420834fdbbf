-- edits.lua -- edits of every kind, forged at random: lua5.3 test/edits.lua [EDITS [SEED]]. No service is needed.
--
-- Whatever is accepted must be applied without a failure, and the map must be the same after it was written to rows and
-- read again: only the pieces that were touched are written anew. An edit that is taken for certain must succeed when
-- it is tried. Messages tell no file of ours.

local HERE = arg[0]:match "^(.*)/[^/]*$" or "."
package.path = HERE .. "/?.lua;" .. package.path

local astar = require "astar"
local compare = require "compare"
local cjson = require "cjson"
local graph_map = require "astar_service.graph_map"
local map = require "astar_service.map"
local report = require "report"

map.CHUNK = 8 -- cells a side of a piece: so edits often touch two

cjson.encode_sparse_array(true)
cjson.encode_number_precision(14)

local EDITS, SEED = tonumber(arg[1] or 100000), tonumber(arg[2] or os.time())

math.randomseed(SEED)
local dice = math.random

local function pick(list) return list[dice(#list)] end

local LONG = ("k"):rep(5000)

-- Values that stand where others should.
local ODD = {
  0, -1, 1.5, 1e308, -1e308, 2 ^ 31, 2 ^ 53, 1e15, 1e16, 256, 5e6, 2e15, 0.0001, 17, "", "x", "3", "nan", LONG,
  ("k"):rep(64), ("k"):rep(65),
  "\0", "\255\254", "north", true, false, {}, { 1 }, { "a" }, { { {} } }, { cost = 1 }, { cost = "x" }, { label = {} },
  { one_way = 1 }, { bogus = 1 }, { cost = -1 }, { cost = 5e6 }, { cost = 1e9 }, { [1] = 1, [3] = 3 },
}

local SIDES = { "north", "east", "south", "west", "north_east", "south_east", "south_west", "north_west" }
local LAYERS = { "", "doors", "fog", "units", ("l"):rep(64) }
local KEYS = { ".", "#", "g", "mud", "lava", 7, 8, true, false, ("k"):rep(64), "\195\164", "\n" }

local function ways()
  local its = {}
  if dice(2) == 1 then its.cost = pick { 0, 1, 2.5, 1e6, 0.123456789012345 } end
  if dice(3) == 1 then its.label = pick { "lift", 7, 2.25, ("l"):rep(64) } end
  if dice(3) == 1 then its.one_way = dice(2) == 1 end
  return next(its) and its or { cost = 1 }
end

local function cell(grid)
  local x0, y0, x1, y1 = grid:bounds()
  return dice(x0, x1), dice(y0, y1)
end

local function area(grid)
  local x, y = cell(grid)
  local _, _, x1, y1 = grid:bounds()
  return x, y, dice(math.min(9, x1 - x + 1)), dice(math.min(9, y1 - y + 1))
end

local GRID_EDITS = {
  function(grid)
    local x, y = cell(grid)
    return { "set", x, y, pick(KEYS) }
  end,
  function(grid)
    local x, y, w, h = area(grid)
    return { "fill", x, y, w, h, pick(KEYS) }
  end,
  function(grid)
    local x, y, w, h = area(grid)
    local keys = {}
    for i = 1, w * h + (dice(20) == 1 and 1 or 0) do keys[i] = pick(KEYS) end
    if dice(2) == 1 then return { "set_cells", x, y, w, h, keys } end
    for i in ipairs(keys) do keys[i] = pick { ".", "#", "g" } end
    return { "set_cells", x, y, w, h, table.concat(keys) }
  end,
  function(grid)
    local x, y, w, h = area(grid)
    local name, kind = pick { "block", "unblock" }, dice(6)
    if kind == 1 then return { name, x, y } end
    if kind == 6 then return { name, x, y, w, pick(LAYERS) } end
    if kind == 2 then return { name, x, y, w } end
    if kind == 3 then return { name, x, y, pick(LAYERS) } end
    if kind == 4 then return { name, x, y, w, h } end
    return { name, x, y, w, h, pick(LAYERS) }
  end,
  function() return { "terrain", pick(KEYS), pick { 1, 2.5, 0.001, 1e6, false, false, 0.1 + 0.2, 1 / 3 } } end,
  function(grid)
    local x, y = cell(grid)
    local nx, ny = cell(grid)
    if dice(3) == 1 then return { "unlink", x, y, nx, ny, dice(2) == 1 } end
    if dice(3) == 1 then return { "link", x, y, nx, ny } end
    return { "link", x, y, nx, ny, ways() }
  end,
  function(grid)
    local x, y = cell(grid)
    local op = { pick { "wall", "wall", "unwall" }, x, y, pick(SIDES) }
    if dice(2) == 1 then op[5] = dice(2) == 1 end
    return op
  end,
}

local NODES = { "a", "b", "c", "d", 1, 2, 3, 2.5, -7, ("n"):rep(64), "\195\164" }

local GRAPH_EDITS = {
  function()
    if dice(3) == 1 then return { "node", pick(NODES) } end
    return { "node", pick(NODES), dice(-9, 9), dice(1, 99) / 8 }
  end,
  function()
    if dice(2) == 1 then return { "edge", pick(NODES), pick(NODES) } end
    return { "edge", pick(NODES), pick(NODES), ways() }
  end,
  function() return { "remove", pick(NODES) } end,
  function() return { "remove_edge", pick(NODES), pick(NODES), dice(2) == 1 } end,
  function() return dice(2) == 1 and { "block", pick(NODES) } or { "block", pick(NODES), pick(NODES) } end,
  function() return dice(2) == 1 and { "unblock", pick(NODES) } or { "unblock", pick(NODES), pick(NODES) } end,
}

local NAMES = { "set", "fill", "set_cells", "block", "unblock", "terrain", "link", "unlink", "wall", "unwall", "node",
  "edge", "remove", "remove_edge", "dump", "share", "close", "__gc", "__index", "find_path", "clone", "", "SET" }

-- Makes something of an edit that may be none.
local function forge(op)
  local kind = dice(8)
  if kind == 1 then op[1] = pick(NAMES) end
  if kind == 2 then op[dice(2, 7)] = pick(ODD) end
  if kind == 3 then op[dice(2, math.max(2, #op))] = pick(ODD) end
  if kind == 4 then op[#op] = nil end
  if kind == 5 then op[#op + 1] = pick(ODD) end
  if kind == 6 then op = pick(ODD) end
  if kind == 7 and type(op[#op]) == "table" then op[#op][pick { "cost", "label", "one_way", "x", 1 }] = pick(ODD) end
  return op
end

-- ---- maps ----

local function new_grid()
  local kind = dice(4)
  local options = { terrain = { ["."] = 1, ["#"] = false, g = 2.5 }, fill = ".", origin = { dice(-9, 9), dice(-9, 9) } }
  if kind == 1 then
    options.shape, options.offset = "hex", pick { "odd_r", "even_r", "odd_q", "even_q" }
  elseif kind == 2 then
    options.wrap = pick { "x", "y", "both" }
  elseif kind == 3 then
    options.terrain[7], options.terrain.mud = 3, 4
  end
  local grid = astar.grid(dice(3, dice(3, 90)), dice(3, dice(3, 60)), options)
  local palette = { { ".", 1 } }
  for key, cost in pairs(options.terrain) do
    if key ~= "." then palette[#palette + 1] = { key, cost } end
  end
  local its = map.of("forged", dice(0, 50), grid, palette)
  its.is_empty = dice(2) == 1
  return its
end

local function new_graph()
  local graph = astar.graph()
  for i = 1, 4 do graph:node(NODES[i], i, i) end
  graph:edge("a", "b")
  return graph_map.new("forged", dice(0, 50), graph:dump())
end

local function pause() end

-- The map as rows, those that were touched since `rows` were written; and read again from them.
local function fold(its, rows)
  local _, count = its:piece_count()
  for i = 1, count do
    local at, touched = rows.bases[i], its.touched.all or its.touched[i]
    if not at and its.is_empty and not touched then
      rows.bases[i] = map.EMPTY
    elseif not at or touched and touched > at then
      rows.pieces[i], rows.bases[i] = its:piece(i, pause), its.version
    end
  end
  if its.is_graph then return graph_map.new("forged", its.version, table.concat(rows.pieces, "", 1, count)) end
  local again = map.new("forged", its.version, cjson.decode(cjson.encode(its:meta())))
  for i = 1, count do
    if rows.bases[i] >= 0 then again:put_piece(i, rows.pieces[i], pause) end
  end
  return again
end

local function differs(again, its)
  if its.is_graph then
    if again.object:dump() ~= its.object:dump() then return "another dump" end
    return
  end
  for _, entry in ipairs(its.palette) do
    local cost, must = again.object:terrain(entry[1]), its.object:terrain(entry[1])
    if cost ~= must and not (cost and must and math.abs(cost - must) < 1e-9) then
      return "terrain " .. tostring(entry[1])
    end
  end
  return compare.grids(again.object, its.object)
end

-- ---- one request after another ----

local counts = { requests = 0, accepted = 0, sure = 0, refused = 0, folds = 0 }
local problems = {}

local function problem(text, ...)
  problems[#problems + 1] = text:format(...)
end

local function draw(its)
  local ops = {}
  for i = 1, dice(5) == 1 and dice(6) or 1 do
    local op = pick(its.is_graph and GRAPH_EDITS or GRID_EDITS)(its.object)
    for _ = 1, dice(3) == 1 and dice(2) or 0 do
      if type(op) == "table" then op = forge(op) end
    end
    ops[i] = op
  end
  return ops
end

local function send(its)
  local ops = draw(its)
  counts.requests = counts.requests + 1
  local is_data, text = pcall(cjson.encode, ops)
  if not is_data then return end
  local ok, why = pcall(its.check_form, its, cjson.decode(text))
  if ok then
    ops = cjson.decode(text)
    local is_fine, is_sure = pcall(its.is_sure, its, ops)
    if not is_fine then return problem("is_sure raises %s for %s", is_sure, text) end
    ok, why = pcall(its.try, its, ops)
    if is_sure and not ok then return problem("it was certain, and %s: %s", why, text) end
    counts.sure = counts.sure + (is_sure and 1 or 0)
  end
  if not ok then
    counts.refused = counts.refused + 1
    if map.plain(why):find "%.lua:%d" then problem("a message tells a file: %s", why) end
    return
  end
  counts.accepted = counts.accepted + 1
  local before = its.failed
  its:apply(its.version + 1, ops)
  if its.failed ~= before then problem("accepted, and not applied: %s, %s", text, its.failure) end
end

local function try_map(its)
  local rows = { pieces = {}, bases = {} }
  for _ = 1, dice(3, 12) do
    for _ = 1, dice(40) do send(its) end
    local ok, again = pcall(fold, its, rows)
    counts.folds = counts.folds + 1
    if not ok then return problem("it cannot be folded: %s", again) end
    local why = differs(again, its)
    if why then return problem("after a fold it differs: %s (seed %d, request %d)", why, SEED, counts.requests) end
    if dice(3) == 1 then its = again end -- as an instance that starts has it
  end
end

-- Finders by units that write the same when their texts are strung together.
local function units()
  local its = map.of("units", 0, astar.grid(5, 5), { { ".", 1 } })
  its.object:block(2, 2, "a")
  its.object:block(3, 3, "b")
  its.object:block(4, 4, "a,s1:b")
  local one, two = its:finder { ignore = { "a", "b" } }, its:finder { ignore = { "a,s1:b" } }
  report.check("two units are never taken for one", one ~= two and one == its:finder { ignore = { "a", "b" } })
  local large = {}
  for i = 1, 1000 do large["k" .. i] = i end
  report.check("a unit of 1,000 options is refused", not pcall(its.finder, its, { costs = large }))
end

print(("seed %d"):format(SEED))
while counts.requests < EDITS and #problems < 20 do
  try_map(dice(3) == 1 and new_graph() or new_grid())
end
print(("        %d requests: %d accepted, %d of them certain, %d refused; %d folds"):format(counts.requests,
  counts.accepted, counts.sure, counts.refused, counts.folds))
report.check("what is accepted is applied and kept", #problems == 0, table.concat(problems, "\n    "))
report.check("of each kind there were many", counts.accepted > EDITS / 4 and counts.sure > EDITS / 8
  and counts.refused > EDITS / 8)
units()
os.exit(report.summary() and 0 or 1)
