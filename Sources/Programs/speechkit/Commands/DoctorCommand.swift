import SpeechCommand
import SpeechKit

struct DoctorCommand: Command {
  static let about = CommandDeclaration(
    name: "doctor",
    summary: "Check that everything works, and suggest what to do if not",
    discussion: """
      Checks the libraries, the models, the voices, whether the recogniser understands one of them,
      and the devices, which are opened briefly. Nothing is played.

      --json writes one object per line with “part”, “title”, “status” (ok, warning or failure),
      “detail” and, for a problem, “remedy”.
      """,
    examples: [
      "speechkit doctor": "Check all parts",
      "speechkit doctor --json | jq -r 'select(.status != \"ok\").remedy'": "List what to do",
    ],
    exits: [
      .success: "Nothing essential is missing. A microphone is not essential.",
      .unavailable: "Something essential is missing or broken.",
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
