import Foundation

/// An error of audio devices, files and conversions.
public enum AudioError: Error, Sendable, Equatable {
  /// This machine has no device for that direction.
  case noDevice(AudioDirection)
  /// No device has that name or index, or several match it.
  case deviceNotFound(name: String, available: [String])
  /// The device exists but could not be opened.
  case deviceUnavailable(name: String, reason: String)
  /// The device was disconnected while it was in use.
  case deviceLost(name: String, reason: String)
  /// There is no file at that path.
  case fileNotFound(path: String)
  /// The file exists but could not be read.
  case unreadableFile(path: String, reason: String)
  /// The file is audio, but cannot be decoded.
  case damagedFile(path: String, reason: String)
  /// The data is not audio in a supported format.
  case unsupportedFormat(source: String, reason: String)
  /// The file could not be written.
  case writeFailed(path: String, reason: String)
  /// The sample rate cannot be converted.
  case conversionFailed(reason: String)
  /// The audio does not fit a processing step, or the library of the step failed.
  case processingFailed(reason: String)
}

/// The direction of audio through a device.
public enum AudioDirection: String, Sendable, Codable, CaseIterable {
  /// From a microphone.
  case input
  /// To a loudspeaker.
  case output
}

extension AudioError: LocalizedError {
  /// The description of the error and its remedy.
  public var errorDescription: String? {
    switch self {
    case .noDevice(.input):
      "No microphone was found. Connect one or start the sound server (PipeWire or PulseAudio, "
        + "with the package libasound2-plugins), or read audio from a file."
    case .noDevice(.output):
      "No loudspeaker was found. Connect one or start the sound server (PipeWire or PulseAudio, "
        + "with the package libasound2-plugins), or write the audio to a file."
    case .deviceNotFound(let name, let available):
      "No single device has the name or number “\(name)”. "
        + (available.isEmpty
          ? "There are no devices at all." : "Choose one of: \(available.joined(separator: ", ")).")
    case .deviceUnavailable(let name, let reason):
      "The device “\(name)” could not be opened: \(reason). Close the program that uses it, or "
        + "choose another device."
    case .deviceLost(let name, let reason):
      "The device “\(name)” was disconnected: \(reason). Connect it again, or choose another "
        + "device."
    case .fileNotFound(let path):
      "There is no file “\(path)”. Check the path."
    case .unreadableFile(let path, let reason):
      "“\(path)” could not be read: \(reason)."
    case .damagedFile(let path, let reason):
      "“\(path)” is damaged: \(reason). Use an undamaged copy."
    case .unsupportedFormat(let source, let reason):
      "“\(source)” is not supported audio: \(reason). Convert it to WAV, FLAC, OGG or MP3."
    case .writeFailed(let path, let reason):
      "“\(path)” could not be written: \(reason). Choose another place or name, or free some space."
    case .conversionFailed(let reason):
      "The sample rate could not be converted: \(reason)."
    case .processingFailed(let reason):
      "The audio could not be processed: \(reason)."
    }
  }
}
