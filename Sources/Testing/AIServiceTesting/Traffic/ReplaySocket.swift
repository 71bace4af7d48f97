import AIServices
import Foundation
import SpeechConcurrency

/// A WebSocket to nobody: it answers from a recording.
///
/// What the server sent comes when all that the client had sent before it has been sent again. Where the client asks in
/// another order, what it has passed over is not waited for by what answers something else. The client's ids are those of
/// today: each is what the last message before it that has the id has in that place now.
final class ReplaySocket: WebSocketConnection {
  /// What there is to read.
  enum Arrival {
    case message(WebSocketMessage)
    case end
    /// It is not wanted here any more.
    case unwanted
  }

  /// What a replay's connections have in common.
  struct Surroundings: Sendable {
    var order: ReplayTransport.Order
    var clock: ServiceClock?
    /// What the client's names for things are now.
    var names: Guarded<[ClientIDs.ID: String]>
    /// Called with what was not recorded.
    var report: @Sendable (TrafficMismatch) -> Void
    /// Called when something was sent or read.
    var changed: @Sendable () -> Void
  }

  private struct State {
    /// The messages that have not been read, in order.
    var unread: [Int]
    /// How many of them come next whatever else there is, because they belong to the one before.
    var bound = 0
    /// The one that was read last.
    var lastRead = -1
    /// The messages that have not been sent again, in order.
    var unsent: [Int]
    /// The last that has been sent.
    var lastSent = -1
    /// The ids of today in what has been sent, by the index of the recorded message.
    var ids: [Int: [ClientIDs.ID: String]] = [:]
    /// When it was opened.
    let begun: Duration
    /// When the messages were sent and read, by their indices.
    var times: [Int: Duration] = [:]
    var failure: (any Error)?
    var close: WebSocketClose?
    /// Whether the client is done with it.
    var isLeft = false
  }

  private enum Step {
    case wait
    case pause(Duration)
    case arrived(Arrival)
  }

  private let recorded: RecordedSocket
  private let number: Int
  private let messageLimit: Int
  private let mask: TrafficMask
  private let surroundings: Surroundings
  private let compared: [Int: ComparedMessage]
  private let ids: [Int: [ClientIDs.ID]]
  /// For each message and each id in it, the last message before that was sent with that id.
  private let owners: [Int: [ClientIDs.ID: Int]]
  /// What was sent right before each message that was received, for those that have no ids.
  private let causes: [Int: Range<Int>]
  private let state: Guarded<State>
  private let signal = ChangeSignal()

  /// - Parameters:
  ///   - number: its number among the recorded ones, from 1.
  ///   - mask: takes out of messages what was taken out when they were recorded.
  init(
    _ recorded: RecordedSocket, number: Int, messageLimit: Int, mask: TrafficMask,
    in surroundings: Surroundings
  ) {
    self.recorded = recorded
    self.number = number
    self.messageLimit = messageLimit
    self.mask = mask
    self.surroundings = surroundings
    var (unread, unsent): ([Int], [Int]) = ([], [])
    var causes: [Int: Range<Int>] = [:]
    var cause = 0..<0
    var compared: [Int: ComparedMessage] = [:]
    var ids: [Int: [ClientIDs.ID]] = [:]
    var owners: [Int: [ClientIDs.ID: Int]] = [:]
    var lastOwners: [ClientIDs.ID: Int] = [:]
    for (index, event) in recorded.events.enumerated() {
      let found: [ClientIDs.ID]
      switch event.kind {
      case .sent(let message):
        unsent.append(index)
        cause = (cause.upperBound == index ? cause.lowerBound : index)..<index + 1
        compared[index] = ComparedMessage(message)
        found = Self.ids(in: message, isSent: true)
        ids[index] = found
      case .received(let message):
        unread.append(index)
        causes[index] = cause
        found = Self.ids(in: message, isSent: false)
      case .closing: continue
      }
      for id in found { owners[index, default: [:]][id] = lastOwners[id] }
      if ids[index] != nil { for id in found { lastOwners[id] = index } }
    }
    (self.compared, self.ids, self.owners) = (compared, ids, owners)
    self.causes = causes
    state = Guarded(
      State(unread: unread, unsent: unsent, begun: surroundings.clock?.now() ?? .zero))
  }

  var subprotocol: String? { recorded.opening?.subprotocol }
  var close: WebSocketClose? { state.withLock(\.close) }

  /// What was sent then and has not been sent.
  var unsent: [WebSocketMessage] {
    state.withLock(\.unsent).compactMap { index in
      if case .sent(let message) = recorded.events[index].kind { message } else { nil }
    }
  }

  // MARK: Sending

  func send(_ messages: [WebSocketMessage]) async throws {
    try Task.checkCancellation()
    for message in messages { try take(message) }
  }

