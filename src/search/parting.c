// parting.c -- what supposed blocks part: the pieces into which components fall round them.
//
// By every corner rule what hangs together does so by straight steps, or by all eight where corners
// are joined: whatever else is legal only shortens such a way. So a way that blocks cut is cut
// between two free cells beside them, and what hung together still does as far as these cells do.
// They are found by walking round each rectangle, where a stretch of free cells is one piece.
// Mostly all are, and nothing more is to be done. Else the pieces are flooded in turn, a cell each.
// Two that meet become one; one that cannot go on is parted from the rest. What is left once all
// but one are whole is in that one. So it takes about as long as to flood what is parted, as many
// times as there are pieces; or, where pieces hang together far away, that far round each.

#include "search/parting.h"

#include "map/grid.h"

bool astar_parting_bars(const AstarParting *parting, int x, int y)
{
    int more = parting->finder->options.size - 1;
    for (size_t i = 0; i < parting->supposed->count; i++) {
        const AstarRectangle *r = &parting->supposed->blocked[i];
        AstarRectangle wide = {r->x - more, r->y - more, r->width + more, r->height + more};
        if (astar_rectangle_has(&wide, x, y))
            return true;
    }
    return false;
}

ASTAR_ONCE int root_of_piece(AstarParting *parting, int piece)
{
    AstarPiece *pieces = parting->pieces;
    while (pieces[piece].root != piece)
        piece = pieces[piece].root = pieces[pieces[piece].root].root;
    return piece;
}

ASTAR_ONCE double *next_in_list(const AstarParting *parting, uint32_t cell)
{
    int x, y;
    astar_cell_xy(parting->finder->grid, cell, &x, &y);
    return &(*astar_page_entry(parting->pages, x, y))->values[astar_page_place(x, y)];
}

// Makes one of two pieces; the one that they are.
ASTAR_ONCE int unite_pieces(AstarParting *parting, int a, int b)
{
    a = root_of_piece(parting, a);
    b = root_of_piece(parting, b);
    AstarPiece *piece = &parting->pieces[a], *other = &parting->pieces[b];
    if (a == b)
        return a;
    if (piece->first == ASTAR_NO_CELL)
        piece->first = other->first;
    else if (other->first != ASTAR_NO_CELL)
        *next_in_list(parting, piece->last) = other->first;
    if (other->first != ASTAR_NO_CELL)
        piece->last = other->last;
    piece->cells += other->cells;
    return other->root = a;
}

// Adds a cell that is in no piece yet to one; false when there is no memory.
ASTAR_ONCE bool add_to_piece(AstarParting *parting, int piece, int x, int y)
{
    AstarPage *page = astar_page_for(parting->pages, parting->allocator, x, y);
    if (page == NULL)
        return false;
    AstarPiece *to = &parting->pieces[piece];
    uint32_t cell = astar_cell(parting->finder->grid, x, y);
    page->states[astar_page_place(x, y)] = (uint8_t)(piece + 1);
    page->values[astar_page_place(x, y)] = ASTAR_NO_CELL;
    if (to->first == ASTAR_NO_CELL)
        to->first = cell;
    else
        *next_in_list(parting, to->last) = cell;
    to->last = cell;
    to->cells++;
    return true;
}

// Takes note of a free cell beside a block, next to one of the piece 'before' if that is not -1;
// returns its piece, or -1 and what is wrong.
static int note_beside(AstarParting *parting, int x, int y, int before, AstarStatus *status)
{
    int state = astar_pages_state(parting->pages, x, y);
    if (state != 0)
        return before < 0 ? state - 1 : unite_pieces(parting, before, state - 1);
    if (before < 0 && parting->count == ASTAR_MOST_PIECES) {
        *status = ASTAR_MAX_EXPANSIONS;
        return -1;
    }
    if (before < 0) {
        before = parting->count++;
        uint32_t label = astar_components_label(parting->components, x, y);
        parting->pieces[before] = (AstarPiece){ASTAR_NO_CELL, ASTAR_NO_CELL, 0, label, before};
    }
    if (!add_to_piece(parting, root_of_piece(parting, before), x, y))
        *status = ASTAR_NO_MEMORY;
    return before;
}

