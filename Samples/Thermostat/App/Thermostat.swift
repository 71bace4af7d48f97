import SpeechKit

/// A thermostat that is controlled by voice: a small app that shows how conversations are tested.
///
/// Devices and clock are parameters of `makeLoop`, so the tests need no microphone.
public struct Thermostat: Sendable {
  /// The commands for setting a room and asking for its temperature.
  public static let commands = CommandGrammar("thermostat") {
    Intent("set") {
      "set the"
      Slot("room") {
        "kitchen"; "bedroom"
      }
      "to"
      Slot("degrees", .number(15...25))
      "degrees"
    }
    Intent("ask") { "how warm is it" }
  }

  private let degrees = Degrees()

  /// Creates a thermostat at twenty degrees.
  public init() {}

  /// Returns the temperature of a room.
  public func setting(of room: String) async -> Int { await degrees[room] }

  /// Creates the voice loop of the thermostat with the given devices.
  @MainActor
  public func makeLoop(
    microphone: any AudioInput, speaker: any AudioOutput, clock: any DeviceClock,
    remembering wrap: (any Responder) -> any Responder = { $0 }
  ) throws -> VoiceLoop {
    let understood = Self.commands.inConversation(TurnRules())
    let responder = try IntentResponder(Self.commands)
      .on("set") { [degrees] match in
        guard let room = match["room"]?.code, let value = match["degrees"]?.integer else {
          return "I did not understand that."
        }
        await degrees.set(room, to: value)
        return "The \(room) is set to \(value) degrees."
      }
      .on("ask") { [degrees] _ in "The kitchen is set to \(await degrees["kitchen"]) degrees." }
    return VoiceLoop(
      recognition: SpeechRecognitionEngine(
        provider: PocketSphinxRecognitionProvider(
          // Without rejection, any speech in the room would be taken for the nearest command.
          configuration: PocketSphinxConfiguration(
            search: .grammar(try understood.jsgfText()), acceptance: .recommended),
          input: microphone)),
      responder: wrap(responder),
      synthesis: SpeechSynthesisEngine(
        provider: FliteSynthesisProvider(
          engine: FliteEngine(), configuration: .default, output: speaker)),
      configuration: VoiceLoopConfiguration(
        voice: "rms", endRule: .grammar(try CommandMatcher(understood))),
      clock: clock)
  }
}

private actor Degrees {
  private var degrees: [String: Int] = [:]

  subscript(room: String) -> Int { degrees[room] ?? 20 }

  func set(_ room: String, to value: Int) { degrees[room] = value }
}
