#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# stream_districts.sh - an endless town for 100,000 frames (tools/examples/stream_districts.c): no
# request for memory after the first 1,000, no frame with more than five times the median's work,
# 99.9 % of the frames within five times the median time.
#     tests/campaigns/stream_districts.sh WORK [FRAMES] >tests/campaigns/stream_districts.txt
# WORK is a folder for the build. 100,000 frames by default, played three times, take ten seconds.
set -euo pipefail
if [ $# -lt 1 ]; then
    sed -n '6p' "${BASH_SOURCE[0]}" >&2
    exit 2
fi
. "$(dirname "${BASH_SOURCE[0]}")/campaign.sh"
build_campaign "$1" stream_districts -DACRE_BUILD_TESTS=OFF
campaign_head
"$work/tools/examples/stream_districts" "${2:-100000}"
