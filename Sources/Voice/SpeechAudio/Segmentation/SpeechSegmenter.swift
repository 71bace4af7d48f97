import Foundation

/// Finds the utterances in a stream of audio: blocks of any size go in, events come out.
///
/// An utterance is reported `minimumSpeech` after its first voice, with the audio before that.
/// Shorter bursts are not reported. The sizes of the blocks affect how the audio of the utterances
/// is divided, and nothing else.
package struct SpeechSegmenter: Sendable {
  package let format: AudioFormat
  package let configuration: SpeechSegmenterConfiguration
  /// The silence that ends the utterance, instead of `maximumSilence`; `nil` for that. May be
  /// changed at any time, for example depending on the words so far.
  package var endingSilence: Duration? {
    didSet { endingFrames = endingSilence.map { Self.frames($0, format, atLeast: detector.hop) } }
  }

  private enum Phase {
    /// No speech, except possibly in that many frames since that position.
    case quiet(voiced: Int, since: Int)
    case speaking(Utterance)
  }

  private struct Utterance {
    /// The position of the first frame.
    var start: Int
    /// The end of the last voice.
    var voiceEnd: Int
    /// The number of consecutive frames with voice.
    var voicedRun = 0
    var isPaused = false
  }

  private var detector: VoiceActivityDetector
  private var phase = Phase.quiet(voiced: 0, since: 0)
  /// The samples from `kept` on that may still be needed.
  private var samples: [Int16] = []
  private var kept = 0
  /// The position up to which the stream has been measured, judged and delivered.
  private var measured = 0
  private var judged = 0
  private var delivered = 0
  /// The energies of the last frames of an utterance that becomes too long.
  private var energies: [Double] = []
  private var judgements: [VoiceActivityDetector.Frame] = []

  private let startEvidence: Double
  private let keepEvidence: Double
  private let voicedFramesToStart: Int
  private let lengths: Lengths
  private var endingFrames: Int?

  /// The configuration in frames of the stream.
  private struct Lengths {
    let preRoll, minimumSilence, maximumSilence, maximumUtterance, trailingPadding: Int
    /// The stretch at the end of an overlong utterance within which it may be cut. It is held back
    /// until the cut is decided.
    let cutting: Int
    /// The time after which voice that has not become an utterance is dropped.
    let candidate: Int
  }

  /// The number of consecutive frames with voice that ends a pause; fewer are noise.
  private static let voicedFramesToGoOn = 3

  package init(format: AudioFormat, configuration: SpeechSegmenterConfiguration = .init()) {
    self.format = format
    self.configuration = configuration
    detector = VoiceActivityDetector(format: format)
    // Each tenth of sensitivity is a quarter more or less.
    let sensitivity = min(max(configuration.sensitivity, 0), 1)
    startEvidence = 0.4 * pow(10, 0.5 - sensitivity)
    keepEvidence = startEvidence / 2
    func frames(_ duration: Duration, atLeast least: Int = 0) -> Int {
      Self.frames(duration, format, atLeast: least)
    }
    let hop = detector.hop
    voicedFramesToStart = max(1, frames(configuration.minimumSpeech) / hop)
    let maximumUtterance = frames(configuration.maximumUtterance, atLeast: hop * 50)
    lengths = Lengths(
      preRoll: frames(configuration.preRoll),
      minimumSilence: frames(configuration.minimumSilence, atLeast: hop),
      maximumSilence: frames(configuration.maximumSilence, atLeast: hop),
      maximumUtterance: maximumUtterance,
      trailingPadding: frames(configuration.trailingPadding),
      cutting: min(frames(.seconds(3)), maximumUtterance / 4),
      candidate: voicedFramesToStart * hop * 4)
  }

  private static func frames(
    _ duration: Duration, _ format: AudioFormat, atLeast least: Int
  ) -> Int {
    // A day is longer than any sensible value, and keeps sums of them in range.
    max(least, format.frames(in: min(max(duration, .zero), .seconds(86_400))))
  }

  /// Processes the next block, of any size and of the segmenter's format, and returns its events.
  package mutating func process(_ buffer: PCMBuffer) -> [SpeechSegmenterEvent] {
    precondition(buffer.format == format, "a segmenter accepts audio of one format")
    samples += buffer.samples
    var events: [SpeechSegmenterEvent] = []
    // Moved, not copied: an idle microphone must cost nothing but arithmetic.
    var found: [VoiceActivityDetector.Frame] = []
    swap(&found, &judgements)
    let hop = detector.hop
    while measured + hop <= kept + samples.count {
      let start = measured - kept
      detector.process(samples[start..<start + hop]) { found.append($0) }
      measured += hop
      for frame in found { judge(frame, &events) }
      found.removeAll(keepingCapacity: true)
    }
    judgements = found
    deliverSpeech(&events)
    forget()
    return events
  }

  /// Ends the stream. Another stream may begin after it, at position 0 and with the same
  /// background.
  package mutating func finish() -> [SpeechSegmenterEvent] {
    var events: [SpeechSegmenterEvent] = []
    var found: [VoiceActivityDetector.Frame] = []
    detector.finish { found.append($0) }
    for frame in found { judge(frame, &events) }
    let end = kept + samples.count
    if case .quiet(let voiced, let since) = phase, voiced * 2 >= voicedFramesToStart {
      // Voice at the very end that was cut off is more likely a word than a click.
      start(since, &events)
    }
    if case .speaking(let utterance) = phase {
      finishUtterance(at: min(end, utterance.voiceEnd + lengths.trailingPadding), &events)
    }
    phase = .quiet(voiced: 0, since: 0)
    samples = []
    energies = []
    (kept, measured, judged, delivered) = (0, 0, 0, 0)
    return events
  }

  // MARK: States

  private mutating func judge(
    _ frame: VoiceActivityDetector.Frame, _ events: inout [SpeechSegmenterEvent]
  ) {
    let position = judged
    judged += detector.hop
    switch phase {
    case .quiet(let voiced, let since):
      listen(frame, at: position, voiced, since, &events)
    case .speaking(var utterance):
      follow(frame, &utterance, &events)
    }
  }

  private mutating func listen(
    _ frame: VoiceActivityDetector.Frame, at position: Int, _ voiced: Int, _ since: Int,
    _ events: inout [SpeechSegmenterEvent]
  ) {
    let isVoice = frame.evidence > startEvidence
    let since = voiced == 0 ? position : since
    let voiced = max(0, voiced + (isVoice ? 1 : -1))
    phase = .quiet(voiced: voiced, since: since)
    if voiced >= voicedFramesToStart {
      start(since, &events)
    } else if judged - since > lengths.candidate {
      phase = .quiet(voiced: 0, since: judged)
    }
  }

  private mutating func start(_ voiceStart: Int, _ events: inout [SpeechSegmenterEvent]) {
    let start = max(delivered, voiceStart - lengths.preRoll, kept)
    delivered = judged
    energies.removeAll(keepingCapacity: true)
    phase = .speaking(Utterance(start: start, voiceEnd: judged))
    events.append(.speechStarted(at: start, preRoll: sound(start..<judged)))
  }

  private mutating func follow(
    _ frame: VoiceActivityDetector.Frame, _ utterance: inout Utterance,
    _ events: inout [SpeechSegmenterEvent]
  ) {
    utterance.voicedRun = frame.evidence > keepEvidence ? utterance.voicedRun + 1 : 0
    if utterance.voicedRun >= Self.voicedFramesToGoOn {
      if utterance.isPaused {
        utterance.isPaused = false
        events.append(
          .speechResumed(at: judged - Self.voicedFramesToGoOn * detector.hop))
      }
      utterance.voiceEnd = judged
    }
    let silence = judged - utterance.voiceEnd
    if silence >= lengths.minimumSilence, !utterance.isPaused {
      utterance.isPaused = true
      events.append(.pauseStarted(at: utterance.voiceEnd))
    }
    phase = .speaking(utterance)
    if judged > utterance.start + lengths.maximumUtterance - lengths.cutting {
      energies.append(frame.energy)
    }
    if silence >= endingFrames ?? lengths.maximumSilence {
      finishUtterance(at: min(judged, utterance.voiceEnd + lengths.trailingPadding), &events)
    } else if judged - utterance.start >= lengths.maximumUtterance {
      cut(utterance, &events)
    }
  }

  /// Ends an utterance that became too long, and begins the next one where it ended.
  private mutating func cut(_ utterance: Utterance, _ events: inout [SpeechSegmenterEvent]) {
    let quietest = energies.indices.min { energies[$0] < energies[$1] } ?? 0
    let first = judged - energies.count * detector.hop
    let position = max(first + quietest * detector.hop + detector.hop / 2, delivered)
    finishUtterance(at: position, &events)
    // The next utterance does not begin in a pause; if speech resumes later, the pre-roll reaches
    // back to the cut.
    guard !utterance.isPaused else { return }
    let end = max(position, min(judged, utterance.voiceEnd + lengths.trailingPadding))
    events.append(.speechStarted(at: position, preRoll: sound(position..<end)))
    delivered = end
    phase = .speaking(
      Utterance(start: position, voiceEnd: utterance.voiceEnd, voicedRun: utterance.voicedRun))
  }

  private mutating func finishUtterance(
    at position: Int, _ events: inout [SpeechSegmenterEvent]
  ) {
    deliver(upTo: position, &events)
    events.append(.speechEnded(at: max(position, delivered)))
    energies.removeAll(keepingCapacity: true)
    phase = .quiet(voiced: 0, since: judged)
  }

  // MARK: Sound

  /// Delivers the audio that certainly belongs to the utterance: not the silence that may end it,
  /// nor the stretch within which it may be cut.
  private mutating func deliverSpeech(_ events: inout [SpeechSegmenterEvent]) {
    guard case .speaking(let utterance) = phase else { return }
    let sure = min(judged, utterance.voiceEnd + lengths.trailingPadding)
    deliver(
      upTo: min(sure, utterance.start + lengths.maximumUtterance - lengths.cutting), &events)
  }

  private mutating func deliver(upTo position: Int, _ events: inout [SpeechSegmenterEvent]) {
    guard position > delivered else { return }
    events.append(.speech(sound(delivered..<position)))
    delivered = position
  }

  private func sound(_ range: Range<Int>) -> PCMBuffer {
    PCMBuffer(samples: samples[range.lowerBound - kept..<range.upperBound - kept], format: format)
  }

  /// Drops the audio that no event can need any more.
  private mutating func forget() {
    let needed: Int =
      switch phase {
      case .quiet(0, _): judged - lengths.preRoll
      case .quiet(_, let since): since - lengths.preRoll
      case .speaking: delivered
      }
    let surplus = max(delivered, needed) - kept
    // Moving the rest is worthwhile only now and then.
    guard surplus > 0, surplus > samples.count / 2 else { return }
    samples.removeFirst(surplus)
    kept += surplus
  }
}
