import SpeechCommand
import SpeechKit

struct DevicesCommand: Command {
  static let about = CommandDeclaration(
    name: "devices",
    summary: "List microphones and loudspeakers",
    discussion: """
      Prints a line per device: its number, the channels it records and plays, its sample rate, and
      its name. The default devices are marked. Numbers change when devices are added or removed;
      names do not.

      --json writes an array of objects with “index”, “name”, “system”, “inputChannels”,
      “outputChannels”, “sampleRate”, “inputLatency” and “outputLatency” (in seconds),
      “isDefaultInput” and “isDefaultOutput”.
      """,
    examples: [
      "speechkit devices": "List all devices",
      "speechkit listen --device pulse": "Use a device by its name",
    ],
    exits: [.unavailable: "There is no device, or the sound system does not answer."])

  @Flag("--json", help: "Write JSON.") var isJSON

  private struct Row: Encodable {
    var index: Int
    var name: String
    var system: String
    var inputChannels: Int
    var outputChannels: Int
    var sampleRate: Int
    var inputLatency: Double
    var outputLatency: Double
    var isDefaultInput: Bool
    var isDefaultOutput: Bool

    init(_ device: AudioDevice) {
      index = device.index
      name = device.name
      system = device.hostAPI
      inputChannels = device.inputChannels
      outputChannels = device.outputChannels
      sampleRate = device.defaultSampleRate
      inputLatency = device.inputLatency.inSeconds
      outputLatency = device.outputLatency.inSeconds
      isDefaultInput = device.isDefaultInput
      isDefaultOutput = device.isDefaultOutput
    }

    var cells: [String] {
      [
        String(index), channels(inputChannels, isDefaultInput),
        channels(outputChannels, isDefaultOutput), "\(sampleRate) Hz", system, name,
      ]
    }

    private func channels(_ count: Int, _ isDefault: Bool) -> String {
      count == 0 ? "–" : isDefault ? "\(count) default" : String(count)
    }
  }

  func run(on terminal: Terminal) async throws {
    let rows = try await AudioDevices.list().map(Row.init)
    if isJSON {
      try await terminal.writeJSON(rows)
    } else {
      let table = TextTable(
        rows.map(\.cells), heading: ["NO.", "RECORDS", "PLAYS", "RATE", "SYSTEM", "NAME"])
      try await terminal.write(table.text)
    }
    if rows.isEmpty {
      throw CommandFailure(
        .unavailable,
        "No sound device was found. Connect one, or start the sound server (PipeWire or "
          + "PulseAudio, with the package libasound2-plugins).")
    }
  }
}
