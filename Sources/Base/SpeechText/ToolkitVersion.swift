/// The version of the toolkit, as programs and servers are told.
package enum ToolkitVersion {
  package static let current = "0.1.0"
  /// How the toolkit introduces itself to servers.
  package static let userAgent = "SpeechKit/\(current)"
}
