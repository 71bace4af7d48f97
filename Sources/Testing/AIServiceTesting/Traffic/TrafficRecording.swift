import Foundation
import SpeechFiles

/// What services were asked and what they answered, without secrets, as `RecordingTransport` takes it and
/// `ReplayTransport` gives it back.
///
/// The file has a line of JSON for each thing that happened, in the order in which the exchanges began:
///
/// ```
/// {"traffic":1}
/// {"request":"POST","url":"https://api.example.com/v1/chat","headers":[["Authorization","••••"]],"body":"{…}"}
/// {"answer":200,"after":0.231,"headers":[["Content-Type","text/event-stream"]]}
/// {"piece":"data: Hel\n\n","after":0.012}
/// {"piece64":"/+MYxAAA","after":0.02}
/// {"end":"complete","after":0.001}
/// {"socket":"wss://example.com/socket/websocket","headers":[]}
/// {"opened":"phoenix","after":0.041}
/// {"sent":"[\"1\",\"1\",\"room:a\",\"phx_join\",{}]","after":0.002}
/// {"received":"[\"1\",\"1\",\"room:a\",\"phx_reply\",{\"status\":\"ok\"}]","after":0.017}
/// {"closing":1000,"reason":"","after":1.5}
/// {"closed":1000,"reason":"","after":0.003}
/// ```
///
/// `after` is how long was waited for it, in seconds; on a socket, the time since what happened there before. Bytes that
/// are text are written as text, others in base 64 (`body64`, `piece64`); on a socket, messages of text (`sent`,
/// `received`) and of bytes (`sent64`, `received64`) are told apart. Instead of `complete` an exchange may end with
/// `cancelled`, `abandoned` or, with a `detail`, one of `RecordedFailure.Kind`, and a socket that was not `closed`
/// likewise, or with `refused` and a status.
public struct TrafficRecording: Sendable, Hashable {
  /// The format that is written, and the latest that is read.
  public static let format = 1

  /// The exchanges in the order in which they began.
  public var exchanges: [RecordedExchange]
  /// The WebSockets in the order in which they were opened.
  public var sockets: [RecordedSocket]

  /// A recording of those exchanges and WebSockets.
  public init(_ exchanges: [RecordedExchange] = [], sockets: [RecordedSocket] = []) {
    self.exchanges = exchanges
    self.sockets = sockets
  }

  /// The recording in a text.
  ///
  /// - Throws: `TrafficError.malformed` with the place of the first thing that is wrong; `newerFormat`.
  public init(text: String) throws(TrafficError) {
    try self.init(data: Data(text.utf8))
  }

  /// The recording in a file.
  ///
  /// - Throws: `TrafficError.malformed` with the place of the first thing that is wrong; `newerFormat`;
  ///   `fileFailed`.
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
      guard case .malformed(var fault) = error else { throw error }
      fault.file = url.lastPathComponent
      throw .malformed(fault)
    }
  }

  /// The recording in a file's bytes.
  ///
  /// - Throws: `TrafficError.malformed` with the place of the first thing that is wrong; `newerFormat`.
  public init(data: Data) throws(TrafficError) {
    var reader = TrafficReader()
    self = try reader.read(data)
  }

  /// The recording as it is written.
  public var text: String { TrafficWriter.text(of: self) }

  /// Puts the recording in the place of the file, which happens wholly or not at all. The folder is made where
  /// there is none. Only the user may read it.
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
    let number = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw failed(SystemFailure(code: errno).description) }
    let opened = OpenFolder(descriptor: OwnedDescriptor(number), path: folder.path)
    do {
      try Array(text.utf8).withUnsafeBytes {
        try opened.replace(url.lastPathComponent, with: $0, mode: 0o600)
      }
    } catch {
      throw failed("\(error)")
    }
  }
}
