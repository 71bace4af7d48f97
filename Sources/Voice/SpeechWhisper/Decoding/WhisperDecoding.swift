import SpeechAudio
import SpeechConcurrency

/// A decoding in progress, which can be abandoned at once.
///
/// The library notices an end between two steps only, the longest of which takes as long as the
/// encoder. The one who waits does not wait for that; the next decoding does.
final class WhisperDecoding: Sendable {
  /// True if the reading is dropped when it cannot be trusted.
  let isDraft: Bool
  private let result = FirstResult<WhisperReading>()
  private let flag = OnceFlag()
  private let work: Task<Void, Never>

  init(
    of audio: PCMBuffer, after context: String, isDraft: Bool, threads: Int,
    in session: WhisperSession
  ) {
    self.isDraft = isDraft
    let (result, flag) = (result, flag)
    work = Task {
      do {
        let reading = try await session.read(
          audio, after: context, isDraft: isDraft, threads: threads, stop: flag)
        result.give(.success(reading))
      } catch {
        result.give(.failure(error))
      }
    }
  }

  /// True once the reading or an error is there.
  var isDone: Bool { !result.isWanted }

  /// Waits until the library has come to an end.
  func ended() async { await work.value }

  /// Ends the decoding.
  func stop() {
    _ = flag.raise()
    result.give(.failure(CancellationError()))
  }

  /// Waits for the reading. For one caller.
  ///
  /// - Throws: as `WhisperSession.read`; `CancellationError` when the task is cancelled, which ends
  ///   the decoding.
  nonisolated(nonsending) func value() async throws -> WhisperReading {
    do {
      return try await result.value()
    } catch {
      _ = flag.raise()
      throw error
    }
  }
}
