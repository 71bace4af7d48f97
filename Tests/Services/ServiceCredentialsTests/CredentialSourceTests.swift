import Foundation
import Testing

@testable import ServiceCredentials

struct CredentialSourceTests {
  private func key(_ providerID: String, _ type: AICredentialType = .apiKey) throws -> CredentialID
  {
    try CredentialID(providerID: providerID, type: type)
  }

  // MARK: - Environment

  @Test(arguments: [
    ("openai", "OPENAI_API_KEY"), ("elevenlabs", "ELEVENLABS_API_KEY"),
    ("my-gateway.2", "MY_GATEWAY_2_API_KEY"), ("größe", "GR_SSE_API_KEY"), ("a b", "A_B_API_KEY"),
  ])
  func `each provider has its variable`(providerID: String, variable: String) async throws {
    #expect(EnvironmentCredentials.variable(for: providerID) == variable)
    let source = EnvironmentCredentials([variable: "sk-1"])
    let entry = try #require(await source.entry(for: key(providerID)))
    #expect(entry.value.value == "sk-1")
    #expect(entry.credential.name == variable)
    #expect(entry.credential.providerID == providerID)
    #expect(try await source.list(for: providerID).map(\.id) == [entry.credential.id])
  }

  @Test func `blank variables are ignored, and only keys are read from variables`() async throws {
    let source = EnvironmentCredentials([
      "OPENAI_API_KEY": " ", "GROQ_API_KEY": "", "_API_KEY": "x", "PATH": "/bin", "X_API_KEY": "k",
    ])
    #expect(try await source.entry(for: key("openai")) == nil)
    #expect(try await source.entry(for: key("groq")) == nil)
    #expect(try await source.entry(for: key("x", .oauthToken)) == nil)
    #expect(try await source.list().map(\.providerID) == ["x"])
    #expect(try await source.list(for: "openai").isEmpty)
  }

  @Test func `repeated listings have the same identifiers`() async throws {
    let source = EnvironmentCredentials(["A_API_KEY": "1", "B_API_KEY": "2"])
    let once = try await source.list()
    #expect(try await source.list() == once)
    #expect(Set(once.map(\.id)).count == 2)
  }

  // MARK: - systemd

  @Test func `credentials of systemd are files in its folder`() async throws {
    let workshop = try PrivateWorkshop()
    try workshop.write("sk-1\n", to: "openai", mode: 0o400)
    try workshop.write("token", to: "slack.oauth_token", mode: 0o400)
    try FileManager.default.createDirectory(
      atPath: workshop.path("folder"), withIntermediateDirectories: false)
    let source = SystemdCredentials(["CREDENTIALS_DIRECTORY": workshop.folder.path])
    #expect(try await source.entry(for: key("openai"))?.value.value == "sk-1\n")
    #expect(try await source.entry(for: key("slack", .oauthToken))?.value.value == "token")
    #expect(try await source.entry(for: key("slack")) == nil)
    #expect(try await source.entry(for: key("anthropic")) == nil)
    let listed = try await source.list().map { "\($0.providerID) \($0.type.rawValue)" }
    #expect(listed == ["openai api_key", "slack oauth_token"])
  }

  @Test(arguments: ["../secret", "/etc/passwd", ".", "..", "a/b", ".hidden"])
  func `a provider's name cannot leave the folder`(name: String) async throws {
    let workshop = try PrivateWorkshop()
    try FileManager.default.createDirectory(
      atPath: workshop.path("credentials"), withIntermediateDirectories: false)
    try workshop.write("canary", to: "secret")
    try workshop.write("canary", to: "credentials/.hidden")
    let source = SystemdCredentials(["CREDENTIALS_DIRECTORY": workshop.path("credentials")])
    #expect(try await source.entry(for: key(name)) == nil)
    #expect(try await source.list().isEmpty)
  }

  @Test func `something other than a file is an error and does not block`() async throws {
    let workshop = try PrivateWorkshop()
    mkfifo(workshop.path("pipe"), 0o600)
    symlink("/etc/passwd", workshop.path("link"))
    try workshop.write(String(repeating: "x", count: 65_537), to: "huge")
    let source = SystemdCredentials(["CREDENTIALS_DIRECTORY": workshop.folder.path])
    for name in ["pipe", "link", "huge"] {
      await #expect(throws: AICredentialError.self) { _ = try await source.entry(for: key(name)) }
    }
  }

  @Test(arguments: [[:], ["CREDENTIALS_DIRECTORY": ""], ["CREDENTIALS_DIRECTORY": "relative"]])
  func `without a folder there are no credentials`(environment: [String: String]) async throws {
    let source = SystemdCredentials(environment)
    #expect(try await source.entry(for: key("openai")) == nil)
    #expect(try await source.list().isEmpty)
  }

  // MARK: - Memory

  @Test func `the in-memory store returns copies`() async throws {
    let store = InMemoryCredentialStore()
    let given = SecureString("kept")
    let credential = AICredential(providerID: "p", type: .apiKey, name: "n")
    try await store.change(key("p")) { _ in CredentialEntry(credential: credential, value: given) }
    given.clear()
    let first = try #require(await store.entry(for: key("p")))
    first.value.clear()
    #expect(try await store.entry(for: key("p"))?.value.value == "kept")
    #expect(try await store.list() == [credential])
  }
}
