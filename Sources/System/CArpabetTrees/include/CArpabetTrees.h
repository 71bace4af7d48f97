#pragma once

/// The decision trees for English, as the type `ArpabetTrees` of SpeechEspeak reads them.
const char *arpabet_trees_english(void);
