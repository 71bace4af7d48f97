// An app imports SpeechKit and has everything for speech, and what a provider of its own needs:
// `Locale` and `@Observable`. Services are a module of their own: an app that chats imports
// SpeechCloud.
@_exported import Foundation
@_exported import Observation
@_exported import SpeechAudio
@_exported import SpeechConversation
@_exported import SpeechCore
@_exported import SpeechEcho
@_exported import SpeechFlite
@_exported import SpeechGrammar
@_exported import SpeechPocketSphinx
@_exported import SpeechPortAudio

#if Espeak
@_exported import SpeechEspeak
#endif
