import Foundation
import ServiceTestSupport
import ServiceTransport
import TestSupport
import Testing

@Suite(.needsPeers) struct WebSocketProxyTests {
  @Test func `a proxy of the environment is used, except for this machine`() async {
    // In a separate process, because the environment is shared.
    await #expect(processExitsWith: .success) {
      try await Peer.with("websocket_echo.py") { peer in
        try await Peer.with("connect_proxy.py") { proxy in
          setenv("http_proxy", "http://127.0.0.1:\(proxy.port)", 1)
          for host in ["127.0.0.1", "speech.invalid"] {
            let url = try #require(URL(string: "ws://\(host):\(peer.port)/echo"))
            let socket = try await CurlTransport.shared.open(WebSocketRequest(url))
            try await socket.send(.text("through"))
            let answer = try await socket.receive()
            #expect(answer == .text("through"))
            await socket.close()
          }
          let first = try await proxy.report("CONNECT")
          #expect(first == "speech.invalid:\(peer.port)")
        }
      }
    }
  }
}
