# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# bare_system.sh - a bare Debian 12 in a folder, for scripts that source this file. Needs root,
# debootstrap and a mirror.

# bare_base FOLDER: the system is there, whole. It is made beside and renamed, so that a run that was
# stopped leaves nothing that looks whole.
bare_base() {
    if [ ! -d "$1" ]; then
        bare_remove "$1.part"
        debootstrap --variant=minbase bookworm "$1.part"
        bare_unmount "$1.part"
        mv "$1.part" "$1"
    fi
}

# bare_fresh BASE FOLDER: a copy of the system in which programs can run, with a folder /acre.
bare_fresh() {
    bare_remove "$2"
    cp -a "$1" "$2"
    cp /etc/resolv.conf "$2/etc/resolv.conf"
    echo force-unsafe-io >"$2/etc/dpkg/dpkg.cfg.d/unsafe-io" # it need not outlive a power cut
    mkdir "$2/acre"
    mount -t proc proc "$2/proc" # without it the loader finds no libraries beside a program
    mount -t devpts devpts "$2/dev/pts" -o newinstance,ptmxmode=0666
    ln -sf pts/ptmx "$2/dev/ptmx"
}

# bare_run FOLDER SCRIPT: bash runs the script of that path inside.
bare_run() {
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive \
        chroot "$1" /bin/bash "$2"
}

# bare_mounts FOLDER: what is mounted at or under it. /proc/self/mounts writes spaces and backslashes
# in another way, so a path with one of them is refused.
bare_mounts() {
    local folder
    folder="$(realpath -m -- "$1")" && [ -n "$folder" ] && [ "$folder" != / ] || return 1
    if [[ "$folder" = *[[:space:]\\]* ]]; then
        echo "bare_system: there is a space or a backslash in the path $folder" >&2
        return 1
    fi
    awk -v folder="$folder" '$2 == folder || index($2, folder "/") == 1 { print $2 }' /proc/self/mounts
}

# bare_unmount FOLDER: nothing is mounted at or under it any more; fails where something is busy.
bare_unmount() {
    local places place
    places="$(bare_mounts "$1")" || return 1
    while read -r place; do
        [ -z "$place" ] || umount -- "$place" || return 1
    done < <(LC_ALL=C sort -r <<<"$places") # what is inside comes first
    places="$(bare_mounts "$1")" && [ -z "$places" ]
}

# bare_remove FOLDER: takes the system away, and nothing that is mounted in it.
bare_remove() {
    bare_unmount "$1" && rm -rf --one-file-system -- "$1"
}
