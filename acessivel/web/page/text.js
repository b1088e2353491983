// SPDX-License-Identifier: GPL-3.0-or-later
// Texts: a string in the language of the page, or stretches of several, each with its language.

const stretches = (text) => (typeof text === 'string' ? [[text, '']] : text);

export const plain = (text) => stretches(text).map(([part]) => part).join('');

// Those texts that say something, as one.
export function joined(between, ...texts) {
  const told = texts.filter(Boolean);
  if (told.every((text) => typeof text === 'string')) return told.join(between);
  return told.flatMap((text, place) => [...(place ? [[between, '']] : []), ...stretches(text)]);
}

// Writes a text, if another one stands there.
export function setText(made, text) {
  if (made.textContent !== plain(text)) showText(made, text);
}

// Writes a text, each stretch in its language.
export function showText(made, text) {
  made.replaceChildren(...stretches(text).map(([part, language]) => {
    if (!language) return part;
    const inside = document.createElement('span');
    inside.lang = language;
    inside.textContent = part;
    return inside;
  }));
}

// What a voice is to speak, one after the other: each with its language, that of the page unless it has its own.
export function spoken(text, language) {
  return stretches(text)
    .map(([part, own]) => ({ text: part, language: own || language }))
    .filter((part) => /[\p{L}\p{N}]/u.test(part.text));
}
