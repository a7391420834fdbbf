// Made of the sources of astar by make amalgamation. gcc and clang need no option for it; others
// must not fuse a multiplication and an addition, which would give other routes on other machines.
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif
#if defined(__GNUC__) // not all that is in a header need be used
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-const-variable"
#endif
// A library made of it shows what ASTAR_API marks, and what hosts open. Declarations of others stay
// as they are.
#if defined(__GNUC__) && !defined(_WIN32)
#define ASTAR_OTHERS _Pragma("GCC visibility push(default)")
#define ASTAR_OWN _Pragma("GCC visibility pop")
#pragma GCC visibility push(hidden)
#else
#define ASTAR_OTHERS
#define ASTAR_OWN
#endif
