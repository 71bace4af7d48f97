import Foundation
import SpeechAudio
import SpeechCore
import TestSupport
import Testing

@testable import SpeechChecking

/// Terms that replace words which sound alike.
@DecodingQueue
struct VocabularyTests {
  private static let check = WordCheck(
    vocabulary: ["Grafana", "Wojtek", "Esperanza Okonkwo"], pronunciations: Spoken.pronunciations)

  @Test func `a term replaces words that sound alike`() async throws {
    let audio = try await Spoken.audio("Please open grafana before the meeting.")
    let heard = try await Spoken.checked(
      "Please open graph Anna, before the meeting.", in: audio, by: Self.check)
    #expect(heard?.text == "Please open Grafana, before the meeting.")
    #expect(heard?.words.map(\.text).contains("Grafana,") == true)
  }

  @Test func `a vocabulary that would take too long is refused`() async throws {
    let terms = (1...WordCheck.mostTerms + 1).map { "term\($0)" }
    let error = #expect(throws: SpeechRecognitionError.self) {
      _ = try WordChecker(WordCheck(vocabulary: terms), locale: Locale(identifier: "en-US"))
    }
    #expect(error?.localizedDescription.contains("at most 1000") == true)
  }

  @Test func `a term is written as in the vocabulary`() async throws {
    let audio = try await Spoken.audio("Please open grafana.")
    let heard = try await Spoken.checked("Please open grafana.", in: audio, by: Self.check)
    #expect(heard?.text == "Please open Grafana.")
  }

  @Test func `no term replaces what was said`() async throws {
    for text in ["The weather is going to be sunny tomorrow.", "He bought a grand piano."] {
      let audio = try await Spoken.audio(text)
      #expect(try await Spoken.checked(text, in: audio, by: Self.check)?.text == text)
    }
  }

  @Test func `a term that is invented is struck out`() async throws {
    for kind in ["white noise", "clicks"] {
      let audio = Spoken.nothing(kind, seconds: 3)
      let heard = try await Spoken.checked("graph Anna", in: audio, by: Self.check)
      #expect(heard == nil, "“\(heard?.text ?? "")”")
    }
  }

  @Test func `a term without a known pronunciation is an error`() {
    #expect(throws: SpeechRecognitionError.self) {
      _ = try Spoken.decoder(
        DecodedUtterance(text: ""), WordCheck(vocabulary: ["xqzptlk"]))
    }
  }

  private nonisolated static let pairs: [(one: String, other: String, distance: Double)] = [
    ("K AE T", "K AE T", 0), ("K AE T", "G AE T", 0.1333), ("K AE T", "K AA T", 0.1667),
    ("K AE T", "S AE T", 0.3333), ("K AE T", "K AE T S", 0.2), ("K AE T", "", 0.8),
  ]

  @Test(arguments: pairs)
  func `phones that are formed alike are near`(
    one: String, other: String, distance: Double
  ) {
    let phones = [one, other].map { $0.split(separator: " ").map(String.init) }
    #expect(abs(PhoneDistance.between(phones[0], phones[1]) - distance) < 1e-3)
    #expect(abs(PhoneDistance.between(phones[1], phones[0]) - distance) < 1e-3)
  }

  @Test func `no decoy has a phone of its word`() {
    let phones = [
      "AA", "AE", "AH", "AO", "AW", "AY", "EH", "ER", "EY", "IH", "IY", "OW", "OY", "UH", "UW", "P",
      "B", "T", "D", "K", "G", "CH", "JH", "F", "V", "TH", "DH", "S", "Z", "SH", "ZH", "HH", "M",
      "N", "NG", "L", "R", "W", "Y",
    ]
    for decoy in PhoneDecoy.allCases {
      for (phone, other) in zip(phones, decoy.phones(for: phones)) { #expect(phone != other) }
    }
  }
}
