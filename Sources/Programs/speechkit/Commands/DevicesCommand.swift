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

  func run(on terminal: Terminal) async throws {
    let devices = try await AudioDevices.list()
    let table = TextTable(
      devices.map(Self.cells), heading: ["NO.", "RECORDS", "PLAYS", "RATE", "SYSTEM", "NAME"])
    try await terminal.write(table.text, json: devices.map(Self.record), isJSON: isJSON)
    if devices.isEmpty {
      throw CommandFailure(
        .unavailable,
        "No sound device was found. Connect one, or start the sound server (PipeWire or "
          + "PulseAudio, with the package libasound2-plugins).")
    }
  }

  private static func record(_ device: AudioDevice) -> JSONRecord {
    [
      "index": device.index, "name": device.name, "system": device.hostAPI,
      "inputChannels": device.inputChannels, "outputChannels": device.outputChannels,
      "sampleRate": device.defaultSampleRate, "inputLatency": device.inputLatency.inSeconds,
      "outputLatency": device.outputLatency.inSeconds, "isDefaultInput": device.isDefaultInput,
      "isDefaultOutput": device.isDefaultOutput,
    ]
  }

  private static func cells(_ device: AudioDevice) -> [String] {
    func channels(_ count: Int, _ isDefault: Bool) -> String {
      count == 0 ? "–" : isDefault ? "\(count) default" : String(count)
    }
    return [
      String(device.index), channels(device.inputChannels, device.isDefaultInput),
      channels(device.outputChannels, device.isDefaultOutput), "\(device.defaultSampleRate) Hz",
      device.hostAPI, device.name,
    ]
  }
}
