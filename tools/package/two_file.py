#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""two_file.py - writes Acre, or its tree alone, as one header and one source file.

    tools/package/two_file.py NAME OUT [FOLDER...]

NAME.h and NAME.c in OUT hold the folders of engine and modules that are named; without names, all but
import and what needs MPI. Every file of a folder comes in by itself: nothing here lists files.

Without names it also writes NAME.hpp, the C++ classes over NAME.h.

The header is the public headers, each after those it includes, with their guards. The source file is
the internal headers in the same order, then every .c file. Static names are unique in the library but
for those of kernels, which are the same in each instruction set. So the kernels of a folder and set
form a section, and so does every other file that works on lanes. A section holds the headers that
sections alone include; at its head, its names are defined as names of that section, and at its end the
definitions are taken back.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WIDE_SETS = ("sse4", "avx2", "avx512")
INCLUDE = re.compile(r'^ *#include +(?:"([^"]+)"|<(acre/[^>]+)>).*\n', re.M)
SYSTEM = re.compile(r"^#include +<(?!acre/)[^>]+>.*\n", re.M)
NEEDS_CGLM = re.compile(r"^ *#include +<cglm/", re.M)


KERNEL_OF_PART = re.compile(r"^#define ([A-Z]+)_KERNEL\(set\)", re.M)


class Source:
    """A file, with the names of the files that it includes. text: of one that CMake makes."""

    def __init__(self, path, text=None):
        self.path = path
        text = (ROOT / path).read_text() if text is None else text
        self.text = text.removeprefix("// SPDX-License-Identifier: MIT\n")
        self.name = "acre/" + path.name if "include" in path.parts else path.name
        self.includes = ["".join(pair) for pair in INCLUDE.findall(self.text)]
        self.folder = path.parts[1]
        stem = path.stem.rsplit("_", 1)[-1]
        self.set = stem if path.suffix == ".c" and stem in ("scalar",) + WIDE_SETS else None

    def unguarded(self):
        """The text without an include guard, which generated files do not need."""
        found = re.search(r"^#ifndef (ACRE_\w+_H)\n#define \1\n", self.text, re.M)
        if not found:
            return self.text
        end = self.text.rindex("#endif")
        return self.text[: found.start()] + self.text[found.end() : end]


def made_kernels(part):
    """The files that acre_make_kernels (cmake/kernels.cmake) makes of a question's part."""
    stem, question = part.path.stem.removesuffix("_part").rsplit("_", 1)
    table = (ROOT / "cmake/kernel_table.c.in").read_text()
    kernel = (ROOT / "cmake/kernel.c.in").read_text()
    for name in (None, "scalar") + WIDE_SETS:
        text = kernel if name else table
        values = {"stem": stem, "question": question, "QUESTION": question.upper(), "set": name or ""}
        for key, value in values.items():
            text = text.replace(f"@{key}@", value)
        ending = f"_{name}.c" if name else ".c"
        yield Source(part.path.with_name(f"{stem}_{question}{ending}"), text)


class Library:
    def __init__(self, folders):
        self.sources = {}
        for top in ("engine", "modules"):
            for path in sorted((ROOT / top).glob("*/**/*.[ch]")):
                path = path.relative_to(ROOT)
                if path.parts[1] in folders and path.parts[2] in ("src", "include"):
                    source = Source(path)
                    self.sources[source.name] = source
                    if KERNEL_OF_PART.search(source.text):
                        self.sources |= {made.name: made for made in made_kernels(source)}
        # What needs MPI stays with the library, and so does what stands on it.
        needy = [
            name
            for name in self.sources
            if any(
                "#include <mpi.h>" in self.sources[inner].text
                for inner in self.closure(self.sources[name]) + [name]
            )
        ]
        for name in needy:
            del self.sources[name]

    def closure(self, source):
        """All that a file includes, each after what it includes itself."""
        order = []

        def visit(name):
            if name in self.sources and name not in order:
                for inner in self.sources[name].includes:
                    visit(inner)
                order.append(name)

        for name in source.includes:
            visit(name)
        return order

    def in_order(self, names):
        order = []
        for name in sorted(names):
            for inner in self.closure(self.sources[name]) + [name]:
                if inner in names and inner not in order:
                    order.append(inner)
        return order

    def needs_cameras(self, name):
        names = self.closure(self.sources[name]) + [name]
        return any(
            NEEDS_CGLM.search(self.sources[inner].text) or self.sources[inner].folder == "camera"
            for inner in names
        )


