import Foundation
import ServiceCredentials
import TestSupport
import Testing

/// Tests of the Secret Service of GNOME Keyring on a separate bus.
@Suite(
  .enabled(if: SessionBus.isInstalled, "dbus and gnome-keyring are installed by Scripts/install"))
struct SecretServiceTests {
  @Test func `secrets are kept, replaced, listed and removed`() async throws {
    let session = try await SessionBus()
    let keyring = try await session.startKeyring()
    let client = try session.startClient()
    #expect(try await client.ask("get openai") == "nothing")
    #expect(try await client.ask("remove openai") == "removed")
    #expect(try await client.ask("set openai sk-canary-1 First") == "stored")
    #expect(try await client.ask("get openai") == "sk-canary-1")
    #expect(try await client.ask("set openai sk-canary-2 Second") == "stored")
    #expect(try await client.ask("set anthropic sk-canary-3 Third") == "stored")
    #expect(try await client.ask("get openai") == "sk-canary-2")
    #expect(try await client.ask("list") == "anthropic/Third openai/Second")
    #expect(try await client.ask("remove openai") == "removed")
    #expect(try await client.ask("get openai") == "nothing")
    #expect(try await client.ask("list") == "anthropic/Third")
    // Another program finds them as well.
    let other = try session.startClient()
    #expect(try await other.ask("get anthropic") == "sk-canary-3")
    await end(session, keyring, client, other)
    // The keyring's files are encrypted, and nothing else was written.
    for name in FileManager.default.enumerator(atPath: session.workshop.folder.path) ?? .init() {
      guard let name = name as? String,
        let data = FileManager.default.contents(atPath: session.workshop.path(name))
      else { continue }
      #expect(data.range(of: Data("sk-canary".utf8)) == nil, "\(name)")
    }
  }

