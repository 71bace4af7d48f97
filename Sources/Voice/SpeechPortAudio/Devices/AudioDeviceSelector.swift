import SpeechAudio

/// Which device is meant: the default, one by name, or one by its number in the list.
///
/// ```swift
/// let headset = PortAudioMicrophone(device: .name("usb"))   // any device with “usb” in its name
/// ```
public enum AudioDeviceSelector: Sendable, Hashable {
  /// The one that the system uses when nothing is chosen.
  case `default`
  /// The one of that name, or the only one whose name contains it; upper and lower case are alike.
  case name(String)
  /// The one of that number in `AudioDevices.list()`.
  case index(Int)

  /// What a person typed: nothing for the default, a number for an index, anything else for a name.
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

  /// What a person would call it before the device is known.
  func title(_ direction: AudioDirection) -> String {
    switch self {
    case .default: direction == .input ? "default microphone" : "default loudspeaker"
    case .name(let name): name
    case .index(let index): "device \(index)"
    }
  }

  /// What a person types for it.
  private var text: String {
    switch self {
    case .default: ""
    case .name(let name): name
    case .index(let index): String(index)
    }
  }

  /// The device that is meant, out of those given. A name has to be exact or part of one name only; of
  /// several equal names (one per host API) the first is taken.
  ///
  /// - Throws: `AudioError.noDevice` when none has that direction, `AudioError.deviceNotFound` when none
  ///   or more than one fits.
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
