import Foundation
import SpeechAudio
import TestSupport
import Testing

@testable import SpeechCore

@MainActor
struct VoiceSynthesisProviderTests {
  let clock = VirtualClock()
  let speaker: MemorySpeaker
  let output: TellingOutput

  init() {
    speaker = MemorySpeaker(clock: clock)
    output = TellingOutput(speaker)
  }

  private func provider(
    _ configuration: ToneVoice.Configuration = .init()
  ) -> VoiceSynthesisProvider<ToneVoice> {
    VoiceSynthesisProvider(engine: ToneVoice(), configuration: configuration, output: output)
  }

  private func samples(words: Int) -> [Int16] {
    (0..<words).flatMap { ToneVoice.samples(of: $0) }
  }

  private var heard: [Int16] { speaker.sounds.flatMap(\.audio.samples) }

  @Test func `speaking returns when the last sample has been played`() async throws {
    let provider = provider()
    try await provider.speak(text: "one two three four five", voice: nil)
    #expect(clock.time == .milliseconds(500))
    #expect(heard == samples(words: 5))
    #expect(!provider.isPlaying)
  }

  @Test func `events begin with started and end with completed`() async throws {
    let provider = provider()
    let events = provider.events
    try await provider.speak(text: "one two three", voice: nil)
    var seen: [SpeechSynthesisEvent] = []
    for await event in events {
      seen.append(event)
      if event == .completed { break }
    }
    #expect(seen.first == .started)
    #expect(seen.filter { $0 == .completed || $0 == .started }.count == 2)
    let progress = seen.compactMap { if case .progress(let share) = $0 { share } else { nil } }
    #expect(progress == progress.sorted())
    #expect(progress.last == 1)
  }

  @Test func `word positions are reported when they are heard`() async throws {
    let provider = provider()
    let positions = provider.positions
    try await provider.speak(text: "one two three", voice: nil)
    var ranges: [Range<Int>] = []
    for await position in positions where position.kind == .word {
      ranges.append(position.textRange)
      if ranges.count == 3 { break }
    }
    #expect(ranges == [0..<3, 4..<7, 8..<13])
  }

  /// Starts speaking and advances the time to that point. The time then stands still until the hold
  /// is cancelled or sleeps again.
  private func begin(
    _ text: String, with provider: VoiceSynthesisProvider<ToneVoice>, upTo time: Duration
  ) async throws -> (speech: Task<Void, any Error>, hold: any DeviceTimer) {
    let hold = clock.makeTimer()
    let speech = Task { try await provider.speak(text: text, voice: nil) }
    await output.opening()
    try await hold.sleep(until: time)
    return (speech, hold)
  }

  @Test func `stopping ends the audio at once and throws cancelled`() async throws {
    let provider = provider()
    let events = provider.events
    let (speech, hold) = try await begin(
      "one two three four", with: provider, upTo: .milliseconds(150))
    provider.stop()
    hold.cancel()
    await #expect(throws: SpeechSynthesisProviderError.cancelled) { try await speech.value }
    #expect(await events.waitFor { $0 == .failed(.cancelled) } != nil)
    #expect(heard == Array(samples(words: 4).prefix(1_200)))
    #expect(!provider.isPlaying)
  }

  @Test func `cancelling the task stops the audio and throws a cancellation`() async throws {
    let provider = provider()
    let (speech, hold) = try await begin(
      "one two three four", with: provider, upTo: .milliseconds(150))
    speech.cancel()
    hold.cancel()
    await #expect(throws: CancellationError.self) { try await speech.value }
    #expect(!provider.isPlaying)
    try await provider.speak(text: "again", voice: nil)
  }

  @Test func `a pause loses no sample`() async throws {
    let provider = provider()
    let (speech, hold) = try await begin(
      "one two three four five", with: provider, upTo: .milliseconds(150))
    provider.pause()
    #expect(provider.isPaused)
    #expect(!provider.isPlaying)
    try await hold.sleep(until: .seconds(10))
    provider.resume()
    #expect(provider.isPlaying)
    hold.cancel()
    try await speech.value
    #expect(heard == samples(words: 5))
    #expect(speaker.sounds.map(\.start) == [.zero, .seconds(10)])
    #expect(clock.time == .seconds(10) + .milliseconds(350))
  }

  @Test func `a pause before the first audio holds it back`() async throws {
    let gate = Gate()
    let provider = provider(
      .init(beforeChunk: { index in if index == 0 { await gate.pass() } }))
    let speech = Task { try await provider.speak(text: "one two", voice: nil) }
    while !provider.isPlaying { await Task.yield() }
    provider.pause()
    gate.open()
    await output.opening()
    #expect(heard.isEmpty)
    provider.resume()
    try await speech.value
    #expect(heard == samples(words: 2))
  }

  @Test func `texts are spoken one after the other in the order of the calls`() async throws {
    let provider = provider()
    var tasks: [Task<Void, any Error>] = []
    for words in 1...4 {
      let text = Array(repeating: "word", count: words).joined(separator: " ")
      tasks.append(Task { try await provider.speak(text: text, voice: nil) })
      await Task.yield()
    }
    for task in tasks { try await task.value }
    let lengths = speaker.sounds.map { $0.audio.frameCount / ToneVoice.framesPerWord }
    #expect(lengths == [1, 2, 3, 4])
  }

  @Test func `stopping cancels waiting texts as well`() async throws {
    let provider = provider()
    let (first, hold) = try await begin(
      "one two three", with: provider, upTo: .milliseconds(50))
    let second = Task { try await provider.speak(text: "four five six", voice: nil) }
    await Task.yield()
    provider.stop()
    hold.cancel()
    await #expect(throws: SpeechSynthesisProviderError.cancelled) { try await first.value }
    await #expect(throws: SpeechSynthesisProviderError.cancelled) { try await second.value }
  }

  @Test func `blank text is invalid`() async {
    for text in ["", " ", "\n\t"] {
      await #expect(throws: SpeechSynthesisProviderError.invalidText) {
        try await provider().speak(text: text, voice: nil)
      }
    }
  }

  @Test func `an engine that fails during a text fails after the audio so far`()
    async throws
  {
    let provider = provider(
      .init(failure: SpeechSynthesisProviderError.networkUnavailable, wordsBeforeFailure: 2))
    await #expect(throws: SpeechSynthesisProviderError.networkUnavailable) {
      try await provider.speak(text: "one two three", voice: nil)
    }
    #expect(!provider.isPlaying)
  }

  @Test func `a thousand cycles of speaking and stopping leave nothing behind`() async throws {
    let provider = provider()
    for cycle in 0..<1_000 {
      let speech = Task { try await provider.speak(text: "one two three", voice: nil) }
      if cycle.isMultiple(of: 2) {
        try await speech.value
      } else {
        for _ in 0..<cycle % 17 { await Task.yield() }
        provider.stop()
        speech.cancel()
        _ = await speech.result
      }
      #expect(!provider.isPlaying && !provider.isPaused)
    }
  }
}
