return {
  version = "1.5",
  luaversion = "5.1",
  tiledversion = "1.8.2",
  orientation = "orthogonal",
  renderorder = "right-down",
  width = 10,
  height = 6,
  tilewidth = 16,
  tileheight = 16,
  nextlayerid = 20,
  nextobjectid = 20,
  properties = {},
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
      tilecount = 2,
      tiles = {
        {
          id = 0,
          type = "grass",
          properties = {
            ["cost"] = 1
          }
        },
        {
          id = 3,
          properties = {
            ["walkable"] = false
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
      width = 10,
      height = 6,
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
        1, 1, 1, 1, 4, 1, 1, 1, 1, 1,
        1, 1, 1, 1, 4, 1, 1, 4, 1, 1,
        1, 1, 1, 1, 1, 1, 1, 4, 1, 1,
        1, 1, 1, 1, 4, 1, 1, 4, 1, 1,
        1, 1, 1, 1, 4, 1, 1, 1, 1, 1,
        1, 1, 1, 1, 4, 1, 1, 1, 1, 1
      }
    },
    {
      type = "objectgroup",
      draworder = "topdown",
      id = 2,
      name = "ways",
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
          name = "west gate",
          type = "",
          shape = "point",
          x = 8,
          y = 40,
          width = 0,
          height = 0,
          rotation = 0,
          visible = true,
          properties = {}
        },
        {
          id = 2,
          name = "gap",
          type = "",
          shape = "point",
          x = 72,
          y = 40,
          width = 0,
          height = 0,
          rotation = 0,
          visible = true,
          properties = {}
        },
        {
          id = 3,
          name = "well",
          type = "",
          shape = "point",
          x = 152,
          y = 24,
          width = 0,
          height = 0,
          rotation = 0,
          visible = true,
          properties = {}
        },
        {
          id = 4,
          name = "",
          type = "",
          shape = "point",
          x = 40,
          y = 88,
          width = 0,
          height = 0,
          rotation = 0,
          visible = true,
          properties = {}
        },
        {
          id = 5,
          name = "road",
          type = "",
          shape = "polyline",
          x = 10,
          y = 42,
          width = 0,
          height = 0,
          rotation = 0,
          visible = true,
          polyline = {
            { x = 0, y = 0 },
            { x = 62, y = -2 }
          },
          properties = {}
        },
        {
          id = 6,
          name = "",
          type = "",
          shape = "polyline",
          x = 72,
          y = 40,
          width = 0,
          height = 0,
          rotation = 0,
          visible = true,
          polyline = {
            { x = 0, y = 0 },
            { x = 32, y = 0 },
            { x = 32, y = 32 },
            { x = 80, y = 32 },
            { x = 80, y = -16 }
          },
          properties = {}
        },
        {
          id = 7,
          name = "",
          type = "",
          shape = "polyline",
          x = 40,
          y = 88,
          width = 0,
          height = 0,
          rotation = 0,
          visible = true,
          polyline = {
            { x = 0, y = 0 },
            { x = 112, y = -16 },
            { x = 112, y = -64 }
          },
          properties = {
            ["cost"] = 9,
            ["label"] = "ferry",
            ["one_way"] = true
          }
        },
        {
          id = 8,
          name = "",
          type = "",
          shape = "polyline",
          x = 8,
          y = 40,
          width = 0,
          height = 0,
          rotation = 90,
          visible = true,
          polyline = {
            { x = 0, y = 0 },
            { x = 48, y = 0 },
            { x = 48, y = -32 }
          },
          properties = {}
        }
      }
    }
  }
}
