// expect.h -- checks that several threads make: EXPECT counts what does not hold under a lock,
// because the counters of CHECK in check.h have no lock.

#ifndef EXPECT_H
#define EXPECT_H

#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t book = PTHREAD_MUTEX_INITIALIZER;
static int wrongs; // number of expectations that did not hold

static inline void expect(bool holds, const char *what, const char *file, int line)
{
    if (holds)
        return;
    pthread_mutex_lock(&book);
    if (wrongs++ < 10)
        fprintf(stderr, "%s:%d: a thread: does not hold: %s\n", file, line, what);
    pthread_mutex_unlock(&book);
}

#define EXPECT(condition) expect((condition), #condition, __FILE__, __LINE__)

#endif
