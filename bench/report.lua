-- report.lua -- prints the progress and the tables of the benchmarks, and writes their CSV files.

local report = {}

local clock = os.clock

-- ---- progress, on stderr ----

local shown_at, shown = -1, false

-- Shows progress on a line that later progress overwrites, at most five times per second.
function report.progress(what, done, count)
  if clock() - shown_at < 0.2 and done ~= count then return end
  local text = done and ("%-36s%7d of %d"):format(what, done, count) or what
  io.stderr:write(("\r%-70s"):format(text))
  shown_at, shown = clock(), true
end

-- Prints a line on stderr that later progress does not overwrite.
function report.message(text)
  report.clear()
  io.stderr:write(text, "\n")
end

function report.clear()
  if shown then io.stderr:write("\r", (" "):rep(70), "\r") end
  shown = false
end

-- ---- reports: tables on stdout, and CSV ----

local Report = {}
Report.__index = Report

-- Returns a report. If a file name is given, the report also writes a CSV file with one line per number: Lua version,
-- section, row, measure, value.
function report.new(csv_name)
  local self = setmetatable({ csv = nil }, Report)
  if csv_name then
    self.csv = assert(io.open(csv_name, "w"))
    self.csv:write("lua,section,row,measure,value\n")
  end
  return self
end

function report.lua_name()
  local jit = rawget(_G, "jit")
  return jit and jit.version or _VERSION
end

-- Prints a text that explains the tables below it.
function Report:title(text)
  self:note("\n" .. text)
end

-- Starts a table. A column is { name, format }. The first column contains the names of the rows.
function Report:section(name, columns)
  report.clear()
  self.name, self.columns = name, columns
  local header = {}
  for i, column in ipairs(columns) do
    header[i] = (column[2]:match "^ *" .. "%" .. column[2]:match "%-?%d+" .. "s"):format(column[1])
  end
  print(table.concat(header))
  io.stdout:flush()
end

-- Prints a text below the title of a table or between tables.
function Report.note(_, text)
  report.clear()
  print(text)
end

local function quoted(text)
  if text:find '[,"\n]' then return '"' .. text:gsub('"', '""') .. '"' end
  return text
end

local function csv_value(value)
  return type(value) == "number" and ("%.6g"):format(value) or quoted(value)
end

-- Prints a row of a table. The fields are in the order of the columns. A field that was not measured is nil or false.
function Report:row(fields)
  report.clear()
  local cells = {}
  for i, column in ipairs(self.columns) do
    local name, format = column[1], column[2]
    local field = fields[i]
    cells[i] = field and format:format(field)
      or ("%" .. format:match "%-?%d+" .. "s"):format "-"
    if self.csv and i > 1 and field then
      self.csv:write(table.concat({ quoted(report.lua_name()), quoted(self.name),
        quoted(fields[1]), quoted(name), csv_value(field) }, ","), "\n")
    end
  end
  print(table.concat(cells))
  io.stdout:flush()
end

function Report:close()
  if self.csv then self.csv:close() end
end

return report
