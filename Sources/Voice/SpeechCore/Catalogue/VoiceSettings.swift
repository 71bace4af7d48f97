import Foundation

/// Settings that every voice of a catalogue understands or refuses.
///
/// ```swift
/// let calm = VoiceSettings(style: SpeakingStyle(rate: 0.4))
/// ```
public struct VoiceSettings: Sendable, Hashable {
  /// Pace, pitch, volume and the silence around the words.
  public var style: SpeakingStyle
  /// True if texts are SSML.
  public var interpretsSSML: Bool
  /// The address of another server of the service's kind; `nil` for the service's own.
  public var server: URL?
  /// The name of the voice whose access is checked.
  package var voice = ""

  /// The settings of a voice that speaks in its own manner.
  public init(style: SpeakingStyle = .default, interpretsSSML: Bool = false, server: URL? = nil) {
    self.style = style
    self.interpretsSSML = interpretsSSML
    self.server = server
  }
}
