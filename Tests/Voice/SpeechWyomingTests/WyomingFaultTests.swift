import Foundation
import SpeechAudio
import SpeechConcurrency
import SpeechCore
import TestSupport
import Testing

@testable import SpeechWyoming

/// Servers that are not engines, and engines that fail.
@Suite(.enabled(if: Peers.areExpected, "\(Peers.areMissing)"))
struct WyomingFaultTests {
  private func complaint(
    about engine: String, timeout: Duration = .seconds(60)
  ) async throws -> String {
    // Little audio, because its duration extends the time limit.
    let audio = WyomingFixture.audio(1, frames: 160)
    do {
      let heard = try await WyomingFixture.session(engine, timeout: timeout).decode(audio)
      return "heard “\(heard?.text ?? "")”"
    } catch let error as SpeechRecognitionError {
      return error.localizedDescription
    }
  }

  @Test(
    arguments: [
      ("babbles", "longer than 64 KiB"), ("speaks HTTP", "“HTTP/1.1 400 Bad Request"),
      ("promises", "the payload of an event is longer than 16384 KiB"),
      ("describes nothing", "has no recogniser"), ("fails", "out of memory (MemoryError)"),
      ("breaks off", "ended the connection before its answer"),
      ("lies", "its transcript has no text"),
    ])
  func `each fault is an error with a remedy`(manner: String, message: String) async throws {
    try await WyomingFixture.withFake(manner) { engine in
      let complaint = try await complaint(about: engine)
      #expect(complaint.contains(message), "\(complaint)")
      #expect(complaint.contains(engine))
    }
  }

  @Test(arguments: ["hangs", "hangs later", "floods"])
  func `an engine that never answers is abandoned`(manner: String) async throws {
    try await WyomingFixture.withFake(manner) { engine in
      let complaint = try await complaint(about: engine, timeout: .milliseconds(1_000))
      #expect(complaint.contains("did not answer within 1 seconds"), "\(complaint)")
    }
  }

  @Test func `the time limit includes the time after losses`() async throws {
    try await WyomingFixture.withFake("dies slowly") { engine in
      let complaint = try await complaint(about: engine, timeout: .milliseconds(1_000))
      #expect(complaint.contains("did not answer within 1 seconds"), "\(complaint)")
    }
  }

  @Test func `exchanges that end at the same time start one program for the next`() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    let words = try WyomingFixture.command("wyoming_fake.py", ["honest", "--stdio"]).dropFirst(5)
    let engine = WyomingEngine(
      try WyomingAddress("exec:sh -c \"echo started >> '\(file.path)'; exec \(words)\""))
    let links = try (0..<3).map { _ in try engine.connect() }
    DispatchQueue.concurrentPerform(iterations: links.count) {
      engine.release(links[$0], isComplete: false)
    }
    _ = try await engine.describe(until: .init(.seconds(60)))
    let starts = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").count
    #expect(starts <= links.count + 1)
  }

  @Test(arguments: ["hangs", "floods"])
  func `cancelling ends the wait`(manner: String) async throws {
    try await WyomingFixture.withFake(manner) { engine in
      let session = WyomingFixture.session(engine)
      let task = Task { try await session.decode(WyomingFixture.audio(1)) }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test func `an engine that is not there is reported at once`() async throws {
    let gone = try await WyomingFixture.withFake("honest") { $0 }
    let refusal = try await complaint(about: gone)
    #expect(refusal.contains("cannot be reached: Connection refused"), "\(refusal)")
    let missing = try await complaint(about: "unix:/nonexistent/engine.socket")
    #expect(missing.contains("No such file or directory"), "\(missing)")
  }

  @Test func `the last words of a program are its error`() async throws {
    let text = try await complaint(about: "exec:sh -c 'echo no such model >&2; exit 3'")
    #expect(text.contains("ended. Its last line was “no such model”"), "\(text)")
  }

  @Test func `a language or a model that the engine lacks is reported with those it has`()
    async throws
  {
    try await WyomingFixture.withFake("honest") { engine in
      let session = RecognitionSession<WyomingDecoder>(
        configuration: WyomingConfiguration(engine: engine), locale: Locale(identifier: "fr-FR"))
      let error = await #expect(throws: SpeechRecognitionError.self) {
        try await session.decode(WyomingFixture.audio(1))
      }
      #expect(error?.localizedDescription.contains("It knows de_DE, en, en_US") == true)
      let other = try await complaint(about: engine + "#huge")
      #expect(other.contains("has no model “huge”. It has small, large"), "\(other)")
      let small = try await complaint(about: engine + "#small")
      #expect(small.contains("heard “160 "), "\(small)")
    }
  }

  @Test func `nothing is connected in offline mode`() async throws {
    // In a process of its own, because the switch is for the whole program.
    await #expect(processExitsWith: .success) {
      OfflineMode.shared.isOn = true
      for place in ["127.0.0.1:1", "unix:/nonexistent/engine.socket"] {
        let error = await #expect(throws: SpeechRecognitionError.self) {
          try await WyomingFixture.session(place).decode(WyomingFixture.audio(1))
        }
        #expect(error?.localizedDescription.contains("SPEECHKIT_OFFLINE") == true)
      }
    }
  }
}
