@_exported import SpeechKit
// Measures compare texts in one of its forms.
@_exported import struct SpeechText.TextNormalisation
