import Foundation
import SpeechFiles

/// Recorded traffic with services, without secrets: `RecordingTransport` takes it,
/// `ReplayTransport` replays it.
///
/// The file consists of lines of JSON: the format, then a line for each exchange in the order in
/// which they began, then a line for each WebSocket. Broken into several lines here:
///
/// ```
/// {"traffic":2}
/// {"exchange":{"request":{"method":"POST","url":"https://api.example.com/v1/chat",
///     "headers":[["Authorization","••••"]],"body":"{…}"},
///   "answer":{"status":200,"after":0.231,"headers":[["Content-Type","text/event-stream"]]},
///   "pieces":[{"bytes":"data: Hel\n\n","after":0.012},{"bytes":{"base64":"/+MYxAAA"}}],
///   "end":"complete","endAfter":0.001}}
/// {"socket":{"request":{"method":"GET","url":"wss://example.com/socket"},
///   "opening":{"subprotocol":"chat","after":0.041},
///   "events":[{"kind":{"sent":"hello"},"after":0.002},{"kind":{"received64":"AAH/"}},
///     {"kind":{"closing":{"code":1000,"reason":""}},"after":1.5}],
///   "end":{"closed":{"code":1000,"reason":""}},"endAfter":0.003}}
/// ```
///
/// Times are the seconds since the previous event. Bytes that are text are written as text, others
/// in base 64. On a socket, messages of text (`sent`, `received`) and of bytes (`sent64`,
/// `received64`) are distinct. An exchange ends `complete`, `cancelled`, `abandoned` or `failed`,
/// with a `kind` of `RecordedFailure.Kind` and a `detail`. A socket ends `closed`, `refused`,
/// `cancelled`, `abandoned` or `failed`.
public struct TrafficRecording: Sendable, Hashable {
  /// The format that is written, and the only one that is read.
  public static let format = 2

  /// The exchanges in the order in which they began.
  public var exchanges: [RecordedExchange]
  /// The WebSockets in the order in which they were opened.
  public var sockets: [RecordedSocket]

  /// Creates a recording of exchanges and WebSockets.
  public init(_ exchanges: [RecordedExchange] = [], sockets: [RecordedSocket] = []) {
    self.exchanges = exchanges
    self.sockets = sockets
  }

  /// Reads a recording from a text.
  ///
  /// - Throws: `TrafficError.malformed` with the first damaged line; `otherFormat`.
  public init(text: String) throws(TrafficError) {
    try self.init(data: Data(text.utf8))
  }

  /// Reads a recording from a file.
  ///
  /// - Throws: `TrafficError.malformed` with the first damaged line; `otherFormat`; `fileFailed`.
  public init(contentsOf url: URL) throws(TrafficError) {
    let data: Data
    do {
      data = try Data(contentsOf: url)
    } catch {
      throw .fileFailed(
        "The recording \(url.path) cannot be read: \(error.localizedDescription) Record it first.")
    }
    do throws(TrafficError) {
      try self.init(data: data)
    } catch {
      guard case .malformed(var diagnostic) = error else { throw error }
      diagnostic.file = url.lastPathComponent
      throw .malformed(diagnostic)
    }
  }

  /// Reads a recording from the bytes of a file.
  ///
  /// - Throws: `TrafficError.malformed` with the first damaged line; `otherFormat`.
  public init(data: Data) throws(TrafficError) {
    self.init()
    var hasHead = false
    for (number, line) in TrafficLine.numbered(in: data) {
      let line = try TrafficLine.decoded(line, number: number)
      if let format = line.traffic {
        guard format == Self.format else { throw .otherFormat(format) }
        hasHead = true
      } else if !hasHead {
        throw .malformed(
          .init(line: number, message: "A recording begins with {\"traffic\":\(Self.format)}."))
      } else if let exchange = line.exchange {
        exchanges.append(exchange)
      } else if let socket = line.socket {
        sockets.append(socket)
      } else {
        throw .malformed(.init(line: number, message: "“socket” is missing."))
      }
    }
    guard hasHead else {
      throw .malformed(
        .init(
          line: 1, message: "The file is empty; it begins with {\"traffic\":\(Self.format)}."))
    }
  }

  /// The recording as it is written.
  public var text: String {
    let lines =
      [TrafficLine(traffic: Self.format)] + exchanges.map { TrafficLine(exchange: $0) }
      + sockets.map { TrafficLine(socket: $0) }
    return lines.map { $0.text + "\n" }.joined()
  }

  /// Replaces a file with the recording, completely or not at all. Creates the folder if necessary.
  /// Only the user may read the file.
  ///
  /// - Throws: `TrafficError.fileFailed`.
  public func write(to url: URL) throws(TrafficError) {
    let folder = url.deletingLastPathComponent()
    func failed(_ reason: String) -> TrafficError {
      .fileFailed("The recording \(url.path) cannot be written: \(reason).")
    }
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw failed(error.localizedDescription)
    }
    do throws(SystemFailure) {
      try Data(text.utf8).replace(url.path, mode: 0o600)
    } catch {
      throw failed(error.description)
    }
  }
}
