/// The picture of a conversation: both voices, the words of either, what the loop was doing, and how long the
/// user waited.
struct ScenarioTimeline {
  let outcome: ScenarioOutcome
  let number: Int
  private let width = 960.0
  private let duration: Double
  private let heard: PCMBuffer
  private let played: PCMBuffer

  init(_ outcome: ScenarioOutcome, number: Int) {
    self.outcome = outcome
    self.number = number
    duration = max(outcome.duration, 0.1)
    heard =
      (try? AudioFile.read(outcome.heard, name: "heard.wav")) ?? PCMBuffer(format: .recognition)
    played =
      (try? AudioFile.read(outcome.played, name: "played.wav", as: .recognition))
      ?? PCMBuffer(format: .recognition)
  }

  /// The figure with its picture, which plays where it is clicked.
  var markup: String {
    let title = "Timeline of \(outcome.name)"
    return """
      <figure class="timeline" data-sound="\(sound)" data-length="\(String(format: "%.3f", duration))">
      <p class="player"><button type="button" class="play" aria-label="Play \(escaped(outcome.name))">▶ Play</button>
      <span class="clock" aria-hidden="true">0.0 s</span> of \(String(format: "%.1f", duration)) s</p>
      <div class="wide" tabindex="0" role="slider" aria-label="\(escaped(title)): place in seconds" aria-valuemin="0" aria-valuemax="\(String(format: "%.1f", duration))" aria-valuenow="0" aria-valuetext="0 seconds">
      <svg viewBox="0 0 \(Int(width)) 226" width="\(Int(width))" height="226" role="img" aria-label="\(escaped(title))">
      \(axis)\(states)
      <path class="people" d="\(Waveform(heard, columns: Int(width), of: .seconds(duration)).path(middle: 78, reach: 34))" />
      <path class="reply" d="\(Waveform(played, columns: Int(width), of: .seconds(duration)).path(middle: 160, reach: 34))" />
      \(words)\(latencies)
      <line class="head" x1="0" x2="0" y1="0" y2="206" />
      </svg>
      </div>
      <figcaption>Above: what the microphone heard, and who said what. Below: what was played. The band between tells what the loop was doing; arrows show how long the user waited for the first sound. Click to play from there; with the keyboard: Space plays, arrows move by a second, Home and End.</figcaption>
      </figure>
      """
  }

  /// Both sides as Ogg Opus, in the page itself.
  private var sound: String {
    var both = heard
    both.mix(played, at: 0)
    guard !both.isEmpty, let data = try? AudioFile.encode(both, as: .opus) else { return "" }
    return "data:audio/ogg;base64,\(data.base64EncodedString())"
  }

  private func x(_ seconds: Double) -> String {
    String(format: "%.1f", min(max(0, seconds), duration) / duration * width)
  }

  private func escaped(_ text: String) -> String { HTMLPage.escaped(text) }

  private var axis: String {
    let step = [0.5, 1, 2, 5, 10, 30, 60, 300].first { duration / $0 <= 16 } ?? 600
    return stride(from: 0, through: duration, by: step).map { second in
      let label = step < 1 ? String(format: "%.1f", second) : String(Int(second))
      return "<path class=\"axis\" d=\"M\(x(second)) 0V206\" />"
        + "<text class=\"small\" x=\"\(x(second))\" y=\"220\">\(label) s</text>"
    }.joined()
  }

  /// What the loop did, as stretches of a band.
  private var states: String {
    var stretches: [(state: String, start: Double)] = [("listening", 0)]
    for event in outcome.events {
      let state: String? =
        switch event.kind {
        case .listening, .replyFinished, .interrupted, .replyFailed, .awake: "listening"
        case .thinking: "thinking"
        case .speaking, .replyResumed: "speaking"
        case .replyHeld: "held"
        case .asleep: "asleep"
        case .recognitionFailed: "deaf"
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
      let label =
        length > 62
        ? "<text class=\"small\" x=\"\(String(format: "%.1f", stretch.start / duration * width + 3))\" y=\"122\">\(stretch.state)</text>"
        : ""
      return
        "<rect class=\"state \(stretch.state)\" x=\"\(x(stretch.start))\" y=\"112\" width=\"\(String(format: "%.1f", length))\" height=\"14\"><title>\(stretch.state) from \(String(format: "%.2f", stretch.start)) s</title></rect>"
        + label
    }.joined()
  }

  /// What was said and understood, and what was answered, each above or below its sound.
  private var words: String {
    func label(_ text: String, _ start: Double, _ end: Double, y: Double, _ kind: String) -> String
    {
      let room = max(24, (end - start) / duration * width)
      let fits = Int(room / 6.2)
      let shown = text.count <= fits ? text : String(text.prefix(max(1, fits - 1))) + "…"
      return
        "<text class=\"small \(kind)\" x=\"\(x(start))\" y=\"\(y)\">\(escaped(shown))<title>\(escaped(text))</title></text>"
    }
    let said = outcome.lines.map { line in
      label(
        "\(line.person): \(line.words)", line.start / .seconds(1),
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

  /// From the end of a line to the first sound of what answers it.
  private var latencies: String {
    outcome.events.compactMap { event -> String? in
      guard case .timings(let timings) = event.kind, let total = timings.total else { return nil }
      let (length, end) = (total / .seconds(1), event.time / .seconds(1))
      let text = String(format: "%.0f ms", length * 1_000)
      return
        "<path class=\"wait\" d=\"M\(x(end - length)) 44H\(x(end))m-4 -4l4 4l-4 4\"><title>first sound after \(text)</title></path>"
        + "<text class=\"small\" x=\"\(x(end))\" y=\"48\" dx=\"3\">\(text)</text>"
    }.joined()
  }
}
