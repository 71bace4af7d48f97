import AIServiceTesting
import Foundation
import Testing

import AIServices
@testable import LLMSocket

/// Tests of connections to a server that accepts them and stays silent while the dialect is
/// detected.
struct LLMOpeningTests {
  private func withSilence(
    requestTimeout: Duration = .seconds(60),
    _ work: (LLMService, LoopbackServer) async throws -> Void
  ) async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.reply { _ in .silent }
    var configuration = LLMConfiguration(url: server.url("/socket"), dialect: .automatic)
    configuration.requestTimeout = requestTimeout
    try await work(LLMService(configuration), server)
  }

  @Test func `a waiting caller can cancel`() async throws {
    try await withSilence { service, server in
      let opening = Task { try await service.open() }
      try await server.wait { !$0.requests.isEmpty }
      opening.cancel()
      await #expect(throws: CancellationError.self) { try await opening.value }
      await service.disconnect()
    }
  }

  @Test func `opening times out`() async throws {
    try await withSilence(requestTimeout: .milliseconds(300)) { service, _ in
      await #expect(throws: LLMError.timeout) { try await service.open() }
      await service.disconnect()
    }
  }
}
