#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_python.sh - packs the tree for numpy, installs it into an empty environment, and tests it there.
#     tests/scripts/test_python.sh WORK
# Exit status 77: skipped, as there is no Python with numpy, setuptools, wheel and venv; with CI set that
# fails.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root="$PWD" work="$1"
for python in python3 /usr/bin/python3 none; do
    if command -v "$python" >/dev/null && "$python" -c 'import numpy, setuptools, wheel, ensurepip' 2>/dev/null; then
        break
    fi
done
if [ "$python" = none ]; then
    echo "python: skipped (Debian: python3-numpy python3-setuptools python3-wheel python3-venv)"
    [ -z "${CI:-}" ] || exit 1
    exit 77
fi
rm -rf "$work"
mkdir -p "$work/out"
work="$(cd "$work" && pwd)"
# -O1 is compiled in half of the time.
CFLAGS="-O1 -Wall -Wextra -Werror" PYTHON="$python" ./tools/package.sh python "$work/out"
"$python" -m venv --system-site-packages "$work/venv"
"$work/venv/bin/pip" install -q --no-index --disable-pip-version-check "$work"/out/*.whl
cd "$work" # from where `acre` is the installed one
export PYTHONDONTWRITEBYTECODE=1
venv/bin/python -W error "$root/tests/python/test_acre.py"
venv/bin/python -W error "$root/tools/python/examples/crowd.py" 2000
