-- The README and the manual, docs/, held to their word: their Lua snippets run as printed, in order, and
-- print what their `-->` comments say; their C is hello.c's; their commands, links and anchors exist.
--
-- The snippets of a section are one program. Blanks in the output may be shown as any blanks, and
-- a whole number with or without the `.0` of later Luas.

local astar = require "astar"
local documents = require "spec.support.documents"

-- A game has a copy of its own: docs/first_game.md.
package.preload["lib.astar"] = function() return astar end

local DOCUMENTS = documents.all()
local REFERENCE = documents.reference()
local README = DOCUMENTS[1]
local ALL = {} -- with those that have no snippets
for i, document in ipairs(DOCUMENTS) do ALL[i] = document end
for _, name in ipairs { "CONTRIBUTING.md", "CHANGELOG.md", "examples/README.md" } do
  ALL[#ALL + 1] = documents.read(name)
end
for _, document in ipairs(REFERENCE) do ALL[#ALL + 1] = document end

local function read_file(name)
  local file = assert(io.open(name))
  local text = file:read "*a"
  file:close()
  return text
end

-- { { name =, blocks = } } in the document's order.
local function sections(document)
  local list = {}
  for _, block in ipairs(documents.blocks(document, "lua")) do
    if not list[#list] or list[#list].name ~= block.section then
      list[#list + 1] = { name = block.section, blocks = {} }
    end
    table.insert(list[#list].blocks, block)
  end
  return list
end

-- The section's snippets at the lines they have in the document, so that errors name those. A frame has a minute, for
-- other processes of a busy machine may use up a few milliseconds.
local function program_of(document, section)
  local lines = {}
  for number = 1, section.blocks[#section.blocks].last do
    lines[number] = ""
  end
  for _, block in ipairs(section.blocks) do
    for number = block.first, block.last do
      lines[number] = document.lines[number]
    end
  end
  if not table.concat(lines, "\n"):find('local astar = require "astar"', 1, true) then
    lines[1] = 'local astar = require "astar"'
  end
  return (table.concat(lines, "\n"):gsub("ms = %d+", "ms = 60000"))
end

local function plain(text)
  return (text:gsub("%s+", " "):gsub("(%d)%.0$", "%1"):gsub("(%d)%.0 ", "%1 "):gsub(" $", ""))
end

-- As print shows a value; Lua 5.5 would show up to 17 digits, others 14.
local function shown(value)
  local is_fraction = type(value) == "number" and value % 1 ~= 0
  return is_fraction and ("%.14g"):format(value) or tostring(value)
end

-- Plays a game of LÖVE's without a screen: loads it, clicks to walk and to build, and lets a second pass.
local function play(love)
  love.load()
  love.mousepressed(700, 60, 1)
  for frame = 1, 60 do
    if frame == 30 then love.mousepressed(460, 60, 2) end
    love.update(1 / 60)
  end
end

-- Runs a program; what it printed, { { line = in the document, text = } }.
local function run(program, file_name)
  local printed = {}
  local environment = setmetatable({}, {
    __index = _G,
    __newindex = function(_, name)
      error("sets the global " .. tostring(name), 2)
    end,
  })
  rawset(environment, "print", function(...)
    local words, line = {}, debug.getinfo(2, "l").currentline
    for i = 1, select("#", ...) do
      words[i] = shown((select(i, ...)))
    end
    local text = table.concat(words, "\t"):gsub("\n$", "") -- a drawing ends its last row, too
    for row in (text .. "\n"):gmatch "([^\n]*)\n" do
      printed[#printed + 1] = { line = line, text = plain(row) }
    end
  end)
  local is_game = program:find("function love.", 1, true)
  if is_game then rawset(environment, "love", { window = { setMode = function() end } }) end
  local chunk
  if setfenv then
    chunk = setfenv(assert(loadstring(program, "@" .. file_name)), environment)
  else
    chunk = assert(load(program, "@" .. file_name, "t", environment))
  end
  chunk()
  if is_game then play(environment.love) end
  return printed
end

-- What a block says it prints, as run tells it.
local function promised(document, block)
  local list = {}
  for number = block.first, block.last do
    local text = document.lines[number]:match "%-%-> ?(.*)$"
    if text then
      list[#list + 1] = { line = number, text = plain(text) }
    end
  end
  return list
end

local function printed_by(block, printed)
  local list = {}
  for _, row in ipairs(printed) do
    if row.line >= block.first and row.line <= block.last then
      list[#list + 1] = row
    end
  end
  return list
end

local function assert_prints(document, block, printed)
  local expected, got = promised(document, block), printed_by(block, printed)
  for i = 1, math.max(#expected, #got) do
    local row = expected[i] or got[i]
    local message = ("%s:%d: expected %s, got %s"):format(document.name, row.line,
      expected[i] and ("%q"):format(expected[i].text) or "nothing",
      got[i] and ("%q"):format(got[i].text) or "nothing")
    assert(expected[i] and got[i] and expected[i].text == got[i].text, message)
  end
end

for _, document in ipairs(REFERENCE) do
  describe(document.name, function()
    local list = sections(document) -- each goes on from what the page begins with
    for i = 2, #list do
      it("prints what the page shows, in the section " .. list[i].name, function()
        local blocks = { list[1].blocks[1], list[i].blocks[1] }
        assert.equal(1, #list[i].blocks)
        assert_prints(document, blocks[2], run(program_of(document, { blocks = blocks }), document.name))
      end)
    end
  end)
end

for _, document in ipairs(DOCUMENTS) do
  describe(document.name, function()
    for _, section in ipairs(sections(document)) do
      it("prints what the page shows, in the section " .. section.name, function()
        local printed = run(program_of(document, section), document.name)
        for _, block in ipairs(section.blocks) do assert_prints(document, block, printed) end
      end)
    end
  end)
end

for _, document in ipairs(ALL) do
  describe(document.name, function()
    it("contains only links to files and headings that exist", function()
      for _, link in ipairs(documents.links(document)) do
        local place = ("%s:%d: %s"):format(document.name, link.line, link.target)
        if link.file then
          assert(io.open(link.file), place .. ": no such file"):close()
        end
        if link.file and link.anchor then
          assert.is_true(documents.anchors(documents.read(link.file))[link.anchor], place .. ": no such heading")
        end
      end
    end)
  end)
end

describe("README.md", function()
  it("names the two commands to start with, and their folder", function()
    assert.is_truthy(README.text:find("\nmake run ", 1, true))
    assert.is_truthy(README.text:find("\nmake test ", 1, true))
    assert.is_truthy(README.text:match "\n## Try it\n.-folder of this `README.md`.-\n```sh")
  end)

  it("has a size of at most 12 KB", function()
    assert.is_true(#README.text <= 12 * 1024, #README.text .. " bytes")
  end)

  it("starts with a picture and an example of at most a dozen lines beside its output", function()
    assert.is_truthy(README.text:find "^# astar\n\n!%[[^%]]+%]%(pictures/")
    local count = 0
    for line in (documents.text_of(README, documents.blocks(README, "lua")[1]) .. "\n"):gmatch "([^\n]*)\n" do
      count = count + ((line:find "^%-%->" or line == "") and 0 or 1)
    end
    assert.is_true(count <= 12, count .. " lines")
  end)
end)

describe("the manual", function()
  it("lists every page in its index", function()
    local indexed = { ["docs/README.md"] = true }
    for i = 3, #DOCUMENTS do indexed[DOCUMENTS[i].name] = true end
    local count, pipe = 0, assert(io.popen "ls docs/*.md docs/*/*.md | grep -v ^docs/reference/")
    for name in pipe:lines() do
      assert.is_true(indexed[name], name)
      count = count + 1
    end
    pipe:close()
    if count == 0 then
      pending "needs the program ls"
      return
    end
    assert.equal(#DOCUMENTS - 1, count)
  end)

  it("starts each page with a picture, or with code and its output", function()
    for i = 2, #DOCUMENTS do
      local opening = DOCUMENTS[i].text:match "^(# .-)\n## " or ""
      local sees = opening:find "!%[[^%]]+%]%([./]*/pictures/" or opening:find "\n```text\n"
        or opening:find "\n```lua\n.-%-%->"
      assert.is_truthy(sees, DOCUMENTS[i].name)
    end
  end)

  it("has no line of code longer than the page is wide", function()
    for i = 2, #DOCUMENTS do
      for number, line in ipairs(DOCUMENTS[i].lines) do
        local is_prose = DOCUMENTS[i].prose[number] == line and not line:find "^    "
        local _, width = line:gsub("[^\128-\191]", "")
        -- Commands and lines of logs on the page of the service are copied or compared, so they are not broken.
        local most = DOCUMENTS[i].name == "docs/service.md" and 160 or 112
        assert.is_true(is_prose or width <= most, DOCUMENTS[i].name .. ":" .. number)
      end
    end
  end)

  it("has links to its pages in the README", function()
    for _, name in ipairs { "README", "cookbook", "cheat_sheet", "reference", "performance", "platforms" } do
      assert.is_truthy(README.text:find("](docs/" .. name .. ".md", 1, true), name)
    end
  end)

  it("contains the C code of examples/hello.c", function()
    local program, count = read_file "examples/hello.c", 0
    for _, document in ipairs(DOCUMENTS) do
      for _, block in ipairs(documents.blocks(document, "c")) do
        assert.is_truthy(program:find(documents.text_of(document, block), 1, true),
          document.name .. ":" .. block.first)
        count = count + 1
      end
    end
    assert.is_true(count > 0)
  end)

  it("names only make targets that the Makefile has", function()
    local makefile, count = "\n" .. read_file "Makefile", 0
    for name in makefile:gmatch "\ninclude (%S+)" do
      makefile = makefile .. "\n" .. read_file(name)
    end
    local function look(target)
      assert.is_truthy(makefile:find("\n" .. target:gsub("%-", "%%-") .. ":"), "make " .. target)
      count = count + 1
    end
    for _, document in ipairs(ALL) do
      for _, block in ipairs(documents.blocks(document, "sh")) do
        local text = "\n" .. documents.text_of(document, block)
        for target in text:gmatch "\nmake ([%l-]+)" do look(target) end
      end
      for _, line in ipairs(document.prose) do
        for target in line:gmatch "`make ([%l-]+)[` ]" do look(target) end
      end
    end
    assert.is_true(count >= 20)
  end)

  it("names no web address that belongs to nobody, and neither do the rockspecs", function()
    local names = { "lua-astar-scm-1.rockspec" }
    for _, document in ipairs(ALL) do names[#names + 1] = document.name end
    for _, name in ipairs(names) do
      assert.is_nil(read_file(name):lower():match "[%w.]*example%.%a+/?[%w]*", name)
    end
  end)

  it("lists the changes of this version", function()
    assert.is_truthy(read_file("CHANGELOG.md"):find("[" .. astar._VERSION .. "]", 1, true))
  end)
end)
