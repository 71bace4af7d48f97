// The whole page. Whatever comes from outside is put in as text: nothing here makes markup of a string, and
// the page's policy would refuse it.

// MARK: Making elements

function el(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "value") element.value = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

let lastID = 0;
const freshID = (base) => `${base}-${++lastID}`;

function field(label, control, hint) {
  control.id ||= freshID("field");
  const parts = [el("label", { for: control.id }, label), control];
  if (hint) {
    const id = freshID("hint");
    control.setAttribute("aria-describedby", id);
    parts.push(el("p", { class: "hint", id }, hint));
  }
  return el("div", { class: "field" }, parts);
}

const text = (name, value, more = {}) => el("input", { name, type: "text", autocomplete: "off", spellcheck: "false", value: value ?? "", ...more });
const number = (name, value, more = {}) => el("input", { name, type: "number", step: "any", inputmode: "decimal", value: value ?? "", ...more });
const area = (name, value, more = {}) => el("textarea", { name, value: value ?? "", ...more });
const button = (label, onclick, more = {}) => el("button", { type: "button", onclick, ...more }, label);

function select(name, value, choices, more = {}) {
  const element = el("select", { name, ...more },
    choices.map(([key, label]) => el("option", { value: key }, label)));
  element.value = value;
  return element;
}

function tick(name, value, label, isOn) {
  const box = el("input", { type: "checkbox", name, value });
  box.checked = isOn;
  return el("label", { class: "choice" }, box, el("span", {}, label));
}

const lines = (value) => value.split("\n").map((line) => line.trim()).filter(Boolean);
const numberOf = (value) => (value.trim() === "" ? null : Number(value));

function pairs(value, sign) {
  const found = {};
  for (const line of lines(value)) {
    const place = line.indexOf(sign);
    if (place < 1) throw new Problem(`“${line}” is not of the form “name ${sign} value”.`);
    found[line.slice(0, place).trim()] = line.slice(place + 1).trim();
  }
  return found;
}

const unpaired = (object, sign) => Object.entries(object).map(([key, value]) => `${key}${sign === ":" ? "" : " "}${sign} ${value}`).join("\n");

// MARK: Telling

function announce(message) {
  const announcer = document.getElementById("announcer");
  announcer.textContent = "";
  // A text that is put in anew is read again.
  setTimeout(() => { announcer.textContent = message; });
}

class Problem extends Error {
  constructor(message, faults = [], status = undefined) {
    super(message);
    this.faults = faults;
    this.status = status;
  }
}

// A place for what went wrong, which is read out and gets the focus.
function alertBox() {
  const box = el("div", { class: "alert", role: "alert", tabindex: "-1", hidden: true });
  return {
    element: box,
    clear() { box.hidden = true; box.replaceChildren(); },
    show(error) {
      const faults = error.faults ?? [];
      box.replaceChildren(el("p", {}, error.message),
        ...(faults.length && faults[0].line
          ? [el("ul", {}, faults.map((fault) => el("li", {}, `Line ${fault.line}, column ${fault.column}: ${fault.message}`)))] : []));
      box.hidden = false;
      box.focus();
    },
  };
}

// Does something that may fail, with its button disabled meanwhile.
async function attempt(box, control, work) {
  box?.clear();
  if (control) control.disabled = true;
  try {
    return await work();
  } catch (error) {
    if (error.name !== "AbortError") box?.show(error);
    return undefined;
  } finally {
    if (control) control.disabled = false;
  }
}

// MARK: Talking to the program

let state;

