# SPDX-License-Identifier: MIT
# modules.cmake - the graph of Acre's modules: the only place where it stands.
#
# acre_module(NAME USES ... [WHERE ...] [BRINGS ...] [PKG_CONFIG NAME] [STATIC])
#     NAME        the folder engine/NAME or modules/NAME, whose CMakeLists.txt calls acre_library
#     USES        what it stands on, from lines above; what these use comes with them
#     WHERE       what it uses where that is built, and does without elsewhere
#     BRINGS      who links acre::NAME links these as well, which use it
#     PKG_CONFIG  needs a package that most programs do not: it is no part of libacre.so and acre.pc,
#                 but a library and a file NAME.pc of its own
#     STATIC      has no shared library
# A module is left out where what it uses is missing, or a package that its own CMakeLists.txt names.
#
# CMake builds, installs and exports by these lines, and the tests read them (tests/scripts/module_graph.sh):
# what may be included, and what the pages show. One line a module.
acre_module(core)
acre_module(camera USES core)
acre_module(debug USES core)
acre_module(scene USES core)
acre_module(quadtree USES core)
acre_module(occlusion USES core)
acre_module(culling USES scene camera quadtree occlusion BRINGS shadows drawing contacts)
acre_module(shadows USES culling)
acre_module(drawing USES culling)
acre_module(contacts USES culling)
acre_module(interest USES quadtree scene WHERE culling)
acre_module(partition USES interest)
acre_module(partition_mpi USES partition PKG_CONFIG acre-mpi STATIC)
acre_module(record USES quadtree)
acre_module(import USES scene occlusion PKG_CONFIG acre-import)
acre_module(cpp USES interest WHERE culling shadows drawing contacts)
