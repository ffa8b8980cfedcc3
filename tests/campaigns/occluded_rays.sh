#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# occluded_rays.sh - asks with ten billion rays whether a horizon hides what can be seen, and whether it
# hides enough (occluded_rays.c).
#     tests/campaigns/occluded_rays.sh WORK [MILLIONS [JOBS]] >tests/campaigns/occluded_rays.txt
# WORK is a folder for the build and for the steps of 500 million rays, each with a seed of its own, about
# a minute of one processor. Called again after it was stopped, it goes on with the steps that are missing.
set -euo pipefail
millions="${2:-10000}" jobs="${3:-$(nproc)}" step=500
if [ $# -lt 1 ] || ! [[ "$millions$jobs" =~ ^[0-9]+$ ]] || [ "$millions" -lt 1 ] || [ "$jobs" -lt 1 ]; then
    sed -n '5p' "${BASH_SOURCE[0]}" >&2
    exit 2
fi
. "$(dirname "${BASH_SOURCE[0]}")/campaign.sh"
mkdir -p "$1"
work="$(cd "$1" && pwd)"
program="$work/tests/occluded_rays"
if [ ! -e "$work/commit" ]; then # a run that goes on asks the program that it began with
    build_campaign "$1" occluded_rays -DACRE_BUILD_TOOLS=OFF
    "$root/tests/scripts/commit_name.sh" >"$work/commit"
fi

# one SEED: a step, whose file is there once it is whole.
one() {
    [ ! -e "$work/step$1" ] || return 0
    "$program" $((step * 1000000)) "$1" >"$work/part$1" || {
        echo "FAIL: seed $1"
        cat "$work/part$1"
        return 1
    }
    mv "$work/part$1" "$work/step$1"
}
export -f one
export work program step
count=$(((millions + step - 1) / step))
seq 1001 $((1000 + count)) | xargs -P "$jobs" -I {} bash -c 'one {}' || exit 1

campaign_head "$(cat "$work/commit")"
seq 1001 $((1000 + count)) | sed "s|^|$work/step|" | xargs cat | awk -v count="$count" -v step="$step" '
    {
        match($0, /: [0-9]+ rays/)
        name = substr($0, 1, RSTART - 1)
        split(substr($0, RSTART + 2), words, " ")
        if (!(name in rays)) {
            names[++kinds] = name
        }
        rays[name] += words[1]
        hidden[name] += words[4]
        seen[name] += words[7]
        random[name] += words[11]
        found[name] += words[11] * words[18]
        all += words[1]
        lost += words[7]
    }
    END {
        printf "# %d runs of %d million rays with the seeds 1001 to %d, added up: %.0f rays\n", count, step, 1000 + count, all
        for (i = 1; i <= kinds; i++) {
            n = names[i]
            printf "%s: %.0f rays to %.0f hidden targets, %d targets seen; of %.0f random ones that no ray found %.3f are hidden\n", n,
                rays[n], hidden[n], seen[n], random[n], found[n] / random[n]
        }
        exit lost > 0
    }'
echo "nothing that can be seen was hidden"
