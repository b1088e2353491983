// SPDX-License-Identifier: GPL-3.0-or-later
// The page: takes the state of the game and what is said from the server, shows them, and sends what the user does as text.

import { Board } from './board.js';
import { say, voice } from './speech.js';
import { joined, setText } from './text.js';

const SILENT_MS = 40_000; // the server tells something every 15 s: after this the stream is dead
const SLEPT_MS = 20_000;
const PATIENCE_MS = 3000; // a shorter loss of the connection is not told
const RETRY_MS = [1000, 2000, 5000, 10_000, 30_000];
const ANSWER_MS = 5000;
const LOGGED = 1000; // messages
const HELD = 409; // by another browser
const FULL = 429; // of pages, or of what they have asked
const KEPT = 'acessivel';
const COLUMNS = ['white', 'black', 'state', 'moves']; // of the tables of a hall, after their number

const element = (id) => document.getElementById(id);
const root = document.documentElement;

const page = {
  state: null,
  words: {},
  settings: {
    size: '100', fill: false, contrast: false, letters: false, huge: '', plain: false, turned: false,
    confirm: true, speech: false, rate: '1',
  },
  link: '', // the name of the page that its link opens
  place: null, // where the user was last: the text or the board

  // `sure`: a move whose question needs no answer
  type(text, sure = false) {
    if (ended) {
      tell(ended);
      return;
    }
    outbox.push({ id: newId(), text, seen: lastState, sure, hidden: Boolean(this.state?.hidden), page: this.link });
    if (!sending) sendAll();
  },
  move(uci) { this.type(uci, !this.settings.confirm); },
  answer() {
    const first = this.state.asked?.answers[0];
    if (first?.types) this.type(first.types);
    else this.ask();
  },
  clocks() {
    const known = ['white', 'black'].filter((side) => this.state.clocks?.[side]);
    return known.map((side) => `${this.words[side]}: ${timeInWords(side)}.`).join(' ');
  },
  toText() { element('typed').focus(); },
  toAnswers() {
    const first = element('answers').querySelector('button');
    if (first) first.focus();
    else this.ask();
  },
  // A question that has no buttons is answered by a move, or in words.
  ask() { say(this.state.asked?.text || this.words.no_question); },
  set(name, value) {
    this.settings[name] = value;
    keep();
    apply();
  },
};

const board = new Board(page);

// What is shown

function show(state) {
  const held = document.activeElement;
  const list = held.closest('#menu, #records');
  page.words = state.words ?? page.words;
  page.state = { ...state, words: undefined };
  stateAt = performance.now();
  if (state.words) label();
  root.lang = state.language;
  voice.language = state.language;
  document.title = state.title;
  setText(element('title'), state.title);
  setText(element('status'), state.status);
  element('status').hidden = !state.status;
  element('last-place').hidden = !state.status; // where no game is on
  setText(element('last'), state.last || page.words.no_last);
  showQuestion(state.asked);
  showTyped(state.hidden);
  showClocks();
  showMoves(state.moves_made);
  showTables(state.tables);
  buttons(element('menu'), state.menu);
  element('menu-place').hidden = !state.menu.length;
  showRecords(state.records);
  showLink(state.link);
  board.show();
  element('closed').hidden = true;
  element('game').hidden = false;
  if (!isThere(held)) goOn(held, list);
}

const isThere = (one) => one.getClientRects().length > 0;

// What had the focus is gone: a reader is led to what is called the same in its list, or to where the user was last.
function goOn(held, list) {
  const same = list && [...list.children].find(({ textContent }) => textContent === held.textContent);
  (same ?? [page.place, element('typed')].find((one) => one && isThere(one))).focus();
}

function label() {
  for (const place of document.querySelectorAll('[data-word]')) setText(place, page.words[place.dataset.word] ?? '');
}

function showQuestion(asked) {
  const question = element('question');
  question.hidden = !asked;
  setText(element('asked'), asked?.text ?? '');
  buttons(element('answers'), asked?.answers ?? []);
  if (asked && page.place?.closest('#board')) question.scrollIntoView({ block: 'nearest' });
}

// What was begun while it was hidden must never be seen, and what was begun before is no answer to a hidden question.
function showTyped(hidden) {
  const typed = element('typed');
  const type = hidden ? 'password' : 'text';
  if (typed.type === type) return;
  typed.value = '';
  typed.type = type;
}

function showMoves(made) {
  element('moves-place').hidden = !made.length;
  const list = element('moves');
  while (list.children.length > made.length) list.lastChild.remove();
  made.forEach(({ number, white, black }, index) => {
    const line = list.children[index] ?? list.appendChild(document.createElement('li'));
    setText(line, joined(' ', number, joined(', ', white, black)));
  });
}

