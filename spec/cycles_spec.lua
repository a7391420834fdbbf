-- tools/cycles.lua, which make lint runs over src/: does it see each kind of call that leads back to itself?

local process = require "spec.support.process"

local function look(source)
  local name = os.tmpname()
  local file = assert(io.open(name, "w"))
  file:write(source)
  file:close()
  local output, status = process.shell(("%s tools/cycles.lua none <%s"):format(process.interpreter(), name))
  os.remove(name)
  return output, status
end

local function finds(expected, source)
  local output, status = look(source)
  assert.equal(1, status, output)
  for edge in expected:gmatch "[^,]+" do assert.matches("  " .. edge .. "\n", output, 1, true) end
end

local function finds_none(source)
  local output, status = look(source)
  assert.equal(0, status, output)
end

describe("tools/cycles.lua", function()
  it("finds a function that calls itself, and functions that call each other", function()
    finds("sink > sink", "static int sink(int n)\n{\n    return n > 0 ? sink(n - 1) : 0;\n}")
    finds("a > b,b > c,c > a", "int b(int);\nint c(int);\nint a(int n)\n{\n return b(n);\n}\n" ..
      "int b(int n)\n{\n return c(n);\n}\nint c(int n)\n{\n return a(n);\n}")
  end)

  it("finds calls through functions that are passed as arguments", function()
    finds("visit > walk,walk > visit", "void walk(void (*each)(int))\n{\n each(1);\n}\n" ..
      "void visit(int n)\n{\n walk(visit);\n}")
  end)

  it("finds calls through function pointers in structs, however they are set", function()
    local KIND = "typedef struct Kind {\n int size;\n int (*first)(int);\n void (*close)(int n);\n} Kind;\n" ..
      "typedef struct Layer {\n const Kind *kind;\n} Layer;\nvoid drop(Layer *);\n" ..
      "void shut(int n)\n{\n drop(0);\n}\n"
    local DROP = "void drop(Layer *layer)\n{\n layer->kind->close(1);\n}\n"
    for _, given in ipairs {
      "static const Kind kind = {3, 0, shut};\n", "static const Kind kind = {.size = 1, .close = shut};\n",
      "static const Kind kinds[] = {{1, 0, 0}, {2, 0, shut}};\n", "void put(Kind *kind)\n{\n kind->close = shut;\n}\n",
      "void put(Kind *kind)\n{\n *kind = (Kind){1, 0, shut};\n}\n",
    } do
      finds("drop > Kind.close,Kind.close > shut,shut > drop", KIND .. given .. DROP)
    end
    finds_none(KIND .. "static const Kind kind = {3, shut, 0};\n" .. DROP)
    finds_none(KIND .. "typedef struct Other {\n int (*close)(int n);\n} Other;\n" ..
      "static const Other other = {shut};\n" .. DROP)
  end)

  it("reports nothing if a name is not a function or is only compared", function()
    finds_none "int walk(int *step)\n{\n return *step;\n}\nint step(int n)\n{\n return walk(&n);\n}"
    finds_none "int work(int n)\n{\n return n;\n}\nint go(void)\n{\n int work = 3;\n return work;\n}"
    finds_none "int same(int (*f)(int))\n{\n return 1;\n}\nint ask(int n)\n{\n int (*f)(int) = 0;\n return f == ask;\n}"
    finds_none 'int text(void)\n{\n return "text(" != 0 && \'(\' != 0;\n}'
  end)

  it("fails if there are no source files to read", function()
    assert.equal(1, select(2, look ""))
  end)
end)
