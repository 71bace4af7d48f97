// The whole page. Values from elsewhere are inserted as text: nothing here creates markup from a string, and
// the page's content security policy would reject it.

// MARK: Elements

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
const number = (name, value, more = {}) => el("input", { name, type: "number", inputmode: "decimal", value: value ?? "", ...more });
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

// Lines of the form “name = value” or “name: value”.
function pairs(value) {
  const found = {};
  for (const line of lines(value)) {
    const place = line.search(/[=:]/);
    if (place < 1) throw new Problem(`“${line}” is not of the form “name = value”.`);
    found[line.slice(0, place).trim()] = line.slice(place + 1).trim();
  }
  return found;
}

const unpaired = (object) => Object.entries(object ?? {}).map(([key, value]) => `${key} = ${value}`).join("\n");

// MARK: Fields

// The control of a field of the program's field table.
function controlOf(field, value) {
  const name = field.key;
  switch (field.type) {
    case "area": return area(name, value, { class: "short" });
    case "json": return area(name, value, { class: "mono" });
    case "list": return area(name, (value ?? []).join("\n"), { class: "short" });
    case "pairs": return area(name, unpaired(value), { class: "mono short" });
    case "number": return number(name, value, { min: field.minimum, max: field.maximum, step: field.step });
    case "choice": return select(name, value ?? field.choices[0].name, field.choices.map((choice) => [choice.name, choice.title]));
    default: return text(name, value);
  }
}

const hints = { list: " One per line.", pairs: " One per line, like name = value.", duration: " Like 800ms, 20s, 2m or 1h." };

// A field with its label and its help. `own` replaces its control.
function fieldBox(spec, value, own) {
  let box;
  if (spec.type === "bool") {
    box = el("div", { class: "field" }, tick(spec.key, "on", spec.title, value === true), el("p", { class: "hint" }, spec.help));
  } else if (spec.type === "choices") {
    const chosen = value ?? [];
    box = el("fieldset", {}, el("legend", {}, spec.title), el("p", { class: "hint" }, spec.help),
      spec.choices.map((choice) => tick(spec.key, choice.name, choice.title, chosen.includes(choice.name))));
  } else {
    box = field(spec.title, own ?? controlOf(spec, value), spec.help + (hints[spec.type] ?? ""));
  }
  box.dataset.field = spec.key;
  return box;
}

// The value of a field in a form; `null` for none.
function valueIn(form, spec) {
  if (spec.type === "choices") {
    return [...form.querySelectorAll(`[name="${spec.key}"]:checked`)].map((input) => input.value);
  }
  const control = form.elements.namedItem(spec.key);
  if (!control) return null;
  switch (spec.type) {
    case "bool": return control.checked;
    case "number": return control.value.trim() === "" ? null : Number(control.value);
    case "list": return lines(control.value);
    case "pairs": return pairs(control.value);
    case "area": return control.value;
    case "duration": case "json": return control.value.trim() || null;
    default: return control.value.trim();
  }
}

const valuesIn = (form, fields) => Object.fromEntries(fields.map((spec) => [spec.key, valueIn(form, spec)]));

// Shows only those fields whose condition is met.
function followConditions(form, fields) {
  const refresh = () => {
    for (const spec of fields) {
      const box = spec.condition && form.querySelector(`[data-field="${spec.condition && spec.key}"]`);
      const other = box && form.elements.namedItem(spec.condition.key);
      if (other) box.hidden = spec.condition.value === undefined ? other.value.trim() === "" : other.value !== spec.condition.value;
    }
  };
  form.addEventListener("input", refresh);
  refresh();
}

const titleOfChoice = (fields, key, name) => fields.find((spec) => spec.key === key).choices.find((choice) => choice.name === name)?.title ?? name;

// MARK: Messages

function announce(message) {
  const announcer = document.getElementById("announcer");
  announcer.textContent = "";
  // Screen readers read a text again when it is inserted again.
  setTimeout(() => { announcer.textContent = message; });
}

class Problem extends Error {
  constructor(message, faults = [], status = undefined) {
    super(message);
    this.faults = faults;
    this.status = status;
  }
}

// An alert, which is read aloud and receives the focus.
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

// Does work that may fail, with its button disabled until it ends.
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

