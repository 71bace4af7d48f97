import CFlite
import Foundation
import SpeechAudio
import SpeechConcurrency
import SpeechCore

/// The only owner of the library.
///
/// A singleton because Flite's voices are global variables whose features determine the manner of
/// speaking, and its error handling uses one global pointer: it allows one caller at a time. Pieces
/// of text are served in the order of their requests.
actor FliteLibrary {
  static let shared = FliteLibrary()

  private let executor = SerialQueueExecutor(label: "com.speechkit.flite")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private var isStarted = false
  private var voices: [FliteVoice: RegisteredVoice] = [:]

  private struct RegisteredVoice {
    var pointer: UnsafeMutablePointer<cst_voice>
    /// The voice's own mean pitch in hertz, for voices that take it in hertz.
    var meanPitch: Float
  }

  /// The audio of a piece.
  struct Sound: Sendable {
    var samples: [Int16] = []
    var sampleRate = 16_000
    var tokens: [FliteUtterance.Token] = []
  }

  private init() {}

  /// Synthesises one piece, with the same samples each time.
  func synthesize(
    _ text: String, voice: FliteVoice, configuration: FliteConfiguration
  ) throws -> Sound {
    try Task.checkCancellation()
    let registered = try self.registered(voice)
    let style = configuration.style
    let pitch = style.pitchMultiplier.clamped(to: 0.5...2, orElse: 1)
    speechkit_flite_set_style(
      registered.pointer, 1 / configuration.pace, pitch, registered.meanPitch * pitch)
    return try RepeatableRandom.during {
      guard let utterance = FliteUtterance(text, voice: registered.pointer) else {
        throw SpeechSynthesisProviderError.unknown("Flite could not speak a part of the text.")
      }
      return Sound(
        samples: utterance.samples(volume: style.volume.clamped(to: 0...1, orElse: 1)),
        sampleRate: utterance.sampleRate, tokens: utterance.tokens)
    }
  }

  /// Returns the pronunciation of a word in the library's own phones with their stress, by its
  /// dictionary and else by its letter-to-sound rules, or by the rules alone.
  func phones(of word: String, byRulesAlone: Bool) throws(SpeechSynthesisProviderError) -> [String]
  {
    let voice = try registered(.slt)
    guard let value = flite_get_param_val(voice.pointer.pointee.features, "lexicon", nil),
      let lexicon = val_lexicon(value)
    else { return [] }
    let found =
      byRulesAlone
      ? lts_apply(word, "", lexicon.pointee.lts_rule_set) : lex_lookup(lexicon, word, "0", nil)
    defer { if let found { delete_val(found) } }
    var phones: [String] = []
    var next = UnsafePointer(found)
    while let value = next {
      phones.append(String(cString: val_string(val_car(value))))
      next = val_cdr(value)
    }
    return phones
  }

  /// The same for callers that block anyway, such as a decoder that loads its dictionary.
  nonisolated func phonesNow(
    of word: String
  ) throws -> [String] {
    try executor.sync { try assumeIsolated { try $0.phones(of: word, byRulesAlone: false) } }
  }

  private func registered(
    _ voice: FliteVoice
  ) throws(SpeechSynthesisProviderError) -> RegisteredVoice {
    if let known = voices[voice] { return known }
    if !isStarted {
      flite_init()
      isStarted = true
    }
    guard let pointer = voice.register() else {
      throw .initializationFailed(
        "The Flite voice “\(voice.rawValue)” could not be set up. Install libflite1.")
    }
    let mean = flite_get_param_float(pointer.pointee.features, "int_f0_target_mean", 100)
    let registered = RegisteredVoice(pointer: pointer, meanPitch: mean)
    voices[voice] = registered
    return registered
  }
}
