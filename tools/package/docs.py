#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""docs.py - gathers the pages of the manual for doxygen, with links that fit the new places.

    docs.py ROOT OUT

Pages may link to pages, to headings in them, to pictures and to other files of the repository. The
first three are kept; the last become plain text, as HTML has no source files. A link to nothing
ends it with status 1.
"""
import re
import shutil
import sys
from pathlib import Path

LINK = re.compile(r'(!?)\[((?:[^\[\]]|!?\[[^\]]*\]\([^)]*\))*)\]\(([^)\s]+)\)')
HEADING = re.compile(r'^(#{1,6}) +(.*?) *$', re.MULTILINE)
NAME = re.compile(r'(?<![\w\\])@(?=\w)') # of npm's packages; doxygen takes it for a command
CODE = re.compile(r'(```.*?```|`[^`\n]*`)', re.DOTALL)


def pages_of(root):
    """README files and the pages beside them: first those that the manual's contents link to, in
    that order."""
    contents = root / 'tools' / 'docs' / 'README.md'
    linked = [(contents.parent / target.partition('#')[0]).resolve()
              for _, _, target in LINK.findall(contents.read_text())]
    found = [root / 'README.md', contents] + [page for page in linked if page.suffix == '.md']
    found += [root / 'CHANGES.md', root / 'CONTRIBUTING.md']
    for folder in ('engine', 'modules', 'tests', 'tools'):
        found += sorted((root / folder).rglob('*.md'))
    return [page for page in dict.fromkeys(found) if 'node_modules' not in page.parts]


def name_of(root, page):
    path = page.relative_to(root)
    if path == Path('README.md'):
        return 'index.md'
    parts = [part for part in path.with_suffix('').parts if part != 'README']
    return '_'.join(parts) + '.md'


def anchor_of(heading):
    """As web pages of repositories make it of a heading."""
    text = re.sub(r'[`*]', '', re.sub(r'\[([^\]]*)\]\([^)]*\)', r'\1', heading)).lower()
    return re.sub(r' ', '-', re.sub(r'[^\w\- ]', '', text))


class Manual:
    def __init__(self, root, out):
        self.root, self.out, self.broken = root, out, []
        self.names = {page.resolve(): name_of(root, page) for page in pages_of(root)}
        self.anchors = {page: {anchor_of(h) for _, h in HEADING.findall(page.read_text())}
                        for page in self.names}

    def label(self, page, heading):
        return self.names[page][:-3] + '_' + heading

    def link(self, page, match):
        image, text, target = match.groups()
        text = LINK.sub(lambda inner: self.link(page, inner), text)
        if re.match(r'[a-z]+:', target):
            return f'{image}[{text}]({target})'
        path, _, anchor = target.partition('#')
        file = (page.parent / path).resolve() if path else page
        if not file.exists() or (anchor and anchor not in self.anchors.get(file, ())):
            self.broken.append(f'{page.relative_to(self.root)}: {target}')
            return text
        if file in self.names:
            return f'[{text}](@ref {self.label(file, anchor)})' if anchor else \
                f'[{text}]({self.names[file]})'
        if file.suffix in ('.png', '.svg') and file.is_file():
            name = '_'.join(file.relative_to(self.root).parts)
            shutil.copy(file, self.out / name)
            return f'{image}[{text}]({name})' if image else text
        return text

    def write(self, page):
        seen = set()

        def heading(match):
            anchor = anchor_of(match.group(2))
            if len(match.group(1)) == 1 or anchor in seen:
                return match.group(0)
            seen.add(anchor)
            return f'{match.group(1)} {match.group(2)} {{#{self.label(page, anchor)}}}'

        # Links and headings stand outside code, but a heading may have code in it.
        text = HEADING.sub(heading, page.read_text())
        parts = CODE.split(text)
        for i in range(0, len(parts), 2):
            text = NAME.sub(r'\\@', parts[i])
            parts[i] = LINK.sub(lambda match: self.link(page, match), text)
        (self.out / self.names[page]).write_text(''.join(parts))

    def write_order(self):
        (self.out / 'order').write_text('\n'.join(self.names.values()) + '\n')


def main():
    root, out = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    manual = Manual(root, out)
    for page in manual.names:
        manual.write(page)
    manual.write_order()
    for link in manual.broken:
        print(f'docs: a link leads nowhere: {link}', file=sys.stderr)
    return 1 if manual.broken else 0


if __name__ == '__main__':
    sys.exit(main())
