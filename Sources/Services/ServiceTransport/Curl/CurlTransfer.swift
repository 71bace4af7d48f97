import CCurl
import Foundation

/// One active exchange. Used on the transport's thread only.
final class CurlTransfer {
  let start: CurlStart
  let handle: CurlEasyHandle
  /// The reason why this side ended the transfer, if it did.
  private(set) var failure: HTTPFailure?

  private let begun = ContinuousClock.now
  private var head = HTTPHeadReader()
  private var sent = 0
  private var received = 0
  private var isPaused = false
  /// True if a waiting task has not been woken for bytes that arrived.
  private var hasNews = false
  /// The time of the last bytes from the server; `nil` before the first byte.
  private var lastReceipt: ContinuousClock.Instant?
  /// The bytes sent and the deadline of the first byte, as of the last check.
  private var upload: (sent: Int, deadline: ContinuousClock.Instant)?

  init(_ start: CurlStart, options: CurlOptions) throws(HTTPFailure) {
    self.start = start
    handle = try CurlEasyHandle(start, options: options)
    setCallbacks()
  }

  private var request: HTTPRequest { start.request }

  private func setCallbacks() {
    // Unretained because the thread keeps this object until the handle has left the multi handle.
    let this = Unmanaged.passUnretained(self).toOpaque()
    handle.set(CURLOPT_HEADERDATA, pointer: this)
    handle.set(CURLOPT_HEADERFUNCTION) { bytes, size, count, this in
      CurlTransfer.at(this)?.takeHeaderLine(.init(start: bytes, count: size * count)) ?? 0
    }
    handle.set(CURLOPT_WRITEDATA, pointer: this)
    handle.set(CURLOPT_WRITEFUNCTION) { bytes, size, count, this in
      CurlTransfer.at(this)?.takeBody(.init(start: bytes, count: size * count)) ?? 0
    }
    handle.set(CURLOPT_READDATA, pointer: this)
    handle.set(CURLOPT_READFUNCTION) { bytes, size, count, this in
      CurlTransfer.at(this)?.giveBody(.init(start: bytes, count: size * count)) ?? 0
    }
    handle.set(CURLOPT_SEEKDATA, pointer: this)
    _ = speechkit_curl_set_seek_callback(handle.pointer) { this, offset, _ in
      CurlTransfer.at(this)?.rewind(to: Int(offset)) ?? CURL_SEEKFUNC_FAIL
    }
  }

  private static func at(_ pointer: UnsafeMutableRawPointer?) -> CurlTransfer? {
    pointer.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
  }

  // MARK: What libcurl brings and fetches

  private func takeHeaderLine(_ line: UnsafeRawBufferPointer) -> Int {
    lastReceipt = .now
    guard !head.isComplete else { return line.count }
    do throws(HTTPFailure) {
      try head.take(line)
    } catch {
      failure = error
      return 0
    }
    if head.isComplete {
      start.exchange.deliver(CurlExchange.Head(status: head.status, headers: head.headers))
    }
    return line.count
  }

  private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    lastReceipt = .now
    guard bytes.count <= request.responseLimit - received else {
      failure = .tooLarge(limit: request.responseLimit)
      return 0
    }
    switch start.exchange.deliver(bytes) {
    case .taken:
      received += bytes.count
      hasNews = true
      return bytes.count
    case .refused:
      isPaused = true
      return Int(CURL_WRITEFUNC_PAUSE)
    case .abandoned: return 0
    }
  }

  /// Gives the bytes that arrived since the last call to the task.
  func handOver() {
    guard hasNews else { return }
    hasNews = false
    start.exchange.wakeReader()
  }

  private func giveBody(_ room: UnsafeMutableRawBufferPointer) -> Int {
    guard let body = request.body else { return 0 }
    let count = min(room.count, body.count - sent)
    let start = body.startIndex + sent
    body.copyBytes(to: room, from: start..<start + count)
    sent += count
    return count
  }

  /// libcurl is about to send the body again, because a kept connection turned out to be closed.
  /// The server may have read all of it, so a request that must not be repeated ends here.
  private func rewind(to offset: Int) -> Int32 {
    guard request.isRepeatable else { return CURL_SEEKFUNC_FAIL }
    sent = offset
    return CURL_SEEKFUNC_OK
  }

  /// Resumes receiving after the task has read.
  func resume() {
    guard isPaused else { return }
    isPaused = false
    lastReceipt = .now
    _ = speechkit_curl_easy_pause(handle.pointer, CURLPAUSE_CONT)
  }

  // MARK: Deadlines

  /// The stage whose timeout has been reached.
  func timeout(at now: ContinuousClock.Instant) -> HTTPFailure.Stage? {
    if let end = start.end, now >= end { return .total }
    let (stage, deadline) = currentDeadline(at: now)
    return deadline.map { now >= $0 } == true ? stage : nil
  }

  /// The earliest time at which a timeout may be reached.
  func nextDeadline(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    let (_, deadline) = currentDeadline(at: now)
    guard let deadline, let end = start.end else { return deadline ?? start.end }
    return min(deadline, end)
  }

  private func currentDeadline(
    at now: ContinuousClock.Instant
  ) -> (HTTPFailure.Stage?, ContinuousClock.Instant?) {
    let timeouts = request.timeouts
    if let lastReceipt { return (.idle, isPaused ? nil : lastReceipt + timeouts.idle) }
    let connected = handle.offset(CURLINFO_PRETRANSFER_TIME_T)
    guard connected > 0 else {
      // libcurl itself times out connection attempts, because it divides the time among several
      // addresses. This only makes sure that the end is noticed.
      return (nil, now + min(timeouts.connect, timeouts.firstByte))
    }
    if var upload {
      if now >= upload.deadline, sent > upload.sent {
        // A large upload in progress counts as activity.
        upload = (sent, now + timeouts.firstByte)
        self.upload = upload
      }
      return (.firstByte, upload.deadline)
    }
    let deadline = begun + .microseconds(connected) + timeouts.firstByte
    upload = (0, deadline)
    return currentDeadline(at: now)
  }

  // MARK: The end

  /// The outcome of a transfer that libcurl reports as done.
  func outcome(_ code: CURLcode) -> Result<Void, HTTPFailure> {
    if let failure { return .failure(failure) }
    guard code != CURLE_OK else { return .success(()) }
    return .failure(
      HTTPFailure(
        code, text: handle.text(for: code), host: start.host,
        isConnected: handle.offset(CURLINFO_PRETRANSFER_TIME_T) > 0, hasHead: head.isComplete))
  }
}
