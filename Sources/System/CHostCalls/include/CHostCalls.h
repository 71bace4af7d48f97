#pragma once

// Definitions of the C library's functions for clocks, pauses, sockets, files and processes that precede
// the C library's own in a program that links this. They call the originals. In a task of a virtual
// world they report the call first, so that a test can name code whose outcome depends on the machine.

/// How the calling thread takes part in a virtual world.
typedef struct {
  /// Above zero while the thread runs tasks of a virtual world.
  int world;
  /// Above zero while these tasks may call the host.
  int permitted;
} skhc_thread;

/// The calling thread's part.
skhc_thread *_Nonnull skhc_current_thread(void);

/// Receives the calls that are made on threads of a virtual world without permission.
///
/// - Parameters:
///   - function: the name of the function.
///   - path: the path of the file, for functions that open one; otherwise `NULL`.
typedef void (*skhc_observer)(const char *_Nonnull function, const char *_Nullable path);

/// Sets the receiver of such calls, `NULL` for none.
void skhc_observe(skhc_observer _Nullable observer);

/// 1 if the functions are replaced in this build; 0 under sanitizers, which replace them too.
int skhc_is_watching(void);
