-- finder:spread, against distances worked out plainly.

local astar = require "astar"
local check = require "spec.support.check"
local maps = require "spec.support.maps"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"

local error_of = check.error_of

describe("finder:spread", function()
  it("gives each cell the greatest value or the sum of all sources' values, by the unit's distance", function()
    for seed = 1, 60 do
      local r = random.new(seed)
      local width, height = r:int(1, 14), r:int(1, 12)
      local world = oracle.world(r:map(width, height))
      local grid = maps.grid(world)
      local rules = { diagonals = r:pick(check.RULES) }
      local finder, into = grid:finder(rules), astar.field(grid)
      for _ = 1, 4 do
        local sources, reach = {}, r:pick { 0, 1, 3.5, 8, 40 }
        local value, falloff = r:pick { 1, 20 }, r:pick { 0, 0.5, 1 }
        for i = 1, r:int(0, 3) do sources[i] = { r:int(1, width), r:int(1, height), r:pick { false, 3, 0 } or nil } end
        local expected, sum = {}, r:chance(0.5)
        for _, source in ipairs(sources) do
          if grid:is_walkable(source[1], source[2]) then
            for cell, distance in pairs(oracle.distances(world, rules, source[1], source[2])) do
              if distance <= reach * (1 + 1e-9) then
                local there = (source[3] or value) * (1 - falloff * distance / (reach + 1))
                local before = expected[cell] or 0
                expected[cell] = sum and before + there or math.max(before, there)
              end
            end
          end
        end
        assert.equal(into, finder:spread(sources, reach, { value = value, falloff = falloff, sum = sum, into = into }))
        for y = 1, height do
          for x = 1, width do
            local is, should = into:get(x, y), expected[oracle.cell(world, x, y)] or 0
            assert(math.abs(is - should) < 1e-4, ("seed %d: (%d, %d) is %s, not %s\n%s"):format(seed, x, y, is, should,
              grid:draw()))
          end
        end
      end
    end
  end)

  it("spreads from blocked sources, by costs, over links, on hexagons", function()
    local grid = astar.grid(9, 1)
    grid:block(5, 1)
    local noise = grid:finder():spread({ { x = 5, y = 1 } }, 3)
    assert.equal(1, noise:get(5, 1))
    assert.equal(0.5, noise:get(7, 1))
    assert.equal(0, noise:get(9, 1))
    grid:link(1, 1, 9, 1)
    assert.equal(0.25, grid:finder({ ignore = { "" } }):spread({ { 3, 1 } }, 3, { into = noise }):get(9, 1))
    local hex = astar.grid("..~..", { shape = "hex", terrain = { ["."] = 1, ["~"] = 3 } })
    assert.equal(0, hex:finder():spread({ { 1, 1 } }, 3):get(3, 1))
    assert.equal(0.2, math.floor(hex:finder():spread({ { 1, 1 } }, 4):get(3, 1) * 1e6 + 0.5) / 1e6)
  end)

  it("calls callbacks, and raises an error for invalid results of callbacks", function()
    local grid = astar.grid(6, 1)
    local into = astar.field(grid)
    local finder = grid:finder { cost = function(x) return x == 3 and 2 or 1 end }
    assert.equal(0.25, finder:spread({ { 1, 1 } }, 3, { into = into }):get(3, 1))
    local closing = grid:finder { cost = function() debug.getmetatable(into).__gc(into) return 1 end }
    assert.is_truthy(error_of(function() closing:spread({ { 1, 1 } }, 3, { into = into }) end):find "closed")
    local raising = grid:finder { cost = function() error "stop" end }
    assert.is_truthy(error_of(function() raising:spread({ { 1, 1 } }, 3) end):find "stop")
    assert.equal(0.75, grid:finder():spread({ { 1, 1 } }, 3):get(2, 1))
    assert.equal("sum must be a boolean, got 1",
      error_of(function() grid:finder():spread({ { 1, 1 } }, 3, { sum = 1 }) end))
    assert.equal(1e6, grid:finder():spread({ { 1, 1, 9e5 }, { 1, 1, 9e5 } }, 3, { sum = true }):get(1, 1))
  end)
end)
