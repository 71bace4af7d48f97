import AIServices
import Foundation
import LLMSocket
import ServiceTestSupport
import TestSupport
import Testing

/// Tests of the printed use of the LLM service in an app.
@Suite(.needsPeers) struct ChatViewControllerTests {
  @Test @MainActor func `it shows the answer or the error of the service`() async throws {
    try await Peer.with("socketio_server.py", [#"{"matching":"id"}"#]) { peer in
      let configuration = LLMConfiguration(
        url: try #require(URL(string: "ws://127.0.0.1:\(peer.port)/socket")), dialect: .socketIO)
      let controller = PrintedChat.$configuration.withValue(configuration) {
        PrintedChat.ChatViewController()
      }
      var shown = controller.shown.makeAsyncIterator()
      for (prompt, outcome) in [
        ("Hello", "message <Hello>"), ("fail", "error Failed to generate response"),
      ] {
        controller.sendMessage(prompt)
        for expected in ["loading", "loaded", outcome] {
          #expect(await shown.next(isolation: #isolation) == expected)
        }
      }
      controller.sendMessageWithCustomModel("Hello")
      await controller.llmService.disconnect()
    }
  }

  @Test @MainActor func `it uses the printed address`() {
    let url = PrintedChat.ChatViewController().llmService.configuration.url
    #expect(url.absoluteString == "ws://localhost:4000/socket")
  }
}
