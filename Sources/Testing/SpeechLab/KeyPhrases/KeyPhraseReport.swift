/// The result of a `KeyPhraseStudy`.
///
/// ```swift
/// for point in report.curve() {
///   print(point.confidence, point.misses.share, point.falseAlarmsPerHour)
/// }
/// ```
public struct KeyPhraseReport: Sendable, Hashable, Codable {
  /// The kinds of lines in a study.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// The phrase, alone or with a command.
    case phrase
    /// Everyday English.
    case ordinary
    /// A command of another program.
    case otherCommand
    /// Words that sound similar to the phrase.
    case alike
  }

  /// A line that was spoken once.
  public struct Trial: Sendable, Hashable, Codable {
    /// The kind of the line.
    public var kind: Kind
    /// The words of the line.
    public var said: String
    /// The index of the speaker in the conditions.
    public var speaker: Int
    /// The index of the noise level in the conditions.
    public var level: Int
    /// The duration of the line in seconds.
    public var seconds: Double
    /// The confidence of the recogniser in the phrase; `nil` if it did not hear it.
    public var confidence: Float?
  }

  /// The errors at a minimum confidence.
  public struct Point: Sendable, Hashable, Codable {
    /// The minimum confidence.
    public var confidence: Float
    /// The share of phrases that were spoken and missed.
    public var misses: Proportion
    /// The number of false alarms in everyday English and other commands.
    public var falseAlarms: Int
    /// The number of false alarms in an hour of speech without pauses.
    public var falseAlarmsPerHour: Double
    /// The share of similar words that were taken for the phrase.
    public var alikeHeard: Proportion
  }

  /// The phrase under test.
  public var phrase: KeyPhrase
  /// The speakers and the noise.
  public var conditions: SpeakingConditions
  /// The lines that were spoken.
  public var trials: [Trial]

  /// The duration of everyday English and other commands, in hours.
  public var hours: Double {
    trials.filter(\.isOther).reduce(0) { $0 + $1.seconds } / 3600
  }

  /// Returns the errors at a minimum confidence, over all noise levels or at one.
  public func point(_ confidence: Float, level: Int? = nil) -> Point {
    let trials = trials.filter { level == nil || $0.level == level }
    func isHeard(_ trial: Trial) -> Bool { trial.confidence.map { $0 >= confidence } ?? false }
    let said = trials.filter { $0.kind == .phrase }
    let alike = trials.filter { $0.kind == .alike }
    let others = trials.filter(\.isOther)
    let alarms = others.count(where: isHeard)
    let hours = others.reduce(0) { $0 + $1.seconds } / 3600
    return Point(
      confidence: confidence, misses: Proportion(said.count { !isHeard($0) }, of: said.count),
      falseAlarms: alarms, falseAlarmsPerHour: hours > 0 ? Double(alarms) / hours : 0,
      alikeHeard: Proportion(alike.count(where: isHeard), of: alike.count))
  }

  /// Returns the errors from the lowest to the highest minimum confidence.
  public func curve(level: Int? = nil) -> [Point] {
    (0..<20).map { point(Float($0) / 20, level: level) }
  }

  /// Returns the errors at the lowest confidence, in hundredths, that keeps false alarms to the
  /// given number an hour; `nil` if none does.
  public func point(falseAlarmsPerHour wanted: Double) -> Point? {
    (0..<100).lazy.map { point(Float($0) / 100) }.first { $0.falseAlarmsPerHour <= wanted }
  }

  /// Returns the phrase with the confidence that keeps false alarms to the given number an hour;
  /// `nil` if none does.
  public func tuned(falseAlarmsPerHour wanted: Double) -> KeyPhrase? {
    point(falseAlarmsPerHour: wanted).map {
      KeyPhrase(phrase.text, threshold: phrase.threshold, minimumConfidence: $0.confidence)
    }
  }

  /// Returns the report as a table, with a recommendation below it.
  public func text(falseAlarmsPerHour wanted: Double) -> String {
    let said = trials.count { $0.kind == .phrase }
    let minutes = Int((hours * 60).rounded())
    var text = "\(phrase.text): said \(said) times, and \(minutes) minutes of other speech\n\n"
    text += "  confidence  missed   false alarms an hour  heard in similar words\n"
    for point in curve().enumerated().filter({ $0.offset % 2 == 0 }).map(\.element) {
      text += String(
        format: "  %.2f        %5.1f %%  %20.1f  %18.1f %%\n", point.confidence,
        100 * point.misses.share, point.falseAlarmsPerHour, 100 * point.alikeHeard.share)
    }
    guard let best = point(falseAlarmsPerHour: wanted),
      let tuned = tuned(falseAlarmsPerHour: wanted)
    else { return text + "\nNothing keeps false alarms to \(wanted) in an hour.\n" }
    text += String(
      format:
        "\nRecommended for at most %g false alarms in an hour of speech: a confidence of %.2f, "
        + "which misses %.1f %%.\n", wanted, best.confidence, 100 * best.misses.share)
    if wanted * hours < 1 {
      text += "This is too little speech to be certain. Use more voices or more sentences.\n"
    }
    return text + "\n  \(tuned)\n"
  }
}

extension KeyPhraseReport.Trial {
  fileprivate var isOther: Bool { kind == .ordinary || kind == .otherCommand }
}
