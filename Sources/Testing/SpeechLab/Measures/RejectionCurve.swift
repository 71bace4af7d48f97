import SpeechConcurrency

/// How well the confidence of a recogniser parts sentences of its grammar from other speech: what would be
/// believed and what not, threshold by threshold.
///
/// ```swift
/// let curve = RejectionCurve(trials: trials)
/// print(curve.equalErrorRate().value, curve.area().interval)
/// let strict = curve.threshold(falseAccepts: 0.02)
/// ```
public struct RejectionCurve: Sendable, Hashable {
  /// What was said.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// A sentence of the grammar.
    case command
    /// Everyday English.
    case ordinary
    /// A command that other programs are given.
    case otherCommand
    /// A sentence of the grammar with a wrong, a missing or an additional word.
    case nearMiss
  }

  /// A sentence that was said once, and how sure the recogniser was of what it heard.
  public struct Trial: Sendable, Hashable, Codable {
    /// What was said.
    public var kind: Kind
    /// The sentence.
    public var said: String
    /// What was heard; empty if nothing was.
    public var heard: String
    /// How sure the recogniser was, from 0 to 1.
    public var confidence: Float

    /// A trial.
    public init(kind: Kind, said: String, heard: String, confidence: Float) {
      self.kind = kind
      self.said = said
      self.heard = heard
      self.confidence = confidence
    }

    /// Whether it is believed with that threshold. Nothing cannot be believed.
    func isAccepted(from value: Float) -> Bool { !heard.isEmpty && confidence >= value }
  }

  /// A threshold, and what it leads to.
  public struct Threshold: Sendable, Hashable, Codable {
    /// From this confidence on a sentence is believed.
    public var value: Float
    /// Other speech that is believed: everyday English and commands of other programs.
    public var falseAccepts: Proportion
    /// Sentences of the grammar that are not believed.
    public var falseRejects: Proportion
    /// Near misses that are believed. Many can hardly be told from a sentence of the grammar by ear, so they
    /// are counted by themselves.
    public var acceptedNearMisses: Proportion
  }

  /// All that was said.
  public var trials: [Trial]

  /// The curve of these trials.
  public init(trials: [Trial]) { self.trials = trials }

  /// What a threshold leads to.
  public func outcome(of value: Float) -> Threshold {
    var threshold = Threshold(
      value: value, falseAccepts: Proportion(0, of: 0), falseRejects: Proportion(0, of: 0),
      acceptedNearMisses: Proportion(0, of: 0))
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

  /// What the thresholds from 0 to 1 lead to, in steps of a hundredth.
  public var thresholds: [Threshold] { (0...100).map { outcome(of: Float($0) / 100) } }

  /// The lowest threshold, in hundredths, at which no larger a share of other speech is believed; `nil` if
  /// there is none.
  ///
  /// The share is that of these trials; its interval tells how sure that is.
  public func threshold(falseAccepts wanted: Double) -> Threshold? {
    thresholds.first { $0.falseAccepts.share <= wanted }
  }

  /// The share of errors where as large a share of other speech is believed as of the grammar's sentences is
  /// not; between two confidences that occurred by linear interpolation.
  ///
  /// The interval is that of the bootstrap over sentences: who says one again says nothing new.
  public func equalErrorRate(seed: UInt64 = 1) -> Estimate {
    RejectionRanks(trials).estimate(seed: seed) { $0.equalErrorRate }
  }

  /// The area below the curve of believed sentences of the grammar over believed other speech (ROC): how
  /// likely one of the grammar's gets more confidence than another. 1 parts all of them, 0.5 is chance. What
  /// was not heard has the least of confidence.
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

  /// The trials; the rest follows from them.
  public init(from decoder: any Decoder) throws {
    trials = try decoder.container(keyedBy: Key.self).decode([Trial].self, forKey: .trials)
  }

  /// The trials, and for those who read no Swift also what follows from them.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(equalErrorRate(), forKey: .equalErrorRate)
    try container.encode(area(), forKey: .area)
    try container.encode(thresholds, forKey: .thresholds)
    try container.encode(trials, forKey: .trials)
  }
}

/// The sentences by the ranks of their confidence, so that thousands of samples can be drawn of them.
private struct RejectionRanks {
  /// How many were accepted first, second and so on: the surest first, what was not heard last.
  struct Counts {
    var commands: [Int]
    var others: [Int]

    /// The shares of both that are believed, from nobody to all.
    private func walk(_ body: (_ commands: Double, _ others: Double) -> Bool) {
      let (allCommands, allOthers) = (commands.reduce(0, +), others.reduce(0, +))
      var (seenCommands, seenOthers) = (0, 0)
      for (command, other) in zip(commands, others) {
        seenCommands += command
        seenOthers += other
        let goesOn = body(
          Double(seenCommands) / Double(max(allCommands, 1)),
          Double(seenOthers) / Double(max(allOthers, 1)))
        if !goesOn { return }
      }
    }

    var area: Double {
      var (area, last) = (0.0, (commands: 0.0, others: 0.0))
      walk { commands, others in
        area += (others - last.others) * (commands + last.commands) / 2
        last = (commands, others)
        return true
      }
      return area
    }

    var equalErrorRate: Double {
      var (rate, last) = (0.0, (commands: 0.0, others: 0.0))
      walk { commands, others in
        // Before, fewer others were believed than commands were not; now it is the other way round.
        let (before, now) = (1 - last.commands - last.others, 1 - commands - others)
        guard now <= 0 else {
          last = (commands, others)
          return true
        }
        let share = before == now ? 0 : before / (before - now)
        rate = last.others + (others - last.others) * share
        return false
      }
      return rate
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
