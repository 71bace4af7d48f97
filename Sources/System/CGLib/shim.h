#pragma once
#include <glib.h>
#include <glib-unix.h>

// On Linux the main actor runs on libdispatch's main queue, and a program whose main thread runs
// g_main_loop_run never drains that queue. libdispatch exports these two functions for Core
// Foundation's run loop, which has the same problem; they are in no header.

/// An eventfd that is readable while the main queue has work.
int _dispatch_get_main_queue_handle_4CF(void);

/// Performs the work of the main queue. Only for the main thread; the argument is not used.
void _dispatch_main_queue_callback_4CF(void *message);
