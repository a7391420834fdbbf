// options.h -- What follows from the table of options, options.def: defaults, ranges, the options
// of a query among those of a finder, and the options that other calls refuse.

#ifndef ASTAR_OPTIONS_H
#define ASTAR_OPTIONS_H

#include "astar.h"

// Returns true if every option of a finder that is a number, a flag or a name is in its range.
bool astar_options_in_range(const AstarOptions *options);
// Returns true if every option of a query is in its range.
bool astar_query_in_range(const AstarQueryOptions *query);
// Returns the options of a query that a finder's options contain.
AstarQueryOptions astar_query_of_options(const AstarOptions *options);
// Returns true if a query wants a route and nothing else, so that the finder's plan can answer it
// (search/query_plan.c). The options of a query come from 'query', the others from 'options'.
bool astar_query_is_plain(const AstarOptions *options, const AstarQueryOptions *query);

// Return the name of an option that has a value other than its default and that a crowd, a flow or
// the finder of a world refuses, or NULL. Options that are functions, tables or fields are not
// checked.
const char *astar_option_refused_by_crowd(const AstarOptions *options);
const char *astar_option_refused_by_flow(const AstarOptions *options);
const char *astar_option_refused_by_world(const AstarOptions *options);

#endif
