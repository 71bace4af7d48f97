// The builder splits its sentences with this type.
@_exported import struct SpeechText.SentenceNormalizer
