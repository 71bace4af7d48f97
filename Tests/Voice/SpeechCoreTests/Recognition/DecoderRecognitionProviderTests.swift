import Foundation
import SpeechAudio
import SpeechCore
import Testing

@MainActor
struct DecoderRecognitionProviderTests {
  let locale = Locale(identifier: "en-US")

  private func microphone(_ starts: Duration..., ending: Duration) -> ScriptedMicrophone {
    var script = AudioScript().withNoise(level: -65).ending(at: ending)
    for start in starts { script = script.saying(.buzz(.seconds(1)), at: start) }
    return ScriptedMicrophone(script)
  }

  private func provider(
    _ input: any AudioInput, _ configuration: LoudnessDecoder.Configuration = .init()
  ) -> DecoderRecognitionProvider<LoudnessDecoder> {
    DecoderRecognitionProvider(configuration: configuration, input: input)
  }

  @Test func `speech at second three is recognised at second three`() async throws {
    let provider = provider(microphone(.seconds(3), ending: .seconds(6)))
    let results = provider.results
    try await provider.startListening(locale: locale)
    let finals = await results.collected().filter(\.isFinal)
    let word = try #require(finals.first?.words.first)
    #expect(finals.count == 1)
    #expect(abs(word.start - 3) < 0.05)
    #expect(abs(word.end - 4) < 0.05)
    #expect(!provider.isListening)
    #expect(provider.failure == nil)
  }

  @Test func `partial results arrive during speech`() async throws {
    let provider = provider(microphone(.seconds(1), ending: .seconds(4)))
    let results = provider.results
    try await provider.startListening(locale: locale)
    let all = await results.collected()
    #expect(all.filter { !$0.isFinal }.count > 3)
    #expect(Set(all.map(\.utteranceID)).count == 1)
    #expect(provider.partialTranscription.isEmpty)
  }

  @Test func `utterances are distinct and none is lost`() async throws {
    let provider = provider(
      microphone(.seconds(1), .seconds(4), .seconds(7), ending: .seconds(10)))
    let results = provider.results
    try await provider.startListening(locale: locale)
    let starts = await results.collected().filter(\.isFinal).compactMap(\.words.first?.start)
    #expect(starts.count == 3)
    for (start, expected) in zip(starts, [1.0, 4, 7]) { #expect(abs(start - expected) < 0.05) }
  }

  @Test func `speech that runs into the end of the source is still recognised`() async throws {
    let provider = provider(microphone(.seconds(1), ending: .milliseconds(1_900)))
    let results = provider.results
    try await provider.startListening(locale: locale)
    #expect(await results.collected().filter(\.isFinal).count == 1)
  }

  @Test func `stopping during speech delivers the words so far`() async throws {
    // No end: the script runs until listening is stopped.
    let script = AudioScript().saying(.buzz(.seconds(30)), at: .seconds(1))
    let provider = provider(ScriptedMicrophone(script))
    let results = provider.results
    try await provider.startListening(locale: locale)
    var finals: [SpeechRecognitionResult] = []
    for await result in results {
      if result.isFinal { finals.append(result) } else { provider.stopListening() }
    }
    #expect(finals.count == 1)
    #expect(!provider.isListening)
  }

  @Test func `the decoder stays loaded between two sessions`() async throws {
    let configuration = LoudnessDecoder.Configuration()
    let provider = provider(ScriptedMicrophone(), configuration)
    for _ in 0..<3 {
      try await provider.startListening(locale: locale)
      #expect(provider.isListening)
      provider.stopListening()
    }
    #expect(configuration.log.values.filter { $0.hasPrefix("load") } == ["load en-US"])
  }

  @Test func `a model that cannot be loaded is an error of the start`() async {
    let provider = provider(
      ScriptedMicrophone(), .init(loadError: .recognitionFailed("No model.")))
    await #expect(throws: SpeechRecognitionError.recognitionFailed("No model.")) {
      try await provider.startListening(locale: locale)
    }
    #expect(!provider.isListening)
    #expect(provider.failure == .recognitionFailed("No model."))
  }

  @Test func `a decoder that fails ends listening with its error`() async throws {
    let provider = provider(
      microphone(.seconds(1), ending: .seconds(3)),
      .init(processError: .recognitionFailed("Broken.")))
    let results = provider.results
    try await provider.startListening(locale: locale)
    #expect(await results.collected().isEmpty)
    #expect(provider.failure == .recognitionFailed("Broken."))
    #expect(!provider.isListening)
  }

  @Test func `a lost device is an error until it returns, and times stay right`() async throws {
    let script = AudioScript().withNoise(level: -65)
      .saying(.buzz(.seconds(1)), at: .seconds(1))
      .interrupted(at: .seconds(3), for: .seconds(4))
      .saying(.buzz(.seconds(1)), at: .seconds(8)).ending(at: .seconds(11))
    let provider = provider(ScriptedMicrophone(script))
    let results = provider.results
    try await provider.startListening(locale: locale)
    let starts = await results.collected().filter(\.isFinal).compactMap(\.words.first?.start)
    #expect(starts.count == 2)
    if starts.count == 2 {
      #expect(abs(starts[0] - 1) < 0.05)
      #expect(abs(starts[1] - 8) < 0.05)
    }
    #expect(provider.failure == nil)
  }

