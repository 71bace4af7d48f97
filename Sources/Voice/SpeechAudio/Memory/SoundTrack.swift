import SpeechConcurrency

/// Audio on one timeline, as it was heard.
///
/// ```swift
/// let track = SoundTrack()
/// track.add(hello, at: .seconds(1))
/// try AudioFile.write(try track.mixed(), to: file)
/// ```
/// All audio is kept in memory: 115 MB for an hour at 16 kHz.
public final class SoundTrack: Sendable {
  private struct Piece {
    var start: Duration
    var audio: PCMBuffer

    var end: Duration { start + audio.duration }
  }

  private let pieces = Guarded<[Piece]>([])

  /// Creates an empty track.
  public init() {}

  /// Adds audio that was heard from the given time on. Audio that follows without a gap is joined.
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

  /// Returns all audio, with silence where nothing was heard.
  ///
  /// - Throws: `AudioError` if audio cannot be converted.
  public func mixed(as format: AudioFormat = .recognition) throws -> PCMBuffer {
    var mix = PCMBuffer(format: format)
    for piece in pieces.withLock({ $0 }) {
      let audio =
        piece.audio.format == format ? piece.audio : try piece.audio.resampled(to: format)
      mix.mix(audio, at: max(0, format.frames(in: piece.start)))
    }
    return mix
  }

  /// The format of the highest sample rate on the track; `nil` if the track is empty.
  public var highestFormat: AudioFormat? {
    pieces.withLock { pieces in
      pieces.map(\.audio.format).max { $0.sampleRate < $1.sampleRate }
    }
  }

  /// Returns a track with the audio of both tracks.
  public func joined(with other: SoundTrack) -> SoundTrack {
    let both = SoundTrack()
    let all = pieces.withLock { $0 } + other.pieces.withLock { $0 }
    both.pieces.withLock { $0 = all }
    return both
  }
}