// The tables of a hall in the order of their numbers: a row that is there stays, so that a reader keeps his place
function showTables(tables) {
  element('tables-place').hidden = !tables.length;
  const body = element('tables');
  const numbers = new Set(tables.map((table) => String(table.table)));
  [...body.children].filter((row) => !numbers.has(row.dataset.table)).forEach((row) => row.remove());
  tables.forEach((table, index) => {
    const there = body.children[index];
    const same = there?.dataset.table === String(table.table);
    const row = same ? there : body.insertBefore(newRow(table.table), there ?? null);
    const [number, ...cells] = row.children;
    if (table.types) {
      if (!number.querySelector('button')) number.replaceChildren(newButton());
      number.firstChild.onclick = () => page.type(table.types);
    }
    setText(number.querySelector('button') ?? number, String(table.table));
    [table.white, table.black, table.status, table.moves].forEach((text, place) => {
      setText(cells[place], text);
      cells[place].dataset.label = page.words[COLUMNS[place]];
    });
  });
}

function newRow(table) {
  const row = document.createElement('tr');
  row.dataset.table = table;
  const number = document.createElement('th');
  number.scope = 'row';
  row.append(number, ...COLUMNS.map(() => document.createElement('td')));
  row.role = 'row';
  [...row.children].forEach((made, place) => { made.role = place ? 'cell' : 'rowheader'; });
  return row;
}

function newButton() {
  const made = document.createElement('button');
  made.type = 'button';
  return made;
}

// Fills a place, only if it holds something else, so that the focus stays.
function fill(place, wanted, make) {
  const shown = JSON.stringify(wanted);
  if ((place.dataset.shown ?? '[]') === shown) return;
  place.dataset.shown = shown;
  place.replaceChildren(...wanted.map(make));
}

// Buttons that type
function buttons(place, wanted) {
  fill(place, wanted, ({ text, types, does }) => {
    const made = document.createElement('button');
    made.type = 'button';
    setText(made, text);
    if (does) made.append(' ', Object.assign(document.createElement('small'), { textContent: does }));
    made.addEventListener('click', () => page.type(types));
    return made;
  });
}

function showRecords(records) {
  element('records-place').hidden = !records.length;
  fill(element('records'), records, ({ text, url }) => {
    const made = document.createElement('a');
    made.href = url;
    made.download = '';
    made.textContent = text;
    return made;
  });
}

// The link of another page, to be typed or to be read by the camera of a phone
function showLink(link) {
  element('link').hidden = !link;
  if (!link) return;
  setText(element('link-role'), link.role);
  setText(element('link-url'), link.url);
  const { code } = link;
  element('link-code').setAttribute('viewBox', `0 0 ${code.length} ${code.length}`);
  const dots = code.flatMap((row, y) => [...row].map((dot, x) => (dot === '1' ? `M${x} ${y}h1v1h-1z` : '')));
  element('link-code').firstElementChild.setAttribute('d', dots.join(''));
}

// The clocks: digits that go on by themselves for the eye, words that seldom change for a reader

let stateAt = 0;

function timeLeft(side) {
  const { clock } = page.state;
  const gone = clock.running === side ? Math.max(0, performance.now() - stateAt - (clock.free ?? 0)) : 0;
  return Math.ceil(Math.max(0, clock[side] - gone) / 1000);
}

function timeInWords(side) {
  const { clock, clocks, language } = page.state;
  if (!clock) return clocks[side];
  const seconds = timeLeft(side);
  const parts = { hour: Math.floor(seconds / 3600), minute: Math.floor(seconds / 60) % 60, second: seconds % 60 };
  return Object.entries(parts)
    .filter(([unit, count]) => count || (unit === 'second' && !seconds))
    .map(([unit, count]) => new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count))
    .join(' ');
}

function timeInDigits(side) {
  const seconds = timeLeft(side);
  const two = (count) => String(count).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}

function showClocks() {
  const { clock, clocks } = page.state;
  element('clocks').hidden = !clocks;
  if (!clocks) return;
  for (const side of ['white', 'black']) {
    element(`clock-${side}`).hidden = !clocks[side];
    setText(element(`clock-${side}`).querySelector('.words'), timeInWords(side));
    element(`clock-${side}`).classList.toggle('is-running', clock?.running === side);
    element(`clock-${side}`).classList.toggle('has-digits', Boolean(clock));
  }
  tick();
}

// As they are: how they go on is not known any more.
function stopClocks() {
  if (page.state.clock) page.state.clock = { white: 1000 * timeLeft('white'), black: 1000 * timeLeft('black') };
  showClocks();
}

function tick() {
  if (!page.state?.clock) return;
  for (const side of ['white', 'black']) setText(element(`clock-${side}`).querySelector('.digits'), timeInDigits(side));
}

setInterval(tick, 1000);
setInterval(() => { if (page.state) showClocks(); }, 10_000);

