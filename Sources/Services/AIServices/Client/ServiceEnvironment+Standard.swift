extension ServiceEnvironment {
  /// The world outside.
  public static let standard = ServiceEnvironment(transport: CurlTransport.shared)
}