async function request(path, body, signal) {
  let response;
  try {
    response = await fetch(path, body === undefined ? { signal } : {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem("The console does not answer. Is “speechkit console” still running?");
  }
  if (response.ok) return response;
  let told;
  try { told = await response.json(); } catch { told = {}; }
  throw new Problem(told.error ?? `The console answered with status ${response.status}.`, told.faults, response.status);
}

const ask = async (path, body, signal) => (await request(path, body, signal)).json();

// The events of something that the program does. It is told at once when they are not wanted any more: a
// connection that is merely closed is noticed later.
async function* events(path, body, signal, onBegun = () => {}) {
  let work, isOver = false;
  const stop = () => { if (work && !isOver) navigator.sendBeacon("/api/stop", new Blob([JSON.stringify({ id: work })], { type: "application/json" })); };
  signal.addEventListener("abort", stop);
  addEventListener("pagehide", stop);
  try {
    for await (const event of stream(await request(path, body, signal))) {
      if (event.event === "begun") onBegun(work = event.id);
      else yield event;
    }
    isOver = true;
  } finally {
    signal.removeEventListener("abort", stop);
    removeEventListener("pagehide", stop);
  }
}

async function* stream(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let pending = "";
  while (true) {
    const { value, done } = await reader.read();
    if (done) return;
    pending += value;
    let end;
    while ((end = pending.indexOf("\n\n")) >= 0) {
      const data = pending.slice(0, end).split("\n").filter((line) => line.startsWith("data: ")).map((line) => line.slice(6)).join("\n");
      pending = pending.slice(end + 2);
      if (data) yield JSON.parse(data);
    }
  }
}

// MARK: Going from view to view

const main = document.getElementById("main");
const views = { home, run, actions, connectors, file, setup };
let leave = () => {};

function title(words) {
  document.title = `${words} – SpeechKit`;
  return el("h1", { tabindex: "-1" }, words);
}

function route() {
  const [, view = "home", ...rest] = location.hash.split("/");
  return { view: views[view] ? view : "home", name: rest.length ? decodeURIComponent(rest.join("/")) : undefined };
}

async function show({ focus = true } = {}) {
  leave();
  const loading = new AbortController();
  leave = () => loading.abort();
  main.setAttribute("aria-busy", "true");
  const { view, name } = route();
  for (const link of document.querySelectorAll("nav a")) {
    if (link.getAttribute("href") === `#/${view}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  try {
    // The file can be looked at when it has faults, which is when nothing else can.
    const loaded = await ask(view === "file" ? "/api/file" : "/api/state", undefined, loading.signal);
    // Another view was opened meanwhile, and this one would take its place.
    if (loading.signal.aborted) return;
    if (view !== "file") state = loaded;
    main.replaceChildren(...views[view](view === "file" ? loaded : name).flat().filter(Boolean));
  } catch (error) {
    if (loading.signal.aborted) return;
    const box = alertBox();
    main.replaceChildren(title("Something is wrong"), box.element,
      el("p", {}, "Nothing has been changed. "),
      el("div", { class: "row" }, button("Try again", () => show()),
        error.faults?.length ? el("a", { class: "button", href: "#/file" }, "Edit the file") : undefined));
    box.show(error);
    return;
  } finally {
    if (!loading.signal.aborted) main.setAttribute("aria-busy", "false");
  }
  if (focus) {
    scrollTo(0, 0);
    main.querySelector("h1").focus({ preventScroll: true });
  }
}

function go(hash) {
  if (location.hash === hash) return show();
  location.hash = hash;
}

addEventListener("hashchange", (event) => {
  if (location.hash === "#main") {
    history.replaceState(null, "", new URL(event.oldURL).hash || "#/home");
    main.focus();
    return;
  }
  show();
});

// MARK: Words

const seconds = (milliseconds) => (milliseconds < 1000 ? `${milliseconds} ms` : `${(milliseconds / 1000).toFixed(1)} s`);
const money = (cost) => (cost === 0 ? "free" : `about ${cost < 0.01 ? cost.toPrecision(2) : cost.toFixed(2)}`);
const moment = (date) => new Date(date).toLocaleString();
const modes = [["sequential", "One after another"], ["parallel", "All at once, every answer"], ["first-success", "All at once, the first answer"], ["hedged", "The next one when the first is late"]];
const modeName = Object.fromEntries(modes);
const outputs = [["text", "Plain text"], ["markdown", "Markdown"], ["sentence-pairs", "Sentences with their translations"], ["corrections", "Corrections with reasons"], ["diff", "What was changed"], ["json", "JSON by a schema"]];
const processings = [["clean-up", "Take away fences and quotation marks around it"], ["plain-text", "Markdown becomes plain text"], ["ansi", "Markdown becomes a terminal's colours"], ["replace", "It replaces the text"]];
const privacies = [["anywhere", "To any connector"], ["this-machine", "It never leaves this machine, and no answer is kept"], ["this-machine-cached", "It never leaves this machine; answers may be kept in memory"]];
const kinds = [["openai", "OpenAI or compatible"], ["azure", "Azure OpenAI"], ["anthropic", "Anthropic"], ["socket", "LLM socket"], ["on-device", "On this machine"]];
const kindName = Object.fromEntries(kinds);
const activeActions = () => state.actions.filter((action) => !action.isArchived);
const actionNamed = (id) => state.actions.find((action) => action.id === id);
const connectorNamed = (id) => state.connectors.find((view) => view.connector.id === id);
const titleOf = (id) => connectorNamed(id)?.connector.name ?? id;

function asked(action) {
  if (!action.connectors.length) return "all active connectors";
  return action.connectors.map(titleOf).join(", ");
}

function facts(entries) {
  return el("dl", { class: "facts" }, entries.filter(([, value]) => value !== undefined && value !== null && value !== "")
    .map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]).flat());
}

// MARK: Home

function home() {
  const action = actionNamed(state.defaultAction);
  const working = state.connectors.filter((view) => view.connector.isActive);
  return [
    title("Home"),
    !working.length && el("div", { class: "card" },
      el("h2", {}, "Nothing is set up yet"),
      el("p", {}, "Add a service that answers, try it, and run your first action."),
      el("a", { class: "button", href: "#/setup" }, "Begin the set-up")),
    el("h2", {}, "Default action"),
    action
      ? el("div", { class: "card" }, el("h3", {}, action.name),
          facts([["Asks", `${asked(action)}; ${modeName[action.mode].toLowerCase()}`], ["Text goes", privacies.find(([key]) => key === action.privacy)[1]]]),
          el("div", { class: "row" },
            el("a", { class: "button", href: `#/run/${encodeURIComponent(action.id)}` }, `Run ${action.name}`),
            el("a", { class: "button", href: `#/actions/${encodeURIComponent(action.id)}` }, `Edit ${action.name}`)))
      : el("p", {}, "There is no action. ", el("a", { href: "#/actions/+new" }, "Write one.")),
    el("h2", {}, "Connectors"),
    working.length
      ? el("ul", { class: "plain" }, working.map((view) => el("li", {}, healthLine(view))))
      : el("p", { class: "muted" }, "None is active."),
    el("h2", {}, "Last runs"),
    state.runs.length
      ? el("ul", { class: "plain" }, state.runs.map((entry) => el("li", { class: "card" },
          el("h3", {}, entry.actionName),
          el("p", {}, entry.text || "(private)"),
          el("p", { class: entry.error ? "bad" : "muted" },
            entry.error ?? `Answered by ${entry.answered.map(titleOf).join(", ")} in ${seconds(entry.milliseconds)}${entry.cost === undefined ? "" : `, ${money(entry.cost)}`}`),
          el("p", { class: "muted" }, moment(entry.date)))))
      : el("p", { class: "muted" }, "None since the console was started. Runs are not written down."),
  ];
}

function healthLine({ connector, health }) {
  const line = [el("strong", {}, connector.name), ` – ${health.state}`];
  if (health.lastMilliseconds !== undefined) line.push(`, last answer in ${seconds(health.lastMilliseconds)}`);
  if (health.failures) line.push(`, ${health.failures} of ${health.failures + health.successes} failed`);
  return el("p", {}, line);
}

// MARK: Running

function run(name) {
  const offered = activeActions();
  const action = (name && actionNamed(name)) || actionNamed(state.defaultAction) || offered[0];
  if (!action) return [title("Run"), el("p", {}, "There is no action. ", el("a", { href: "#/actions/+new" }, "Write one."))];
  return [title("Run"), runSheet(action, offered)];
}

function runSheet(first, offered, { onFinished } = {}) {
  const box = alertBox();
  const choice = select("action", first.id, offered.map((action) => [action.id, action.name]));
  const source = area("text", "", { placeholder: "Type or paste a text", required: true });
  const from = text("sourceLanguage", "", { placeholder: "as found" });
  const to = text("targetLanguage", "", { placeholder: "as the action says" });
  const own = el("div", { class: "two" });
  const answers = el("div", { class: "answers" });
  const summary = el("p", { class: "muted" });
  const stop = button("Stop", () => abort?.abort(), { hidden: true });
  const start = el("button", { type: "submit", class: "main" }, "Run");
  let abort, heading;

  function showVariables() {
    const action = actionNamed(choice.value);
    own.replaceChildren(...Object.entries(action.variables).map(([name, value]) =>
      field(name, text(name, "", { placeholder: value, "data-variable": name }))));
  }
  choice.addEventListener("change", showVariables);
  showVariables();

  async function perform() {
    box.clear();
    source.removeAttribute("aria-invalid");
    abort?.abort();
    const mine = abort = new AbortController();
    answers.replaceChildren();
    summary.textContent = "";
    const cards = new Map();
    const card = (id) => {
      if (!cards.has(id)) {
        cards.set(id, answerCard(id, () => work));
        answers.append(cards.get(id).element);
      }
      return cards.get(id);
    };
    const variables = Object.fromEntries([...own.querySelectorAll("[data-variable]")]
      .filter((control) => control.value).map((control) => [control.dataset.variable, control.value]));
    stop.hidden = false;
    heading.hidden = false;
    announce("Asking.");
    let isOver = false, work;
    try {
      const query = {
        action: choice.value, text: source.value, sourceLanguage: from.value || null,
        targetLanguage: to.value || null, variables,
      };
      for await (const event of events("/api/run", query, mine.signal, (id) => { work = id; })) {
        if (event.event === "completed") {
          isOver = true;
          if (event.error) box.show(new Problem(event.error));
          summary.textContent = `${event.answers.length === 1 ? "One answer" : `${event.answers.length} answers`} in ${seconds(event.latencyMilliseconds)}${event.cost === undefined ? "" : `, ${money(event.cost)}`}.`;
          announce(event.error ?? summary.textContent);
          onFinished?.(event);
        } else {
          card(event.connector).take(event);
        }
      }
      if (!isOver) throw new Problem("The console stopped answering in the middle. Run it again.");
    } catch (error) {
      if (error.name === "AbortError") {
        for (const each of cards.values()) each.take({ event: "cancelled", reason: "user" });
        if (mine === abort) { summary.textContent = "Stopped."; announce("Stopped."); }
      } else {
        if (!source.value.trim()) source.setAttribute("aria-invalid", "true");
        box.show(error);
      }
    } finally {
      if (mine === abort) { stop.hidden = true; if (document.activeElement === document.body) start.focus(); }
    }
  }

  const form = el("form", {
    onsubmit: (event) => { event.preventDefault(); perform(); },
    onkeydown: (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); form.requestSubmit(); }
      if (event.key === "Escape" && !stop.hidden) abort.abort();
    },
    novalidate: true,
  },
    box.element, field("Action", choice), field("Text", source, "Control and Enter runs it, Escape stops it."),
    el("div", { class: "two" }, field("From language", from), field("Into language", to)), own,
    el("div", { class: "row" }, start, stop));
  heading = el("h2", { hidden: true }, "Answers");
  leave = () => abort?.abort();
  return el("div", {}, form, heading, answers, summary);
}

