-- The game of examples/love/armies without its window: nobody overlaps, nobody is jammed, by what is drawn.

local astar = require "astar"

local FOLDER = "examples/love/armies/?.lua;"
-- Where cases are to be few, they form up only: the next manoeuvre begins when all have.
local MANOEUVRES = 2

describe("the prototype armies", function()
  local path, Armies, Watch = package.path, nil, nil

  setup(function()
    package.path = FOLDER .. path
    Armies, Watch = require "armies", require "watch"
  end)

  teardown(function()
    package.path = path
    package.loaded.armies, package.loaded.watch = nil, nil
  end)

  it("has units that neither overlap nor block each other for long", function()
    local game = Armies.new(1)
    local watch = Watch.new(game.soldiers, Armies.WIDTH, Armies.HEIGHT)
    for _ = 1, 60 do
      game:advance()
      watch:look()
    end
    assert.same({ 60, 0, 0 }, { watch.frames, watch.overlaps, watch.most_jams })
    assert.is_true(watch.nearest > -1e-6 and watch.nearest < 0.4)
    local moving = 0
    for _, soldier in ipairs(game.soldiers) do
      if soldier.unit.state == "moving" then moving = moving + 1 end
    end
    assert.is_true(moving > 300)
  end)

  it("has armies that form up and reach the other bank while bridges are blown up and built", function()
    local game, frames = Armies.new(1), 0
    while game.manoeuvres < MANOEUVRES and frames < 18000 do
      game:advance()
      frames = frames + 1
    end
    assert.equal(MANOEUVRES, game.manoeuvres)
  end)

  local function deck_of(game, bridge)
    local cells = {}
    for _, lane in ipairs(bridge.lanes) do
      for y = lane.y, lane.y + lane.size - 1 do
        for x = 96, 105 do cells[#cells + 1] = game.grid:get(x, y) end
      end
    end
    return table.concat(cells)
  end

  local function advance(game, frames)
    for _ = 1, frames do game:advance() end
  end

  it("has bridges that are blown up from the middle, never under a unit, and that are rebuilt as before", function()
    local game = Armies.new(1)
    game.has_marshal = false
    local bridge = game.bridges[1]
    local whole = deck_of(game, bridge)
    local rider = game.crowd:add(100, 13, { finder = game.squads[19].finder }) -- in the lane of the first army's riders
    assert.same({ "riders", 1 }, { game.squads[19].kind.name, game.squads[19].army })
    rider:hold(true)
    game:turn_bridge(bridge)
    advance(game, 60)
    assert.equal("r", game.grid:get(100, 13))
    assert.equal("r", game.grid:get(96, 13)) -- what leads off it stays
    assert.equal("~", game.grid:get(101, 16))
    rider:hold(false)
    rider:go(80, 13)
    advance(game, 90)
    assert.equal(("~"):rep(#whole), deck_of(game, bridge))
    game:turn_bridge(bridge)
    advance(game, 60)
    assert.equal(whole, deck_of(game, bridge))
  end)

  it("has walls that can be raised on free ground only, never on rock or river, and that can be razed", function()
    local game = Armies.new(1)
    local x, y = game.soldiers[1].unit:cell()
    assert.is_false(game:turn_wall(x + 1, y))
    assert.is_false(game:turn_wall(95, 60))
    assert.is_true(game:turn_wall(10, 10))
    assert.is_true(game.grid:is_blocked(9, 9, "walls") and game.grid:is_blocked(11, 11, "walls"))
    assert.is_false(game.grid:is_blocked(12, 10))
    assert.is_true(game:turn_wall(10, 10))
    assert.is_false(game.grid:is_blocked(9, 9))
  end)

  local function soldier(x, y, state)
    local unit = { x = x, y = y, state = state, at = { 9, 9 } }
    function unit:goal() return self.at[1], self.at[2] end
    return { unit = unit, kind = { size = 1 } }
  end

  local function look(watch, frames)
    for _ = 1, frames do watch:look() end
  end

  it("has an observer that counts units that only briefly reach their place or come no nearer to it", function()
    local lone = soldier(1, 1, "waiting")
    local unit, watch = lone.unit, Watch.new({ lone }, 10, 10)
    for minute = 1, 5 do
      for second = 1, 60 do -- to and fro, and every tenth second it is there
        unit.x, unit.state = 1 + second % 2, second % 10 == 0 and "arrived" or "waiting"
        look(watch, 60)
      end
      unit.state = "waiting"
      look(watch, 60)
      assert.equal(minute >= 3 and 1 or 0, watch.jams)
    end
    unit.x, unit.y = 4, 4 -- nearer
    look(watch, 60)
    assert.equal(0, watch.jams)
    look(watch, 3720)
    assert.equal(1, watch.jams)
    unit.at = { 1, 1 } -- an order
    look(watch, 60)
    assert.equal(0, watch.jams)
  end)

  it("has an observer that does not report units whose route is blocked", function()
    local grid = astar.grid "..#.."
    local lone = soldier(1, 1, "waiting")
    lone.finder, lone.unit.at = grid:finder(), { 5, 1 }
    function lone.unit.cell() return 1, 1 end
    local watch = Watch.new({ lone }, 5, 1)
    look(watch, 3780)
    assert.equal(0, watch.jams)
    grid:set(3, 1, ".")
    look(watch, 60)
    assert.equal(1, watch.jams)
  end)

  it("has an observer that counts overlapping discs and units that stand still", function()
    local crossing = { soldier(1, 1, "moving"), soldier(2, 1, "moving"), soldier(8, 8, "waiting") }
    local watch = Watch.new(crossing, 10, 10)
    watch:look()
    crossing[1].unit.x, crossing[2].unit.x = 2, 1
    watch:look()
    assert.equal(1, watch.overlaps)
    for _ = 1, 3540 do watch:look() end
    assert.equal(0, watch.jams)
    for _ = 1, 240 do watch:look() end
    assert.equal(3, watch.jams)
    crossing[3].unit.state = "arrived"
    for _ = 1, 60 do watch:look() end
    assert.equal(2, watch.jams)
    assert.same({ 1, 3 }, { watch.overlaps, watch.most_jams })
  end)
end)
