/// How sound is stored in a file.
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

  /// The container that files of that extension have; `nil` when it is none of these.
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

/// What the header of a sound file says.
package struct AudioFileInfo: Sendable, Equatable {
  /// Frames per second, as stored.
  package let sampleRate: Int
  /// Channels, as stored; reading mixes them down to one.
  package let channels: Int
  /// How the sound is stored.
  package let container: AudioContainer
  /// How many frames there are; `nil` when it cannot be known, as with a live stream. MP3 and FLAC say
  /// it in their header, and a cut-off file then holds fewer.
  package let frameCount: Int?

  /// How long it lasts; `nil` when that cannot be known.
  package var duration: Duration? { frameCount.map(format.duration(ofFrames:)) }

  /// The format of the buffers that are read.
  package var format: AudioFormat { AudioFormat(sampleRate: sampleRate) }
}
