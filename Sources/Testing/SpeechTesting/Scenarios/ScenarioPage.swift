import Dispatch
import SpeechConcurrency
import SpeechLab

/// Outcomes as a self-contained HTML page: both voices as waveforms with their words, the states of
/// the loop, latencies and verdicts. The audio plays at a click or a key.
public enum ScenarioPage {
  /// Returns the text of the page.
  public static func text(of outcomes: [ScenarioOutcome], title: String = "Scenarios") -> String {
    let failed = outcomes.count { !$0.isPassed }
    let verdict =
      failed == 0
      ? "All \(outcomes.count) scenarios passed."
      : "\(failed) of \(outcomes.count) scenarios failed."
    let time = outcomes.reduce(0) { $0 + $1.duration }
    let seconds = outcomes.reduce(0) { $0 + $1.seconds }
    var body = "<p role=\"status\"><strong>\(verdict)</strong> "
    body += String(format: "%.1f s of conversation in %.1f s.</p>\n", time, seconds)
    if (1..<outcomes.count).contains(failed) {
      body +=
        "<p><label><input type=\"checkbox\" id=\"failed\" /> Show only those that "
        + "failed</label></p>\n"
    }
    body += legend
    // Failures first, otherwise in the order of the command line.
    let order = outcomes.enumerated().sorted {
      ($0.element.isPassed ? 1 : 0, $0.offset) < ($1.element.isPassed ? 1 : 0, $1.offset)
    }
    body += sections(order.map(\.element)).joined()
    return HTMLPage(title: title, body: body, style: style, script: script).text
  }

  private static let legend = """
    <details class="legend"><summary>How to read this page, and its keys</summary>
    <p>Time runs from left to right. The upper half of a picture shows the microphone's audio, the \
    lines that were spoken and the words that were recognised; the lower half shows the replies. \
    The band between them shows the state of the loop, and arrows show how long the user waited \
    for the first audio of a reply. A click plays from that position.</p>
    <p>On a scenario, Enter opens it, and ↓, ↑, Home and End move to another one. On the position \
    slider, the arrow keys move by a second and Page Up and Page Down by ten, Home and End move to \
    the ends, and Space plays or pauses.</p>
    </details>

    """

  /// In parallel, because encoding the audio of hundreds of conversations takes time.
  private static func sections(_ outcomes: [ScenarioOutcome]) -> [String] {
    let texts = Guarded([String](repeating: "", count: outcomes.count))
    DispatchQueue.concurrentPerform(iterations: outcomes.count) { number in
      let text = section(outcomes[number], number: number)
      texts.withLock { $0[number] = text }
    }
    return texts.withLock { $0 }
  }

  private static func section(_ outcome: ScenarioOutcome, number: Int) -> String {
    func escaped(_ text: String) -> String { HTMLPage.escaped(text) }
    let mark = outcome.isPassed ? "passed" : "failed"
    let isOpen = outcome.isPassed ? "" : " open=\"open\""
    var text = "<details class=\"scenario \(mark)\" id=\"scenario-\(number)\"\(isOpen)>\n"
    text += "<summary><span class=\"mark\">\(outcome.isPassed ? "✔" : "✘") \(mark)</span> "
    text += "<h2>\(escaped(outcome.name))</h2> "
    text += "<span class=\"hint\">\(escaped(hint(outcome)))</span></summary>\n"
    if !outcome.isPassed {
      text += HTMLPage.scrolling(
        "Unmet expectations of \(outcome.name)",
        "<pre class=\"objection\">\(escaped(outcome.objections))</pre>")
    }
    if outcome.error == nil {
      text += ScenarioTimeline(outcome).markup + "\n"
      // The reason is given above, where its words are aligned.
      let rows = outcome.verdicts.map { verdict in
        [
          verdict.expectation, String(verdict.line),
          verdict.objection == nil
            ? verdict.time.map { String(format: "✔ at %.2f s", $0) } ?? "✔ yes" : "✘ no",
        ]
      }
      text += HTMLPage.table(
        "Expectations of \(outcome.name)", [["expected", "line", "met"]] + rows)
      text += latencies(outcome)
      let title = "Events of \(outcome.name)"
      text += "<details><summary>\(escaped(title))</summary>\n"
      text += HTMLPage.scrolling(title, "<pre>\(escaped(outcome.story))</pre>") + "</details>\n"
    }
    return text + "</details>\n"
  }

