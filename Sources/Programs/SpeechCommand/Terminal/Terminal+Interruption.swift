import Foundation

extension Terminal {
  /// Notes how much of an audio file was written before an interruption.
  package func noteInterruption(of file: URL, after duration: Duration) {
    let name = file.relativePath
    note(
      duration > .zero
        ? "speechkit: Interrupted: “\(name)” has the first \(duration.brief), the rest is missing."
        : "speechkit: Interrupted before anything was spoken: “\(name)” is not written.")
  }
}
