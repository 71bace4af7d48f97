import CCurl
import Foundation

/// Runs the transfers and WebSockets of a transport. Used on its thread only.
final class CurlWorker {
  private let multi: UnsafeMutableRawPointer
  private let options: CurlOptions
  private var transfers: [Int: CurlTransfer] = [:]
  private var waiting: [CurlStart] = []
  private var links: [(channel: WebSocketChannel, link: WebSocketLink)] = []
  /// The sockets of WebSockets that have events.
  private var ready: [Int32: Int16] = [:]
  /// Memory for received bytes.
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 1)
  private var idleSince = ContinuousClock.now

  init(_ multi: UnsafeMutableRawPointer, _ options: CurlOptions) {
    self.multi = multi
    self.options = options
  }

  deinit {
    buffer.deallocate()
  }

  /// True if there are neither transfers nor WebSockets.
  var isIdle: Bool { transfers.isEmpty && waiting.isEmpty && links.isEmpty }

  /// True if it has been idle for longer than connections are kept.
  var isOutdated: Bool { isIdle && .now - idleSince >= options.connectionLifetime }

  func obey(_ command: CurlLoop.Command) {
    switch command {
    case .start(let start):
      waiting.append(start)
      startWaiting()
    case .resume(let id): transfers[id]?.resume()
    case .stop(let id):
      waiting.removeAll { $0.id == id }
      if let transfer = transfers[id] { end(transfer, .failure(.truncated)) }
    case .serve(let channel):
      do throws(HTTPFailure) {
        links.append((channel, try WebSocketLink(channel)))
      } catch {
        channel.finish(.failure(error))
        channel.released()
      }
    }
  }

  /// Waits until a transfer or WebSocket can proceed, a deadline passes or a command arrives.
  func wait() {
    var sockets: [curl_waitfd] = []
    for (_, link) in links {
      for (socket, events) in link.interests {
        sockets.append(curl_waitfd(fd: socket, events: events, revents: 0))
      }
    }
    speechkit_curl_multi_poll(multi, &sockets, UInt32(sockets.count), pollTimeout, nil)
    for socket in sockets where socket.revents != 0 { ready[socket.fd] = socket.revents }
  }

  /// Advances all transfers and WebSockets as far as possible.
  func advance() {
    var running: Int32 = 0
    speechkit_curl_multi_perform(multi, &running)
    for transfer in transfers.values { transfer.handOver() }
    endFinished()
    endOverdue()
    startWaiting()
    advanceLinks()
  }

  /// The time until the next check, in milliseconds.
  private var pollTimeout: Int32 {
    let now = ContinuousClock.now
    var next = isIdle ? idleSince + options.connectionLifetime : now + .seconds(60)
    for transfer in transfers.values { next = min(next, transfer.nextDeadline(at: now) ?? next) }
    for start in waiting { next = min(next, start.end ?? next) }
    for (_, link) in links { next = min(next, link.wakeTime ?? next) }
    return next <= now ? 0 : Int32(min((next - now).wholeMilliseconds, 60_000))
  }

  private func startWaiting() {
    guard !waiting.isEmpty, transfers.count < options.transfersAtOnce else { return }
    let count = min(waiting.count, options.transfersAtOnce - transfers.count)
    let starts = waiting.prefix(count)
    waiting.removeFirst(count)
    for start in starts where !start.exchange.isAbandoned {
      do throws(HTTPFailure) {
        let transfer = try CurlTransfer(start, options: options)
        transfers[start.id] = transfer
        speechkit_curl_multi_add_handle(multi, transfer.handle.pointer)
      } catch {
        start.exchange.finish(.failure(error))
      }
    }
  }

  private func endFinished() {
    var left: Int32 = 0
    while let message = speechkit_curl_multi_info_read(multi, &left)?.pointee {
      guard message.msg == CURLMSG_DONE else { continue }
      var id: UnsafeMutableRawPointer?
      _ = speechkit_curl_get_private(message.easy_handle, &id)
      guard let transfer = transfers[Int(bitPattern: id)] else { continue }
      end(transfer, transfer.outcome(message.data.result))
    }
  }

  private func endOverdue() {
    let now = ContinuousClock.now
    for transfer in transfers.values {
      if let stage = transfer.timeout(at: now) { end(transfer, .failure(.timedOut(stage))) }
    }
    waiting.removeAll { start in
      guard let end = start.end, end <= now else { return false }
      start.exchange.finish(.failure(.timedOut(.total)))
      return true
    }
  }

  private func end(_ transfer: CurlTransfer, _ outcome: Result<Void, HTTPFailure>) {
    // First, because this closes a connection in the middle of a response.
    speechkit_curl_multi_remove_handle(multi, transfer.handle.pointer)
    transfers[transfer.start.id] = nil
    transfer.start.exchange.finish(outcome)
    if isIdle { idleSince = .now }
  }

  private func advanceLinks() {
    guard !links.isEmpty else { return }
    let now = ContinuousClock.now
    var over: [WebSocketChannel] = []
    links.removeAll { channel, link in
      guard !link.proceed(ready: ready, now: now, buffer: buffer) else { return false }
      over.append(channel)
      return true
    }
    ready = [:]
    // Removing the links has closed their sockets; only then may that be reported.
    for channel in over { channel.released() }
    if isIdle { idleSince = now }
  }
}
