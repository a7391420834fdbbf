return require(((...):gsub("[^./]+[./]grid$", "astar"))).jumper.Grid -- astar lies beside this folder
