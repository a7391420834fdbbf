// expand_jps.h -- the successors of a jump point.

#ifndef ASTAR_EXPAND_JPS_H
#define ASTAR_EXPAND_JPS_H

#include "search/jump_scan.h"

// Has the expansions of a search read bitmaps, which are current.
void astar_scan_bitmaps(AstarScan *scan, const AstarSearch *search, const AstarJumpBitmaps *jump);
// Opens all successors of a node, or tells why not by the scan's 'fault'.
void astar_expand_jps(AstarScan *scan, uint32_t cell);
// The same where some cells are irregular.
void astar_expand_irregular(AstarScan *scan, uint32_t cell);
// The same of a cell that was reached so, where all ways are noted by the scan's 'note': over
// uniform ground, without regard to what steps cost.
void astar_expand_lines(AstarScan *scan, bool by_steps, int arrival, int x, int y);

#endif
