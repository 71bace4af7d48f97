/// What a `KeyPhraseStudy` found.
///
/// ```swift
/// for point in report.curve() { print(point.confidence, point.misses.share, point.falseAlarmsPerHour) }
/// ```
public struct KeyPhraseReport: Sendable, Hashable, Codable {
  /// What was said.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// The phrase.
    case phrase
    /// Everyday English.
    case ordinary
    /// Commands of other programs.
    case otherCommand
    /// Words that sound nearly like the phrase.
    case alike
  }

  /// A line that somebody said.
  public struct Trial: Sendable, Hashable, Codable {
    /// What it was.
    public var kind: Kind
    /// Its words.
    public var said: String
    /// Who said it, by its place in the conditions.
    public var speaker: Int
    /// Over what, by its place in the conditions.
    public var level: Int
    /// How long it is.
    public var seconds: Double
    /// How sure the recogniser was of the phrase; `nil` if it did not hear it.
    public var confidence: Float?
  }

  /// What comes of demanding a certain confidence.
  public struct Point: Sendable, Hashable, Codable {
    /// The least confidence that counts.
    public var confidence: Float
    /// How often the phrase was said and not heard.
    public var misses: Proportion
    /// How often it was heard in everyday English and other commands.
    public var falseAlarms: Int
    /// That often in an hour of speech without pauses.
    public var falseAlarmsPerHour: Double
    /// How often it was heard in what sounds like it.
    public var alikeHeard: Proportion
  }

  /// What was tried.
  public var phrase: KeyPhrase
  /// Who spoke, and over what.
  public var conditions: SpeakingConditions
  /// Everything that was said.
  public var trials: [Trial]

  /// How much everyday English and other commands there was, in hours.
  public var hours: Double {
    trials.filter(\.isOther).reduce(0) { $0 + $1.seconds } / 3600
  }

  /// What comes of demanding that confidence, of all or at one level of noise.
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

  /// Misses against false alarms, from demanding nothing to demanding nearly all.
  public func curve(level: Int? = nil) -> [Point] {
    (0..<20).map { point(Float($0) / 20, level: level) }
  }

  /// The least confidence, in hundredths, that keeps false alarms to that many in an hour; `nil` if none does.
  public func point(falseAlarmsPerHour wanted: Double) -> Point? {
    (0..<100).lazy.map { point(Float($0) / 100) }.first { $0.falseAlarmsPerHour <= wanted }
  }

  /// The phrase with what keeps false alarms to that many in an hour; `nil` if nothing does.
  public func tuned(falseAlarmsPerHour wanted: Double) -> KeyPhrase? {
    point(falseAlarmsPerHour: wanted).map {
      KeyPhrase(phrase.text, threshold: phrase.threshold, minimumConfidence: $0.confidence)
    }
  }

  /// The report as a table, with what is recommended behind it.
  public func text(falseAlarmsPerHour wanted: Double) -> String {
    let said = trials.count { $0.kind == .phrase }
    let minutes = Int((hours * 60).rounded())
    var text = "\(phrase.text): said \(said) times, and \(minutes) minutes of other speech\n\n"
    text += "  confidence  missed   false alarms an hour  heard in words alike\n"
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
        "\nRecommended for at most %g false alarms in an hour of speech: a confidence of %.2f, which "
        + "misses %.1f %%.\n", wanted, best.confidence, 100 * best.misses.share)
    if wanted * hours < 1 {
      text += "That much speech cannot prove it; more voices or more sentences can.\n"
    }
    return text + "\n  \(tuned)\n"
  }
}

extension KeyPhraseReport.Trial {
  fileprivate var isOther: Bool { kind == .ordinary || kind == .otherCommand }
}
