import SpeechConcurrency
import SpeechLab

extension VirtualConversation {
  /// Holds a conversation by a script: people speak at their cues, and the loop is stopped when
  /// they are done and nothing more happens.
  ///
  /// - Parameters:
  ///   - seed: The seed of all random choices; by default the script's own.
  ///   - makeLoop: Creates the loop from its devices.
  /// - Throws: `VirtualWorldError`, and the errors of the voices, the loop and the closures.
  public static func play(
    _ script: ConversationScript, seed: UInt64? = nil,
    makeLoop: @escaping @MainActor @Sendable (Devices) async throws -> VoiceLoop
  ) async throws -> ConversationRecord {
    try await VirtualWorld.run { world in
      try await ConversationPlay(script, seed: seed ?? script.seed, world: world).perform(makeLoop)
    }
  }
}

/// One performance of a script.
@MainActor
private final class ConversationPlay {
  private let script: ConversationScript
  private let world: VirtualWorld
  private let room: VirtualRoom
  private let recorder: ConversationRecorder
  private let origin: Duration
  /// The audio is produced before the start, so that voices have no effect on the order of events.
  private var sounds: [PCMBuffer] = []
  private var queue: [Int] = []
  private var unsaid: Set<Int> = []
  /// The end times of the lines that were spoken.
  private var ends: [Int: Duration] = [:]
  private var lastActivity = Duration.zero
  private var isBusy = false

  init(_ script: ConversationScript, seed: UInt64, world: VirtualWorld) {
    self.script = script
    self.world = world
    var air = AudioScript().withNoise(level: -66, seed: seed)
    for loss in script.deviceLosses { air = air.interrupted(at: loss.start, for: loss.length) }
    let levels = script.lines.map(\.person.speaker.level)
    room = VirtualRoom(
      world, scene: script.scene, script: air,
      speechLevel: levels.max() ?? Speaker.defaultLevel, seed: seed)
    recorder = ConversationRecorder(clock: world.clock)
    origin = world.clock.time
  }

  private var now: Duration { world.clock.time - origin }

  func perform(
    _ makeLoop: @MainActor @Sendable (VirtualConversation.Devices) async throws -> VoiceLoop
  ) async throws -> ConversationRecord {
    for line in script.lines {
      sounds.append(try await sound(of: line))
    }
    let loop = try await makeLoop(
      VirtualConversation.Devices(
        microphone: recorder.microphone(room.microphone),
        speaker: recorder.speaker(room.output), clock: world.clock, recorder: recorder,
        room: room))
    let events = loop.events
    try await loop.start()
    for index in script.lines.indices {
      unsaid.insert(index)
      if case .at(let time) = script.lines[index].cue {
        say(index, after: max(.zero, time - now))
      } else {
        queue.append(index)
      }
    }
    waitForLine()
    try await VirtualConversation.finish(
      loop, events, recorder, stoppingAfter: waitForEnd, follow)
    return try record(loop.history)
  }

  private func sound(of line: ConversationScript.Line) async throws -> PCMBuffer {
    if let recording = line.recording { return recording }
    return try await line.person.speaker.say(line.words)
  }

  private func say(_ index: Int, after delay: Duration) {
    let line = script.lines[index]
    let said = room.play(
      sounds[index], saying: line.words, by: line.person.name, after: delay)
    unsaid.remove(index)
    ends[index] = said.end - origin
    lastActivity = max(lastActivity, said.end - origin)
  }

  /// A line that waits for the one before needs no event.
  private func waitForLine() {
    while let next = queue.first, case .after(let moment, let delay) = script.lines[next].cue {
      switch moment {
      case .line: sayNext(after: max(.zero, ready(for: next) - now) + delay)
      case .lineBegan: sayNext(after: max(.zero, beginning(of: next - 1) + delay - now))
      default: return
      }
    }
  }

  private func sayNext(after delay: Duration) {
    say(queue.removeFirst(), after: delay)
  }

  /// Returns the time from which on moments count for a line: the end of the line before.
  private func ready(for index: Int) -> Duration { ends[index - 1] ?? .zero }

  private func follow(_ event: VoiceLoopEvent) {
    switch event.kind {
    case .thinking, .speaking: isBusy = true
    case .replyFinished, .replyFailed, .interrupted, .voiceFailed: isBusy = false
    default: break
    }
    if event.kind != .listening { lastActivity = max(lastActivity, event.time) }
    // An event during the line before does not satisfy the next one, except for a reply, over which
    // people speak.
    guard let next = queue.first, case .after(let moment, let delay) = script.lines[next].cue,
      moment.isReached(by: event.kind),
      event.time >= (moment.countsFromBeginning ? beginning(of: next - 1) : ready(for: next))
    else { return }
    sayNext(after: delay)
    waitForLine()
  }

  private func beginning(of index: Int) -> Duration {
    index < 0 ? .zero : (ends[index] ?? .zero) - sounds[index].duration
  }

  private func waitForEnd() async throws {
    while now < script.limit {
      // A line that waits for its cue extends the time.
      let patience = queue.isEmpty ? script.quiet : max(script.quiet, .seconds(10))
      let end = isBusy ? now + script.quiet : lastActivity + patience
      if !isBusy, now >= end { return }
      try await world.clock.sleep(until: origin + min(end, script.limit))
    }
  }

  private func record(_ history: ConversationHistory) throws -> ConversationRecord {
    func relative(_ line: SpokenLine) -> SpokenLine {
      SpokenLine(
        person: line.person, words: line.words, start: line.start - origin,
        end: line.end - origin)
    }
    return ConversationRecord(
      lines: room.lines.map(relative), unsaid: unsaid.sorted().map { script.lines[$0].words },
      events: recorder.events, replies: recorder.keptReplies, history: history,
      heard: try recorder.heard.mixed(as: .recognition),
      played: try recorder.played.mixed(as: .recognition))
  }
}
