@_exported import SpeechKit