// What a connector answers; `run` tells by what name its run is known to the program.
function answerCard(id, run) {
  const status = el("p", { class: "muted" }, "Waiting for the first word");
  const words = document.createTextNode("");
  const answer = el("div", { class: "answer", "aria-live": "polite", "aria-busy": "true" }, words);
  const said = el("p", { class: "bad", role: "alert", hidden: true });
  const name = titleOf(id);
  let speaking;

  const copy = button("Copy", async () => {
    try {
      await navigator.clipboard.writeText(words.data);
      announce("Copied.");
      copy.textContent = "Copied";
      setTimeout(() => { copy.textContent = "Copy"; }, 2000);
    } catch {
      getSelection().selectAllChildren(answer);
      announce("Selected. Press Control and C to copy.");
    }
  }, { "aria-label": `Copy the answer of ${name}`, disabled: true });

  const isComing = () => answer.getAttribute("aria-busy") === "true";
  const whenSettled = [];
  const settled = (signal) => new Promise((go, fail) => {
    if (!isComing()) return go();
    whenSettled.push(go);
    signal.addEventListener("abort", () => fail(signal.reason), { once: true });
  });
  const say = async (what, signal) => {
    for await (const event of events("/api/speak", what, signal)) {
      if (event.error) throw new Problem(event.error);
    }
  };
  const sayWhatComes = async (signal) => {
    try {
      await say({ run: run(), connector: id }, signal);
      return true;
    } catch (error) {
      // It has just ended, and the rest of it is on its way to this page.
      if (error.status !== 409) throw error;
      await settled(signal);
      return false;
    }
  };
  const speak = button("Speak", async () => {
    if (speaking) { speaking.abort(); return; }
    speaking = new AbortController();
    const { signal } = speaking;
    speak.textContent = "Stop speaking";
    said.hidden = true;
    try {
      if (!isComing() || !(await sayWhatComes(signal))) await say({ text: words.data }, signal);
    } catch (error) {
      if (error.name !== "AbortError") { said.textContent = error.message; said.hidden = false; }
    } finally {
      speaking = undefined;
      speak.textContent = "Speak";
    }
  }, { "aria-label": `Speak the answer of ${name}`, disabled: true, hidden: !state.canSpeak });

  const settle = (isGood) => {
    answer.setAttribute("aria-busy", "false");
    copy.disabled = speak.disabled = !words.data;
    status.className = isGood ? "muted" : "bad";
    for (const go of whenSettled.splice(0)) go();
  };
  return {
    element: el("article", { class: "card", "aria-label": name, "data-connector": id }, el("h3", {}, name), status, answer,
      said, el("div", { class: "row" }, copy, speak)),
    take(event) {
      switch (event.event) {
        case "started":
          words.data = "";
          answer.setAttribute("aria-busy", "true");
          status.className = "muted";
          status.textContent = "Waiting for the first word";
          break;
        case "text":
          words.appendData(event.text);
          // It is said while it comes.
          speak.disabled = false;
          if (status.textContent !== "Answering") status.textContent = "Answering";
          break;
        case "finished":
          words.data = event.text;
          status.textContent = [
            event.isCached ? "Kept from an earlier run" : `Answered in ${seconds(event.latencyMilliseconds)}`,
            event.firstTextMilliseconds !== undefined && `first word after ${seconds(event.firstTextMilliseconds)}`,
            event.outputTokens > 0 && `${event.inputTokens} tokens sent, ${event.outputTokens} answered`,
            event.cost !== undefined && money(event.cost), event.isCutOff && "cut off at the most tokens",
          ].filter(Boolean).join(", ");
          settle(true);
          break;
        case "failed":
          status.textContent = event.error;
          settle(false);
          break;
        case "cancelled":
          if (answer.getAttribute("aria-busy") === "false") break;
          status.textContent = { lost: "Another one was quicker", deadline: "The deadline passed" }[event.reason] ?? "Stopped";
          settle(true);
          break;
      }
    },
  };
}

