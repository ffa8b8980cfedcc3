// SPDX-License-Identifier: MIT
// bench_peers.h - trees of others as contenders, written in C++ and kept in a library of their own.
#ifndef ACRE_TOOLS_BENCH_PEERS_H
#define ACRE_TOOLS_BENCH_PEERS_H

#include "bench_contender.h"

ACRE_EXTERN_C_BEGIN

// Those whose packages were there when the program was built.
ACRE_API uint32_t bench_peer_count(void);

// index: 0 .. count - 1.
ACRE_API const bench_contender *bench_peer(uint32_t index);

ACRE_EXTERN_C_END

#endif
