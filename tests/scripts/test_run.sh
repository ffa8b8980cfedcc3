#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_run.sh - the program `acre run` from outside: flags, exit statuses, files, messages.
#     test_run.sh ACRE JSON_VALUE SCENES FOLDER
# ACRE and JSON_VALUE are programs, SCENES is tools/scenes, FOLDER is made anew.
set -uo pipefail
acre="$1"
json_value="$2"
scenes="$3"
folder="$4"

# shellcheck source=tests/scripts/program_checks.sh
. "$(dirname "$0")/program_checks.sh"

run() { run_acre "$@"; }

# A village: two crossing streets and four houses.
{
    echo "o streets"
    printf 'v %s 0 %s\n' -60 0 0 0 60 0 0 -60 0 60
    echo "l 1 2 3"
    echo "l 4 2 5"
    first=6
    for at in "-30 -30" "30 -30" "-30 30" "30 30"; do
        read -r x z <<<"$at"
        echo "o house_$first"
        for y in 0 8; do
            printf 'v %d %d %d\n' $((x - 5)) $y $((z - 5)) $((x - 5)) $y $((z + 5)) \
                $((x + 5)) $y $((z + 5)) $((x + 5)) $y $((z - 5))
        done
        printf 'f %d %d %d %d\n' $((first + 4)) $((first + 5)) $((first + 6)) $((first + 7)) \
            "$first" $((first + 1)) $((first + 5)) $((first + 4)) \
            $((first + 2)) $((first + 3)) $((first + 7)) $((first + 6))
        first=$((first + 8))
    done
} >village.obj
sed '/^l /d' village.obj >houses.obj

# The default scene with every flag.
run run --frames 12 --cars 60 --seed 3 --check 1 --svg deep/er/map.svg --json table.json
expect "the default scene runs" is "$status" 0
for row in "seed 3, 1 worker" "13,077 buildings" "561 street lines" "60 cars" "moved per frame  60" "visible entities" \
    "camera " "cascade 1" "cascade 4" "set " "commit " "refresh " "query " "tree " "bytes " \
    "refresh all " "ground query " "sets equal" \
    "casters " "light " "extruded " "casters dropped " "all are among the casters" \
    "60 visible sets of 12 frames against brute force: equal" "deep/er/map.svg"; do
    expect "the table has its rows" says out.txt "$row"
done
expect "without a terminal there is no progress line" test ! -s err.txt
for part in 'id="streets"' 'id="solids-visible"' 'id="solids-hidden"' 'id="cars-visible"' \
    'id="frustum"' 'id="cascades"' 'id="strict-cells"' 'id="loose-cells"' \
    'OpenStreetMap contributors' '</svg>'; do
    expect "the map has its layers" says deep/er/map.svg "$part"
done
expect "buildings are in the JSON" is "$(json table.json entities solids)" 13077
expect "streets are in the JSON" is "$(json table.json entities street_lines)" 561
expect "cars are in the JSON" is "$(json table.json entities cars)" 60
expect "every car moves in every frame" is "$(json table.json moved_per_frame min)" 60
expect "frames are in the JSON" is "$(json table.json frames)" 12
expect "the check is in the JSON" is "$(json table.json check equal)" true
expect "five sets are checked per frame" is "$(json table.json check sets)" 60
expect "there are five cameras" json table.json cameras 4 visible mean
expect "the camera sees something" is_not "$(json table.json cameras 0 visible min)" 0
for kind in extruded_slice ground_receives entities_alone; do
    share="$(json table.json casters dropped_share $kind)"
    expect "casters are dropped" awk -v share="$share" 'BEGIN { exit !(share > 0.3 && share < 1) }'
done
for cascade in 0 1 2 3; do
    read -r light extruded ground alone <<<"$(for kind in light_volume extruded_slice \
        ground_receives entities_alone; do
        json table.json casters cascades $cascade $kind mean
    done | tr '\n' ' ')"
    expect "each step drops casters of the one before" awk -v a="$light" -v b="$extruded" \
        -v c="$ground" -v d="$alone" 'BEGIN { exit !(a > b && b > c && c >= d && d > 0) }'
    expect "finding casters takes time" \
        is_not "$(json table.json casters cascades $cascade microseconds median)" 0
done
expect "rays find shadows" awk -v rays="$(json table.json check shadow_rays)" \
    -v shadows="$(json table.json check shadows)" 'BEGIN { exit !(rays > 500 && shadows > rays) }'
for time in set commit refresh query; do
    expect "times are in the JSON" is_not "$(json table.json microseconds $time median)" 0
done
expect "the tree holds all that has a box" is "$(json table.json tree items)" $((13077 + 561 + 60))
expect "the bars are in the JSON" is "$(json table.json bars ground_sets_equal)" true

# The same seed gives the same sets; another one does not.
for name in one two other; do
    seed=5
    [ "$name" = other ] && seed=6
    run run village.obj --frames 90 --cars 8 --seed "$seed" --check 30 --svg none \
        --json "$name.json"
    expect "a village of another format runs" is "$status" 0
