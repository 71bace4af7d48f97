import SpeechExpectations
import SpeechTesting
import Testing
import ThermostatApp

@Suite(.serialized) struct ThermostatTests {
  private let anna = ConversationScript.Person("Anna", Speaker(.flite, voice: "slt"))

  private func hold(
    _ script: ConversationScript, with thermostat: Thermostat
  ) async throws -> ConversationRecord {
    try await VirtualConversation.play(script) { devices in
      try thermostat.makeLoop(
        microphone: devices.microphone, speaker: devices.speaker, clock: devices.clock,
        remembering: devices.recorder.responder)
    }
  }

  @Test func `the temperature is set and reported`() async throws {
    var script = ConversationScript()
    script.say("set the kitchen to twenty two degrees", by: anna, at: .seconds(1))
    script.say("how warm is it", by: anna, after: .replyFinished, .seconds(1))
    let thermostat = Thermostat()
    let record = try await hold(script, with: thermostat)
    record.expect(
      .intent("set", ["room": "kitchen", "degrees": "22"], within: .seconds(1)),
      .said("The kitchen is set to 22 degrees.", within: .seconds(1)),
      .intent("ask"), .said("The kitchen is set to 22 degrees."),
      .budget(.firstSound, .milliseconds(500)),
      grammar: try CommandMatcher(Thermostat.commands))
    #expect(await thermostat.setting(of: "kitchen") == 22)
    #expect(await thermostat.setting(of: "bedroom") == 20)
  }

  @Test(arguments: [
    AcousticScene(backgrounds: [Background(.noise(.pink), decibels: 20)]),
    AcousticScene(room: RoomAcoustics(reverberation: .milliseconds(250))),
    AcousticScene(isTelephone: true),
  ])
  func `commands are recognised in noise, in a room and on the telephone`(
    scene: AcousticScene
  ) async throws {
    var script = ConversationScript()
    script.scene = scene
    script.say("set the bedroom to eighteen degrees", by: anna, at: .seconds(1))
    let thermostat = Thermostat()
    let record = try await hold(script, with: thermostat)
    record.expect(.said("The bedroom is set to 18 degrees."))
    #expect(await thermostat.setting(of: "bedroom") == 18)
  }

  @Test func `background speech sets no temperature`() async throws {
    var script = ConversationScript()
    script.scene.backgrounds = [Background(.noise(.babble), decibels: 12)]
    script.quiet = .seconds(10)
    script.limit = .seconds(15)
    let thermostat = Thermostat()
    let record = try await hold(script, with: thermostat)
    record.expect(
      .never(.intent("set", slots: [:])), grammar: try CommandMatcher(Thermostat.commands))
    #expect(await thermostat.setting(of: "kitchen") == 20)
  }
}