// MARK: Actions

function actions(name) {
  if (name === "+new") {
    return actionForm({
      id: "", name: "", prompt: "{{text}}", system: "", output: "text", schema: "", formatting: [],
      postProcessing: ["clean-up"], variables: {}, mode: "sequential", hedgeMilliseconds: 1000, hedgesByObservation: false,
      connectors: [], retries: 2, spendingPeriod: "run", privacy: "anywhere", isArchived: false,
    });
  }
  if (name) {
    const action = actionNamed(name);
    return action ? actionForm(action, name) : [title("Actions"), el("p", { class: "bad" }, `There is no action “${name}”.`)];
  }
  const archived = state.actions.filter((action) => action.isArchived);
  const list = (some) => el("ul", { class: "plain" }, some.map((action) => el("li", { class: "card" },
    el("div", { class: "row spread" },
      el("div", {}, el("h3", {}, el("a", { href: `#/actions/${encodeURIComponent(action.id)}` }, action.name)),
        el("p", { class: "muted" }, action.id === state.defaultAction && el("strong", {}, "Default. "), `Asks ${asked(action)}.`)),
      !action.isArchived && el("a", { class: "button", href: `#/run/${encodeURIComponent(action.id)}`, "aria-label": `Run ${action.name}` }, "Run")))));
  return [
    title("Actions"),
    el("p", {}, el("a", { class: "button", href: "#/actions/+new" }, "New action")),
    el("h2", {}, "Offered"), list(activeActions()),
    archived.length && el("h2", {}, "Archived"), archived.length && list(archived),
  ];
}

