#pragma once

/// Drops each later message to the C library's `stderr` stream that begins with a prefix.
///
/// All other text reaches standard error as before, unbuffered. Only the stream is replaced, which
/// the GNU C library allows: the file descriptor and its other users are unaffected. A further call
/// is ignored. Returns false, and changes nothing, with another C library.
///
/// The prefix is not copied and must stay valid.
_Bool message_filter_drop(const char *prefix);
