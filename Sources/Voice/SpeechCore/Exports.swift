// Apps choose a voice by the language of a text.
@_exported import struct SpeechText.LanguageDetector