  /// The position of the scenario, or for a failure that of its first unmet expectation.
  private static func hint(_ outcome: ScenarioOutcome) -> String {
    let failures = outcome.verdicts.filter { $0.objection != nil }
    var parts = [outcome.file].filter { !$0.isEmpty }
    if let first = failures.first {
      parts = [
        outcome.file.isEmpty ? "line \(first.line)" : "\(outcome.file):\(first.line)",
        "\(failures.count) of \(outcome.verdicts.count) not met",
      ]
    }
    parts += [String(format: "%.1f s", outcome.duration), "seed \(outcome.seed)"]
    return parts.joined(separator: " · ")
  }

  private static func latencies(_ outcome: ScenarioOutcome) -> String {
    let stages = ConversationExpectation.Stage.allCases
    let rows = outcome.events.compactMap { event -> [String]? in
      guard case .timings(let timings) = event.kind else { return nil }
      return ["Turn \(timings.turn)"]
        + stages.map { stage in
          timings.length(of: stage).map { String(format: "%.0f ms", $0 / .milliseconds(1)) } ?? "–"
        }
    }
    guard !rows.isEmpty else { return "" }
    return HTMLPage.table(
      "Durations of the stages of \(outcome.name)", [["turn"] + stages.map(\.rawValue)] + rows)
  }

  private static let style = """

    .scenario { border: 1px solid var(--line); border-radius: .3rem; margin: .6rem 0; padding: \
    .4rem .8rem; }
    .scenario > summary { cursor: pointer; overflow-wrap: anywhere; }
    .scenario h2 { display: inline; margin: 0; font-size: 1rem; font-weight: 600; }
    .hint { opacity: .75; font-size: .9rem; }
    summary:focus-visible, button:focus-visible, input:focus-visible { outline: 3px solid \
    var(--focus); outline-offset: 2px; }
    .passed > summary .mark { color: rgb(var(--right)); } .failed > summary .mark { color: \
    var(--one); font-weight: 600; }
    pre { font: 13px/1.45 ui-monospace, monospace; padding: .6rem; margin: 0; border: 1px solid \
    var(--line); }
    pre { width: max-content; min-width: 100%; box-sizing: border-box; }
    .objection { border-left: 4px solid var(--one); }
    figure { margin: 1rem 0; } .player { max-width: none; display: flex; flex-wrap: wrap; gap: \
    .3rem .6rem; align-items: center; }
    .player input { flex: 1 1 8rem; min-width: 0; max-width: 30rem; accent-color: var(--two); } \
    .clock { font-variant-numeric: tabular-nums; }
    button { font: inherit; padding: .2rem .8rem; } .timeline svg { display: block; cursor: \
    crosshair; }
    svg text.small { font-size: 11px; }
    path.people { fill: var(--two); stroke: var(--two); } path.reply { fill: var(--one); stroke: \
    var(--one); }
    text.heard { font-style: italic; }
    .state { opacity: .45; } .state.listening { fill: var(--line); } .state.thinking { fill: \
    var(--focus); }
    .state.speaking { fill: var(--one); } .state.held { fill: var(--two); } .state.asleep { fill: \
    none; stroke: var(--line); }
    .state.lost { fill: var(--ink); opacity: .3; } .wait { stroke: var(--focus); fill: none; \
    stroke-width: 1.5; }
    .head { stroke: var(--ink); stroke-width: 1.5; } .only-failed .scenario.passed { display: \
    none; }

    """

