// bent_way.h -- the path of two legs by which a jump of jump point search reaches a node. jps.c,
// jpsw.c and direct_line.c compute the turning point from the two ends.

#ifndef ASTAR_BENT_WAY_H
#define ASTAR_BENT_WAY_H

#include <stdbool.h>
#include <stdlib.h>

// A path of two legs: a diagonal leg, then a straight one. Without diagonal steps the
// first leg is along the row and the second along the column.
typedef struct AstarBentWay {
    int first, then;    // steps of the two legs
    int turn_x, turn_y; // the cell where the first leg ends
} AstarBentWay;

static inline AstarBentWay astar_bent_way(bool has_diagonals, int x, int y, int to_x, int to_y)
{
    int dx = to_x - x, dy = to_y - y, columns = abs(dx), rows = abs(dy);
    int both = columns < rows ? columns : rows;
    if (!has_diagonals)
        return (AstarBentWay){columns, rows, to_x, y};
    return (AstarBentWay){both, columns + rows - 2 * both, dx < 0 ? x - both : x + both,
                          dy < 0 ? y - both : y + both};
}

#endif
