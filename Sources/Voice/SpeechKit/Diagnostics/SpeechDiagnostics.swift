import Foundation

/// Checks every part of the toolkit on this machine, and reports what works and how to repair the
/// rest.
///
/// ```swift
/// for finding in await SpeechDiagnostics.run() where finding.status != .ok {
///   print(finding.title, finding.detail, finding.remedy ?? "")
/// }
/// ```
/// Parts are tried, not only looked up: models are loaded, voices speak, their speech is
/// recognised, and devices are opened for a moment.
public enum SpeechDiagnostics {
  /// A part and its check. The check returns what it found, or throws the reason why the part does
  /// not work.
  struct Check: Sendable {
    var part: String
    var title: String
    /// The status of the finding if the check fails.
    var severity = DiagnosticFinding.Status.failure
    var remedy: String
    var look: @Sendable () async throws -> String
  }

  /// The reason why a part does not work.
  struct Deficiency: Error, LocalizedError {
    var errorDescription: String?

    init(_ description: String) {
      errorDescription = description
    }
  }

  /// Checks everything; it takes a few seconds.
  ///
  /// - Parameter found: called with each finding as soon as it is available.
  /// - Returns: all findings; fewer when the task is cancelled.
  public nonisolated(nonsending) static func run(
    found: nonisolated(nonsending) (DiagnosticFinding) async -> Void = { _ in }
  ) async -> [DiagnosticFinding] {
    var findings: [DiagnosticFinding] = []
    let all =
      libraries + recognition + engines + voices + [understanding] + devices + services
    for check in all {
      guard !Task.isCancelled else { break }
      let finding = await finding(of: check)
      findings.append(finding)
      await found(finding)
    }
    return findings
  }

  static func finding(of check: Check) async -> DiagnosticFinding {
    do {
      let detail = try await check.look()
      return DiagnosticFinding(
        part: check.part, title: check.title, status: .ok, detail: detail)
    } catch {
      return DiagnosticFinding(
        part: check.part, title: check.title, status: check.severity,
        detail: error.localizedDescription, remedy: check.remedy)
    }
  }
}
