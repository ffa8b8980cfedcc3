// SPDX-License-Identifier: MIT
// near_name.c - the name that somebody meant who typed another: "did you mean".
#include "near_name.h"

#include <string.h>

enum { LONGEST = 31 };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

// Slips between the first `length` letters of `typed` and `name`. Row i is about the first i
// letters typed; a row looks back at two.
static size_t count_slips(const char *typed, size_t length, const char *name)
{
    size_t rows[3][LONGEST + 1] = {{0}};
    const size_t name_length = strlen(name);
    for (size_t j = 0; j <= name_length; j++) {
        rows[0][j] = j;
    }
    for (size_t i = 1; i <= length; i++) {
        size_t *const row = rows[i % 3], *const before = rows[(i + 2) % 3];
        row[0] = i;
        for (size_t j = 1; j <= name_length; j++) {
            row[j] = smaller(before[j - 1] + (typed[i - 1] != name[j - 1]),
                             1 + smaller(before[j], row[j - 1]));
            if (i > 1 && j > 1 && typed[i - 1] == name[j - 2] && typed[i - 2] == name[j - 1]) {
                row[j] = smaller(row[j], rows[(i + 1) % 3][j - 2] + 1);
            }
        }
    }
    return rows[length % 3][name_length];
}

near_name near_name_begin(const char *typed)
{
    return (near_name){.typed = typed, .slips = 3};
}

void near_name_try(near_name *near, const char *name)
{
    const size_t length = strcspn(near->typed, "="), name_length = strlen(name);
    if (length < 2 || length > LONGEST || name_length > LONGEST) {
        return;
    }
    const size_t slips =
        strncmp(near->typed, name, length) == 0 ? 0 : count_slips(near->typed, length, name);
    if (slips < near->slips && 3 * slips <= length) {
        near->best = name;
        near->slips = slips;
    }
}
