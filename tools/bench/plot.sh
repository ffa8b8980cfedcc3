#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# plot.sh - draws the charts of a machine's results with gnuplot (Debian: gnuplot-nox).
#     tools/bench/plot.sh RESULTS.csv FOLDER
# Writes query_by_size, query_by_visible and refresh_by_share as SVG. Times are minima, caches hot.
set -euo pipefail

if [ "$#" -ne 2 ] || [ ! -r "$1" ] || [ ! -d "$2" ]; then
    echo "usage: tools/bench/plot.sh RESULTS.csv FOLDER (both have to be there)" >&2
    exit 2
fi
if ! command -v gnuplot >/dev/null; then
    echo "plot: gnuplot is missing (tools/setup.sh bench installs it)" >&2
    exit 1
fi
csv="$1"
folder="$2"
script="$(mktemp)"
trap 'rm -f "$script"' EXIT

# chart NAME MODE MEASURE STATE PANEL X TITLE XTITLE YTITLE LOG: a panel for each PANEL (items or
# detail), a line for each contender. X is items, percent (of the detail) or the measure of acre that
# has it. LOG: xy or y.
chart() {
    # Tabs instead of the quotes, as names have commas.
    sed -e 's/","/\t/g' -e 's/,"/\t/' -e 's/",/\t/' "$csv" | awk -F '\t' \
        -v out="$folder/$1.svg.new" -v mode="$2" -v measure="$3" -v state="$4" -v panel="$5" -v x="$6" \
        -v title="$7" -v xtitle="$8" -v ytitle="$9" -v logs="${10}" '
    function style(s) {
        return sprintf("lw %s lc %d dt %d title \"%s\"", names[s] == "acre" ? "2.5" : "1", s, \
            int((s - 1) / 8) + 1, names[s])
    }
    {
        split($1, head, ",")
        split($5, tail, ",")
        if (head[1] != mode) next
        items = head[2]; who = $2; detail = $4; least = tail[3]
        if (who == "acre" && $3 == x) at[items, detail] = least
        if ($3 != measure || tail[1] != state || least <= 0) next
        place = panel == "items" ? items : detail
        if (!(place in panels)) { panels[place] = ++panel_count; panel_names[panel_count] = place }
        if (!(who in series)) { series[who] = ++series_count; names[series_count] = who }
        rows++
        row_panel[rows] = panels[place]; row_series[rows] = series[who]
        row_items[rows] = items; row_detail[rows] = detail; row_y[rows] = least
    }
    END {
        if (rows == 0) exit 3
        columns = panel_count < 3 ? panel_count + 1 : 3
        lines = int((panel_count + columns) / columns) # one for the legend
        for (r = 1; r <= rows; r++) {
            value = x == "items" ? row_items[r] : x == "percent" ? row_detail[r] + 0 \
                : at[row_items[r], row_detail[r]]
            key = row_panel[r] SUBSEP row_series[r]
            if (value != "" && (logs == "y" || value > 0)) {
                data[key] = data[key] value " " row_y[r] "\n"
            }
        }
        for (p = 1; p <= panel_count; p++) {
            for (s = 1; s <= series_count; s++) {
                printf "$d%d_%d << END\n%sEND\n", p, s, data[p SUBSEP s]
            }
        }
        printf "set terminal svg size %d,%d font \"sans-serif,11\" background \"white\"\n", \
            columns * 440, lines * 340 + 40
        printf "set output \"%s\"\n", out
        printf "set multiplot layout %d,%d title \"%s\"\n", lines, columns, title
        printf "set logscale %s\nset grid\nset key off\n", logs
        printf "set xlabel \"%s\"\nset ylabel \"%s\"\n", xtitle, ytitle
        for (p = 1; p <= panel_count; p++) {
            printf "set title \"%s%s\"\n", panel_names[p], panel == "items" ? " boxes" : ""
            plot = ""
            for (s = series_count; s >= 1; s--) {
                if (data[p SUBSEP s] == "") continue
                plot = plot (plot == "" ? "plot " : ", ") \
                    sprintf("$d%d_%d using 1:2 smooth unique with lines %s", p, s, style(s))
            }
            print plot
        }
        print "unset border\nunset tics\nunset xlabel\nunset ylabel\nunset title\nunset logscale"
        print "set key on noenhanced left center font \",10\"\nset xrange [0:1]\nset yrange [0:1]"
        plot = ""
        for (s = 1; s <= series_count; s++) {
            plot = plot (plot == "" ? "plot " : ", ") "NaN with lines " style(s)
        }
        print plot
        print "unset multiplot"
    }' >"$script" || {
        echo "plot: $csv has no rows for $1" >&2
        return 0
    }
    gnuplot "$script"
    mv "$folder/$1.svg.new" "$folder/$1.svg"
}

chart query_by_size all query hot detail items \
    "Time of a query against the number of boxes, at constant density" boxes microseconds xy
chart query_by_visible all query hot items "items visible" \
    "Time of a query against what it finds" "visible boxes, mean" microseconds xy
chart refresh_by_share all refresh "" items percent \
    "Refresh against the share of boxes that move" "% moving" "nanoseconds a mover" xy
