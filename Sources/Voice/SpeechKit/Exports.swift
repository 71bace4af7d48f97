// An app imports SpeechKit and has everything, also what a provider of its own needs: `Locale` and
// `@Observable`.
@_exported import Foundation
@_exported import Observation
@_exported import AIServices
@_exported import SpeechAudio
@_exported import SpeechCloud
@_exported import SpeechConversation
@_exported import SpeechCore
@_exported import SpeechEcho
@_exported import SpeechEspeak
@_exported import SpeechFlite
@_exported import SpeechGrammar
@_exported import SpeechPocketSphinx
@_exported import SpeechPortAudio
