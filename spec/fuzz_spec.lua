-- The inputs kept of the fuzzers of the Lua API and of astar.load (see spec/fuzz), on every Lua.

local astar = require "astar"
local forge = require "spec.support.forge"

local CORPUS = "spec/fuzz/corpus/"

-- name -> text of the files of a folder.
local function read_folder(name)
  local texts, count = {}, 0
  local list = io.popen("ls " .. CORPUS .. name)
  for file_name in list:lines() do
    local file = assert(io.open(CORPUS .. name .. "/" .. file_name, "rb"))
    texts[file_name], count = file:read "*a", count + 1
    file:close()
  end
  list:close()
  return texts, count
end

describe("the kept inputs", function()
  it("give the expected results in the Lua API", function()
    local run = require "spec.fuzz.api"
    local texts, count = read_folder "api"
    assert.is_true(count > 10)
    for name, text in pairs(texts) do
      local ok, problem = pcall(run, text)
      assert.is_true(ok, name .. ": " .. tostring(problem))
    end
  end)

  it("cause an error in astar.load and astar.load_field, or load as a grid or a field", function()
    local texts, count = read_folder "dump"
    assert.is_true(count > 10)
    for name, text in pairs(texts) do
      for kind, load in pairs { grid = astar.load, field = astar.load_field } do
        local ok, object = pcall(load, forge.dump(text), { max_cells = 16384 })
        if ok then
          assert.equal(object:dump(), load(object:dump()):dump(), name)
        else
          assert.is_truthy(object:find(("not a %s's dump, or a damaged one"):format(kind), 1, true)
            or object:find("max_cells, 16384", 1, true), name)
        end
      end
    end
  end)
end)
