-- The site that make docs makes of the manual: whole, in the order of its index, every link and picture
-- found, nothing loaded from elsewhere, and a search that needs no server.

local documents = require "spec.support.documents"
local full = require "spec.support.full"
local process = require "spec.support.process"

local run = process.shell

local function read(name)
  local file = io.open(name)
  local text = file and file:read "*a"
  if file then file:close() end
  return text
end

-- The file that an address on a page means, from the site's folder, and what is within it.
local function target_of(page, address)
  local path, anchor = address:gsub("%?[^#]*", ""):match "^([^#]*)#?(.*)$"
  if path == "" then
    return page, anchor
  end
  return documents.normalized((page:match "^(.*/)" or "") .. path), anchor
end

local function has_id(text, id)
  return text:find('id="' .. id .. '"', 1, true) ~= nil
end

full.only(describe)("the site", function()
  if process.is_sanitized then
    it("needs a build without sanitizers", function() pending "a sanitizer's runtime is in every program" end)
    return
  end

  local folder, output, status
  local pages = {} -- their texts by their names

  setup(function()
    folder = run "mktemp -d":match "%S+"
    -- A page in the playground's place: it takes a minute to build, and is tested by make playground-test.
    run(("mkdir %s/playground && echo '<a id=\"home\">' >%s/playground/index.html"):format(folder, folder))
    output, status = run(("make -s docs SITE=%s/site PLAYGROUND=%s/playground"):format(folder, folder))
    for name in run(("cd %s/site && find . -name '*.html'"):format(folder)):gmatch "%./(%S+)" do
      pages[name] = read(folder .. "/site/" .. name)
    end
  end)

  teardown(function()
    run("rm -rf " .. folder)
  end)

  local function it_is(what, check)
    it("is " .. what, function()
      if output:find "^make docs needs" then
        pending(output)
        return
      end
      check()
    end)
  end

  it_is("made without a warning", function()
    assert.equal(folder .. "/site/index.html\n", output)
    assert.equal(0, status)
    assert.equal(pages["README.html"], pages["index.html"])
  end)

  it_is("illustrated: each page with routes in its snippets has a picture or a map to paint on", function()
    for name, page in pairs(pages) do
      local is_shown = page:find("<img", 1, true) or page:find("<iframe", 1, true)
      if name:find "^docs/[%w_/]+%.html$" and not name:find "^docs/reference/" then
        assert(is_shown or not page:find("Open in the playground", 1, true), name)
      end
    end
  end)

  it_is("complete: every page is linked in the order of the index", function()
    local navigation = pages["index.html"]:match '<div class="sidebar%-tree">(.-)\n</div>'
    local position = 1
    for i, document in ipairs(documents.all()) do
      local name = document.name:gsub("%.md$", ".html")
      assert(pages[name], name)
      local _, stop = navigation:find('href="' .. name .. '"', position, true)
      assert(i == 1 or stop, name)
      position = stop or position
    end
    for part in read "docs/README.md":gmatch "\n## ([^\n]+)" do
      assert.is_truthy(navigation:find(">" .. part .. "<", 1, true), part)
    end
  end)

  it_is("closed: it contains the files that its pages link to and show", function()
    local count = 0
    for name, text in pairs(pages) do
      for address in text:gmatch '[hs]r[ec]f?="([^"]*)"' do
        if not address:find "^https://" then
          local path, anchor = target_of(name, address)
          local target = pages[path] or read(folder .. "/site/" .. path)
          assert(target, name .. ": " .. address)
          assert(anchor == "" or anchor:find "^lua=" or has_id(target, anchor), name .. ": " .. address)
          count = count + 1
        end
      end
    end
    assert.is_true(count > 1000)
  end)

  it_is("linked to the playground from the first page, and from each snippet", function()
    assert.is_truthy(pages["index.html"]:find('href="playground/index.html"', 1, true))
    assert.is_truthy(pages["playground/index.html"]:find('href="../index.html"', 1, true))
    local count = 0
    for _, document in ipairs(documents.all()) do
      local text = pages[document.name:gsub("%.md$", ".html")]
      local links = text:gmatch 'href="[./]*playground/index%.html#lua=([^"]*)"'
      local is_game = document.text:find("function love.", 1, true) -- for which a page has no LÖVE
      for _, block in ipairs(is_game and {} or documents.blocks(document, "lua")) do
        local script = (links() or ""):gsub("%%(%x%x)", function(hex) return string.char(tonumber(hex, 16)) end)
        local snippet = documents.text_of(document, block)
        assert(script:find('local astar = require "astar"', 1, true), document.name .. ":" .. block.first)
        assert(script:sub(-#snippet - 1) == snippet .. "\n", document.name .. ":" .. block.first)
        count = count + 1
      end
      assert.is_nil(links())
    end
    assert.is_true(count > 100)
  end)

  it_is("linked from each call to its entry in the reference, and back", function()
    local entry = pages["docs/reference/finder.html"]:match '<section id="finder%-fov">(.-)</section>'
    assert.is_truthy(entry:find 'class="told">Explained in <a [^>]*href="%.%./tactics/sight%.html#')
    assert.is_truthy(pages["docs/tactics/sight.html"]:find('href="../reference/finder.html#finder-fov"', 1, true))
    local graphs = pages["docs/graph/graphs.html"]
    assert.is_truthy(graphs:find('href="../reference/graph_finder.html#finder-find-path"', 1, true))
    local told, entries = 0, 0
    for _, document in ipairs(documents.reference()) do
      local text = pages[document.name:gsub("%.md$", ".html")]
      told = told + select(2, text:gsub('class="told"', ""))
      entries = entries + select(2, text:gsub("· since ", ""))
    end
    assert.is_true(entries >= 231 and told > 0.75 * entries, told .. " of " .. entries)
  end)

  it_is("readable on a telephone without sideways scrolling, with table rows as lists", function()
    if select(2, run "chromium --version") ~= 0 then
      pending "needs the browser chromium (Debian: chromium)"
      return
    end
    local names, rows = {}, 0
    for name in pairs(pages) do
      if not name:find "^playground/" and not name:find "^search" then names[#names + 1] = name end
    end
    local told = run(("chromium --headless --no-sandbox --disable-gpu --allow-file-access-from-files "
      .. "--virtual-time-budget=600000 --dump-dom 'file://%s/tools/site/narrow.html#file://%s/site,%s' 2>/dev/null")
      :format(run "pwd":match "%S+", folder, table.concat(names, ","))):match '<pre id="told">(.-)</pre>'
    local count = 0
    for name, all, in_line, wide in told:gmatch "(%S+) (%d+) (%d+) (%d+)\n" do
      assert.equal("0 in a line, 0 too wide", in_line .. " in a line, " .. wide .. " too wide", name)
      count, rows = count + 1, rows + all
    end
    assert.equal(#names, count)
    assert.is_true(rows > 800, rows)
  end)

  it_is("published with its Markdown, which each page and llms.txt link to", function()
    local list, count = read(folder .. "/site/llms.txt"), 0
    for _, documents_of in ipairs { documents.all(), documents.reference() } do
      for _, document in ipairs(documents_of) do
        local base = document.name:match "[^/]+$"
        assert.equal(document.text, read(folder .. "/site/" .. document.name))
        local page = pages[document.name:gsub("%.md$", ".html")]
        assert.is_truthy(page:find('type="text/markdown" href="' .. base, 1, true))
        assert(document.name == "docs/README.md" or list:find("](" .. document.name .. ")", 1, true), document.name)
        count = count + 1
      end
    end
    assert.is_true(count > 60)
    assert.is_nil(list:find "%.html")
  end)

  it_is("independent: it loads nothing from another server", function()
    for name, text in pairs(pages) do
      assert.is_nil(text:match 'src="%a+:', name)
      for link in text:gmatch "<link[^>]*>" do
        assert.is_nil(link:match 'href="%a+:', name)
      end
    end
    local grep = [[grep -rlE 'url\(["'\'']?(https?:)?//|@import' %s/site --include='*.css']]
    assert.equal("", (run(grep:format(folder))))
  end)

  it_is("searchable without a server, because a script contains its index", function()
    local index = read(folder .. "/site/searchindex.js")
    assert.is_truthy(index:find "^Search%.setIndex%(")
    for _, word in ipairs { "find_path", "clearance", "melee", "astargrid2d" } do
      assert.is_truthy(index:find("%f[%w_]" .. word .. "%f[^%w_]"), word)
    end
    assert.is_truthy(pages["index.html"]:find 'action="search%.html"')
    for _, call in ipairs { "grid:find_path", "finder:fov", "walker:update" } do
      assert.is_truthy(index:find('"objects": .*", "' .. call .. '"]'), call)
    end
  end)

  it_is("searchable by names of calls and by common game terms, with the right section first", function()
    if select(2, run "node --version") ~= 0 then
      pending "needs the program node (Debian: nodejs)"
      return
    end
    local calls = run(("node tools/site/search_check.mjs %s/site"):format(folder))
    assert.is_true(tonumber(calls:match "^(%d+) calls, %d+ topics, %d+ searches\n$" or error(calls)) > 200)
  end)
end)
