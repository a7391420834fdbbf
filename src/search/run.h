// run.h -- a query is noted, refused or answered without a search, prepared, and run.

#ifndef ASTAR_RUN_H
#define ASTAR_RUN_H

#include "search/goal.h"
#include "search/reachable.h"

// The cells that a way was too dear to, where nothing but the search tells whether any way leads to
// the goal: functions of the host's say what can be entered, or what a goal is. A cell may be
// reached later by a cheaper way, so what is cut off is known at the end.
typedef struct AstarCutWays {
    uint32_t *cells;
    size_t count, capacity;
    bool are_noted;
} AstarCutWays;

// How far a question is prepared for that is asked in steps.
typedef struct AstarPreparing {
    bool in_steps;   // what is built of the map counts as expansions
    bool is_due;     // before the first expansion
    bool is_started; // on the map as it was at this version:
    uint64_t version;
    uint64_t at_once; // what each step may build besides, in expansions
    int64_t spent;    // work that has gone into it
} AstarPreparing;

// What a step of a search goes on with.
typedef enum AstarPhase {
    ASTAR_ASK_GOAL,  // the cost callback is to tell whether the goal can be entered
    ASTAR_FIND_WAY,  // by steps
    ASTAR_TRACE,     // the way found is read back
    ASTAR_STRAIGHTEN // it becomes a route at any angle
} AstarPhase;

// A way to search for a question that is started: a row of the table of run.c.
typedef struct AstarSearchWay {
    AstarStatus (*begin)(AstarSearch *search);
    AstarStatus (*step)(AstarSearch *search, uint64_t expansions);
    // The cost of the best way yet to a cell that was reached; NULL: it has no use for a nearest
    // one.
    double (*g)(const AstarSearch *search, uint32_t cell);
    // Goes back by a node of the way found: ASTAR_RUNNING; ASTAR_OK at the start.
    AstarStatus (*trace)(AstarSearch *search, AstarPath *path);
    // In place of that, over uniform ground: all of it, and how many steps there are.
    AstarStatus (*trace_counted)(const AstarSearch *search, AstarPath *path, double *straight,
                                 double *diagonal);
} AstarSearchWay;

// ASTAR_OK, or why the algorithm asked for can answer no such question about the grid as it is.
AstarStatus astar_search_refusal(const AstarSearch *search, const AstarQuestion *question);
// Takes note of a question, and forgets the one before.
void astar_search_note(AstarSearch *search, int sx, int sy, int gx, int gy,
                       const AstarQuestion *question);
// What the ground alone tells of it: ASTAR_RUNNING, or final.
AstarStatus astar_search_look_at_ground(const AstarSearch *search);
// Answers a noted query that needs no search. Caution: these return ASTAR_RUNNING if a search is
// needed, with what it is to look for, and ASTAR_OK if the work ends before that is known.
AstarStatus astar_search_start_noted(AstarSearch *search, int64_t *work);
AstarStatus astar_answer_unsearched(AstarSearch *search, AstarVerdict *verdict, AstarGoal *goal,
                                    int64_t *work);
// Notes it and answers: the first half of astar_search_begin.
AstarStatus astar_search_start(AstarSearch *search, int sx, int sy, int gx, int gy,
                               const AstarQuestion *question);
// Whether callbacks and limits leave it to the search to tell if the goal can be reached.
bool astar_only_trying_tells(const AstarSearch *search);

// ---- what a query needs of the map, built as far as the work goes ----

// Builds the components that the query needs. Returns ASTAR_RUNNING if the work ends first.
AstarStatus astar_search_build_components(const AstarSearch *search, int64_t *work);
// Builds all components, whatever the query.
AstarStatus astar_search_build_all_components(const AstarSearch *search, int64_t *work);
// Builds what an algorithm needs.
AstarStatus astar_search_build_for(AstarFinder *finder, AstarAlgorithm algorithm, int64_t *work);

// ---- the algorithm of a query that is started ----

// The algorithm for what is asked, where it is not asked for by name.
AstarAlgorithm astar_auto_algorithm(AstarFinder *finder, AstarNeeds needs);
// Whether a search by steps over ground of one cost takes less time than one by jumps, to a goal so
// many columns and rows away. The finder must be up to date.
bool astar_steps_pay(AstarFinder *finder, int dx, int dy);
// Whether a question for a few goals, or for what is near one, is answered as in jps.c.
bool astar_may_jump_back(const AstarSearch *search, const AstarGoal *goal);
// The algorithm that answers a started question, or A* where JPSW would not pay.
AstarAlgorithm astar_search_algorithm_for(const AstarSearch *search, const AstarGoal *goal);
// The same with that known; what it needs is built.
AstarStatus astar_choose_algorithm(const AstarSearch *search, const AstarGoal *goal,
                                   AstarAlgorithm *algorithm);
// Makes it ready for the links of its grid; ASTAR_RUNNING where the work is used up before. What
// its algorithm needs is built.
AstarStatus astar_search_advance_links(AstarSearch *search, int64_t *work);
// Makes a started question ready to be searched for: the second half of astar_search_begin.
AstarStatus astar_search_prepare(AstarSearch *search);
// Makes so many expansions.
AstarStatus astar_search_run(AstarSearch *search, uint64_t expansions);
// Has a search that went by rays begin anew over cells and headings, where a route of that cost is
// known, or INFINITY: ASTAR_RUNNING, or ASTAR_NO_MEMORY.
AstarStatus astar_search_go_over_states(AstarSearch *search, double known);
// Notes how far the map has come, see frozen.c.
void astar_search_look_at_map(AstarSearch *search);

// ---- queries in steps, and how a search is run ----

// astar_search_begin of a question whose goal is known to be reached, by a search that was
// borrowed.
AstarStatus astar_search_begin_connected(AstarSearch *search, int sx, int sy, int gx, int gy,
                                         const AstarQuestion *question);
// As astar_finder_settle.
AstarStatus astar_finder_advance_settling(AstarFinder *finder, int64_t *work);
// Prepares for a question asked in steps: ASTAR_OK once it can be searched for, ASTAR_RUNNING where
// the expansions are used up before, which what is done takes off; else final.
AstarStatus astar_search_get_ready(AstarSearch *search, uint64_t *expansions);
// The work that a step of so many expansions may do, and what that leaves of them: some is free.
int64_t astar_step_work(const AstarSearch *search, uint64_t expansions);
void astar_charge_step(const AstarSearch *search, uint64_t *expansions, int64_t work);
// Takes note that the question just noted is asked in steps, each of which may do 'at_once'
// besides.
void astar_search_will_prepare(AstarSearch *search, uint64_t at_once);
// Has the next steps of a search ask so from its start, on the map as it is then.
void astar_search_prepare_anew(AstarSearch *search, int gx, int gy, const AstarQuestion *question);
// Poses it on the map as it is now: ASTAR_OK, ASTAR_RUNNING where the work is used up before, else
// final.
AstarStatus astar_search_start_on_map(AstarSearch *search, int64_t *work);
// astar_search_step and astar_search_path but for continuations.
AstarStatus astar_search_go_on(AstarSearch *search, uint64_t expansions, void *context);
AstarStatus astar_search_way(AstarSearch *search, AstarPath *path);

#endif
