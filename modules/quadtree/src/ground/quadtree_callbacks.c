// SPDX-License-Identifier: MIT
// quadtree_callbacks.c - the calls of user code that a thread is in: the one variable that all
// trees of a thread share.
#include "quadtree_internal.h"

ACRE_THREAD_LOCAL const tree_callback *acre_innermost_callback;

bool acre_is_in_callback(const acre_quadtree *tree)
{
    const tree_callback *at = acre_innermost_callback;
    while (at && at->tree != tree) {
        at = at->outer;
    }
    return at != NULL;
}

void acre_call_listener(const acre_quadtree *tree, const acre_quadtree_call *call)
{
    tree_callback callback;
    ACRE_INVARIANT(tree->listener != NULL);
    begin_callback(&callback, tree);
    tree->listener(tree->listener_context, call);
    end_callback(&callback);
}
