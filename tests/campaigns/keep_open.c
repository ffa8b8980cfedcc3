// SPDX-License-Identifier: MIT
// keep_open.c - for view_leaks.sh: loaded before all else, it keeps every library open, so that
// what a driver holds in its globals is still reachable, and a leak has a name, when leaks are
// counted. With ACRE_PLANT_LEAK in the environment it leaks once itself.
#include <stdlib.h>

int dlclose(void *handle);
void plant_leak(void);

int dlclose(void *handle)
{
    (void)handle;
    return 0;
}

__attribute__((constructor)) void plant_leak(void)
{
    if (getenv("ACRE_PLANT_LEAK")) {
        char *volatile lost = malloc(24);
        lost[0] = 1;
        lost = NULL;
    }
}
