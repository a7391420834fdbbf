// input.h -- a fuzzer's bytes, read one by one as small numbers; zeros when they are used up.

#ifndef INPUT_H
#define INPUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Input {
    const uint8_t *at, *end;
} Input;

static inline int next_byte(Input *input)
{
    return input->at < input->end ? *input->at++ : 0;
}

// A number from 0 to below 'limit', at most 256.
static inline int next_below(Input *input, int limit)
{
    return next_byte(input) % limit;
}

// The next number of a generator that an input seeds, for what needs more bytes than it has
// (Lehmer, 1951). Its upper bits are the better ones.
static inline uint32_t draw(uint32_t *seed)
{
    return *seed = (uint32_t)((uint64_t)*seed * 48271 % 2147483647);
}

// What does not hold ends the process: so a fuzzer sees it, and a replay as well.
#define REQUIRE(condition) ((condition) ? (void)0 : broken(#condition, __FILE__, __LINE__))

static inline void broken(const char *what, const char *file, int line)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
    abort();
}

#endif
