import CEspeakNG
import Foundation
import SpeechAudio
import SpeechCore

/// A configuration in the library's own units. All of them are set before each piece, because they
/// persist between pieces.
struct EspeakParameters: Sendable, Hashable {
  var wordsPerMinute: Int32
  var volume: Int32
  var pitch: Int32
  var range: Int32
  var wordGap: Int32
  var punctuation: espeak_PUNCT_TYPE.RawValue
  var punctuationList: [wchar_t]
  var capitals: Int32

  init(_ configuration: EspeakConfiguration) {
    let style = SpeakingStyle(
      rate: configuration.style.rate, pitchMultiplier: configuration.style.pitchMultiplier,
      volume: configuration.style.volume)
    wordsPerMinute = Self.wordsPerMinute(rate: style.rate)
    volume = Int32((style.volume * 100).rounded())
    pitch = Int32((50 + 50 * log2(style.pitchMultiplier)).rounded())
    range = Int32((configuration.pitchRange.clamped(to: 0...1, orElse: 0.5) * 100).rounded())
    let gap = min(max(configuration.wordGap, .zero), .seconds(2))
    wordGap = Int32((gap.inSeconds * 100).rounded())
    punctuationList = []
    switch configuration.punctuation {
    case .none: punctuation = espeakPUNCT_NONE.rawValue
    case .all: punctuation = espeakPUNCT_ALL.rawValue
    case .some(let characters):
      punctuation = espeakPUNCT_SOME.rawValue
      // The library keeps at most 60 of them.
      punctuationList = characters.unicodeScalars.filter { $0.value > 0x20 }.prefix(40).map {
        wchar_t($0.value)
      }
      if punctuationList.isEmpty { punctuation = espeakPUNCT_NONE.rawValue }
    }
    switch configuration.capitals {
    case .none: capitals = 0
    case .spelling: capitals = 2
    case .pitch(let hertz): capitals = Int32(min(max(hertz, 3), 100))
    }
  }

  /// True if capitals are announced by their pitch.
  var raisesCapitals: Bool { capitals > 2 }

  /// True if the library announces characters, for which it inserts commands into the text.
  var announcesCharacters: Bool { punctuation != espeakPUNCT_NONE.rawValue || capitals == 2 }

  /// Converts a rate: 0 to 0.5 is linear from 80 to 175 words per minute, 0.5 to 1 from there to
  /// 450.
  static func wordsPerMinute(rate: Float) -> Int32 {
    let words = rate <= 0.5 ? 80 + 95 * (rate * 2) : 175 + 275 * (rate * 2 - 1)
    return Int32(words.rounded())
  }

  /// Sets all parameters. Only for the library's own queue.
  func apply() {
    espeak_SetParameter(espeakRATE, wordsPerMinute, 0)
    espeak_SetParameter(espeakVOLUME, volume, 0)
    espeak_SetParameter(espeakPITCH, pitch, 0)
    espeak_SetParameter(espeakRANGE, range, 0)
    espeak_SetParameter(espeakWORDGAP, wordGap, 0)
    espeak_SetParameter(espeakPUNCTUATION, Int32(punctuation), 0)
    espeak_SetParameter(espeakCAPITALS, capitals, 0)
    if !punctuationList.isEmpty {
      _ = (punctuationList + [0]).withUnsafeBufferPointer {
        espeak_SetPunctuationList($0.baseAddress)
      }
    }
  }
}
