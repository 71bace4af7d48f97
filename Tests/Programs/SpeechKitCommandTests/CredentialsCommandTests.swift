#if Cloud
import AIServices
import Foundation
import SpeechKit
import Testing

@testable import SpeechCommand
@testable import speechkit

struct CredentialsCommandTests {
  private static let canary = "sk-canary-8f3a"

  /// The tool with its own home folder, without a desktop and without keys in its environment.
  private func tool(
    _ arguments: [String], in workshop: Workshop, _ environment: [String: String] = [:]
  ) -> Tool {
    var tool = Tool(["credentials"] + arguments)
    let inherited = ProcessInfo.processInfo.environment.keys.filter { $0.hasSuffix("_API_KEY") }
    tool.environment = Dictionary(uniqueKeysWithValues: inherited.map { ($0, "") })
      .merging([
        "XDG_DATA_HOME": workshop.path("data"), "HOME": workshop.folder.path,
        "DBUS_SESSION_BUS_ADDRESS": "", "CREDENTIALS_DIRECTORY": "",
      ]) { $1 }
      .merging(environment) { $1 }
    return tool
  }

  private func run(
    _ arguments: String..., in workshop: Workshop, saying input: String = "",
    _ environment: [String: String] = [:]
  ) async throws -> Tool.Outcome {
    var tool = tool(arguments, in: workshop, environment)
    tool.input = Data(input.utf8)
    let outcome = try await tool.run()
    #expect(!outcome.text.contains("canary"))
    #expect(!outcome.errors.contains("canary"))
    return outcome
  }

  @Test func `a key is stored, listed and removed`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let empty = try await run("list", in: workshop)
    #expect(empty.status == 0)
    #expect(empty.text.isEmpty)
    #expect(empty.errors.contains("There are no keys."))

