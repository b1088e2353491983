// SPDX-License-Identifier: GPL-3.0-or-later
// What is said: by two live regions for a screen reader, and by the browser's own voice for who has none.

import { joined, plain, showText, spoken } from './text.js';

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

// Says a text, in the order in which it is told to. `urgent`: a reader interrupts itself for it. `language`: of what
// is in no other, that of the page unless it is said.
export function say(text, urgent = false, language = voice.language) {
  waiting.push({ text, urgent, language });
  voice.message(text, language);
  if (!writing) writeAll();
}

async function writeAll() {
  writing = true;
  while (waiting.length) {
    const { urgent, language } = waiting[0];
    const other = waiting.findIndex((message) => message.urgent !== urgent || message.language !== language);
    const together = waiting.splice(0, other < 0 ? waiting.length : other);
    const region = urgent ? assertive : polite;
    region.lang = language;
    await write(region, joined(' ', ...together.map((message) => message.text)));
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
    const again = plain(text) === written; // the same twice running would be silent
    showText(region, again ? joined('', text, '\u00a0') : text);
    written = region.textContent;
    const at = performance.now();
    await pause(APART_MS);
    if (keyAt < at || keyAt > at + LOST_MS) return;
  }
}

// The voice of the browser: messages to their end, and of the squares that are passed only the newest.
export const voice = {
  on: false,
  elsewhere: false, // another tab of this page speaks
  rate: 1,
  language: '',
  messages: [],
  square: '',
  now: '', // what is being spoken: '', 'message' or 'square'

  message(text, language) {
    if (!this.on || this.elsewhere) return;
    this.messages.push(...spoken(text, language));
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
    const { text, language } = this.messages.shift() ?? { text: this.square, language: this.language };
    const said = new SpeechSynthesisUtterance(text);
    if (this.now === 'square') this.square = '';
    said.lang = language;
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

// Of the tabs of a page one speaks: that in which the user was last.
const tabs = 'BroadcastChannel' in window ? new BroadcastChannel('acessivel') : null;

function speakHere() {
  if (!voice.on) return;
  voice.elsewhere = false;
  tabs?.postMessage('here');
}

tabs?.addEventListener('message', ({ data }) => {
  voice.elsewhere = data === 'here';
  if (voice.elsewhere) voice.silence();
});
for (const event of ['focus', 'focusin', 'pageshow']) addEventListener(event, speakHere);
addEventListener('pagehide', () => { if (voice.on && !voice.elsewhere) tabs?.postMessage('gone'); });
