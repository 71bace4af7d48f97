import AIServices

/// An event of a channel.
package enum PhoenixEvent: Sendable, Hashable {
  /// The server pushed a message.
  case message(topic: String, event: String, payload: SendableValue)
  /// The topic is joined, for the first time or again.
  case joined(topic: String)
  /// The topic was lost: the channel crashed and will be joined again, or it was closed
  /// permanently.
  case lost(topic: String, reason: String, isFinal: Bool)
}

/// The protocol of the channels of a connection, without side effects.
struct PhoenixSession: Sendable {
  enum Action: Hashable, Sendable {
    case send(PhoenixFrame)
    /// The reply to the push with that reference.
    case reply(ref: String, Reply)
    case event(PhoenixEvent)
    /// Join the topic again after the delay.
    case rejoin(topic: String, after: Duration)
    /// The server has stopped responding.
    case dead
  }

  enum Reply: Hashable, Sendable {
    case ok(SendableValue)
    case failed(PhoenixError)
  }

  private enum Stage {
    /// Not yet joined on this connection.
    case waiting
    case joining(ref: String)
    case joined(ref: String)
  }

  private struct Channel {
    var parameters: SendableValue
    var stage = Stage.waiting
    /// The pushes made before the join was confirmed.
    var buffer: [PhoenixFrame] = []
    /// The references of pushes that await a reply.
    var pending: Set<String> = []
    var failedJoins = 0
  }

  private static let rejoinDelays: [Duration] = [
    .seconds(1), .seconds(2), .seconds(5), .seconds(10),
  ]

  private var channels: [String: Channel] = [:]
  private var lastRef = 0
  private var heartbeatRef: String?
  private var isConnected = false

  /// The connection is established.
  mutating func connected() -> [Action] {
    isConnected = true
    heartbeatRef = nil
    return channels.keys.sorted().flatMap { begin($0) }
  }

  /// The connection was lost; pending replies fail.
  mutating func disconnected(_ reason: String) -> [Action] {
    isConnected = false
    return channels.keys.sorted().flatMap { topic in
      lose(topic, .connectionLost(reason), reason: reason, isFinal: false)
    }
  }

  /// Joins a topic. The result is the reply to the reference.
  mutating func join(_ topic: String, _ parameters: SendableValue) -> [Action] {
    // The server closes an earlier join of the same topic.
    let lost = lose(
      topic, .channelLost(reason: "joined again"), reason: "joined again", isFinal: true)
    channels[topic] = Channel(parameters: parameters)
    return lost + (isConnected ? begin(topic) : [])
  }

  /// True if the topic is joined.
  func isJoined(_ topic: String) -> Bool {
    if case .joined? = channels[topic]?.stage { true } else { false }
  }

  /// Joins a topic again after its delay.
  mutating func rejoin(_ topic: String) -> [Action] {
    guard isConnected, case .waiting? = channels[topic]?.stage else { return [] }
    return begin(topic)
  }

  /// Leaves a topic.
  mutating func leave(_ topic: String) -> [Action] {
    let actions = lose(topic, .channelLost(reason: "left"), reason: "left", isFinal: true)
    guard isConnected, !actions.isEmpty else { return actions }
    return actions + [.send(PhoenixFrame(ref: nextRef(), topic: topic, event: "phx_leave"))]
  }

  /// Pushes an event, or stores it until the join is confirmed.
  ///
  /// - Returns: the reference of the reply.
  mutating func push(
    _ topic: String, _ event: String, _ payload: SendableValue, expectsReply: Bool
  ) throws(PhoenixError) -> (ref: String, [Action]) {
    guard isConnected else { throw .notConnected }
    guard var channel = channels[topic] else { throw .notJoined(topic: topic) }
    let ref = nextRef()
    var frame = PhoenixFrame(ref: ref, topic: topic, event: event, payload: payload)
    if expectsReply { channel.pending.insert(ref) }
    var actions: [Action] = []
    switch channel.stage {
    case .joined(let joinRef):
      frame.joinRef = joinRef
      actions = [.send(frame)]
    case .joining, .waiting: channel.buffer.append(frame)
    }
    channels[topic] = channel
    return (ref, actions)
  }

  /// Discards the reply to a push.
  mutating func forget(_ ref: String, in topic: String) {
    channels[topic]?.pending.remove(ref)
    channels[topic]?.buffer.removeAll { $0.ref == ref }
  }