// Whether the unit can still be on a cell, which may be outside.
ASTAR_ONCE bool is_left_free(const AstarParting *parting, int x, int y)
{
    return astar_inside(parting->finder->grid, x, y) &&
           astar_bits_get(&parting->finder->walkable->bits, x, y) &&
           !astar_parting_bars(parting, x, y);
}

// Walks round the cells that a block bars, from their north-west corner clockwise.
static AstarStatus walk_round(AstarParting *parting, const AstarRectangle *r)
{
    int more = parting->finder->options.size - 1;
    int across = r->width + more + 1, down = r->height + more + 1;
    int x = r->x - more - 1, y = r->y - more - 1, first = -1, piece = -1;
    AstarStatus status = ASTAR_OK;
    for (int i = 0; i < 2 * (across + down) && status == ASTAR_OK; i++) {
        piece = is_left_free(parting, x, y) ? note_beside(parting, x, y, piece, &status) : -1;
        first = i == 0 ? piece : first;
        int dx = i < across ? 1 : i < across + down ? 0 : i < 2 * across + down ? -1 : 0;
        x += dx;
        y += dx != 0 ? 0 : i < across + down ? 1 : -1;
    }
    if (first >= 0 && piece >= 0)
        unite_pieces(parting, first, piece);
    return status;
}

AstarStatus astar_parting_begin(AstarParting *parting)
{
    const AstarGrid *grid = parting->finder->grid;
    parting->count = 0;
    if (!astar_pages_begin(parting->pages, parting->allocator, grid->width, grid->height))
        return ASTAR_NO_MEMORY;
    AstarStatus status = ASTAR_OK;
    for (size_t i = 0; i < parting->supposed->count && status == ASTAR_OK; i++)
        status = walk_round(parting, &parting->supposed->blocked[i]);
    return status;
}

// Floods on from one cell of a piece, which may become part of another.
ASTAR_ONCE AstarStatus flood_from_one(AstarParting *parting, int piece)
{
    const AstarGrid *grid = parting->finder->grid;
    uint32_t cell = parting->pieces[piece].first;
    double next = *next_in_list(parting, cell);
    parting->pieces[piece].first = (uint32_t)next;
    int x, y;
    astar_cell_xy(grid, cell, &x, &y);
    unsigned joins = parting->components->joins[astar_phase(grid->shape, x, y)];
    unsigned free = astar_bits_around(&parting->finder->walkable->bits, x, y) & joins;
    for (; free != 0; free &= free - 1) {
        int d = astar_lowest_bit(free), to_x = x + astar_dx[d], to_y = y + astar_dy[d];
        int state = astar_pages_state(parting->pages, to_x, to_y);
        if (state != 0)
            piece = unite_pieces(parting, piece, state - 1);
        else if (!astar_parting_bars(parting, to_x, to_y) &&
                 !add_to_piece(parting, piece, to_x, to_y))
            return ASTAR_NO_MEMORY;
    }
    return ASTAR_OK;
}

// Whether a piece stands for itself, of that component, and is not whole.
static bool is_flooding(const AstarParting *parting, int piece, uint32_t label)
{
    const AstarPiece *p = &parting->pieces[piece];
    return p->root == piece && p->label == label && p->first != ASTAR_NO_CELL;
}

AstarStatus astar_parting_flood(AstarParting *parting, uint32_t label)
{
    for (int open = 2; open > 1;) {
        open = 0;
        for (int i = 0; i < parting->count; i++)
            open += is_flooding(parting, i, label);
        for (int i = 0; i < parting->count && open > 1; i++)
            if (is_flooding(parting, i, label) && flood_from_one(parting, i) != ASTAR_OK)
                return ASTAR_NO_MEMORY;
    }
    return ASTAR_OK;
}

AstarStatus astar_parting_complete(AstarParting *parting, int piece)
{
    AstarStatus status = ASTAR_OK;
    while (parting->pieces[piece].first != ASTAR_NO_CELL && status == ASTAR_OK)
        status = flood_from_one(parting, piece);
    return status;
}

int astar_parting_piece(AstarParting *parting, uint32_t label, int x, int y)
{
    int state = astar_pages_state(parting->pages, x, y);
    if (state != 0)
        return root_of_piece(parting, state - 1);
    for (int i = 0; i < parting->count; i++)
        if (is_flooding(parting, i, label))
            return i;
    return -1;
}
