import Foundation
import SpeechKit

/// One file on its way to its transcript.
struct TranscriptionJob {
  let file: String
  let number: Int
  let count: Int
  let layout: TranscriptLayout
  let output: TranscriptOutput

  func run(
    with transcriber: SpeechTranscriber<PocketSphinxDecoder>, on terminal: Terminal
  ) async throws {
    let bar = ProgressBar(title: count > 1 ? "\(title) (\(number)/\(count))" : title)
    await terminal.showStatus(bar.text(0))
    let (segments, feed) = AsyncStream.makeStream(of: TranscriptSegment.self)
    let (shares, progress) = AsyncStream.makeStream(
      of: Double.self, bufferingPolicy: .bufferingNewest(1))
    let input =
      file == "-" ? AudioFileInput(descriptor: STDIN_FILENO) : AudioFileInput(URL(filePath: file))
    let work = Task {
      defer {
        feed.finish()
        progress.finish()
      }
      return try await transcriber.transcribe(
        input, segment: { feed.yield($0) }, progress: { progress.yield($0) })
    }
    // Tasks of their own, because what was recognised before Ctrl-C is still to be printed.
    let showing = Task { for await share in shares { await terminal.showStatus(bar.text(share)) } }
    let printing = Task { try await print(segments, on: terminal, or: work) }
    let result = await withTaskCancellationHandler {
      await work.result
    } onCancel: {
      work.cancel()
    }
    await showing.value
    await terminal.showStatus("")
    let printed = try await printing.value
    try await finish(result, printed: printed, on: terminal)
  }

  private var title: String {
    file == "-" ? "standard input" : URL(filePath: file).lastPathComponent
  }

  private func print(
    _ segments: AsyncStream<TranscriptSegment>, on terminal: Terminal,
    or work: Task<Transcript, any Error>
  ) async throws -> [TranscriptSegment] {
    var printed: [TranscriptSegment] = []
    do {
      for await segment in segments {
        if layout.isLineByLine, output.isStandardOutput {
          if printed.isEmpty {
            try await terminal.write(layout.heading(of: file, isFirst: number == 1))
          }
          try await terminal.writeLine(segment.text)
        }
        printed.append(segment)
      }
    } catch {
      work.cancel()
      throw error
    }
    return printed
  }

  private func finish(
    _ result: Result<Transcript, any Error>, printed: [TranscriptSegment], on terminal: Terminal
  ) async throws {
    let isStreamed = layout.isLineByLine && output.isStandardOutput
    switch result {
    case .success(let transcript):
      if isStreamed {
        guard printed.isEmpty else { return }
        try await terminal.write(layout.heading(of: file, isFirst: number == 1))
      } else {
        let text = try layout.text(of: transcript, file: file, isFirst: number == 1)
        try await output.write(text, for: file, on: terminal)
      }
    case .failure(let error):
      // A file is whole or not there; what goes to a reader is better incomplete than lost.
      if error is CancellationError, !isStreamed, !printed.isEmpty, output.isStandardOutput {
        let transcript = Transcript(segments: printed, duration: printed.last?.end ?? 0)
        try await terminal.write(layout.text(of: transcript, file: file, isFirst: number == 1))
      }
      throw error
    }
  }
}
