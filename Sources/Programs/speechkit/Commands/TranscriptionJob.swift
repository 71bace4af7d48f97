import SpeechCommand
import SpeechKit

struct TranscriptionJob {
  let file: String
  let number: Int
  let count: Int
  let layout: TranscriptLayout
  let output: TranscriptOutput

  private enum Event: Sendable {
    case segment(TranscriptSegment)
    case rejected(RejectedUtterance)
    /// The last event, unless the work was interrupted.
    case ended(Result<Transcript, any Error>)
  }

  func run(
    with transcriber: SpeechTranscriber<some SpeechDecoder>, on terminal: Terminal
  ) async throws {
    let bar = ProgressBar(title: count > 1 ? "\(title) (\(number)/\(count))" : title)
    await terminal.showStatus(bar.text(0))
    let (events, feed) = AsyncStream.makeStream(of: Event.self)
    let (shares, progress) = AsyncStream.makeStream(
      of: Double.self, bufferingPolicy: .bufferingNewest(1))
    let input =
      file == "-" ? AudioFileInput(descriptor: STDIN_FILENO) : AudioFileInput(URL(filePath: file))
    let work = Task {
      let result: Result<Transcript, any Error>
      do {
        result = .success(
          try await transcriber.transcribe(
            input, segment: { feed.yield(.segment($0)) },
            rejected: { feed.yield(.rejected($0)) },
            progress: { progress.yield($0) }))
      } catch {
        result = .failure(error)
      }
      feed.yield(.ended(result))
      feed.finish()
      progress.finish()
    }
    // Separate tasks, because the words before Ctrl-C are still to be written.
    let showing = Task { for await share in shares { await terminal.showStatus(bar.text(share)) } }
    let writing = Task {
      defer { work.cancel() }
      try await write(events, on: terminal)
    }
    let written = await withTaskCancellationHandler {
      await writing.result
    } onCancel: {
      work.cancel()
      // Written at once: the work may be blocked in a pipe or a library.
      feed.finish()
      progress.finish()
    }
    progress.finish()
    await showing.value
    await terminal.showStatus("")
    await work.value
    try written.get()
  }

  /// The note for a file of which nothing was recognised before an interruption.
  static func interruption(before file: String) -> String {
    "speechkit: Interrupted before anything in “\(name(of: file))” was recognised."
  }

  private static func name(of file: String) -> String { file == "-" ? "standard input" : file }

  private var title: String { URL(filePath: Self.name(of: file)).lastPathComponent }

  /// True if each utterance is written as soon as it is recognised.
  private var isStreamed: Bool { layout.isLineByLine && output.isStandardOutput }

  private func write(_ events: AsyncStream<Event>, on terminal: Terminal) async throws {
    var segments: [TranscriptSegment] = []
    var rejected: [RejectedUtterance] = []
    for await event in events {
      switch event {
      case .segment(let segment):
        if isStreamed {
          if segments.isEmpty {
            try await terminal.write(layout.heading(of: file, isFirst: number == 1))
          }
          try await terminal.writeLine(segment.text)
        }
        segments.append(segment)
      case .rejected(let utterance):
        rejected.append(utterance)
        guard layout.format != .json else { continue }
        await terminal.note("speechkit: “\(title)”: \(utterance.summary)")
      case .ended(.success(let transcript)):
        return try await writeWhole(transcript, rejected, on: terminal)
      case .ended(.failure(let error)):
        guard error is CancellationError else { throw error }
      }
    }
    try await writeIncomplete(segments, rejected, on: terminal)
    throw CancellationError()
  }

  private func writeWhole(
    _ transcript: Transcript, _ rejected: [RejectedUtterance], on terminal: Terminal
  ) async throws {
    if !isStreamed {
      let text = try layout.text(
        of: transcript, file: file, isFirst: number == 1,
        ending: transcript.isCutOff ? .cutOff : .end, rejected: rejected)
      try await output.write(text, for: file, on: terminal)
    } else if transcript.segments.isEmpty {
      try await terminal.write(layout.heading(of: file, isFirst: number == 1))
    }
    guard transcript.isCutOff else { return }
    let seconds = String(format: "%.1f", transcript.duration)
    if let damage = transcript.damage {
      throw CommandFailure(
        .badData,
        "“\(Self.name(of: file))” is damaged after \(seconds) s: \(damage). The text up to there "
          + "is written. Use an undamaged copy for the rest.")
    }
    await terminal.note(
      "speechkit: “\(Self.name(of: file))” is cut off: there are \(seconds) s of it, and it says "
        + "that it is longer.")
  }

  private func writeIncomplete(
    _ segments: [TranscriptSegment], _ rejected: [RejectedUtterance], on terminal: Terminal
  ) async throws {
    guard let end = segments.last?.end else {
      await terminal.note(Self.interruption(before: file))
      return
    }
    if !isStreamed {
      let text = try layout.text(
        of: Transcript(segments: segments, duration: end), file: file, isFirst: number == 1,
        ending: .interrupted, rejected: rejected)
      try await output.write(text, for: file, on: terminal)
    }
    let seconds = String(format: "%.1f", end)
    await terminal.note(
      "speechkit: Interrupted: “\(Self.name(of: file))” is written up to \(seconds) s, the rest is "
        + "missing.")
  }
}
