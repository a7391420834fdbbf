-- The pages of the folders of src/, README.md beside the files: each names all that are there, and none that is gone.
-- ARCHITECTURE.md names no file that is gone.

local process = require "spec.support.process"

local function read_file(name)
  local file = assert(io.open(name))
  local text = file:read "*a"
  file:close()
  return text
end

local function sources_of(folder)
  local found = {}
  for name in process.shell("ls " .. folder):gmatch "([%w_]+)%.c\n" do found[#found + 1] = name end
  return found
end

local ALL = process.shell "ls src/*/*.c spec/*/*.c"

local function is_there(name)
  return ALL:find("/" .. name .. "\n", 1, true) ~= nil
end

describe("the page of a folder of src/", function()
  for page in process.shell("ls src/*/README.md"):gmatch "[^\n]+" do
    local folder, text = page:match "^(.*)/", read_file(page)

    it("names each file of " .. folder, function()
      local missing = {}
      for _, name in ipairs(sources_of(folder)) do
        if not text:find("%f[%w_]" .. name .. "%f[^%w_]") then missing[#missing + 1] = name end
      end
      assert.same({}, missing)
      assert.is_true(#sources_of(folder) > 3)
    end)
  end

  it("names no file that is gone, nor does ARCHITECTURE.md", function()
    local gone = {}
    for page in (process.shell "ls src/*/README.md" .. "ARCHITECTURE.md\n"):gmatch "[^\n]+" do
      for name in read_file(page):gmatch "%f[%w_][%w_]+%.c%f[^%w_]" do
        if not is_there(name) then gone[#gone + 1] = page .. ": " .. name end
      end
    end
    assert.same({}, gone)
  end)
end)
