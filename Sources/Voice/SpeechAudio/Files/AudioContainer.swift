/// The format of an audio file.
public enum AudioContainer: String, Sendable, Codable, CaseIterable {
  /// RIFF WAVE, also as RF64: uncompressed.
  case wav
  /// FLAC: compressed without loss.
  case flac
  /// Ogg Vorbis.
  case ogg
  /// Ogg Opus, for 8, 12, 16, 24 and 48 kHz only.
  case opus
  /// MPEG layer 3.
  case mp3

  /// The container of files with that extension; `nil` if it is none of these.
  public init?(pathExtension: String) {
    switch pathExtension.lowercased() {
    case "wav", "wave", "rf64": self = .wav
    case "flac": self = .flac
    case "ogg", "oga": self = .ogg
    case "opus": self = .opus
    case "mp3": self = .mp3
    default: return nil
    }
  }
}

/// The contents of the header of an audio file.
package struct AudioFileInfo: Sendable, Equatable {
  package let sampleRate: Int
  /// The stored number of channels; reading mixes them down to one.
  package let channels: Int
  package let container: AudioContainer
  /// The number of frames; `nil` if it is unknown, as for a live stream. MP3 and FLAC state it in
  /// their header, and a cut-off file then contains fewer.
  package let frameCount: Int?

  package var duration: Duration? { frameCount.map(format.duration(ofFrames:)) }

  package var format: AudioFormat { AudioFormat(sampleRate: sampleRate) }
}
