import Foundation
import SpeechCore

/// An estimate of the length of speech, from its text alone.
enum DurationEstimate {
  /// The estimated seconds for a text in a language or voice, without its markup.
  static func seconds(
    _ text: String, configuration: EspeakConfiguration, language: String
  ) -> TimeInterval {
    var letters = 0.0
    var pauses = 0.4
    var isInTag = false
    var previous: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      defer { previous = scalar }
      if configuration.interpretsSSML {
        if scalar == "<" { isInTag = true }
        if scalar == ">" { isInTag = false }
        if isInTag || scalar == ">" { continue }
      }
      switch scalar.value {
      case 0x2E, 0x21, 0x3F, 0x3002, 0x0964: if previous.isSpeakable { pauses += 0.3 }
      case 0x2C, 0x3A, 0x3B, 0x3001, 0x060C: if previous.isSpeakable { pauses += 0.2 }
      default: letters += weight(of: scalar)
      }
    }
    if letters > 0, previous.value == 0x2E { pauses -= 0.3 }
    let words = Double(EspeakParameters.wordsPerMinute(rate: configuration.style.rate))
    let spoken = (letters / lettersPerSecond(language) + pauses) * 175 / words
    return configuration.style.preUtteranceDelay + spoken + configuration.style.postUtteranceDelay
  }

  /// The time that a character takes, in Latin letters.
  private static func weight(of scalar: Unicode.Scalar) -> Double {
    switch scalar.value {
    case 0x30...0x39: 4.2
    case 0..<0x80: scalar.properties.isAlphabetic ? 1 : 0
    case 0x0590...0x05FF: 1.3
    case 0x0600...0x06FF: scalar.properties.isAlphabetic ? 1.6 : 0
    case 0x0900...0x0DFF: 1.3
    case 0x3041...0x30FF: 1.8
    case 0x4E00...0x9FFF: 5.7
    case 0xAC00...0xD7A3: 2.5
    default: scalar.properties.isAlphabetic ? 1 : 0
    }
  }

  /// Letters per second at the default pace. French has many letters that are not spoken.
  private static func lettersPerSecond(_ language: String) -> Double {
    switch language.lowercased().prefix(2) {
    case "fr": 20
    case "ru", "uk", "de", "es", "el": 15.8
    case "pl", "nl", "sv", "nb", "da", "fi", "pt": 14.2
    case "tr": 12.5
    default: 15
    }
  }
}
