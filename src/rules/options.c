// options.c -- What follows from the table of options, options.def. Each function below includes
// the table once and says in a macro what a row means to it.

#include "rules/options.h"

#include "base/bits.h"
#include "base/directions.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

// The structs in astar/finder.h are written from the table by 'make options'. The following code
// does not compile if they differ from it.

#define FIELD(name, kind, type, ...) type name;
#define OWN_FIELD(name, type, ...) type name;

typedef struct TableOptions {
#define QUERY_OPTION FIELD
#define FINDER_OPTION FIELD
#define OWN_OPTION OWN_FIELD
#include "rules/options.def"
} TableOptions;

typedef struct TableQueryOptions {
#define QUERY_OPTION FIELD
#include "rules/options.def"
} TableQueryOptions;

#define CHECK_FIELD(name, ...)                                                                     \
    static_assert(offsetof(TableOptions, name) == offsetof(AstarOptions, name),                    \
                  "finder.h differs from options.def at " #name ": run 'make options'");
#define QUERY_OPTION CHECK_FIELD
#define FINDER_OPTION CHECK_FIELD
#define OWN_OPTION CHECK_FIELD
#include "rules/options.def"

#define CHECK_QUERY_FIELD(name, ...)                                                               \
    static_assert(offsetof(TableQueryOptions, name) == offsetof(AstarQueryOptions, name),          \
                  "finder.h differs from options.def at " #name ": run 'make options'");
#define QUERY_OPTION CHECK_QUERY_FIELD
#include "rules/options.def"

static_assert(sizeof(TableOptions) == sizeof(AstarOptions) &&
                  sizeof(TableQueryOptions) == sizeof(AstarQueryOptions),
              "finder.h has options that options.def lacks");

// Defaults and ranges.

AstarOptions astar_options_default(void)
{
#define DEFAULT(name, kind, type, least, most, otherwise, ...) .name = (otherwise),
    return (AstarOptions){
#define QUERY_OPTION DEFAULT
#define FINDER_OPTION DEFAULT
#include "rules/options.def"
    };
}

AstarQueryOptions astar_query_of_options(const AstarOptions *options)
{
#define COPY(name, ...) .name = options->name,
    return (AstarQueryOptions){
#define QUERY_OPTION COPY
#include "rules/options.def"
    };
}

// Each function returns true if a value of one kind is in the range of its row.

static bool is_NUMBER(double value, double least, double most)
{
    return value >= least && value <= most;
}

static bool is_COUNT(uint64_t value, uint64_t least, uint64_t most)
{
    return value >= least && value <= most;
}

static bool is_WHOLE(int value, int least, int most)
{
    return value >= least && value <= most;
}

static bool is_FLAG(bool value, int least, int most)
{
    return value >= least && value <= most;
}

static bool is_NAME(unsigned value, int least, unsigned count)
{
    (void)least; // a lower value has no name and is the default
    return value < count;
}

// The default of a name is one of its values.
#define CHECK_RANGE(name, kind, type, least, most, otherwise, ...)                                 \
    if (values->name != (otherwise) && !is_##kind(values->name, least, most))                      \
        return false;

bool astar_options_in_range(const AstarOptions *values)
{
#define QUERY_OPTION CHECK_RANGE
#define FINDER_OPTION CHECK_RANGE
#include "rules/options.def"
    return true;
}

ASTAR_HOT bool astar_query_in_range(const AstarQueryOptions *values)
{
#define QUERY_OPTION CHECK_RANGE
#include "rules/options.def"
    return true;
}

// Refusals. A column of the table is one of the following macros. Q is defined by each function.

#define H(values, name, otherwise)
#define R(values, name, otherwise)                                                                 \
    if ((values)->name != (otherwise))                                                             \
        return #name;

static const char *first_not_plain(const AstarOptions *options, const AstarQueryOptions *query)
{
#define QUERY_OPTION(name, kind, type, least, most, otherwise, need, plain, ...)                   \
    plain(query, name, otherwise)
#define FINDER_OPTION(name, kind, type, least, most, otherwise, need, plain, ...)                  \
    plain(options, name, otherwise)
#include "rules/options.def"
    return NULL;
}

bool astar_query_is_plain(const AstarOptions *options, const AstarQueryOptions *query)
{
    return first_not_plain(options, query) == NULL;
}

const char *astar_option_refused_by_crowd(const AstarOptions *options)
{
#define BY_CROWD(name, kind, type, least, most, otherwise, need, plain, flow, crowd, ...)          \
    crowd(options, name, otherwise)
#define QUERY_OPTION BY_CROWD
#define FINDER_OPTION BY_CROWD
#include "rules/options.def"
    return NULL;
}

#define Q H // a flow ignores the option

const char *astar_option_refused_by_flow(const AstarOptions *options)
{
#define BY_FLOW(name, kind, type, least, most, otherwise, need, plain, flow, ...)                  \
    flow(options, name, otherwise)
#define QUERY_OPTION BY_FLOW
#define FINDER_OPTION BY_FLOW
#include "rules/options.def"
    return NULL;
}

#undef Q
#define Q R // the finder of a world refuses the option; a query may have it

const char *astar_option_refused_by_world(const AstarOptions *options)
{
#define BY_WORLD(name, kind, type, least, most, otherwise, need, plain, flow, crowd, world, ...)   \
    world(options, name, otherwise)
#define QUERY_OPTION BY_WORLD
#define FINDER_OPTION BY_WORLD
#include "rules/options.def"
    return NULL;
}

#undef H
#undef Q
#undef R
