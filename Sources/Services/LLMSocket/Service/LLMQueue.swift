import AIServices

/// Schedules requests and matches each answer to its request; an answer is never assigned to merely
/// the first pending one.
///
/// Requests are sent in *lanes*: a Socket.IO connection is one lane, and each Phoenix channel is
/// one. An answer is matched by the identifier that it returns, or because it is the
/// acknowledgement. Until the server has done either, a lane carries one request at a time, so that
/// an answer can only belong to that one. If such a request is abandoned, its answer may still
/// arrive, and the lane is abandoned with it.
struct LLMQueue: Sendable {
  enum Action: Hashable, Sendable {
    case send(id: String, lane: Int)
    case answer(id: String, SendableValue)
    /// It was in flight when the lane was lost.
    case lost(id: String, reason: String)
    /// Another lane is needed.
    case open(lane: Int)
    /// The lane must be replaced.
    case reset(lane: Int)
  }

  /// The way in which answers are matched.
  private enum Matching {
    case unknown
    case byID
    case byAcknowledgement
    case byOrder
  }

  private enum Stage {
    case closed
    case opening
    case ready
  }

  private struct Lane {
    var stage = Stage.closed
    var inFlight: Set<String> = []
    /// Abandoned requests whose answers may still arrive.
    var ghosts: Set<String> = []
  }

  private static let ghostLimit = 1_000

  /// The number of times that a request in flight may be sent again.
  private let resendLimit: Int
  /// True if the server processes one request of a lane at a time anyway.
  private var isOneAtATime = true
  private var lanes = [Lane()]
  private var isConnected = false
  private var matching = Matching.unknown
  private var waiting: [String] = []
  /// The number of times that each request was sent.
  private var sendings: [String: Int] = [:]

  init(resendLimit: Int) {
    self.resendLimit = resendLimit
  }

  /// Sets the lanes, before the first connection.
  mutating func setLanes(_ count: Int, isOneAtATime: Bool) {
    lanes = Array(repeating: Lane(), count: max(1, count))
    self.isOneAtATime = isOneAtATime
  }

  /// True if no request waits or is in flight.
  var isEmpty: Bool { waiting.isEmpty && lanes.allSatisfy(\.inFlight.isEmpty) }

  mutating func submit(_ id: String) -> [Action] {
    waiting.append(id)
    sendings[id] = 0
    return dispatch()
  }

  /// Removes a request that was cancelled or answered otherwise.
  mutating func abandon(_ id: String) -> [Action] {
    sendings[id] = nil
    if let index = waiting.firstIndex(of: id) {
      waiting.remove(at: index)
      return []
    }
    guard let lane = lanes.firstIndex(where: { $0.inFlight.contains(id) }) else { return [] }
    lanes[lane].inFlight.remove(id)
    lanes[lane].ghosts.insert(id)
    if !isOneAtATime, matching == .byID || matching == .byAcknowledgement,
      lanes[lane].ghosts.count < Self.ghostLimit
    {
      return dispatch()
    }
    let lost = close(lane, reason: "an earlier request was abandoned")
    return lost + [.reset(lane: lane)] + dispatch()
  }

  mutating func connected() -> [Action] {
    isConnected = true
    return dispatch()
  }

  mutating func disconnected(_ reason: String) -> [Action] {
    isConnected = false
    // A different server may be there after a reconnection.
    matching = .unknown
    return lanes.indices.flatMap { close($0, reason: reason) }
  }

  mutating func laneReady(_ lane: Int) -> [Action] {
    lanes[lane].stage = .ready
    lanes[lane].ghosts = []
    return dispatch()
  }

  /// Handles the loss of a lane.
  ///
  /// - Parameter returns: true if the lane reconnects automatically.
  mutating func laneLost(_ lane: Int, reason: String, returns: Bool) -> [Action] {
    let lost = close(lane, reason: reason)
    if returns { lanes[lane].stage = .opening }
    return lost + dispatch()
  }

  /// Handles an answer.
  ///
  /// - Parameter acknowledged: the request that it acknowledges.
  mutating func answer(
    _ body: SendableValue, lane: Int, acknowledging acknowledged: String? = nil
  ) -> [Action] {
    if let acknowledged {
      guard body.dictionaryValue?["success"] != nil else { return [] }
      return complete(acknowledged, body, lane: lane, by: .byAcknowledgement)
    }
    if let id = body.dictionaryValue?["request_id"]?.stringValue {
      return complete(id, body, lane: lane, by: .byID)
    }
    guard matching != .byAcknowledgement, lanes[lane].ghosts.isEmpty,
      lanes[lane].inFlight.count == 1, let id = lanes[lane].inFlight.first
    else { return [] }
    return complete(id, body, lane: lane, by: matching == .unknown ? .byOrder : matching)
  }

  /// Removes and returns all unsent requests.
  mutating func takeWaiting() -> [String] {
    defer { waiting = [] }
    for id in waiting { sendings[id] = nil }
    return waiting
  }

  private mutating func complete(
    _ id: String, _ body: SendableValue, lane: Int, by matching: Matching
  ) -> [Action] {
    if lanes[lane].ghosts.remove(id) != nil { return dispatch() }
    guard lanes[lane].inFlight.remove(id) != nil else { return [] }
    sendings[id] = nil
    // Acknowledgements take precedence: a server that sends both would be matched twice otherwise.
    if self.matching != .byAcknowledgement { self.matching = matching }
    return [.answer(id: id, body)] + dispatch()
  }

  private mutating func close(_ lane: Int, reason: String) -> [Action] {
    let ids = lanes[lane].inFlight.sorted()
    lanes[lane] = Lane()
    var actions: [Action] = []
    var again: [String] = []
    for id in ids {
      if sendings[id, default: 0] <= resendLimit {
        again.append(id)
      } else {
        sendings[id] = nil
        actions.append(.lost(id: id, reason: reason))
      }
    }
    waiting.insert(contentsOf: again, at: 0)
    return actions
  }

  private mutating func dispatch() -> [Action] {
    guard isConnected else { return [] }
    let isShared = !isOneAtATime && (matching == .byID || matching == .byAcknowledgement)
    var actions: [Action] = []
    var next = waiting[...]
    for lane in lanes.indices where lanes[lane].stage == .ready {
      while let id = next.first, isShared || lanes[lane].inFlight.isEmpty {
        next = next.dropFirst()
        lanes[lane].inFlight.insert(id)
        sendings[id, default: 0] += 1
        actions.append(.send(id: id, lane: lane))
      }
    }
    waiting = Array(next)
    var missing = waiting.count - lanes.count { $0.stage == .opening }
    for lane in lanes.indices where missing > 0 && lanes[lane].stage == .closed {
      lanes[lane].stage = .opening
      missing -= 1
      actions.append(.open(lane: lane))
    }
    return actions
  }
}
