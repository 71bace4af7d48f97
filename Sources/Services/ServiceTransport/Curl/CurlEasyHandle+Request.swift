import CCurl
import Foundation

/// A request for the transport's thread to send.
struct CurlStart: Sendable {
  let id: Int
  let request: HTTPRequest
  let host: String
  let exchange: CurlExchange
  let submitted = ContinuousClock.now

  /// The time at which the exchange times out as a whole.
  var end: ContinuousClock.Instant? { request.timeouts.total.map { submitted + $0 } }
}

extension CurlEasyHandle {
  /// The number of bytes that are received at once. With the default of libcurl, a quarter of it,
  /// a fast stream wakes the thread and the task four times as often.
  static let bufferSize = 64 << 10

  /// Creates a handle for the request, without callbacks.
  init(_ start: CurlStart, options: CurlOptions) throws(HTTPFailure) {
    try self.init()
    let request = start.request
    setSafety(
      certificateFile: options.certificateFile, userAgent: options.userAgent,
      isLoopback: request.url.isLoopback)
    set(CURLOPT_BUFFERSIZE, Self.bufferSize)
    set(CURLOPT_MAXAGE_CONN, max(1, options.connectionLifetime.wholeMilliseconds / 1_000))
    set(CURLOPT_PRIVATE, pointer: UnsafeMutableRawPointer(bitPattern: start.id) ?? pointer)
    set(CURLOPT_URL, request.url.absoluteString)
    set(CURLOPT_CONNECTTIMEOUT_MS, request.timeouts.connect.wholeMilliseconds)
    setBody(request)
    for field in request.headers.fields { addHeader(field) }
    useHeaderLines()
  }

  /// Sets the options of all connections: signals, names, protocols, proxies, certificates.
  func setSafety(certificateFile: String?, userAgent: String, isLoopback: Bool) {
    set(CURLOPT_NOSIGNAL, true)
    // Otherwise abandoning a name look-up blocks the thread until the resolver times out.
    set(CURLOPT_QUICK_EXIT, true)
    // Otherwise a program started meanwhile would inherit the connection and keep it open.
    _ = speechkit_curl_set_open_callback(pointer) { _, _, address in
      guard let address = address?.pointee else { return -1 }
      return socket(
        address.family, address.socktype | Int32(SOCK_CLOEXEC.rawValue), address.protocol)
    }
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_DISALLOW_USERNAME_IN_URL, true)
    set(CURLOPT_FOLLOWLOCATION, false)
    set(CURLOPT_PATH_AS_IS, true)
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
    set(CURLOPT_USERAGENT, userAgent)
    // A proxy from the environment does not apply to this machine.
    if isLoopback { set(CURLOPT_NOPROXY, "*") }
    if let file = certificateFile ?? CurlLibrary.systemCertificateFile {
      set(CURLOPT_CAINFO, file)
      set(CURLOPT_CAPATH, nil)
    }
  }

  private mutating func setBody(_ request: HTTPRequest) {
    let size = request.body?.count ?? 0
    if size > 0 || request.method == .post || request.method == .put {
      set(CURLOPT_POST, true)
      _ = speechkit_curl_set_offset(
        pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(size))
      if size == 0 { set(CURLOPT_COPYPOSTFIELDS, "") }
      // libcurl would wait for permission to send a large body, and label it as a form.
      addHeaderLine("Expect:")
      if request.headers["Content-Type"] == nil { addHeaderLine("Content-Type:") }
    }
    if request.method != .get || size > 0 { set(CURLOPT_CUSTOMREQUEST, request.method.rawValue) }
    // Sending a body twice is detected (see `CurlTransfer`); without a body only a new connection
    // is certain not to be stale.
    if !request.isRepeatable, size == 0 { set(CURLOPT_FRESH_CONNECT, true) }
  }
}

extension Duration {
  /// Rounded up, at least one, and within libcurl's range.
  var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    let thousands = min(seconds, 1_000_000) * 1_000
    return max(1, Int(thousands + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
  }
}
