# SPDX-License-Identifier: MIT
# manual.cmake - manual pages and completions of `acre`, which the program itself prints. Included
# where the program is built and installed.
set(acre_manual ${CMAKE_CURRENT_BINARY_DIR}/manual)
set(acre_print_pages COMMAND acre manual >${acre_manual}/acre.1)
foreach(command run view inspect occluders replay agents town crowd bench)
    list(APPEND acre_print_pages COMMAND acre manual ${command} >${acre_manual}/acre-${command}.1)
endforeach()
add_custom_command(OUTPUT ${acre_manual}/acre.1
    COMMAND ${CMAKE_COMMAND} -E make_directory ${acre_manual}
    ${acre_print_pages}
    COMMAND acre completion bash >${acre_manual}/acre
    COMMAND acre completion zsh >${acre_manual}/_acre
    DEPENDS acre COMMENT "Printing manual pages")
add_custom_target(acre_manual ALL DEPENDS ${acre_manual}/acre.1)
install(DIRECTORY ${acre_manual}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1")
install(FILES ${acre_manual}/acre
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${acre_manual}/_acre DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
