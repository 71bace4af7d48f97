import Foundation
import SpeechAudio

/// The encoded audio of an engine, with the metadata to store or send it.
public struct VoiceEngineOutput: Sendable, Equatable {
  /// The encoded audio data.
  public let audioData: Data
  /// The encoding of the audio.
  public let audioFormat: VoiceEngineAudioFormat
  /// The extension for a file of it.
  public let fileExtension: String
  /// The MIME type for sending it.
  public let mimeType: String
  /// The engine version, latency, request identifiers and similar information.
  public let metadata: [String: String]

  /// Creates an output. The extension and the MIME type default to those of the format.
  public init(
    audioData: Data, audioFormat: VoiceEngineAudioFormat, fileExtension: String? = nil,
    mimeType: String? = nil, metadata: [String: String] = [:]
  ) {
    self.audioData = audioData
    self.audioFormat = audioFormat
    self.fileExtension = fileExtension ?? audioFormat.defaultFileExtension
    self.mimeType = mimeType ?? audioFormat.defaultMIMEType
    self.metadata = metadata
  }

  /// Decodes the audio into samples.
  ///
  /// - Throws: `AudioError` when it cannot be decoded.
  public func decodedAudio() throws -> PCMBuffer {
    try AudioFile.read(audioData, name: "audio.\(fileExtension)")
  }
}

/// The encoding of a `VoiceEngineOutput`.
public enum VoiceEngineAudioFormat: String, Sendable, Codable, CaseIterable {
  /// MPEG layer 3.
  case mp3
  /// RIFF WAVE.
  case wav
  /// Compressed AIFF.
  case aifc
  /// Uncompressed AIFF.
  case aiff
  /// MPEG 4 audio.
  case m4a
  /// Raw AAC.
  case aac
  /// FLAC.
  case flac
  /// Ogg Vorbis.
  case ogg
  /// Ogg Opus.
  case opus
  /// Core Audio Format.
  case caf

  /// The extension for files of this format.
  public var defaultFileExtension: String { rawValue }

  /// The MIME type of this format.
  public var defaultMIMEType: String {
    switch self {
    case .mp3: "audio/mpeg"
    case .wav: "audio/wav"
    case .aifc, .aiff: "audio/aiff"
    case .m4a: "audio/mp4"
    case .aac: "audio/aac"
    case .flac: "audio/flac"
    case .ogg, .opus: "audio/ogg"
    case .caf: "audio/x-caf"
    }
  }
}
