/// The version of the toolkit, as reported to programs and servers.
package enum ToolkitVersion {
  package static let current = "0.1.0"
  /// The name of the toolkit in requests to servers.
  package static let userAgent = "SpeechKit/\(current)"
}
