/// Whether speech may be heard. On Linux: whether a capture device can be opened.
public enum SpeechAuthorizationStatus: String, Sendable, Equatable, CaseIterable, Codable {
  /// Nobody has asked yet.
  case notDetermined
  /// There is a device and it could not be opened.
  case denied
  /// There is no capture device.
  case restricted
  /// A capture device can be opened.
  case authorized
}
