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
        1, 1, 1, 4, 1, 1,
        2, 2, 2, 2147483652, 2, 2,
        3, 1073741827, 1, 536870916, 1, 0,
        1, 3758096385, 1, 4, 1, 0
      }
    },
    {
      type = "group",
      id = 2,
      name = "things",
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
          id = 3,
          name = "over",
          visible = true,
          opacity = 1,
          offsetx = 0,
          offsety = 0,
          parallaxx = 1,
          parallaxy = 1,
          properties = {},
          encoding = "lua",
          data = {
            7, 0, 0, 0, 0, 0,
            0, 0, 0, 5, 0, 0,
            0, 0, 0, 0, 0, 0,
            0, 0, 0, 0, 0, 0
          }
        },
        {
          type = "tilelayer",
          x = 0,
          y = 0,
          width = 6,
          height = 4,
          id = 4,
          name = "houses",
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
            0, 0, 0, 0, 0, 0,
            8, 0, 0, 0, 0, 0
          }
        },
        {
          type = "objectgroup",
          draworder = "topdown",
          id = 5,
          name = "doors",
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
              name = "gate",
              type = "door",
              shape = "rectangle",
              x = 64,
              y = 16,
              width = 16,
              height = 16,
              rotation = 0,
              visible = true,
              properties = {
                ["open"] = false
              }
            },
            {
              id = 2,
              name = "bell",
              type = "",
              shape = "point",
              x = 40,
              y = 8,
              width = 0,
              height = 0,
              rotation = 0,
              visible = true,
              properties = {}
            },
            {
              id = 3,
              name = "crate",
              type = "",
              shape = "rectangle",
              x = 16,
              y = 48,
              width = 16,
              height = 16,
              rotation = 0,
              gid = 8,
              visible = true,
              properties = {}
            }
          }
        }
      }
    }
  }
}
