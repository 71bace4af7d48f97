import Foundation
import SpeechKit
import SpeechWhisper
import TestSupport

/// The work with Whisper's tests' model that is measured in processes of their own.
enum WhisperWorker {
  static let transcribe = "worker-whisper"
  static let cascade = "worker-cascade"
  static let listen = "worker-whisper-live"

  static func configuration() throws -> WhisperConfiguration {
    var configuration = WhisperConfiguration(model: try Peers.whisperModel.path)
    configuration.library = try Peers.whisperLibrary
    return configuration
  }

  /// Transcribes files, on one thread as the peer.
  static func transcribe(_ files: [URL]) async throws {
    var configuration = try configuration()
    configuration.threads = 1
    let transcriber = SpeechTranscriber<WhisperDecoder>(configuration: configuration)
    for file in files {
      let transcript = try await transcriber.transcribe(file)
      Worker.report(file, transcript.segments.map(\.text).joined(separator: " "))
    }
  }

  /// What separates the utterances of a file in the result of a cascade.
  static let separator = " / "

  /// Transcribes files with a grammar, and with Whisper what the grammar rejects.
  static func cascade(_ grammar: URL, _ files: [URL]) async throws {
    let commands = PocketSphinxConfiguration(
      search: .grammarFile(grammar), acceptance: .recommended)
    var other = try configuration()
    other.threads = 1
    let transcriber = SpeechTranscriber<CascadeDecoder<PocketSphinxDecoder, WhisperDecoder>>(
      configuration: .init(command: commands, other: other))
    for file in files {
      let transcript = try await transcriber.transcribe(file)
      Worker.report(file, transcript.segments.map(\.text).joined(separator: separator))
    }
  }

  /// Listens to files in real time, and prints for each: the number of times that stable text
  /// changed, the milliseconds from the end of the utterance to its text, the number of partial
  /// results, and the seconds between each of them and the one before.
  static func listen(_ files: [URL]) async throws {
    let english = Locale(identifier: "en-US")
    for file in files {
      let decoder = try WhisperDecoder(configuration: try configuration(), locale: english)
      let sound = try AudioFile.read(file, as: decoder.format)
      let session = LiveSession(decoder)
      try await session.hear(sound)
      Worker.report(
        file,
        (["\(session.retractions)", "\(session.delay)", "\(session.partials)"]
          + session.gaps.map { "\($0)" }).joined(separator: " "))
    }
  }
}

/// Audio that a decoder hears at the speed at which it is spoken, with a pause of 0.5 s at its end.
private final class LiveSession {
  private let decoder: WhisperDecoder
  private let clock = ContinuousClock()
  private(set) var gaps: [Double] = []
  private(set) var retractions = 0
  private(set) var delay = 0.0
  private(set) var partials = 0
  private var stable = ""

  init(_ decoder: WhisperDecoder) { self.decoder = decoder }

  func hear(_ sound: PCMBuffer) async throws {
    let block = sound.format.frames(in: .milliseconds(50))
    let pause = Duration.milliseconds(500)
    let silence = PCMBuffer.silence(pause, format: sound.format)
    _ = try await decoder.hear(.start)
    let start = clock.now
    // The gap before the first words is not counted: nothing may have been said yet.
    var last: ContinuousClock.Instant?
    for (audio, isPause) in [(sound, false), (silence, true)] {
      if isPause { _ = try await decoder.hear(.paused(true)) }
      let offset = isPause ? sound.duration : .zero
      for first in stride(from: 0, to: audio.frameCount, by: block) {
        let end = min(first + block, audio.frameCount)
        try await clock.sleep(until: start + offset + audio.format.duration(ofFrames: end))
        let output = try await decoder.hear(.audio(audio.slice(first..<end)))
        guard output.partialText != nil else { continue }
        let now = clock.now
        if let last { gaps.append(last.duration(to: now) / .seconds(1)) }
        last = now
        partials += 1
        follow(output.stableText)
      }
    }
    let ended = clock.now
    let text = try await decoder.hear(.finish).utterance?.text ?? ""
    delay = ended.duration(to: clock.now) / .milliseconds(1)
    follow(text)
  }

  private func follow(_ text: String) {
    if !text.hasPrefix(stable) { retractions += 1 }
    stable = text
  }
}
