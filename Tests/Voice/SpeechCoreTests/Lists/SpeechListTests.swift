import Foundation
import SpeechAudio
import SpeechCore
import Testing

@MainActor
struct SpeechListTests {
  private let texts = ["One two", " \n", "Three", "Four five six"]

  /// A voice that counts its texts and fails, if it is to, at one of them.
  private func voice(
    _ name: String = "", counter: Counter = Counter(), failsAt failing: Int? = nil
  ) throws -> AnyVoice {
    try VoiceEntry("tone", displayName: "Tone", remedy: "None.") { _ in
      (
        ToneVoice(),
        ToneVoice.Configuration(beforeChunk: { word in
          guard word == 0, counter.increment() == failing else { return }
          throw CancellationError()
        })
      )
    }.voice(name)
  }

  private func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "list-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }

  private func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test func `a list is spoken in order, without its blank texts`() async throws {
    let mock = MockSpeechSynthesisProvider()
    let list = SpeechList(texts)
    #expect(list.progress == 0)
    try await list.speak(with: SpeechSynthesisEngine(provider: mock), voice: "tone")
    #expect(mock.speakCallCount == 3)
    #expect(mock.lastSpokenText == "Four five six")
    #expect(mock.lastRequestedVoice == "tone")
    #expect(list.progress == 1)
    #expect(!list.isRunning)
    #expect(SpeechList([]).progress == 1)
  }

  @Test func `a stopped list resumes with the text that was not finished`() async throws {
    let mock = MockSpeechSynthesisProvider()
    let engine = SpeechSynthesisEngine(provider: mock)
    let list = SpeechList(texts)
    mock.autoComplete = false
    let events = mock.events
    let speaking = Task { try await list.speak(with: engine) }
    var started = 0
    for await event in events where event == .started {
      started += 1
      if started == 2 { break }
      mock.simulateCompletion()
    }
    #expect(list.isRunning)
    #expect(list.progress == 0.5)
    await #expect(throws: SpeechSynthesisProviderError.self) { try await list.speak(with: engine) }
    engine.stop()
    await #expect(throws: SpeechSynthesisProviderError.cancelled) { try await speaking.value }
    #expect(list.completed == 2)

    mock.autoComplete = true
    try await list.speak(with: engine)
    #expect(mock.speakCallCount == 4)
    #expect(list.completed == 4)
    list.restart()
    #expect(list.completed == 0)
  }

  @Test func `a list is rendered into numbered files`() async throws {
    try await withFolder { folder in
      let files = try await SpeechList(texts).render(with: voice(), to: folder)
      #expect(files.map(\.lastPathComponent) == ["001.wav", "003.wav", "004.wav"])
      let durations = try files.map { try AudioFile.read($0).duration }
      #expect(durations == [2, 1, 3].map { .milliseconds(100 * $0) })
      #expect(try names(in: folder) == ["001.wav", "003.wav", "004.wav", "list.json"])
    }
  }

  @Test func `a cancelled rendering resumes, in another process too`() async throws {
    try await withFolder { folder in
      let counter = Counter()
      let cancelled = SpeechList(texts)
      let failing = try voice(counter: counter, failsAt: 2)
      await #expect(throws: CancellationError.self) {
        try await cancelled.render(with: failing, to: folder)
      }
      #expect(cancelled.completed == 3)
      #expect(try names(in: folder) == ["001.wav", "003.wav", "list.json"])

      let rest = Counter()
      try await SpeechList(texts).render(with: voice(counter: rest), to: folder)
      #expect(rest.increment() == 1)
      #expect(try names(in: folder) == ["001.wav", "003.wav", "004.wav", "list.json"])
    }
  }

  @Test func `only changed texts are rendered again, and all for another voice`() async throws {
    try await withFolder { folder in
      try await SpeechList(texts).render(with: voice(), to: folder)
      let changed = Counter()
      try await SpeechList(["One two", "New", "Changed text"]).render(
        with: voice(counter: changed), to: folder)
      #expect(changed.increment() == 2)
      #expect(try names(in: folder) == ["001.wav", "002.wav", "003.wav", "list.json"])
      let other = Counter()
      try await SpeechList(["One two"]).render(
        with: voice("other", counter: other), to: folder)
      #expect(other.increment() == 1)
      #expect(try names(in: folder) == ["001.wav", "list.json"])
    }
  }

  @Test func `a file of the user is not overwritten`() async throws {
    try await withFolder { folder in
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let own = folder.appending(path: "001.wav")
      try Data("mine".utf8).write(to: own)
      let voice = try voice()
      await #expect(throws: AudioError.self) {
        try await SpeechList(texts).render(with: voice, to: folder)
      }
      #expect(try Data(contentsOf: own) == Data("mine".utf8))
    }
  }
}