// MARK: Requests

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
  let failure;
  try { failure = await response.json(); } catch { failure = {}; }
  throw new Problem(failure.error ?? `The console answered with status ${response.status}.`, failure.faults, response.status);
}

const ask = async (path, body, signal) => (await request(path, body, signal)).json();

// The events of work that the program does. An explicit request stops it, because the program notices a closed
// connection only later.
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

// MARK: Views

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
    // An invalid file can be viewed, unlike everything else.
    const loaded = await ask(view === "file" ? "/api/file" : "/api/state", undefined, loading.signal);
    // Another view was opened in the meantime, and must not be replaced.
    if (loading.signal.aborted) return;
    if (view !== "file") state = loaded;
    main.replaceChildren(...views[view](view === "file" ? loaded : name).flat().filter(Boolean));
  } catch (error) {
    if (loading.signal.aborted) return;
    const box = alertBox();
    main.replaceChildren(title("Something went wrong"), box.element,
      el("p", {}, "Nothing was changed."),
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

// MARK: Formatting

const seconds = (milliseconds) => (milliseconds < 1000 ? `${milliseconds} ms` : `${(milliseconds / 1000).toFixed(1)} s`);
const money = ({ cost, isCostEstimated }) => (cost === 0 ? "free" : `${isCostEstimated ? "estimated " : ""}${cost < 0.01 ? cost.toPrecision(2) : cost.toFixed(2)}`);
const moment = (date) => new Date(date).toLocaleString();
const activeActions = () => state.actions.filter((action) => !action.archived);
const actionNamed = (id) => state.actions.find((action) => action.id === id);
const connectorNamed = (id) => state.connectors.find((view) => view.connector.id === id);
const titleOf = (id) => connectorNamed(id)?.connector.name ?? id;

function asked(action) {
  if (!action.connectors.length) return "all enabled connectors";
  return action.connectors.map(titleOf).join(", ");
}

function facts(entries) {
  return el("dl", { class: "facts" }, entries.filter(([, value]) => value !== undefined && value !== null && value !== "")
    .map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]).flat());
}

// MARK: Home

function home() {
  const action = actionNamed(state.defaultAction);
  const working = state.connectors.filter((view) => view.connector.active);
  return [
    title("Home"),
    !working.length && el("div", { class: "card" },
      el("h2", {}, "Nothing is set up yet"),
      el("p", {}, "Add a service, test it, and run your first action."),
      el("a", { class: "button", href: "#/setup" }, "Start the setup")),
    el("h2", {}, "Default action"),
    action
      ? el("div", { class: "card" }, el("h3", {}, action.name),
          facts([["Connectors", asked(action)], ["Mode", titleOfChoice(state.actionFields, "mode", action.mode)], ["Privacy", titleOfChoice(state.actionFields, "privacy", action.privacy)]]),
          el("div", { class: "row" },
            el("a", { class: "button", href: `#/run/${encodeURIComponent(action.id)}` }, `Run ${action.name}`),
            el("a", { class: "button", href: `#/actions/${encodeURIComponent(action.id)}` }, `Edit ${action.name}`)))
      : el("p", {}, "There are no actions. ", el("a", { href: "#/actions/+new" }, "Create one.")),
    el("h2", {}, "Connectors"),
    working.length
      ? el("ul", { class: "plain" }, working.map((view) => el("li", {}, healthLine(view))))
      : el("p", { class: "muted" }, "No connector is enabled."),
    el("h2", {}, "Recent runs"),
    state.runs.length
      ? el("ul", { class: "plain" }, state.runs.map((entry) => el("li", { class: "card" },
          el("h3", {}, entry.actionName),
          el("p", {}, entry.text || "(private)"),
          el("p", { class: entry.error ? "bad" : "muted" },
            entry.error ?? `Answered by ${entry.answered.map(titleOf).join(", ")} in ${seconds(entry.milliseconds)}${entry.cost === undefined ? "" : `, ${money(entry)}`}`),
          el("p", { class: "muted" }, moment(entry.date)))))
      : el("p", { class: "muted" }, "None yet."),
  ];
}

function healthLine({ connector, health }) {
  const line = [el("strong", {}, connector.name), ` – ${health.state}`];
  if (health.lastMilliseconds !== undefined) line.push(`, last answer in ${seconds(health.lastMilliseconds)}`);
  if (health.failures) line.push(`, ${health.failures} of ${health.failures + health.successes} requests failed`);
  return el("p", {}, line);
}

