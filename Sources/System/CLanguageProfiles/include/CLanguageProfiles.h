#pragma once

/// The table of languages, zero-terminated, as `Scripts/language-profiles` writes it.
const char *language_profiles(void);
