// SPDX-License-Identifier: MIT
// print_record.c - writes a recorded scenario, as it is and as C.
#include "record_scenario.h"

#include <stdio.h>

static bool write_to_file(void *context, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, context) == size;
}

static bool write_file(const char *path, const recording *recorded, bool is_c)
{
    FILE *const file = fopen(path, "wb");
    if (!file) {
        return false;
    }
    const bool is_written = is_c ? acre_record_print(recorded->bytes, recorded->size, NULL,
                                                     write_to_file, file) == ACRE_OK
                                 : write_to_file(file, recorded->bytes, recorded->size);
    return fclose(file) == 0 && is_written;
}

int main(int argc, char **argv)
{
    recording recorded = {0};
    uint64_t state_hash;
    if (argc != 3 || !record_scenario(&recorded, 7, 800, &state_hash)) {
        fprintf(stderr, "usage: print_record RECORDING C_FILE\n");
        return 2;
    }
    const bool is_written =
        write_file(argv[1], &recorded, false) && write_file(argv[2], &recorded, true);
    recording_free(&recorded);
    return is_written ? 0 : 1;
}
