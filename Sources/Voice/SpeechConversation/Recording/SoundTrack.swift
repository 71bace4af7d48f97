import SpeechAudio
import SpeechConcurrency

/// Sounds on one timeline, as they were heard.
///
/// ```swift
/// let track = SoundTrack()
/// track.add(hello, at: .seconds(1))
/// try AudioFile.write(try track.mixed(), to: file)
/// ```
/// It keeps all of it in memory: at 16 kHz, 115 MB an hour.
public final class SoundTrack: Sendable {
  private struct Piece {
    var start: Duration
    var audio: PCMBuffer

    var end: Duration { start + audio.duration }
  }

  private let pieces = Guarded<[Piece]>([])

  /// A track without a sound.
  public init() {}

  /// Adds sound that was heard from that time on. What follows without a gap is joined.
  public func add(_ audio: PCMBuffer, at start: Duration) {
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

  /// All of it, with silence where nothing was heard.
  ///
  /// - Throws: `AudioError` when a sound cannot be converted.
  public func mixed(as format: AudioFormat = .recognition) throws -> PCMBuffer {
    var mix = PCMBuffer(format: format)
    for piece in pieces.withLock({ $0 }) {
      let audio =
        piece.audio.format == format ? piece.audio : try piece.audio.resampled(to: format)
      mix.mix(audio, at: max(0, format.frames(in: piece.start)))
    }
    return mix
  }

  /// The highest rate of its sounds; `nil` if there is none.
  public var highestFormat: AudioFormat? {
    pieces.withLock { pieces in
      pieces.map(\.audio.format).max { $0.sampleRate < $1.sampleRate }
    }
  }

  /// The sounds of both.
  public func joined(with other: SoundTrack) -> SoundTrack {
    let both = SoundTrack()
    let all = pieces.withLock { $0 } + other.pieces.withLock { $0 }
    both.pieces.withLock { $0 = all }
    return both
  }
}
