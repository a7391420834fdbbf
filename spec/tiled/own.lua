return {
  version = "1.5",
  luaversion = "5.1",
  tiledversion = "1.8.2",
  orientation = "orthogonal",
  renderorder = "right-down",
  width = 6,
  height = 4,
  tilewidth = 16,
  tileheight = 16,
  nextlayerid = 20,
  nextobjectid = 20,
  properties = {
    ["night"] = true,
    ["title"] = "12"
  },
  tilesets = {
    {
      name = "ground",
      firstgid = 1,
      tilewidth = 16,
      tileheight = 16,
      spacing = 0,
      margin = 0,
      columns = 4,
      image = "ground.png",
      imagewidth = 64,
      imageheight = 32,
      objectalignment = "unspecified",
      tileoffset = {
        x = 0,
        y = 0
      },
      grid = {
        orientation = "orthogonal",
        width = 16,
        height = 16
      },
      properties = {},
      wangsets = {},
      tilecount = 6,
      tiles = {
        {
          id = 0,
          type = "grass",
          properties = {
            ["cost"] = 1
          }
        },
        {
          id = 1,
          type = "road",
          properties = {
            ["cost"] = 0.5
          }
        },
        {
          id = 2,
          type = "swamp",
          properties = {
            ["cost"] = 4
          }
        },
        {
          id = 3,
          properties = {
            ["walkable"] = false
          }
        },
        {
          id = 4,
          properties = {
            ["terrain"] = "bridge",
            ["walkable"] = true
          }
        },
        {
          id = 6,
          type = "flower"
        }
      }
    },
    {
      name = "parts",
      firstgid = 8,
      tilewidth = 16,
      tileheight = 16,
      spacing = 0,
      margin = 0,
      columns = 4,
      image = "ground.png",
      imagewidth = 64,
      imageheight = 32,
      objectalignment = "unspecified",
      tileoffset = {
        x = 0,
        y = 0
      },
      grid = {
        orientation = "orthogonal",
        width = 16,
        height = 16
      },
      properties = {},
      wangsets = {},
      tilecount = 3,
      tiles = {
        {
          id = 0,
          type = "grass",
          properties = {
            ["cost"] = 1
          }
        },
        {
          id = 1,
          type = "crate",
          properties = {
            ["collidable"] = true,
            ["weight"] = 2.5
          }
        },
        {
          id = 2,
          properties = {
            ["cost"] = 3,
            ["note"] = "two\nlines",
            ["terrain"] = "mud"
          }
        }
      }
    }
  },
  layers = {
    {
      type = "tilelayer",
      x = 0,
      y = 0,
      width = 6,
      height = 4,
      id = 1,
      name = "ground",
      visible = true,
      opacity = 1,
      offsetx = 0,
      offsety = 0,
      parallaxx = 1,
      parallaxy = 1,
      properties = {},
      encoding = "lua",
      data = {
        8, 8, 8, 4, 8, 8,
        10, 10, 2147483651, 1, 1, 1,
        8, 8, 8, 8, 8, 0,
        8, 8, 8, 8, 8, 0
      }
    },
    {
      type = "group",
      id = 2,
      name = "deep",
      visible = true,
      opacity = 1,
      offsetx = 0,
      offsety = 0,
      parallaxx = 1,
      parallaxy = 1,
      properties = {},
      layers = {
        {
          type = "group",
          id = 3,
          name = "deeper",
          visible = true,
          opacity = 1,
          offsetx = 0,
          offsety = 0,
          parallaxx = 1,
          parallaxy = 1,
          properties = {},
          layers = {
            {
              type = "tilelayer",
              x = 0,
              y = 0,
              width = 6,
              height = 4,
              id = 4,
              name = "12",
              visible = false,
              opacity = 1,
              offsetx = 0,
              offsety = 0,
              parallaxx = 1,
              parallaxy = 1,
              properties = {},
              encoding = "lua",
              data = {
                0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0,
                0, 2, 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0
              }
            },
            {
              type = "objectgroup",
              draworder = "topdown",
              id = 5,
              name = "things",
              visible = true,
              opacity = 1,
              offsetx = 0,
              offsety = 0,
              parallaxx = 1,
              parallaxy = 1,
              properties = {},
              objects = {
                {
                  id = 1,
                  name = "crate",
                  type = "",
                  shape = "rectangle",
                  x = 16,
                  y = 16,
                  width = 16,
                  height = 16,
                  rotation = 0,
                  gid = 9,
                  visible = true,
                  properties = {
                    ["collidable"] = true,
                    ["open"] = false,
                    ["weight"] = 2.5
                  }
                },
                {
                  id = 2,
                  name = "box",
                  type = "",
                  shape = "rectangle",
                  x = 48,
                  y = 64,
                  width = 16,
                  height = 16,
                  rotation = 0,
                  gid = 9,
                  visible = true,
                  properties = {
                    ["collidable"] = false,
                    ["open"] = false,
                    ["weight"] = 9
                  }
                },
                {
                  id = 3,
                  name = "",
                  type = "crate",
                  shape = "rectangle",
                  x = 64,
                  y = 64,
                  width = 16,
                  height = 16,
                  rotation = 0,
                  gid = 9,
                  visible = true,
                  properties = {
                    ["collidable"] = true,
                    ["weight"] = 2.5
                  }
                },
                {
                  id = 4,
                  name = "pond",
                  type = "water",
                  shape = "ellipse",
                  x = 32,
                  y = 32,
                  width = 32,
                  height = 16,
                  rotation = 0,
                  visible = true,
                  properties = {
                    ["beside"] = { id = 1 },
                    ["collidable"] = true
                  }
                },
                {
                  id = 5,
                  name = "",
                  type = "",
                  shape = "polygon",
                  x = 80,
                  y = 0,
                  width = 0,
                  height = 0,
                  rotation = 0,
                  visible = true,
                  polygon = {
                    { x = 0, y = 0 },
                    { x = 16, y = 0 },
                    { x = 16, y = 16.5 }
                  },
                  properties = {
                    ["collidable"] = true
                  }
                },
                {
                  id = 6,
                  name = "way",
                  type = "",
                  shape = "polyline",
                  x = 8,
                  y = 8,
                  width = 0,
                  height = 0,
                  rotation = 0,
                  visible = true,
                  polyline = {
                    { x = 0, y = 0 },
                    { x = 32, y = 0 }
                  },
                  properties = {}
                },
                {
                  id = 7,
                  name = "here",
                  type = "",
                  shape = "point",
                  x = 8,
                  y = 8,
                  width = 0,
                  height = 0,
                  rotation = 0,
                  visible = true,
                  properties = {}
                },
                {
                  id = 8,
                  name = "sign",
                  type = "",
                  shape = "text",
                  x = 0,
                  y = 48,
                  width = 30,
                  height = 12,
                  rotation = 0,
                  visible = true,
                  text = "12",
                  properties = {}
                }
              }
            }
          }
        }
      }
    },
    {
      type = "imagelayer",
      image = "sky.png",
      id = 6,
      name = "sky",
      visible = true,
      opacity = 1,
      offsetx = 0,
      offsety = 0,
      parallaxx = 1,
      parallaxy = 1,
      repeatx = false,
      repeaty = false,
      properties = {}
    }
  }
}
