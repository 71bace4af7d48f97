import CMicrohttpd
import Foundation
import SpeechConcurrency

/// An answer that is written while it is read.
///
/// The writer never waits. Who reads too slowly for too much gets no more, and who is gone is told to the
/// writer through `onEnd`.
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

  /// Calls that once when nobody reads any more.
  func whenGone(_ action: @escaping @Sendable () -> Void) {
    let isGone = state.withLock { state in
      if !state.isGone { state.onGone = action }
      return state.isGone
    }
    if isGone { action() }
  }

  /// Writes; `false` when nobody reads any more.
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

  /// Ends it after what was written.
  func finish() {
    state.withLock { state in
      state.isFinished = true
      state.aside.takeUp()
    }
  }

  /// What the library asks for: bytes, the end, or to wait.
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

  /// Nobody reads it any more.
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
