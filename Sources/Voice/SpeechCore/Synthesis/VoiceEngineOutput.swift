import Foundation
import SpeechAudio

/// The audio an engine made, encoded, with what is needed to store or send it.
public struct VoiceEngineOutput: Sendable, Equatable {
  /// The encoded audio.
  public let audioData: Data
  /// How it is encoded.
  public let audioFormat: VoiceEngineAudioFormat
  /// The extension for a file of it.
  public let fileExtension: String
  /// The MIME type for sending it.
  public let mimeType: String
  /// Engine version, latency, request identifiers and the like.
  public let metadata: [String: String]

  /// An output; extension and MIME type are the format's own unless given.
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

  /// The audio as samples.
  ///
  /// - Throws: `AudioError` when it cannot be decoded.
  public func decodedAudio() throws -> PCMBuffer {
    try AudioFile.read(audioData, name: "audio.\(fileExtension)")
  }
}

/// How the audio of a `VoiceEngineOutput` is encoded.
public enum VoiceEngineAudioFormat: String, Sendable, Codable, CaseIterable {
  /// MPEG layer 3.
  case mp3
  /// RIFF WAVE.
  case wav
  /// Compressed AIFF.
  case aifc
  /// AIFF.
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
