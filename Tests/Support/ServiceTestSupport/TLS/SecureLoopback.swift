import AIServiceTesting
import Foundation
import TestSupport

/// TLS in front of a `LoopbackServer`, with a certificate of one's choice.
///
/// The TLS is that of Python (`python3`), in a process of its own that passes all bytes on to the
/// server.
///
/// ```swift
/// let certificates = try await TestCertificates()
/// let secure = try await SecureLoopback(server, certificates, .valid)
/// let transport = CurlTransport(certificateFile: certificates.authorityFile)
/// let response = try await transport.send(HTTPRequest(.get, secure.url("/")))
/// ```
package final class SecureLoopback: Sendable {
  /// The port of the relay.
  package let port: Int

  // Closing it ends the process.
  private let lifeline: Pipe

  /// Creates a relay that listens on a free port.
  package init(
    _ server: LoopbackServer, _ certificates: TestCertificates,
    _ kind: TestCertificates.Kind = .valid
  ) async throws {
    let files = certificates.files(of: kind)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c", Self.program, files.certificate, files.key, "\(server.port)",
    ]
    let input = Pipe()
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    lifeline = input
    try? input.fileHandleForReading.close()
    let line = await onOwnThread {
      (try? output.fileHandleForReading.read(upToCount: 5)) ?? Data()
    }
    try? output.fileHandleForReading.close()
    guard let port = Int(String(decoding: line, as: UTF8.self)) else {
      throw TestPeerError(description: "python3 relays no TLS. Install the package python3.")
    }
    self.port = port
  }

  deinit {
    stop()
  }

  /// Returns the address of a path on the server.
  package func url(_ path: String = "/", host: String = "localhost") -> URL {
    // A test with an invalid path cannot continue.
    guard let url = URL(string: "https://\(host):\(port)\(path)") else {
      preconditionFailure("\(path) is no path of an address")
    }
    return url
  }

  /// Closes all connections and the port.
  package func stop() {
    try? lifeline.fileHandleForWriting.close()
  }

  private static let program = """
    import asyncio, os, ssl, sys, threading
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])

    async def pump(reader, writer):
        try:
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
            writer.close()
        except OSError:
            writer.transport.abort()

    async def relay(reader, writer):
        there = await asyncio.open_connection("127.0.0.1", int(sys.argv[3]))
        await asyncio.gather(pump(reader, there[1]), pump(there[0], writer))

    async def main():
        server = await asyncio.start_server(relay, "127.0.0.1", 0, ssl=context, backlog=1024)
        print("%05d" % server.sockets[0].getsockname()[1], end="", flush=True)
        threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
        await server.serve_forever()

    asyncio.run(main())
    """
}
