// irregular_steps.h -- the steps and links out of irregular cells, and the nodes at their ends.

#ifndef ASTAR_IRREGULAR_STEPS_H
#define ASTAR_IRREGULAR_STEPS_H

#include "search/jump_scan.h"

// Has the node being expanded read the bits that are for it.
void astar_choose_bits(AstarScan *scan);
// Has the steps of a run cost what they do on a cell's ground.
void astar_scan_ground(AstarScan *scan, uint32_t cell);
// Follows the steps out of an irregular cell, the start or the end of a link to irregular cells;
// the others that a best path may need are to be runs: directions of directions.h.
unsigned astar_expand_steps(AstarScan *scan, uint32_t cell);
// Follows the links that leave a cell.
void astar_follow_links(AstarScan *scan, uint32_t cell);
// Notes a way to a node, if it is the cheapest yet: 'before' steps of a first leg, then 'steps'
// straight ones. Coordinates count the border.
void astar_note_irregular(AstarScan *scan, int x, int y, int before, int steps, unsigned arrival);

#endif
