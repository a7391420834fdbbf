// baked_file.h -- labels and hierarchies as bytes.

#ifndef ASTAR_BAKED_FILE_H
#define ASTAR_BAKED_FILE_H

#include "derived/baked_head.h"
#include "derived/baked_map.h"

// Saves a map.
void astar_baked_map_save(const AstarBakedMap *map, AstarArchive *archive);
// The map that is saved behind a head that fits these walkable bits, all of it checked: a route by
// it is free, and made of the steps it is said to be, whatever the bytes are. ASTAR_BAD_DATA where
// they are not such data.
AstarStatus astar_baked_map_load(const AstarGrid *grid, const AstarWalkable *walkable,
                                 const AstarBakedHead *head, AstarArchive *archive,
                                 AstarBakedMap **out);

#endif
