import SpeechConcurrency

/// Several equal decoders that share work, one for each processor.
///
/// Each recording is recognised as a whole, so the result does not depend on which decoder hears it
/// and what that one heard before.
struct RecognitionWorkers: Sendable {
  /// The result for one recording.
  struct Outcome: Sendable, Hashable {
    /// The recognised words; empty if there are none.
    var text: String
    /// The confidence from 0 to 1; 0 without words.
    var confidence: Float
    /// The duration of the audio in seconds.
    var seconds: Double

    /// A rejected utterance counts as not heard, however similar it is.
    init(_ utterance: DecodedUtterance?, seconds: Double) {
      let accepted = utterance.flatMap { $0.isAccepted ? $0 : nil }
      text = accepted?.text ?? ""
      confidence = accepted?.confidence ?? 0
      self.seconds = seconds
    }
  }

  private let members: [RecognitionSession<AnyDecoder>]

  init(_ configuration: AnyDecoder.Configuration, locale: Locale, count: Int) {
    members = (0..<max(count, 1)).map { _ in
      RecognitionSession(configuration: configuration, locale: locale)
    }
  }

  /// Loads the decoders, so that missing or broken models are reported before the work starts.
  private func prepare() async throws {
    // The first one alone, so that a broken grammar is reported once.
    try await members[0].prepare()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for member in members.dropFirst() {
        group.addTask { try await member.prepare() }
      }
      try await group.waitForAll()
    }
  }

  /// Recognises the audio of each job, and returns the results in the order of the jobs. The audio
  /// is produced in that order, one after the other, because some voices depend on what they spoke
  /// before.
  ///
  /// - Parameter heard: Called with the result and the duration of each job, also of those before a
  ///   failure.
  func recognise<Job: Sendable>(
    _ jobs: some Sequence<Job> & Sendable,
    heard: @escaping @Sendable (_ number: Int, _ outcome: Outcome, _ time: Duration) async -> Void =
      { _, _, _ in },
    audio: @escaping @Sendable (Job) async throws -> PCMBuffer
  ) async throws -> [Outcome] {
    // All of them before any voice speaks: eSpeak NG pronounces words for decoders, which would
    // change its speech.
    try await prepare()
    let queue = JobQueue(Array(jobs), audio: audio)
    return try await withThrowingTaskGroup(of: [(Int, Outcome)].self) { group in
      for member in members {
        group.addTask {
          var outcomes: [(Int, Outcome)] = []
          while let (number, audio) = try await queue.next() {
            let began = ContinuousClock.now
            let utterance = try await member.decode(audio)
            let outcome = Outcome(utterance, seconds: audio.duration / .seconds(1))
            await heard(number, outcome, began.duration(to: .now))
            outcomes.append((number, outcome))
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

/// Hands out the audio, which is produced one at a time and in order.
private actor JobQueue<Job: Sendable> {
  private let jobs: [Job]
  private let audio: @Sendable (Job) async throws -> PCMBuffer
  private var started = 0
  private var last: Task<PCMBuffer, any Error>?

  init(_ jobs: [Job], audio: @escaping @Sendable (Job) async throws -> PCMBuffer) {
    self.jobs = jobs
    self.audio = audio
  }

  func next() async throws -> (Int, PCMBuffer)? {
    try Task.checkCancellation()
    guard started < jobs.count else { return nil }
    let number = started
    started += 1
    let job = jobs[number]
    let task = Task { [last, audio] in
      _ = await last?.result
      return try await audio(job)
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
