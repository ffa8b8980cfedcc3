// SPDX-License-Identifier: MIT
// drop_file.c - drops a file onto a window, as a file manager does: the XDND protocol, version 5.
//     drop_file WINDOW PATH
// Exits with 0 when the window has taken it.
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATIENCE = 30000 }; // milliseconds between two answers

typedef struct drop {
    Display *display;
    Window from, to;
    char uris[4096];
} drop;

static Atom atom(const drop *d, const char *name)
{
    return XInternAtom(d->display, name, False);
}

static void send_message(const drop *d, const char *name, long a, long b, long c, long e)
{
    XEvent event = {0};
    event.xclient.type = ClientMessage;
    event.xclient.window = d->to;
    event.xclient.message_type = atom(d, name);
    event.xclient.format = 32;
    event.xclient.data.l[0] = (long)d->from;
    event.xclient.data.l[1] = a;
    event.xclient.data.l[2] = b;
    event.xclient.data.l[3] = c;
    event.xclient.data.l[4] = e;
    XSendEvent(d->display, d->to, False, NoEventMask, &event);
    XFlush(d->display);
}

// The window asks for what is dropped.
static void answer(const drop *d, const XSelectionRequestEvent *request)
{
    XChangeProperty(d->display, request->requestor, request->property, request->target, 8,
                    PropModeReplace, (const unsigned char *)d->uris, (int)strlen(d->uris));
    XEvent event = {0};
    event.xselection.type = SelectionNotify;
    event.xselection.requestor = request->requestor;
    event.xselection.selection = request->selection;
    event.xselection.target = request->target;
    event.xselection.property = request->property;
    event.xselection.time = request->time;
    XSendEvent(d->display, request->requestor, False, NoEventMask, &event);
    XFlush(d->display);
}

// Returns false where no answer comes.
static bool next_event(const drop *d, XEvent *out)
{
    struct pollfd wait = {.fd = ConnectionNumber(d->display), .events = POLLIN};
    while (!XPending(d->display)) {
        if (poll(&wait, 1, PATIENCE) <= 0) {
            return false;
        }
    }
    XNextEvent(d->display, out);
    return true;
}

static bool drop_it(const drop *d)
{
    const long list = (long)atom(d, "text/uri-list"), copy = (long)atom(d, "XdndActionCopy");
    XSetSelectionOwner(d->display, atom(d, "XdndSelection"), d->from, CurrentTime);
    send_message(d, "XdndEnter", 5L << 24, list, None, None);
    send_message(d, "XdndPosition", 0, 50L << 16 | 50, CurrentTime, copy);
    XEvent event;
    while (next_event(d, &event)) {
        if (event.type == SelectionRequest) {
            answer(d, &event.xselectionrequest);
        } else if (event.type == ClientMessage &&
                   event.xclient.message_type == atom(d, "XdndStatus")) {
            if (!(event.xclient.data.l[1] & 1)) {
                return false; // refused
            }
            send_message(d, "XdndDrop", 0, CurrentTime, 0, 0);
        } else if (event.type == ClientMessage &&
                   event.xclient.message_type == atom(d, "XdndFinished")) {
            return event.xclient.data.l[1] != 0; // GLFW sends the length, not 1
        }
    }
    return false;
}

int main(int argc, char **argv)
{
    drop d = {.display = XOpenDisplay(NULL)};
    if (argc != 3 || !d.display) {
        fprintf(stderr, "usage: drop_file WINDOW PATH, with a DISPLAY\n");
        return 2;
    }
    d.to = strtoul(argv[1], NULL, 0);
    d.from = XCreateSimpleWindow(d.display, DefaultRootWindow(d.display), 0, 0, 1, 1, 0, 0, 0);
    snprintf(d.uris, sizeof d.uris, "file://%s\r\n", argv[2]);
    const bool is_taken = drop_it(&d);
    XCloseDisplay(d.display);
    return is_taken ? 0 : 1;
}
