#pragma once

/// Drops each later message to the C library's `stderr` stream that begins with this prefix, or with
/// that of an earlier call (eight at most).
///
/// All other text reaches standard error as before, unbuffered. Only the stream is replaced, which
/// the GNU C library allows: the file descriptor and its other users are unaffected. Returns false,
/// and changes nothing, with another C library.
///
/// The prefix is not copied and must stay valid.
_Bool message_filter_drop(const char *prefix);