  @Test func `a key phrase is reported as soon as it is complete, and listening continues`()
    async throws
  {
    let script = AudioScript().withNoise(level: -65)
      .saying(.buzz(.seconds(3)), at: .seconds(1)).ending(at: .seconds(6))
    let provider = provider(ScriptedMicrophone(script), .init(completesAfter: 16_000))
    let results = provider.results
    try await provider.startListening(locale: locale)
    let finals = await results.collected().filter(\.isFinal)
    #expect(finals.count >= 3)
    let starts = finals.compactMap(\.words.first?.start)
    #expect(starts == starts.sorted())
  }

  @Test func `a start that is cancelled or stopped ends quickly and cleanly`()
    async throws
  {
    let provider = provider(ScriptedMicrophone())
    let cancelled = Task { try await provider.startListening(locale: locale) }
    cancelled.cancel()
    _ = await cancelled.result
    provider.stopListening()
    let stopped = Task { try await provider.startListening(locale: locale) }
    while !provider.isListening { await Task.yield() }
    provider.stopListening()
    _ = await stopped.result
    #expect(!provider.isListening)
    try await provider.startListening(locale: locale)
    #expect(provider.isListening)
    provider.stopListening()
  }

  @Test func `a start that waits for the last utterance can be stopped`() async throws {
    let decoding = Gate()
    let provider = provider(
      microphone(.seconds(1), ending: .milliseconds(1_900)),
      .init(beforeFinish: { await decoding.pass() }))
    let results = provider.results
    try await provider.startListening(locale: locale)
    _ = await results.waitFor { !$0.isFinal }
    provider.stopListening()
    let waiting = Task { try await provider.startListening(locale: locale) }
    await Task.yield()
    provider.stopListening()
    decoding.open()
    await #expect(throws: SpeechRecognitionError.cancelled) { try await waiting.value }
    #expect(!provider.isListening)
    #expect(provider.failure == nil)
  }

  @Test func `a stopped start is not a failure, even if the device was opened already`()
    async throws
  {
    let opening = Gate()
    let opened = Gate()
    let provider = provider(StubbornMicrophone(opening: opening, opened: opened))
    let start = Task { try await provider.startListening(locale: locale) }
    await opening.pass()
    provider.stopListening()
    opened.open()
    await #expect(throws: SpeechRecognitionError.cancelled) { try await start.value }
    #expect(provider.failure == nil)
    #expect(!provider.isListening)
  }

  @Test func `audio is read while the main actor is busy and no one speaks`() async throws {
    let reader = CountingMicrophone()
    let provider = provider(reader)
    try await provider.startListening(locale: locale)
    // Blocks the main actor; the microphone captures silence meanwhile.
    #expect(reader.hasRead.wait(timeout: .now() + 300) == .success)
    provider.stopListening()
  }

  @Test func `a thousand starts and stops work`() async throws {
    let provider = provider(ScriptedMicrophone())
    for _ in 0..<1_000 {
      try await provider.startListening(locale: locale)
      provider.stopListening()
    }
    #expect(!provider.isListening)
  }

  @Test func `permission depends on whether the input can be opened`() async {
    let provider = provider(ScriptedMicrophone())
    #expect(provider.authorizationStatus == .notDetermined)
    #expect(await provider.requestAuthorization() == .authorized)
    let deaf = self.provider(NoMicrophone())
    #expect(await deaf.requestAuthorization() == .restricted)
    let reason = SpeechRecognitionError.audioEngineError(
      AudioError.noDevice(.input).localizedDescription)
    #expect(deaf.failure == reason)
    await #expect(throws: reason) {
      try await SpeechRecognitionEngine(provider: deaf).startListening(locale: locale)
    }
    await #expect(throws: SpeechRecognitionError.self) {
      try await deaf.startListening(locale: locale)
    }
  }
}

private struct NoMicrophone: AudioInput {
  let name = "none"

  func checkAvailability() async throws { throw AudioError.noDevice(.input) }

  func open() async throws -> any AudioCapture { throw AudioError.noDevice(.input) }
}

/// A microphone whose opening cannot be cancelled.
private struct StubbornMicrophone: AudioInput {
  let name = "stubborn"
  let opening: Gate
  let opened: Gate

  func open() async throws -> any AudioCapture {
    opening.open()
    await opened.pass()
    return try await ScriptedMicrophone().open()
  }
}

/// A silent microphone that signals when a hundred buffers were read.
private struct CountingMicrophone: AudioInput {
  let name = "counting"
  let hasRead = DispatchSemaphore(value: 0)

  func open() async throws -> any AudioCapture {
    CountingCapture(capture: try await ScriptedMicrophone().open(), hasRead: hasRead)
  }
}

private final class CountingCapture: AudioCapture {
  let capture: any AudioCapture
  let hasRead: DispatchSemaphore
  let count = Counter()

  init(capture: any AudioCapture, hasRead: DispatchSemaphore) {
    self.capture = capture
    self.hasRead = hasRead
  }

  var format: AudioFormat { capture.format }
  var statistics: AudioStatistics { capture.statistics }

  func read() async throws -> AudioCaptureEvent? {
    if count.increment() == 100 { hasRead.signal() }
    return try await capture.read()
  }

  func stop() { capture.stop() }
}
