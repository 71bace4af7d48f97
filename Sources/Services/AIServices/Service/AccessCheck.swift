/// A provider that can test access to its service free of charge.
package protocol AccessCheck: AIServiceProvider {
  /// Tests access to the service.
  ///
  /// - Throws: `AIServiceError` with the reason: the address, the certificate or the key.
  func checkAccess() async throws
}