    let set = try await run("set", "openai", in: workshop, saying: Self.canary + "\n")
    #expect(set.status == 0, "\(set.errors)")
    #expect(set.text.isEmpty)
    #expect(set.errors == "The key for openai is stored (file).\n")
    let file = workshop.path("data/speechkit/credentials/credentials.json")
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains(Self.canary))
    var status = stat()
    #expect(stat(file, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)

    let listed = try await run("list", in: workshop)
    #expect(listed.lines.count == 2)
    #expect(listed.lines.last == "openai    api_key  file   used  Key for openai")
    let json = try await run("list", "--json", in: workshop)
    let rows = try JSONDecoder().decode([SendableValue].self, from: json.output)
    let row = try #require(rows.first?.dictionaryValue)
    #expect(rows.count == 1)
    #expect(row["provider"] == "openai")
    #expect(row["type"] == "api_key")
    #expect(row["source"] == "file")
    #expect(row["isUsed"] == true)
    #expect(row["isExpired"] == false)

    let removed = try await run("remove", "openai", in: workshop)
    #expect(removed.status == 0)
    #expect(removed.errors == "The key for openai is removed.\n")
    let again = try await run("remove", "openai", in: workshop)
    #expect(again.status == 69)
    #expect(again.errors.contains("There is no credential for openai."))
  }

  @Test func `a key of the environment takes precedence, and is reported`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let environment = ["OPENAI_API_KEY": "sk-canary-2"]
    let set = try await run(
      "set", "openai", "--store", "file", in: workshop, saying: Self.canary, environment)
    #expect(set.status == 0)
    #expect(set.errors.contains("another key takes precedence (environment: OPENAI_API_KEY)"))
    let listed = try await run("list", in: workshop, environment)
    #expect(listed.text.contains("environment  used"))
    #expect(listed.text.contains("file         not used"))
    let removed = try await run("remove", "openai", in: workshop, environment)
    #expect(removed.status == 0)
    #expect(removed.errors.contains("there is still one elsewhere (environment"))
    let again = try await run("remove", "openai", in: workshop, environment)
    #expect(again.status == 69)
    #expect(again.errors.contains("read-only source (environment)"))
  }

  @Test(arguments: [
    "", "\n", "sk-canary\nsk-canary\n", "sk-canary\u{1}", "“sk-canary”",
    String(repeating: "canary", count: 11_000),
  ])
  func `an invalid key is refused`(input: String) async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let outcome = try await run("set", "openai", in: workshop, saying: input)
    #expect(outcome.status == 65)
    #expect(outcome.errors.hasPrefix("speechkit: The key "))
    #expect(workshop.names.isEmpty)
  }

  @Test func `an unusual key and an unusual provider are noted`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let outcome = try await run("set", "openai", in: workshop, saying: "gateway-key")
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("Note: Keys of OpenAI begin with “sk-”"))
    let misspelt = try await run("set", "opnai", in: workshop, saying: "sk-1")
    #expect(misspelt.status == 0)
    #expect(misspelt.errors.contains("Note: there is also a service “openai”."))
  }

  @Test func `a key is never taken from an argument`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let outcome = try await tool(["set", "openai", Self.canary], in: workshop).run()
    #expect(outcome.status == 64)
    #expect(workshop.names.isEmpty)
  }

  @Test func `a file that others can read ends with 66 and says what to do`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    _ = try await run("set", "openai", in: workshop, saying: Self.canary)
    let file = workshop.path("data/speechkit/credentials/credentials.json")
    chmod(file, 0o644)
    for command in [["list"], ["remove", "openai"], ["test", "openai"]] {
      let outcome = try await tool(command, in: workshop).run()
      #expect(outcome.status == 66, "\(command)")
      #expect(outcome.errors.contains("chmod 600 \(file)"))
    }
    try Data("canary".utf8).write(to: URL(filePath: file))
    chmod(file, 0o600)
    for command in [["list", "--json"], ["test", "openai"]] {
      let outcome = try await tool(command, in: workshop).run()
      #expect(outcome.status == 65, "\(command)")
      #expect(!outcome.errors.contains("canary"))
    }
  }

  @Test func `a missing Secret Service is reported`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let outcome = try await run(
      "set", "openai", "--store", "secret-service", in: workshop, saying: Self.canary)
    #expect(outcome.status == 69)
    #expect(workshop.names.isEmpty)
  }

  // MARK: - Testing a key

  @Test func `a key without a check is not reported as accepted`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let none = try await run("test", "my-gateway", in: workshop)
    #expect(none.status == 69)
    #expect(none.errors.contains("There is no credential for my-gateway."))
    let environment = ["MY_GATEWAY_API_KEY": Self.canary]
    let unknown = try await run("test", "my-gateway", in: workshop, environment)
    #expect(unknown.status == 69)
    #expect(
      unknown.errors.contains("There is a key for my-gateway (environment). It was not checked"))
    let json = try await run("test", "my-gateway", "--json", in: workshop, environment)
    #expect(json.status == 69)
    #expect(
      json.text
        == "{\"provider\":\"my-gateway\",\"source\":\"environment\",\"status\":\"unknown\"}\n")
    #expect(json.errors.isEmpty)
  }

  @Test @MainActor func `the answer of the service decides`() async throws {
    let checks = CredentialChecks([
      "good": { key in #expect(key.value == Self.canary) },
      "bad": { _ in throw AIServiceError.authenticationFailed("no") },
      "away": { _ in throw AIServiceError.connectionFailed("gone") },
    ])
    let manager = AICredentialManager(sources: [
      EnvironmentCredentials([
        "GOOD_API_KEY": Self.canary, "BAD_API_KEY": Self.canary, "AWAY_API_KEY": Self.canary,
      ])
    ])
    func test(_ providerID: String) async throws -> String? {
      var command = try TestCredentialCommand.parse([providerID])
      (command.manager, command.checks) = (manager, checks)
      do {
        try await command.run(on: Terminal())
        return nil
      } catch let failure as CommandFailure {
        #expect(failure.exitStatus == .unavailable)
        return failure.errorDescription
      }
    }
    #expect(try await test("good") == nil)
    #expect(try await test("bad") == "bad refuses the key (environment). no")
    #expect(try await test("away")?.contains("could not be checked. gone") == true)
    // What was given to a check is cleared, and the next one gets it again.
    #expect(try await test("good") == nil)
  }

  // MARK: - At a terminal

  private static let prompt = "Key for openai: "

  @Test func `a key is not shown while it is typed`() async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let terminal = try PseudoTerminal()
    let running = try tool(["set", "openai"], in: workshop).start(input: terminal.other)
    #expect(await running.readErrors(Self.prompt.utf8.count) == Self.prompt)
    #expect(!terminal.isEchoing)
    terminal.type("sk-can\u{7F}\u{7F}\u{7F}\(Self.canary.dropFirst(3))\ncanary-pasted-too\n")
    let outcome = await running.outcome()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.hasPrefix("\n"))
    #expect(!outcome.errors.contains("canary"))
    #expect(!terminal.shown().contains("can"))
    #expect(terminal.isEchoing)
    #expect(terminal.left() == "\n")
    let file = workshop.path("data/speechkit/credentials/credentials.json")
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("\"\(Self.canary)\""))
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func `a signal while typing restores the terminal`(signal: Int32, status: Int32) async throws {
    let workshop = try Workshop()
    defer { workshop.clear() }
    let terminal = try PseudoTerminal()
    let running = try tool(["set", "openai"], in: workshop).start(input: terminal.other)
    #expect(await running.readErrors(Self.prompt.utf8.count) == Self.prompt)
    #expect(!terminal.isEchoing)
    terminal.type("sk-can")
    running.send(signal)
    let outcome = await running.outcome()
    #expect(outcome.status == status)
    #expect(terminal.isEchoing)
    #expect(!terminal.shown().contains("can"))
    #expect(terminal.left() == "\n")
    #expect(workshop.names.isEmpty)
  }
}
#endif
