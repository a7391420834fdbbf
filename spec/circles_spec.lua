-- tools/circles.lua, which make lint runs over src/: does it see when files use one another in a circle?

local process = require "spec.support.process"

-- Prints the edges among files of such contents, by name.
local function look(files)
  local folder = os.tmpname()
  os.remove(folder)
  process.shell("mkdir -p " .. folder .. "/part")
  local names = {}
  for name, text in pairs(files) do
    names[#names + 1] = folder .. "/part/" .. name
    local file = assert(io.open(names[#names], "w"))
    file:write(text)
    file:close()
  end
  local output, status = process.shell(("%s tools/circles.lua edges %s"):format(process.interpreter(),
    table.concat(names, " ")))
  process.shell("rm -r " .. folder)
  return output, status
end

local function finds_none(files)
  local output, status = look(files)
  assert.equal(0, status, output)
  assert.matches("in circles: none", output, 1, true)
end

describe("tools/circles.lua", function()
  local HEAD = "int up(int);\nint down(int);\n"

  it("finds files that call each other, however they do", function()
    for _, body in ipairs {
      "return up(n);", "int (*f)(int) = up;\n return f(n);", "struct K k = {.call = up};\n return k.call(n);",
      "return \"x\" [0] == '\"' ? up(n) : 0; // up",
    } do
      local output, status = look { ["a.c"] = HEAD .. "int up(int n)\n{\n return down(n);\n}\n",
        ["b.c"] = HEAD .. "int down(int n)\n{\n " .. body .. "\n}\n", ["c.c"] = "int main(void)\n{\n return 0;\n}\n" }
      assert.equal(1, status, output)
      assert.matches("2 files of part", output, 1, true)
      assert.matches("part/b > [^\n]*part/a\tup\n", output)
    end
    local _, status = look { ["a.c"] = "extern const int down[];\nint up(int n)\n{\n return down[n];\n}\n",
      ["b.c"] = "int up(int);\nconst Call down[2] = {0, up};\n" }
    assert.equal(1, status)
  end)

  it("takes who writes a macro for who uses what that stands for", function()
    local output, status = look { ["a.h"] = "int down(int);\n#define ASK(n) \\\n    down(n)\n",
      ["b.c"] = "int down(int n)\n{\n return up2(n);\n}\n", ["c.c"] = "int up2(int n)\n{\n return ASK(n);\n}\n" }
    assert.equal(1, status, output)
    assert.matches("2 files of part", output, 1, true)
  end)

  it("takes a file and its header for one, and a function of a header for that one's", function()
    finds_none { ["a.h"] = "int down(int);\nstatic inline int up(int n)\n{\n return down(n);\n}\n",
      ["a.c"] = "int down(int n)\n{\n return up(n);\n}\n" }
    local output, status = look { ["a.h"] = "static inline int up(int n)\n{\n return down(n);\n}\n",
      ["b.c"] = "int down(int n)\n{\n return up(n);\n}\n" }
    assert.equal(1, status, output)
  end)

  it("finds none in declarations, comments, strings, fields and names of a file's own", function()
    finds_none { ["a.h"] = HEAD, ["a.c"] = "int up(int n)\n{\n return down(n);\n}\n",
      ["b.c"] = "/* up */ int down(int n)\n{\n // up(n)\n return \"up(\"[n] + k->up + k.up;\n}\n" ..
        "static int other(int n)\n{\n return n;\n}\n", ["d.c"] = "static int other(int n)\n{\n return down(n);\n}\n" }
  end)
end)
