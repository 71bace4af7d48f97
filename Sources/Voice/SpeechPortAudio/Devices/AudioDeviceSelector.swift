import SpeechAudio

/// A choice of device: the default, by name, or by number.
///
/// ```swift
/// let headset = PortAudioMicrophone(device: .name("usb"))   // any device with “usb” in its name
/// ```
public enum AudioDeviceSelector: Sendable, Hashable {
  /// The default device of the system.
  case `default`
  /// The device with that name, or the only one whose name contains it. Case is ignored.
  case name(String)
  /// The device with that index in `AudioDevices.list()`.
  case index(Int)

  /// Parses user input: an empty text is the default, a number is an index, anything else is a
  /// name.
  public init(_ text: String) {
    let text = text.filter { !$0.isNewline }
    if text.isEmpty {
      self = .default
    } else if let index = Int(text) {
      self = .index(index)
    } else {
      self = .name(text)
    }
  }

  /// A description for messages before the device is known.
  func title(_ direction: AudioDirection) -> String {
    switch self {
    case .default: direction == .input ? "default microphone" : "default loudspeaker"
    case .name(let name): name
    case .index(let index): "device \(index)"
    }
  }

  /// The selector that finds the same device after another search, when an index is not valid any
  /// more.
  func lasting(for device: AudioDevice) -> AudioDeviceSelector {
    if case .index = self { .name(device.name) } else { self }
  }

  /// The user input that selects it.
  private var text: String {
    switch self {
    case .default: ""
    case .name(let name): name
    case .index(let index): String(index)
    }
  }

  /// Selects a device from a list. A name has to match exactly, or be part of only one name; of
  /// several equal names (one per host API) the first is selected.
  ///
  /// - Throws: `AudioError.noDevice` if no device has that direction, `AudioError.deviceNotFound`
  ///   if none or more than one matches.
  func pick(
    from devices: [AudioDevice], for direction: AudioDirection
  ) throws(AudioError) -> AudioDevice {
    let usable = devices.filter {
      (direction == .input ? $0.inputChannels : $0.outputChannels) > 0
    }
    guard let first = usable.first else { throw .noDevice(direction) }
    switch self {
    case .default:
      return usable.first { direction == .input ? $0.isDefaultInput : $0.isDefaultOutput } ?? first
    case .index(let index):
      if let device = usable.first(where: { $0.index == index }) { return device }
    case .name(let name):
      let wanted = name.lowercased()
      if let device = usable.first(where: { $0.name == name })
        ?? usable.first(where: { $0.name.lowercased() == wanted })
      {
        return device
      }
      let similar = usable.filter { $0.name.lowercased().contains(wanted) }
      if let device = similar.first, Set(similar.map(\.name)).count == 1 { return device }
    }
    throw .deviceNotFound(name: text, available: usable.map(\.name))
  }
}