  @Test func `many calls leak nothing`() async throws {
    let session = try await SessionBus()
    let keyring = try await session.startKeyring()
    let client = try session.startClient()
    #expect(try await client.ask("set openai sk-1") == "stored")
    let first = try await client.ask("repeat openai 50")
    let second = try await client.ask("repeat openai 200")
    #expect(
      first.components(separatedBy: "descriptors").last
        == second.components(separatedBy: "descriptors").last)
    await end(session, keyring, client)
  }

  @Test func `the store is unavailable until the service starts`() async throws {
    let session = try await SessionBus()
    let client = try session.startClient()
    for question in ["get openai", "set openai sk-canary", "list"] {
      let answer = try await client.ask(question)
      #expect(answer.hasPrefix("storeUnavailable "), "\(answer)")
      #expect(!answer.contains("canary"))
    }
    let keyring = try await session.startKeyring()
    #expect(try await client.ask("set openai sk-1") == "stored")
    await end(session, keyring, client)
  }

  @Test func `a restarted service is found`() async throws {
    let session = try await SessionBus()
    let first = try await session.startKeyring()
    let client = try session.startClient()
    #expect(try await client.ask("set openai sk-1") == "stored")
    first.send(SIGKILL)
    await first.status()
    let answer = try await client.ask("get openai")
    #expect(answer.hasPrefix("storeUnavailable "), "\(answer)")
    let second = try await session.startKeyring()
    #expect(try await client.ask("get openai") == "sk-1")
    await end(session, second, client)
  }

  @Test func `the program survives the end of the bus`() async throws {
    let session = try await SessionBus()
    let keyring = try await session.startKeyring()
    let client = try session.startClient()
    await session.end()
    await keyring.status()
    let answer = try await client.ask("get openai")
    #expect(answer.hasPrefix("storeUnavailable "), "\(answer)")
    client.close()
    #expect(await client.status() == 0)
  }

  @Test func `a locked keyring lists descriptions and keeps the secrets`() async throws {
    let session = try await SessionBus()
    let open = try await session.startKeyring()
    let client = try session.startClient()
    #expect(try await client.ask("set openai sk-canary Named") == "stored")
    open.send(SIGKILL)
    await open.status()
    let locked = try await session.startLockedKeyring()
    // The content is concealed, but not its existence.
    #expect(try await client.ask("list openai") == "openai/in a locked keyring")
    #expect(try await client.ask("list groq").isEmpty)
    #expect(try await client.ask("get groq") == "nothing")
    for question in ["list", "get openai", "set openai sk-canary-2"] {
      let answer = try await client.ask(question)
      #expect(answer.hasPrefix("storeLocked "), "\(answer)")
      #expect(!answer.contains("canary"))
    }
    locked.send(SIGKILL)
    await locked.status()
    let opened = try await session.startKeyring()
    #expect(try await client.ask("list") == "openai/Named")
    #expect(try await client.ask("get openai") == "sk-canary")
    await end(session, opened, client)
  }

  @Test func `a secret that a locked keyring refuses is stored in the private file`() async throws {
    let session = try await SessionBus()
    let open = try await session.startKeyring()
    let client = try session.startClient()
    #expect(try await client.ask("keep openai sk-canary-1") == "secret-service")
    open.send(SIGKILL)
    await open.status()
    let locked = try await session.startLockedKeyring()
    #expect(try await client.ask("keep groq sk-canary-2") == "file")
    #expect(try await client.ask("fetch groq") == "sk-canary-2")
    // The keyring has one for this provider, which would take precedence once it is unlocked.
    for question in ["keep openai sk-canary-3", "fetch openai"] {
      let answer = try await client.ask(question)
      #expect(answer.hasPrefix("storeLocked "), "\(answer)")
      #expect(!answer.contains("canary"))
    }
    locked.send(SIGKILL)
    await locked.status()
    let opened = try await session.startKeyring()
    #expect(try await client.ask("fetch openai") == "sk-canary-1")
    #expect(try await client.ask("fetch groq") == "sk-canary-2")
    // The next store moves it into the keyring.
    let file = "data/speechkit/credentials/credentials.json"
    #expect(try session.workshop.text(of: file).contains("sk-canary-2"))
    #expect(try await client.ask("keep groq sk-canary-4") == "secret-service")
    #expect(try await client.ask("fetch groq") == "sk-canary-4")
    #expect(try !session.workshop.text(of: file).contains("groq"))
    await end(session, opened, client)
  }

  @Test func `a service that does not answer times out`() async throws {
    let session = try await SessionBus()
    let keyring = try await session.startKeyring()
    let client = try session.startClient()
    let hasty = try session.startClient(timeout: .milliseconds(300))
    #expect(try await client.ask("set openai sk-1") == "stored")
    keyring.send(SIGSTOP)
    let answer = try await hasty.ask("get openai")
    #expect(answer.hasPrefix("storeLocked "), "\(answer)")
    #expect(answer.contains("did not answer"))
    let listener = try await session.startListener(
      "type='method_call',destination='org.freedesktop.secrets'")
    try client.tell("cancel cancelled-one")
    try await listener.lines(until: "cancelled-one")
    #expect(try await client.ask("now") == "cancelled")
    keyring.send(SIGCONT)
    #expect(try await client.ask("get openai") == "sk-1")
    await end(session, keyring, client, hasty, listener)
  }

  @Test func `without a bus the store is unavailable, and no bus is started`() async throws {
    let workshop = try PrivateWorkshop()
    for environment in [
      [:], ["DBUS_SESSION_BUS_ADDRESS": "", "DISPLAY": ":99"],
      ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(workshop.path("nothing"))"],
      ["DBUS_SESSION_BUS_ADDRESS": "rubbish"], ["XDG_RUNTIME_DIR": workshop.folder.path],
    ] {
      let client = try WorkerProcess(
        ["serve", "30000"],
        environment: ["PATH": "/usr/bin:/bin", "HOME": workshop.folder.path]
          .merging(environment) { $1 })
      let answer = try await client.ask("get openai")
      #expect(answer.hasPrefix("storeUnavailable "), "\(answer)")
      client.close()
      #expect(await client.status() == 0)
    }
    #expect(workshop.names(in: ".").isEmpty)
  }

  private func end(_ session: SessionBus, _ keyring: WorkerProcess, _ clients: WorkerProcess...)
    async
  {
    for client in clients { client.close() }
    keyring.send(SIGKILL)
    await keyring.status()
    await session.end()
    // Listeners end with the bus.
    for client in clients { await client.status() }
  }
}
