import AIServiceTesting
import Foundation
import Testing

/// Tests with a kept connection that the server closes after reading the next request, without an
/// answer. By default libcurl sends the request again, even a billable one.
struct CurlTransportRepeatTests {
  private func exchange(_ fault: ScriptedReply) async throws -> Exchange {
    let exchange = try Exchange()
    exchange.server.enqueue(.text("first"), fault)
    exchange.server.reply { .text("again: \($0.text)") }
    #expect(try await exchange.body() == "first")
    return exchange
  }

  @Test(arguments: [ScriptedReply.closed, .reset])
  func `a request that must not be repeated is not sent twice`(_ fault: ScriptedReply) async throws
  {
    let exchange = try await exchange(fault)
    let failure = await failure { _ = try await exchange.send(.post, body: Data("{}".utf8)) }
    guard case .interrupted(_, beforeResponse: true) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    // Nothing of it was sent over another connection either.
    let requests = exchange.server.requests
    #expect(requests.count == 2)
    #expect(
      exchange.server.bytesReceived == requests.reduce(0) { $0 + $1.head.count + $1.body.count })
  }

  @Test func `without a body it uses a new connection`() async throws {
    let exchange = try await exchange(.text("second"))
    for body in [nil, Data()] { _ = try await exchange.body(.post, body: body) }
    #expect(exchange.server.acceptedConnections == 3)
  }

  @Test(arguments: [ScriptedReply.closed, .reset])
  func `a repeatable request is repeated with its body`(_ fault: ScriptedReply) async throws {
    let exchange = try await exchange(fault)
    let response = try await exchange.send(
      .post, body: Data("the body".utf8), isRepeatable: true)
    #expect(try await response.body.collected() == Data("again: the body".utf8))
    #expect(exchange.server.requests.map(\.text) == ["", "the body", "the body"])
  }
}
