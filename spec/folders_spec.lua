-- Each folder of src/ and each part in src/parts/ has a page, its README.md. The page names every source file of its
-- folder and no file that does not exist. ARCHITECTURE.md names no file that does not exist. The specs and the files of
-- Lua that a page names exist. Each part has folders of its name in docs/, spec/ and bench/.

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

local ALL = process.shell "ls src/*.h src/*/*.[ch] src/parts/*/*.[ch] spec/*/*.[ch]"
local PAGES = process.shell "ls src/*/README.md src/parts/*/README.md"

local function is_there(name)
  return ALL:find("/" .. name .. "\n", 1, true) ~= nil
end

describe("the page of a folder of src/", function()
  it("exists in the manual for every folder that has a source file", function()
    local without = {}
    for folder in process.shell("ls -d src/*/ src/parts/*/"):gmatch "([^\n]+)/\n" do
      local has_page = PAGES:find(folder .. "/README.md\n", 1, true)
      if #sources_of(folder) > 0 and not has_page then without[#without + 1] = folder end
    end
    assert.same({}, without)
  end)

  for page in PAGES:gmatch "[^\n]+" do
    local folder, text = page:match "^(.*)/", read_file(page)

    it("mentions each source file of the folder " .. folder, function()
      local missing = {}
      for _, name in ipairs(sources_of(folder)) do
        if not text:find("%f[%w_]" .. name .. "%.c%f[^%w_]") then missing[#missing + 1] = name end
      end
      assert.same({}, missing)
      assert.is_true(#sources_of(folder) > 0)
    end)
  end

  it("mentions only files that exist, and so does ARCHITECTURE.md", function()
    local gone = {}
    for page in (PAGES .. "ARCHITECTURE.md\n"):gmatch "[^\n]+" do
      for name in read_file(page):gmatch "%f[%w_][%w_]+%.[ch]%f[^%w_]" do
        if not is_there(name) then gone[#gone + 1] = page .. ": " .. name end
      end
    end
    assert.same({}, gone)
  end)

  it("mentions only specs and Lua files that exist", function()
    local there, gone, count = {}, {}, 0
    for path in process.shell "find lua/astar spec":gmatch "[^\n]+" do there[path] = true end
    local function look(page, name, ...)
      local has_one = false
      for _, path in ipairs { ... } do has_one = has_one or there[path:gsub("/$", "")] end
      if not has_one then gone[#gone + 1] = page .. ": " .. name end
      count = count + 1
    end
    for page in (PAGES .. "ARCHITECTURE.md\n"):gmatch "[^\n]+" do
      local text = read_file(page)
      for name in text:gmatch "`(lua/astar/[%w_/.]*)`" do look(page, name, name) end
      local specs = (text:match "%f[%w]Specs: (.*)$" or ""):gsub("Manual: .*", "")
      for name in specs:gmatch "`([%w_/.]+)`" do look(page, name, "spec/" .. name .. "_spec.lua", "spec/" .. name) end
    end
    assert.same({}, gone)
    assert.is_true(count > 80, count)
  end)
end)

describe("a part in src/parts/", function()
  it("has a page of the manual, specs and a section of the bench in folders of the part's name", function()
    local missing = {}
    for part in process.shell "ls src/parts":gmatch "%w+" do
      for _, files in ipairs { "docs/%s/*.md", "spec/%s/*_spec.lua", "bench/%s/*.lua" } do
        local pattern = files:format(part)
        if process.shell(("ls %s 2>/dev/null"):format(pattern)) == "" then missing[#missing + 1] = pattern end
      end
    end
    assert.same({}, missing)
  end)
end)