// MARK: Running

function run(name) {
  const offered = activeActions();
  const action = (name && actionNamed(name)) || actionNamed(state.defaultAction) || offered[0];
  if (!action) return [title("Run"), el("p", {}, "There are no actions. ", el("a", { href: "#/actions/+new" }, "Create one."))];
  return [title("Run"), runSheet(action, offered)];
}

function runSheet(first, offered, { onFinished } = {}) {
  const box = alertBox();
  const choice = select("action", first.id, offered.map((action) => [action.id, action.name]));
  const source = area("text", "", { placeholder: "Type or paste text", required: true });
  const from = text("sourceLanguage", "", { placeholder: "detected by the model" });
  const to = text("targetLanguage", "", { placeholder: "default of the action" });
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
    announce("Running.");
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
          summary.textContent = `${event.answers.length === 1 ? "One answer" : `${event.answers.length} answers`} in ${seconds(event.latencyMilliseconds)}${event.cost === undefined ? "" : `, ${money(event)}`}.`;
          announce(event.error ?? summary.textContent);
          onFinished?.(event);
        } else {
          card(event.connector).take(event);
        }
      }
      if (!isOver) throw new Problem("The connection to the console was lost. Run the action again.");
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
    box.element, field("Action", choice), field("Text", source, "Ctrl+Enter runs the action, Escape stops it."),
    el("div", { class: "two" }, field("Source language", from), field("Target language", to)), own,
    el("div", { class: "row" }, start, stop));
  heading = el("h2", { hidden: true }, "Answers");
  leave = () => abort?.abort();
  return el("div", {}, form, heading, answers, summary);
}

// The answer of a connector; `run` returns the identifier of its run.
function answerCard(id, run) {
  const status = el("p", { class: "muted" }, "Waiting for the first token");
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
      announce("Selected. Press Ctrl+C to copy.");
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
  const speakIncoming = async (signal) => {
    try {
      await say({ run: run(), connector: id }, signal);
      return true;
    } catch (error) {
      // The answer has just ended, and its end has not reached this page yet.
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
      if (!isComing() || !(await speakIncoming(signal))) await say({ text: words.data }, signal);
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
          status.textContent = "Waiting for the first token";
          break;
        case "text":
          words.appendData(event.text);
          // An answer can be spoken while it arrives.
          speak.disabled = false;
          if (status.textContent !== "Answering") status.textContent = "Answering";
          break;
        case "finished":
          words.data = event.text;
          status.textContent = [
            event.isCached ? "From the cache" : `Answered in ${seconds(event.latencyMilliseconds)}`,
            event.firstTextMilliseconds !== undefined && `first token after ${seconds(event.firstTextMilliseconds)}`,
            event.outputTokens > 0 && `${event.inputTokens} input tokens, ${event.outputTokens} output tokens`,
            event.cost !== undefined && money(event), event.isCutOff && "cut off at the maximum of tokens",
          ].filter(Boolean).join(", ");
          settle(true);
          break;
        case "failed":
          status.textContent = event.error;
          settle(false);
          break;
        case "cancelled":
          if (answer.getAttribute("aria-busy") === "false") break;
          status.textContent = { lost: "Another connector was faster", deadline: "The deadline passed" }[event.reason] ?? "Stopped";
          settle(true);
          break;
      }
    },
  };
}

// MARK: Actions

function actions(name) {
  if (name === "+new") {
    return actionForm(state.newAction);
  }
  if (name) {
    const action = actionNamed(name);
    return action ? actionForm(action, name) : [title("Actions"), el("p", { class: "bad" }, `There is no action “${name}”.`)];
  }
  const archived = state.actions.filter((action) => action.archived);
  const list = (some) => el("ul", { class: "plain" }, some.map((action) => el("li", { class: "card" },
    el("div", { class: "row spread" },
      el("div", {}, el("h3", {}, el("a", { href: `#/actions/${encodeURIComponent(action.id)}` }, action.name)),
        el("p", { class: "muted" }, action.id === state.defaultAction && el("strong", {}, "Default. "), `Connectors: ${asked(action)}.`)),
      !action.archived && el("a", { class: "button", href: `#/run/${encodeURIComponent(action.id)}`, "aria-label": `Run ${action.name}` }, "Run")))));
  return [
    title("Actions"),
    el("p", {}, el("a", { class: "button", href: "#/actions/+new" }, "New action")),
    el("h2", {}, "Active"), list(activeActions()),
    archived.length && el("h2", {}, "Archived"), archived.length && list(archived),
  ];
}

