import CCurl
import Foundation

/// A connection that libcurl opens and secures, and that we speak over ourselves.
///
/// Name look-up, proxies and TLS are libcurl's, by the same rules as for requests. Each connection has a
/// multi handle of its own, because one that is shared looks through its connections whenever another is
/// opened, and closes what it takes for unused: too old, or with bytes that nobody has read yet.
///
/// Not for more than one thread.
final class CurlConnection {
  /// What libcurl waits for while it connects.
  private final class Watch {
    var sockets: [Int32: Int16] = [:]
    var deadline: ContinuousClock.Instant?
  }

  enum Transfer {
    case bytes(Int)
    case wouldBlock
    case end
  }

  private let easy: UnsafeMutableRawPointer
  private let multi: UnsafeMutableRawPointer
  private let errorText: UnsafeMutablePointer<CChar>
  private let watch = Watch()
  private let host: String
  /// The socket, once the connection stands.
  private(set) var socket: Int32?

  init(
    to address: WebSocketAddress, timeout: Duration, certificateFile: String?
  ) throws(HTTPFailure) {
    _ = Self.library
    guard let easy = curl_easy_init() else { throw .unreachable("libcurl makes no handle") }
    guard let multi = curl_multi_init() else {
      curl_easy_cleanup(easy)
      throw .unreachable("libcurl makes no handle")
    }
    self.easy = easy
    self.multi = multi
    host = address.host
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))

    set(CURLOPT_URL, address.connectURL)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_CONNECT_ONLY, 1)
    set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
    set(CURLOPT_CONNECTTIMEOUT_MS, max(1, timeout.wholeMilliseconds))
    set(CURLOPT_NOSIGNAL, 1)
    // Otherwise giving up during a name look-up waits until the resolver gives up, too.
    set(CURLOPT_QUICK_EXIT, 1)
    set(CURLOPT_HTTPPROXYTUNNEL, 1)
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    if address.isLoopback { set(CURLOPT_PROXY, "") }
    if let certificateFile { set(CURLOPT_CAINFO, certificateFile) }
    speechkit_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)

    let context = Unmanaged.passUnretained(watch).toOpaque()
    speechkit_curl_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, context)
    speechkit_curl_multi_set_pointer(multi, CURLMOPT_TIMERDATA, context)
    speechkit_curl_multi_set_socket_callback(multi) { _, socket, what, context, _ in
      guard let context else { return 0 }
      let watch = Unmanaged<Watch>.fromOpaque(context).takeUnretainedValue()
      watch.sockets[socket] =
        switch what {
        case CURL_POLL_IN: Int16(POLLIN)
        case CURL_POLL_OUT: Int16(POLLOUT)
        case CURL_POLL_INOUT: Int16(POLLIN | POLLOUT)
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
    curl_multi_add_handle(multi, easy)
  }

  deinit {
    // This closes the socket, too: libcurl does not keep such a connection without its handle.
    curl_multi_remove_handle(multi, easy)
    curl_easy_cleanup(easy)
    curl_multi_cleanup(multi)
    errorText.deallocate()
  }

  /// The sockets to wait for while it connects, and for what.
  var watchedSockets: [Int32: Int16] { watch.sockets }

  /// When to call `connect` at the latest.
  var deadline: ContinuousClock.Instant? { watch.deadline }

  /// Goes on connecting.
  ///
  /// - Parameter ready: the sockets that something happened on.
  /// - Returns: whether the connection stands.
  func connect(ready: [Int32], now: ContinuousClock.Instant) throws(HTTPFailure) -> Bool {
    var running: Int32 = 0
    if let deadline = watch.deadline, deadline <= now {
      watch.deadline = nil
      curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running)
    }
    for socket in ready where watch.sockets[socket] != nil {
      curl_multi_socket_action(multi, socket, 0, &running)
    }
    var result = CURLE_OK
    guard speechkit_curl_take_result(multi, &result) != 0 else { return false }
    guard result == CURLE_OK else { throw failure(result) }
    var socket: curl_socket_t = -1
    guard speechkit_curl_get_socket(easy, &socket) == CURLE_OK, socket >= 0 else {
      throw .interrupted("the server closed it", beforeResponse: true)
    }
    self.socket = socket
    return true
  }

  /// Sends what the socket takes. After `wouldBlock` the same bytes have to be offered again from the same
  /// place, which is what TLS demands.
  func send(_ bytes: UnsafeRawBufferPointer) throws(HTTPFailure) -> Transfer {
    var count = 0
    let result = curl_easy_send(easy, bytes.baseAddress, bytes.count, &count)
    switch result {
    case CURLE_OK: return .bytes(count)
    case CURLE_AGAIN: return .wouldBlock
    default: throw failure(result)
    }
  }

  /// Receives what is there.
  func receive(into buffer: UnsafeMutableRawBufferPointer) throws(HTTPFailure) -> Transfer {
    var count = 0
    let result = curl_easy_recv(easy, buffer.baseAddress, buffer.count, &count)
    switch result {
    case CURLE_OK: return count == 0 ? .end : .bytes(count)
    case CURLE_AGAIN: return .wouldBlock
    default: throw failure(result)
    }
  }

  private func failure(_ code: CURLcode) -> HTTPFailure {
    let said = String(cString: errorText)
    let text = said.isEmpty ? String(cString: curl_easy_strerror(code)) : said
    return switch code {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .unknownHost(host)
    case CURLE_COULDNT_CONNECT, CURLE_PROXY: .unreachable(text)
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR:
      .untrusted(text)
    case CURLE_OPERATION_TIMEDOUT: .timedOut(.connect)
    case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: .invalidRequest(text)
    default: .interrupted(text, beforeResponse: socket == nil)
    }
  }

  private func set(_ option: CURLoption, _ value: Int) {
    speechkit_curl_set_long(easy, option, value)
  }

  private func set(_ option: CURLoption, _ value: String) {
    speechkit_curl_set_string(easy, option, value)
  }

  private static let library: Void = { curl_global_init(Int(CURL_GLOBAL_DEFAULT)) }()
}

extension Duration {
  /// In milliseconds, cut off.
  fileprivate var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    return Int(clamping: seconds.multipliedReportingOverflow(by: 1_000).partialValue)
      + Int(attoseconds / 1_000_000_000_000_000)
  }
}
