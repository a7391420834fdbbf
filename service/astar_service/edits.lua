-- edits.lua -- takes requests to edit maps: what comes together is appended to the map's log in one transaction.
--
-- An append holds only if the map is still at the version that it was tried on and each client's last request is still
-- the one known; if not, what came in between is applied first and it is tried again. So a request that is sent again,
-- here or to another instance, is done once, and an append of which nobody knows whether it was done is simply made
-- again. A fingerprint of the edits is kept with the number of each request: other edits under that number are refused.

local json = require "cjson"
local mime = require "mime.core"

local http = require "astar_service.http"
local store = require "astar_service.store"
local versions = require "astar_service.versions"

local FIELDS = { client = true, request = true, since = true, edits = true }

local PATIENCE = 1.5 -- seconds

local MOST_PASSED_OVER = 4 -- times that a request which must be tried lets those go first that are certain to succeed

local DONE = 10000 -- clients' last requests of a map that are remembered

-- Cells, as long as they take: those that are set one by one count eightfold.
local WEIGHTS = { fill = 1, block = 1, unblock = 1, set_cells = 8 }

local function weight_of(ops)
  local weight = 0
  for _, op in ipairs(ops) do
    local w, h = op[4], op[5]
    local is_sized = WEIGHTS[op[1]] and type(w) == "number" and type(h) == "number"
    weight = weight + (is_sized and w * h * WEIGHTS[op[1]] or 1)
  end
  return weight
end