done
expect "houses are known" is "$(json one.json entities solids)" 4
expect "the same seed gives the same sets" \
    is "$(json one.json visible_hash)" "$(json two.json visible_hash)"
expect "another seed gives other sets" \
    is_not "$(json one.json visible_hash)" "$(json other.json visible_hash)"
expect "the last frame is checked as well" is "$(json one.json check frames)" 3
run run village.obj --frames 31 --cars 8 --check 30 --svg none --json last.json
expect "the last frame is checked as well" is "$(json last.json check frames)" 2

# What is left out, and what is default.
run run village.obj --frames 3 --check 0
expect "a run without checks passes" is "$status" 0
expect "a run without checks says so" says out.txt "checked          nothing"
expect "the picture's default place is out/" test -s out/village.svg
expect "what is no map of OpenStreetMap does not name it" says_not out/village.svg OpenStreetMap
run run houses.obj --frames 3 --check 1 --svg none
expect "a file without streets runs" is "$status" 0
expect "a file without streets has no cars and says so" says out.txt "no cars: the file has no streets"
expect "svg none writes no picture" test ! -e out/houses.svg
run run houses.obj --frames 1 --check 0 --svg houses.svg
expect "a picture without streets has none in its legend" is "$(grep -c 'streets</text>' houses.svg)" 0
run run village.obj --frames 1 --check 0 --svg village.svg
expect "a picture with streets has them in its legend" is "$(grep -c 'streets</text>' village.svg)" 1

# The instruction set that the environment names.
ACRE_KERNEL=nonsense run run village.obj --frames 1 --check 0 --svg none
expect "an unknown ACRE_KERNEL is refused" is "$status" 2
expect "the message names what it may be" says err.txt "ACRE_KERNEL is 'nonsense'; it may be scalar"
ACRE_KERNEL=scalar run run village.obj --frames 1 --check 0 --svg none
expect "a known ACRE_KERNEL runs" is "$status" 0

# Files that cannot be read.
head -c 3000000 "$scenes/san_francisco.glb" >cut.glb
: >empty.glb
head -c 4096 /dev/zero >zeros.glb
echo "not a scene" >text.unknown
mkdir folder.glb
for file in missing.glb cut.glb empty.glb zeros.glb text.unknown folder.glb; do
    run run "$file" --frames 3 --svg none --json broken.json
    expect "a broken file ends with status 1" is "$status" 1
    expect "a broken file is named" says err.txt "$file"
    expect "a broken file gives no table" test ! -s out.txt
    expect "a broken file gives no JSON" test ! -e broken.json
done

# Places that cannot be written.
: >plain
for place in plain/map.svg /dev/full; do
    run run village.obj --frames 3 --svg "$place"
    expect "a picture that cannot be written ends with status 1" is "$status" 1
    expect "a picture that cannot be written is named" says err.txt "$place"
done
for place in plain/table.json /dev/full; do
    run run village.obj --frames 3 --svg none --json "$place"
    expect "a table that cannot be written ends with status 1" is "$status" 1
    expect "a table that cannot be written is named" says err.txt "$place"
done

run run village.obj --frames 3 --svg none --json made/on/the/way.json
expect "folders of a table are made" test -s made/on/the/way.json
expect "nothing temporary is left" is "$(ls made/on/the)" way.json

# Wrong arguments.
refused() {
    local named="$1"
    shift
    run run village.obj --json refused.json "$@"
    expect "a wrong argument ends with status 2" is "$status" 2
    expect "a wrong argument is named" says err.txt "$named"
    expect "a wrong argument runs nothing" test ! -s out.txt -a ! -e refused.json
}
refused "--frames" --frames 0
refused "'many'" --frames many
refused "--cars" --cars 10000001
refused "'-3'" --seed -3
refused "'1.5'" --check 1.5
refused "--speed" --speed 9
refused "--frames needs a value" --frames
refused "second.obj" second.obj
refused "looks like an option" --svg --json
refused "--cars takes" --cars=
run
expect "no command ends with status 2" is "$status" 2
run fly
expect "an unknown command ends with status 2" is "$status" 2
expect "an unknown command is named" says err.txt "'fly'"

run run --help
expect "help ends with status 0" is "$status" 0
for flag in --frames --cars --seed --check --svg --json --help; do
    expect "help names every flag" says out.txt "$flag"
done
run --help
expect "help of the program ends with status 0" is "$status" 0
run --version
expect "the version is printed" says out.txt "acre 0."
run --version extra
expect "the version takes no argument" is "$status" 2
expect "an argument of the version is named" says err.txt "'extra'"

# The standard output is an output, too.
status=0
"$acre" --version >/dev/full 2>err.txt || status=$?
expect "what cannot be printed ends with status 1" is "$status" 1
expect "the standard output is then named" says err.txt "standard output"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 100 ]
