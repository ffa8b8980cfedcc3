// SPDX-License-Identifier: MIT
// panel_table.c - the controls of a stage as text, from which a page makes its panel.
#include "panel_table.h"

#include "panel.h"
#include "stage_controls.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static struct {
    char text[32768];
    size_t length;
    bool is_change_wanted;
    unsigned number; // of the control that changes
    int value;
} table;

static void add(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void add(const char *format, ...)
{
    const size_t room = sizeof table.text - table.length;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(table.text + table.length, room, format, arguments);
    va_end(arguments);
    assert(length >= 0 && (size_t)length < room);
    table.length += length > 0 && (size_t)length < room ? (size_t)length : 0;
}

// With quotes around it; names may come from files.
static void add_quoted(const char *text)
{
    add("\"");
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        if (*at == '"' || *at == '\\') {
            add("\\%c", *at);
        } else if (*at < 0x20) {
            add("\\u%04x", *at);
        } else {
            add("%c", *at);
        }
    }
    add("\"");
}

static void add_control(const stage_control *control)
{
    add("{\"kind\":%d,\"name\":", (int)control->kind);
    add_quoted(control->name);
    switch (control->kind) {
    case CONTROL_TITLE:
        break;
    case CONTROL_SWITCH:
        add(",\"value\":%d", (int)*control->is_on);
        break;
    case CONTROL_SLIDER:
        add(",\"value\":%d,\"least\":%d,\"most\":%d", *control->value, control->least,
            control->most);
        break;
    case CONTROL_CHOICE:
        add(",\"value\":%d,\"choices\":[", *control->value);
        for (int i = 0; i <= control->most; i++) {
            add("%s", i ? "," : "");
            add_quoted(control->choices[i]);
        }
        add("]");
        break;
    case CONTROL_READOUT:
        add(",\"text\":");
        add_quoted(control->text);
        break;
    }
    add("}");
}

static void change(const panel_page *page)
{
    stage_control *const control =
        table.number < page->control_count ? &page->controls[table.number] : NULL;
    table.is_change_wanted = false;
    if (control && control->kind == CONTROL_SWITCH) {
        *control->is_on = table.value != 0;
    } else if (control && control->value && table.value >= control->least &&
               table.value <= control->most) {
        *control->value = table.value;
    }
}

bool panel_create(void)
{
    table.length = 0;
    table.is_change_wanted = false;
    return true;
}

void panel_free(void)
{
    table.length = 0;
}

bool panel_draw(const panel_page *page, const panel_input *input)
{
    (void)input;
    if (table.is_change_wanted) {
        change(page);
    }
    table.length = 0;
    add("{\"title\":");
    add_quoted(page->title);
    add(",\"about\":");
    add_quoted(page->about ? page->about : "");
    add(",\"controls\":[");
    for (unsigned i = 0; i < page->control_count; i++) {
        add("%s", i ? "," : "");
        add_control(&page->controls[i]);
    }
    add("]}");
    return false; // the page takes what is clicked in its panel
}

const char *panel_table_text(void)
{
    return table.length > 0 ? table.text : "";
}

void panel_table_set(unsigned number, int value)
{
    table.number = number;
    table.value = value;
    table.is_change_wanted = true;
}
