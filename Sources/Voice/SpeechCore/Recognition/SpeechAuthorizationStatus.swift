/// The permission to listen: on Linux, the availability of a capture device.
public enum SpeechAuthorizationStatus: String, Sendable, Equatable, CaseIterable, Codable {
  /// The permission has not been requested yet.
  case notDetermined
  /// There is a device, but it cannot be opened.
  case denied
  /// There is no capture device.
  case restricted
  /// A capture device can be opened.
  case authorized
}
