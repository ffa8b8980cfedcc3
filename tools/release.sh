#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# release.sh - the checklist of a release: every line says ok or failed, with a dated result.
#     tools/release.sh WORK [STEP...]
# Without steps all of them run, in this order, some hours on two processors:
#     clean       no file is changed or untracked
#     format      C files are formatted, layers hold
#     versions    all files name one version, and CHANGES.md begins with it and its date
#     licenses    every file has its license
#     readme      names and commands in README files exist
#     tests       tools/test.sh --all
#     deb two-file npm python web docs
#                 each package is made, and used where nothing else is
#     platforms   tests/scripts/platforms.sh, which writes the table in tests/README.md
#     rooms       tests/scripts/clean_room.sh: the README's first command, two-file and npm in a bare Debian 12
#     room-tests  there the same as in `tests`, which takes as long
#     hosts       tests/campaigns/hosts.sh, with its record in WORK/hosts.txt; 13 minutes where nothing is built
#     figures     tests/scripts/figures.sh: tables were measured by a commit since which the code that they
#                 measure has not changed; records of campaigns that are older are named
#     whole       each line above says ok, of this commit, or of one from which only results differ
# Lines go to tests/results/release-VERSION.txt as well: a step that runs again replaces its line, and
# nothing else but that table is written outside WORK and the build folders. Each line names its commit,
# COMMIT-dirty if any other file was changed.
# Root, a mirror, node, npm and Chromium are needed by some steps, and what `tools/setup.sh release` installs.
# All run with CI=1: what is missing fails its line.
set -uo pipefail
if [ $# -lt 1 ]; then
    sed -n '4,/^set /s/^# //p' "${BASH_SOURCE[0]}" >&2
    exit 2
fi
mkdir -p "$1" && work="$(cd "$1" && pwd)" || exit 1
shift
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
export CI=1
all=(clean format versions licenses readme tests deb two-file npm python web docs platforms rooms room-tests hosts
    figures whole)
steps=("$@")
[ $# -gt 0 ] || steps=("${all[@]}")
is_step() {
    local name
    for name in "${all[@]}"; do
        [ "$1" != "$name" ] || return 0
    done
    return 1
}
for step in "${steps[@]}"; do
    is_step "$step" || {
        echo "release: there is no step '$step'; there are: ${all[*]}" >&2
        exit 2
    }
done
version="$(sed -n 's/^project(acre VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)"
result="tests/results/release-$version.txt"
mkdir -p "$(dirname "$result")"
touch "$result"

check_clean() {
    local changed
    changed="$(tests/scripts/commit_name.sh changed)" || return 1
    [ -z "$changed" ] || {
        echo "$changed"
        return 1
    }
    echo "no file is changed"
}

check_versions() {
    tests/scripts/versions.sh || return 1
    grep -E "^## $version, [0-9]{4}-[0-9]{2}-[0-9]{2}\$" CHANGES.md || {
        echo "CHANGES.md has no date for $version"
        return 1
    }
}

check_format() {
    tools/format.sh --check && tests/scripts/layering.sh
}

# The program of a release build.
acre="${ACRE_BUILD:-build}/release/tools/acre"
build_acre() {
    tools/run.sh --frames 1 --svg "$work/map.svg"
}

check_readme() {
    build_acre && tests/scripts/readme_names.sh "$acre"
}

# test_page.sh makes the pages. The recording that it shows is what a test prints as C.
check_web() {
    mkdir -p "$work/web" && build_acre &&
        cmake -S . -B "$work/recorded" -DCMAKE_BUILD_TYPE=Release -DACRE_BUILD_TOOLS=OFF &&
        cmake --build "$work/recorded" --target test_printed_record &&
        cp "$work/recorded/tests/recorded.acreqt" "$work/web" &&
        tests/scripts/test_page.sh "$acre" "$work/web"
}

check_room_tests() {
    tests/scripts/clean_room.sh "$work/rooms" test && grep -E '^[0-9]+ passed' "$work/rooms/log"
}

check_docs() {
    tools/package.sh docs "$work/docs" && [ -s "$work/docs/index.html" ]
}

# An example that is left out says so.
check_hosts() {
    tests/campaigns/hosts.sh "$work/hosts.txt" && ! grep -E 'left out|Skipped' "$work/hosts.txt" &&
        echo "$(grep -c ': Passed$' "$work/hosts.txt") examples passed"
}

differs_by_results_alone() {
    git diff --quiet "$1" HEAD -- . ':!tests/results' ':!tests/README.md' 2>/dev/null
}

# Between a line's commit and this one nothing differs but results.
check_whole() {
    local step word date at bad=""
    check_clean || bad=" HEAD"
    for step in "${all[@]}"; do
        [ "$step" != whole ] || continue
        read -r _ word date at _ < <(grep "^$step " "$result" || echo "$step has no line")
        if [ "$word" != ok ] || ! differs_by_results_alone "$at"; then
            echo "$step: $word $date $at"
            bad+=" $step"
        fi
    done
    if [ -n "$bad" ]; then
        echo "does not hold:$bad"
        return 1
    fi
    echo "$((${#all[@]} - 1)) steps hold"
}

# Every kind ran, and some did.
check_platforms() {
    local count table="$work/platforms/table"
    tests/scripts/platforms.sh "$work/platforms" write && ! grep SKIP "$table" || return 1
    count="$(grep -c ' passed, 0 failed |$' "$table")" && echo "$count kinds of platforms, all equal"
}

run_step() {
    case "$1" in
    clean | format | versions | readme | web | docs | platforms | hosts | whole) "check_$1" ;;
    figures) tests/scripts/figures.sh ;;
    room-tests) check_room_tests ;;
    licenses) tests/scripts/licenses.sh ;;
    tests) tools/test.sh --all ;;
    deb) tests/scripts/test_packages.sh "$work/deb" ;;
    two-file) tests/scripts/two_file.sh "$work/two-file" all ;;
    npm) tests/scripts/test_npm.sh "$work/npm" ;;
    python) tests/scripts/test_python.sh "$work/python" ;;
    rooms) tests/scripts/clean_room.sh "$work/rooms" ;;
    *) return 1 ;;
    esac
}

failed=0
for step in "${steps[@]}"; do
    word=ok
    begun=$SECONDS
    commit="$(tests/scripts/commit_name.sh)" || exit 1
    run_step "$step" >"$work/$step.log" 2>&1 || word=failed
    [ "$(tests/scripts/commit_name.sh)" = "$commit" ] || {
        word=failed
        echo "files changed while it ran" >>"$work/$step.log"
    }
    last="$(grep -v '^$' "$work/$step.log" | tail -n 1 | cut -c 1-100)"
    last="${last//$work/WORK}"
    line="$(printf '%-10s %-7s %s %s  %s (%d s)' "$step" "$word" "$(date +%F)" "$commit" "$last" \
        $((SECONDS - begun)))"
    echo "$line"
    [ "$word" = ok ] || {
        failed=$((failed + 1))
        echo "           all it said: $work/$step.log"
    }
    { grep -v "^$step " "$result"; echo "$line"; } >"$work/result"
    cp "$work/result" "$result.new" && mv "$result.new" "$result"
done
# The lines in the order of the list.
for step in "${all[@]}"; do
    grep "^$step " "$result"
done >"$work/result"
cp "$work/result" "$result.new" && mv "$result.new" "$result"
echo "release $version: ${#steps[@]} steps, $failed failed"
[ "$failed" -eq 0 ]
