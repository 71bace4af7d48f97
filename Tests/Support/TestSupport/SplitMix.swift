@_exported import struct SpeechAudio.SeededNumbers

/// Random numbers that are the same in every run.
public typealias SplitMix = SeededNumbers
