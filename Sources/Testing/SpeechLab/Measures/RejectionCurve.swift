import SpeechConcurrency

/// The separation of a grammar's sentences from other speech by confidence: the errors at each
/// threshold.
///
/// ```swift
/// let curve = RejectionCurve(trials: trials)
/// print(curve.equalErrorRate().value, curve.area().interval)
/// let strict = curve.threshold(falseAccepts: 0.02)
/// ```
public struct RejectionCurve: Sendable, Hashable {
  /// The kinds of speech.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// A sentence of the grammar.
    case command
    /// Everyday English.
    case ordinary
    /// A command of another program.
    case otherCommand
    /// A sentence of the grammar with a wrong, a missing or an additional word.
    case nearMiss
  }

  /// A sentence that was spoken once, with the recogniser's confidence.
  public struct Trial: Sendable, Hashable, Codable {
    /// The kind of the sentence.
    public var kind: Kind
    /// The sentence that was spoken.
    public var said: String
    /// The text that was recognised; empty if there was none.
    public var heard: String
    /// The confidence of the recogniser, from 0 to 1.
    public var confidence: Float

    /// Creates a trial from its measurements.
    public init(kind: Kind, said: String, heard: String, confidence: Float) {
      self.kind = kind
      self.said = said
      self.heard = heard
      self.confidence = confidence
    }

    /// Returns true if the trial is accepted at the threshold. An empty result never is.
    func isAccepted(from value: Float) -> Bool { !heard.isEmpty && confidence >= value }
  }

  /// A threshold with the errors that it leads to.
  public struct Threshold: Sendable, Hashable, Codable {
    /// The lowest confidence that is accepted.
    public var value: Float
    /// The share of other speech that is accepted: everyday English and commands of other programs.
    public var falseAccepts: Proportion
    /// The share of the grammar's sentences that are rejected.
    public var falseRejects: Proportion
    /// The share of near misses that are accepted. Many of them sound almost like a sentence of the
    /// grammar, so they are counted separately.
    public var acceptedNearMisses: Proportion
  }

  /// The trials that the curve is made of.
  public var trials: [Trial]

  /// Creates the curve of the given trials.
  public init(trials: [Trial]) { self.trials = trials }

  /// Returns the errors of a threshold.
  public func outcome(of value: Float) -> Threshold {
    var threshold = Threshold(
      value: value, falseAccepts: .init(), falseRejects: .init(), acceptedNearMisses: .init())
    for trial in trials {
      let isAccepted = trial.isAccepted(from: value)
      switch trial.kind {
      case .command: threshold.falseRejects.add(!isAccepted)
      case .ordinary, .otherCommand: threshold.falseAccepts.add(isAccepted)
      case .nearMiss: threshold.acceptedNearMisses.add(isAccepted)
      }
    }
    return threshold
  }

  /// The errors of the thresholds from 0 to 1, in steps of a hundredth.
  public var thresholds: [Threshold] { (0...100).map { outcome(of: Float($0) / 100) } }

  /// Returns the lowest threshold, in hundredths, whose share of false accepts is not above the
  /// given one; `nil` if there is none.
  ///
  /// The share is that of these trials; its interval says how certain it is.
  public func threshold(falseAccepts wanted: Double) -> Threshold? {
    thresholds.first { $0.falseAccepts.share <= wanted }
  }

  /// Returns the error rate at which as large a share of other speech is accepted as of the
  /// grammar's sentences is rejected, by linear interpolation between confidences that occurred.
  ///
  /// The interval is that of the bootstrap over sentences, because repeating a sentence adds no
  /// information.
  public func equalErrorRate(seed: UInt64 = 1) -> Estimate {
    RejectionRanks(trials).estimate(seed: seed) { $0.equalErrorRate }
  }

  /// Returns the area below the ROC curve: the probability that a sentence of the grammar has a
  /// higher confidence than other speech. 1 separates all of them, and 0.5 is random. An empty
  /// result has the lowest confidence.
  ///
  /// The interval is that of the bootstrap over sentences.
  public func area(seed: UInt64 = 1) -> Estimate {
    RejectionRanks(trials).estimate(seed: seed) { $0.area }
  }
}

