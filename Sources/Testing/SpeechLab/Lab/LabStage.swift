import SpeechConcurrency

/// One line, spoken by one voice in one acoustic scene.
struct LabJob: Sendable {
  var line: OtherSpeech
  var voice: Int
  var place: Int
}

/// Produces the audio of lines. It caches the last line, which is heard in several scenes.
actor LabStage {
  /// An error while producing audio.
  struct Failure: Error {
    var reason: any Error
  }

  private let lab: RecognitionLab
  private let kept: [Int: [String: PCMBuffer]]
  private var last: (line: String, voice: Int, sound: PCMBuffer)?

  init(_ lab: RecognitionLab, _ kept: [Int: [String: PCMBuffer]]) {
    self.lab = lab
    self.kept = kept
  }

  func sound(_ job: LabJob) async throws -> PCMBuffer {
    do {
      let speech = try await speech(job)
      let place = lab.surroundings[job.place]
      // Derived from the words instead of their index, so that one more line does not change all
      // that follow.
      let part = "\(job.line.text)|\(lab.voices[job.voice].name)|\(place.name)"
      var random = SeededNumbers(seed: lab.seed, part: part)
      return try await place.heard(speech, seed: random.next())
    } catch {
      throw Failure(reason: error)
    }
  }

  private func speech(_ job: LabJob) async throws -> PCMBuffer {
    if let sound = kept[job.voice]?[job.line.text] { return sound }
    if let last, last.line == job.line.text, last.voice == job.voice { return last.sound }
    let sound = try await lab.voices[job.voice].perform(job.line.text).sound
    last = (job.line.text, job.voice, sound)
    return sound
  }
}

/// Counts completed work for a progress report.
actor LabCounter {
  private let total: Int
  private let progress: @Sendable (Double) async -> Void
  private var done = 0

  init(_ total: Int, _ progress: @escaping @Sendable (Double) async -> Void) {
    self.total = max(total, 1)
    self.progress = progress
  }

  func step() async {
    done += 1
    await progress(min(1, Double(done) / Double(total)))
  }
}
