-- documents.lua -- the README and the pages of docs/, read for specs: lines, fenced blocks, links.
--
-- docs/README.md is the index: the pages are those it links to, in its order.

local documents = {}

local function read_lines(name)
  local lines = {}
  for line in io.lines(name) do
    lines[#lines + 1] = line
  end
  return lines
end

-- "docs/x/../y.md" is "docs/y.md".
function documents.normalized(path)
  local count
  repeat
    path, count = path:gsub("[^/]+/%.%./", "", 1)
  until count == 0
  return path
end

-- The fenced blocks: { { language =, section =, first =, last = } }, lines without the fences. A
-- section is what stands under a heading of the second level.
local function find_blocks(document)
  local found, section, block = {}, "the introduction", nil
  for number, line in ipairs(document.lines) do
    document.prose[number] = ""
    if block then
      if line == "```" then
        block.last = number - 1
        found[#found + 1] = block
        block = nil
      end
    elseif line:find "^```" then
      block = { section = section, first = number + 1, language = line:match "^```(.*)$" }
    else
      section = line:match "^## (.*)$" or section
      document.prose[number] = line
    end
  end
  assert(not block, document.name .. ": an open block")
  return found
end

-- { name =, lines =, text =, blocks =, prose = the lines outside of blocks }
function documents.read(name)
  local document = { name = name, lines = read_lines(name), prose = {} }
  document.text = table.concat(document.lines, "\n") .. "\n"
  document.blocks = find_blocks(document)
  return document
end

function documents.blocks(document, language)
  local found = {}
  for _, block in ipairs(document.blocks) do
    found[#found + 1] = block.language == language and block or nil
  end
  return found
end

function documents.text_of(document, block)
  return table.concat(document.lines, "\n", block.first, block.last)
end

-- What the prose links to, pictures included: { { line =, file = from the project's folder, anchor = } },
-- the file nil where it is on the web.
function documents.links(document)
  local found, folder = {}, document.name:match "^(.*/)" or ""
  for number, line in ipairs(document.prose) do
    for target in line:gsub("`[^`]*`", ""):gmatch "%]%(([^)]+)%)" do
      local path, anchor = target:match "^([^#]*)#?(.*)$"
      found[#found + 1] = {
        line = number, target = target, anchor = anchor ~= "" and anchor or nil,
        file = not target:find "^https://"
          and (path == "" and document.name or documents.normalized(folder .. path)) or nil,
      }
    end
  end
  return found
end

-- The anchors of its headings, as GitHub makes them.
function documents.anchors(document)
  local anchors = {}
  for _, line in ipairs(document.prose) do
    local heading = line:match "^#+ (.*)$"
    if heading then
      anchors[heading:lower():gsub("[^%w _\128-\255-]", ""):gsub(" ", "-")] = true
    end
  end
  return anchors
end

-- The pages of the reference, a class each, in the order of docs/reference.md.
function documents.reference()
  local list, seen = {}, {}
  for _, link in ipairs(documents.links(documents.read "docs/reference.md")) do
    if link.file and link.file:find "^docs/reference/" and not seen[link.file] then
      seen[link.file] = true
      list[#list + 1] = documents.read(link.file)
    end
  end
  return list
end

-- README.md, the index and its pages.
function documents.all()
  local index = documents.read "docs/README.md"
  local list, seen = { documents.read "README.md", index }, { [index.name] = true }
  for _, link in ipairs(documents.links(index)) do
    local name = link.file and link.file:match "^docs/[%w_/]+%.md$"
    if name and not name:find "^docs/reference/" and not seen[name] then
      seen[name] = true
      list[#list + 1] = documents.read(name)
    end
  end
  return list
end

return documents