// Headings before the fields of an action.
const sections = { output: "Answer", connectors: "Routing" };

function actionForm(action, original) {
  const box = alertBox();
  const revision = state.revision;
  const fields = state.actionFields.filter((spec) => spec.key !== "archived");
  const id = text("id", action.id, { class: "mono", placeholder: original ? "" : "derived from the name" });
  const prompt = area("prompt", action.prompt, { class: "mono" });
  const system = area("system", action.system, { class: "mono short" });
  const sample = area("sample", "The quick brown fox jumps over the lazy dog.", { class: "short" });
  const sampleTo = text("sampleTo", "", { placeholder: "none" });
  const order = connectorOrder(action.connectors);
  const boxOf = (spec) => {
    switch (spec.key) {
      case "prompt": return field(spec.title, prompt, `${spec.help} {{name|words}} uses the words if there is no value; {{#if name}}…{{/if}} is a condition. Variables: ${state.knownVariables.join(", ")}.`);
      case "system": return fieldBox(spec, undefined, system);
      case "connectors": return order.element;
      default: return fieldBox(spec, action[spec.key]);
    }
  };
  const boxes = new Map(fields.map((spec) => [spec.key, boxOf(spec)]));
  const variables = boxes.get("variables").querySelector("textarea");

  // MARK: The preview
  const filled = el("div", { class: "preview", tabindex: "0", role: "region", "aria-label": "The rendered prompt", "aria-live": "off" });
  const faults = el("ul", { class: "bad log", "aria-live": "polite", "aria-label": "Template errors" });
  const used = el("p", { class: "hint" });
  let waiting, timer;
  async function preview() {
    waiting?.abort();
    const mine = waiting = new AbortController();
    let result;
    try {
      result = await ask("/api/preview", {
        prompt: prompt.value, system: system.value, variables: pairs(variables.value), text: sample.value,
        sourceLanguage: null, targetLanguage: sampleTo.value || null,
      }, mine.signal);
    } catch (error) {
      if (error.name === "AbortError") return;
      result = { prompt: { pieces: [], faults: [] }, system: { pieces: [], faults: [{ line: 0, message: error.message }] } };
    }
    const origins = { input: "from the input", action: "from the action", words: "from the template", missing: "has no value" };
    const shown = [], messages = [];
    for (const [part, label] of [[result.system, "System prompt"], [result.prompt, "Prompt"]]) {
      for (const fault of part.faults) messages.push(`${label}${fault.line ? `, line ${fault.line}, column ${fault.column}` : ""}: ${fault.message}`);
    }
    const names = new Map();
    for (const piece of result.prompt.pieces) {
      if (!piece.variable) { shown.push(document.createTextNode(piece.text)); continue; }
      names.set(piece.variable, origins[piece.origin] ?? piece.origin);
      shown.push(el("mark", { class: piece.origin === "missing" ? "missing" : undefined, title: `${piece.variable}: ${origins[piece.origin]}` }, piece.text || `{{${piece.variable}}}`));
    }
    filled.replaceChildren(...shown);
    if ([...faults.children].map((item) => item.textContent).join("\n") !== messages.join("\n")) {
      faults.replaceChildren(...messages.map((fault) => el("li", {}, fault)));
    }
    for (const [control, part] of [[prompt, result.prompt], [system, result.system]]) {
      if (part.faults.length) control.setAttribute("aria-invalid", "true");
      else control.removeAttribute("aria-invalid");
    }
    const variablesUsed = names.size ? `Variables: ${[...names].map(([key, origin]) => `${key} (${origin})`).join(", ")}` : "No variables are used.";
    used.textContent = result.note ? `${variablesUsed}. ${result.note}` : variablesUsed;
  }
  const later = () => { clearTimeout(timer); timer = setTimeout(preview, 120); };
  for (const control of [prompt, system, variables, sample, sampleTo]) control.addEventListener("input", later);
  leave = () => { clearTimeout(timer); waiting?.abort(); };
  preview();

  const read = (form) => ({
    ...valuesIn(form, fields), id: id.value.trim(), connectors: order.chosen(), archived: action.archived,
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
        const name = form.elements.namedItem("name");
        if (!name.value.trim()) { name.setAttribute("aria-invalid", "true"); throw new Problem("Enter a name for the action."); }
        name.removeAttribute("aria-invalid");
        state = await ask("/api/action/save", { revision, original: original ?? null, action: read(form) });
        announce(`${name.value} was saved.`);
        go("#/actions");
      });
    },
  },
    box.element,
    field("Id", id, "The name in commands: letters, digits, - and _."),
    fields.map((spec) => [
      sections[spec.key] && el("h2", {}, sections[spec.key]), boxes.get(spec.key),
      spec.key === "variables" && el("section", { "aria-labelledby": "preview-heading" }, el("h2", { id: "preview-heading" }, "Preview"),
        el("div", { class: "two" }, field("Sample text", sample), field("Target language", sampleTo)),
        faults, filled, used),
    ].filter(Boolean)).flat(),
    el("div", { class: "row" }, save, el("a", { class: "button", href: "#/actions" }, "Cancel"),
      original && change("Clone", "/api/action/clone", {}, "A copy was created."),
      original && (action.archived
        ? change("Restore", "/api/action/archive", { isArchived: false }, "The action was restored.")
        : change("Archive", "/api/action/archive", { isArchived: true }, "The action was archived.")),
      original && !action.archived && original !== state.defaultAction && change("Make default", "/api/action/default", {}, "The action is now the default.")));
  followConditions(form, fields);
  return [title(original ? `Action: ${action.name}` : "New action"), form];
}

