import SpeechLab

/// The picture of a conversation: both voices with their words, the states of the loop, and the
/// user's waiting times.
struct ScenarioTimeline {
  let outcome: ScenarioOutcome
  private let width = 960.0
  private let duration: Double
  private let heard: PCMBuffer
  private let played: PCMBuffer

  init(_ outcome: ScenarioOutcome) {
    self.outcome = outcome
    duration = max(outcome.duration, 0.1)
    heard =
      (try? AudioFile.read(outcome.heard, name: "heard.wav")) ?? PCMBuffer(format: .recognition)
    played =
      (try? AudioFile.read(outcome.played, name: "played.wav", as: .recognition))
      ?? PCMBuffer(format: .recognition)
  }

  /// The figure with its player. The picture plays where it is clicked.
  var markup: String {
    let title = "Timeline of \(outcome.name)"
    return """
      <figure class="timeline" aria-label="\(escaped(title))">
      \(player)
      \(HTMLPage.scrolling(title, picture))
      </figure>
      """
  }

  /// The player; empty without audio.
  private var player: String {
    guard let sound else { return "<p>There is no audio to play.</p>" }
    let (name, length) = (escaped(outcome.name), tenths(duration))
    return """
      <p class="player" data-sound="\(sound)" data-name="\(name)" \
      data-length="\(String(format: "%.3f", duration))">
      <button type="button" class="play" aria-label="Play \(name)">▶ Play</button>
      <input type="range" min="0" max="\(length)" step="0.1" value="0" aria-label="Position in \
      \(name)" aria-valuetext="0.0 of \(length) seconds" />
      <span class="clock" aria-hidden="true">0.0 s</span> of \(length) s <span class="problem" \
      role="status"></span>
      </p>
      """
  }

  private var picture: String {
    let waves = [("people", heard, 78), ("reply", played, 160)].map { kind, sound, middle in
      let wave = Waveform(sound, columns: Int(width), of: .seconds(duration))
      return "<path class=\"\(kind)\" d=\"\(wave.path(middle: middle, reach: 34))\" />"
    }
    return """
      <svg viewBox="0 0 \(Int(width)) 226" width="\(Int(width))" height="226" role="img" \
      aria-label="Both voices of \(escaped(outcome.name))">
      \(axis)\(states)
      \(waves.joined(separator: "\n"))
      \(words)\(latencies)
      <line class="head" x1="0" x2="0" y1="0" y2="206" />
      </svg>
      """
  }

  /// The audio of both sides as Ogg Opus, embedded in the page.
  private var sound: String? {
    var both = heard
    both.mix(played, at: 0)
    guard !both.isEmpty, let data = try? AudioFile.encode(both, as: .opus) else { return nil }
    return "data:audio/ogg;base64,\(data.base64EncodedString())"
  }

  private func x(_ seconds: Double) -> String {
    tenths(min(max(0, seconds), duration) / duration * width)
  }

  private func tenths(_ number: Double) -> String { String(format: "%.1f", number) }

  private func escaped(_ text: String) -> String { HTMLPage.escaped(text) }

  private var axis: String {
    let step = [0.5, 1, 2, 5, 10, 30, 60, 300].first { duration / $0 <= 16 } ?? 600
    return stride(from: 0, through: duration, by: step).map { second in
      let label = step < 1 ? tenths(second) : String(Int(second))
      return "<path class=\"axis\" d=\"M\(x(second)) 0V206\" />"
        + "<text class=\"small\" x=\"\(x(second))\" y=\"220\">\(label) s</text>"
    }.joined()
  }

  /// The states of the loop as sections of a band.
  private var states: String {
    var stretches: [(state: String, start: Double)] = [("listening", 0)]
    for event in outcome.events {
      let state: String? =
        switch event.kind {
        case .listening, .replyFinished, .interrupted, .replyFailed, .voiceFailed, .awake:
          "listening"
        case .thinking: "thinking"
        case .speaking, .replyResumed: "speaking"
        case .replyHeld: "held"
        case .asleep: "asleep"
        case .recognitionFailed: "lost"
        case .recognitionReturned: "listening"
        default: nil
        }
      if let state, stretches.last?.state != state {
        stretches.append((state, event.time / .seconds(1)))
      }
    }
    let ends = stretches.dropFirst().map(\.start) + [duration]
    return zip(stretches, ends).map { stretch, end in
      let length = (end - stretch.start) / duration * width
      guard length > 0 else { return "" }
      let label = """
        <text class="small" x="\(tenths(stretch.start / duration * width + 3))" \
        y="122">\(stretch.state)</text>
        """
      return """
        <rect class="state \(stretch.state)" x="\(x(stretch.start))" y="112" \
        width="\(tenths(length))" height="14"><title>\(stretch.state) \
        from \(String(format: "%.2f", stretch.start)) s</title></rect>\
        \(length > 62 ? label : "")
        """
    }.joined()
  }

  /// The words that were spoken, understood and answered, above or below their audio.
  private var words: String {
    func label(_ text: String, _ start: Double, _ end: Double, y: Double, _ kind: String) -> String
    {
      let room = max(24, (end - start) / duration * width)
      let fits = Int(room / 6.2)
      let shown = text.count <= fits ? text : String(text.prefix(max(1, fits - 1))) + "…"
      return
        "<text class=\"small \(kind)\" x=\"\(x(start))\" "
        + "y=\"\(y)\">\(escaped(shown))<title>\(escaped(text))</title></text>"
    }
    let said = outcome.lines.map { line in
      label(
        line.words.isEmpty ? line.person : "\(line.person): \(line.words)",
        line.start / .seconds(1),
        max(line.end / .seconds(1), line.start / .seconds(1) + 3), y: 14, "people")
    }
    let understood = outcome.events.compactMap { event -> String? in
      let second = event.time / .seconds(1)
      switch event.kind {
      case .userFinal(let text): return label("→ \(text)", second, second + 4, y: 32, "heard")
      case .userIgnored(let text, let reason):
        return label("⊘ \(text) (\(reason.rawValue))", second, second + 4, y: 32, "heard")
      case .speaking(let text):
        return label(text.withoutBlanksAround, second, second + 4, y: 204, "reply")
      default: return nil
      }
    }
    return (said + understood).joined()
  }

  /// The times from the end of a line to the first audio of its answer.
  private var latencies: String {
    outcome.events.compactMap { event -> String? in
      guard case .timings(let timings) = event.kind, let total = timings.total else { return nil }
      let (length, end) = (total / .seconds(1), event.time / .seconds(1))
      let text = String(format: "%.0f ms", length * 1_000)
      return
        "<path class=\"wait\" d=\"M\(x(end - length)) 44H\(x(end))m-4 -4l4 4l-4 4\"><title>first "
        + "audio after \(text)</title></path>"
        + "<text class=\"small\" x=\"\(x(end))\" y=\"48\" dx=\"3\">\(text)</text>"
    }.joined()
  }
}
