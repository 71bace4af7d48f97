import Foundation
import TestSupport
import Testing

@testable import SpeechCommand
@testable import speechkit

struct CompletionTests {
  /// Runs another program and returns its status and what it wrote.
  private func run(_ program: String, _ arguments: [String]) async throws -> (Int32, String) {
    let program = try await FinishedProgram(running: program, arguments)
    return (program.status, program.text + program.errorText)
  }

  /// The words that bash would offer.
  private func offers(after words: String...) async throws -> [String] {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let file = try workshop.write(
      Shell.bash.script(for: CommandList.declarations), to: "completion.bash")
    let script = """
      source "$1"; shift
      COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 ))
      _speechkit
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let (status, output) = try await run("bash", ["-c", script, "bash", file] + words)
    #expect(status == 0, "\(output)")
    return output.split(separator: "\n").map(String.init)
  }

  @Test(arguments: Shell.allCases)
  func `the script is accepted by its shell`(shell: Shell) async throws {
    let written = try await Tool("completion", shell.rawValue).run()
    #expect(written.status == 0)
    for declaration in CommandList.declarations {
      #expect(written.text.contains(declaration.name))
      for leaf in declaration.leaves {
        #expect(written.text.contains(leaf.word))
        for option in leaf.options { #expect(written.text.contains(option.name)) }
      }
    }
    // Only bash is on every machine.
    let exists = try await run("sh", ["-c", "command -v \(shell.rawValue)"]).0 == 0
    guard exists || shell == .bash else { return }
    let workshop = try Workshop()
    defer { workshop.clear() }
    let file = try workshop.write(written.text, to: "script")
    let (status, output) = try await run(shell.rawValue, ["-n", file])
    #expect(status == 0, "\(output)")
    #expect(output.isEmpty)
  }

  @Test func `bash completes commands, options and values`() async throws {
    #expect(try await offers(after: "speechkit", "tr") == ["transcribe"])
    #expect(try await offers(after: "speechkit", "transcribe", "--pre") == ["--preset"])
    #expect(try await offers(after: "speechkit", "completion", "f") == ["fish"])
    #expect(try await offers(after: "speechkit", "voices", "--l") == ["--language"])
    #expect(try await offers(after: "speechkit", "words", "r") == ["remove"])
    #if Cloud
    #expect(try await offers(after: "speechkit", "credentials", "set", "--st") == ["--store"])
    #expect(try await offers(after: "speechkit", "credentials", "set", "--store", "f") == ["file"])
    #expect(try await offers(after: "speechkit", "credentials", "test", "ope") == ["openai"])
    #endif
  }

  @Test func `an unknown shell is refused`() async throws {
    let outcome = try await Tool("completion", "tcsh").run()
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("bash, zsh or fish"))
  }
}
