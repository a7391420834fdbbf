local astar = require "astar"

describe("jump point search", function()
  -- A corridor that winds through the whole map, row by row.
  local function winding(width, rows)
    local grid = astar.grid(width, 2 * rows - 1)
    for i = 1, rows - 1 do
      grid:fill(1, 2 * i, width, 1, "#")
      grid:set(i % 2 == 1 and width or 1, 2 * i, ".")
    end
    return grid
  end

  it("is what auto chooses over ground of one cost", function()
    local path = astar.grid(9, 9):find_path(1, 1, 9, 5)
    assert.equal("jps", path.algorithm)
    local rough = astar.grid("..,..", { terrain = { ["."] = 1, [","] = 2 } })
    assert.equal("astar", rough:find_path(1, 1, 5, 1).algorithm)
  end)

  it("is an error by name where ground costs differ", function()
    local rough = astar.grid("..,..", { terrain = { ["."] = 1, [","] = 2 } })
    local ok, message = pcall(rough.find_path, rough, 1, 1, 5, 1, { algorithm = "jps" })
    assert.is_false(ok)
    assert.matches('algorithm "jps" cannot honour ground of several costs', message, 1, true)
  end)

  it("finds the longest ways its whole numbers can hold", function()
    local path = winding(500, 100):find_path(1, 1, 1, 199)
    assert.equal("jps", path.algorithm)
    assert.equal(100 * 499 + 99 * 2, path.cost)
  end)

  it("leaves longer ones to A*, which finds them at once", function()
    local path = winding(1000, 400):find_path(1, 1, 1, 799)
    assert.equal("astar", path.algorithm)
    assert.equal(400 * 999 + 399 * 2, path.cost)
  end)
end)