return function(owner)
  local limits = owner.limits

  local function finish(request, status, message, reason, more)
    local ok, failure = pcall(http.fail, status, message, reason, more) -- luacheck: ignore 211
    request.failure = failure
  end

  -- Writes a line of the audit log for a request that this instance has written: how many edits of each name it holds.
  local function audit(entry, request, version)
    local counts = {}
    for _, op in ipairs(request.ops) do counts[op[1]] = (counts[op[1]] or 0) + 1 end
    owner.audit("edit", request, entry.name,
      { client = request.client, request = request.request, version = version, edits = counts })
    request.was_sent = false
  end

  -- Whether a request is answered by what its client did last.
  local function answer_by(entry, request, last)
    if not last then return false end
    if last.fault then
      finish(request, 409, "the row of this client's last request cannot be read: take another name", "fault")
    elseif last.request < request.request then
      return false
    elseif last.request == request.request and last.print and last.print ~= request.print then
      finish(request, 409, "this client has sent other edits under this number before", "other edits")
    elseif last.request == request.request then
      request.version = last.version
      if request.was_sent then audit(entry, request, last.version) end -- an append of which nothing was heard was done
    else
      finish(request, 409, "an edit of this client with a greater number was done before", "older")
    end
    return true
  end

  local function remember(entry, client, last)
    if last and not entry.done[client] then
      entry.done_count = (entry.done_count or 0) + 1
      if entry.done_count > DONE then entry.done, entry.done_count = {}, 1 end
    end
    entry.done[client] = last
  end

  -- Applies what is in the log after a map's version. Whether that could be read.
  local function catch_up(entry, from)
    return from:read_edits(entry.name, entry.map.version, nil, function(first, batch)
      if owner.maps[entry.name] == entry then owner.apply(entry, first, batch) end
    end)
  end

  -- Tries a request on a copy of the map: whether it may go into the log after what is there, nil if that is not known.
  -- Before it is refused it is certain that the map is as others have it.
  local function try(entry, request, from)
    while true do
      local version, began = entry.map.version, http.now()
      local ok, message = pcall(entry.map.try, entry.map, request.ops)
      owner.fair:charge(request.who, http.now() - began, request.load)
      if ok then return true end
      local head = from:head(entry.name)
      if not entry.map then return nil end
      if head == entry.map.version then
        finish(request, 400, message)
        return false
      end
      if not head or not catch_up(entry, from) or entry.map.version == version then return nil end
    end
  end

  local function is_known_enough(entry, request, from)
    local forgot = entry.record.forgot or 0
    if not request.since or request.since >= forgot or entry.done[request.client] then return true end
    local last = from:read_done(entry.name, request.client)
    if last == nil then return nil end
    if last then
      remember(entry, request.client, last)
      return true
    end
    finish(request, 409, "what was sent at that version is forgotten: ask for the map and decide anew", "forgotten")
    return false
  end

  -- Drops the requests that are answered from the queue; whether any are left.
  local function drop_answered(entry)
    local rest = {}
    for _, request in ipairs(entry.queue) do
      local is_over = request.gone or request.version or request.failure
        or answer_by(entry, request, entry.done[request.client])
      if not is_over then rest[#rest + 1] = request end
    end
    entry.queue = rest
    return #rest > 0
  end

  -- The requests that are certain to succeed, one of each client, as many as go together; and the other one whose
  -- sender has had the least time.
  local function sort_requests(entry, from)
    local sure, clients, bytes, edits = {}, {}, 0, 0
    local other
    for _, request in ipairs(entry.queue) do
      if not clients[request.client] and not request.failure then
        clients[request.client] = true
        if is_known_enough(entry, request, from) then
          local fits = #sure < store.MOST_REQUESTS and bytes + #request.text <= store.MOST_BYTES
            and edits + #request.ops <= limits.edits
          if not entry.map:is_sure(request.ops) then
            other = other and owner.fair:used(other.who) <= owner.fair:used(request.who) and other or request
          elseif fits then
            sure[#sure + 1], bytes, edits = request, bytes + #request.text, edits + #request.ops
          end
        end
      end
    end
    return sure, other
  end

  -- The requests that go together into the log: those certain to succeed or, now and then, one that had to be tried.
  local function take_batch(entry, from)
    local batch, other = sort_requests(entry, from)
    entry.passed_over = other and (entry.passed_over or 0) + 1 or 0
    if other and (#batch == 0 or entry.passed_over > MOST_PASSED_OVER) then
      entry.passed_over = 0
      batch = try(entry, other, from) and { other } or {}
    end
    for _, request in ipairs(batch) do request.known = entry.done[request.client] end
    return batch
  end

  local function take_facts(entry, batch, facts, from)
    if facts.map and (facts.map.fault or not facts.head) then
      owner.must_read = true -- that it cannot be read should have been heard
      core.msleep(20)
      return
    end
    if not facts.map then
      owner.must_read = true -- that it is gone should have been heard
      for _, request in ipairs(batch) do finish(request, 404, ("there is no map %q"):format(entry.name), "no map") end
      return
    end
    if facts.map.made ~= entry.record.made then
      owner.must_read = true
      core.msleep(20)
      return
    end
    owner.take_record(entry, facts.map)
    for _, request in ipairs(batch) do
      remember(entry, request.client, facts.done[request.client])
      answer_by(entry, request, facts.done[request.client])
    end
    if owner.maps[entry.name] ~= entry or entry.fault then return end
    for _, edit in ipairs(facts.edits) do owner.apply(entry, edit.first, edit.batch) end
    if entry.map.version < facts.head then catch_up(entry, from) end
  end

  -- Where others write the same map, too, whoever was first lets them have a turn: who is nearest to etcd's leader
  -- would win for ever. `took`: seconds that the append took.
  local function give_way(entry, took)
    entry.took = (entry.took or took) * 0.8 + took * 0.2
    if http.now() - (entry.others or 0) < 0.5 then
      entry.not_before = http.now() + math.min(0.05, entry.took * (1 + math.random()))
    end
  end

  local function write_batch(entry, batch, from)
    local at, began = entry.map.version, http.now()
    for _, request in ipairs(batch) do request.was_sent = true end
    local ok, result = from:append(entry.record, at, batch)
    if ok then
      local log, bytes = {}, 0
      for i, request in ipairs(batch) do
        remember(entry, request.client,
          { request = request.request, version = at + i, print = request.print, revision = result })
        log[i], bytes = request.ops, bytes + #request.text
      end
      if owner.maps[entry.name] == entry and not entry.fault then owner.apply(entry, at + 1, log, bytes, true) end
      for i, request in ipairs(batch) do
        request.version = at + i
        audit(entry, request, at + i)
      end
      owner.count("astar_edits_total", #batch)
      owner.count "astar_appends_total"
      give_way(entry, http.now() - began)
    elseif ok == false then
      owner.count "astar_conflicts_total"
      take_facts(entry, batch, result, from)
    elseif result == "nospace" then
      for _, request in ipairs(batch) do finish(request, 503, "etcd takes no more: its space is used up", "nospace") end
    elseif result == "too large" then
      for _, request in ipairs(batch) do finish(request, 413, "etcd does not take so much at once") end
    else
      owner.count "astar_append_failures_total"
      core.msleep(10)
    end
  end

  -- Writes what waits for a map once; whether anything still does.
  local function write_once(entry)
    if not drop_answered(entry) then return false end
    local ok, batch = pcall(take_batch, entry, owner.writer)
    if not ok then -- a defect of ours must not hold up the other requests for ever
      core.Alert("astar: taking edits: " .. tostring(batch))
      for _, request in ipairs(entry.queue) do finish(request, 500, "a defect of the service, see its log") end
      return false
    end
    if #batch > 0 then write_batch(entry, batch, owner.writer) else core.msleep(1) end
    return drop_answered(entry)
  end

  -- Writes what waits, in a task, until nothing does. A request does not write for itself: its client may leave in the
  -- midst of it.
  local function start_writing(entry)
    if entry.writes then return end
    entry.writes = true
    core.register_task(function()
      local ok, more
      repeat
        local early = (entry.not_before or 0) - http.now()
        if early > 0 then core.msleep(math.ceil(early * 1000)) end
        ok, more = pcall(write_once, entry)
      until not ok or not more or owner.maps[entry.name] ~= entry or entry.fault
      entry.writes = false
      if not ok then core.Alert("astar: writing edits: " .. tostring(more)) end
    end)
  end

  -- A text that is the same for the same edits, whatever the order of names in their objects: those of links and edges.
  local function canonical(value)
    if type(value) ~= "table" then return json.encode(value) end
    local parts = {}
    if #value > 0 then
      for i, entry in ipairs(value) do parts[i] = canonical(entry) end
      return "[" .. table.concat(parts, ",") .. "]"
    end
    for name, entry in pairs(value) do parts[#parts + 1] = json.encode(name) .. ":" .. canonical(entry) end
    table.sort(parts)
    return "{" .. table.concat(parts, ",") .. "}"
  end

  local function read_request(applet, text, entry)
    local body = http.parse(text)
    http.check_fields(body, FIELDS)
    local request = {
      client = http.name(body.client, "client"), request = http.whole(body, "request", 1, 2 ^ 53),
      since = http.whole(body, "since", 0, 2 ^ 53),
    }
    request.who, request.load = http.client(applet)
    if not request.request then http.fail(400, "an edit needs a request's number, from 1 on") end
    local edits = body.edits
    if type(edits) ~= "table" or #edits == 0 or #edits > limits.edits then
      http.fail(400, ("edits must be a list of 1 to %d"):format(limits.edits))
    end
    for key in pairs(edits) do
      if math.type(key) ~= "integer" or key > #edits then http.fail(400, "edits must be a list") end
    end
    local ok, why = pcall(entry.map.check_form, entry.map, edits)
    if not ok then http.fail(400, versions.plain(why)) end
    if weight_of(edits) > limits.edited then
      http.fail(400, ("a request edits at most %d cells, set_cells counted eightfold"):format(limits.edited))
    end
    request.text = json.encode(edits)
    if #request.text > store.MOST_BYTES then
      http.fail(413, ("the edits of a request hold at most %d bytes"):format(store.MOST_BYTES))
    end
    request.ops = json.decode(request.text) -- as all who read the log will have it
    request.print = mime.b64(applet.c:sha2(canonical(request.ops), 256)):sub(1, 16)
    return request
  end

  -- A request of edits that was found to be in order, and the map that it is for.
  local function take_request(applet, body)
    local turn = owner.fair:enter(http.client(applet))
    local ok, entry, request = pcall(function()
      local entry = owner.find(applet.path:match "^/v1/maps/([^/]+)/edits$")
      return entry, read_request(applet, body, entry)
    end)
    owner.fair:leave(turn)
    if not ok then error(entry, 0) end
    return entry, request
  end

  -- POST /v1/maps/NAME/edits
  http.service("edit", 80000, function(applet, body)
    http.parameters(applet, {})
    local entry, request = take_request(applet, body)
    if #entry.queue >= limits.waiting then http.fail(429, "too many edits of this map are under way", "busy") end
    table.insert(entry.queue, request)
    local till, waits = http.now() + PATIENCE, 0
    while not (request.version or request.failure or entry.fault) and http.now() < till
      and owner.maps[entry.name] == entry do
      start_writing(entry)
      waits = waits + 1
      core.msleep(math.min(4, 1 + waits // 16))
    end
    request.gone = true
    if request.failure then error(request.failure, 0) end
    if not request.version then http.fail(503, "not known to be done: send the same request again", "unknown") end
    return { version = request.version }
  end)

  owner.writer = owner.new_store()
end
