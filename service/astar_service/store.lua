-- store.lua -- what is kept of maps, in etcd. Head, append, read, watch and fold are all that the rest knows of it.
--
--
-- Whatever changes is a transaction that compares first: an edit the head and the client's last request, a fold its
-- claim. So nothing depends on who does it, on how often it is tried, or on any clock.
--
-- Rows may have been written by a later version of this file, or by hand. A row that cannot be read is a fault of its
-- map alone: it is reported, and the map can be dropped.

local json = require "cjson"
local etcd = require "astar_service.etcd"

local store = {}

local Store = {}
Store.__index = Store

-- etcd takes 128 operations and 1.5 MB in one transaction; what is read of it at once should fit a buffer of 128 KB,
-- in base64.
store.MOST_REQUESTS, store.MOST_BYTES = 100, 72 * 1024

local PAGE = 32 -- keys read at once, if their values are short

-- The format of rows that this file writes. Maps of format 0 had what the grid is in maps/NAME, and pieces of one part.
local FORMAT = 1

local PART = 64 * 1024 -- bytes of a part of a piece

local b64, text_of = etcd.encode, etcd.decode

-- options: those of etcd.new, prefix = of all keys.
function store.new(options)
  return setmetatable({ etcd = etcd.new(options), prefix = options.prefix or "astar/" }, Store)
end

local function hex(version) return ("%016x"):format(version) end

local function key_of(self, ...) return b64(self.prefix .. table.concat({ ... }, "/")) end