function actionForm(action, original) {
  const box = alertBox();
  const revision = state.revision;
  const name = text("name", action.name, { required: true });
  const id = text("id", action.id, { class: "mono", placeholder: original ? "" : "made from the name" });
  const prompt = area("prompt", action.prompt, { class: "mono" });
  const system = area("system", action.system, { class: "mono short" });
  const variables = area("variables", unpaired(action.variables, "="), { class: "mono short", placeholder: "tone = friendly" });
  const output = select("output", action.output, outputs);
  const schema = field("JSON schema", area("schema", action.schema, { class: "mono" }));
  const formatting = area("formatting", action.formatting.join("\n"), { class: "short", placeholder: "One wish in each line" });
  const mode = select("mode", action.mode, modes);
  const late = number("hedgeMilliseconds", action.hedgeMilliseconds, { min: 1 });
  const observed = tick("hedgesByObservation", "yes", "Go by how quick it has been, once that is known", action.hedgesByObservation);
  const hedge = el("div", { class: "two" }, field("Late after (milliseconds)", late), el("div", { class: "field" }, observed));
  const sample = area("sample", "The quick brown fox jumps over the lazy dog.", { class: "short" });
  const sampleTo = text("sampleTo", "", { placeholder: "none given" });
  const order = connectorOrder(action.connectors);
  const refreshShown = () => {
    schema.hidden = output.value !== "json";
    hedge.hidden = mode.value !== "hedged";
  };
  output.addEventListener("change", refreshShown);
  mode.addEventListener("change", refreshShown);
  refreshShown();

  // MARK: the preview
  const filled = el("div", { class: "preview", tabindex: "0", role: "region", "aria-label": "What the model is asked", "aria-live": "off" });
  const faults = el("ul", { class: "bad log", "aria-live": "polite", "aria-label": "Faults of the template" });
  const used = el("p", { class: "hint" });
  let waiting, timer;
  async function preview() {
    waiting?.abort();
    const mine = waiting = new AbortController();
    let result;
    try {
      result = await ask("/api/preview", {
        prompt: prompt.value, system: system.value, variables: pairs(variables.value, "="), text: sample.value,
        sourceLanguage: null, targetLanguage: sampleTo.value || null,
      }, mine.signal);
    } catch (error) {
      if (error.name === "AbortError") return;
      result = { prompt: { pieces: [], faults: [] }, system: { pieces: [], faults: [{ line: 0, message: error.message }] } };
    }
    const origins = { input: "from the text it is run on", action: "from the action", words: "from the template", missing: "has no value" };
    const shown = [], told = [];
    for (const [part, label] of [[result.system, "The rules"], [result.prompt, "The prompt"]]) {
      for (const fault of part.faults) told.push(`${label}${fault.line ? `, line ${fault.line}, column ${fault.column}` : ""}: ${fault.message}`);
    }
    const names = new Map();
    for (const piece of result.prompt.pieces) {
      if (!piece.variable) { shown.push(document.createTextNode(piece.text)); continue; }
      names.set(piece.variable, origins[piece.origin] ?? piece.origin);
      shown.push(el("mark", { class: piece.origin === "missing" ? "missing" : undefined, title: `${piece.variable}: ${origins[piece.origin]}` }, piece.text || `{{${piece.variable}}}`));
    }
    filled.replaceChildren(...shown);
    if ([...faults.children].map((item) => item.textContent).join("\n") !== told.join("\n")) {
      faults.replaceChildren(...told.map((fault) => el("li", {}, fault)));
    }
    for (const [control, part] of [[prompt, result.prompt], [system, result.system]]) {
      if (part.faults.length) control.setAttribute("aria-invalid", "true");
      else control.removeAttribute("aria-invalid");
    }
    used.textContent = names.size ? `Variables: ${[...names].map(([key, origin]) => `${key} (${origin})`).join(", ")}` : "No variable is used.";
  }
  const later = () => { clearTimeout(timer); timer = setTimeout(preview, 120); };
  for (const control of [prompt, system, variables, sample, sampleTo]) control.addEventListener("input", later);
  leave = () => { clearTimeout(timer); waiting?.abort(); };
  preview();

  const read = (form) => ({
    id: id.value.trim(), name: name.value.trim(), prompt: prompt.value, system: system.value, output: output.value,
    schema: form.elements.schema.value, formatting: lines(formatting.value),
    postProcessing: [...form.querySelectorAll("[name=postProcessing]:checked")].map((input) => input.value),
    variables: pairs(variables.value, "="), mode: mode.value, hedgeMilliseconds: Number(late.value) || 0,
    hedgesByObservation: form.elements.hedgesByObservation.checked, connectors: order.chosen(),
    retries: Number(form.elements.retries.value), deadlineSeconds: numberOf(form.elements.deadlineSeconds.value),
    spendingAmount: numberOf(form.elements.spendingAmount.value), spendingPeriod: form.elements.spendingPeriod.value,
    cacheSeconds: numberOf(form.elements.cacheSeconds.value), privacy: form.elements.privacy.value, isArchived: action.isArchived,
  });
  const save = el("button", { type: "submit", class: "main" }, "Save");
  const change = (label, path, more, message) => button(label, (event) => attempt(box, event.target, async () => {
    state = await ask(path, { revision: state.revision, id: original, ...more });
    announce(message);
    go("#/actions");
  }));
  const form = el("form", {
    novalidate: true,
    onsubmit: (event) => {
      event.preventDefault();
      attempt(box, save, async () => {
        if (!name.value.trim()) { name.setAttribute("aria-invalid", "true"); throw new Problem("The action needs a name to be shown by."); }
        name.removeAttribute("aria-invalid");
        state = await ask("/api/action/save", { revision, original: original ?? null, action: read(form) });
        announce(`${name.value} is saved.`);
        go("#/actions");
      });
    },
  },
    box.element,
    el("div", { class: "two" }, field("Name", name), field("Id", id, "What it is called in commands: letters, digits, - and _.")),
    field("Prompt", prompt, `{{text}} is the text, {{name|words}} has words for when there is no value, {{#if name}}…{{/if}} asks for one. Known: ${state.knownVariables.join(", ")}.`),
    field("Rules for the model", system),
    field("Values of its own variables", variables, "A line for each, like tone = friendly."),
    el("section", { "aria-labelledby": "preview-heading" }, el("h2", { id: "preview-heading" }, "Preview"),
      el("div", { class: "two" }, field("Try it on this text", sample), field("Into language", sampleTo)),
      faults, filled, used),
    el("h2", {}, "Answer"),
    field("What is expected", output), schema, field("How it should look", formatting),
    el("fieldset", {}, el("legend", {}, "What becomes of it"), processings.map(([key, label]) => tick("postProcessing", key, label, action.postProcessing.includes(key)))),
    el("h2", {}, "Who is asked"),
    order.element, field("How", mode), hedge,
    el("div", { class: "two" },
      field("Sent again at most", number("retries", action.retries, { min: 0, max: 10 })),
      field("Deadline (seconds)", number("deadlineSeconds", action.deadlineSeconds, { placeholder: "none" })),
      field("It may cost", number("spendingAmount", action.spendingAmount, { placeholder: "any sum" })),
      field("Counted per", select("spendingPeriod", action.spendingPeriod, [["run", "run"], ["day", "day"], ["month", "month"]])),
      field("Keep answers (seconds)", number("cacheSeconds", action.cacheSeconds, { placeholder: "not at all" }))),
    field("The text may go", select("privacy", action.privacy, privacies)),
    el("div", { class: "row" }, save, el("a", { class: "button", href: "#/actions" }, "Back without saving"),
      original && change("Clone", "/api/action/clone", {}, "A copy was made."),
      original && (action.isArchived
        ? change("Take out of the archive", "/api/action/archive", { isArchived: false }, "It is offered again.")
        : change("Archive", "/api/action/archive", { isArchived: true }, "It is archived.")),
      original && !action.isArchived && original !== state.defaultAction && change("Make it the default", "/api/action/default", {}, "It is the default now.")));
  return [title(original ? `Action: ${action.name}` : "New action"), form];
}

