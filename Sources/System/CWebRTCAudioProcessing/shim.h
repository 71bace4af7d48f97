#pragma once

// The library speaks C++ only, so there is nothing here for Swift: this target is there to link it and to
// name its package. CEchoCanceller makes C of what is needed.
