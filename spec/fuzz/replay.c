// replay.c -- runs a fuzz target on the files named, one after the other, without a fuzzer.

#include "input.h"

#include <signal.h>

static const char *current;

static void tell(int number)
{
    fprintf(stderr, "signal %d in %s\n", number, current);
    signal(number, SIG_DFL);
    raise(number);
}

static int replay(const char *name)
{
    static uint8_t data[1 << 16];
    FILE *file = fopen(name, "rb");
    if (file == NULL) {
        perror(name);
        return 1;
    }
    size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    current = name;
    uint8_t *exact = malloc(size + 1); // so that tools see a read beyond the end
    if (exact == NULL)
        return 1;
    for (size_t i = 0; i < size; i++)
        exact[i] = data[i];
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    return 0;
}

int main(int count, char **names)
{
    int failed = 0;
    signal(SIGABRT, tell);
    signal(SIGSEGV, tell);
    for (int i = 1; i < count; i++)
        failed += replay(names[i]);
    printf("%d files, %d unread\n", count - 1, failed);
    return failed > 0 || count < 2;
}
