import Foundation
import SpeechTesting
import TestSupport
import Testing

@testable import AIServices

@Suite(.serialized) struct ServiceKeyTests {
  /// A keyring that answers from a thread of its own after a while, as the Secret Service does.
  private struct RemoteKeyring: CredentialSource {
    let name = "keyring"

    func entry(for id: CredentialID) async throws -> CredentialEntry? {
      await onOwnThread {
        usleep(20_000)
        let credential = AICredential(providerID: id.providerID, type: id.type, name: "key")
        return CredentialEntry(credential: credential, value: SecureString(id.providerID + "-key"))
      }
    }

    func list() async throws -> [AICredential] { [] }
  }

  /// A client of a service, which asks for its key from its own actor.
  private actor Client {
    private let key: ServiceKey
    private let providerID: String

    init(_ providerID: String, _ manager: AICredentialManager) {
      key = .stored(for: providerID, in: manager)
      self.providerID = providerID
    }

    func currentKey() async throws -> String? {
      try await key.current(for: providerID)?.value
    }
  }

  private static func keys(in manager: AICredentialManager) async throws -> [String] {
    try await withThrowingTaskGroup(of: String?.self) { group in
      for name in ["a", "b", "c"] {
        let client = Client(name, manager)
        group.addTask { try await client.currentKey() }
      }
      return try await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }.sorted()
    }
  }

  @Test func `a keyring that answers from another thread takes no virtual time`() async throws {
    let manager = AICredentialManager(sources: [RemoteKeyring()])
    for _ in 0..<3 {
      let (keys, time) = try await VirtualWorld.run { world in
        // The clock of the world could advance to this before the keys have arrived.
        async let pause: Void = world.clock.sleep(until: .seconds(1))
        let keys = try await Self.keys(in: manager)
        let time = world.clock.time
        try await pause
        return (keys, time)
      }
      #expect(keys == ["a-key", "b-key", "c-key"])
      #expect(time == .zero)
    }
  }

  @Test func `a keyring that answers from another thread answers actors`() async throws {
    let manager = AICredentialManager(sources: [RemoteKeyring()])
    #expect(try await Self.keys(in: manager) == ["a-key", "b-key", "c-key"])
  }
}
