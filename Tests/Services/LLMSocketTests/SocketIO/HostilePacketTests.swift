import Foundation
import TestSupport
import Testing

import AIServices
@testable import LLMSocket

/// Tests of arbitrary packets and frames: each is parsed or refused, and a parsed one survives
/// encoding and parsing.
struct HostilePacketTests {
  @Test func `packets of Socket IO`() async {
    var hostile = HostileBytes.json(
      [
        #"0{"token":"x"}"#, #"2/admin,7["name",{"a":[1,2,{"b":null}]}]"#, #"37["result",1]"#,
        #"52-["bin",{"_placeholder":true,"num":1},{"_placeholder":true,"num":0}]"#,
        #"61-/a,3[{"_placeholder":true,"num":0}]"#, #"44{"message":"no"}"#, "1/admin,",
      ], seed: 11)
    var read = 0
    let rounds = Endurance.count(full: 20_000, short: 2_000)
    for number in 0..<rounds {
      if number % 1_000 == 0 { await Task.yield() }
      let bytes = hostile.next()
      let text = String(decoding: bytes, as: UTF8.self)
      if let packet = try? SocketIOPacket(text) {
        read += 1
        if (try? SocketIOPacket(packet.text)) != packet { Issue.record("\(bytes)") }
      }
    }
    #expect(read > rounds / 20)
    let deep = "2[\"a\"," + String(repeating: "[", count: 100_000)
    #expect(throws: WireError.self) { try SocketIOPacket(deep) }
  }

  @Test func `packets of Engine IO, also several in one body`() async throws {
    let opening = #"0{"sid":"a","upgrades":["websocket"],"pingInterval":5,"pingTimeout":5}"#
    var hostile = HostileBytes(
      [
        opening, "4message", "2probe", "3probe", "5", "6", "1", "bAAH/",
        "42[\"a\"]\u{1E}bAAH/\u{1E}2\u{1E}3probe\u{1E}5\u{1E}6\u{1E}1",
      ], snippets: ["\u{1E}", "\u{1E}4", "b", "=", "0{}", "-1", "99999999999", "\"\""], seed: 12)
    var session = EngineIOSession(carrier: .polling)
    var read = 0
    let rounds = Endurance.count(full: 20_000, short: 2_000)
    for number in 0..<rounds {
      if number % 1_000 == 0 { await Task.yield() }
      let bytes = hostile.next()
      guard let packets = try? EngineIOPayload.decode(Data(bytes)) else { continue }
      read += 1
      if try EngineIOPayload.decode(EngineIOPayload.encode(packets)) != packets {
        Issue.record("\(bytes)")
      }
      for packet in packets {
        do {
          _ = try session.receive(packet, over: hostile.next(2) == 0 ? .polling : .webSocket)
        } catch {
          session = EngineIOSession(carrier: .polling)
          if hostile.next(2) == 0 {
            _ = try session.receive(EngineIOPacket(opening), over: .polling)
            _ = session.beginProbe()
          }
        }
      }
    }
    #expect(read > rounds / 20)
  }

  @Test func `frames of Phoenix`() async {
    var hostile = HostileBytes.json(
      [
        #"["1","5","task:swift_1","llm_response",{"content":"x","n":[1,2.5,null]}]"#,
        #"["1","1","task:swift_1","phx_reply",{"status":"ok","response":{}}]"#,
        #"["1","1","task:swift_1","phx_reply",{"status":"error","response":{"reason":"no"}}]"#,
        #"["1",null,"task:swift_1","phx_error",{}]"#, #"["1",null,"task:swift_1","phx_close",{}]"#,
        #"[null,"2","phoenix","phx_reply",{"status":"ok","response":{}}]"#,
      ], seed: 13)
    var session = PhoenixSession(prefix: "task:swift_")
    var read = 0
    let rounds = Endurance.count(full: 10_000, short: 1_000)
    for number in 0..<rounds {
      if number % 100 == 0 {
        await Task.yield()
        session = PhoenixSession(prefix: "task:swift_")
        session.connected()
        _ = session.open(lane: 0)
      }
      let text = String(decoding: hostile.next(), as: UTF8.self)
      guard let frame = try? PhoenixFrame(text) else { continue }
      read += 1
      if (try? PhoenixFrame(frame.text)) != frame { Issue.record("\(text)") }
      _ = session.receive(frame)
      if hostile.next(50) == 0 { _ = try? session.heartbeat() }
    }
    #expect(read > rounds / 20)
  }

  @Test func `answers of the LLM service`() async {
    var hostile = HostileBytes.json(
      [
        #"{"success":true,"content":"Hello!","generation_id":"req_1","model":"m","provider":"p","#
          + #""timestamp":"2024-01-15T10:30:00Z"}"#,
        #"{"success":false,"error":{"code":"generation_failed","message":"Failed","#
          + #""details":"HTTP 429"}}"#,
        #"{"success":false,"error":{"code":1,"message":null,"details":{"a":[1]}},"#
          + #""request_id":"r"}"#,
      ], seed: 14)
    var queue = LLMQueue(laneCount: 2, isOneAtATime: false, resendLimit: 1)
    _ = queue.connected()
    var read = 0
    let rounds = Endurance.count(full: 20_000, short: 2_000)
    for number in 0..<rounds {
      if number % 1_000 == 0 { await Task.yield() }
      guard
        let body = try? JSONDecoder().decode(SendableValue.self, from: Data(hostile.next()))
      else { continue }
      do throws(LLMError) {
        _ = try LLMReply(body)
        read += 1
      } catch {
        #expect(!error.message.isEmpty)
      }
      _ = queue.answer(body, lane: hostile.next(2), acknowledging: hostile.next(2) == 0 ? "r" : nil)
    }
    #expect(read > rounds / 50)
  }
}
