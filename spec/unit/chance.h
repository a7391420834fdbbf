// chance.h -- what tests of random maps share: numbers drawn from one state, and steps that must
// succeed.

#ifndef CHANCE_H
#define CHANCE_H

#include "../c/check.h"

#include "astar.h"

#include <stdio.h>
#include <stdlib.h>

static uint32_t chance; // a seed before the first draw

static int below(int limit)
{
    return random_below(&chance, limit);
}

static void need(AstarStatus status)
{
    if (status == ASTAR_OK)
        return;
    printf("%s\n", astar_status_text(status));
    exit(1);
}

#endif
