import TestSupport
import Testing

import AIServices
@testable import LLMSocket

extension LLMQueue {
  init(laneCount: Int, isOneAtATime: Bool, resendLimit: Int) {
    self.init(resendLimit: resendLimit)
    setLanes(laneCount, isOneAtATime: isOneAtATime)
  }
}

struct LLMQueueTests {
  private func ready(
    lanes: Int = 1, oneAtATime: Bool = false, resend: Int = 0
  ) -> LLMQueue {
    var queue = LLMQueue(laneCount: lanes, isOneAtATime: oneAtATime, resendLimit: resend)
    _ = queue.connected()
    for lane in 0..<lanes { _ = queue.laneReady(lane) }
    return queue
  }

  private func body(_ id: String?) -> SendableValue {
    ["success": true, "content": "x", "request_id": id.map { .string($0) } ?? .null]
  }

  @Test func `until the server returns identifiers, one request is sent at a time`() {
    var queue = ready()
    #expect(queue.submit("a") == [.send(id: "a", lane: 0)])
    #expect(queue.submit("b") == [])
    #expect(queue.submit("c") == [])
    #expect(
      queue.answer(body("a"), lane: 0) == [
        .answer(id: "a", body("a")), .send(id: "b", lane: 0), .send(id: "c", lane: 0),
      ])
    #expect(queue.answer(body("c"), lane: 0) == [.answer(id: "c", body("c"))])
    #expect(queue.answer(body("b"), lane: 0) == [.answer(id: "b", body("b"))])
    #expect(queue.isEmpty)
  }

  @Test func `without identifiers the order decides, and a late answer is dropped`() {
    var queue = ready()
    _ = queue.submit("a")
    _ = queue.submit("b")
    #expect(
      queue.answer(body(nil), lane: 0) == [.answer(id: "a", body(nil)), .send(id: "b", lane: 0)])
    _ = queue.submit("c")
    #expect(queue.abandon("b") == [.reset(lane: 0), .open(lane: 0)])
    #expect(queue.answer(body(nil), lane: 0) == [])
    #expect(queue.laneReady(0) == [.send(id: "c", lane: 0)])
    #expect(queue.answer(body(nil), lane: 0) == [.answer(id: "c", body(nil))])
  }

  @Test func `with identifiers an abandoned request does not affect the others`() {
    var queue = ready()
    _ = queue.submit("a")
    _ = queue.answer(body("a"), lane: 0)
    _ = queue.submit("b")
    _ = queue.submit("c")
    #expect(queue.abandon("b") == [])
    // It could belong to either.
    #expect(queue.answer(body(nil), lane: 0) == [])
    #expect(queue.answer(body("b"), lane: 0) == [])
    #expect(queue.answer(body("stranger"), lane: 0) == [])
    #expect(queue.answer(body(nil), lane: 0) == [.answer(id: "c", body(nil))])
  }

  @Test func `an acknowledgement is matched, and the event beside it is not`() {
    var queue = ready()
    _ = queue.submit("a")
    _ = queue.submit("b")
    #expect(queue.answer(.null, lane: 0, acknowledging: "a") == [])
    #expect(
      queue.answer(body(nil), lane: 0, acknowledging: "a") == [
        .answer(id: "a", body(nil)), .send(id: "b", lane: 0),
      ])
    #expect(queue.answer(body(nil), lane: 0) == [])
    #expect(
      queue.answer(body(nil), lane: 0, acknowledging: "b") == [.answer(id: "b", body(nil))])
  }

  @Test func `requests in flight fail, or are resent if allowed`() {
    var queue = ready()
    _ = queue.submit("a")
    _ = queue.submit("b")
    #expect(queue.disconnected("gone") == [.lost(id: "a", reason: "gone")])
    #expect(queue.connected() == [.open(lane: 0)])
    #expect(queue.laneReady(0) == [.send(id: "b", lane: 0)])

    var patient = ready(resend: 1)
    _ = patient.submit("a")
    #expect(patient.disconnected("gone") == [])
    _ = patient.connected()
    #expect(patient.laneReady(0) == [.send(id: "a", lane: 0)])
    #expect(patient.disconnected("gone") == [.lost(id: "a", reason: "gone")])
  }

  @Test func `channels work in parallel, one request each`() {
    var queue = LLMQueue(laneCount: 2, isOneAtATime: true, resendLimit: 0)
    #expect(queue.submit("a") == [])
    #expect(queue.connected() == [.open(lane: 0)])
    #expect(queue.submit("b") == [.open(lane: 1)])
    #expect(queue.submit("c") == [])
    #expect(queue.laneReady(0) == [.send(id: "a", lane: 0)])
    #expect(queue.laneReady(1) == [.send(id: "b", lane: 1)])
    #expect(
      queue.answer(body("b"), lane: 1) == [.answer(id: "b", body("b")), .send(id: "c", lane: 1)])
    // The channel is still busy with it and is replaced.
    #expect(queue.abandon("a") == [.reset(lane: 0)])
    #expect(queue.submit("d") == [.open(lane: 0)])
    #expect(
      queue.laneLost(1, reason: "crash", returns: true) == [.lost(id: "c", reason: "crash")])
    #expect(queue.laneReady(0) == [.send(id: "d", lane: 0)])
  }

  /// In any sequence of events, every request ends once and with its own answer.
  @Test func `no request is lost or answered with another's answer`() {
    var random = SplitMix(seed: 3)
    for round in 0..<400 {
      let isOneAtATime = Bool.random(using: &random)
      let echoes = Bool.random(using: &random)
      var queue = LLMQueue(
        laneCount: isOneAtATime ? 3 : 1, isOneAtATime: isOneAtATime,
        resendLimit: Int.random(in: 0...1, using: &random))
      /// The requests that the server must answer, by lane; abandoned with the lane.
      var work: [Int: [String]] = [:]
      var ended: [String: Int] = [:]
      var given: Set<String> = []
      var next = 0
      func follow(_ actions: [LLMQueue.Action]) {
        for action in actions {
          switch action {
          case .send(let id, let lane): work[lane, default: []].append(id)
          case .answer(let id, let body):
            ended[id, default: 0] += 1
            if body.dictionaryValue?["content"] != .string(id) {
              Issue.record("round \(round): \(id) got \(body)")
            }
          case .lost(let id, _): ended[id, default: 0] += 1
          case .reset(let lane): work[lane] = nil
          case .open: break
          }
        }
      }
      func answer(_ lane: Int) {
        guard let ids = work[lane], !ids.isEmpty else { return }
        let index = echoes && !isOneAtATime ? Int.random(in: 0..<ids.count, using: &random) : 0
        let id = ids[index]
        work[lane]?.remove(at: index)
        follow(
          queue.answer(
            ["success": true, "content": .string(id), "request_id": echoes ? .string(id) : .null],
            lane: lane))
      }
      for _ in 0..<60 {
        switch Int.random(in: 0...9, using: &random) {
        case 0...3:
          next += 1
          follow(queue.submit("\(next)"))
        case 4...6: answer(Int.random(in: 0...2, using: &random))
        case 7 where next > 0:
          let id = "\(Int.random(in: 1...next, using: &random))"
          guard ended[id] == nil, !given.contains(id) else { continue }
          given.insert(id)
          follow(queue.abandon(id))
        case 8:
          work = [:]
          follow(queue.disconnected("gone"))
        default:
          follow(queue.connected())
          for lane in 0..<(isOneAtATime ? 3 : 1) where work[lane, default: []].isEmpty {
            follow(queue.laneReady(lane))
          }
        }
      }
      follow(queue.connected())
      for _ in 0..<200 {
        for lane in 0..<(isOneAtATime ? 3 : 1) {
          if work[lane, default: []].isEmpty { follow(queue.laneReady(lane)) }
          answer(lane)
        }
      }
      for id in 1...max(1, next) where next > 0 {
        let count = ended["\(id)", default: 0] + (given.contains("\(id)") ? 1 : 0)
        if count != 1 { Issue.record("round \(round): \(id) ended \(count) times") }
      }
      #expect(queue.isEmpty)
    }
  }
}
