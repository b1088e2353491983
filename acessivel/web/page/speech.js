// SPDX-License-Identifier: GPL-3.0-or-later
// What is said: by two live regions for a screen reader, and by the browser's own voice for who has none.

const CLEARED_MS = 100; // a region must be seen empty, so that what comes is new
const APART_MS = 250; // before the next message may change a region
const LOST_MS = 150; // a key that is pressed so soon after a message makes a reader forget it
const PATIENCE_MS = 2000; // a message waits no longer for a pause between keys
const TRIES = 3;

const polite = document.getElementById('polite');
const assertive = document.getElementById('assertive');
const waiting = [];
let writing = false;
let written = '';
let keyAt = -Infinity;

addEventListener('keydown', (event) => {
  if (event.key !== 'Control') keyAt = performance.now(); // Control alone silences a reader: that is meant
}, true);

const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

// Says a text, in the order in which it is told to. `urgent`: a reader interrupts itself for it.
export function say(text, urgent = false) {
  waiting.push({ text, urgent });
  voice.message(text);
  if (!writing) writeAll();
}

async function writeAll() {
  writing = true;
  while (waiting.length) {
    const { urgent } = waiting[0];
    const other = waiting.findIndex((message) => message.urgent !== urgent);
    const together = waiting.splice(0, other < 0 ? waiting.length : other);
    await write(urgent ? assertive : polite, together.map((message) => message.text).join(' '));
  }
  writing = false;
}

// Writes a text so that a reader speaks it: after a pause between keys, and again if a key came right after it.
async function write(region, text) {
  const patience = performance.now() + PATIENCE_MS;
  for (let tries = 0; tries < TRIES; tries += 1) {
    region.textContent = '';
    await pause(CLEARED_MS);
    while (performance.now() - keyAt < LOST_MS && performance.now() < patience) await pause(20);
    written = text === written ? `${text}\u00a0` : text; // the same twice running would be silent
    region.textContent = written;
    const at = performance.now();
    await pause(APART_MS);
    if (keyAt < at || keyAt > at + LOST_MS) return;
  }
}

// The voice of the browser: messages to their end, and of the squares that are passed only the newest.
export const voice = {
  on: false,
  rate: 1,
  language: '',
  messages: [],
  square: '',
  now: '', // what is being spoken: '', 'message' or 'square'

  message(text) {
    if (!this.on) return;
    this.messages.push(text);
    this.square = '';
    this.interrupt();
  },

  passed(text) {
    if (!this.on) return;
    this.square = text;
    this.interrupt();
  },

  interrupt() {
    if (this.now === 'square') speechSynthesis.cancel(); // its end begins what is next
    else if (!this.now) this.next();
  },

  next() {
    this.now = this.messages.length ? 'message' : this.square && 'square';
    if (!this.now) return;
    const said = new SpeechSynthesisUtterance(this.messages.shift() ?? this.square);
    if (this.now === 'square') this.square = '';
    said.lang = this.language;
    said.rate = this.rate;
    said.onend = said.onerror = () => this.next();
    speechSynthesis.speak(said);
  },

  silence() {
    this.messages.length = 0;
    this.square = '';
    speechSynthesis.cancel();
  },
};