  // Without characters that are special in XML.
  private static let script = """

    (function () {
      'use strict';
      var current = null;
      // Audio is decoded on demand, because hundreds of recordings would make the page slow.
      function make(figure) {
        if (figure.player) { return figure.player; }
        var row = figure.querySelector('.player');
        if (!row) { return null; }
        var data = row.dataset;
        var length = Number(data.length);
        var slider = row.querySelector('input');
        var button = row.querySelector('.play');
        var clock = row.querySelector('.clock');
        var head = figure.querySelector('.head');
        var frame = figure.querySelector('.wide');
        var audio = new Audio(data.sound);
        var player = { audio: audio, seek: seek, play: play, toggle: toggle, length: length };
        figure.player = player;
        function show() {
          var time = Math.min(audio.currentTime, length);
          var place = time / length;
          head.setAttribute('x1', place * 960); head.setAttribute('x2', place * 960);
          slider.value = time;
          clock.textContent = time.toFixed(1) + ' s';
          slider.setAttribute('aria-valuetext', time.toFixed(1)
            + ' of ' + length.toFixed(1) + ' seconds');
        }
        function follow() {
          show();
          var place = head.getBoundingClientRect().left - frame.getBoundingClientRect().left;
          if (place !== Math.max(0, Math.min(frame.clientWidth, place))) {
            frame.scrollLeft += place - frame.clientWidth / 4;
          }
        }
        function change() {
          button.textContent = audio.paused ? '▶ Play' : '❚❚ Pause';
          button.setAttribute('aria-label', (audio.paused ? 'Play ' : 'Pause ') + data.name);
          show();
          run();
        }
        function run() { if (!audio.paused) { follow(); requestAnimationFrame(run); } }
        function seek(time) {
          audio.currentTime = Math.max(0, Math.min(length, time));
          follow();
        }
        function play() {
          if (current) { if (current !== player) { current.audio.pause(); } }
          current = player;
          audio.play().catch(function (error) {
            if (error.name === 'AbortError') { return; }
            row.querySelector('.problem').textContent = 'The audio cannot be played here: ' +
            error.message;
          });
        }
        function toggle() { if (audio.paused) { play(); } else { audio.pause(); } }
        ['play', 'pause', 'ended'].forEach(function (what) { audio.addEventListener(what, change);
        });
        audio.addEventListener('seeked', show);
        return player;
      }
      function playerOf(target) {
        var figure = target.closest ? target.closest('figure.timeline') : null;
        return figure ? make(figure) : null;
      }
      document.addEventListener('click', function (event) {
        var player = playerOf(event.target);
        if (!player) { return; }
        var svg = event.target.closest('svg');
        if (event.target.closest('.play')) { player.toggle(); }
        else if (svg) {
          var box = svg.getBoundingClientRect();
          player.seek((event.clientX - box.left) / box.width * player.length);
          player.play();
        }
      });
      document.addEventListener('input', function (event) {
        if (event.target.type !== 'range') { return; }
        playerOf(event.target).seek(Number(event.target.value));
      });
      var steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown:
      -10 };
      document.addEventListener('keydown', function (event) {
        if (event.ctrlKey || event.altKey || event.metaKey) { return; }
        var target = event.target;
        if (target.type === 'range') {
          var player = playerOf(target);
          if (event.key === ' ' || event.key === 'Enter') { player.toggle();
          event.preventDefault(); }
          else if (steps[event.key]) { player.seek(player.audio.currentTime + steps[event.key]);
          event.preventDefault(); }
          return;
        }
        if (!target.matches('.scenario > summary')) { return; }
        var all = Array.from(document.querySelectorAll('.scenario > summary')).filter(function
        (one) {
          return !document.body.classList.contains('only-failed') ||
          one.parentNode.classList.contains('failed');
        });
        var place = all.indexOf(target);
        var next = { ArrowDown: all[place + 1], ArrowUp: all[place - 1], Home: all[0], End:
        all[all.length - 1] }[event.key];
        if (next) { next.focus(); event.preventDefault(); }
      });
      var box = document.getElementById('failed');
      if (box) {
        box.addEventListener('change', function () { document.body.classList.toggle('only-failed',
        box.checked); });
        // Browsers keep a checkbox when a page is reloaded.
        document.body.classList.toggle('only-failed', box.checked);
      }
    })();

    """
}
