#pragma once

// The library offers only C++, so there is nothing here for Swift. This target links it and names
// its package. CEchoCanceller provides a C interface.