def expand_macros(text, common):
    """The text with those macros replaced that make functions and stand alone in a line."""
    macros = {}
    for name, _, parameters, body in re.findall(
        r"^#define (\w+)(\(([^)]*)\))?((?:.*\\\n)+.*\n)", common + text, re.M
    ):
        body = re.sub(r" *\\\n", "\n", body)
        if re.search(r"\b(static|ACRE_ALWAYS_INLINE)\b", body):
            macros[name] = (re.findall(r"\w+", parameters), body)
    plain = re.sub(r"^#define (?:.*\\\n)*.*\n", "", text, flags=re.M)
    for _ in range(2):  # a macro may use another

        def call(found):
            if found[2] not in macros:
                return found[0]
            parameters, body = macros[found[2]]
            arguments = [word.strip() for word in (found[3] or "()")[1:-1].split(",")]
            for parameter, argument in zip(parameters, arguments):
                body = re.sub(rf"\b{parameter}\b", argument, body)
            return re.sub(r" *## *", "", body)

        plain = re.sub(r"^( *)(\w+)(\([^()]*\))?;?$", call, plain, flags=re.M)
    return re.sub(r"^ {4}(?=static|ACRE_ALWAYS_INLINE)", "", plain, flags=re.M)


def defined_names(plain):
    """The names that a text without macros defines at file scope."""
    functions = r"^(?:static|ACRE_ALWAYS_INLINE|ACRE_NEVER_INLINE)\b[^;={(]*?(\w+)\("
    found = set(re.findall(functions, plain, re.M))
    found |= set(re.findall(r"^static [^;={(]*?(\w+)(?:\[[^\]]*\])* =", plain, re.M))
    found |= set(re.findall(r"^typedef [^;{}()]*?(\w+)[;(]", plain, re.M))
    found |= set(re.findall(r"^typedef (?:struct|union|enum) (\w+) \{", plain, re.M))
    found |= set(re.findall(r"^\} (\w+);", plain, re.M))
    for body in re.findall(r"^(?:typedef )?enum(?: \w+)? \{\n(.*?)^\}", plain, re.M | re.S):
        found |= set(re.findall(r"^ *(\w+)\b", re.sub(r"//.*", "", body), re.M))
    for body in re.findall(r"^enum(?: \w+)? \{ (.*) \};", plain, re.M):
        found |= set(re.findall(r"(?:^|, )(\w+)\b", body))
    return found - {"static_assert", "_Static_assert"}


def names_of(text, common):
    """The names that a section defines at file scope, and its macros. common: what it includes."""
    macros = set(re.findall(r"^#define (\w+)", text, re.M))
    plain = re.sub(r"^#define (?:.*\\\n)*.*\n", "", text, flags=re.M)
    names = (defined_names(plain) | defined_names(expand_macros(text, common))) - macros
    return names, macros


def without_includes(library, text):
    def keep(found):
        name = found[1] or found[2]
        return "" if name in library.sources else found[0]

    return INCLUDE.sub(keep, text)


def expand(library, text, seen):
    """The text with each include replaced by the file, where that has not been seen yet."""

    def put(found):
        name = found[1] or found[2]
        if name not in library.sources:
            return found[0]
        if name in seen:
            return ""
        seen.add(name)
        return expand(library, library.sources[name].unguarded(), seen)

    return INCLUDE.sub(put, text)


def rename(text, names, key):
    """Puts the section's key before functions that fields are named after, not before the fields."""
    if not names:
        return text
    words = re.compile(r"(?<![\w.])(?<!->)(" + "|".join(sorted(names)) + r")\b")
    lines = []
    for line in text.split("\n"):
        code, slashes, comment = line.partition("//")
        lines.append(words.sub(rf"{key}_\1", code) + slashes + comment)
    return "\n".join(lines)


def section(library, key, members, common):
    """The .c files of members, with the headers that no common file has brought in."""
    text = ""
    seen = set(common)
    for member in members:
        text += f"\n// ---- {member.path} ----\n" + expand(library, member.text, seen)
    systems = list(dict.fromkeys(SYSTEM.findall(text)))
    text = SYSTEM.sub("", text)
    known = "".join(library.sources[name].text for member in members for name in library.closure(member))
    names, macros = names_of(text, known)
    fields = names & set(re.findall(r"(?:\.|->)(\w+)\b(?!\()", text))
    text = rename(text, fields, key)
    names -= fields
    head = "".join(systems)
    head += "".join(f"#define {name} {key}_{name}\n" for name in sorted(names))
    tail = "".join(f"#undef {name}\n" for name in sorted(names | macros))
    return f"\n{head}{text}\n{tail}"