// The connectors of an action, in order. Buttons change the order, because dragging needs a mouse.
function connectorOrder(chosen) {
  const known = state.connectors.map((view) => view.connector.id);
  let order = [...chosen.filter((id) => known.includes(id)), ...known.filter((id) => !chosen.includes(id))];
  const on = new Set(chosen);
  const list = el("ol", { class: "plain" });
  function draw(focused) {
    list.replaceChildren(...order.map((id, place) => {
      const choice = tick("connectors", id, titleOf(id), on.has(id));
      choice.firstChild.addEventListener("change", (event) => { event.target.checked ? on.add(id) : on.delete(id); });
      const up = button("Move up", () => {
        [order[place - 1], order[place]] = [order[place], order[place - 1]];
        draw(id);
        announce(`${titleOf(id)} is now number ${place}.`);
      }, { "aria-label": `Move ${titleOf(id)} up`, disabled: place === 0 });
      return el("li", { class: "row spread", "data-id": id }, choice, up);
    }));
    if (focused) {
      const row = list.querySelector(`[data-id="${CSS.escape(focused)}"]`);
      (row.querySelector("button:not(:disabled)") ?? row.querySelector("input")).focus();
    }
  }
  draw();
  return {
    element: el("fieldset", {}, el("legend", {}, "Connectors"), el("p", { class: "hint" }, known.length ? "The connectors to ask, in order. If none is selected, all enabled ones are asked." : "There are no connectors yet."), list),
    chosen: () => order.filter((id) => on.has(id)),
  };
}

// MARK: Connectors

function connectors(name) {
  if (name === "+new") return connectorForm(state.newConnector);
  if (name) {
    const view = connectorNamed(name);
    return view ? connectorForm(view.connector, name) : [title("Connectors"), el("p", { class: "bad" }, `There is no connector “${name}”.`)];
  }
  const vendors = [...new Set(state.connectors.map((view) => view.connector.vendor))];
  return [
    title("Connectors"),
    el("p", {}, el("a", { class: "button", href: "#/connectors/+new" }, "New connector")),
    !state.connectors.length && el("p", { class: "muted" }, "There are no connectors yet."),
    vendors.map((vendor) => [
      el("h2", {}, vendor || "Other"),
      el("ul", { class: "plain" }, state.connectors.filter((view) => view.connector.vendor === vendor).map((view) => el("li", { class: "card" },
        el("h3", {}, el("a", { href: `#/connectors/${encodeURIComponent(view.connector.id)}` }, view.connector.name)),
        facts([["Kind", titleOfChoice(state.connectorFields, "kind", view.connector.kind)], ["Address", view.connector.url], ["Model", view.connector.model],
          ["State", view.connector.active ? view.health.state : "disabled"],
          ["Key", view.connector.credential && (view.hasKey ? `stored as ${view.connector.credential}` : `${view.connector.credential} – missing`)],
          ["Last latency", view.health.lastMilliseconds === undefined ? undefined : seconds(view.health.lastMilliseconds)],
          ["Failures", view.health.failures || undefined]]),
        view.keyWarning && el("p", { class: "bad" }, view.keyWarning),
        trialButton(view)))),
    ]).flat(),
  ];
}