// The connectors that are asked, in order; with buttons rather than by dragging.
function connectorOrder(chosen) {
  const known = state.connectors.map((view) => view.connector.id);
  let order = [...chosen.filter((id) => known.includes(id)), ...known.filter((id) => !chosen.includes(id))];
  const on = new Set(chosen);
  const list = el("ol", { class: "plain" });
  function draw(focused) {
    list.replaceChildren(...order.map((id, place) => {
      const choice = tick("connectors", id, titleOf(id), on.has(id));
      choice.firstChild.addEventListener("change", (event) => { event.target.checked ? on.add(id) : on.delete(id); });
      const up = button("Ask earlier", () => {
        [order[place - 1], order[place]] = [order[place], order[place - 1]];
        draw(id);
        announce(`${titleOf(id)} is number ${place}.`);
      }, { "aria-label": `Ask ${titleOf(id)} earlier`, disabled: place === 0 });
      return el("li", { class: "row spread", "data-id": id }, choice, up);
    }));
    if (focused) {
      const row = list.querySelector(`[data-id="${CSS.escape(focused)}"]`);
      (row.querySelector("button:not(:disabled)") ?? row.querySelector("input")).focus();
    }
  }
  draw();
  return {
    element: el("fieldset", {}, el("legend", {}, "Connectors"), el("p", { class: "hint" }, known.length ? "None ticked: all that are active." : "There is none yet."), list),
    chosen: () => order.filter((id) => on.has(id)),
  };
}

// MARK: Connectors

const emptyConnector = {
  id: "", name: "", vendor: "", kind: "openai", deployment: "", apiVersion: "", baseURL: "", credential: "", model: "",
  headers: {}, timeoutSeconds: 120, instructions: "", streams: true, concurrency: 4, isActive: true,
};

function connectors(name) {
  if (name === "+new") return connectorForm(emptyConnector);
  if (name) {
    const view = connectorNamed(name);
    return view ? connectorForm(view.connector, name) : [title("Connectors"), el("p", { class: "bad" }, `There is no connector “${name}”.`)];
  }
  const vendors = [...new Set(state.connectors.map((view) => view.connector.vendor))];
  return [
    title("Connectors"),
    el("p", {}, el("a", { class: "button", href: "#/connectors/+new" }, "New connector")),
    !state.connectors.length && el("p", { class: "muted" }, "There is none yet."),
    vendors.map((vendor) => [
      el("h2", {}, vendor || "Others"),
      el("ul", { class: "plain" }, state.connectors.filter((view) => view.connector.vendor === vendor).map((view) => el("li", { class: "card" },
        el("h3", {}, el("a", { href: `#/connectors/${encodeURIComponent(view.connector.id)}` }, view.connector.name)),
        facts([["Kind", kindName[view.connector.kind]], ["Address", view.connector.baseURL], ["Model", view.connector.model],
          ["State", view.connector.isActive ? view.health.state : "not active"],
          ["Key", view.connector.credential && (view.hasKey ? `kept as ${view.connector.credential}` : `${view.connector.credential} – not there`)],
          ["Last answer", view.health.lastMilliseconds === undefined ? undefined : seconds(view.health.lastMilliseconds)],
          ["Failures", view.health.failures || undefined]]),
        trialButton(view)))),
    ]).flat(),
  ];
}

// A button that tries a connector, and the log of what came of it.
function trialButton(view, { onResult } = {}) {
  const { id, name } = view.connector;
  const log = el("ol", { class: "log", "aria-live": "polite", "aria-label": `Tests of ${name}` }, view.trials.map(trialLine));
  const box = alertBox();
  const test = button("Test", () => attempt(box, test, async () => {
    announce("Testing.");
    const trial = await ask("/api/connector/test", { id });
    log.prepend(trialLine(trial));
    onResult?.(trial);
  }), { "aria-label": `Test ${name}` });
  return el("div", {}, el("div", { class: "row" }, test), box.element, log);
}

const trialLine = (trial) => el("li", {}, el("strong", { class: trial.isGood ? "good" : "bad" }, trial.isGood ? "It works. " : "It does not work. "),
  trial.message,
  el("span", { class: "muted" }, ` ${moment(trial.date)}${trial.milliseconds === undefined ? "" : `, ${seconds(trial.milliseconds)}`}`));

