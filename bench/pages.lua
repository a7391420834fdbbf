-- pages.lua -- writes the results of bench.lua into the tables of a page of docs/.
--
--     make bench BENCH='targets growth csv=results.csv'
--     lua bench/pages.lua results.csv docs/targets.md
--
-- `make figures` runs both commands. This program replaces the text of the page between <!-- bench: NAME --> and
-- <!-- end -->. NAME is targets, missed or growth. The results of several files, for example of several Lua versions,
-- stand side by side. The last argument is the page.

local results = require "bench.results"

local function give_up(message, code)
  io.stderr:write(message, "\n")
  os.exit(code)
end

-- ---- targets ----

local function number(value) return (value < 999.5 and ("%.3g"):format(value) or ("%.0f"):format(value)) end

local function escaped(text) return (text:gsub("%*", "\\*")) end

-- Returns the text of a table cell: the measured value and the verdict. A time also has its number of expansions of
-- plain A*.
local function result_text(row)
  if not row then return "-" end
  local verdict = row.verdict == "met" and "met" or "**" .. row.verdict .. "**"
  if not row["A*"] then return number(row.measured) .. ": " .. verdict end
  return ("%s (%s of %s): %s"):format(number(row.measured), number(row["A*"]), number(row["A* most"]), verdict)
end

local function aim_of(row)
  return row["at most"] and "at most " .. row["at most"] or "at least " .. row["at least"]
end

-- Returns the rows of the table by the number of their target. Rows with the same number keep the order of measurement.
local function rows_by_number(runs)
  local rows = results.rows(runs, "targets")
  for i, row in ipairs(rows) do
    local target, what = row.name:match "^(%d+) (.*)$"
    row.target, row.what, row.place = tonumber(target), escaped(what), i
  end
  table.sort(rows, function(a, b)
    if a.target ~= b.target then return a.target < b.target end
    return a.place < b.place
  end)
  return rows
end

local function write_targets(runs)
  local names, rule, lines = { "", "target", "aim" }, { "---:", "---", "---" }, {}
  for _, run in ipairs(runs) do
    names[#names + 1], rule[#rule + 1] = run.lua, "---"
  end
  lines[1] = "| " .. table.concat(names, " | ") .. " |"
  lines[2] = "| " .. table.concat(rule, " | ") .. " |"
  for _, row in ipairs(rows_by_number(runs)) do
    local cells = { row.target, row.what, aim_of(row.any) }
    for _, run in ipairs(runs) do cells[#cells + 1] = result_text(row[run.lua]) end
    lines[#lines + 1] = "| " .. table.concat(cells, " | ") .. " |"
  end
  return lines
end

-- Returns lines that name, for each Lua version, the number of met rows and each missed row.
local function write_missed(runs)
  local lines = {}
  for _, run in ipairs(runs) do
    local missed, count = {}, 0
    for _, row in ipairs(rows_by_number { run }) do
      count = count + 1
      if row.any.verdict ~= "met" then
        missed[#missed + 1] = ("- target %d: %s: %s"):format(row.target, row.what, row.any.verdict)
      end
    end
    if count > 0 then
      if #lines > 0 then lines[#lines + 1] = "" end
      lines[#lines + 1] = ("%s: %d of %d rows meet their target%s"):format(run.lua, count - #missed, count,
        #missed > 0 and ". These rows miss it:" or ".")
      if #missed > 0 then lines[#lines + 1] = "" end
      for _, line in ipairs(missed) do lines[#lines + 1] = line end
    end
  end
  return lines
end

-- ---- growth ----

local GROWTH = { "first ms", "us/query", "near us", "edit ns", "A* us", "ratio" }

local function write_growth(runs)
  local lines = { "| map | " .. escaped(table.concat(GROWTH, " | ")) .. " |",
    "| ---" .. (" | ---:"):rep(#GROWTH) .. " |" }
  for _, row in ipairs(results.rows({ runs[1] }, "growth")) do
    local cells = { row.name }
    for i, measure in ipairs(GROWTH) do
      local value = row.any[measure]
      cells[i + 1] = value and number(value) or "-"
    end
    lines[#lines + 1] = "| " .. table.concat(cells, " | ") .. " |"
  end
  return lines
end

-- ---- the page ----

local WRITERS = { targets = write_targets, missed = write_missed, growth = write_growth }

-- Replaces the text between the markers by the results. Returns the page and the number of replaced texts.
local function rewrite(page, runs)
  local count = 0
  return page:gsub("(<!%-%- bench: (%l+) %-%->\n)(.-)(<!%-%- end %-%->)", function(head, name, _, tail)
    local lines = WRITERS[name] and WRITERS[name](runs) or give_up("bench/pages.lua: unknown marker " .. name, 1)
    if #results.rows(runs, name == "missed" and "targets" or name) == 0 then return nil end
    count = count + 1
    return head .. "\n" .. table.concat(lines, "\n") .. "\n\n" .. tail
  end), count
end

local function main(arguments)
  local page_name = table.remove(arguments)
  if #arguments == 0 then give_up("usage: bench/pages.lua results.csv ... page.md", 2) end
  local runs, why = results.read(arguments)
  if not runs then give_up("bench/pages.lua: " .. why, 1) end
  local file = io.open(page_name)
  if not file then give_up("bench/pages.lua: cannot read " .. page_name, 1) end
  local page = file:read "*a"
  file:close()
  local written, count = rewrite(page, runs)
  if count == 0 then give_up("bench/pages.lua: no numbers for " .. page_name, 1) end
  file = assert(io.open(page_name, "w"))
  file:write(written)
  file:close()
  print(page_name)
end

main(arg)
