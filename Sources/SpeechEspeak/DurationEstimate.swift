import Foundation
import SpeechCore

/// A guess at how long speech will be, from the text alone.
enum DurationEstimate {
  static func seconds(
    _ text: String, configuration: EspeakConfiguration, language: String
  ) -> TimeInterval {
    var units = 0.0
    var pauses = 0.0
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
      case 0x30...0x39: units += 4
      case 0x41...0x5A: units += previous.properties.isUppercase ? 3 : 1
      case 0x2E, 0x21, 0x3F, 0x3002, 0x0964: if previous.isSpeakable { pauses += 0.35 }
      case 0x2C, 0x3A, 0x3B, 0x3001, 0x060C: if previous.isSpeakable { pauses += 0.2 }
      case 0x3041...0x30FF: units += 2.2
      case 0x4E00...0x9FFF, 0xAC00...0xD7A3: units += 4
      case 0x900...0xDFF: units += 1.1
      default: if scalar.properties.isAlphabetic { units += 1 }
      }
    }
    let words = Double(EspeakParameters.wordsPerMinute(rate: configuration.rate))
    let spoken = (units / 14.5 + pauses) * 175 / words
    return configuration.preUtteranceDelay + spoken + configuration.postUtteranceDelay
  }
}
