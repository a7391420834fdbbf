// packed_steps.c -- the steps of a whole flow, half a byte a cell that has one.
//
// A block of cells has a bit for each that has a step, and the steps of those in a row, two in a
// byte. Which one a cell's is tells the number of bits set before its own: those of whole quarters
// of the block are kept, the rest is counted. Blocks without a step, such as rock, take nothing.

#include "flow/flow.h"

#include "base/array.h"

#include <string.h>

enum { WORDS = ASTAR_STEP_BLOCK / 64, QUARTER = WORDS / 4 };

typedef struct AstarStepBlock {
    uint64_t has[WORDS];
    uint16_t upto[4]; // steps in each quarter and those before
    uint8_t steps[];  // the lower half of a byte first
} StepBlock;

static unsigned count_bits(uint64_t word)
{
    word -= word >> 1 & UINT64_C(0x5555555555555555);
    word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
    word = (word + (word >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (unsigned)(word * UINT64_C(0x0101010101010101) >> 56);
}

// How many steps lie before that of a cell of the block.
static unsigned rank_in_block(const StepBlock *block, unsigned cell)
{
    unsigned word = cell / 64, rank = word < QUARTER ? 0 : block->upto[word / QUARTER - 1];
    for (unsigned i = word - word % QUARTER; i < word; i++)
        rank += count_bits(block->has[i]);
    return rank + count_bits(block->has[word] & ((UINT64_C(1) << cell % 64) - 1));
}

static size_t block_bytes(size_t steps)
{
    return sizeof(StepBlock) + (steps + 1) / 2;
}

// Whether each of 64 cells has a step.
static bool have_all_steps(const uint8_t *steps)
{
    uint64_t eight, has = UINT64_MAX;
    for (size_t i = 0; i < 64; i += 8) {
        memcpy(&eight, steps + i, sizeof eight);
        has &= eight + UINT64_C(0x7F7F7F7F7F7F7F7F); // steps are small: no byte overflows
    }
    return (has & UINT64_C(0x8080808080808080)) == UINT64_C(0x8080808080808080);
}

// Puts the steps of 64 cells behind 'count' others; where all have one, in pairs.
static size_t note_word(StepBlock *block, size_t word, const uint8_t *steps, size_t count)
{
    if (count % 2 == 0 && have_all_steps(steps)) {
        block->has[word] = UINT64_MAX;
        for (size_t i = 0; i < 32; i++)
            block->steps[count / 2 + i] = (uint8_t)((steps[2 * i] - 1) | (steps[2 * i + 1] - 1)
                                                                             << 4);
        return count + 64;
    }
    for (size_t i = 0; i < 64; i++) {
        if (steps[i] == 0)
            continue;
        block->has[word] |= UINT64_C(1) << i;
        block->steps[count / 2] |= (uint8_t)((steps[i] - 1) << count % 2 * 4);
        count++;
    }
    return count;
}

static void note_steps(StepBlock *block, const uint8_t *steps)
{
    size_t count = 0;
    for (size_t word = 0; word < WORDS; word++) {
        count = note_word(block, word, steps + 64 * word, count);
        block->upto[word / QUARTER] = (uint16_t)count;
    }
}

AstarStatus astar_packed_steps_begin(AstarPackedSteps *packed, const AstarAllocator *allocator,
                                     uint32_t cells)
{
    size_t total = ((size_t)cells + ASTAR_STEP_BLOCK - 1) / ASTAR_STEP_BLOCK;
    struct AstarStepBlock **blocks = astar_alloc(allocator, total, sizeof(StepBlock *));
    if (blocks == NULL)
        return ASTAR_NO_MEMORY;
    *packed = (AstarPackedSteps){.blocks = blocks, .total = total};
    return ASTAR_OK;
}

AstarStatus astar_packed_steps_add(AstarPackedSteps *packed, const AstarAllocator *allocator,
                                   const uint8_t steps[ASTAR_STEP_BLOCK])
{
    size_t count = 0;
    for (size_t i = 0; i < ASTAR_STEP_BLOCK; i++)
        count += steps[i] != 0;
    if (count == 0) {
        packed->count++;
        return ASTAR_OK;
    }
    StepBlock *block = astar_alloc(allocator, 1, block_bytes(count));
    if (block == NULL)
        return ASTAR_NO_MEMORY;
    note_steps(block, steps);
    packed->bytes += block_bytes(count);
    packed->blocks[packed->count++] = block;
    return ASTAR_OK;
}

AstarStatus astar_packed_steps_link(AstarPackedSteps *packed, const AstarAllocator *allocator,
                                    uint32_t cell, const AstarArc *arc)
{
    if (packed->link_count > 0 && packed->links[packed->link_count - 1].cell >= cell)
        return ASTAR_OK; // its block was begun before
    if (!ASTAR_RESERVE(allocator, packed->links, packed->link_count, 1, &packed->link_capacity, 4))
        return ASTAR_NO_MEMORY;
    packed->links[packed->link_count++] = (AstarPackedLink){cell, *arc};
    return ASTAR_OK;
}

void astar_packed_steps_free(AstarPackedSteps *packed, const AstarAllocator *allocator)
{
    for (size_t i = 0; i < packed->count; i++) {
        StepBlock *block = packed->blocks[i];
        if (block != NULL)
            astar_release(allocator, block, 1, block_bytes(block->upto[3]));
    }
    astar_release(allocator, packed->blocks, packed->total, sizeof *packed->blocks);
    astar_release(allocator, packed->links, packed->link_capacity, sizeof *packed->links);
    *packed = (AstarPackedSteps){0};
}

size_t astar_packed_steps_bytes(const AstarPackedSteps *packed)
{
    return packed->bytes + packed->total * sizeof *packed->blocks +
           packed->link_capacity * sizeof *packed->links;
}

int astar_packed_step(const AstarPackedSteps *packed, uint32_t cell)
{
    const StepBlock *block = packed->blocks[cell / ASTAR_STEP_BLOCK];
    unsigned at = cell % ASTAR_STEP_BLOCK;
    if (block == NULL || (block->has[at / 64] >> at % 64 & 1) == 0)
        return -1;
    unsigned rank = rank_in_block(block, at);
    return block->steps[rank / 2] >> rank % 2 * 4 & 15;
}

const AstarArc *astar_packed_link(const AstarPackedSteps *packed, uint32_t cell)
{
    const AstarPackedLink *links = packed->links;
    return &links[astar_count_below(links, packed->link_count, sizeof *links, cell)].arc;
}
