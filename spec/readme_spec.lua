-- The README, held to its word: its Lua snippets run as printed, in order, and print what their
-- `-->` comments say; its C is hello.c's; its commands and links exist.
--
-- The snippets of a section are one program. Blanks in the output may be shown as any blanks, and
-- a whole number with or without the `.0` of later Luas.

local astar = require "astar"

local function read_lines(name)
  local lines = {}
  for line in io.lines(name) do
    lines[#lines + 1] = line
  end
  return lines
end

local README = read_lines "README.md"

-- The fenced blocks of a language: { { section =, first =, last = } }, lines without the fences.
local function blocks(language)
  local found, section, block = {}, "the introduction", nil
  for number, line in ipairs(README) do
    if block then
      if line == "```" then
        block.last = number - 1
        found[#found + 1] = block.language == language and block or nil
        block = nil
      end
    elseif line:find "^```" then
      block = { section = section, first = number + 1, language = line:match "^```(.*)$" }
    else
      section = line:match "^## (.*)$" or section
    end
  end
  assert(not block, "an open block")
  return found
end

local function text_of(block)
  return table.concat(README, "\n", block.first, block.last)
end

-- { { name =, blocks = } } in the README's order.
local function sections()
  local list = {}
  for _, block in ipairs(blocks "lua") do
    if not list[#list] or list[#list].name ~= block.section then
      list[#list + 1] = { name = block.section, blocks = {} }
    end
    table.insert(list[#list].blocks, block)
  end
  return list
end

-- The section's snippets at the lines they have in the README, so that errors name those.
local function program_of(section)
  local lines = {}
  for number = 1, section.blocks[#section.blocks].last do
    lines[number] = ""
  end
  for _, block in ipairs(section.blocks) do
    for number = block.first, block.last do
      lines[number] = README[number]
    end
  end
  lines[1] = section.name ~= "the introduction" and 'local astar = require "astar"' or ""
  return table.concat(lines, "\n")
end

local function plain(text)
  return (text:gsub("%s+", " "):gsub("(%d)%.0$", "%1"):gsub("(%d)%.0 ", "%1 "):gsub(" $", ""))
end

-- As print shows a value; Lua 5.5 would show up to 17 digits, others 14.
local function shown(value)
  local is_fraction = type(value) == "number" and value % 1 ~= 0
  return is_fraction and ("%.14g"):format(value) or tostring(value)
end

-- Runs a program; what it printed, { { line = in the README, text = } }.
local function run(program)
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
    for text in (table.concat(words, "\t") .. "\n"):gmatch "([^\n]*)\n" do
      printed[#printed + 1] = { line = line, text = plain(text) }
    end
  end)
  local chunk
  if setfenv then
    chunk = setfenv(assert(loadstring(program, "@README.md")), environment)
  else
    chunk = assert(load(program, "@README.md", "t", environment))
  end
  chunk()
  return printed
end

-- What a block says it prints, as run tells it.
local function promised(block)
  local list = {}
  for number = block.first, block.last do
    local text = README[number]:match "%-%-> ?(.*)$"
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
  while list[#list] and list[#list].text == "" do -- as after a drawing
    list[#list] = nil
  end
  return list
end

local function assert_prints(block, printed)
  local expected, got = promised(block), printed_by(block, printed)
  for i = 1, math.max(#expected, #got) do
    local row = expected[i] or got[i]
    local message = ("README.md:%d: expected %s, got %s"):format(row.line,
      expected[i] and ("%q"):format(expected[i].text) or "nothing",
      got[i] and ("%q"):format(got[i].text) or "nothing")
    assert(expected[i] and got[i] and expected[i].text == got[i].text, message)
  end
end

describe("README.md", function()
  for _, section in ipairs(sections()) do
    it("runs as printed: " .. section.name, function()
      local printed = run(program_of(section))
      for _, block in ipairs(section.blocks) do
        assert_prints(block, printed)
      end
    end)
  end

  it("begins with an example of at most a dozen lines beside the output", function()
    local count = 0
    for line in (text_of(blocks("lua")[1]) .. "\n"):gmatch "([^\n]*)\n" do
      count = count + ((line:find "^%-%->" or line == "") and 0 or 1)
    end
    assert.is_true(count <= 12, count .. " lines")
  end)

  it("shows C that examples/hello.c holds", function()
    local program = table.concat(read_lines "examples/hello.c", "\n")
    assert.is_true(#blocks "c" > 0)
    for _, block in ipairs(blocks "c") do
      assert.is_truthy(program:find(text_of(block), 1, true), "README.md:" .. block.first)
    end
  end)

  it("names targets that the Makefile has", function()
    local makefile = "\n"
    for _, file in ipairs { "Makefile", "tools/checks.mk", "tools/builds.mk" } do
      makefile = makefile .. table.concat(read_lines(file), "\n") .. "\n"
    end
    local count = 0
    local function look(target)
      assert.is_truthy(makefile:find("\n" .. target:gsub("%-", "%%-") .. ":"), "make " .. target)
      count = count + 1
    end
    for _, block in ipairs(blocks "sh") do
      for target in ("\n" .. text_of(block)):gmatch "\nmake ([%l-]+)" do look(target) end
    end
    for _, line in ipairs(README) do
      for target in line:gmatch "`make ([%l-]+)[` ]" do look(target) end
    end
    assert.is_true(count >= 5)
  end)

  it("links to files and headings that exist", function()
    local anchors = {}
    for _, line in ipairs(README) do
      local heading = line:match "^#+ (.*)$"
      if heading then
        anchors["#" .. heading:lower():gsub("[^%w -]", ""):gsub(" ", "-")] = true
      end
    end
    for _, line in ipairs(README) do
      for target in line:gmatch "%]%(([^)]+)%)" do
        if target:find "^#" then
          assert.is_true(anchors[target], target)
        elseif not target:find "^https://" then
          assert(io.open(target), "no such file: " .. target):close()
        end
      end
    end
  end)

  it("names the version's changes", function()
    local changes = table.concat(read_lines "CHANGELOG.md", "\n")
    assert.is_truthy(changes:find("[" .. astar._VERSION .. "]", 1, true))
  end)
end)