let lastSaid = null;

function log({ text, urgent, language = root.lang }) {
  lastSaid = { text, urgent, language };
  const line = document.createElement('p');
  line.lang = language;
  setText(line, text);
  const said = element('log');
  said.append(line);
  if (said.children.length > LOGGED) said.firstChild.remove();
}

// Settings, kept on this device

function keep() {
  try {
    localStorage.setItem(KEPT, JSON.stringify(page.settings));
  } catch { /* a browser that keeps nothing: they hold until the page is closed */ }
}

function read() {
  try {
    Object.assign(page.settings, JSON.parse(localStorage.getItem(KEPT)));
  } catch { /* none, or not ours */ }
}

const moreContrast = matchMedia('(prefers-contrast: more)');

function apply() {
  const { settings } = page;
  root.dataset.size = settings.size;
  root.toggleAttribute('data-fill', settings.fill);
  root.toggleAttribute('data-contrast', settings.contrast || moreContrast.matches);
  voice.on = settings.speech && 'speechSynthesis' in window;
  voice.rate = Number(settings.rate);
  for (const control of element('settings').elements) {
    if (control.type === 'checkbox') control.checked = settings[control.name];
    else control.value = settings[control.name];
  }
  if (page.state) board.show();
}

element('settings').addEventListener('change', ({ target }) => {
  if (target.name === 'speech' && !target.checked && voice.on) voice.silence();
  page.set(target.name, target.type === 'checkbox' ? target.checked : target.value);
});
moreContrast.addEventListener('change', apply);

// What the user does

element('entry').addEventListener('submit', (event) => {
  event.preventDefault();
  const typed = element('typed');
  if (typed.value.trim() || page.state.asked?.by_enter) page.type(typed.value);
  if (!ended) typed.value = ''; // else it can be sent when a new link is opened here
});
element('repeat').addEventListener('click', () => {
  if (lastSaid) say(lastSaid.text, lastSaid.urgent, lastSaid.language);
  else say(present() || page.words.no_message);
});
addEventListener('focusin', ({ target }) => {
  if (target.closest('#board') || target.id === 'typed') page.place = target;
});

const outbox = [];
let sending = false;

// One after the other, in the order of what was done. Each has an id, so that it counts once however often it is sent.
async function sendAll() {
  sending = true;
  while (outbox.length) {
    const [line] = outbox;
    const answer = await send('/type', line);
    if (!answer) await settle(line);
    else if (answer.error) giveUp(answer.error, outbox.splice(0).slice(1));
    else outbox.shift();
  }
  sending = false;
}

// Nobody has answered: the line may have come all the same. It is asked until that is known, and nothing else is sent
// meanwhile; if it has not come by then, it never counts.
async function settle(line) {
  const { words } = page;
  const behind = outbox.splice(0).slice(1);
  tell(named(words.perhaps_sent, [line]));
  let answer;
  while (stream && !answer) answer = await send('/type', { ...line, text: '', dropped: true });
  const since = outbox.splice(0);
  if (!answer) return; // the page has ended, and has said so
  if (answer.error || answer.taken) {
    giveUp(answer.error || `${named(words.was_sent, [line])}.`, [...behind, ...since]);
    return;
  }
  // Who typed since then knew that it may not have come: that is sent, and what is in it is not asked for again.
  const again = since.map(({ text }) => text);
  const lacking = [line, ...behind].filter(({ text }) => !again.includes(text));
  if (lacking.length) giveUp('', lacking);
  outbox.push(...since);
}

// What follows on a line that was refused or did not arrive may have meant it: it is not sent either.
function giveUp(why, lines) {
  tell([why, lines.length && named(page.words.not_sent, lines)].filter(Boolean).join(' '));
}

function named(what, lines) {
  const seen = lines.filter(({ hidden }) => !hidden).map(({ text }) => text);
  return seen.length ? `${what}: ${seen.join(', ')}` : what;
}

// Sends JSON, again where nobody answers. Gives what `ask` does.
async function send(url, content) {
  for (const wait of [1000, 2000, 0]) {
    const answer = await ask(url, {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(content),
    });
    if (answer?.status < 500) return answer;
    await new Promise((resolve) => { setTimeout(resolve, wait); });
  }
  return undefined;
}

// Gives the answer with its status, and its `error` if it was refused; undefined if nobody answered.
async function ask(url, how) {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ANSWER_MS);
  try {
    const answer = await fetch(url, { ...how, signal: late.signal });
    const content = answer.headers.get('Content-Type') === 'application/json' ? await answer.json() : {};
    return { status: answer.status, error: answer.ok ? '' : answer.statusText, ...content };
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    late.abort(); // a stream that was only asked for
  }
}

