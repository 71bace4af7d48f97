import CCurl
import Foundation

/// Runs the transfers of a transport. Used on its thread only.
final class CurlWorker {
  private let multi: UnsafeMutableRawPointer
  private let options: CurlOptions
  private let deadlines = CurlDeadlines()
  private var transfers: [Int: CurlTransfer] = [:]
  private var waiting: [CurlStart] = []
  private var idleSince = ContinuousClock.now

  init(_ multi: UnsafeMutableRawPointer, _ options: CurlOptions) {
    self.multi = multi
    self.options = options
  }

  /// True if there are no transfers.
  var isIdle: Bool { transfers.isEmpty && waiting.isEmpty }

  /// True if there have been no transfers for longer than connections are kept.
  var isOutdated: Bool { isIdle && .now - idleSince >= options.connectionLifetime }

  func obey(_ command: CurlLoop.Command) {
    switch command {
    case .start(let start):
      waiting.append(start)
      if let total = start.request.timeouts.total { deadlines.consider(start.submitted + total) }
      startWaiting()
    case .resume(let id): transfers[id]?.resume()
    case .stop(let id):
      waiting.removeAll { $0.id == id }
      if let transfer = transfers[id] { end(transfer, .failure(.truncated)) }
    }
  }

  /// Waits until a transfer can proceed, a deadline passes or a command arrives.
  func wait() {
    curl_multi_poll(multi, nil, 0, pollTimeout, nil)
  }

  /// Advances all transfers as far as possible.
  func advance() {
    var running: Int32 = 0
    curl_multi_perform(multi, &running)
    endFinished()
    endOverdue()
    startWaiting()
  }

  /// The time until the next check, in milliseconds.
  private var pollTimeout: Int32 {
    let end = isIdle ? idleSince + options.connectionLifetime : deadlines.next
    guard let end else { return 60_000 }
    let rest = end - .now
    return rest <= .zero ? 0 : Int32(min(rest.wholeMilliseconds, 60_000))
  }

  private func startWaiting() {
    guard !waiting.isEmpty, transfers.count < options.transfersAtOnce else { return }
    let count = min(waiting.count, options.transfersAtOnce - transfers.count)
    let starts = waiting.prefix(count)
    waiting.removeFirst(count)
    for start in starts where !start.exchange.isAbandoned {
      do throws(HTTPFailure) {
        let transfer = try CurlTransfer(start, options: options, clock: deadlines)
        transfers[start.id] = transfer
        curl_multi_add_handle(multi, transfer.handle.pointer)
      } catch {
        start.exchange.finish(.failure(error))
      }
    }
  }

  private func endFinished() {
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi, &left)?.pointee {
      guard message.msg == CURLMSG_DONE else { continue }
      var id: UnsafeMutableRawPointer?
      _ = speechkit_curl_get_private(message.easy_handle, &id)
      guard let transfer = transfers[Int(bitPattern: id)] else { continue }
      end(transfer, transfer.outcome(message.data.result))
    }
  }

  private func endOverdue() {
    let now = ContinuousClock.now
    guard let next = deadlines.next, next <= now else { return }
    deadlines.clear()
    for transfer in transfers.values {
      switch transfer.look(at: now) {
      case .reached(let stage): end(transfer, .failure(.timedOut(stage)))
      case .later(let instant): if let instant { deadlines.consider(instant) }
      }
    }
    waiting.removeAll { start in
      guard let total = start.request.timeouts.total else { return false }
      guard start.submitted + total <= now else {
        deadlines.consider(start.submitted + total)
        return false
      }
      start.exchange.finish(.failure(.timedOut(.total)))
      return true
    }
  }

  private func end(_ transfer: CurlTransfer, _ outcome: Result<Void, HTTPFailure>) {
    // First, because this closes a connection in the middle of a response.
    curl_multi_remove_handle(multi, transfer.handle.pointer)
    transfers[transfer.id] = nil
    transfer.exchange.finish(outcome)
    if isIdle { idleSince = .now }
  }
}
