// Where something stands in a text is said in one way by all who read texts.
@_exported import struct SpeechText.TextPosition
