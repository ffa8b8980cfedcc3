#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# world_shifts.sh - shifts worlds by 10,000 offsets of all sizes and over 1,000 km (world_shifts.c):
# each compared with a world that is built anew there, and with a loop over doubles.
#     tests/campaigns/world_shifts.sh WORK [OFFSETS [KILOMETERS [SEED]]] >tests/campaigns/world_shifts.txt
# WORK is a folder for the build. It takes some ten seconds of processor time.
set -euo pipefail
if [ $# -lt 1 ]; then
    sed -n '5p' "${BASH_SOURCE[0]}" >&2
    exit 2
fi
. "$(dirname "${BASH_SOURCE[0]}")/campaign.sh"
build_campaign "$1" world_shifts -DACRE_BUILD_TOOLS=OFF
campaign_head
"$work/tests/world_shifts" "${2:-10000}" "${3:-1000}" "${4:-1}"
