# SPDX-License-Identifier: MIT
# docs_header.awk - makes the comment at the beginning of a header one that doxygen reads.
# Its first line is "// name.h - one sentence"; what is indented by four blanks stays as it is.
NR == 1 {
    print "/// @file"
    in_head = 1
    next
}
in_head && !/^\/\/( |$)/ {
    in_head = 0
}
!in_head {
    print
    next
}
/^\/\/     / {
    if (!was_code) {
        print "///"
    }
    was_code = 1
    print "/" $0
    next
}
{
    gsub(/[\\<>@#&%]/, "\\\\&")
    if (NR == 2) {
        sentence = substr($0, index($0, " - ") + 3)
        $0 = "// @brief " toupper(substr(sentence, 1, 1)) substr(sentence, 2)
    }
    print (was_code && $0 != "//" ? "///\n/" : "/") $0
    was_code = 0
}
