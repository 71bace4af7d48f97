import Foundation

/// What a provider made.
///
/// ```swift
/// switch await provider.generate(prompt: "Hello", parameters: [:]) {
/// case .success(let content): show(content.text ?? "")
/// case .failure(let error): show(error.localizedDescription)
/// }
/// ```
public enum ResponseContent: Sendable {
  /// Text.
  case text(String)
  /// Bytes of any kind.
  case data(Data)
  /// Sound, encoded.
  case audio(Data, format: AudioFormat)
  /// A picture, encoded.
  case image(Data, format: ImageFormat)
  /// JSON.
  case structured([String: SendableValue])

  /// What kind of content it is.
  public enum ContentType: String, Sendable, Codable, CaseIterable {
    /// Text.
    case text
    /// Bytes of any kind.
    case data
    /// Sound.
    case audio
    /// A picture.
    case image
    /// JSON.
    case structured
  }

  /// How sound is encoded.
  public enum AudioFormat: String, Sendable, Codable, CaseIterable {
    /// MPEG layer 3.
    case mp3
    /// RIFF WAVE.
    case wav
    /// AAC.
    case aac
    /// FLAC.
    case flac
    /// Ogg Vorbis.
    case ogg
    /// Ogg Opus.
    case opus
    /// Samples without a header, 16 bit, little endian, mono.
    case pcm
    /// Something else.
    case unknown
  }

  /// How a picture is encoded.
  public enum ImageFormat: String, Sendable, Codable, CaseIterable {
    /// JPEG.
    case jpeg
    /// PNG.
    case png
    /// GIF.
    case gif
    /// WebP.
    case webp
    /// HEIC.
    case heic
    /// TIFF.
    case tiff
    /// Windows bitmap.
    case bmp
    /// Something else.
    case unknown
  }

  /// What kind of content it is.
  public var contentType: ContentType {
    switch self {
    case .text: .text
    case .data: .data
    case .audio: .audio
    case .image: .image
    case .structured: .structured
    }
  }

  /// The text, if it is text.
  public var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  /// The content as bytes, whatever it is: text in UTF-8, structured data as JSON.
  public var dataContent: Data? {
    switch self {
    case .text(let text): Data(text.utf8)
    case .data(let data), .audio(let data, _), .image(let data, _): data
    case .structured(let members): try? JSONEncoder().encode(members)
    }
  }

  /// The sound, if it is sound.
  public var audioContent: (data: Data, format: AudioFormat)? {
    if case .audio(let data, let format) = self { (data, format) } else { nil }
  }

  /// The picture, if it is one.
  public var imageContent: (data: Data, format: ImageFormat)? {
    if case .image(let data, let format) = self { (data, format) } else { nil }
  }

  /// The members, if it is structured data.
  public var structuredContent: [String: SendableValue]? {
    if case .structured(let members) = self { members } else { nil }
  }
}
