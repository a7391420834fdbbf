-- admin.lua -- makes and drops maps, tells of them, and of the instance.

local mime = require "mime.core"

local astar = require "astar"

local asking = require "astar_service.asking"
local graph_map = require "astar_service.graph_map"
local http = require "astar_service.http"
local map = require "astar_service.map"
local plain = require("astar_service.versions").plain

local PUT_FIELDS = { drawing = true, width = true, height = true, dump = true, graph = true, options = true }

local OPTIONS = { terrain = true, fill = true, origin = true, shape = true, offset = true, wrap = true }

local MOST_PUTS = 4 -- maps that are made at a time

-- What a map without terrains of its own knows.
local USUAL = { { ".", 1 }, { " ", 1 }, { "#", false }, { "@", false } }

-- Terrains as a list of { key, cost }: given as an object, or as such a list where keys are integers.
local function palette_of(terrain)
  if terrain == nil then return table.move(USUAL, 1, #USUAL, 1, {}) end
  if type(terrain) ~= "table" then http.fail(400, "terrain must be an object of costs, or a list of [key, cost]") end
  local list = {}
  for key, value in pairs(terrain) do
    if type(value) == "table" then key, value = value[1], value[2] end
    if type(key) == "number" then key = math.tointeger(key) or key end
    if value == math.huge then value = false end
    list[#list + 1] = { key, value }
  end
  table.sort(list, function(a, b) return tostring(a[1]) < tostring(b[1]) end)
  if #list == 0 then http.fail(400, "terrain must not be empty") end
  return list
end

local function check_text(value, what)
  if type(value) == "string" and not http.is_utf8(value) then http.fail(400, what .. " must be UTF-8") end
end

-- Raises an error unless the keys and labels of a graph can be sent as JSON.
local function check_graph(graph, pause)
  for key in graph:nodes() do
    check_text(key, "the keys of nodes")
    for _, _, label in graph:edges(key) do check_text(label, "the labels of edges") end
    pause()
  end
end

-- Raises an error unless a map can be kept: its keys, labels and names of layers are such as edits may have.
local function check_kept(its)
  local meta = its:meta()
  for _, entry in ipairs(its.palette) do
    check_text(entry[1], "the keys of cells")
    its:check_form { { "terrain", entry[1], entry[2] } }
  end
  for _, layer in ipairs(meta.layers) do
    check_text(layer, "the names of layers")
    its:check_form { { "block", 1, 1, layer } }
  end
  for _, link in ipairs(meta.links) do
    check_text(link[6], "the labels of links")
    its:check_form { { "link", link[1], link[2], link[3], link[4], { cost = link[5], label = link[6] or nil } } }
  end
  its:check_room(its.object, {})
end

local function decode(text, most, what)
  local data = type(text) == "string" and mime.unb64(text)
  if not data or data == "" then http.fail(400, what .. " must be base64") end
  if #data > most then http.fail(413, ("%s holds at most %d bytes"):format(what, most)) end
  return data
end

-- The terrains of a grid that was loaded: those that are on it, and those told.
local function find_palette(grid, told, pause)
  local palette, known = {}, {}
  local function add(key)
    if known[key] then return end
    known[key] = true
    local cost = grid:terrain(key)
    palette[#palette + 1] = { key, cost ~= math.huge and cost }
  end
  local x0, y0, x1, y1 = grid:bounds()
  for y = y0, y1 do
    local keys = grid:get_cells(x0, y, x1 - x0 + 1, 1)
    for at = 1, #keys do add(type(keys) == "string" and keys:sub(at, at) or keys[at]) end
    pause()
  end
  for _, entry in ipairs(told) do
    if grid:terrain(entry[1]) ~= nil then add(entry[1]) end
  end
  return palette
end

return function(owner)
  local limits = owner.limits

  local function check_cells(width, height, most)
    if width * height > most then
      http.fail(413, ("such a map holds at most %d cells, got %d x %d"):format(most, width, height))
    end
  end

  local function make_grid(name, body)
    local options = body.options or {}
    if type(options) ~= "table" then http.fail(400, "options must be an object") end
    http.check_fields(options, OPTIONS)
    local palette = palette_of(options.terrain)
    local pause = owner.pauser()
    if body.dump then
      local grid = astar.load(decode(body.dump, 2 * limits.dump, "dump"), { max_cells = limits.dump })
      local its = map.of(name, 0, grid, find_palette(grid, palette, pause))
      its.has_blocks = true
      check_kept(its)
      return its
    end
    local its = {}
    for key, value in pairs(options) do its[key] = value end
    its.terrain = {}
    for _, entry in ipairs(palette) do its.terrain[entry[1]] = entry[2] end
    if body.drawing then
      if type(body.drawing) ~= "string" or #body.drawing > 1.5 * limits.dump then
        http.fail(413, ("a drawing is a text of at most %d cells"):format(limits.dump))
      end
      local made = map.of(name, 0, astar.grid(body.drawing, its), palette)
      check_kept(made)
      return made
    end
    local width, height = http.whole(body, "width", 1, limits.cells), http.whole(body, "height", 1, limits.cells)
    if not width or not height then http.fail(400, "a map by its size needs width and height") end
    check_cells(width, height, limits.cells)
    -- The keys of a JSON object have no order, so no key of terrain is the first one.
    if options.terrain and its.fill == nil then
      http.fail(400, ('options.fill: expected one of the keys of options.terrain, got none; add "fill": %s'):format(
        http.encode(palette[1][1])))
    end
    if its.fill == nil then its.fill = palette[1][1] end
    for i, entry in ipairs(palette) do -- the first one is the terrain of pieces that were never written
      if entry[1] == its.fill then table.insert(palette, 1, table.remove(palette, i)) end
    end
    local made = map.of(name, 0, astar.grid(width, height, its), palette)
    made.is_empty = true
    check_kept(made)
    return made
  end

  local function make_map(name, body)
    local count = 0
    for _, key in ipairs { "drawing", "width", "dump", "graph" } do
      if body[key] ~= nil then count = count + 1 end
    end
    if count ~= 1 then http.fail(400, "a map is made of one of drawing, width and height, dump, graph") end
    if not body.graph then return make_grid(name, body) end
    local made = graph_map.new(name, 0, decode(body.graph, limits.graph, "graph"))
    check_graph(made.object, owner.pauser())
    return made
  end

  local function wait_until(condition, seconds)
    local till = http.now() + seconds
    while not condition() and http.now() < till do core.msleep(5) end
  end

  -- Ends the request unless etcd says that there is no map of that name: what is held here may be gone.
  local function check_none(name, from)
    local record = from:record(name)
    if record then
      http.fail(409, ("there is a map %q already"):format(name), "exists", { made = record.made })
    elseif record == nil then
      http.fail(503, ("etcd does not tell whether there is a map %q"):format(name), "unknown")
    end
  end

  -- Deletes the rows of a map that has no record, such as a restore by hand may leave. Returns true if there were
  -- any, false if there were none; nil if that is not known.
  local function drop_rest(from, name)
    local head, why = from:head(name)
    if head == false then return false end
    if not head and why == "unavailable" then return nil end
    return from:drop_faulty { name = name, revision = "0" } or nil, head
  end

  local puts = 0

  -- PUT /v1/maps/NAME, as one of a few at a time
  local function put_one(request, name, text)
    local body = http.parse(text)
    http.check_fields(body, PUT_FIELDS)
    local to = owner.new_store()
    if owner.maps[name] then
      check_none(name, to)
      wait_until(function() return not owner.maps[name] end, 0.5)
      if owner.maps[name] then
        owner.must_read = true -- that it is gone should have been heard
        http.fail(503, ("map %q is being dropped"):format(name), "loading")
      end
    end
    local count = 0
    for _ in pairs(owner.maps) do count = count + 1 end
    if count >= limits.maps then http.fail(429, ("there are %d maps, no more may be made"):format(count), "maps") end
    if drop_rest(to, name) == nil then
      http.fail(503, ("etcd does not tell whether there is a map %q"):format(name), "unknown")
    end
    local ok, its = pcall(make_map, name, body)
    if not ok then error(http.is_failure(its) and its or select(2, pcall(http.fail, 400, plain(its))), 0) end
    local version, made
    ok, version, made = pcall(owner.make, name, its, to)
    if not ok then
      if http.is_failure(version) then error(version, 0) end
      if version ~= "nospace" then check_none(name, to) end
      http.fail(503, "not known to be made: " .. tostring(version), version == "nospace" and "nospace" or "unknown")
    end
    wait_until(function()
      local entry = owner.maps[name]
      return entry and entry.map and entry.record.made == made
    end, 5)
    owner.audit("make", request, name, { version = version, made = tonumber(made) })
    return { version = version, made = made }, 201
  end

  local function put(request, name, text)
    if puts >= MOST_PUTS then http.fail(429, "other maps are being made", "busy") end
    puts = puts + 1
    local results = table.pack(pcall(put_one, request, name, text))
    puts = puts - 1
    if not results[1] then error(results[2], 0) end
    return table.unpack(results, 2, results.n)
  end

  -- Drops a map as etcd has it, whatever this instance knows of it: true and the last version; false or nil and why.
  local function drop(from, record)
    if record.fault then return from:drop_faulty(record) end
    local head, why = from:head(record.name)
    if head then
      local ok, problem = from:drop(record, head)
      return ok, ok and head or problem
    end
    if head == nil and why == "unavailable" then return nil, why end
    return from:drop_faulty(record)
  end

  -- DELETE /v1/maps/NAME, ?made=N: that one, not one of its name that was made after it
  local function delete(request, name)
    local from, till = owner.new_store(), http.now() + 2.5
    local made, was_tried = request.parameters.made, false
    repeat
      local record = from:record(name)
      local entry = owner.maps[name]
      if record ~= nil and entry and entry.record.made ~= (record and record.made) then owner.must_read = true end
      if record == false or record and made and record.made ~= made then
        if was_tried then return { dropped = true } end
        if record == false and not made then
          local is_dropped, version = drop_rest(from, name)
          if is_dropped then
            owner.audit("drop", request, name, { version = version })
            return { dropped = true, version = version }
          end
        end
        http.fail(404, ("there is no such map %q"):format(name), "no map")
      elseif record then
        local ok, version = drop(from, record)
        if ok then
          owner.audit("drop", request, name, { version = tonumber(version), made = tonumber(record.made) })
          wait_until(function() return not owner.maps[name] or owner.maps[name].record.made ~= record.made end, 2)
          return { dropped = true, version = tonumber(version) }
        end
        if version == "nospace" then http.fail(503, "etcd takes no more: its space is used up", "nospace") end
        if ok == nil then made, was_tried = record.made, true end
      end
      core.msleep(20) -- edits or a fold came in between
    until http.now() > till
    http.fail(503, "not known to be dropped: try again", "unknown")
  end

  local function check_heard(parameters)
    if owner.is_heard() or parameters.stale then return end
    http.fail(503, "this instance has not heard of etcd for a second", "stale")
  end

  -- GET /v1/maps/NAME
  local function get(request, name)
    check_heard(request.parameters)
    local entry = owner.find(name)
    local told = owner.describe(entry)
    if request.parameters.dump then -- of a graph: for grids see reader.lua
      -- HAProxy took it for one: a graph of this name was dropped, and a grid made, while the request was on its way.
      if not entry.map.is_graph then http.fail(503, ("map %q was made just now"):format(name), "loading") end
      local began = http.now()
      told.dump = mime.b64(entry.map:dump_now())
      owner.fair:charge(request.who, http.now() - began, request.load)
    end
    return told
  end

  -- GET /v1/maps
  local function list(parameters)
    check_heard(parameters)
    if not owner.has_read then http.fail(503, "maps are being read", "loading") end
    local all, names, pause = {}, {}, owner.pauser()
    for name in pairs(owner.maps) do names[#names + 1] = name end
    table.sort(names)
    for _, name in ipairs(names) do
      pause()
      local entry = owner.maps[name] or {}
      if entry.map then all[#all + 1] = http.encode(owner.describe(entry)) end
      if entry.fault then all[#all + 1] = http.encode { name = entry.name, fault = entry.fault } end
    end
    return '{"maps":[' .. table.concat(all, ",") .. "]}"
  end

  -- POST /v1/fold/NAME
  local function fold(request, name)
    local base, why = owner.fold_at_once(owner.find(name), owner.new_store())
    if not base then http.fail(503, "not folded: " .. tostring(why), why == "nospace" and why or "busy") end
    owner.audit("fold", request, name, { base = base })
    return { base = base }
  end

  local METHODS = { PUT = put, DELETE = delete, GET = get, HEAD = get }

  -- The parameters that a map's address takes, by method.
  local PARAMETERS = { PUT = {}, DELETE = { made = "^%d+$" }, GET = { dump = "^1$", stale = "^1$" } }
  PARAMETERS.HEAD = PARAMETERS.GET

  http.service("admin", 1572864, function(applet, text)
    local path = applet.path
    if path == "/v1/maps" then return list(http.parameters(applet, { stale = "^1$" })) end
    local folded = path:match "^/v1/fold/([^/]+)$"
    local request = {
      method = applet.method, parameters = http.parameters(applet, folded and {} or PARAMETERS[applet.method]),
    }
    request.who, request.load = http.client(applet)
    if folded then return owner.call_to_its_end(fold, request, http.name(folded, "a map's name")) end
    local name = http.name(path:match "^/v1/maps/([^/]+)$", "a map's name")
    return owner.call_to_its_end(METHODS[request.method], request, name, text)
  end)

  -- ---- questions that this state answers: of graphs, and over their ground ----

  local asked = asking.new {
    all = function()
      local held = {}
      for name, entry in pairs(owner.maps) do held[name] = entry.map end
      return held
    end,
    board = owner.board, heads = owner.heads, limits = limits, fair = owner.fair,
    find = function(name)
      local entry = owner.maps[name]
      if entry and entry.map then return entry.map end
      if entry and entry.fault then return nil, "fault" end
      return nil, (entry or not owner.has_read) and "loading" or nil
    end,
  }
  http.service("ask_owner", limits.body, function(applet, text) return asked:handle(applet, text) end)

  -- ---- the instance ----

  local function add_counts(sums, text)
    for name, value in pairs(text and http.parse(text) or {}) do sums[name] = (sums[name] or 0) + value end
  end

  -- Returns how many requests HAProxy itself has refused, by the status and the reason: see haproxy.cfg.
  local function refused_by_haproxy()
    local counts = {}
    for key, entry in pairs(core.proxies.refusals.stktable:dump()) do counts[key] = entry.http_req_cnt end
    return counts
  end

  http.service("metrics", 0, function()
    local sums, lines = {}, {}
    for name, value in pairs(owner.counts) do sums[name] = value end
    for thread = 2, 64 do add_counts(sums, owner.board:get("/counts/" .. thread)) end
    local names, pause = {}, owner.pauser()
    for name in pairs(owner.maps) do names[#names + 1] = name end
    for _, name in ipairs(names) do
      local entry = owner.maps[name]
      if entry and entry.map then
        sums[('astar_map_version{map="%s"}'):format(name)] = entry.map.version
        sums[('astar_map_log{map="%s"}'):format(name)] = entry.map.version - entry.record.base
        sums[('astar_map_bytes{map="%s"}'):format(name)] = entry.map.object:bytes()
        sums[('astar_map_skipped_edits{map="%s"}'):format(name)] = entry.map.failed or 0
        sums[('astar_map_edits_waiting{map="%s"}'):format(name)] = #entry.queue
      end
      pause()
    end
    sums.astar_heard_seconds_ago = http.age(owner.heard)
    sums.astar_stale_seconds_total = (sums.astar_stale_seconds_total or 0) + owner.seconds_stale()
    sums['astar_requests_waiting{thread="1"}'] = asked.fair:waiting()
    for reason, count in pairs(refused_by_haproxy()) do
      local metric = ('astar_refused_total{status="%s",reason="%s"}'):format(reason:match "^(%d+)%-(.*)$")
      sums[metric] = (sums[metric] or 0) + count
    end
    sums['astar_lua_bytes{thread="1"}'] = collectgarbage "count" * 1024
    for name, value in pairs(sums) do lines[#lines + 1] = ("%s %.14g\n"):format(name, value) end
    table.sort(lines)
    return table.concat(lines), 200, "text/plain; version=0.0.4"
  end)
end
