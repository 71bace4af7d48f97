// The module's sources are on their way.