  /// Sends the next heartbeat, or reports that the last one was not answered.
  mutating func heartbeat() -> [Action] {
    guard heartbeatRef == nil else { return [.dead] }
    let ref = nextRef()
    heartbeatRef = ref
    return [.send(PhoenixFrame(ref: ref, topic: "phoenix", event: "heartbeat"))]
  }

  /// Handles a frame of the server.
  mutating func receive(_ frame: PhoenixFrame) -> [Action] {
    if frame.topic == "phoenix" {
      if frame.event == "phx_reply", frame.ref == heartbeatRef { heartbeatRef = nil }
      return []
    }
    guard let channel = channels[frame.topic] else { return [] }
    let current: String? =
      switch channel.stage {
      case .waiting: nil
      case .joining(let ref), .joined(let ref): ref
      }
    // Frames of an earlier join are ignored.
    guard let current, frame.joinRef == nil || frame.joinRef == current else { return [] }
    switch frame.event {
    case "phx_reply": return reply(frame, joinRef: current)
    case "phx_error": return crash(frame)
    case "phx_close":
      guard frame.joinRef == current || frame.ref == current else { return [] }
      return lose(
        frame.topic, .channelLost(reason: "closed"), reason: "closed by the server", isFinal: true)
    default:
      guard case .joined = channel.stage else { return [] }
      return [
        .event(.message(topic: frame.topic, event: frame.event, payload: frame.payload))
      ]
    }
  }

  private mutating func reply(_ frame: PhoenixFrame, joinRef: String) -> [Action] {
    guard let ref = frame.ref, var channel = channels[frame.topic] else { return [] }
    let isOK = frame.payload.dictionaryValue?["status"]?.stringValue == "ok"
    let response = frame.payload.dictionaryValue?["response"] ?? [:]
    let result = isOK ? Reply.ok(response) : .failed(.refused(reason: Self.reason(response)))
    if case .joining(ref) = channel.stage {
      guard isOK else {
        channels[frame.topic] = nil
        return [.reply(ref: ref, result)]
          + channel.pending.sorted().map { .reply(ref: $0, result) }
          + [
            .event(
              .lost(topic: frame.topic, reason: Self.reason(response), isFinal: true))
          ]
      }
      channel.stage = .joined(ref: ref)
      channel.failedJoins = 0
      let buffered = channel.buffer.map { frame in
        var frame = frame
        frame.joinRef = ref
        return Action.send(frame)
      }
      channel.buffer = []
      channels[frame.topic] = channel
      return [.reply(ref: ref, result), .event(.joined(topic: frame.topic))] + buffered
    }
    guard channels[frame.topic]?.pending.remove(ref) != nil else { return [] }
    return [.reply(ref: ref, result)]
  }

  private mutating func crash(_ frame: PhoenixFrame) -> [Action] {
    let reason = Self.reason(frame.payload)
    let failures = channels[frame.topic]?.failedJoins ?? 0
    let actions = lose(
      frame.topic, .channelLost(reason: reason), reason: reason, isFinal: false)
    channels[frame.topic]?.failedJoins = failures + 1
    let delays = Self.rejoinDelays
    return actions + [
      .rejoin(topic: frame.topic, after: delays[min(failures, delays.count - 1)])
    ]
  }

  private mutating func begin(_ topic: String) -> [Action] {
    guard let parameters = channels[topic]?.parameters else { return [] }
    let ref = nextRef()
    channels[topic]?.stage = .joining(ref: ref)
    return [
      .send(
        PhoenixFrame(
          joinRef: ref, ref: ref, topic: topic, event: "phx_join", payload: parameters))
    ]
  }

  /// Fails all pending pushes of a channel.
  private mutating func lose(
    _ topic: String, _ error: PhoenixError, reason: String, isFinal: Bool
  ) -> [Action] {
    guard var channel = channels[topic] else { return [] }
    var failed = channel.pending
    if case .joining(let ref) = channel.stage { failed.insert(ref) }
    channel.pending = []
    channel.buffer = []
    channel.stage = .waiting
    channels[topic] = isFinal ? nil : channel
    return failed.sorted().map { .reply(ref: $0, .failed(error)) }
      + [.event(.lost(topic: topic, reason: reason, isFinal: isFinal))]
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
