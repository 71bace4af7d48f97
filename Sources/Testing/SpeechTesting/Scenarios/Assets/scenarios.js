// Without characters that are special in XML, because the page is XHTML.
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
        row.querySelector('.problem').textContent =
          'The audio cannot be played here: ' + error.message;
      });
    }
    function toggle() { if (audio.paused) { play(); } else { audio.pause(); } }
    ['play', 'pause', 'ended'].forEach(function (what) {
      audio.addEventListener(what, change);
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
  var steps = {
    ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10
  };
  document.addEventListener('keydown', function (event) {
    if (event.ctrlKey || event.altKey || event.metaKey) { return; }
    var target = event.target;
    if (target.type === 'range') {
      var player = playerOf(target);
      if (event.key === ' ' || event.key === 'Enter') {
        player.toggle();
        event.preventDefault();
      } else if (steps[event.key]) {
        player.seek(player.audio.currentTime + steps[event.key]);
        event.preventDefault();
      }
      return;
    }
    if (!target.matches('.scenario > summary')) { return; }
    var summaries = Array.from(document.querySelectorAll('.scenario > summary'));
    var all = summaries.filter(function (one) {
      return !document.body.classList.contains('only-failed') ||
        one.parentNode.classList.contains('failed');
    });
    var place = all.indexOf(target);
    var next = {
      ArrowDown: all[place + 1], ArrowUp: all[place - 1], Home: all[0], End: all[all.length - 1]
    }[event.key];
    if (next) { next.focus(); event.preventDefault(); }
  });
  var box = document.getElementById('failed');
  if (box) {
    box.addEventListener('change', function () {
      document.body.classList.toggle('only-failed', box.checked);
    });
    // Browsers keep a checkbox when a page is reloaded.
    document.body.classList.toggle('only-failed', box.checked);
  }
})();