  private func take(_ message: WebSocketMessage) throws {
    let masked = mask.masked(message)
    let asked = ComparedMessage(masked)
    let current = Self.ids(in: masked, isSent: true)
    let now = surroundings.clock?.now() ?? .zero
    let candidates = try state.withLock { state throws -> [Int]? in
      if let failure = state.failure { throw failure }
      if state.isLeft || state.close != nil {
        throw HTTPFailure.interrupted("it is closed", beforeResponse: false)
      }
      let candidates =
        surroundings.order == .asRecorded ? Array(state.unsent.prefix(1)) : state.unsent
      guard let index = match(asked, current, among: candidates, state) else { return candidates }
      state.unsent.removeAll { $0 == index }
      state.lastSent = max(state.lastSent, index)
      state.times[index] = now
      state.ids[index] = renaming(index, to: current)
      return nil
    }
    if let candidates {
      let mismatch = mismatch(masked, asked, among: candidates)
      let failure = TrafficError.notRecorded(mismatch)
      state.withLock { $0.failure = $0.failure ?? failure }
      surroundings.report(mismatch)
      signal.notify()
      throw failure
    }
    signal.notify()
    surroundings.changed()
  }

  /// The recorded message that this one is: of those that are the same but for their ids the one whose ids stand for
  /// these already.
  private func match(
    _ asked: ComparedMessage, _ current: [ClientIDs.ID], among candidates: [Int], _ state: State
  ) -> Int? {
    var best: (index: Int, conflicts: Int)?
    func consider(_ index: Int) -> Bool {
      let conflicts = conflicts(of: index, with: current, state)
      if conflicts < best?.conflicts ?? .max { best = (index, conflicts) }
      return conflicts == 0
    }
    for index in candidates where compared[index] == asked {
      if consider(index) { return index }
    }
    if let best { return best.index }
    for index in candidates {
      guard let one = compared[index],
        TrafficComparison(recorded: one, sent: asked).differences.isEmpty
      else { continue }
      if consider(index) { break }
    }
    return best?.index
  }

  private func conflicts(of index: Int, with current: [ClientIDs.ID], _ state: State) -> Int {
    zip(ids[index] ?? [], current).count { id, other in
      guard let known = today(id, before: index, state) else { return false }
      return known != other.value
    }
  }

  private func renaming(_ index: Int, to current: [ClientIDs.ID]) -> [ClientIDs.ID: String] {
    let pairs = zip(ids[index] ?? [], current).map { ($0, $1.value) }
    let renaming = Dictionary(pairs) { first, _ in first }
    surroundings.names.withLock { names in
      for (id, value) in renaming where id.kind == .name { names[id] = value }
    }
    return renaming
  }

  /// What the id of a recorded message is now; `nil` if it has not been sent.
  private func today(_ id: ClientIDs.ID, before index: Int, _ state: State) -> String? {
    if let owner = owners[index]?[id] { return state.ids[owner]?[id] }
    // It may have been sent over an earlier connection.
    return id.kind == .name ? surroundings.names.withLock { $0[id] } : nil
  }

  private func mismatch(
    _ message: WebSocketMessage, _ asked: ComparedMessage, among candidates: [Int]
  ) -> TrafficMismatch {
    let nearest = candidates.compactMap { index in
      compared[index].map { (index, TrafficComparison(recorded: $0, sent: asked)) }
    }.min { $0.1.distance < $1.1.distance }
    var nearestSent: WebSocketMessage?
    if let nearest, case .sent(let message) = recorded.events[nearest.0].kind {
      nearestSent = message
    }
    return TrafficMismatch(
      asked: recorded.request, nearest: recorded.request, number: number, sent: message,
      nearestSent: nearestSent, differences: nearest?.1.differences ?? [], timesUsed: 0)
  }

  // MARK: Receiving

  func receive() async throws -> WebSocketMessage? {
    switch try await receive(while: { true }) {
    case .message(let message): message
    case .end, .unwanted: nil
    }
  }

  /// The next that comes.
  ///
  /// - Parameter isWanted: looked at whenever something has changed.
  func receive(while isWanted: @Sendable () -> Bool) async throws -> Arrival {
    while true {
      try Task.checkCancellation()
      let version = signal.version
      guard isWanted() else { return .unwanted }
      let now = surroundings.clock?.now() ?? .zero
      switch try state.withLock({ try step(&$0, now) }) {
      case .arrived(let arrival):
        surroundings.changed()
        return arrival
      case .wait: try await signal.wait(after: version)
      case .pause(let time): try await pause(time, unlessAfter: version)
      }
    }
  }

  /// Has those who wait look again whether they are wanted.
  func wake() { signal.notify() }

