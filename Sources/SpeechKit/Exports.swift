// An app imports SpeechKit and has everything.
@_exported import SpeechAudio
@_exported import SpeechCore
@_exported import SpeechEspeak
@_exported import SpeechFlite
@_exported import SpeechPocketSphinx
@_exported import SpeechPortAudio
