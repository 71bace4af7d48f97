extension ServiceEnvironment {
  /// The environment of a normal program.
  public static let standard = ServiceEnvironment(transport: CurlTransport.shared)
}
