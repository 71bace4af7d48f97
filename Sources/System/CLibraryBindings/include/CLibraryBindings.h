#pragma once

// What a shared library that cannot be asked takes from others.
//
// A shared library finds functions and data of others through entries in its own table of addresses,
// which nobody else reads. With another address there, this one library does otherwise, at any time and on
// any of its threads, while the rest of the program keeps what it has.
//
// Call these while nothing of that library runs. Again is harmless. They are false, and nothing is
// changed, where it cannot be done: on another system than GNU/Linux with 64 bits, for a library that is
// not there as a file of its own, or that has no such entry.

/// Drops what the shared library of this name prints to standard error, from now on.
_Bool lbind_silence_standard_error(const char *library);

/// Makes the shared library's calls of this function do nothing and give NULL, from now on.
_Bool lbind_skip_function(const char *library, const char *function);