function connectorForm(connector, original, { onSaved, brief = false } = {}) {
  const box = alertBox();
  const revision = state.revision;
  const id = text("id", connector.id, { class: "mono", required: true });
  const name = text("name", connector.name, { placeholder: "as the id" });
  const kind = select("kind", connector.kind, kinds);
  const key = el("input", { name: "key", type: "password", autocomplete: "new-password", placeholder: connectorNamed(original)?.hasKey ? "there is one; leave empty to keep it" : "" });
  const address = field("Address", text("baseURL", connector.baseURL, { type: "url", class: "mono", placeholder: "https://api.example.com/v1" }), "Empty for the vendor's own.");
  const azure = el("div", { class: "two" }, field("Deployment", text("deployment", connector.deployment)), field("API version", text("apiVersion", connector.apiVersion)));
  const secret = el("div", { class: "two" }, field("Name of the key", text("credential", connector.credential, { class: "mono", placeholder: "as the id" }), "Under which the key is kept; none for a service without one."),
    field("Key", key, "Goes into your keyring or key file, never into the configuration."));
  const refreshShown = () => {
    azure.hidden = kind.value !== "azure";
    address.hidden = secret.hidden = kind.value === "on-device";
  };
  kind.addEventListener("change", refreshShown);
  refreshShown();
  const listed = connectorNamed(original)?.trials.find((trial) => trial.models.length)?.models ?? [];
  const models = el("datalist", { id: freshID("models") }, listed.map((model) => el("option", { value: model })));
  const model = text("model", connector.model, { class: "mono", placeholder: "the service's choice", list: listed.length ? models.id : undefined });
  const save = el("button", { type: "submit", class: "main" }, "Save");
  const more = [
    field("Instructions", area("instructions", connector.instructions, { class: "short" }), "Rules that every request to it begins with."),
    field("Further header fields", area("headers", unpaired(connector.headers, ":"), { class: "mono short", placeholder: "X-Team: translators" }), "A line for each. No keys."),
    el("div", { class: "two" },
      field("Time-out (seconds)", number("timeoutSeconds", connector.timeoutSeconds)),
      field("Most tokens of an answer", number("maxTokens", connector.maxTokens, { placeholder: "the service's choice", step: "1" })),
      field("Temperature", number("temperature", connector.temperature, { placeholder: "the service's choice" })),
      field("Share of likely words (top_p)", number("topP", connector.topP, { placeholder: "the service's choice" })),
      field("A million tokens sent cost", number("priceInput", connector.priceInput, { placeholder: "not known" })),
      field("A million tokens answered cost", number("priceOutput", connector.priceOutput, { placeholder: "not known" })),
      field("Requests at once", number("concurrency", connector.concurrency, { step: "1", min: 1 }))),
    tick("streams", "yes", "Answers come piece by piece", connector.streams),
    tick("isActive", "yes", "It is asked", connector.isActive),
  ];
  const fields = el("div", { hidden: brief }, more);
  const form = el("form", {
    novalidate: true,
    onsubmit: (event) => {
      event.preventDefault();
      attempt(box, save, async () => {
        const at = form.elements;
        if (!id.value.trim()) { id.setAttribute("aria-invalid", "true"); throw new Problem("The connector needs an id, like “work” or “local”."); }
        id.removeAttribute("aria-invalid");
        state = await ask("/api/connector/save", {
          revision, original: original ?? null, key: key.value || null, connector: {
            id: id.value.trim(), name: name.value.trim(), vendor: at.vendor.value.trim(), kind: kind.value,
            deployment: at.deployment.value.trim(), apiVersion: at.apiVersion.value.trim(), baseURL: at.baseURL.value.trim(),
            credential: at.credential.value.trim(), model: at.model.value.trim(), headers: pairs(at.headers.value, ":"),
            timeoutSeconds: Number(at.timeoutSeconds.value), maxTokens: numberOf(at.maxTokens.value),
            temperature: numberOf(at.temperature.value), topP: numberOf(at.topP.value), instructions: at.instructions.value,
            streams: at.streams.checked, priceInput: numberOf(at.priceInput.value), priceOutput: numberOf(at.priceOutput.value),
            concurrency: Number(at.concurrency.value), isActive: at.isActive.checked,
          },
        });
        key.value = "";
        announce(`${id.value} is saved.`);
        if (onSaved) onSaved(id.value.trim());
        else go(`#/connectors/${encodeURIComponent(id.value.trim())}`);
      });
    },
  },
    box.element, brief ? undefined : field("Kind", kind),
    el("div", { class: "two" }, field("Id", id, "What it is called in commands."), field("Name", name), field("Vendor", text("vendor", connector.vendor), "For grouping.")),
    address, azure, field("Model", model), models, secret, fields,
    el("div", { class: "row" }, save,
      !brief && el("a", { class: "button", href: "#/connectors" }, "Back without saving"),
      original && button("Remove", () => confirmRemoval(original, box))));
  if (brief) return form;
  return [title(original ? `Connector: ${connector.name}` : "New connector"), form,
    original && el("h2", {}, "Test"), original && trialButton(connectorNamed(original))];
}

function confirmRemoval(id, box) {
  const heading = freshID("dialog");
  const dialog = el("dialog", { "aria-labelledby": heading, onclose: () => dialog.remove() },
    el("h2", { id: heading }, `Remove ${titleOf(id)}?`),
    el("p", {}, "Its key stays where it is."),
    el("div", { class: "row" },
      button("Keep it", () => dialog.close(), { autofocus: true }),
      button("Remove it", async () => {
        dialog.close();
        await attempt(box, null, async () => {
          state = await ask("/api/connector/remove", { revision: state.revision, id });
          announce("It is removed.");
          go("#/connectors");
        });
      })));
  document.body.append(dialog);
  dialog.showModal();
}

// MARK: The file

// The place of a line and column in a text, as JavaScript counts; columns are counted in characters.
function placeOf(words, line, column) {
  let start = 0;
  for (let number = 1; number < line; number++) {
    const end = words.indexOf("\n", start);
    if (end < 0) break;
    start = end + 1;
  }
  const end = words.indexOf("\n", start);
  const row = words.slice(start, end < 0 ? undefined : end);
  const before = [...new Intl.Segmenter().segment(row)].slice(0, column - 1).map((part) => part.segment).join("");
  return { start: start + before.length, end: start + row.length };
}

