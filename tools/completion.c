// SPDX-License-Identifier: MIT
// completion.c - scripts that complete the words of a command line of `acre` in a shell.
#include "completion.h"

#include "commands.h"

#include <acre/kernel.h>

#include <string.h>

// Options whose value is a file or a folder.
static bool takes_path(const option_spec *spec)
{
    return spec->kind == OPTION_TEXT;
}

// The words that an option takes, with `separator` between them; nothing where they are many.
static void print_words(const option_spec *spec, const char *separator, FILE *out)
{
    if (spec->kind == OPTION_YES_NO) {
        fprintf(out, "yes%sno", separator);
    }
    for (int kernel = ACRE_KERNEL_SCALAR;
         spec->kind == OPTION_KERNEL && kernel < ACRE_KERNEL_COUNT_; kernel++) {
        fprintf(out, "%s%s", kernel > ACRE_KERNEL_SCALAR ? separator : "",
                acre_kernel_name((acre_kernel)kernel));
    }
}

static bool has_words(const option_spec *spec)
{
    return spec->kind == OPTION_YES_NO || spec->kind == OPTION_KERNEL;
}

static void print_command_names(FILE *out)
{
    for (const acre_command *command = acre_commands; command->name; command++) {
        fprintf(out, "%s ", command->name);
    }
}

// A `case` arm for each option of a command whose value can be guessed.
static void print_bash_values(const acre_command *command, FILE *out)
{
    for (size_t i = 0; i < command->table->count; i++) {
        const option_spec *const spec = &command->table->specs[i];
        if (has_words(spec)) {
            fprintf(out, "    %s/--%s) words=\"", command->name, spec->name);
            print_words(spec, " ", out);
            fputs("\" ;;\n", out);
        } else if (takes_path(spec)) {
            fprintf(out, "    %s/--%s) files=yes ;;\n", command->name, spec->name);
        } else if (options_take_value(spec)) {
            fprintf(out, "    %s/--%s) ;;\n", command->name, spec->name);
        }
    }
}

static void print_bash_options(const acre_command *command, FILE *out)
{
    fprintf(out, "    %s/*) words=\"", command->name);
    for (size_t i = 0; i < command->table->count; i++) {
        fprintf(out, "%s--%s", i ? " " : "", command->table->specs[i].name);
    }
    fprintf(out, "\"%s ;;\n", command->table->operand.name ? "; files=yes" : "");
}

static void print_bash(FILE *out)
{
    fputs("# Completes `acre` in bash: eval \"$(acre completion bash)\"\n"
          "_acre()\n"
          "{\n"
          "    local word=\"${COMP_WORDS[COMP_CWORD]}\" before=\"${COMP_WORDS[COMP_CWORD - 1]}\"\n"
          "    local command=\"${COMP_WORDS[1]}\" words= files=\n"
          "    if [ \"$before\" = = ]; then before=\"${COMP_WORDS[COMP_CWORD - 2]}\"; fi\n"
          "    if [ \"$word\" = = ]; then before=\"${COMP_WORDS[COMP_CWORD - 1]}\"; word=; fi\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then command=; before=; fi\n"
          "    case \"$command/$before\" in\n"
          "    /*) words=\"",
          out);
    print_command_names(out);
    fputs("help manual completion --version --help\" ;;\n"
          "    help/*|manual/*) words=\"",
          out);
    print_command_names(out);
    fputs("\" ;;\n"
          "    completion/*) words=\"bash zsh\" ;;\n",
          out);
    for (const acre_command *command = acre_commands; command->name; command++) {
        print_bash_values(command, out);
        print_bash_options(command, out);
    }
    fputs("    esac\n"
          "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
          "    if [ \"$files\" ] && [ \"${word:0:1}\" != - ]; then\n"
          "        compopt -o filenames 2>/dev/null\n"
          "        COMPREPLY=($(compgen -f -- \"$word\"))\n"
          "    fi\n"
          "}\n"
          "complete -F _acre acre\n",
          out);
}

// Text between single quotes, with what means something to _arguments made harmless.
static void print_zsh_text(const char *text, FILE *out)
{
    for (; *text; text++) {
        if (*text == '\'') {
            fputs("'\\''", out);
        } else {
            fprintf(out, "%s%c", strchr("[]:\\", *text) ? "\\" : "", *text);
        }
    }
}

static void print_zsh_option(const option_spec *spec, FILE *out)
{
    fprintf(out, " \\\n            '--%s%s[", spec->name, options_take_value(spec) ? "=" : "");
    print_zsh_text(spec->help, out);
    fputc(']', out);
    if (options_take_value(spec)) {
        fprintf(out, ":%s:", spec->value ? spec->value : "value");
        if (has_words(spec)) {
            fputc('(', out);
            print_words(spec, " ", out);
            fputc(')', out);
        } else if (takes_path(spec)) {
            fputs("_files", out);
        }
    }
    fputc('\'', out);
}

static void print_zsh_command(const acre_command *command, FILE *out)
{
    fprintf(out, "    %s)\n        _arguments -s", command->name);
    for (size_t i = 0; i < command->table->count; i++) {
        print_zsh_option(&command->table->specs[i], out);
    }
    fprintf(out, "%s\n        ;;\n",
            command->table->operand.name ? " \\\n            '1:file:_files'" : "");
}

static void print_zsh(FILE *out)
{
    fputs("#compdef acre\n"
          "# Completes `acre` in zsh: a file _acre in a folder of $fpath, or\n"
          "# source <(acre completion zsh)\n"
          "_acre()\n"
          "{\n"
          "    if (( CURRENT == 2 )); then\n"
          "        local -a words=(",
          out);
    for (const acre_command *command = acre_commands; command->name; command++) {
        fprintf(out, "'%s:", command->name);
        print_zsh_text(command->brief, out);
        fputs("' ", out);
    }
    fputs("'help:the options of a command' 'manual:the manual page'"
          " 'completion:a script for a shell')\n"
          "        _describe command words\n"
          "        _arguments '--version[the version and the kernels]' '--help[the commands]'\n"
          "        return\n"
          "    fi\n"
          "    local command=\"${words[2]}\"\n"
          "    shift words\n"
          "    (( CURRENT-- ))\n"
          "    case \"$command\" in\n"
          "    help|manual) compadd ",
          out);
    print_command_names(out);
    fputs(";;\n"
          "    completion) compadd bash zsh ;;\n",
          out);
    for (const acre_command *command = acre_commands; command->name; command++) {
        print_zsh_command(command, out);
    }
    fputs("    esac\n"
          "}\n"
          "if [ \"$funcstack[1]\" = _acre ]; then\n"
          "    _acre \"$@\"\n"
          "else\n"
          "    compdef _acre acre\n"
          "fi\n",
          out);
}

bool completion_print(const char *shell, FILE *out)
{
    const bool is_bash = strcmp(shell, "bash") == 0, is_zsh = strcmp(shell, "zsh") == 0;
    if (is_bash) {
        print_bash(out);
    } else if (is_zsh) {
        print_zsh(out);
    }
    return is_bash || is_zsh;
}
