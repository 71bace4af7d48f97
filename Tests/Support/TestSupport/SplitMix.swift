@_exported import SpeechConcurrency

/// Random numbers that are the same in every run.
public typealias SplitMix = SeededNumbers
