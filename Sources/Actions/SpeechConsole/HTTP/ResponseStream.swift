import CMicrohttpd
import Foundation
import SpeechConcurrency

/// A response body that is written while it is sent.
///
/// Writing never blocks. A reader that is too slow is disconnected, and the writer is notified when
/// the reader has left.
final class ResponseStream: Sendable {
  private struct State {
    var pending: [UInt8] = []
    var isFinished = false
    var isGone = false
    var aside = SetAside()
    var onGone: (@Sendable () -> Void)?
  }

  private let state = Guarded(State())
  private let backlog: Int

  init(backlog: Int) {
    self.backlog = backlog
  }

  /// Calls the action once, when the reader has left.
  func whenGone(_ action: @escaping @Sendable () -> Void) {
    let isGone = state.withLock { state in
      if !state.isGone { state.onGone = action }
      return state.isGone
    }
    if isGone { action() }
  }

  /// Writes a piece. Returns false if the reader has left.
  @discardableResult
  func write(_ text: String) -> Bool {
    let (isRead, onGone) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
      guard !state.isFinished, !state.isGone else { return (false, nil) }
      guard state.pending.count + text.utf8.count <= backlog else {
        state.isFinished = true
        state.isGone = true
        state.aside.takeUp()
        defer { state.onGone = nil }
        return (false, state.onGone)
      }
      state.pending.append(contentsOf: text.utf8)
      state.aside.takeUp()
      return (true, nil)
    }
    onGone?()
    return isRead
  }

  /// Ends the body after the written pieces.
  func finish() {
    state.withLock { state in
      state.isFinished = true
      state.aside.takeUp()
    }
  }

  /// Returns the next bytes for the library, the end, or a request to wait.
  func read(
    into room: UnsafeMutablePointer<CChar>, _ size: Int, of connection: ConnectionHandle
  ) -> Int {
    state.withLock { state in
      guard !state.pending.isEmpty else {
        if state.isFinished { return speechkit_mhd_end_of_stream }
        state.aside.set(connection)
        return 0
      }
      let count = min(size, state.pending.count)
      state.pending.withUnsafeBytes { bytes in
        if let start = bytes.baseAddress { memcpy(room, start, count) }
      }
      state.pending.removeFirst(count)
      return count
    }
  }

  /// Records that the reader has left.
  func end() {
    let onGone = state.withLock { state in
      state.isFinished = true
      state.isGone = true
      state.pending = []
      state.aside.takeUp()
      defer { state.onGone = nil }
      return state.onGone
    }
    onGone?()
  }
}