-- A key's parts: "edits", NAME, V; nil of a key that is none of ours.
local function parts_of(self, key)
  return text_of(key):sub(#self.prefix + 1):match "^(%a+)/([%w_%-][%w_.%-]*)/?(.*)$"
end

local function range(from, to, more)
  local request = more or {}
  request.key, request.range_end = from, to
  return request
end

-- All keys that begin with kind/NAME/, from one on.
local function below(self, kind, name, from, more)
  return range(key_of(self, kind, name, from or ""), b64(self.prefix .. kind .. "/" .. name .. "0"), more)
end

local function equals(key, target, value)
  local names = { VALUE = "value", MOD = "mod_revision", CREATE = "create_revision" }
  return { key = key, target = target, result = "EQUAL", [names[target]] = value }
end

local function put(key, value) return { request_put = { key = key, value = b64(value) } } end

local function get(request) return { request_range = request } end

local function delete(request) return { request_delete_range = request } end

-- A client's last request of its row: { request =, version =, print =, revision = }. One whose row cannot be read is
-- `fault`.
local function done_of(kv)
  local ok, record = pcall(json.decode, text_of(kv.value))
  local done = { revision = kv.mod_revision }
  if ok and type(record) == "table" then
    done.request, done.version = math.tointeger(record[1]), math.tointeger(record[2])
    done.print = type(record[3]) == "string" and record[3] or nil -- rows of format 0 have none
  end
  done.fault = not (done.request and done.version)
  return done
end

-- The version that a row of a head holds, written as this file writes it; nil of any other.
local function head_of(kv)
  local text = text_of(kv.value)
  return text:find "^%d+$" and math.tointeger(tonumber(text)) or nil
end

local function revision_of(answer) return tonumber(answer.header.revision) end

function Store:transact(compare, success, failure)
  return self.etcd:call("/v3/kv/txn", { compare = compare, success = success, failure = failure })
end

-- Calls on_kv for each key of a range, a page at a time; the revision it is of, or nil and why.
function Store:each(request, on_kv)
  local fixed = request.limit
  request.limit = fixed or 2
  while true do
    local answer, why = self.etcd:call("/v3/kv/range", request)
    if not answer then return nil, why end
    request.revision = request.revision or ("%d"):format(revision_of(answer))
    local bytes = 0
    for _, kv in ipairs(answer.kvs or {}) do
      bytes = bytes + #(kv.value or "")
      on_kv(kv)
    end
    if not answer.more then return tonumber(request.revision) end
    request.limit = fixed or math.max(1, math.min(PAGE, store.MOST_BYTES * #answer.kvs // (bytes + 1)))
    request.key = b64(text_of(answer.kvs[#answer.kvs].key) .. "\0")
    core.yield()
  end
end

-- ---- head ----

-- The newest version of a map, as a majority knows it; false if there is no such map; nil and why.
function Store:head(name)
  local answer, why = self.etcd:call("/v3/kv/range", { key = key_of(self, "head", name) })
  if not answer then return nil, why end
  if not answer.kvs then return false end
  local head = head_of(answer.kvs[1])
  if not head then return nil, ("the row head/%s is no number"):format(name) end
  return head
end

-- The revision of the last change to any map since `after`, as a majority knows it, or `after`; and of all there is.
function Store:last_change(after)
  local request = range(key_of(self, "head", ""), b64(self.prefix .. "maps0"), {
    min_mod_revision = ("%d"):format(after + 1), sort_order = "DESCEND", sort_target = "MOD", limit = 1,
    keys_only = true,
  })
  local answer, why = self.etcd:call("/v3/kv/range", request)
  if not answer then return nil, why end
  return answer.kvs and tonumber(answer.kvs[1].mod_revision) or after, revision_of(answer)
end

-- ---- append ----

-- The first version and the list of requests' edits of a row. nil if its key is that of no edit; false if it cannot be
-- read.
local function edit_of(rest, kv)
  local first = #rest == 16 and rest:find "^%x+$" and tonumber(rest, 16)
  if not first then return nil end
  local ok, batch = pcall(json.decode, text_of(kv.value))
  if not ok or type(batch) ~= "table" or #batch == 0 then return false end
  return first, batch
end

-- Adds the edits of rows to a list; false if one of them cannot be read.
local function edits_of(self, kvs, list)
  for _, kv in ipairs(kvs or {}) do
    local _, _, rest = parts_of(self, kv.key)
    local first, batch = edit_of(rest or "", kv)
    if first == false then return false end
    if first then list[#list + 1] = { first = first, batch = batch } end
  end
  return list
end

-- What the other branch of an append read: the map, its head, the clients' last requests, edits that came in between.
local function facts_of(self, answer, requests)
  local found, last = answer.responses[1].response_range.kvs, answer.responses[2].response_range.kvs
  local facts = {
    map = found and self:map_of(found[1]), head = last and head_of(last[1]),
    edits = edits_of(self, answer.responses[3].response_range.kvs, {}) or {}, done = {},
  }
  for i, request in ipairs(requests) do
    local kvs = answer.responses[3 + i].response_range.kvs
    facts.done[request.client] = kvs and done_of(kvs[1])
  end
  return facts
end

-- Appends requests, { client =, request =, print =, text = its edits as JSON, known = the client's last as told before
-- }, to a map that is as `record` tells and at version `at`. True and the revision; false and what is the case; nil and
-- why: it may have been done.
function Store:append(record, at, requests)
  local name = record.name
  local head, its_map = key_of(self, "head", name), key_of(self, "maps", name)
  local compare = { equals(head, "VALUE", b64(tostring(at))), equals(its_map, "MOD", record.revision) }
  local success, failure, texts = {}, {}, {}
  failure[1], failure[2] = get { key = its_map }, get { key = head }
  failure[3] = get(below(self, "edits", name, hex(at + 1), { limit = 4 }))
  for i, request in ipairs(requests) do
    local done = key_of(self, "done", name, request.client)
    compare[2 + i] = equals(done, "MOD", request.known and request.known.revision or "0")
    failure[3 + i] = get { key = done }
    success[2 + i] = put(done, ('[%d,%d,"%s"]'):format(request.request, at + i, request.print))
    texts[i] = request.text
  end
  success[1] = put(head, tostring(at + #requests))
  success[2] = put(key_of(self, "edits", name, hex(at + 1)), "[" .. table.concat(texts, ",") .. "]")
  local answer, why = self:transact(compare, success, failure)
  if not answer then return nil, why end
  if answer.succeeded then return true, answer.header.revision end
  return false, facts_of(self, answer, requests)
end

-- ---- read ----

local KINDS = { grid = true, graph = true }

-- What is wrong with a map's record; nil if nothing is.
local function fault_of(record)
  if type(record) ~= "table" then return "it is no JSON" end
  local format = record.format or 0
  if type(format) ~= "number" or format > FORMAT then
    return ("its format is %s, and this service reads formats up to %d"):format(tostring(record.format), FORMAT)
  end
  if not KINDS[record.kind] then return "its kind is none" end
  if not math.tointeger(record.base) or not math.tointeger(record.forgot or 0) then return "its base is none" end
  if type(record.pieces) ~= "table" then return "it names no pieces" end
  for i, base in ipairs(record.pieces) do
    if not math.tointeger(base) then return ("its piece %d has no base"):format(i) end
  end
  if format == 0 and type(record.meta) ~= "table" then return "it does not tell what the map is" end
end

-- A map's record of its row: { name =, made =, revision =, kind =, base =, pieces =, forgot =, meta = of format 0 }, or
-- one with a `fault` if the row cannot be read.
function Store:map_of(kv)
  local _, name = parts_of(self, kv.key)
  local ok, record = pcall(json.decode, text_of(kv.value))
  local why = fault_of(ok and record or nil)
  if why then record = { fault = ("the row maps/%s cannot be read: %s"):format(name, why) } end
  record.name, record.made, record.revision = name, kv.create_revision, kv.mod_revision
  if why then return record end
  record.base, record.forgot = math.tointeger(record.base), math.tointeger(record.forgot or 0)
  for i, base in ipairs(record.pieces) do record.pieces[i] = math.tointeger(base) end
  return record
end

-- All maps, { NAME = record }, and the revision that this is of; nil and why.
function Store:read()
  local maps = {}
  local revision, why = self:each(range(key_of(self, "maps", ""), b64(self.prefix .. "maps0")), function(kv)
    local _, name, rest = parts_of(self, kv.key)
    if name and rest == "" then maps[name] = self:map_of(kv) end
  end)
  if not revision then return nil, why end
  return maps, revision
end

-- The record of a map, as a majority knows it; false where there is none; nil and why.
function Store:record(name)
  local answer, why = self.etcd:call("/v3/kv/range", { key = key_of(self, "maps", name) })
  if not answer then return nil, why end
  return answer.kvs and self:map_of(answer.kvs[1]) or false
end

-- The last request of a client, or false; nil and why.
function Store:read_done(name, client)
  local answer, why = self.etcd:call("/v3/kv/range", { key = key_of(self, "done", name, client) })
  if not answer then return nil, why end
  return answer.kvs and done_of(answer.kvs[1]) or false
end

-- Calls on_edits(first version, list of requests' edits) for the edits after a version; at a revision, if given. A row
-- that cannot be read is an error.
function Store:read_edits(name, after, revision, on_edits)
  local at = { revision = revision and ("%d"):format(revision) }
  return self:each(below(self, "edits", name, hex(after + 1), at), function(kv)
    local list = edits_of(self, { kv }, {})
    if not list then error(("a row of edits/%s cannot be read"):format(name), 0) end
    if list[1] then on_edits(list[1].first, list[1].batch) end
  end)
end

-- A piece of a map at a revision: all its parts. nil and why.
local function read_piece(self, record, base, i, revision)
  local key = ("%schunks/%s/%s/%d"):format(self.prefix, record.name, hex(base), i)
  local parts = {}
  local ok, why = self:each(range(b64(key), b64(key .. "0"), { revision = ("%d"):format(revision), limit = 2 }),
    function(kv) parts[#parts + 1] = text_of(kv.value) end)
  if not ok then return nil, why end
  if #parts == 0 then return nil, ("piece %d of map %s is not there"):format(i, record.name) end
  return table.concat(parts)
end

-- What a grid is, and the pieces of a map as its record has them, at a revision: calls on_meta(meta) and on_piece(i,
-- text).
function Store:read_pieces(record, revision, on_meta, on_piece)
  local meta = record.meta
  if not meta then
    local text, why = read_piece(self, record, record.base, 0, revision)
    if not text then return nil, why end
    meta = json.decode(text)
  end
  on_meta(meta)
  for i, base in ipairs(record.pieces) do
    if base >= 0 then -- the others were never written
      local text, why = read_piece(self, record, base, i, revision)
      if not text then return nil, why end
      on_piece(i, text)
    end
  end
  return true
end

-- ---- watch ----

-- Tells on_event what changes from a revision on: ("map", record), ("dropped", name), ("edits", name, first version,
-- list, bytes), ("fault", name, what cannot be read), and after each lot ("revision", number); until on_event returns
-- false or `silence` seconds pass with nothing. Returns "compacted" if that revision is gone, else whether it had
-- begun.
function Store:watch(revision, silence, on_event)
  local why
  local create = range(key_of(self, "edits", ""), b64(self.prefix .. "maps0"), {
    start_revision = ("%d"):format(revision),
  })
  local has_begun = self.etcd:stream("/v3/watch", { create_request = create }, silence, function(message)
    local result = message.result
    if not result or result.canceled then
      why = result and result.compact_revision and "compacted"
      return false
    end
    for _, event in ipairs(result.events or {}) do
      local kind, name, rest = parts_of(self, event.kv.key)
      if event.type == "DELETE" then
        if kind == "maps" and rest == "" then on_event("dropped", name) end
      elseif kind == "maps" and rest == "" then
        on_event("map", self:map_of(event.kv))
      elseif kind == "edits" then
        local first, batch = edit_of(rest, event.kv)
        if first then
          on_event("edits", name, first, batch, #event.kv.value)
        elseif first == false then
          on_event("fault", name, "a row of edits/" .. name)
        end
      elseif kind == "head" and not head_of(event.kv) then
        on_event("fault", name, "the row head/" .. name)
      end
    end
    if result.events then
      return on_event("revision", tonumber(result.events[#result.events].kv.mod_revision))
    end
  end)
  return why or has_begun
end

-- ---- fold ----

-- Claims a map's pieces: nobody else's fold goes on from here. `old`: a claim that its holder has not used for long, it
-- goes. `is_new`: this one holds only as long as there is no such map. The claim; nil and the claim that another has;
-- or nil, nil and why.
function Store:claim(name, old, is_new)
  local key = key_of(self, "claims", name)
  if old then self:transact({ equals(key, "MOD", old) }, { delete { key = key } }) end
  local answer, why = self:transact({ equals(key, "CREATE", "0") }, { put(key, "") }, { get { key = key } })
  if not answer then return nil, nil, why end
  if answer.succeeded then return { name = name, key = key, made = answer.header.revision, is_new = is_new } end
  return nil, answer.responses[1].response_range.kvs[1].mod_revision
end

function Store:release(claim)
  return self:transact({ equals(claim.key, "CREATE", claim.made) }, { delete { key = claim.key } })
end

-- Does something under a claim, if that holds: true; nil and why. It is tried again where nobody knows whether it was
-- done: an etcd that is slow once must not end all that was written before.
local function under(self, claim, compare, success)
  table.insert(compare, equals(claim.key, "CREATE", claim.made))
  if claim.is_new then table.insert(compare, equals(key_of(self, "maps", claim.name), "MOD", "0")) end
  local answer, why
  for _ = 1, 5 do
    answer, why = self:transact(compare, success)
    if answer or why == "nospace" or why == "too large" then break end
    core.msleep(100)
  end
  if not answer then return nil, why end
  if not answer.succeeded then return nil, "another came first" end
  return true, answer.header.revision
end

-- Writes piece i of a base. The claim is written, too: that it changes tells others that its holder lives.
function Store:put_piece(claim, base, i, text)
  local piece = ("%schunks/%s/%s/%d"):format(self.prefix, claim.name, hex(base), i)
  for at = 1, math.max(1, #text), PART do
    local part = ("%s/%04x"):format(piece, at // PART)
    local writes = { put(b64(part), text:sub(at, at + PART - 1)), put(claim.key, "") }
    if at + PART > #text then writes[3] = delete(range(b64(part .. "\0"), b64(piece .. "0"))) end -- of one cut short
    local ok, why = under(self, claim, {}, writes)
    if not ok then return nil, why end
  end
  return true
end

-- Lets the pieces in `record` be the map at version record.base: of one that there is (it was `old`), its log up to
-- there goes. Of a new one nothing is there yet; the floor it was made by is compared.
function Store:switch(claim, record, old, floor)
  local name = claim.name
  local its_map, head = key_of(self, "maps", name), key_of(self, "head", name)
  local value = json.encode {
    format = FORMAT, kind = record.kind, base = record.base, pieces = record.pieces, forgot = record.forgot,
  }
  if old then
    return under(self, claim, { equals(its_map, "MOD", old.revision) }, {
      put(its_map, value),
      delete(range(key_of(self, "edits", name, hex(0)), key_of(self, "edits", name, hex(record.base + 1)))),
    })
  end
  local compare = { equals(key_of(self, "head", "", "floor"), "MOD", floor.revision) }
  local ok, why = under(self, claim, compare, { put(its_map, value), put(head, tostring(record.base)) })
  claim.is_new = not ok
  return ok, why
end

-- Deletes the pieces that no record names, left by a fold before or by one that was not finished. `base`: that of the
-- record, nil if there is none.
function Store:sweep(claim, pieces, base)
  local named, gone = { [base and hex(base) .. "/0" or ""] = true }, {}
  for i, at in ipairs(pieces) do
    if at >= 0 then named[hex(at) .. "/" .. i] = true end
  end
  local ok, why = self:each(below(self, "chunks", claim.name, nil, { keys_only = true, limit = 500 }), function(kv)
    local _, _, rest = parts_of(self, kv.key)
    if not named[(rest or ""):match "^%x+/%d+"] then gone[#gone + 1] = delete { key = kv.key } end
  end)
  while ok and #gone > 0 do
    ok, why = under(self, claim, {}, table.move(gone, math.max(1, #gone - store.MOST_REQUESTS + 1), #gone, 1, {}))
    gone = table.move(gone, 1, math.max(0, #gone - store.MOST_REQUESTS), 1, {})
  end
  return ok, why
end

-- Forgets who sent the edits up to a version; the map's record must say so before.
function Store:forget(name, version)
  local old = {}
  local ok = self:each(below(self, "done", name, nil, { limit = 500 }), function(kv)
    local done = done_of(kv)
    if done.fault or done.version <= version then old[#old + 1] = kv end
  end)
  for i = 1, ok and #old or 0 do
    self:transact({ equals(old[i].key, "MOD", old[i].mod_revision) }, { delete { key = old[i].key } })
  end
end

-- The version that all maps to come begin at: { version =, revision = }; nil and why.
function Store:floor()
  local answer, why = self.etcd:call("/v3/kv/range", { key = key_of(self, "head", "", "floor") })
  if not answer then return nil, why end
  local kv = answer.kvs and answer.kvs[1]
  local version = kv and head_of(kv) or not kv and 0
  if not version then return nil, "the row head//floor is no number: no map can be made or dropped" end
  return { version = version, revision = kv and kv.mod_revision or "0" }
end

-- The rows of a map, and the floor above a version, as operations that drop it.
local function deletions_of(self, name, floor, above)
  return {
    delete { key = key_of(self, "maps", name) }, delete { key = key_of(self, "head", name) },
    delete { key = key_of(self, "claims", name) }, delete(below(self, "edits", name)),
    delete(below(self, "chunks", name)), delete(below(self, "done", name)),
    put(key_of(self, "head", "", "floor"), ("%d"):format(math.max(floor.version, above))),
  }
end

-- Drops a map that is as `record` tells and at version `at`: true; false: it is not; nil and why.
function Store:drop(record, at)
  local floor, why = self:floor()
  if not floor then return nil, why end
  local name = record.name
  local compare = {
    equals(key_of(self, "head", name), "VALUE", b64(tostring(at))),
    equals(key_of(self, "maps", name), "MOD", record.revision),
    equals(key_of(self, "head", "", "floor"), "MOD", floor.revision),
  }
  local answer
  answer, why = self:transact(compare, deletions_of(self, name, floor, at + 1))
  if not answer then return nil, why end
  return answer.succeeded == true
end

local FAR = 1 << 32 -- versions: no map has had so many edits

-- Drops a map whose rows cannot be read, as its record has them; returns as `drop` does. Whatever versions it had, maps
-- that are made later begin above them.
function Store:drop_faulty(record)
  local floor, why = self:floor()
  if not floor then return nil, why end
  local head = self:head(record.name)
  local above = math.max(head or 0, record.base or 0) + 1
  if not head then above = math.max(above, floor.version + FAR) end
  local compare = {
    equals(key_of(self, "maps", record.name), "MOD", record.revision),
    equals(key_of(self, "head", "", "floor"), "MOD", floor.revision),
  }
  local answer
  answer, why = self:transact(compare, deletions_of(self, record.name, floor, above))
  if not answer then return nil, why end
  return answer.succeeded == true
end

return store
