import SpeechAudio
import Testing

@testable import SpeechPortAudio

struct AudioDeviceSelectorTests {
  private let devices = [
    device(0, "USB Headset: Audio (hw:1,0)", inputs: 1, outputs: 2),
    device(1, "HDMI", inputs: 0, outputs: 8),
    device(2, "pulse", inputs: 32, outputs: 32, isDefault: true),
    device(3, "USB Camera", inputs: 1, outputs: 0),
  ]

  private static func device(
    _ index: Int, _ name: String, inputs: Int, outputs: Int, isDefault: Bool = false
  ) -> AudioDevice {
    AudioDevice(
      index: index, name: name, hostAPI: "ALSA", inputChannels: inputs, outputChannels: outputs,
      defaultSampleRate: 44_100, inputLatency: .zero, outputLatency: .zero,
      isDefaultInput: isDefault, isDefaultOutput: isDefault)
  }

  @Test(arguments: [
    (AudioDeviceSelector.default, AudioDirection.input, 2),
    (.index(3), .input, 3),
    (.index(1), .output, 1),
    (.name("hdmi"), .output, 1),
    (.name("HEADSET"), .output, 0),
    (.name("usb"), .output, 0),
    (.name("USB Camera"), .input, 3),
  ])
  func `a device is found`(
    selector: AudioDeviceSelector, direction: AudioDirection, index: Int
  ) throws {
    #expect(try selector.pick(from: devices, for: direction).index == index)
  }

  @Test(arguments: [
    (AudioDeviceSelector.index(1), AudioDirection.input), (.index(9), .output),
    (.name("bluetooth"), .input), (.name("usb"), .input),
  ])
  func `a missing or ambiguous device is reported with the available ones`(
    selector: AudioDeviceSelector, direction: AudioDirection
  ) {
    let error = #expect(throws: AudioError.self) {
      try selector.pick(from: devices, for: direction)
    }
    guard case .deviceNotFound(_, let available)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(available.count == 3)
  }

  @Test func `an unknown number is reported as it was typed`() {
    let error = #expect(throws: AudioError.self) {
      try AudioDeviceSelector("99").pick(from: devices, for: .output)
    }
    #expect(
      error?.errorDescription?.hasPrefix("No single device has the name or number “99”.") == true)
  }

  @Test func `without a device of that direction there is no device`() {
    #expect(throws: AudioError.noDevice(.input)) {
      try AudioDeviceSelector.name("HDMI").pick(from: [devices[1]], for: .input)
    }
    #expect(throws: AudioError.noDevice(.output)) {
      try AudioDeviceSelector.default.pick(from: [], for: .output)
    }
  }

  @Test func `without a default the first device is used`() throws {
    let device = try AudioDeviceSelector.default.pick(from: [devices[0]], for: .input)
    #expect(device.index == 0)
  }

  @Test func `user input is parsed`() {
    #expect(AudioDeviceSelector("") == .default)
    #expect(AudioDeviceSelector("3") == .index(3))
    #expect(AudioDeviceSelector("usb") == .name("usb"))
  }
}
