#pragma once

/// Starts a sequence of random numbers for this thread, which is the same each time: until
/// `speechkit_repeatable_random_end`, `rand` returns it to this thread, also if a library calls it.
void speechkit_repeatable_random_begin(void);

/// Ends the sequence of this thread.
void speechkit_repeatable_random_end(void);
