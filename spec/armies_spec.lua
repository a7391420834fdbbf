-- The game of examples/love/armies without its window: nobody overlaps, nobody is jammed, by what is drawn.

local FOLDER = "examples/love/armies/?.lua;"

describe("the armies", function()
  local path, Armies, Watch = package.path, nil, nil

  setup(function()
    package.path = FOLDER .. path
    Armies, Watch = require "armies", require "watch"
  end)

  teardown(function()
    package.path = path
    package.loaded.armies, package.loaded.watch = nil, nil
  end)

  it("neither overlap nor stand in each other's way", function()
    local game = Armies.new(1)
    local watch = Watch.new(game.soldiers, Armies.WIDTH, Armies.HEIGHT)
    for _ = 1, 60 do
      game:advance()
      watch:look()
    end
    assert.same({ 60, 0, 0 }, { watch.frames, watch.overlaps, watch.most_jams })
    assert.is_true(watch.nearest > -1e-6 and watch.nearest < 0.4)
    assert.is_true(#game.crowd:moves() > 500)
  end)

  it("are watched by one who counts discs that overlap and those who stand", function()
    local function soldier(x, y, state)
      return { unit = { x = x, y = y, state = state }, kind = { size = 1 } }
    end
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
