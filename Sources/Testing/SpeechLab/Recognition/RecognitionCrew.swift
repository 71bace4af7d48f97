import SpeechConcurrency

/// Several decoders that know the same and share the work, one for each core.
///
/// A recording is recognised as a whole, so that the result does not depend on which decoder hears it and
/// what that one heard before.
///
/// ```swift
/// let crew = RecognitionCrew(try SpeechCatalog.current.recogniser("fast"))
/// let results = try await crew.recognise(0..<10) { try await sound($0) }
/// ```
public struct RecognitionCrew: Sendable {
  /// What was made of a sound.
  public struct Outcome: Sendable, Hashable, Codable {
    /// The words; empty if there were none.
    public var text: String
    /// How sure the recogniser is, from 0 to 1; 0 without words.
    public var confidence: Float
    /// How long the sound was.
    public var seconds: Double

    /// What was not believed was not heard, however near it comes.
    init(_ utterance: DecodedUtterance?, seconds: Double) {
      let believed = utterance.flatMap { $0.isAccepted ? $0 : nil }
      text = believed?.text ?? ""
      confidence = believed?.confidence ?? 0
      self.seconds = seconds
    }
  }

  /// One of the crew.
  private struct Member: Sendable {
    var prepare: @Sendable () async throws -> Void
    var decode: @Sendable (PCMBuffer) async throws -> DecodedUtterance?
  }

  private let members: [Member]

  /// A crew of that many decoders of a recogniser.
  public init(
    _ recogniser: AnyRecogniser, locale: Locale = Locale(identifier: "en-US"),
    count: Int = ProcessInfo.processInfo.activeProcessorCount
  ) {
    self.init(
      of: AnyDecoder.self, configuration: recogniser.configuration, locale: locale, count: count)
  }

  /// A crew of decoders of any kind.
  public init<Decoder: SpeechDecoder>(
    of kind: Decoder.Type, configuration: Decoder.Configuration,
    locale: Locale = Locale(identifier: "en-US"),
    count: Int = ProcessInfo.processInfo.activeProcessorCount
  ) {
    members = (0..<max(count, 1)).map { _ in
      let session = RecognitionSession<Decoder>(configuration: configuration, locale: locale)
      return Member(
        prepare: { try await session.prepare() }, decode: { try await session.decode($0) })
    }
  }

  /// Loads the decoders, so that what is missing or broken shows before the work.
  ///
  /// - Throws: `SpeechRecognitionError`.
  public func prepare() async throws {
    // One of them alone first: a broken grammar is then told once.
    try await members[0].prepare()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for member in members.dropFirst() {
        group.addTask { try await member.prepare() }
      }
      try await group.waitForAll()
    }
  }

  /// Recognises what is made for each of the jobs, which are begun in their order, one sound after the other:
  /// so voices that remember what they said are always in the same mood.
  ///
  /// - Parameters:
  ///   - progress: called with each result that is there.
  ///   - heard: told what was made of each of the jobs, and in which time; also of those before a failure.
  /// - Returns: the results in the order of the jobs.
  /// - Throws: what the decoders and the sounds throw; `CancellationError` when the task is cancelled.
  public func recognise<Job: Sendable>(
    _ jobs: some Sequence<Job> & Sendable,
    progress: @escaping @Sendable () async -> Void = {},
    heard: (@Sendable (_ number: Int, _ outcome: Outcome, _ time: Duration) -> Void)? = nil,
    sound: @escaping @Sendable (Job) async throws -> PCMBuffer
  ) async throws -> [Outcome] {
    // All of them before anybody speaks: eSpeak NG pronounces for decoders, and would speak otherwise then.
    try await prepare()
    let queue = JobQueue(Array(jobs), sound: sound)
    return try await withThrowingTaskGroup(of: [(Int, Outcome)].self) { group in
      for member in members {
        group.addTask {
          var outcomes: [(Int, Outcome)] = []
          while let (number, sound) = try await queue.next() {
            let began = ContinuousClock.now
            let utterance = try await member.decode(sound)
            let outcome = Outcome(utterance, seconds: sound.duration / .seconds(1))
            heard?(number, outcome, began.duration(to: .now))
            outcomes.append((number, outcome))
            await progress()
          }
          return outcomes
        }
      }
      var all: [(Int, Outcome)] = []
      for try await outcomes in group { all += outcomes }
      return all.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }
}

/// Hands out the sounds, of which one is made at a time and in order.
private actor JobQueue<Job: Sendable> {
  private let jobs: [Job]
  private let sound: @Sendable (Job) async throws -> PCMBuffer
  private var started = 0
  private var last: Task<PCMBuffer, any Error>?

  init(_ jobs: [Job], sound: @escaping @Sendable (Job) async throws -> PCMBuffer) {
    self.jobs = jobs
    self.sound = sound
  }

  func next() async throws -> (Int, PCMBuffer)? {
    try Task.checkCancellation()
    guard started < jobs.count else { return nil }
    let number = started
    started += 1
    let job = jobs[number]
    let task = Task { [last, sound] in
      _ = await last?.result
      return try await sound(job)
    }
    last = task
    let made = try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
    return (number, made)
  }
}
