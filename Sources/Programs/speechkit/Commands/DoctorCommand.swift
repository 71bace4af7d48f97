import SpeechKit

/// `speechkit doctor`: checks every part, and says what to do about each problem.
struct DoctorCommand: Command {
  static let about = CommandDeclaration(
    name: "doctor",
    summary: "Check that everything works, and say what to do where it does not",
    discussion: """
      Tries every part: the libraries, the models, the voices, whether what one of them says is
      understood, and the devices, which are opened for a moment. Nothing is heard.

      With --json an object per line with “part”, “title”, “status” (ok, warning or failure),
      “detail” and, where there is a problem, “remedy”.
      """,
    examples: [
      .init("speechkit doctor", "See what is missing"),
      .init(
        "speechkit doctor --json | jq -r 'select(.status != \"ok\").remedy'", "What there is to do"),
    ],
    exits: [
      (.success, "Nothing essential is missing; a missing microphone is not essential."),
      (.unavailable, "Something essential is missing or broken."),
    ])

  @Flag("--json", help: "Write JSON, one line per part.") var isJSON

  func run(on terminal: Terminal) async throws {
    var failure: (any Error)?
    let findings = await SpeechDiagnostics.run { finding in
      do {
        try await write(finding, to: terminal)
      } catch {
        failure = failure ?? error
      }
    }
    try Task.checkCancellation()
    if let failure { throw failure }
    let failures = findings.filter { $0.status == .failure }
    guard failures.isEmpty else {
      let names = failures.map(\.title).joined(separator: ", ")
      throw CommandFailure(.unavailable, "Not in order: \(names).")
    }
  }

  private func write(_ finding: DiagnosticFinding, to terminal: Terminal) async throws {
    guard !isJSON else { return try await terminal.writeJSON(finding) }
    let mark =
      switch finding.status {
      case .ok: "ok     "
      case .warning: "warning"
      case .failure: "FAILURE"
      }
    let padding = String(repeating: " ", count: max(1, 32 - finding.title.count))
    var text = "\(mark)  \(finding.title)\(padding)\(finding.detail)\n"
    if let remedy = finding.remedy {
      text += "         → \(remedy)\n"
    }
    try await terminal.write(text)
  }
}
