import Foundation
import SpeechAudio
import SpeechConcurrency
import SpeechConversation
import Testing

@testable import SpeechTesting

@Suite(.serialized) struct HostUseTests {
  /// A responder that does some work before it answers.
  private struct Improper: Responder {
    var work: @Sendable () async throws -> Void

    func reply(to turn: UserTurn, in history: ConversationHistory) -> ReplyStream {
      .pieces { pieces in
        try await work()
        pieces.yield(.text("Yes."))
      }
    }
  }

  /// Holds a conversation with the responder, and returns the use of the machine that ended it.
  private func use(_ work: @escaping @Sendable () async throws -> Void) async throws -> HostUse? {
    do {
      try await VirtualWorld.run { _ in
        let responder = Improper(work: work)
        let reply = HandlerCall.run(responder.handlerName) {
          responder.reply(to: UserTurn(text: "Hello"), in: ConversationHistory())
        }
        for try await _ in reply {}
      }
      return nil
    } catch VirtualWorldError.usedHost(let use) {
      return use
    }
  }

  @Test(.enabled(if: HostUse.isWatchingCalls))
  func `a responder that uses the machine is named`() async throws {
    let clock = try #require(await use { _ = Date() })
    #expect(clock == HostUse(handler: "Improper", kind: .clock, function: "clock_gettime"))
    #expect(try await use { _ = ContinuousClock.now }?.kind == .clock)
    #expect(try await use { try await Task.sleep(for: .seconds(60)) }?.handler == "Improper")
    #expect(try await use { usleep(1) }?.kind == .pause)
    #expect(
      try await use { close(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)) }?.kind == .socket)
    let path = FileManager.default.temporaryDirectory.appending(path: "speechkit-host-use").path
    #expect(try await use { try Data().write(to: URL(filePath: path)) }?.handler == "Improper")
    try? FileManager.default.removeItem(atPath: path)
    #expect("\(clock)".contains("The handler Improper read the clock of this machine"))
  }

  @Test func `a responder that uses the machine through ExternalWork is not reported`() async throws
  {
    let found = try await use {
      try await ExternalWork.run {
        _ = Date()
        try await Task.sleep(for: .milliseconds(1))
        close(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
      }
    }
    #expect(found == nil)
  }

  @Test func `reading locales and formatting numbers is not reported`() async throws {
    let found = try await use {
      _ = (3.25).formatted(.number.locale(Locale(identifier: "de-DE")))
      _ = "straße".uppercased()
      _ = TimeZone(identifier: "Europe/Berlin")?.secondsFromGMT(for: Date(timeIntervalSince1970: 0))
      print("", terminator: "")
    }
    #expect(found == nil)
  }
}
