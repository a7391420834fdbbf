// parts.c -- rectangles of squares below an upper one, joined to ever larger ones.
//
// Where two parts meet, nodes become inner ones that nothing else is joined to. Such a node is
// eliminated: ways over it become ways past it (as in nested dissection). What is left is a dense
// matrix of the nodes on the lines around, which costs far less than a search from each of them
// over all that lies inside, and tells the same.

#include "world/parts.h"

static size_t count_ways(const AstarPart *part)
{
    return (size_t)part->room * astar_part_stride(part);
}

void astar_part_free(AstarPart *part, AstarWorld *world)
{
    size_t ways = count_ways(part);
    world->bytes -= part->room * sizeof *part->places + ways * sizeof *part->ways;
    astar_release(&world->allocator, part->places, part->room, sizeof *part->places);
    astar_release(&world->allocator, part->ways, ways, sizeof *part->ways);
    *part = (AstarPart){0};
}

// Makes room for nodes, between which no ways are known yet.
static AstarStatus reserve_part_nodes(AstarPart *part, AstarWorld *world, uint32_t nodes)
{
    part->room = nodes > 0 ? nodes : 1;
    size_t ways = count_ways(part);
    part->places = astar_alloc(&world->allocator, part->room, sizeof *part->places);
    part->ways = astar_alloc(&world->allocator, ways, sizeof *part->ways);
    world->bytes += part->room * sizeof *part->places + ways * sizeof *part->ways;
    if (part->places == NULL || part->ways == NULL) {
        astar_part_free(part, world);
        return ASTAR_NO_MEMORY;
    }
    for (size_t i = 0; i < ways; i++)
        part->ways[i] = (double)INFINITY;
    return ASTAR_OK;
}

// ---- nodes ----

// Whether another part of the upper square may be joined to a place: it is on a line around this
// one that is not around the upper square, too.
static bool is_on_seam(const AstarPart *part, uint32_t place)
{
    enum { SIDE = ASTAR_CHUNK_SIDE };
    int column = astar_place_column(place), row = astar_place_row(place);
    int left = part->column * SIDE, right = left + part->width * SIDE;
    int top = part->row * SIDE, bottom = top + part->height * SIDE, last = ASTAR_BELOW * SIDE;
    return (column == left && left > 0) || (column == right && right < last) ||
           (row == top && top > 0) || (row == bottom && bottom < last);
}

// Takes nodes, by place: first those that stay.
static AstarStatus put_part_nodes(AstarPart *part, AstarWorld *world, const uint32_t *places,
                                  uint32_t count)
{
    AstarStatus status = reserve_part_nodes(part, world, count);
    for (int pass = 0; pass < 2 && status == ASTAR_OK; pass++) {
        for (uint32_t i = 0; i < count; i++) {
            bool stays = (places[i] & ASTAR_IS_ABOVE) != 0 || is_on_seam(part, places[i]);
            if (stays == (pass == 0))
                part->places[part->count++] = places[i];
        }
        part->outer = pass == 0 ? part->count : part->outer;
    }
    return status;
}

// Which of the nodes from 'first' to before 'last' has a place, or 'last'.
static uint32_t find_place(const AstarPart *part, uint32_t first, uint32_t last, uint32_t place)
{
    uint32_t end = last;
    while (first < last) {
        uint32_t middle = (first + last) / 2;
        if ((part->places[middle] & ASTAR_PLACE) < place)
            first = middle + 1;
        else
            last = middle;
    }
    return first < end && (part->places[first] & ASTAR_PLACE) == place ? first : end;
}

static uint32_t number_in_part(const AstarPart *part, uint32_t place)
{
    uint32_t node = find_place(part, 0, part->outer, (place & ASTAR_PLACE));
    return node < part->outer ? node
                              : find_place(part, part->outer, part->count, (place & ASTAR_PLACE));
}

static void put_way(AstarPart *part, uint32_t from, uint32_t to, double cost)
{
    double *way = &part->ways[from * astar_part_stride(part) + to];
    *way = cost < *way ? cost : *way;
}

// ---- ways past nodes ----

