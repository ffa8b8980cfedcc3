# SPDX-License-Identifier: MIT
# build_progress.awk - writes a build's output to LOG and says on its own output, at each tenth, how
# far the build is. Reads make's "[ 12%]" and ninja's "[12/345]".
#     cmake --build FOLDER 2>&1 | awk -v name=NAME -v log_file=LOG -f tools/build_progress.awk
{
    print > log_file
    done = 0
    if (match($0, /^\[ *[0-9]+%\]/))
        done = substr($0, 2, RLENGTH - 3) + 0
    else if (match($0, /^\[[0-9]+\/[0-9]+\]/)) {
        split(substr($0, 2, RLENGTH - 2), parts, "/")
        done = int(100 * parts[1] / parts[2])
    }
    while (last + 10 <= done) {
        last += 10
        if (last < 100) {
            printf "%s: built %d %%\n", name, last
            fflush()
        }
    }
}