// A button that tests a connector, with a log of the results.
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

// The fields that the setup shows; the others have good default values.
const briefFields = ["url", "deployment", "api-version", "credential", "model"];

function connectorForm(connector, original, { onSaved, brief = false } = {}) {
  const box = alertBox();
  const revision = state.revision;
  const fields = state.connectorFields;
  const id = text("id", connector.id, { class: "mono", required: true });
  const key = el("input", { name: "key", type: "password", autocomplete: "new-password", placeholder: connectorNamed(original)?.hasKey ? "leave empty to keep the stored key" : "" });
  const listed = connectorNamed(original)?.trials.find((trial) => trial.models.length)?.models ?? [];
  const models = el("datalist", { id: freshID("models") }, listed.map((model) => el("option", { value: model })));
  const save = el("button", { type: "submit", class: "main" }, "Save");
  const boxOf = (spec) => {
    const made = fieldBox(spec, connector[spec.key]);
    if (spec.key === "model" && listed.length) made.querySelector("input").setAttribute("list", models.id);
    if (brief && !briefFields.includes(spec.key)) made.hidden = true;
    if (spec.key !== "credential") return made;
    return [made, field("Key", key, "Stored in your keyring or key file, never in the configuration.")];
  };
  const form = el("form", {
    novalidate: true,
    onsubmit: (event) => {
      event.preventDefault();
      attempt(box, save, async () => {
        if (!id.value.trim()) { id.setAttribute("aria-invalid", "true"); throw new Problem("Enter an id for the connector, like “work” or “local”."); }
        id.removeAttribute("aria-invalid");
        state = await ask("/api/connector/save", {
          revision, original: original ?? null, key: key.value || null,
          connector: { ...valuesIn(form, fields), id: id.value.trim() },
        });
        key.value = "";
        announce(`${id.value} was saved.`);
        if (onSaved) onSaved(id.value.trim());
        else go(`#/connectors/${encodeURIComponent(id.value.trim())}`);
      });
    },
  },
    box.element, field("Id", id, "The name in commands: letters, digits, - and _."),
    fields.map(boxOf).flat(), models,
    el("div", { class: "row" }, save,
      !brief && el("a", { class: "button", href: "#/connectors" }, "Cancel"),
      original && button("Remove", () => confirmRemoval(original, box))));
  followConditions(form, fields);
  if (brief) return form;
  return [title(original ? `Connector: ${connector.name}` : "New connector"), form,
    original && el("h2", {}, "Test"), original && trialButton(connectorNamed(original))];
}

function confirmRemoval(id, box) {
  const heading = freshID("dialog");
  const dialog = el("dialog", { "aria-labelledby": heading, onclose: () => dialog.remove() },
    el("h2", { id: heading }, `Remove ${titleOf(id)}?`),
    el("p", {}, "Its key remains stored."),
    el("div", { class: "row" },
      button("Cancel", () => dialog.close(), { autofocus: true }),
      button("Remove connector", async () => {
        dialog.close();
        await attempt(box, null, async () => {
          state = await ask("/api/connector/remove", { revision: state.revision, id });
          announce("The connector was removed.");
          go("#/connectors");
        });
      })));
  document.body.append(dialog);
  dialog.showModal();
}

// MARK: The file

