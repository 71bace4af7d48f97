import SpeechConcurrency

/// What lies between somebody who speaks and the recogniser: the room, what else is heard in it, the echo of our
/// own voice, and what a bad line or a bad device does to all of it.
///
/// ```swift
/// var surroundings = Surroundings()
/// surroundings.backgrounds = [Background(.noise(.babble), decibels: 15)]
/// surroundings.room = RoomAcoustics(reverberation: .milliseconds(400))
/// surroundings.isTelephone = true
/// let heard = try await surroundings.heard(spoken, seed: 7)
/// ```
/// The order is that of nature: the room changes the voice, the noise is added, the microphone clips, the line
/// takes its band, and loses pieces. The same seed gives the same samples.
public struct Surroundings: Sendable, Hashable {
  /// Pieces that get lost on the way, as silence.
  public struct Dropouts: Sendable, Hashable, Codable {
    /// How many there are in a minute, on average.
    public var perMinute: Double
    /// How long each of them is.
    public var length: Duration

    /// Drop-outs.
    public init(perMinute: Double, length: Duration = .milliseconds(60)) {
      self.perMinute = perMinute
      self.length = length
    }
  }

  /// How our own voice comes back to the microphone.
  public struct Echo: Sendable, Hashable, Codable {
    /// How much softer it comes back than it was played, in decibels; negative.
    public var level: Double
    /// How long it is on its way, at least 2 ms.
    public var delay: Duration
    /// In which time its reverberation becomes 60 dB softer.
    public var reverberation: Duration

    /// An echo.
    public init(
      level: Double, delay: Duration = .milliseconds(40),
      reverberation: Duration = .milliseconds(100)
    ) {
      self.level = level
      self.delay = delay
      self.reverberation = reverberation
    }
  }

  /// What is heard all the time.
  public var backgrounds: [Background]
  /// The room; `nil` for a microphone at the mouth.
  public var room: RoomAcoustics?
  /// The echo of our own voice; `nil` where nobody hears the loudspeaker.
  public var echo: Echo?
  /// Beyond this level the microphone clips, in decibels below full scale; `nil` if it takes all of it.
  public var clipping: Double?
  /// Whether all of it comes through a telephone: 300 to 3400 Hz, in the steps of its coding (G.711 µ-law).
  public var isTelephone: Bool
  /// What gets lost on the way.
  public var dropouts: Dropouts?
  /// How much faster the microphone's clock runs than the world's, in parts in a million.
  public var clockDrift: Double

  /// Surroundings; a quiet place unless told otherwise.
  public init(
    backgrounds: [Background] = [], room: RoomAcoustics? = nil, echo: Echo? = nil,
    clipping: Double? = nil, isTelephone: Bool = false, dropouts: Dropouts? = nil,
    clockDrift: Double = 0
  ) {
    self.backgrounds = backgrounds
    self.room = room
    self.echo = echo
    self.clipping = clipping
    self.isTelephone = isTelephone
    self.dropouts = dropouts
    self.clockDrift = clockDrift
  }

  /// “pink 10 dB, room 0.4 s, telephone”; “clean” where there is nothing.
  public var name: String {
    var parts = backgrounds.map { "\($0.source.name) \(Self.brief($0.decibels)) dB" }
    if let room { parts.append("room \(Self.brief(room.reverberation / .seconds(1))) s") }
    if let echo { parts.append("echo \(Self.brief(echo.level)) dB") }
    if let clipping { parts.append("clipping at \(Self.brief(clipping)) dB") }
    if isTelephone { parts.append("telephone") }
    if let dropouts { parts.append("\(Self.brief(dropouts.perMinute)) drop-outs a minute") }
    if clockDrift != 0 { parts.append("drift \(Self.brief(clockDrift)) ppm") }
    return parts.isEmpty ? "clean" : parts.joined(separator: ", ")
  }

  /// The speech as it arrives, with a pause before it and behind it. What the speech does to decide the
  /// noise's level is measured in it; an echo there is none, for nobody else speaks.
  ///
  /// - Parameters:
  ///   - speech: in the recognisers' format, without noise of its own.
  ///   - pause: how long before the speech and behind it.
  /// - Throws: what the voices of babble throw.
  public func heard(
    _ speech: PCMBuffer, pause: Duration = .milliseconds(250), seed: UInt64
  ) async throws -> PCMBuffer {
    let silence = PCMBuffer.silence(pause, format: speech.format)
    var sound = silence
    sound.append(room?.heard(speech) ?? speech)
    sound.append(silence)
    var path = try await SoundPath(
      self, speechLevel: speech.speechLevel ?? Speaker.usualLevel, frames: sound.frameCount,
      seed: seed)
    var heard = path.process(sound)
    heard.append(path.finish())
    return heard
  }

  private static func brief(_ value: Double) -> String {
    let rounded = (value * 100).rounded() / 100
    return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
  }
}
