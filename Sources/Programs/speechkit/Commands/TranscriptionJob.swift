import SpeechCommand
import SpeechKit

/// A file, and the events that its text is written from while it is transcribed or afterwards.
struct TranscriptionJob: Sendable {
  private let file: String
  private let number: Int
  private let count: Int
  private let layout: TranscriptLayout
  private let output: TranscriptOutput
  private let events: AsyncStream<Event>
  private let feed: AsyncStream<Event>.Continuation
  private let shares: AsyncStream<Double>
  private let progress: AsyncStream<Double>.Continuation

  private enum Event: Sendable {
    case segment(TranscriptSegment)
    case rejected(RejectedUtterance)
    /// The last event, unless the work was interrupted.
    case ended(Result<Transcript, any Error>)
  }

  /// - Parameter number: the position among the files, from 1.
  init(
    file: String, number: Int, count: Int, layout: TranscriptLayout, output: TranscriptOutput
  ) {
    self.file = file
    self.number = number
    self.count = count
    self.layout = layout
    self.output = output
    (events, feed) = AsyncStream.makeStream()
    (shares, progress) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Transcribes the file, also before its text is written.
  func transcribe(with transcriber: SpeechTranscriber<AnyDecoder>) async {
    let input =
      file == "-" ? AudioFileInput(descriptor: STDIN_FILENO) : AudioFileInput(URL(filePath: file))
    do {
      let transcript = try await transcriber.transcribe(
        input, segment: { feed.yield(.segment($0)) }, rejected: { feed.yield(.rejected($0)) },
        progress: { progress.yield($0) })
      feed.yield(.ended(.success(transcript)))
    } catch {
      feed.yield(.ended(.failure(error)))
    }
    stop()
  }

  /// Ends the events, so that the text so far is written.
  func stop() {
    feed.finish()
    progress.finish()
  }

  /// Writes the text, at the pace at which it is recognised.
  ///
  /// - Throws: `CancellationError` after the text so far, if the work was interrupted.
  func write(on terminal: Terminal) async throws {
    let bar = ProgressBar(title: count > 1 ? "\(title) (\(number)/\(count))" : title)
    await terminal.showStatus(bar.text(0))
    let showing = Task { for await share in shares { await terminal.showStatus(bar.text(share)) } }
    let written: Result<Void, any Error>
    do {
      written = .success(try await writeEvents(on: terminal))
    } catch {
      written = .failure(error)
    }
    progress.finish()
    await showing.value
    await terminal.showStatus("")
    try written.get()
  }

  /// The note for a file of which nothing was recognised before an interruption.
  var interruption: String {
    "speechkit: Interrupted before anything in “\(name)” was recognised."
  }

  private var name: String { file == "-" ? "standard input" : file }

  private var title: String { URL(filePath: name).lastPathComponent }

  /// True if each utterance is written as soon as it is recognised.
  private var isStreamed: Bool { layout.isLineByLine && output.isStandardOutput }

  private func writeEvents(on terminal: Terminal) async throws {
    var segments: [TranscriptSegment] = []
    var rejected: [RejectedUtterance] = []
    var failure: SpeechRecognitionError?
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
        failure = failure ?? utterance.failure
        guard layout.format != .json else { continue }
        let summary = utterance.summary(isDictated: layout.isDictated)
        await terminal.note("speechkit: “\(title)”: \(summary)")
      case .ended(.success(let transcript)):
        try await writeWhole(transcript, rejected, on: terminal)
        // The text is written, but lacks what the failed recogniser would have read.
        if let failure { throw failure }
        return
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
        "“\(name)” is damaged after \(seconds) s: \(damage). The text up to there "
          + "is written. Use an undamaged copy for the rest.")
    }
    await terminal.note(
      "speechkit: “\(name)” is cut off: there are \(seconds) s of it, and it says "
        + "that it is longer.")
  }

  private func writeIncomplete(
    _ segments: [TranscriptSegment], _ rejected: [RejectedUtterance], on terminal: Terminal
  ) async throws {
    guard let end = segments.last?.end else {
      await terminal.note(interruption)
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
      "speechkit: Interrupted: “\(name)” is written up to \(seconds) s, the rest is "
        + "missing.")
  }
}
