// A builder makes words of its sentences with this type.
@_exported import struct SpeechText.SentenceNormalizer
