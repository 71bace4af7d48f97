@_exported import ConformanceTesting
@_exported import SpeechKit
@_exported import SpeechLab
