-- finder_options.lua -- reads and checks the options of grid:finder.
--
-- The C module and its twin in plain Lua both use this file. Each passes the values that it supports for options such
-- as "algorithm", and receives numbers in place of names.

local entries = next -- another name, because LuaJIT may end loops over pairs or next early, see spec/entries_spec.lua
local FOLDER = (...):match "^(.+)[./][^./]+$"
local cure = require(FOLDER .. ".make_grid").cure
local option_table = require(FOLDER .. ".option_table")
local plain_options = require(FOLDER .. ".plain_options")

local unpack = table.unpack or unpack
local getmetatable = getmetatable -- kept here because a host may remove the global function later
local MOST_COST, MOST_AVOIDED, MOST_SIZE = 1e6, 16, 255

-- The options in the order in which the C module reads their values, without those that functions of their own read.
-- AT has the index of each by its name.
local ROWS, AT = {}, {}
local NAMES, KNOWN, OF_QUERIES = {}, {}, {}
for _, row in ipairs(option_table) do
  NAMES[#NAMES + 1], KNOWN[row.name] = row.name, true
  if row.kind ~= "own" then
    ROWS[#ROWS + 1] = row
    AT[row.name] = #ROWS
  end
  if row.of_query then OF_QUERIES[#OF_QUERIES + 1] = row end
end
local TABLES = { costs = true, ignore = true, breach = true, avoid = true, bend_cost = true, size = true }

local TURNS = { [45] = { 45, 90, 135, 180 }, [60] = { 60, 120, 120, 180 }, [90] = { 90, 90, 180, 180 } }
local ALL_TURNS = { [45] = "45, 90, 135 or 180 degrees", [60] = "60, 120 or 180 degrees", [90] = "90 or 180 degrees" }
local NO_BEND_COST = "bend_cost must be a number from 0 to 1000000 or a price for each angle, got an empty table"

local function copy_of(given)
  local copy = {}
  for key, value in entries, given do copy[key] = value end
  return copy
end

-- The number that the C module gets if an option is not given.
local UNGIVEN = {}
for i, row in ipairs(ROWS) do
  UNGIVEN[i] = row.kind == "name" and row.unnamed or row.kind == "flag" and (row.otherwise and 1 or 0) or row.otherwise
end

local finder_options = { NAMES = NAMES, AT = AT, options = {} }
for _, row in ipairs(OF_QUERIES) do finder_options.options[row.name] = row.otherwise end

local function keys_of(map)
  local keys = {}
  for key in entries, map do keys[#keys + 1] = key end
  return keys
end

--- Returns a copy of a finder's options, so that later changes by the script have no effect on either of them. If the
-- table of an option has a metatable, its defaults are read too: for `costs` the entries of the keys in `terrains`, for
-- `bend_cost` the entries of all angles.
function finder_options.copy(options, terrains)
  local copy = {}
  for name, value in entries, options do
    if TABLES[name] and type(value) == "table" then
      local has_defaults = getmetatable(value) ~= nil
      if has_defaults and name == "costs" and terrains then value = plain_options(value, keys_of(terrains)) end
      if has_defaults and name == "bend_cost" then value = plain_options(value, TURNS[45]) end
      value = copy_of(value)
    end
    copy[name] = value
  end
  return copy
end

--- Returns a table of functions that read options. `checks` is the table of checks.lua. `values` has a list of the
-- allowed names for each option whose value is a name.
function finder_options.reader(checks, values)
  local describe, fail, real, whole = checks.describe, checks.fail, checks.real, checks.whole
  local reader, places = {}, {}
  for option, names in entries, values do
    places[option] = {}
    local first = ROWS[AT[option]].first
    for i, name in ipairs(names) do places[option][name] = first + i - 1 end
  end

  -- The functions below read options from a copy without a metatable, so they index the copy directly. Most options
  -- of a finder are not given, so each function first handles nil, as fast as possible.

  local function read_real(value, row) return real(value, row.least, row.most, row.name) end
  local function read_whole(value, row) return whole(value, row.least, row.most, row.name) end

  local function read_flag(value, row)
    if type(value) ~= "boolean" then checks.one_flag(value, row.name) end
    return value and 1 or 0
  end

  -- Returns the number that the C module has for the name of a value.
  local function read_name(value, row)
    return places[row.name][value] or checks.one_of(value, row.name, values[row.name])
  end

  -- For each kind of option, the function that reads a value and returns it as a number.
  local READ = { number = read_real, whole = read_whole, count = read_whole, flag = read_flag, name = read_name }

  local function check_function(value, name)
    if type(value) == "function" then return end
    fail("%s must be a function, got %s%s", name, describe(value),
      name == "cost" and type(value) == "table" and ": costs of terrain are the option costs" or "")
  end

  -- Returns the option `costs` as a table of costs by the number of the terrain. `terrains` has the number of each key.
  local function read_costs(given, terrains)
    if type(given) ~= "table" then fail("costs must be a table, got %s", describe(given)) end
    local costs = {}
    for key, cost in entries, given do
      local terrain = terrains[key]
      if not terrain then fail("costs: unknown terrain %s%s", describe(key), cure(key)) end
      if type(cost) ~= "number" or not (cost >= 0.001 and cost <= MOST_COST) then
        cost = checks.cost(cost, "costs: terrain " .. describe(key))
      end
      costs[terrain] = cost
    end
    return costs
  end

  -- Returns the number of the heuristic.
  local function read_heuristic(value, row)
    if type(value) ~= "string" then fail("heuristic must be a name or a function, got %s", describe(value)) end
    return read_name(value, row)
  end

  -- Functions that read single options in place of those in READ. The value 0 for an option says that reader.finder
  -- reads it later, together with other options.
  local READ_ONE = { heuristic = read_heuristic, bend_cost = function() return 0 end }
  READ_ONE.avoid_weight, READ_ONE.size = READ_ONE.bend_cost, READ_ONE.bend_cost

  -- The function that reads each option of ROWS.
  local read_row = {}
  for i, row in ipairs(ROWS) do read_row[i] = READ_ONE[row.name] or READ[row.kind] end

  --- Returns a table of the options that a single query may have, each from `own` or else from `before`. Numbers stand
  -- for names.
  function reader.query(own, before)
    local query = {}
    for _, row in ipairs(OF_QUERIES) do
      local value = own[row.name]
      if value == nil then
        value = before[row.name]
      else
        value = read_row[AT[row.name]](value, row)
        if row.kind == "flag" then value = value == 1 end
      end
      query[row.name] = value
    end
    return query
  end

  -- Returns the greatest price of a bend and, if `bend_cost` is a table, a list of the prices of all angles. `least` is
  -- the smallest angle in degrees by which a step can turn: 45, 60 or 90. An angle that is not in the table costs as
  -- much as the next larger angle in it; an angle above the largest one costs as much as the largest one.
  local function read_bend_cost(given, least)
    if type(given) ~= "table" then return real(given, 0, MOST_COST, "bend_cost"), nil end
    local angles, costs, cost, dearest = TURNS[least], {}, nil, 0
    for angle, price in entries, given do
      local is_one = false
      for _, each in ipairs(angles) do is_one = is_one or each == angle end
      if not is_one then fail("bend_cost: an angle must be %s here, got %s", ALL_TURNS[least], describe(angle)) end
      dearest = math.max(dearest, real(price, 0, MOST_COST, ("bend_cost[%d]"):format(angle)))
    end
    for i = 1, 4 do cost = given[angles[i]] or cost end
    if not cost then fail(NO_BEND_COST) end
    for i = 4, 1, -1 do
      cost = given[angles[i]] or cost
      costs[i] = cost
    end
    return dearest, costs
  end

  -- Returns true if a value may be a field. A field of the twin is a table, and the twin passes a check for such
  -- tables. A field of the C module is a userdata, and the C module checks later that the userdata is a field.
  local function is_field(value)
    if checks.is_field then return checks.is_field(value) ~= nil end
    return type(value) == "userdata"
  end

  local function check_field(value, name)
    if not is_field(value) then fail("%s must be an astar field, got %s", name, describe(value)) end
    return value
  end

  -- Returns the option `avoid` and its weight. The option is one field, or becomes a flat list of fields, each followed
  -- by its own weight; the weight that is returned with a list is 1.
  local function read_avoid(given, weight)
    local is_list = type(given) == "table" and not is_field(given)
    if weight ~= nil then real(weight, 0, MOST_COST, "avoid_weight") end
    if weight ~= nil and (given == nil or is_list) then fail "avoid_weight needs avoid, a field" end
    if not is_list then return check_field(given, "avoid"), weight or 1 end
    local list, count = {}, checks.length(given)
    if checks.stray(given) or count > MOST_AVOIDED then
      fail("avoid must be a field or a list of at most %d {field, weight}", MOST_AVOIDED)
    end
    for i = 1, count do
      local entry, name = given[i], ("avoid[%d]"):format(i)
      if type(entry) ~= "table" or checks.stray(entry, 2) then
        fail("%s must be {field, weight}, got %s", name, describe(entry))
      end
      list[2 * i - 1] = check_field(rawget(entry, 1), name .. "[1]")
      list[2 * i] = real(rawget(entry, 2), -MOST_COST, MOST_COST, name .. "[2]")
    end
    return list, 1
  end

  -- Returns the option `breach` as a flat list: the name of each layer, followed by the price of breaking its blocks.
  local function read_breach(given)
    if type(given) ~= "table" then
      fail("breach must be a table of prices by layer, got %s%s", describe(given),
        type(given) == "string" and (": { [%s] = price }"):format(describe(given)) or "")
    end
    local prices = {}
    for layer, price in entries, given do
      prices[#prices + 1] = checks.layer(layer, "breach: a layer")
      prices[#prices + 1] = real(price, 0, MOST_COST, "breach: layer " .. describe(layer))
    end
    return prices
  end

  -- Returns the number of columns and of rows that the unit covers, by the option `size`: a number n for n x n cells,
  -- or {columns, rows}. The third result is the option as scripts read it again: a number if the unit is a square.
  local function read_size(given)
    if given == nil then return 1, 1, nil end
    if type(given) ~= "table" then
      local size = whole(given, 1, MOST_SIZE, "size")
      return size, size, size
    end
    local columns, rows, stray = rawget(given, 1), rawget(given, 2), checks.stray(given, 2)
    if columns == nil or rows == nil or stray then
      fail("size must be an integer or {columns, rows}, like { 2, 1 }, got a table with%s",
        stray and (" an entry [" .. stray .. "]") or ("out size[" .. (columns == nil and 1 or 2) .. "]"))
    end
    columns, rows = whole(columns, 1, MOST_SIZE, "size[1]"), whole(rows, 1, MOST_SIZE, "size[2]")
    return columns, rows, columns == rows and columns or given
  end

  --- Checks the option `ignore`, a list of the layers whose blocks do not stop the unit. Returns the list.
  function reader.ignored(given)
    if type(given) ~= "table" then
      fail("ignore must be a list of layers, got %s%s", describe(given), checks.in_braces(given))
    end
    local stray = checks.stray(given)
    if stray then fail("ignore must be a list of layers, like { \"red\" }, got an entry [%s]", stray) end
    for i = 1, checks.length(given) do
      if type(given[i]) ~= "string" or #given[i] > 255 then checks.layer(given[i], ("ignore[%d]"):format(i)) end
    end
    return given
  end

  local function check_known(options)
    if type(options) ~= "table" then checks.options(options, NAMES) end
    if getmetatable(options) ~= nil then options = plain_options(options, NAMES) end
    for name in entries, options do
      if not KNOWN[name] then checks.options(options, NAMES) end
    end
    return options
  end

  --- Reads the options of grid:finder. `terrains` has the number of each terrain by its key; `are_squares` is false on
  -- a hexagonal grid. Returns a copy of the options; the functions `cost`, `step_cost` and `heuristic`; a list of the
  -- values of ROWS as numbers, which lua_finder.c reads; the options `costs`, `bend_cost`, `avoid` and `breach` as the
  -- functions above return them; and the number of rows that the unit covers. What was not given is nil.
  function reader.finder(options, terrains, are_squares)
    local o, numbers = finder_options.copy(check_known(options), terrains), { unpack(UNGIVEN) }
    local estimate = type(o.heuristic) == "function" and o.heuristic or nil
    local given, count = {}, 0 -- the indices of the options that are given, in ascending order
    for name, value in entries, o do
      local at = AT[name]
      if at and value ~= estimate then
        local place = count
        while place > 0 and given[place] > at do
          given[place + 1] = given[place]
          place = place - 1
        end
        given[place + 1], count = at, count + 1
      end
    end
    for i = 1, count do
      local at = given[i]
      local row = ROWS[at]
      numbers[at] = read_row[at](o[row.name], row)
    end
    local costs = o.costs ~= nil and read_costs(o.costs, terrains) or nil
    if o.cost ~= nil then check_function(o.cost, "cost") end
    if o.step_cost ~= nil then check_function(o.step_cost, "step_cost") end
    local idle = numbers[AT.dearer_only] == 1 and "dearer_only" or "min_cost"
    if o[idle] ~= nil and not o.cost and not o.step_cost then fail("%s needs a function, cost or step_cost", idle) end
    local bend_costs, avoid
    if o.bend_cost ~= nil then
      numbers[AT.bend_cost], bend_costs = read_bend_cost(o.bend_cost,
        not are_squares and 60 or o.diagonals == "never" and 90 or 45)
    end
    if o.avoid ~= nil or o.avoid_weight ~= nil then
      avoid, numbers[AT.avoid_weight] = read_avoid(o.avoid, o.avoid_weight)
    end
    local rows
    numbers[AT.size], rows, o.size = read_size(o.size)
    return o, o.cost, o.step_cost, estimate, numbers, costs, bend_costs, avoid,
      o.breach ~= nil and read_breach(o.breach) or nil, rows
  end

  return reader
end

return finder_options
