/// Outcomes as a page that stands by itself: both voices as waveforms with their words, what the loop did, the
/// latencies, what was expected; sound plays at a click or by the keyboard.
public enum ScenarioPage {
  /// The page's text.
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
    body +=
      "<p><label><input type=\"checkbox\" id=\"failed\" /> Show only those that failed</label> "
    body += "<span class=\"hint\">(j and k go to the next and the one before)</span></p>\n"
    // Failures first; else the order of the command line.
    let order = outcomes.enumerated().sorted {
      ($0.element.isPassed ? 1 : 0, $0.offset) < ($1.element.isPassed ? 1 : 0, $1.offset)
    }
    for (number, item) in order.enumerated() {
      body += section(item.element, number: number)
    }
    return HTMLPage(title: title, body: body, style: style, script: script).text
  }

  private static func section(_ outcome: ScenarioOutcome, number: Int) -> String {
    func escaped(_ text: String) -> String { HTMLPage.escaped(text) }
    let mark = outcome.isPassed ? "passed" : "failed"
    let isOpen = outcome.isPassed ? "" : " open=\"open\""
    var text = "<details class=\"scenario \(mark)\" id=\"scenario-\(number)\"\(isOpen)>\n"
    text += "<summary><span class=\"mark\">\(outcome.isPassed ? "✔" : "✘") \(mark)</span> "
    text += "<span class=\"name\">\(escaped(outcome.name))</span> "
    text +=
      "<span class=\"hint\">\(escaped(outcome.file)) · \(String(format: "%.1f", outcome.duration)) s"
      + " · seed \(outcome.seed)</span></summary>\n"
    if !outcome.isPassed {
      text += "<pre class=\"objection\" tabindex=\"0\">\(escaped(outcome.objections))</pre>\n"
    }
    if outcome.error == nil {
      text += ScenarioTimeline(outcome, number: number).markup + "\n"
      text += HTMLPage.table(
        "Expectations of \(outcome.name)", heading: ["Expected", "Line", "Met", "Why not"],
        rows: outcome.verdicts.map { verdict in
          [
            verdict.expectation, String(verdict.line),
            verdict.objection == nil
              ? verdict.time.map { String(format: "✔ at %.2f s", $0) } ?? "✔" : "✘ no",
            verdict.objection ?? "",
          ]
        })
      text += latencies(outcome)
      text += "<details><summary>What happened</summary>\n"
      text += "<pre tabindex=\"0\">\(escaped(outcome.story))</pre></details>\n"
    }
    return text + "</details>\n"
  }

  private static func latencies(_ outcome: ScenarioOutcome) -> String {
    let rows = outcome.events.compactMap { event -> [String]? in
      guard case .timings(let timings) = event.kind else { return nil }
      return ["Turn \(timings.turn)"]
        + ConversationExpectation.Stage.allCases.map { stage in
          timings.length(of: stage).map { String(format: "%.0f ms", $0 / .milliseconds(1)) } ?? "–"
        }
    }
    guard !rows.isEmpty else { return "" }
    return HTMLPage.table(
      "How long the stages took in \(outcome.name)",
      heading: ["Turn"] + ConversationExpectation.Stage.allCases.map(\.rawValue), rows: rows)
  }

  private static let style = """

    .scenario { border: 1px solid var(--line); border-radius: .3rem; margin: .6rem 0; padding: .4rem .8rem; }
    .scenario > summary { cursor: pointer; } .name { font-weight: 600; } .hint { opacity: .75; font-size: .9rem; }
    summary:focus-visible, button:focus-visible, pre:focus-visible, input:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
    .passed > summary .mark { color: rgb(var(--right)); } .failed > summary .mark { color: var(--one); font-weight: 600; }
    pre { overflow-x: auto; font: 13px/1.45 ui-monospace, monospace; padding: .6rem; border: 1px solid var(--line); }
    .objection { border-left: 4px solid var(--one); } td { white-space: pre-wrap; }
    figure { margin: 1rem 0; } figcaption { font-size: .85rem; opacity: .8; }
    button { font: inherit; padding: .2rem .8rem; } .timeline .wide { cursor: crosshair; }
    .timeline svg { max-width: none; display: block; } svg text.small { font-size: 11px; }
    path.people { fill: var(--two); } path.reply { fill: var(--one); } text.heard { font-style: italic; }
    .state { opacity: .45; } .state.listening { fill: var(--line); } .state.thinking { fill: var(--focus); }
    .state.speaking { fill: var(--one); } .state.held { fill: var(--two); } .state.asleep { fill: none; stroke: var(--line); }
    .state.deaf { fill: var(--ink); } .wait { stroke: var(--focus); fill: none; stroke-width: 1.5; }
    .head { stroke: var(--ink); stroke-width: 1.5; } .only-failed .scenario.passed { display: none; }

    """

  // Without the signs that XML reads as its own.
  private static let script = """

    (function () {
      'use strict';
      var current = null;
      function make(figure) {
        var state = figure.state;
        if (state) { return state; }
        var length = Number(figure.dataset.length);
        var slider = figure.querySelector('[role=slider]');
        var svg = figure.querySelector('svg');
        var head = figure.querySelector('.head');
        var button = figure.querySelector('.play');
        var clock = figure.querySelector('.clock');
        var name = button.getAttribute('aria-label').slice(5);
        var audio = new Audio(figure.dataset.sound);
        state = { audio: audio, show: show, seek: seek, toggle: toggle };
        figure.state = state;
        function show() {
          var time = Math.min(audio.currentTime, length);
          var x = time / length * 960;
          head.setAttribute('x1', x); head.setAttribute('x2', x);
          clock.textContent = time.toFixed(1) + ' s';
          slider.setAttribute('aria-valuenow', time.toFixed(1));
          slider.setAttribute('aria-valuetext', time.toFixed(1) + ' seconds');
          button.textContent = audio.paused ? '▶ Play' : '❚❚ Pause';
          button.setAttribute('aria-label', (audio.paused ? 'Play ' : 'Pause ') + name);
          if (!audio.paused) { requestAnimationFrame(show); }
        }
        function seek(time) {
          audio.currentTime = Math.max(0, Math.min(length, time));
          show();
        }
        function play() {
          if (current) { if (current !== state) { current.audio.pause(); } }
          current = state;
          audio.play().catch(function () {});
        }
        function toggle() { if (audio.paused) { play(); } else { audio.pause(); } }
        ['play', 'pause', 'ended', 'seeked'].forEach(function (what) { audio.addEventListener(what, show); });
        state.from = function (event) {
          var box = svg.getBoundingClientRect();
          seek((event.clientX - box.left) / box.width * length);
          play();
        };
        return state;
      }
      function figureOf(target) { return target.closest ? target.closest('figure.timeline') : null; }
      document.addEventListener('click', function (event) {
        var figure = figureOf(event.target);
        if (!figure) { return; }
        if (event.target.closest('.play')) { make(figure).toggle(); }
        else if (event.target.closest('svg')) { make(figure).from(event); }
      });
      document.addEventListener('keydown', function (event) {
        if (event.ctrlKey || event.altKey || event.metaKey) { return; }
        var target = event.target;
        if (target.getAttribute ? target.getAttribute('role') === 'slider' : false) {
          var state = make(figureOf(target));
          var time = state.audio.currentTime;
          var step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
          if (event.key === ' ' || event.key === 'Enter') { state.toggle(); event.preventDefault(); }
          else if (event.key === 'Home') { state.seek(0); event.preventDefault(); }
          else if (event.key === 'End') { state.seek(1e9); event.preventDefault(); }
          else if (step) { state.seek(time + step); event.preventDefault(); }
          return;
        }
        if (event.key !== 'j') { if (event.key !== 'k') { return; } }
        var all = Array.from(document.querySelectorAll('.scenario > summary')).filter(function (one) { return one.offsetParent !== null; });
        var place = all.indexOf(document.activeElement);
        var next = all[event.key === 'j' ? place + 1 : Math.max(0, place - 1)];
        if (next) { next.focus(); event.preventDefault(); }
      });
      document.getElementById('failed').addEventListener('change', function (event) {
        document.body.classList.toggle('only-failed', event.target.checked);
      });
    })();

    """
}