// The offset of a line and column in a text, in JavaScript's units; columns are counted in characters.
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
  const heading = el("h2", { id: freshID("faults") }, "Errors");
  const faults = el("ul", { class: "plain log", "aria-labelledby": heading.id, "aria-live": "polite" });
  const save = el("button", { type: "submit", class: "main" }, "Save");
  let waiting, timer;

  const showPosition = () => {
    const before = source.value.slice(0, source.selectionStart).split("\n");
    place.textContent = `Line ${before.length}, column ${before.at(-1).length + 1}`;
  };
  const lead = (fault) => {
    const { start, end } = placeOf(source.value, fault.line, fault.column);
    source.focus();
    source.setSelectionRange(start, Math.max(start, end));
    const height = parseFloat(getComputedStyle(source).lineHeight);
    source.scrollTop = Math.max(0, (fault.line - 4) * height);
    showPosition();
  };
  const showErrors = (found) => {
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
      showErrors((await ask("/api/file/check", { text: source.value }, mine.signal)).faults);
    } catch (error) {
      if (error.name !== "AbortError") box.show(error);
    }
  }
  source.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(check, 250); });
  for (const event of ["keyup", "click", "input"]) source.addEventListener(event, showPosition);
  leave = () => { clearTimeout(timer); waiting?.abort(); };
  showErrors(shown.faults);
  showPosition();

  const form = el("form", {
    novalidate: true,
    onsubmit: (event) => {
      event.preventDefault();
      attempt(box, save, async () => {
        // The user may type while the file is saved.
        const text = source.value;
        try {
          state = await ask("/api/file/save", { base: shown.base, text });
        } catch (error) {
          if (error.faults?.length) showErrors(error.faults);
          throw error;
        }
        shown = { text, base: text };
        showErrors([]);
        announce("The file was saved.");
        save.focus();
      });
    },
  },
    box.element,
    field("Configuration file", source, "Actions and connectors, with comments. Keys are stored elsewhere; the file holds only their names."),
    place, heading, faults,
    el("div", { class: "row" }, save,
      button("Reload", () => show()),
      el("a", { class: "button", href: "/api/file/export", download: "speechkit-actions.toml" }, "Export")));
  return [title("File"), form];
}

// MARK: Setup

function setup() {
  const place = el("div");
  const presets = [
    ["own", "Your own server (Ollama, llama.cpp, LM Studio, vLLM)", { id: "local", vendor: "This machine", kind: "openai", url: "http://127.0.0.1:11434/v1" }],
    ["openai", "OpenAI", { id: "openai", vendor: "OpenAI", kind: "openai", credential: "openai" }],
    ["anthropic", "Anthropic", { id: "anthropic", vendor: "Anthropic", kind: "anthropic", credential: "anthropic" }],
    ["azure", "Azure OpenAI", { id: "azure", vendor: "Microsoft", kind: "azure", credential: "azure", "api-version": "2024-10-21" }],
    ["offline", "Only this machine", { id: "on-device", vendor: "This machine", kind: "on-device" }],
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
      form.replaceChildren(connectorForm({ ...state.newConnector, ...preset, id: taken ? "" : preset.id }, undefined, { onSaved: test, brief: true }));
    };
    choice.addEventListener("change", draw);
    draw();
    step(1, "add a service",
      el("p", {}, "Texts are sent only to the services that you add here."),
      existing.length && el("p", {}, "You already have a connector. ", button(`Continue with ${existing[0].connector.name}`, () => test(existing[0].connector.id))),
      field("Service", choice), form);
  }

  function test(id) {
    const view = connectorNamed(id);
    const next = button("Continue", () => firstAction(id), { class: "main", hidden: true });
    const anyway = button("Continue anyway", () => firstAction(id));
    step(2, "test the service",
      el("p", {}, `The test sends a short request to ${view.connector.name}.`),
      trialButton(view, { onResult(trial) {
        next.hidden = !trial.isGood;
        anyway.hidden = trial.isGood;
        if (trial.isGood) next.focus();
      } }),
      el("div", { class: "row" }, next, anyway,
        el("a", { class: "button", href: `#/connectors/${encodeURIComponent(id)}` }, "Edit connector")));
  }

  function firstAction() {
    const done = el("div", { class: "notice", hidden: true },
      el("p", {}, "Setup is complete. In a terminal, or with a hot key of your desktop, run:"),
      el("p", {}, el("code", {}, `speechkit run ${state.defaultAction ?? "translate"} --selection`)),
      el("p", {}, el("a", { href: "#/home" }, "Go to the home page")));
    step(3, "run your first action",
      el("p", {}, "Choose an action, enter a text, and run it. The default action runs when no other is named."),
      runSheet(actionNamed(state.defaultAction) ?? activeActions()[0], activeActions(), {
        onFinished(event) { done.hidden = event.answers.length === 0; },
      }), done);
  }

  chooseConnector();
  return [title("Setup"), place];
}

if (!location.hash) history.replaceState(null, "", "#/home");
show({ focus: false });
