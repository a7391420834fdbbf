// check.h -- what the C programs of the specs share: a count of checks, and a random number.

#ifndef CHECK_H
#define CHECK_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// How many maps, rounds and the like: 'few', which are the first of 'all', under a sanitizer, which
// takes its time.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ALL_OR_FEW(all, few) (few)
#else
#define ALL_OR_FEW(all, few) (all)
#endif

static int checks, failures;

static inline void check(bool holds, const char *what, const char *file, int line)
{
    checks++;
    if (holds)
        return;
    failures++;
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
}

#define CHECK(condition) check((condition), #condition, __FILE__, __LINE__)

static inline bool near(double a, double b)
{
    return a == b || fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
}

// A number from 0 to below n (Lehmer, 1951).
static inline int random_below(uint32_t *seed, int n)
{
    *seed = (uint32_t)((uint64_t)*seed * 48271 % 2147483647);
    return (int)(*seed % (uint32_t)n);
}

static inline int report(void)
{
    printf("%d checks, %d failures\n", checks, failures);
    return failures > 0 || checks == 0;
}

#endif
