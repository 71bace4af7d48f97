#pragma once

// Silence for a library that prints to standard error and cannot be asked not to.
//
// A shared library finds `stderr` through an entry in its own table of addresses, which nobody else
// reads. With the address of another stream there, that library is silent at any time and on any of its
// threads, while the program's standard error stays what it was.

/// Drops what the shared library of this name prints to standard error, from now on. Call it while
/// nothing of that library runs. Again is harmless.
///
/// False, and nothing changed, where that cannot be done: on another system than GNU/Linux with 64 bits,
/// for a library that is not there as a file of its own, or that does not print this way.
_Bool qlib_silence_standard_error(const char *name);
