// SPDX-License-Identifier: MIT
// partition_samples.c - what the sample of modules/partition/README.md uses.
#include "must.h"

#include <acre/partition.h>

void move(acre_aabb *boxes);
void pack(void *user, uint32_t slot, bool is_migrant, unsigned char *bytes);
void unpack(void *user, uint32_t slot, bool is_migrant, const unsigned char *bytes);
void tick(uint32_t rank, char world, acre_number_pair *pairs, size_t capacity);
void tick(uint32_t rank, char world, acre_number_pair *pairs, size_t capacity)
{
    acre_partition *part;
    size_t count;
#include "partition_1.inc"
}
