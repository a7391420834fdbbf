-- fields.lua -- fails where a struct of src/ has more fields than one can keep in mind: parts are structs in it.
--
--     lua5.4 tools/fields.lua 25 src/*/*.[ch]
--
-- Fields of a struct within another are its own. AstarOptions may have more: each is an option of a script.

local MOST = tonumber(table.remove(arg, 1))
local EXCEPT = { AstarOptions = true }

-- How many names the declarations between two braces declare.
local function count_fields(body)
  local count = 0
  for declaration in body:gsub("%b{}", ""):gmatch "[^;]+" do
    if declaration:find "%S" then
      count = count + 1 + select(2, declaration:gsub("%b()", ""):gsub("%b[]", ""):gsub(",", ""))
    end
  end
  return count
end

local structs, over = 0, 0
for _, name in ipairs(arg) do
  local file = assert(io.open(name))
  local code = ("\n" .. file:read "*a"):gsub("//[^\n]*", ""):gsub("\n *#[^\n]*", "\n")
  file:close()
  for tag, body, after in code:gmatch "struct%s*([%w_]*)%s*(%b{})%s*([%w_]*)" do
    structs = structs + 1
    tag = tag ~= "" and tag or after
    local count = count_fields(body:sub(2, -2))
    if count > MOST and not EXCEPT[tag] then
      over = over + 1
      io.stderr:write(("%s: %s has %d fields, at most %d\n"):format(name, tag, count, MOST))
    end
  end
end
print(("fields: %d structs, at most %d each"):format(structs, MOST))
os.exit(over == 0)
