import Foundation

/// Reads and writes whole audio files.
///
/// ```swift
/// let question = try AudioFile.read(URL(filePath: "question.mp3"), as: .recognition)
/// try AudioFile.write(question, to: URL(filePath: "question.wav"))
/// ```
/// A whole file may last up to four hours; `AudioFileInput` reads longer ones piece by piece.
public enum AudioFile {
  /// Reads a file, converted to that format if one is given.
  ///
  /// - Throws: `AudioError.fileNotFound`, `.unreadableFile`, `.unsupportedFormat`.
  public static func read(_ url: URL, as format: AudioFormat? = nil) throws -> PCMBuffer {
    var reader = try AudioFileReader(url)
    return try reader.readAll(as: format, name: url.path(percentEncoded: false))
  }

  /// Reads an audio file in memory, converted to that format if one is given.
  ///
  /// - Throws: `AudioError.unsupportedFormat` if it is not audio in a supported format.
  public static func read(
    _ data: Data, name: String = "audio data", as format: AudioFormat? = nil
  ) throws -> PCMBuffer {
    var reader = try AudioFileReader(data, name: name)
    return try reader.readAll(as: format, name: name)
  }

  /// Reads all audio from a descriptor, such as standard input (0), converted to that format if one
  /// is given. The descriptor stays the caller's.
  ///
  /// - Throws: `AudioError.unreadableFile`, `.unsupportedFormat`.
  public static func read(
    descriptor: Int32, name: String = "standard input", as format: AudioFormat? = nil
  ) throws -> PCMBuffer {
    var reader = try AudioFileReader(descriptor: descriptor, name: name)
    return try reader.readAll(as: format, name: name)
  }

  /// Writes a file, whose extension determines the container: wav, flac, ogg, opus or mp3. An older
  /// file of that name is replaced when the new one is complete.
  ///
  /// - Throws: `AudioError.writeFailed`, also when the container does not support the sample rate.
  public static func write(_ buffer: PCMBuffer, to url: URL) throws {
    var writer = try AudioFileWriter(url, format: buffer.format)
    try writer.write(buffer)
    try writer.finish()
  }

  /// Encodes audio as a file of that container.
  ///
  /// - Throws: `AudioError.writeFailed` when the container does not support the sample rate.
  public static func encode(_ buffer: PCMBuffer, as container: AudioContainer = .wav) throws -> Data
  {
    var writer = try AudioFileWriter(inMemoryAs: container, format: buffer.format)
    try writer.write(buffer)
    try writer.finish()
    return writer.data
  }
}

extension AudioFileReader {
  /// Four hours at 48 kHz: 1.3 GiB of samples, the limit of what a program should hold.
  private static let mostFrames = 4 * 3_600 * 48_000

  /// Reads the rest of the audio, converted if a format is given.
  fileprivate mutating func readAll(
    as wanted: AudioFormat?, name: String
  ) throws(AudioError) -> PCMBuffer {
    let target = wanted ?? format
    var resampler = try Resampler(from: format, to: target)
    var result = PCMBuffer(format: target)
    let known = info.frameCount.map { Double($0) / Double(format.sampleRate) } ?? 0
    // A header may state anything, so it is trusted only up to a limit.
    result.samples.reserveCapacity(Int(min(known * Double(target.sampleRate), 1e6)) + 1)
    while let piece = try read(frames: 65_536) {
      result.append(try resampler.process(piece))
      let isTooLong = framesRead > 4 * 3_600 * format.sampleRate
      if isTooLong || max(framesRead, result.frameCount) > Self.mostFrames {
        throw .unreadableFile(
          path: name, reason: "it is longer than four hours, the limit of a single read")
      }
    }
    result.append(resampler.finish())
    return result
  }
}