def public_header(library, name, head):
    public = [key for key in library.sources if key.startswith("acre/")]
    text = head
    for key in library.in_order(set(public)):
        source = library.sources[key]
        body = without_includes(library, source.text)
        if key == "acre/glm.h":
            body = f"#if defined(cglm_h) && defined(ACRE_HAS_CAMERAS)\n{body}#endif\n"
        elif library.needs_cameras(key):
            body = f"#ifdef ACRE_HAS_CAMERAS\n{body}#endif\n"
        text += f"\n// ---- {key} ----\n{body}"
    return text


def source_file(library, head):
    files = [source for source in library.sources.values() if source.path.suffix == ".c"]

    def works_on_lanes(source):
        return any(name.startswith("lanes_") for name in library.closure(source))

    in_sections = [source for source in files if source.set or works_on_lanes(source)]
    plain = [source for source in files if source not in in_sections]
    # It asks the C library's headers for more than the others do, so it comes first.
    plain.sort(key=lambda source: (source.name != "alloc.c", source.path))
    common = {name for source in plain for name in library.closure(source)}
    internal = [name for name in library.in_order(common) if not name.startswith("acre/")]
    common |= {key for key in library.sources if key.startswith("acre/")}

    def fenced(name, text):
        if library.needs_cameras(name):
            return f"\n#ifdef ACRE_HAS_CAMERAS{text}#endif\n"
        return text

    text = head
    first = plain.pop(0)
    internal_first = [name for name in library.closure(first) if name in internal]
    opening, rest = first.text.split("#include <acre/alloc.h>\n", 1)
    text += f"\n// ---- {first.path} ----\n{opening}@HEADER@"
    for name in internal_first + [name for name in internal if name not in internal_first]:
        source = library.sources[name]
        body = f"\n// ---- {source.path} ----\n" + without_includes(library, source.unguarded())
        text += fenced(name, body)
    text += without_includes(library, rest)
    for source in plain:
        body = f"\n// ---- {source.path} ----\n" + without_includes(library, source.text)
        text += fenced(source.name, body)
    groups = {}
    for source in in_sections:
        key = f"{source.folder}_{source.set}" if source.set else source.path.stem
        groups.setdefault(key, []).append(source)
    for key, members in groups.items():
        body = section(library, key, members, common)
        body = fenced(members[0].name, body)
        if members[0].set in WIDE_SETS:
            body = f"\n#ifdef ACRE_HAS_KERNEL_{members[0].set.upper()}\n{body}#endif\n"
        text += body
    return text


def beside_header(name, text):
    """acre.hpp, which includes the one header instead of those of the library."""
    begin = text.index("#include <acre/")
    end = text.index("#endif\n", begin) + len("#endif\n")
    head = text[:begin].removeprefix("// SPDX-License-Identifier: MIT")
    has_culling = "#ifdef ACRE_HAS_CAMERAS\n#define ACRE_HPP_HAS_CULLING 1\n#endif\n"
    return f'{head}#include "{name}.h"\n{has_culling}{text[end:]}'


def main():
    if len(sys.argv) < 3:
        print("usage: tools/package/two_file.py NAME OUT [FOLDER...]", file=sys.stderr)
        sys.exit(2)
    name, out, folders = sys.argv[1], Path(sys.argv[2]), sys.argv[3:]
    folders_named = bool(folders)
    if not folders:
        folders = [path.name for top in ("engine", "modules") for path in (ROOT / top).iterdir()]
        folders.remove("import")
    library = Library(folders)
    license_text = "".join(
        f"// {line}".rstrip() + "\n" for line in (ROOT / "LICENSE").read_text().splitlines()
    )
    version = re.search(r"project\(acre VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
    has_cameras = any(library.needs_cameras(key) for key in library.sources)
    heads = (Path(__file__).parent / "two_file_heads.txt").read_text()
    heads = heads.replace("@NAME@", name).replace("@VERSION@", version)
    header_head, cameras, source_head = heads.split("@CUT@\n")
    cameras = cameras if has_cameras else ""
    header = public_header(library, name, license_text + header_head + cameras)
    source = source_file(library, license_text + source_head)
    source = source.replace("@HEADER@", f'#include "{name}.h"\n')
    (out / f"{name}.h").write_text(header)
    (out / f"{name}.c").write_text(source)
    if not folders_named:
        text = (ROOT / "modules/cpp/include/acre/acre.hpp").read_text()
        (out / f"{name}.hpp").write_text(license_text + beside_header(name, text))


main()
