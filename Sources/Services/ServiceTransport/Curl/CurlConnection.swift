import CCurl
import Foundation
import SpeechText

/// A connection that libcurl establishes and that carries our own protocol.
///
/// Name look-up, proxies and TLS are libcurl's, with the same rules as for requests. Each
/// connection has its own multi handle: a shared one checks its connections whenever another is
/// opened, and closes those that look unused because they are old or have unread bytes.
///
/// Used on one thread only.
final class CurlConnection {
  /// The sockets and the timer of libcurl while it connects.
  private final class Watch {
    var sockets: [Int32: Int16] = [:]
    var deadline: ContinuousClock.Instant?
  }

  enum Transfer {
    case bytes(Int)
    case wouldBlock
    case end
  }

  private let easy: CurlEasyHandle
  private let multi: UnsafeMutableRawPointer
  private let watch = Watch()
  private let host: String
  /// The socket, once connected.
  private(set) var socket: Int32?

  init(
    to address: WebSocketAddress, timeout: Duration, certificateFile: String?
  ) throws(HTTPFailure) {
    let easy = try CurlEasyHandle()
    guard CurlLibrary.isReady, let multi = speechkit_curl_multi_init() else {
      throw .unreachable("libcurl does not start; install the package libcurl4")
    }
    self.easy = easy
    self.multi = multi
    host = address.host

    self.easy.setSafety(
      certificateFile: certificateFile, userAgent: ToolkitVersion.userAgent,
      isLoopback: address.isLoopback)
    self.easy.set(CURLOPT_URL, address.connectURL)
    self.easy.set(CURLOPT_CONNECT_ONLY, true)
    self.easy.set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
    self.easy.set(CURLOPT_CONNECTTIMEOUT_MS, timeout.wholeMilliseconds)
    // A proxy that parses HTTP would not understand the frames.
    self.easy.set(CURLOPT_HTTPPROXYTUNNEL, true)

    let context = Unmanaged.passUnretained(watch).toOpaque()
    speechkit_curl_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, context)
    speechkit_curl_multi_set_pointer(multi, CURLMOPT_TIMERDATA, context)
    speechkit_curl_multi_set_socket_callback(multi) { _, socket, what, context, _ in
      guard let context else { return 0 }
      let watch = Unmanaged<Watch>.fromOpaque(context).takeUnretainedValue()
      watch.sockets[socket] =
        switch what {
        case CURL_POLL_IN: Int16(CURL_WAIT_POLLIN)
        case CURL_POLL_OUT: Int16(CURL_WAIT_POLLOUT)
        case CURL_POLL_INOUT: Int16(CURL_WAIT_POLLIN | CURL_WAIT_POLLOUT)
        default: nil
        }
      return 0
    }
    speechkit_curl_multi_set_timer_callback(multi) { _, milliseconds, context in
      guard let context else { return 0 }
      let watch = Unmanaged<Watch>.fromOpaque(context).takeUnretainedValue()
      watch.deadline = milliseconds < 0 ? nil : .now + .milliseconds(milliseconds)
      return 0
    }
    speechkit_curl_multi_add_handle(multi, self.easy.pointer)
  }

  deinit {
    // This also closes the socket: libcurl does not keep such a connection without its handle.
    speechkit_curl_multi_remove_handle(multi, easy.pointer)
    speechkit_curl_multi_cleanup(multi)
  }

  /// The sockets to poll while connecting, with their events.
  var watchedSockets: [Int32: Int16] { watch.sockets }

  /// The latest time for the next call of `connect`.
  var deadline: ContinuousClock.Instant? { watch.deadline }

  /// Continues connecting.
  ///
  /// - Parameter ready: the sockets with events.
  /// - Returns: true once connected.
  func connect(ready: Set<Int32>, now: ContinuousClock.Instant) throws(HTTPFailure) -> Bool {
    var running: Int32 = 0
    if let deadline = watch.deadline, deadline <= now {
      watch.deadline = nil
      speechkit_curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running)
    }
    for socket in ready.intersection(watch.sockets.keys) {
      speechkit_curl_multi_socket_action(multi, socket, 0, &running)
    }
    var left: Int32 = 0
    guard let message = speechkit_curl_multi_info_read(multi, &left)?.pointee else { return false }
    let result = message.data.result
    guard result == CURLE_OK else { throw failure(result) }
    var socket: curl_socket_t = -1
    guard speechkit_curl_get_socket(easy.pointer, &socket) == CURLE_OK, socket >= 0 else {
      throw .interrupted("the server closed it", beforeResponse: true)
    }
    self.socket = socket
    return true
  }

  /// Sends as many bytes as the socket accepts. After `wouldBlock`, the same bytes must be offered
  /// again from the same address, as TLS requires.
  func send(_ bytes: UnsafeRawBufferPointer) throws(HTTPFailure) -> Transfer {
    var count = 0
    let result = speechkit_curl_easy_send(easy.pointer, bytes.baseAddress, bytes.count, &count)
    switch result {
    case CURLE_OK: return .bytes(count)
    case CURLE_AGAIN: return .wouldBlock
    default: throw failure(result)
    }
  }

  /// Receives the available bytes.
  func receive(into buffer: UnsafeMutableRawBufferPointer) throws(HTTPFailure) -> Transfer {
    var count = 0
    let result = speechkit_curl_easy_recv(easy.pointer, buffer.baseAddress, buffer.count, &count)
    switch result {
    case CURLE_OK: return count == 0 ? .end : .bytes(count)
    case CURLE_AGAIN: return .wouldBlock
    default: throw failure(result)
    }
  }

  private func failure(_ code: CURLcode) -> HTTPFailure {
    HTTPFailure(
      code, text: easy.text(for: code), host: host, isConnected: socket != nil,
      hasHead: socket != nil)
  }
}