function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16)); // randomUUID is not there without TLS
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function tell(text, urgent = true) {
  log({ text, urgent });
  say(text, urgent);
}

// The connection

let stream = null;
let ended = ''; // why nothing is sent any more
let lastId = ''; // of all that came
let lastState = ''; // of the newest state
let heardAt = Date.now();
let missed = false; // messages came that had been said while nobody was connected
let lost = false; // the user knows
let losing = 0; // the timer that tells it
let failures = 0;

function connect() {
  ended = '';
  stream?.close();
  stream = new EventSource(lastId ? `/events?since=${encodeURIComponent(lastId)}` : '/events');
  heardAt = Date.now();
  stream.addEventListener('alive', hear);
  stream.addEventListener('bye', () => {
    hear({});
    end(page.words.left);
  });
  stream.addEventListener('say', (event) => {
    hear(event);
    const message = JSON.parse(event.data);
    log(message);
    say(message.text, message.urgent, message.language);
  });
  stream.addEventListener('missed', (event) => {
    hear(event);
    for (const message of JSON.parse(event.data).missed) log({ ...message, urgent: false });
    missed = true;
  });
  stream.addEventListener('kept', (event) => {
    hear(event);
    for (const message of JSON.parse(event.data).kept) log({ ...message, urgent: false });
  });
  stream.addEventListener('state', (event) => {
    hear(event);
    const state = JSON.parse(event.data);
    page.link ||= state.page;
    if (page.link !== state.page) { // another link was opened in this browser
      end(page.words.ended);
      return;
    }
    lastState = event.lastEventId;
    show(state);
    if (lost || missed) comeBack();
  });
  stream.addEventListener('error', () => {
    if (stream.readyState === EventSource.CLOSED) failed();
    if (page.state) losing ||= setTimeout(lose, PATIENCE_MS);
    else element('closed').hidden = false;
  });
}

function hear(event) {
  heardAt = Date.now();
  lastId = event.lastEventId || lastId;
  failures = 0;
  clearTimeout(losing);
  losing = 0;
}

// Nothing more is awaited, so that nothing is lost.
function disconnect() {
  stream?.close();
  stream = null;
  clearTimeout(losing);
  losing = 0;
}

// The server refused the stream, or a browser that does not try again by itself found no server.
async function failed() {
  const answer = await ask(stream.url);
  if (answer?.status === 403) return end(page.words.ended);
  if (answer?.status === FULL && !page.state && element('refused').hidden) refuse({}, answer);
  setTimeout(connect, RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]);
  failures += 1;
  return undefined;
}

// The link of this page is somebody else's now, or nobody's; or the program was left.
function end(why) {
  disconnect();
  if (!page.state) return;
  ended = why;
  page.state.may_move = false;
  board.show();
  stopClocks();
  element('connection').hidden = false;
  setText(element('connection'), why);
  tell(why);
}

function lose() {
  if (lost) return;
  lost = true;
  element('connection').hidden = false;
  tell(page.words.lost);
}

// Exactly the present, in one message.
function comeBack() {
  lost = missed = false;
  element('connection').hidden = true;
  tell(joined(' ', page.words.back, present()));
}

function present() {
  const { state } = page;
  return joined(' ', state.last, state.status, state.asked?.text);
}

setInterval(() => {
  if (stream && stream.readyState === EventSource.OPEN && Date.now() - heardAt > SILENT_MS) connect();
}, 5000);
document.addEventListener('visibilitychange', () => {
  if (!document.hidden && stream && Date.now() - heardAt > SLEPT_MS) connect();
});

// The key of a link is in its fragment, which no server and no log sees; it is given once, for a cookie.
async function enter() {
  const key = new URLSearchParams(location.hash.slice(1)).get('k');
  if (key) await give({ key });
  else connect();
}

async function give(key) {
  const answer = await send('/enter', key);
  // Where the server is too busy, the link is still good, and to load the page again tries it again.
  if (answer && answer.status !== FULL) history.replaceState(null, '', location.pathname);
  if (answer?.error === '') {
    element('refused').hidden = true;
    lastId = page.link = '';
    element('log').replaceChildren(); // what the page of this link was told comes again
    lost = Boolean(page.state); // what it showed was another page
    connect();
  } else refuse(key, answer ?? {});
}

// Why the link opens nothing; if somebody else has its place, it can be taken.
function refuse(key, { status, error = '', language = root.lang, take = status === HELD ? error : '' }) {
  if (error) disconnect();
  root.lang = language;
  voice.language = language;
  setText(element('refused'), error);
  element('refused').hidden = !error || error === take;
  setText(element('take'), take);
  element('take').hidden = !take;
  element('take').onclick = () => give({ ...key, take: true });
  element('game').hidden = true;
  element('closed').hidden = false;
  say(error, true);
}

addEventListener('hashchange', enter);
read();
apply();
enter();
