import AIServices

/// The protocol of the channels of a connection, without side effects. Each lane has a channel with
/// a topic of its own.
struct PhoenixSession: Sendable {
  enum Action: Hashable, Sendable {
    case send(PhoenixFrame)
    case signal(LLMSignal)
    /// Call `proceed` for the topic after this time instead of an earlier one; never if `nil`.
    case wait(topic: String, Duration?)
  }

  private enum Stage {
    /// The channel crashed and will be joined again.
    case crashed
    case joining(ref: String)
    case joined(ref: String)
  }

  private struct Channel {
    var lane: Int
    var stage = Stage.crashed
    var failures = 0
  }

  private static let joinTimeout = Duration.seconds(10)
  private static let rejoinDelays: [Duration] = [
    .seconds(1), .seconds(2), .seconds(5), .seconds(10),
  ]

  private let prefix: String
  private var channels: [String: Channel] = [:]
  private var topicCount = 0
  private var lastRef = 0
  private var heartbeatRef: String?
  private var isConnected = false

  /// Creates a session without channels.
  ///
  /// - Parameter prefix: the prefix of all topics, followed by a number.
  init(prefix: String) {
    self.prefix = prefix
  }

  /// The connection is established.
  mutating func connected() {
    isConnected = true
    heartbeatRef = nil
  }

  /// The connection was lost. The channels of the next one have new topics.
  mutating func disconnected() {
    isConnected = false
    channels = [:]
  }

  /// Joins a new channel for a lane.
  mutating func open(lane: Int) -> [Action] {
    guard isConnected else {
      return [.signal(.laneLost(lane, reason: "there is no connection", returns: false))]
    }
    let closing = close(lane: lane)
    topicCount += 1
    let topic = "\(prefix)\(topicCount)"
    channels[topic] = Channel(lane: lane)
    return closing + join(topic)
  }

  /// Leaves the channel of a lane.
  mutating func close(lane: Int) -> [Action] {
    topic(of: lane).map { leave($0) } ?? []
  }

  /// Pushes an event over the channel of a lane.
  mutating func push(
    _ event: String, _ payload: SendableValue, lane: Int
  ) throws(WireError) -> Action {
    guard let topic = topic(of: lane), case .joined(let joinRef)? = channels[topic]?.stage else {
      throw .notConnected
    }
    return .send(
      PhoenixFrame(joinRef: joinRef, ref: nextRef(), topic: topic, event: event, payload: payload))
  }

  /// The next heartbeat.
  ///
  /// - Throws: `WireError.heartbeatLost` if the last one was not answered.
  mutating func heartbeat() throws(WireError) -> Action {
    guard heartbeatRef == nil else { throw .heartbeatLost }
    let ref = nextRef()
    heartbeatRef = ref
    return .send(PhoenixFrame(ref: ref, topic: "phoenix", event: "heartbeat"))
  }

  /// Joins a crashed channel again, or abandons one whose join was not answered.
  mutating func proceed(_ topic: String) -> [Action] {
    guard let channel = channels[topic] else { return [] }
    switch channel.stage {
    case .crashed: return join(topic)
    case .joining:
      let reason = "the server did not reply in time"
      return leave(topic) + [.signal(.laneLost(channel.lane, reason: reason, returns: false))]
    case .joined: return []
    }
  }

  /// Handles a frame of the server.
  mutating func receive(_ frame: PhoenixFrame) -> [Action] {
    if frame.topic == "phoenix" {
      if frame.event == "phx_reply", frame.ref == heartbeatRef { heartbeatRef = nil }
      return []
    }
    guard let channel = channels[frame.topic] else { return [] }
    let current: String
    let isJoined: Bool
    switch channel.stage {
    case .crashed: return []
    case .joining(let ref): (current, isJoined) = (ref, false)
    case .joined(let ref): (current, isJoined) = (ref, true)
    }
    // Frames of an earlier join are ignored.
    guard frame.joinRef == nil || frame.joinRef == current else { return [] }
    switch frame.event {
    case "phx_reply" where !isJoined && frame.ref == current:
      return reply(frame, lane: channel.lane, joinRef: current)
    case "phx_error": return crash(frame, lane: channel.lane)
    case "phx_close" where frame.joinRef == current || frame.ref == current:
      channels[frame.topic] = nil
      return [
        .wait(topic: frame.topic, nil),
        .signal(.laneLost(channel.lane, reason: "closed by the server", returns: false)),
      ]
    case "llm_response" where isJoined:
      return [.signal(.answer(frame.payload, lane: channel.lane, acknowledging: nil))]
    default: return []
    }
  }

  private mutating func reply(_ frame: PhoenixFrame, lane: Int, joinRef: String) -> [Action] {
    let signal: LLMSignal
    if frame.payload.dictionaryValue?["status"]?.stringValue == "ok" {
      channels[frame.topic]?.stage = .joined(ref: joinRef)
      channels[frame.topic]?.failures = 0
      signal = .laneReady(lane)
    } else {
      channels[frame.topic] = nil
      let reason = Self.reason(frame.payload.dictionaryValue?["response"] ?? [:])
      signal = .laneRefused(lane, LLMError(.refused, "The server refused (\(reason))."))
    }
    return [.wait(topic: frame.topic, nil), .signal(signal)]
  }

  private mutating func crash(_ frame: PhoenixFrame, lane: Int) -> [Action] {
    let failures = channels[frame.topic]?.failures ?? 0
    channels[frame.topic]?.stage = .crashed
    channels[frame.topic]?.failures = failures + 1
    let delay = Self.rejoinDelays[min(failures, Self.rejoinDelays.count - 1)]
    return [
      .signal(.laneLost(lane, reason: Self.reason(frame.payload), returns: true)),
      .wait(topic: frame.topic, delay),
    ]
  }

  private mutating func join(_ topic: String) -> [Action] {
    let ref = nextRef()
    channels[topic]?.stage = .joining(ref: ref)
    return [
      .send(PhoenixFrame(joinRef: ref, ref: ref, topic: topic, event: "phx_join")),
      .wait(topic: topic, Self.joinTimeout),
    ]
  }

  private mutating func leave(_ topic: String) -> [Action] {
    channels[topic] = nil
    return [
      .send(PhoenixFrame(ref: nextRef(), topic: topic, event: "phx_leave")),
      .wait(topic: topic, nil),
    ]
  }

  private func topic(of lane: Int) -> String? {
    channels.first { $0.value.lane == lane }?.key
  }

  private mutating func nextRef() -> String {
    lastRef += 1
    return String(lastRef)
  }

  private static func reason(_ response: SendableValue) -> String {
    response.dictionaryValue?["reason"]?.stringValue
      ?? (response == [:] ? "without a reason" : response.json)
  }
}
