// SPDX-License-Identifier: MIT
// test_printed_record.c - runs the C that a recording was printed as.
#include <stdbool.h>
#include <stdio.h>

bool replay(void);

int main(void)
{
    if (!replay()) {
        printf("the printed calls answer otherwise than the recorded ones\n");
        return 1;
    }
    printf("the printed calls answer as recorded\n");
    return 0;
}
