import SpeechAudio
import SpeechConcurrency

/// The audio of one utterance on its way from a voice engine to an output, with the positions that
/// are heard.
///
/// It runs on the caller's executor, not on the main actor, so that a busy user interface does not
/// interrupt the audio. `pause`, `resume` and `stop` take effect at once, also before there is any
/// audio.
final class UtterancePlayback: Sendable {
  /// The state of the audio, as requested.
  private enum Transport {
    case playing, paused, stopped
  }

  private enum Progress {
    case synthesising, synthesised, heard
  }

  private struct State {
    var playback: (any AudioPlayback)?
    var transport = Transport.playing
    var progress = Progress.synthesising
    var sentenceStart = 0
    var positions: [SpeechPosition] = []
    /// The audio so far, while no word of it has a position.
    var audio: PCMBuffer?
    var hasWords = false
  }

  private enum Milestone {
    case started
    case position(SpeechPosition)
    case progress(Float)
  }

  private let state = Guarded(State())
  private let events: Broadcast<SpeechSynthesisEvent>
  private let positions: Broadcast<SpeechPosition>

  init(events: Broadcast<SpeechSynthesisEvent>, positions: Broadcast<SpeechPosition>) {
    self.events = events
    self.positions = positions
  }

  /// The start of the latest sentence heard.
  var sentenceStart: Int { state.withLock(\.sentenceStart) }

  /// The heard part of that text, which is the one that is played.
  func record(of text: String) -> SpokenRecord {
    state.withLock { state in
      let played = state.playback.map { $0.format.duration(ofFrames: $0.playedFrames) }
      return SpokenRecord(
        text: text, positions: state.positions, played: played ?? .zero,
        isComplete: state.progress != .synthesising, isFinished: state.progress == .heard,
        audio: state.hasWords ? nil : state.audio)
    }
  }

  func pause() {
    state.withLock {
      guard $0.transport == .playing else { return }
      $0.transport = .paused
      $0.playback?.pause()
    }
  }

  func resume() {
    state.withLock {
      guard $0.transport == .paused else { return }
      $0.transport = .playing
      $0.playback?.resume()
    }
  }

  func stop() {
    state.withLock {
      $0.transport = .stopped
      $0.playback?.stop()
    }
  }

  /// Plays the pieces and returns when the last sample has been heard.
  ///
  /// - Throws: `SpeechSynthesisProviderError.invalidText` when there are no pieces,
  ///   `CancellationError` when stopped or cancelled, and the errors of the engine and the output.
  func run(
    _ chunks: AsyncThrowingStream<VoiceEngineChunk, any Error>, estimatedDuration: Duration,
    output: any AudioOutput
  ) async throws {
    var iterator = chunks.makeAsyncIterator()
    guard let first = try await iterator.next() else {
      // A stream whose task is cancelled may end without an error.
      guard !Task.isCancelled, state.withLock(\.transport) != .stopped else {
        throw CancellationError()
      }
      throw SpeechSynthesisProviderError.invalidText
    }
    let format = first.audio.format
    let playback = try await output.open(format)
    do {
      try attach(playback)
      try await play(
        first, then: &iterator, on: playback,
        estimatedFrames: max(1, format.frames(in: estimatedDuration)))
    } catch {
      playback.stop()
      throw error
    }
  }

  private func attach(_ playback: any AudioPlayback) throws {
    try state.withLock { state in
      guard state.transport != .stopped else { throw CancellationError() }
      state.playback = playback
      if state.transport == .paused { playback.pause() }
    }
  }

  private func play(
    _ first: VoiceEngineChunk,
    then iterator: inout AsyncThrowingStream<VoiceEngineChunk, any Error>.Iterator,
    on playback: any AudioPlayback, estimatedFrames: Int
  ) async throws {
    let (milestones, following) = AsyncStream.makeStream(of: (frame: Int, Milestone).self)
    async let followed: Void = follow(milestones, on: playback)
    defer { following.finish() }
    var written = 0
    var next: VoiceEngineChunk? = first
    while let chunk = next {
      try Task.checkCancellation()
      if written == 0, !chunk.audio.isEmpty { following.yield((1, .started)) }
      written += chunk.audio.frameCount
      // Audio of another format is refused below.
      if chunk.audio.format == playback.format { note(chunk) }
      for position in chunk.positions {
        // No later than this piece, because it would never be reached otherwise.
        let frame = min(playback.format.frames(in: position.audioOffset), written)
        following.yield((frame, .position(position)))
      }
      // The length is an estimate until the last piece arrives, so progress stays below completion.
      let share = min(0.99, Float(written) / Float(max(written, estimatedFrames)))
      following.yield((written, .progress(share)))
      try await playback.write(chunk.audio)
      do {
        next = try await iterator.next()
      } catch {
        // The audio until then is still played, so that the heard part of the text is known.
        following.finish()
        try await playback.finish()
        try await followed
        throw error
      }
    }
    try Task.checkCancellation()
    if written == 0 { following.yield((0, .started)) }
    following.finish()
    state.withLock { $0.progress = .synthesised }
    try await playback.finish()
    try await followed
    state.withLock { $0.progress = .heard }
    events.send(.progress(1))
  }

  private func note(_ chunk: VoiceEngineChunk) {
    state.withLock { state in
      state.positions += chunk.positions
      if !state.hasWords, chunk.positions.contains(where: { $0.kind == .word }) {
        state.hasWords = true
        state.audio = nil
      }
      guard !state.hasWords else { return }
      if state.audio == nil { state.audio = PCMBuffer(format: chunk.audio.format) }
      state.audio?.append(chunk.audio)
    }
  }

  private func follow(
    _ milestones: AsyncStream<(frame: Int, Milestone)>, on playback: any AudioPlayback
  ) async throws {
    for await (frame, milestone) in milestones {
      try await playback.waitUntilPlayed(frame)
      switch milestone {
      case .started: events.send(.started)
      case .position(let position):
        if position.kind == .sentence {
          state.withLock { $0.sentenceStart = position.textRange.lowerBound }
        }
        positions.send(position)
      case .progress(let share): events.send(.progress(share))
      }
    }
  }
}
