# SPDX-License-Identifier: MIT
# campaign.sh - what scripts beside it share, which source it: `root` is the checkout.
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"

# build_campaign WORK TARGET [OPTION...]: builds the target optimized in WORK, whose whole path is `work`.
build_campaign() {
    mkdir -p "$1"
    work="$(cd "$1" && pwd)"
    { cmake -S "$root" -B "$work" -DCMAKE_BUILD_TYPE=Release "${@:3}" &&
        cmake --build "$work" --target "$2" --parallel "$(nproc)"; } >"$work/log" 2>&1 || {
        tail -n 40 "$work/log" >&2
        exit 1
    }
}

# campaign_head [COMMIT]: the first line of a dated result.
campaign_head() {
    echo "# $(date -I), commit ${1:-$("$root/tests/scripts/commit_name.sh")}, $(cc --version | head -n 1)," \
        "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1)"
}

# npm_project NAME PACKAGE...: an empty project in the build folder, with the npm package and these. The script
# goes on there; `commit` is the one that was packed.
npm_project() {
    work="${ACRE_BUILD:-$root/build}/$1"
    commit="$("$root/tests/scripts/commit_name.sh")"
    mkdir -p "$work"
    "$root/tools/package.sh" npm "$work"
    rm -rf "$work/project"
    mkdir "$work/project"
    cd "$work/project"
    echo '{"private": true}' >package.json
    npm install --silent --no-audit --no-fund "$work"/acre-culling-*.tgz "${@:2}"
}
