import Foundation
import Testing

import AIServices
@testable import LLMSocket

struct SocketIOCodecTests {
  @Test(
    arguments: [
      ("0", SocketIOPacket(.connect)),
      (#"0{"token":"x"}"#, SocketIOPacket(.connect, payload: ["token": "x"])),
      ("0/admin,", SocketIOPacket(.connect, namespace: "/admin")),
      ("1/admin,", SocketIOPacket(.disconnect, namespace: "/admin")),
      (#"2["name",1,"a/b"]"#, SocketIOPacket(.event, payload: ["name", 1, "a/b"])),
      (
        #"2/admin,7["name"]"#,
        SocketIOPacket(.event, namespace: "/admin", id: 7, payload: ["name"])
      ),
      (#"37["result",1]"#, SocketIOPacket(.acknowledgement, id: 7, payload: ["result", 1])),
      (
        #"4{"message":"unauthorized"}"#,
        SocketIOPacket(.connectError, payload: ["message": "unauthorized"])
      ),
      (
        #"4/admin,"Unable to connect""#,
        SocketIOPacket(.connectError, namespace: "/admin", payload: "Unable to connect")
      ),
      (
        #"51-["bin",{"_placeholder":true,"num":0}]"#,
        SocketIOPacket(
          .binaryEvent, payload: ["bin", ["_placeholder": true, "num": 0]], attachmentCount: 1)
      ),
      (
        #"61-9[{"_placeholder":true,"num":0}]"#,
        SocketIOPacket(
          .binaryAcknowledgement, id: 9, payload: [["_placeholder": true, "num": 0]],
          attachmentCount: 1)
      ),
    ] as [(String, SocketIOPacket)])
  func `a packet has the documented encoding`(text: String, packet: SocketIOPacket) throws {
    #expect(try SocketIOPacket(text) == packet)
    #expect(packet.text == text)
  }

  @Test(arguments: [
    "", "9", "x", "2", "2{}", "2[]", "2[1]", "3[1]", "37", "37{}", "5[\"a\"]", "5-[\"a\"]",
    "29999999999999999999[\"a\"]", "2[\"a\"", "2[\"a\"]x",
    // Encoded, it would be read as the number of the packet.
    "0 5", "1/admin,\n7", "4-1.5",
  ])
  func `an invalid packet is refused`(text: String) {
    #expect(throws: WireError.self) { try SocketIOPacket(text) }
  }

  @Test func `a body of long-polling holds several packets`() throws {
    let packets: [EngineIOPacket] = [
      .message("2[\"a\"]"), .binary(Data([0, 1, 255])), .ping(""), .pong("probe"), .upgrade, .noop,
      .close,
    ]
    let body = EngineIOPayload.encode(packets)
    #expect(
      String(decoding: body, as: UTF8.self)
        == "42[\"a\"]\u{1E}bAAH/\u{1E}2\u{1E}3probe\u{1E}5\u{1E}6\u{1E}1")
    #expect(try EngineIOPayload.decode(body) == packets)
    for bad in [
      "", "x", "b!", "4a\u{1E}", "0{}",
      #"0{"sid":"a","upgrades":[],"pingInterval":-1,"pingTimeout":1}"#,
    ] {
      #expect(throws: WireError.self) { try EngineIOPayload.decode(Data(bad.utf8)) }
    }
    #expect(throws: WireError.self) { try EngineIOPayload.decode(Data([0x34, 0xFF])) }
  }

  @Test func `an upgrade takes its documented steps`() throws {
    var session = EngineIOSession(carrier: .polling)
    let handshake = try EngineIOPacket(
      #"0{"sid":"a","upgrades":["websocket"],"pingInterval":5,"pingTimeout":5}"#)
    guard case .open(let content) = handshake else { return }
    #expect(throws: WireError.self) {
      var other = EngineIOSession(carrier: .polling)
      _ = try other.receive(.message("x"), over: .polling)
    }
    #expect(try session.receive(handshake, over: .polling) == [.opened(content)])
    #expect(
      try session.receive(.ping("x"), over: .polling) == [.heard, .send(.pong("x"), .polling)])
    #expect(try session.receive(.pong("probe"), over: .webSocket) == [])
    #expect(session.beginProbe() == [.send(.ping("probe"), .webSocket)])
    #expect(try session.receive(.message("m"), over: .polling) == [.deliver(.message("m"))])
    #expect(try session.receive(.pong("probe"), over: .webSocket) == [.stopPolling])
    #expect(try session.receive(.noop, over: .polling) == [])
    #expect(session.polled() == [.send(.upgrade, .webSocket), .useWebSocket])
    #expect(session.carrier == .webSocket)
    #expect(session.polled() == [])
    #expect(try session.receive(.noop, over: .webSocket) == [])
    #expect(try session.receive(.close, over: .webSocket) == [.end])
  }
}
