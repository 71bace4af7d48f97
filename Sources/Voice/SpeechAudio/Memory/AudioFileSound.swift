import Foundation
import SpeechConcurrency

/// The audio of a file in one format, read as it is needed: a file of hours takes the memory of a
/// second.
package final class AudioFileSound: Sendable {
  private struct State: ~Copyable {
    var reader: AudioFileReader
    var resampler: Resampler
    /// The audio that was read and may still be needed.
    var ahead: PCMBuffer
    /// The frame at which that audio begins.
    var start = 0
    var isOver = false
    var failure: AudioError?

    var end: Int { start + ahead.frameCount }

    /// Reads until there is audio up to that frame, or no more.
    mutating func fill(to frame: Int) {
      while !isOver, end < frame {
        do throws(AudioError) {
          if let piece = try reader.read(frames: reader.format.sampleRate) {
            ahead.append(try resampler.process(piece))
          } else {
            ahead.append(resampler.finish())
            isOver = true
          }
        } catch {
          failure = error
          isOver = true
        }
      }
    }
  }

  /// The format of the audio, which the file may have in another one.
  package let format: AudioFormat
  private let state: Guarded<State>

  /// Opens a file and reads its beginning.
  ///
  /// - Throws: `AudioError` if there is no such file, or it is not audio.
  package init(_ url: URL, as format: AudioFormat) throws(AudioError) {
    self.format = format
    let reader = try AudioFileReader(url)
    let resampler = try Resampler(from: reader.format, to: format)
    var state = State(
      reader: reader, resampler: resampler, ahead: PCMBuffer(format: format))
    state.fill(to: 1)
    if let failure = state.failure { throw failure }
    self.state = Guarded(state)
  }

  /// The error that ended the audio before its time; `nil` for a file that was read to its end.
  package var failure: AudioError? { state.withLock { $0.failure } }

  /// Returns the number of frames if it is less than that number; `nil` if there are as many.
  func length(before frame: Int) -> Int? {
    state.withLock { state in
      state.fill(to: frame)
      return state.end < frame ? state.end : nil
    }
  }

  /// Returns the audio of that range, as far as the file has it. What is before the range cannot be
  /// read again.
  func slice(_ range: Range<Int>) -> PCMBuffer {
    state.withLock { state in
      state.fill(to: range.upperBound)
      let past = min(max(0, range.lowerBound - state.start), state.ahead.frameCount)
      let slice = state.ahead.slice(past..<range.upperBound - state.start)
      // Seldom, because the rest is moved.
      if past >= format.sampleRate {
        state.ahead.samples.removeFirst(past)
        state.start += past
      }
      return slice
    }
  }
}
