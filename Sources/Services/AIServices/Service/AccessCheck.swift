/// A provider that can find out whether its service would serve it, at no cost.
package protocol AccessCheck: AIServiceProvider {
  /// Asks the service.
  ///
  /// - Throws: `AIServiceError` naming what is wrong: the address, the certificate, the key.
  func checkAccess() async throws
}
