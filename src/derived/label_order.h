// label_order.h -- in which order subgoals become hubs: those first that most shortest ways lead
// over.
//
// D. Delling, A. Goldberg, T. Pajor and R. Werneck, "Robust Distance Queries on Massive Networks",
// ESA 2014: trees of shortest ways are grown from subgoals drawn at random, and the next hub is the
// one that most of the ways in them, which no hub is on yet, lead over. As hubs cover the trees,
// more are grown, pruned by the labels there are.

#ifndef ASTAR_LABEL_ORDER_H
#define ASTAR_LABEL_ORDER_H

#include "derived/pruned_search.h"

// A subgoal in a tree. Those of a tree lie together, each before those that its ways go on to.
typedef struct AstarTreeNode {
    uint32_t subgoal;
    uint32_t parent; // itself: the root
    uint32_t size;   // how many nodes there are from this one on, itself among them
    uint32_t alive;  // how many of those no hub covers
    uint32_t next;   // of the same subgoal, in another tree; UINT32_MAX: none
} AstarTreeNode;

typedef struct AstarScore {
    uint64_t score; // perhaps of some time ago, when it was more
    uint32_t subgoal;
} AstarScore;

// Nodes lie in pages, so that no step of a job has to move all of them.
enum { ASTAR_TREE_PAGE = 1 << 15 };

// What is to be done before the next hub can be chosen.
typedef enum AstarOrderStage {
    ASTAR_ORDER_COVER,  // what the last hub covers; then perhaps a round:
    ASTAR_ORDER_EMPTY,  // the lists of nodes
    ASTAR_ORDER_LET_GO, // of the nodes that are covered
    ASTAR_ORDER_GATHER, // the candidates for a root
    ASTAR_ORDER_GROW,   // a tree; then it is added:
    ASTAR_ORDER_SUM,    // how many nodes follow each
    ASTAR_ORDER_PLACE,
    ASTAR_ORDER_SCORE, // all that are no hubs yet
    ASTAR_ORDER_RANK,
    ASTAR_ORDER_FRESHEN, // scores, until the greatest is as it is now
    ASTAR_ORDER_CHOOSE   // nothing
} AstarOrderStage;

typedef struct AstarLabelOrder {
    AstarPrunedSearch *search;
    AstarTreeNode **pages; // of the nodes
    size_t page_count, page_capacity;
    size_t count;     // nodes
    uint32_t *heads;  // the first node of each subgoal; UINT32_MAX: none
    uint64_t *scores; // of each subgoal: the nodes alive that ways to lead over it
    uint32_t *places; // of each subgoal: its node in the tree being added
    uint32_t *free;   // the next free node below each of those
    uint32_t *sizes;  // of each subgoal: nodes from it on
    AstarScore *heap; // the greatest first
    uint32_t heap_count;
    uint64_t alive, wanted;     // nodes
    uint64_t spent, most_spent; // the same, settled in all trees
    uint64_t random;
    uint32_t hubs;       // chosen so far
    uint32_t covering;   // the node of the last one to be covered next; UINT32_MAX: none
    uint32_t next_round; // there is none before so many hubs
    // of the node that is being covered: how many were alive from it on, how far those before it
    // know, and which of those after it are still to
    uint32_t covered, above, below, below_end;
    // of the round under way
    AstarOrderStage stage;
    uint32_t at;          // how far the stage has come
    uint32_t kept, depth; // nodes, while others are let go of
    bool is_growing;
    uint32_t tries; // trees that it may still grow
    uint64_t round_end;
    uint32_t *candidates; // for a root
    uint32_t candidate_count;
} AstarLabelOrder;

AstarStatus astar_label_order_init(AstarLabelOrder *order, AstarPrunedSearch *search);
void astar_label_order_destroy(AstarLabelOrder *order);
// Grows the trees that are due, and covers what the last hub covers, before the next hub can be
// chosen; ASTAR_RUNNING where the work is used up before.
AstarStatus astar_label_order_advance(AstarLabelOrder *order, int64_t *work);
// Frees what takes long to free; false where the work is used up before. It is then done with.
bool astar_label_order_clear(AstarLabelOrder *order, int64_t *work);
// Chooses the next hub, of which there must be one, once nothing is to be done before.
uint32_t astar_label_order_choose(AstarLabelOrder *order);

#endif
