return require(((...):gsub("[^./]+[./]pathfinder$", "astar"))).jumper.Pathfinder -- astar lies beside this folder