function file(shown) {
  const box = alertBox();
  const source = area("source", shown.text, { class: "mono tall", spellcheck: "false", autocomplete: "off", wrap: "off" });
  const place = el("p", { class: "hint", "aria-live": "off" });
  const heading = el("h2", { id: freshID("faults") }, "Faults");
  const faults = el("ul", { class: "plain log", "aria-labelledby": heading.id, "aria-live": "polite" });
  const save = el("button", { type: "submit", class: "main" }, "Save");
  let waiting, timer;

  const tellPlace = () => {
    const before = source.value.slice(0, source.selectionStart).split("\n");
    place.textContent = `Line ${before.length}, column ${before.at(-1).length + 1}`;
  };
  const lead = (fault) => {
    const { start, end } = placeOf(source.value, fault.line, fault.column);
    source.focus();
    source.setSelectionRange(start, Math.max(start, end));
    const height = parseFloat(getComputedStyle(source).lineHeight);
    source.scrollTop = Math.max(0, (fault.line - 4) * height);
    tellPlace();
  };
  const tell = (found) => {
    const words = (fault) => (fault.line ? `Line ${fault.line}, column ${fault.column}: ` : "") + fault.message;
    if (found.length) source.setAttribute("aria-invalid", "true");
    else source.removeAttribute("aria-invalid");
    if ([...faults.children].map((item) => item.textContent).join("\n") === (found.map(words).join("\n") || "None.")) return;
    faults.replaceChildren(...(found.length
      ? found.map((fault) => el("li", { class: "bad" }, fault.line ? button(words(fault), () => lead(fault)) : words(fault)))
      : [el("li", { class: "muted" }, "None.")]));
  };
  async function check() {
    waiting?.abort();
    const mine = waiting = new AbortController();
    try {
      tell((await ask("/api/file/check", { text: source.value }, mine.signal)).faults);
    } catch (error) {
      if (error.name !== "AbortError") box.show(error);
    }
  }
  source.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(check, 250); });
  for (const event of ["keyup", "click", "input"]) source.addEventListener(event, tellPlace);
  leave = () => { clearTimeout(timer); waiting?.abort(); };
  tell(shown.faults);
  tellPlace();

  const form = el("form", {
    novalidate: true,
    onsubmit: (event) => {
      event.preventDefault();
      attempt(box, save, async () => {
        // What is typed meanwhile is not what was saved.
        const text = source.value;
        try {
          state = await ask("/api/file/save", { base: shown.base, text });
        } catch (error) {
          if (error.faults?.length) tell(error.faults);
          throw error;
        }
        shown = { text, base: text };
        tell([]);
        announce("The file is saved.");
        save.focus();
      });
    },
  },
    box.element,
    field("The file of actions and connectors", source, "As it stands, with its comments. Keys are not in it, only their names."),
    place, heading, faults,
    el("div", { class: "row" }, save,
      button("Load it anew", () => show()),
      el("a", { class: "button", href: "/api/file/export", download: "speechkit-actions.toml" }, "Export")));
  return [title("File"), form];
}

// MARK: Set-up

function setup() {
  const place = el("div");
  const presets = [
    ["own", "A server of your own (Ollama, llama.cpp, LM Studio, vLLM)", { id: "local", vendor: "This machine", kind: "openai", baseURL: "http://127.0.0.1:11434/v1" }],
    ["openai", "OpenAI", { id: "openai", vendor: "OpenAI", kind: "openai", credential: "openai" }],
    ["anthropic", "Anthropic", { id: "anthropic", vendor: "Anthropic", kind: "anthropic", credential: "anthropic" }],
    ["azure", "Azure OpenAI", { id: "azure", vendor: "Microsoft", kind: "azure", credential: "azure", apiVersion: "2024-10-21" }],
    ["offline", "Nothing but this machine", { id: "on-device", vendor: "This machine", kind: "on-device" }],
  ];
  const step = (number, words, ...content) => {
    const heading = el("h2", { tabindex: "-1" }, `Step ${number} of 3: ${words}`);
    place.replaceChildren(heading, ...content.filter(Boolean));
    if (number > 1 || document.activeElement !== document.body) heading.focus();
  };

  function chooseConnector() {
    const existing = state.connectors;
    const form = el("div");
    const choice = select("preset", "own", presets.map(([key, label]) => [key, label]));
    const draw = () => {
      const [, , preset] = presets.find(([key]) => key === choice.value);
      const taken = connectorNamed(preset.id);
      form.replaceChildren(connectorForm({ ...emptyConnector, ...preset, id: taken ? "" : preset.id }, undefined, { onSaved: test, brief: true }));
    };
    choice.addEventListener("change", draw);
    draw();
    step(1, "a service that answers",
      el("p", {}, "Texts are sent to the services that you add here, and to nobody else."),
      existing.length && el("p", {}, "There is one already. ", button(`Go on with ${existing[0].connector.name}`, () => test(existing[0].connector.id))),
      field("Which", choice), form);
  }

  function test(id) {
    const view = connectorNamed(id);
    const next = button("Go on", () => firstAction(id), { class: "main", hidden: true });
    const anyway = button("Go on all the same", () => firstAction(id));
    step(2, "does it answer?",
      el("p", {}, `${view.connector.name} is asked for something small.`),
      trialButton(view, { onResult(trial) {
        next.hidden = !trial.isGood;
        anyway.hidden = trial.isGood;
        if (trial.isGood) next.focus();
      } }),
      el("div", { class: "row" }, next, anyway,
        el("a", { class: "button", href: `#/connectors/${encodeURIComponent(id)}` }, "Change it")));
  }

  function firstAction() {
    const done = el("div", { class: "notice", hidden: true },
      el("p", {}, "That is all. From a terminal, or from a hot key of your desktop, it is:"),
      el("p", {}, el("code", {}, `speechkit run ${state.defaultAction ?? "translate"} --selection`)),
      el("p", {}, el("a", { href: "#/home" }, "Go to the home page")));
    step(3, "your first action",
      el("p", {}, "Choose one, give it a text, and run it. The default one is run where none is named."),
      runSheet(actionNamed(state.defaultAction) ?? activeActions()[0], activeActions(), {
        onFinished(event) { done.hidden = event.answers.length === 0; },
      }), done);
  }

  chooseConnector();
  return [title("Set-up"), place];
}

if (!location.hash) history.replaceState(null, "", "#/home");
show({ focus: false });
