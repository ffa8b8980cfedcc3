#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_python.sh - the Python examples with a shared library.
#     tests/scripts/test_python.sh LIBACRE_SO
# Exit status 77: skipped, as there is no Python with numpy; with CI set that fails.
set -euo pipefail
library="$(cd "$(dirname "$1")" && pwd)/$(basename "$1")"
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
for python in python3 /usr/bin/python3 none; do
    if command -v "$python" >/dev/null && "$python" -c 'import numpy' 2>/dev/null; then
        break
    fi
done
if [ "$python" = none ]; then
    echo "python: skipped, numpy is missing (Debian: python3-numpy)"
    [ -z "${CI:-}" ] || exit 1
    exit 77
fi
export ACRE_LIBRARY="$library" PYTHONDONTWRITEBYTECODE=1
"$python" -W error tests/python/test_acre_tree.py
"$python" -W error tools/examples/python/herd.py 2000
