import AIServices
import Foundation
import SpeechAudio
import SpeechCloud

/// A program that stores speech in a folder that other programs use at the same time.
struct SpeechSharing {
  /// The number of different texts.
  private static let texts = 16
  private static let framesOfEach = 4_000

  let cache: SynthesisCache
  let seed: UInt64

  init(folder: String, seed: UInt64) {
    // Room for half of the texts, so that the programs also evict each other's.
    cache = SynthesisCache(
      folder: URL(filePath: folder), sizeLimit: Self.texts / 2 * (Self.framesOfEach * 2 + 200))
    self.seed = seed
  }

  /// Prints “ready”, waits for a line, stores and looks up speech, and prints how many results were
  /// found and how many of them did not match their text.
  func run(rounds: Int) async {
    ServiceWorker.say("ready")
    _ = readLine()
    var state = seed
    func next(_ bound: UInt64) -> Int {
      // A sequence that is the same in every run.
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % bound)
    }
    var found = 0
    var wrong = 0
    for _ in 0..<rounds {
      let number = next(UInt64(Self.texts))
      if next(2) == 0 {
        await cache.keep(Self.speech(number), for: Self.key(number))
      } else if let speech = await cache.speech(for: Self.key(number)) {
        found += 1
        if speech != Self.speech(number) { wrong += 1 }
      }
    }
    ServiceWorker.say("found \(found > 0) wrong \(wrong)")
  }

  /// Stores some speech, and is killed while it stores more.
  func die(at step: String) async {
    for number in 0..<3 { await cache.keep(Self.speech(number), for: Self.key(number)) }
    guard let point = DeathPoint(rawValue: step), point.arm() else { exit(2) }
    await cache.keep(Self.speech(3), for: Self.key(3))
  }

  private static func key(_ number: Int) -> SynthesisCache.Key {
    SynthesisCache.Key(["shared", "\(number)"])
  }

  private static func speech(_ number: Int) -> CachedSpeech {
    CachedSpeech(
      audio: PCMBuffer(
        samples: (0..<framesOfEach).map { Int16(truncatingIfNeeded: number * 7_919 + $0) },
        format: AudioFormat(sampleRate: 24_000)))
  }
}
