#include "CArpabetTrees.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const char english[] = {
#embed "english.txt"
    , 0};

const char *arpabet_trees_english(void) { return english; }
