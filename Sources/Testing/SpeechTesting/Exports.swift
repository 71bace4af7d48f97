@_exported import ConformanceTesting
@_exported import SpeechKit