  private func step(_ state: inout State, _ now: Duration) throws -> Step {
    if let failure = state.failure { throw failure }
    if state.isLeft || state.close != nil { return .arrived(.end) }
    guard let place = nextPlace(state) else {
      guard state.unread.isEmpty, state.unsent.isEmpty, !recorded.isClosedByClient else {
        return .wait
      }
      switch recorded.end {
      case .cancelled, .abandoned: return .wait
      case .closed, .failed, .refused: break
      }
      if let wait = wait(recorded.endAfter, after: recorded.events.count, state, now) {
        return .pause(wait)
      }
      return .arrived(try end(&state))
    }
    let index = state.unread[place]
    guard case .received(let message) = recorded.events[index].kind else { return .wait }
    if let wait = wait(recorded.events[index].after, after: index, state, now) {
      return .pause(wait)
    }
    guard message.count <= messageLimit else {
      let failure = HTTPFailure.tooLarge(limit: messageLimit)
      state.failure = failure
      throw failure
    }
    state.unread.remove(at: place)
    state.lastRead = index
    state.bound = state.bound > 0 ? state.bound - 1 : message.attachmentCount
    state.times[index] = now
    return .arrived(.message(renamed(message, at: index, state)))
  }

  /// How much longer something is to be waited for that came so long after what had happened before.
  private func wait(
    _ time: Duration, after index: Int, _ state: State, _ now: Duration
  ) -> Duration? {
    guard surroundings.clock != nil else { return nil }
    let before = (0..<index).reversed().lazy.compactMap { state.times[$0] }.first
    let due = (before ?? state.begun) + time
    return due > now ? due - now : nil
  }

  /// Which of the unread messages may come now.
  private func nextPlace(_ state: State) -> Int? {
    guard let first = state.unread.first else { return nil }
    if state.bound > 0 { return state.unread.firstIndex { $0 > state.lastRead } }
    guard let unsent = state.unsent.first, unsent < first else { return 0 }
    guard surroundings.order == .any else { return nil }
    return state.unread.firstIndex { index in
      !state.unsent.prefix { $0 < index }.contains { isAwaited($0, by: index, state) }
    }
  }

  /// Whether a message that was received cannot come before the other one has been sent.
  private func isAwaited(_ sent: Int, by index: Int, _ state: State) -> Bool {
    // Not passed over: the client may be about to send it.
    if sent > state.lastSent { return true }
    guard let owners = owners[index], !owners.isEmpty else {
      return causes[index]?.contains(sent) ?? false
    }
    return owners.values.contains(sent)
  }

  private func end(_ state: inout State) throws -> Arrival {
    switch recorded.end {
    case .closed(let close): state.close = close
    case .failed(let failure):
      state.failure = failure.failure ?? .interrupted(failure.detail, beforeResponse: false)
    case .refused(let refusal): state.failure = refusal
    case .cancelled, .abandoned: break
    }
    if let failure = state.failure { throw failure }
    return .end
  }

  private func renamed(
    _ message: WebSocketMessage, at index: Int, _ state: State
  ) -> WebSocketMessage {
    guard case .text(let text) = message else { return message }
    return .text(
      ClientIDs(text, isSent: false).replaced { today($0, before: index, state) ?? $0.value })
  }

  /// Waits so long, or until something changes.
  private func pause(_ time: Duration, unlessAfter version: Int) async throws {
    guard let clock = surroundings.clock else { return }
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask { try await clock.sleep(time) }
      group.addTask { [signal] in try await signal.wait(after: version) }
      _ = try await group.next()
    }
  }

  // MARK: The end

  func close(_ close: WebSocketClose) async {
    leave(recorded.closed ?? close)
  }

  func drop() async {
    leave(nil)
  }

  private func leave(_ close: WebSocketClose?) {
    state.withLock { state in
      if !state.isLeft, state.failure == nil { state.close = state.close ?? close }
      state.isLeft = true
    }
    signal.notify()
    surroundings.changed()
  }

  private static func ids(in message: WebSocketMessage, isSent: Bool) -> [ClientIDs.ID] {
    guard case .text(let text) = message else { return [] }
    return ClientIDs(text, isSent: isSent).ids
  }
}

extension RecordedSocket {
  fileprivate var isClosedByClient: Bool {
    events.contains { if case .closing = $0.kind { true } else { false } }
  }

  /// How it was closed, if it was.
  fileprivate var closed: WebSocketClose? {
    if case .closed(let close) = end { close } else { nil }
  }
}

extension WebSocketMessage {
  /// How many messages of bytes belong to this packet of Socket.IO.
  fileprivate var attachmentCount: Int {
    guard case .text(let text) = self, text.hasPrefix("45") || text.hasPrefix("46") else {
      return 0
    }
    let digits = text.dropFirst(2).prefix { $0.isNumber }
    guard text.dropFirst(2 + digits.count).first == "-" else { return 0 }
    return Int(digits) ?? 0
  }
}
