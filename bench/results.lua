-- results.lua -- reads the CSV files of bench.lua: Lua version, section, row, measure and value on each line.

local results = {}

-- Returns the fields of a line of bench/report.lua. A field that contains commas or quotes is in quotes, and quotes in
-- the field are doubled.
local function split(line)
  local fields, at = {}, 1
  while at <= #line + 1 do
    local quoted, after = line:match('^"(.-)"%f[,%z]()', at)
    if not quoted then quoted, after = line:match("^([^,]*)()", at) end
    fields[#fields + 1] = quoted:gsub('""', '"')
    at = after + 1
  end
  return fields
end

-- Calls take(lua, section, row, measure, value) for each line of a file. Returns false if the file cannot be read.
function results.each(name, take)
  local file = io.open(name)
  if not file then return false end
  for line in file:lines() do
    local fields = split(line)
    take(fields[1], fields[2], fields[3], fields[4], tonumber(fields[5]) or fields[5])
  end
  file:close()
  return true
end

-- Returns a list of { lua =, [section] = { { name =, [measure] = value, ... }, ... } }, one for each Lua version in the
-- files. If a file cannot be read, returns nil and a message.
function results.read(names)
  local runs = {}
  for _, name in ipairs(names) do
    local is_read = results.each(name, function(lua, section, row, measure, value)
      if lua == "lua" then return end -- the heading
      local run = runs[lua] or { lua = lua }
      if not runs[lua] then runs[#runs + 1], runs[lua] = run, run end
      local rows = run[section] or {}
      run[section] = rows
      local of_row = rows[row] or { name = row }
      if not rows[row] then rows[#rows + 1], rows[row] = of_row, of_row end
      of_row[measure] = value
    end)
    if not is_read then return nil, "cannot read " .. name end
  end
  return runs
end

-- Returns all rows of a section that at least one run contains, in the order of the runs:
-- { name =, any = row, [lua] = row, ... }.
function results.rows(runs, section)
  local rows = {}
  for _, run in ipairs(runs) do
    for _, of_run in ipairs(run[section] or {}) do
      local row = rows[of_run.name]
      if not row then
        row = { name = of_run.name, any = of_run }
        rows[#rows + 1], rows[of_run.name] = row, row
      end
      row[run.lua] = of_run
    end
  end
  return rows
end

return results
