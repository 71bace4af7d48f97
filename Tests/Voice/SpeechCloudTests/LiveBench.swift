import AIServiceTesting
import AIServices
import Foundation
import ServiceTestSupport
import SpeechAudio
import SpeechCloud
import SpeechConcurrency
import SpeechCore
import SpeechFlite
import TestSupport

/// A server that transcribes live, in a process of its own, and decoders that use it.
struct LiveBench {
  static let sentence = "Good morning, everybody."

  let peer: Peer
  let provider: OpenAIProvider

  /// Runs the body with a server.
  ///
  /// - Parameter conduct: a conduct of `realtime_transcriber.py`, or a status to refuse with.
  static func with<Result>(
    _ conduct: String, timeouts: HTTPTimeouts = .forTests,
    isolation: isolated (any Actor)? = #isolation, body: (LiveBench) async throws -> Result
  ) async throws -> Result {
    try await Peer.with("realtime_transcriber.py") { peer in
      let credentials = AICredentialManager()
      try await credentials.store(
        credential: AICredential(providerID: "openai", type: .apiKey, name: "Test"),
        value: SecureString(CloudBench.key))
      var configuration = OpenAIConfiguration(
        baseURL: "http://127.0.0.1:\(peer.port)/\(conduct)/v1")
      configuration.endpoint.timeouts = timeouts
      let retry = RetryPolicy(firstDelay: .milliseconds(1))
      return try await body(
        LiveBench(
          peer: peer,
          provider: OpenAIProvider(
            configuration: configuration, credentialManager: credentials,
            environment: ServiceEnvironment(
              transport: CurlTransport(offline: OfflineMode()), retry: retry))))
    }
  }

  func configuration(
    _ change: (inout OpenAILiveDecoder.Configuration) -> Void = { _ in }
  ) -> OpenAILiveDecoder.Configuration {
    var configuration = OpenAILiveDecoder.Configuration(service: provider)
    change(&configuration)
    return configuration
  }

  func session(
    _ change: (inout OpenAILiveDecoder.Configuration) -> Void = { _ in }
  ) -> RecognitionSession<OpenAILiveDecoder> {
    RecognitionSession(
      configuration: configuration(change), locale: Locale(identifier: "en-US"))
  }

  static func speech() async throws -> PCMBuffer {
    let flite = FliteEngine()
    let request = flite.makeRequest(text: "good morning everybody")
    return try await flite.render(request, configuration: .default).resampled(to: .recognition)
  }

  /// The report of a server that has heard exactly that audio.
  static func report(of audio: PCMBuffer) throws -> String {
    let samples = try audio.resampled(to: AudioFormat(sampleRate: 24_000)).samples
    var (low, high) = (1, 0)
    for sample in samples {
      for byte in [UInt16(bitPattern: sample) & 0xFF, UInt16(bitPattern: sample) >> 8] {
        low = (low + Int(byte)) % 65_521
        high = (high + low) % 65_521
      }
    }
    return "\(samples.count * 2) \(high << 16 | low)"
  }
}

extension RecognitionSession<OpenAILiveDecoder> {
  /// Speaks the audio in pieces of a tenth of a second.
  ///
  /// - Returns: the partial texts before the end, and the result.
  func hear(spoken audio: PCMBuffer) async throws -> (partials: [String], final: String?) {
    let partials = Guarded<[String]>([])
    try await hear(.start)
    for start in stride(from: 0, to: audio.frameCount, by: 1_600) {
      let piece = audio.slice(start..<min(start + 1_600, audio.frameCount))
      if let text = try await hear(.audio(piece)).partialText {
        partials.withLock { $0.append(text) }
      }
    }
    let result = try await hear(.finish) { text in partials.withLock { $0.append(text) } }
    return (partials.withLock { $0 }, result.utterance?.text)
  }
}
