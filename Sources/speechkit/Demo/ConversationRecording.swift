import SpeechKit
import Synchronization

/// Both sides of a conversation on one timeline.
final class ConversationRecording: Sendable {
  private struct Piece {
    var start: Duration
    var audio: PCMBuffer

    var end: Duration { start + audio.duration }
  }

  let clock: any DeviceClock
  private let pieces = Mutex<[Piece]>([])

  init(clock: any DeviceClock) {
    self.clock = clock
  }

  /// Adds sound that was heard from that time on.
  func add(_ audio: PCMBuffer, at start: Duration) {
    guard !audio.isEmpty else { return }
    pieces.withLock { pieces in
      let last = pieces.indices.last { index in
        pieces[index].audio.format == audio.format
          && abs((pieces[index].end - start).inSeconds) < 0.001
      }
      if let last {
        pieces[last].audio.append(audio)
      } else {
        pieces.append(Piece(start: start, audio: audio))
      }
    }
  }

  /// All of it, at the recognisers' rate.
  func mixed() throws -> PCMBuffer {
    var mix = PCMBuffer(format: .recognition)
    for piece in pieces.withLock({ $0 }) {
      let frame = mix.format.frames(in: piece.start)
      mix.mix(try piece.audio.resampled(to: mix.format), at: max(0, frame))
    }
    return mix
  }
}
