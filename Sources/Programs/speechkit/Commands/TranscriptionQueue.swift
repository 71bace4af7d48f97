import SpeechCommand
import SpeechConcurrency
import SpeechKit

/// Transcribes files side by side, and writes their texts in the order of the files.
struct TranscriptionQueue: Sendable {
  let jobs: [TranscriptionJob]
  /// One for each file that is transcribed at once.
  let transcribers: [SpeechTranscriber<AnyDecoder>]

  /// The number of files for each transcriber whose texts may wait for those before them. It
  /// bounds the memory if a long file comes before many short ones.
  private static let lead = 16

  /// - Throws: `CommandFailure` with the status of the first failure, after all files;
  ///   `OutputError` at once; `CancellationError` after the text so far was written.
  func run(on terminal: Terminal) async throws {
    let turns = TranscriptionTurns(
      count: jobs.count, lead: Self.lead * transcribers.count)
    let work = Task {
      await withTaskGroup(of: Void.self) { group in
        for transcriber in transcribers {
          group.addTask {
            while let number = await turns.begin() {
              await jobs[number].transcribe(with: transcriber)
            }
          }
        }
      }
    }
    @Sendable func stop() {
      turns.stop()
      work.cancel()
      // What there is is written at once: the work may be blocked in a pipe or a library.
      for job in jobs { job.stop() }
    }
    // A separate task, because the words before Ctrl-C are still to be written.
    let writing = Task {
      defer { stop() }
      try await write(in: turns, on: terminal)
    }
    let written = await withTaskCancellationHandler {
      await writing.result
    } onCancel: {
      stop()
    }
    await work.value
    try written.get()
  }

  private func write(in turns: TranscriptionTurns, on terminal: Terminal) async throws {
    var firstFailure: ExitStatus?
    var isInterrupted = false
    for (number, job) in jobs.enumerated() {
      guard await turns.hasBegun(number) else {
        if !isInterrupted { await terminal.note(job.interruption) }
        throw CancellationError()
      }
      do {
        try await job.write(on: terminal)
      } catch let error as OutputError {
        throw error
      } catch is CancellationError {
        isInterrupted = true
      } catch {
        await terminal.noteFailure(error.localizedDescription)
        firstFailure = firstFailure ?? ExitStatus(error)
      }
      turns.wrote()
    }
    if isInterrupted { throw CancellationError() }
    if let firstFailure { throw CommandFailure(firstFailure) }
  }
}

/// Hands out the numbers of files in their order, a bounded number ahead of those that are written.
private final class TranscriptionTurns: Sendable {
  private struct State {
    var begun = 0
    var written = 0
    var isStopped = false
  }

  private let count: Int
  private let lead: Int
  private let state = Guarded(State())
  private let change = ChangeSignal()

  init(count: Int, lead: Int) {
    self.count = count
    self.lead = lead
  }

  /// The number of the next file, once it may begin; `nil` at the end.
  func begin() async -> Int? {
    let turn: Int?? = try? await change.wait {
      state.withLock { state -> Int?? in
        guard !state.isStopped, state.begun < count else { return .some(nil) }
        guard state.begun < state.written + lead else { return nil }
        defer { state.begun += 1 }
        return state.begun
      }
    }
    change.notify()
    return turn ?? nil
  }

  /// Waits for the file to begin; false if it does not begin any more.
  func hasBegun(_ number: Int) async -> Bool {
    let answer: Bool? = try? await change.wait {
      state.withLock { state -> Bool? in
        if state.begun > number { return true }
        return state.isStopped ? false : nil
      }
    }
    return answer ?? false
  }

  /// Lets another file begin.
  func wrote() {
    state.withLock { $0.written += 1 }
    change.notify()
  }

  /// Lets no further file begin.
  func stop() {
    state.withLock { $0.isStopped = true }
    change.notify()
  }
}
