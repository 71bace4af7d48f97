import AIServices
import AIServiceTesting
import Foundation
import SpeechAudio
import SpeechCloud
import SpeechCore
import Testing

/// Tests of voices with a cache.
@MainActor
struct CachedVoiceTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "speech-\(UUID().uuidString)")

  private func configuration(
    voice: String? = nil, rate: Float = 0.5
  ) -> CloudVoiceConfiguration {
    CloudVoiceConfiguration(
      voice: voice, style: SpeakingStyle(rate: rate), cache: SynthesisCache(folder: folder))
  }

  private func clean() { try? FileManager.default.removeItem(at: folder) }

  private var files: [URL] {
    (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil))
      ?? []
  }

  @Test func `the same words take one request, with the same audio and times`() async throws {
    let bench = try await CloudBench()
    defer {
      bench.server.stop()
      clean()
    }
    bench.server.reply { CloudBench.timedSpeech($0) }
    let voice = bench.elevenLabs()
    let text = "The same words again. And again."
    func chunks() async throws -> (samples: Samples, positions: [SpeechPosition]) {
      var samples: [Int16] = []
      var positions: [SpeechPosition] = []
      for try await chunk in voice.streamAudio(
        request: voice.makeRequest(text: text), configuration: configuration())
      {
        samples += chunk.audio.samples
        positions += chunk.positions
      }
      return (Samples(samples), positions)
    }
    let first = try await chunks()
    #expect(first.samples == CloudBench.samples(of: text))
    bench.server.stop()
    let second = try await chunks()
    #expect(second == first)
    #expect(bench.server.requests.count == 1)
  }

  @Test func `every change of the audio takes a new request`() async throws {
    let bench = try await CloudBench()
    defer {
      bench.server.stop()
      clean()
    }
    bench.server.reply { CloudBench.timedSpeech($0) }
    func speak(
      _ text: String, _ configuration: CloudVoiceConfiguration,
      _ change: (inout ElevenLabsConfiguration) -> Void = { _ in }
    ) async throws {
      try await bench.provider(bench.elevenLabs(change), configuration).speak(
        text: text, voice: nil)
    }
    for _ in 0..<2 {
      try await speak("One.", configuration())
      try await speak("Two.", configuration())
      try await speak("One.", configuration(voice: "other"))
      try await speak("One.", configuration(rate: 0.6))
      try await speak("One.", configuration()) { $0.stability = 0.9 }
      try await speak("One.", configuration()) { $0.model = "eleven_v4" }
      try await speak("One.", configuration()) { $0.sampleRate = 22_050 }
    }
    #expect(bench.server.requests.count == 7)
    // The volume does not affect the cached audio.
    var quiet = configuration()
    quiet.style.volume = 0.5
    try await speak("One.", quiet)
    #expect(bench.server.requests.count == 7)
  }

  @Test func `incomplete audio is not cached`() async throws {
    let bench = try await CloudBench(buffer: .zero)
    defer {
      bench.server.stop()
      clean()
    }
    bench.server.enqueue(
      .chunked(
        [.bytes(CloudBench.bytes(of: "Bro")), .close], headers: ["Content-Type": "audio/pcm"]),
      .chunked(
        [.bytes(CloudBench.bytes(of: "Bro")), .stall], headers: ["Content-Type": "audio/pcm"]))
    let provider = bench.provider(bench.openAI(), configuration())
    await #expect(throws: SpeechSynthesisProviderError.self) {
      try await provider.speak(text: "Broken.", voice: nil)
    }
    let events = provider.events
    let speech = Task { try await provider.speak(text: "Broken.", voice: nil) }
    _ = await events.waitFor(\.isProgress)
    provider.stop()
    _ = await speech.result
    #expect(files.isEmpty)
    bench.server.reply { CloudBench.speech($0) }
    try await provider.speak(text: "Broken.", voice: nil)
    #expect(files.count == 1)
  }

  @Test func `audio files are cached too`() async throws {
    let bench = try await CloudBench()
    defer {
      bench.server.stop()
      clean()
    }
    let sound = PCMBuffer(
      samples: CloudBench.samples(of: "File.").values, format: AudioFormat(sampleRate: 22_050))
    let file = try AudioFile.encode(sound)
    bench.server.enqueue(.fixed(headers: ["Content-Type": "audio/wav"], body: file))
    let voice = bench.openAI()
    for _ in 0..<2 {
      let heard = try await voice.render(
        voice.makeRequest(text: "File."), configuration: configuration())
      #expect(heard.format == sound.format)
      #expect(Samples(heard.samples) == Samples(sound.samples))
    }
    #expect(bench.server.requests.count == 1)
  }

  @Test func `file names reveal neither the key nor the words`()
    async throws
  {
    let bench = try await CloudBench()
    defer {
      bench.server.stop()
      clean()
    }
    bench.server.reply { CloudBench.timedSpeech($0) }
    try await bench.provider(bench.elevenLabs(), configuration()).speak(
      text: "Nobody shall know.", voice: nil)
    bench.server.reply { request in
      .json(
        "{\"detail\":{\"message\":\"\(request.headers["xi-api-key"] ?? "")\"}}", status: 400)
    }
    await #expect {
      try await bench.provider(bench.elevenLabs(), configuration()).speak(
        text: "Another text.", voice: nil)
    } throws: { !"\($0) \($0.localizedDescription)".contains("canary") }
    #expect(!files.isEmpty)
    for file in files {
      let content = try Data(contentsOf: file)
      #expect(content.range(of: Data(CloudBench.key.utf8)) == nil)
      #expect(content.range(of: Data("canary".utf8)) == nil)
      #expect(!file.lastPathComponent.contains("Nobody"))
    }
    #expect(
      bench.server.requests.allSatisfy { $0.headers["xi-api-key"] == CloudBench.key })
  }
}
