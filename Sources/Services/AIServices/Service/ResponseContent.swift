import Foundation

/// The content that a provider generated.
///
/// ```swift
/// switch await provider.generate(prompt: "Hello", parameters: [:]) {
/// case .success(let content): show(content.text ?? "")
/// case .failure(let error): show(error.localizedDescription)
/// }
/// ```
public enum ResponseContent: Sendable {
  /// Text in any language.
  case text(String)
  /// Bytes of any kind.
  case data(Data)
  /// Encoded audio with its format.
  case audio(Data, format: AudioFormat)
  /// An encoded image with its format.
  case image(Data, format: ImageFormat)
  /// The members of a JSON object.
  case structured([String: SendableValue])

  /// The type of generated content.
  public enum ContentType: String, Sendable, Codable, CaseIterable {
    /// Text in any language.
    case text
    /// Bytes of any kind.
    case data
    /// Audio in some format.
    case audio
    /// An image in some format.
    case image
    /// A JSON object with members.
    case structured
  }

  /// The encoding of audio.
  public enum AudioFormat: String, Sendable, Codable, CaseIterable {
    /// MPEG audio layer 3.
    case mp3
    /// RIFF WAVE with a header.
    case wav
    /// Advanced Audio Coding, AAC.
    case aac
    /// Free Lossless Audio Codec, FLAC.
    case flac
    /// Vorbis in an Ogg container.
    case ogg
    /// Opus in an Ogg container.
    case opus
    /// Headerless samples: 16 bit, little endian, mono.
    case pcm
    /// Any other audio encoding.
    case unknown
  }

  /// The encoding of an image.
  public enum ImageFormat: String, Sendable, Codable, CaseIterable {
    /// An image in JPEG format.
    case jpeg
    /// An image in PNG format.
    case png
    /// An image in GIF format.
    case gif
    /// An image in WebP format.
    case webp
    /// An image in HEIC format.
    case heic
    /// An image in TIFF format.
    case tiff
    /// An uncompressed Windows bitmap.
    case bmp
    /// Any other image encoding.
    case unknown
  }

  /// The type of the content.
  public var contentType: ContentType {
    switch self {
    case .text: .text
    case .data: .data
    case .audio: .audio
    case .image: .image
    case .structured: .structured
    }
  }

  /// The text; `nil` for other content.
  public var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  /// The content as bytes: text as UTF-8, structured data as JSON.
  public var dataContent: Data? {
    switch self {
    case .text(let text): Data(text.utf8)
    case .data(let data), .audio(let data, _), .image(let data, _): data
    case .structured(let members): try? JSONEncoder().encode(members)
    }
  }

  /// The audio; `nil` for other content.
  public var audioContent: (data: Data, format: AudioFormat)? {
    if case .audio(let data, let format) = self { (data, format) } else { nil }
  }

  /// The image; `nil` for other content.
  public var imageContent: (data: Data, format: ImageFormat)? {
    if case .image(let data, let format) = self { (data, format) } else { nil }
  }

  /// The members of structured data; `nil` for other content.
  public var structuredContent: [String: SendableValue]? {
    if case .structured(let members) = self { members } else { nil }
  }
}
