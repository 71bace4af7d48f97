#if Espeak
import Foundation
import SpeechCore
import SpeechEspeak
import TestSupport
import Testing

/// Each test has its own process: the library remembers what it spoke before, so that other speech
/// would influence the result.
struct EspeakRobustnessTests {
  private static let harmful = [
    String(repeating: "a", count: 5000),
    String(repeating: "s's", count: 500),
    String(repeating: "s'", count: 300),
    "[[" + String(repeating: "h@l'oU", count: 500) + "]]",
    String(repeating: "हिन्दी日本语русский", count: 50),
    String(repeating: "1234567890", count: 200),
    String(repeating: "\u{1}", count: 1000) + "x",
    String(repeating: "e\u{301}\u{302}\u{303}", count: 1000),
    String(repeating: "!?.,;:", count: 500) + " word",
    String(repeating: ".", count: 3000) + "x" + String(repeating: "-", count: 3000),
    String(repeating: "A.B.", count: 500),
    "] " + String(repeating: "ක ", count: 100),
    String(repeating: "က း ", count: 60),
    "\"ўҥ\" ( ! ) $ ; : [ ] { } «»",
    "ऄ ॸ * #= *# ॵ ++++++++ ” ††††††††",
    "\u{1}100P hello \u{1}V de\u{1}S500",
  ]

  /// Texts with the voices that they crashed, in sequence within one process.
  private static let harmfulTogether = [
    ("vi-VN-x-south", "---ṟ"), ("vi-VN-x-south", "WnLK-ṟ \"-ṟ, -ṟ"), ("ne", "–&॰ ॄऌऽ"),
    ("kok", "ॱीऍसॼग़ँ ॶऒ५॓ठसझ,क़ॷ सक़मडाझयब1ॳआस"), ("bpy", "৥'৳ ৹ঘ৚ ।/৳"), ("gu", "/૲ /૱ ૔ `ૠફ઼૔ `"),
    ("hi", "॥/)? ऋ 1"), ("hyw", "՟* ղ"), ("si", "෴% %෴"), ("ta", "௳/"),
    ("fr", "0," + String(repeating: "0", count: 57) + "1"), ("yue", "1111111111111 10000000000000"),
    ("shn", "100000000000"), ("ar", "4565 8059 2228"), ("tn", "8300 9921 3.99999999999999999999"),
    ("ht", String(repeating: "7.", count: 29)), ("ka", String(repeating: "1.", count: 29) + "1"),
    ("vi-VN-x-south", "---ṟ"),
  ]

  private static let voices = [
    "en", "en-us", "de", "fr", "ru", "ja", "hi", "ar", "fa", "cmn", "ko", "el", "vi",
  ]

  @Test func `texts that are known to crash the library are safe`() async {
    await #expect(processExitsWith: .success) {
      for text in Self.harmful {
        let voices = Endurance.cases(
          full: ["en", "de", "ru", "hi", "ja", "fa", "uk", "si", "my", "hyw"],
          short: ["en", "hi", "si", "my"])
        for voice in voices {
          do {
            _ = try await speak(text, voice: voice)
          } catch {
            #expect(error as? SpeechSynthesisProviderError == .invalidText, "\(voice)")
          }
        }
      }
    }
  }

  @Test func `texts that crash the library in sequence are safe`() async {
    await #expect(processExitsWith: .success) {
      for capitals in Endurance.cases(
        full: [EspeakConfiguration.Capitals.none, .pitch(20)], short: [.pitch(20)])
      {
        for punctuation in [EspeakConfiguration.Punctuation.none, .all] {
          let configuration = EspeakConfiguration(
            rate: 1, punctuation: punctuation, capitals: capitals)
          for (voice, text) in Self.harmfulTogether {
            do {
              _ = try await speak(text + " U. A b", voice: voice, configuration)
            } catch {
              #expect(error as? SpeechSynthesisProviderError == .invalidText, "\(voice)")
            }
          }
        }
      }
    }
  }

  @Test func `a voice that cannot be made safe is not offered`() async {
    let failure = await error { try await speak("ᏣᎳᎩ", voice: "chr") }
    guard case .voiceNotAvailable(let reason) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(reason.contains("chr"))
    #expect(reason.contains("Cherokee"))
  }

  @Test func `random text does not crash the library`() async {
    await #expect(processExitsWith: .success) {
      for voice in Self.voices { await Self.speakNonsense(voice) }
    }
  }

  @Test func `random text in many voices at once does not crash the library`() async {
    await #expect(processExitsWith: .success) {
      await withTaskGroup(of: Void.self) { group in
        for voice in Self.voices { group.addTask { await Self.speakNonsense(voice) } }
      }
    }
  }

  private static func speakNonsense(_ voice: String) async {
    var random = SplitMix(seed: UInt64(voice.utf8.reduce(0) { $0 * 31 + Int($1) }))
    let ranges: [ClosedRange<Int>] = [
      0x20...0x7E, 0x20...0x7E, 0x61...0x7A, 0x0...0x9F, 0xA0...0x24F, 0x300...0x36F, 0x370...0x52F,
      0x590...0x6FF, 0x900...0xDFF, 0x2000...0x206F, 0x3000...0x30FF, 0x4E00...0x9FFF,
      0xAC00...0xD7A3, 0x1F300...0x1F6FF,
    ]
    for _ in 0..<Endurance.count(full: 60, short: 5) {
      var text = String.UnicodeScalarView()
      for _ in 0..<1 + random.next(6) {
        let range = ranges[random.next(ranges.count)]
        let unit = (0..<1 + random.next(5)).compactMap { _ in
          Unicode.Scalar(range.lowerBound + random.next(range.count))
        }
        for _ in 0..<1 + random.next(20) { text.append(contentsOf: unit) }
        if random.next(2) == 0 { text.append(random.next(4) == 0 ? "." : " ") }
      }
      do {
        _ = try await speak(String(text), voice: voice, EspeakConfiguration(rate: 1))
      } catch {
        #expect(error as? SpeechSynthesisProviderError == .invalidText)
      }
    }
  }
}
#endif