extension RejectionCurve: Codable {
  private enum Key: String, CodingKey {
    case trials, equalErrorRate, area, thresholds
  }

  /// Decodes the trials, from which everything else follows.
  public init(from decoder: any Decoder) throws {
    trials = try decoder.container(keyedBy: Key.self).decode([Trial].self, forKey: .trials)
  }

  /// Encodes the trials, and for other programs the values that follow from them.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(equalErrorRate(), forKey: .equalErrorRate)
    try container.encode(area(), forKey: .area)
    try container.encode(thresholds, forKey: .thresholds)
    try container.encode(trials, forKey: .trials)
  }
}

/// The sentences by the ranks of their confidence, so that thousands of samples can be drawn from
/// them.
private struct RejectionRanks {
  /// The numbers accepted at each rank: the highest confidence first, empty results last.
  struct Counts {
    var commands: [Int]
    var others: [Int]

    /// The accepted shares of both kinds, from none to all.
    private var shares: [(commands: Double, others: Double)] {
      let all = (commands: max(commands.reduce(0, +), 1), others: max(others.reduce(0, +), 1))
      var seen = (commands: 0, others: 0)
      return [(0, 0)]
        + zip(commands, others).map { command, other in
          seen = (seen.commands + command, seen.others + other)
          return (
            Double(seen.commands) / Double(all.commands), Double(seen.others) / Double(all.others)
          )
        }
    }

    var area: Double {
      let shares = shares
      return zip(shares, shares.dropFirst()).reduce(0) { area, step in
        area + (step.1.others - step.0.others) * (step.1.commands + step.0.commands) / 2
      }
    }

    var equalErrorRate: Double {
      let shares = shares
      for (last, next) in zip(shares, shares.dropFirst()) {
        // Before, fewer others were accepted than commands were rejected; now it is the reverse.
        let (before, now) = (1 - last.commands - last.others, 1 - next.commands - next.others)
        guard now <= 0 else { continue }
        let share = before == now ? 0 : before / (before - now)
        return last.others + (next.others - last.others) * share
      }
      return 0
    }
  }

  /// The ranks of each sentence's trials.
  private let commands: [[Int]]
  private let others: [[Int]]
  private let ranks: Int

  init(_ trials: [RejectionCurve.Trial]) {
    func place(_ trial: RejectionCurve.Trial) -> Float {
      trial.heard.isEmpty ? -.infinity : trial.confidence
    }
    let order = Set(trials.map(place)).sorted(by: >)
    let rank = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
    func sentences(_ isTaken: (RejectionCurve.Kind) -> Bool) -> [[Int]] {
      let taken = trials.filter { isTaken($0.kind) }
      let groups = Dictionary(grouping: taken, by: \.said)
      return taken.map(\.said).uniqued().map { said in
        (groups[said] ?? []).compactMap { rank[place($0)] }
      }
    }
    commands = sentences { $0 == .command }
    others = sentences { $0 == .ordinary || $0 == .otherCommand }
    ranks = order.count
  }

  func estimate(seed: UInt64, _ measure: (Counts) -> Double) -> Estimate {
    guard !commands.isEmpty, !others.isEmpty else {
      return Estimate(value: 0, interval: 0...0, count: 0)
    }
    var random = SeededNumbers(seed: seed, part: "rejection")
    func counts(_ sentences: [[Int]], _ next: (Int) -> Int) -> [Int] {
      var counts = [Int](repeating: 0, count: ranks)
      for index in sentences.indices {
        for rank in sentences[next(index)] { counts[rank] += 1 }
      }
      return counts
    }
    let drawn = (0..<Estimate.draws).map { _ in
      measure(
        Counts(
          commands: counts(commands) { _ in random.next(commands.count) },
          others: counts(others) { _ in random.next(others.count) }))
    }
    return Estimate(
      value: measure(Counts(commands: counts(commands) { $0 }, others: counts(others) { $0 })),
      interval: Estimate.interval(of: drawn), count: commands.count + others.count)
  }
}
