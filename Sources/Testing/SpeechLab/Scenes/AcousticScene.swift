import SpeechConcurrency
import SpeechText

/// Everything between a speaker and the recogniser: the room, background noise, the echo of the
/// app's own voice, and the defects of line and device.
///
/// ```swift
/// var scene = AcousticScene()
/// scene.backgrounds = [Background(.noise(.babble), decibels: 15)]
/// scene.room = RoomAcoustics(reverberation: .milliseconds(400))
/// scene.isTelephone = true
/// let heard = try await scene.heard(spoken, seed: 7)
/// ```
/// The order is the natural one: the room changes the voice, noise is added, the microphone clips,
/// the line limits the band and loses pieces. Equal seeds give equal samples.
public struct AcousticScene: Sendable, Hashable {
  /// Pieces of audio that are lost and replaced by silence.
  public struct Dropouts: Sendable, Hashable, Codable {
    /// The average number in a minute.
    public var perMinute: Double
    /// The duration of each.
    public var length: Duration

    /// Creates random dropouts at an average rate.
    public init(perMinute: Double, length: Duration = .milliseconds(60)) {
      self.perMinute = perMinute
      self.length = length
    }
  }

  /// The continuous background sounds.
  public var backgrounds: [Background]
  /// The room; `nil` for a microphone at the mouth.
  public var room: RoomAcoustics?
  /// The echo of the app's own voice; `nil` if the loudspeaker cannot be heard.
  public var echo: EchoingRoom.Acoustics?
  /// True if the app's own voice is removed from the microphone, as by the default devices of a
  /// voice loop.
  public var cancelsEcho: Bool
  /// The level at which the microphone clips, in decibels below full scale; `nil` for none.
  public var clipping: Double?
  /// True for audio over a telephone: 300 to 3400 Hz, quantised as by its codec (G.711 µ-law).
  public var isTelephone: Bool
  /// The dropouts of the line; `nil` for none.
  public var dropouts: Dropouts?
  /// The speed of the microphone's clock relative to the world's, in parts per million.
  public var clockDrift: Double

  /// Creates a scene; by default a quiet place.
  public init(
    backgrounds: [Background] = [], room: RoomAcoustics? = nil, echo: EchoingRoom.Acoustics? = nil,
    cancelsEcho: Bool = false, clipping: Double? = nil, isTelephone: Bool = false,
    dropouts: Dropouts? = nil, clockDrift: Double = 0
  ) {
    self.backgrounds = backgrounds
    self.room = room
    self.echo = echo
    self.cancelsEcho = cancelsEcho
    self.clipping = clipping
    self.isTelephone = isTelephone
    self.dropouts = dropouts
    self.clockDrift = clockDrift
  }

  /// A description: “pink 10 dB, room 0.4 s, telephone”, or “clean” for a quiet place.
  public var name: String {
    var parts = backgrounds.map { "\($0.source.name) \(Self.brief($0.decibels)) dB" }
    if let room { parts.append("room \(Self.brief(room.reverberation / .seconds(1))) s") }
    if let echo {
      parts.append("echo \(Self.brief(echo.level)) dB\(cancelsEcho ? ", cancelled" : "")")
    }
    if let clipping { parts.append("clipping at \(Self.brief(clipping)) dB") }
    if isTelephone { parts.append("telephone") }
    if let dropouts { parts.append("\(Self.brief(dropouts.perMinute)) drop-outs a minute") }
    if clockDrift != 0 { parts.append("drift \(Self.brief(clockDrift)) ppm") }
    return parts.isEmpty ? "clean" : parts.joined(separator: ", ")
  }

  /// Returns the speech as it arrives, with a pause before and after it. The noise is relative to
  /// the level of this speech. There is no echo, because nothing is played.
  ///
  /// - Parameters:
  ///   - speech: Speech in the recognisers' format, without noise of its own.
  ///   - pause: The pause before and after the speech.
  /// - Throws: The errors of the voices that speak babble.
  public func heard(
    _ speech: PCMBuffer, pause: Duration = .milliseconds(250), seed: UInt64
  ) async throws -> PCMBuffer {
    let silence = PCMBuffer.silence(pause, format: speech.format)
    var sound = silence
    sound.append(room?.heard(speech) ?? speech)
    sound.append(silence)
    var path = try await SoundPath(
      self, speechLevel: speech.speechLevel ?? Speaker.defaultLevel, frames: sound.frameCount,
      seed: seed)
    var heard = path.process(sound)
    heard.append(path.finish())
    return heard
  }

  private static func brief(_ value: Double) -> String {
    ((value * 100).rounded() / 100).brief
  }
}
