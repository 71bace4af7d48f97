import Foundation
import SpeechConcurrency

/// The audio and the events of a scripted microphone, with their times.
///
/// ```swift
/// let script = AudioScript()
///   .saying(hello, at: .seconds(3))
///   .withNoise(level: -55)
///   .ending(at: .seconds(8))
/// ```
public struct AudioScript: Sendable {
  /// A period during which the device is disconnected.
  struct Interruption {
    var start: Int
    var end: Int
  }

  /// The format of the audio.
  public let format: AudioFormat

  /// The end of the script; `nil` for endless silence.
  public private(set) var end: Duration?

  private(set) var interruptions: [Interruption] = []
  private var sounds: [(start: Int, audio: PCMBuffer)] = []
  private var noise: NoiseSource?
  /// Audio of a file from the beginning on, and the silence after it.
  private var file: (sound: AudioFileSound, quiet: Duration)?

  /// Creates a script of endless silence.
  public init(format: AudioFormat = .recognition) {
    self.format = format
  }

  /// Returns the script with that audio added at that time. Overlapping audio is mixed.
  ///
  /// The audio must have the script's format; see `PCMBuffer.resampled(to:)`.
  public func saying(_ audio: PCMBuffer, at time: Duration) -> AudioScript {
    precondition(audio.format == format, "the audio must have the script's format")
    var script = self
    script.sounds.append((format.frames(in: time), audio))
    return script
  }

  /// Returns the script with steady noise of that level (in decibels below full scale) under
  /// everything. The same seed gives the same noise.
  public func withNoise(level: Double, seed: UInt64 = 1) -> AudioScript {
    var script = self
    script.noise = NoiseSource(level: level, seed: seed)
    return script
  }

  /// Returns the script with the device disconnected at that time for that duration.
  public func interrupted(at time: Duration, for duration: Duration) -> AudioScript {
    var script = self
    let start = format.frames(in: time)
    script.interruptions.append(
      Interruption(start: start, end: start + format.frames(in: duration)))
    return script
  }

  /// Returns the script with an end.
  public func ending(at time: Duration) -> AudioScript {
    var script = self
    script.end = time
    return script
  }

  /// Returns the script with the audio of a file from the beginning on, which is read as it is
  /// needed, and ends it that long after the file.
  ///
  /// The sound must have the script's format, and be captured once.
  package func hearing(_ sound: AudioFileSound, quiet: Duration) -> AudioScript {
    precondition(sound.format == format, "the audio must have the script's format")
    var script = self
    script.file = (sound, quiet)
    return script
  }

  /// Returns the end of the script if it is before that frame, and a later one otherwise.
  func endFrame(before frame: Int) -> Int {
    if let file {
      let length = file.sound.length(before: frame)
      return length.map { $0 + format.frames(in: file.quiet) } ?? .max
    }
    return end.map(format.frames(in:)) ?? .max
  }

  func render(_ range: Range<Int>) -> PCMBuffer {
    var buffer = PCMBuffer(samples: [Int16](repeating: 0, count: range.count), format: format)
    if let file { buffer.mix(file.sound.slice(range), at: 0) }
    for (start, audio) in sounds {
      let common = range.clamped(to: start..<start + audio.frameCount)
      guard !common.isEmpty else { continue }
      buffer.mix(
        audio.slice(common.lowerBound - start..<common.upperBound - start),
        at: common.lowerBound - range.lowerBound)
    }
    noise?.add(to: &buffer, from: range.lowerBound)
    return buffer
  }
}

/// White noise that is the same at the same position, independent of the ranges that are rendered.
struct NoiseSource: Sendable {
  var level: Double
  var seed: UInt64

  func add(to buffer: inout PCMBuffer, from frame: Int) {
    // Uniform noise of amplitude a has a level of a divided by the square root of three.
    let amplitude = pow(10, level / 20) * 3.0.squareRoot()
    for index in buffer.samples.indices {
      let place = seed &+ UInt64(bitPattern: Int64(frame + index))
      let share = Double(SeededNumbers.number(at: place) >> 11)
      let value = (share / Double(1 << 52) - 1) * amplitude * 32_767
      buffer.samples[index] = Int16(rounding: Double(buffer.samples[index]) + value.rounded())
    }
  }
}
