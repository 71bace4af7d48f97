#include "CLanguageProfiles.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const char table[] = {
#embed "profiles.txt"
    , 0};

const char *language_profiles(void) { return table; }
