import Foundation
import SpeechCommand
import SpeechKit
import Testing

@testable import speechkit

struct TranscriptionQueueTests {
  /// A decoder that blocks until all decoders have an utterance.
  private final class MeetingDecoder: SpeechDecoder {
    /// The place where decoders meet.
    final class Meeting: Sendable {
      private let size: Int
      // Unchecked because the condition guards it.
      private nonisolated(unsafe) var present = 0
      private let condition = NSCondition()

      init(of size: Int) { self.size = size }

      func join() {
        condition.lock()
        defer { condition.unlock() }
        present += 1
        condition.broadcast()
        while present < size { condition.wait() }
      }
    }

    static let identifier = "test.meeting"
    static let isAvailable = true
    let format = AudioFormat.recognition
    private let meeting: Meeting

    init(configuration: Meeting, locale: Locale) { meeting = configuration }

    nonisolated(nonsending) func hear(
      _ input: DecoderInput, partial: @Sendable (String) async -> Void
    ) async throws -> DecoderOutput {
      guard case .utterance = input else { return DecoderOutput() }
      meeting.join()
      return DecoderOutput(utterance: DecodedUtterance(text: "together"))
    }
  }

  /// More than the threads that tasks share, so that these stay free only if no decoder blocks one.
  @Test func `as many files are transcribed at once as there are decoders`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let count = ProcessInfo.processInfo.activeProcessorCount + 1
    let files = try await Array(repeating: Sounds.shared.command(), count: count)
    let configuration = AnyDecoder.Configuration(
      of: MeetingDecoder.self, configuration: MeetingDecoder.Meeting(of: count))
    let layout = TranscriptLayout(format: .txt, isTabbed: true)
    let output = try TranscriptOutput(workshop.path("texts/"), of: ["texts.wav"], format: .txt)
    let queue = TranscriptionQueue(
      jobs: files.indices.map {
        TranscriptionJob(
          file: files[$0], number: $0 + 1, count: count, layout: layout, output: output)
      },
      transcribers: files.map { _ in SpeechTranscriber<AnyDecoder>(configuration: configuration) })
    try await queue.run(on: Terminal())
    #expect(workshop.names == ["texts"])
  }

  /// More short files than may wait for the long one before them.
  @Test func `texts are written in the order of the files`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let junk = try workshop.write("no sound at all", to: "junk.wav")
    let (long, short) = try await (Sounds.shared.manyCommands(), Sounds.shared.command())
    let grammar = try await Sounds.shared.grammar()
    let files = [long] + Array(repeating: [short, junk], count: 40).joined() + [long, short]
    func transcribe(_ jobs: String) async throws -> Tool.Outcome {
      try await Tool(["transcribe", "--grammar", grammar, "--tabbed", "--jobs", jobs] + files).run()
    }
    let (together, alone) = try await (transcribe("3"), transcribe("1"))
    #expect(together.status == 65)
    #expect(alone.status == 65)
    let names = together.lines.map { $0.prefix { $0 != "\t" } }
    #expect(names == files.filter { $0 != junk }.map { $0[...] })
    #expect(together.text == alone.text)
    #expect(together.errors == alone.errors)
  }

  @Test func `all that was recognised before Ctrl-C is written, of later files too`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let grammar = try await Sounds.shared.grammar()
    let (short, long) = try await (Sounds.shared.command(), Sounds.shared.manyCommands())
    // The last file blocks, because standard input is never closed.
    let running = try Tool(
      "transcribe", "--grammar", grammar, "--jobs", "2", "--tabbed", short, long, "-"
    ).start()
    #expect(await running.readLine() == "\(short)\t\(Sounds.command)")
    #expect(await running.readLine().hasPrefix("\(long)\tgo forward"))
    running.send(SIGINT)
    let outcome = await running.outcome()
    #expect(outcome.status == 130)
    #expect(outcome.errors.contains("before anything in “standard input” was recognised"))
  }
}