// Four at a time, which compilers make one instruction or two of.
static void pass_by(double *restrict row, const double *restrict over, double way, size_t count)
{
    for (size_t i = 0; i < count; i += 4)
        for (size_t k = 0; k < 4; k++) {
            double cost = way + over[i + k];
            row[i + k] = cost < row[i + k] ? cost : row[i + k];
        }
}

// Has the ways of the first 'count' nodes lead over one.
static void lead_over(AstarPart *part, uint32_t node, uint32_t count)
{
    size_t stride = astar_part_stride(part), length = ((size_t)count + 3) & ~(size_t)3;
    const double *over = part->ways + node * stride;
    for (uint32_t i = 0; i < count; i++) {
        double *row = part->ways + i * stride;
        if (i != node && !isinf(row[node]))
            pass_by(row, over, row[node], length);
    }
}

void astar_part_eliminate(AstarPart *part)
{
    part->count--;
    lead_over(part, part->count, part->count);
}

void astar_part_close(AstarPart *part, uint32_t node)
{
    lead_over(part, node, part->count);
}

// ---- taking and joining ----

AstarStatus astar_part_take(const AstarSquare *upper, const AstarSquare *lower, AstarPart *out)
{
    uint32_t places[ASTAR_MOST_LOWER_NODES], numbers[ASTAR_MOST_LOWER_NODES];
    *out = (AstarPart){.column = lower->plot.i - upper->plot.i * ASTAR_BELOW,
                       .row = lower->plot.j - upper->plot.j * ASTAR_BELOW,
                       .width = 1,
                       .height = 1};
    for (uint32_t node = 0; node < lower->count; node++)
        places[node] = astar_square_place_above(upper, lower, node);
    AstarStatus status = put_part_nodes(out, upper->finder->world, places, lower->count);
    if (status != ASTAR_OK)
        return status;
    for (uint32_t node = 0; node < lower->count; node++)
        numbers[node] = number_in_part(out, places[node]);
    for (uint32_t node = 0; node < lower->count; node++)
        for (uint32_t edge = lower->first[node]; edge < lower->first[node + 1]; edge++)
            put_way(out, numbers[node], numbers[astar_square_to(lower, edge)],
                    astar_square_cost(lower, edge));
    return ASTAR_OK;
}

// The places of two parts, ascending; how many.
static uint32_t merge_places(const AstarPart *a, const AstarPart *b, uint32_t *places)
{
    uint32_t i = 0, j = 0, count = 0;
    while (i < a->count || j < b->count) {
        uint32_t one = i < a->count ? (a->places[i] & ASTAR_PLACE) : UINT32_MAX;
        uint32_t other = j < b->count ? (b->places[j] & ASTAR_PLACE) : UINT32_MAX;
        uint32_t flags = (one <= other ? a->places[i] : 0) | (other <= one ? b->places[j] : 0);
        i += one <= other;
        j += other <= one;
        places[count++] = flags;
    }
    return count;
}

// Takes the ways of a part into the one it is joined to.
static void put_part_ways(AstarPart *part, const AstarPart *from, uint32_t *numbers)
{
    size_t stride = astar_part_stride(from);
    for (uint32_t i = 0; i < from->count; i++)
        numbers[i] = number_in_part(part, from->places[i]);
    for (uint32_t i = 0; i < from->count; i++)
        for (uint32_t k = 0; k < from->count; k++)
            put_way(part, numbers[i], numbers[k], from->ways[i * stride + k]);
}

AstarStatus astar_part_join(const AstarSquare *upper, const AstarPart *a, const AstarPart *b,
                            AstarPart *out)
{
    AstarWorld *world = upper->finder->world;
    bool is_beside = a->row == b->row;
    *out = (AstarPart){.column = a->column,
                       .row = a->row,
                       .width = is_beside ? a->width + b->width : a->width,
                       .height = is_beside ? a->height : a->height + b->height};
    size_t room = (size_t)a->count + b->count + 1;
    uint32_t *places = astar_alloc(&world->allocator, room, sizeof *places);
    if (places == NULL)
        return ASTAR_NO_MEMORY;
    uint32_t count = merge_places(a, b, places);
    AstarStatus status = put_part_nodes(out, world, places, count);
    if (status == ASTAR_OK) { // the places are done with
        put_part_ways(out, a, places);
        put_part_ways(out, b, places);
    }
    astar_release(&world->allocator, places, room, sizeof *places);
    return status;
}
