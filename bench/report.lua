-- report.lua -- what the benchmarks show: progress, tables, CSV.

local report = {}

local clock = os.clock

-- ---- progress, on stderr ----

local shown_at, shown = -1, false

-- One line, written over a few times a second.
function report.progress(what, done, count)
  if clock() - shown_at < 0.2 and done ~= count then return end
  local text = done and ("%-36s%7d of %d"):format(what, done, count) or what
  io.stderr:write(("\r%-70s"):format(text))
  shown_at, shown = clock(), true
end

-- A line that stays.
function report.tell(message)
  report.clear()
  io.stderr:write(message, "\n")
end

function report.clear()
  if shown then io.stderr:write("\r", (" "):rep(70), "\r") end
  shown = false
end

-- ---- reports: tables on stdout, and CSV ----

local Report = {}
Report.__index = Report

-- With a file name also everything as CSV, a line a number: Lua, section, row, measure, value.
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

-- What the tables that follow are about.
function Report:title(text)
  self:note("\n" .. text)
end

-- Begins a table. Columns are { name, format }: the first names the rows.
function Report:section(name, columns)
  report.clear()
  self.name, self.columns = name, columns
  local header = {}
  for i, column in ipairs(columns) do
    header[i] = ("%" .. column[2]:match "%-?%d+" .. "s"):format(column[1])
  end
  print(table.concat(header))
  io.stdout:flush()
end

-- Text under a table's title or between tables.
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

-- Fields in the order of the columns; those that are nil or false were not measured.
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
