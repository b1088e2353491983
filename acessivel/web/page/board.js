// SPDX-License-Identifier: GPL-3.0-or-later
// The board: 64 cells, each with its complete name; picked and dropped by click, by keys, by two lists, or dragged.

import { say, voice } from './speech.js';
import { setText } from './text.js';

const FILES = 'abcdefgh';
const KINDS = 'kqrbnp';
const DRAG_PX = 8; // a pointer that moved less was held still
const SVG = 'http://www.w3.org/2000/svg';
// Clockwise from straight up, as the board is seen: columns to the right, rows down.
const DIRECTIONS = [[0, -1], [1, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1]];

const element = (id) => document.getElementById(id);
const grid = element('board');
const choice = element('choice');

const colour = (piece) => (piece === piece.toUpperCase() ? 'white' : 'black');

// The board of the page. `page`: its state, words and settings, and what it does with a move (`type`, `answer`).
export class Board {
  constructor(page) {
    this.page = page;
    this.cells = [...Array(64).keys()].map((place) => cell(place));
    this.current = 56; // the corner below on the left: places count from above on the left, as the board is seen
    this.picked = ''; // the square whose piece is in the hand
    this.promotion = ''; // the move that waits for its piece
    this.direction = -1; // the last one that was scanned
    this.drag = null;
    grid.append(...[...Array(8).keys()].map((row) => {
      const made = document.createElement('div');
      made.className = 'row';
      made.append(...this.cells.slice(8 * row, 8 * row + 8));
      return made;
    }));
    grid.addEventListener('click', (event) => this.clicked(event));
    grid.addEventListener('focusin', (event) => this.arrived(this.cells.indexOf(event.target)));
    grid.addEventListener('keydown', (event) => this.pressed(event));
    grid.addEventListener('pointerdown', (event) => this.lifted(event));
    document.addEventListener('pointermove', (event) => this.dragged(event));
    document.addEventListener('pointerup', (event) => this.dropped(event));
    document.addEventListener('pointercancel', () => this.endDrag());
    choice.addEventListener('click', ({ target }) => {
      if (target.closest('button')) this.chosen(target.closest('button'));
    });
    choice.addEventListener('keydown', (event) => {
      if (event.repeat) event.preventDefault(); // the key that has led here is still held
      else if (event.key === 'Escape') this.chosen(null);
    });
    element('lists').addEventListener('submit', (event) => this.listed(event));
    element('list-piece').addEventListener('change', () => this.listTargets());
  }

  // What is shown

  get turned() {
    return this.page.state.turned !== this.page.settings.turned;
  }

  square(place) {
    return this.page.state.squares[this.turned ? 63 - place : place];
  }

  place(name) {
    const index = this.page.state.squares.findIndex((square) => square.name === name);
    return this.turned ? 63 - index : index;
  }

  // The complete name of a square, which needs nothing around it.
  says(place) {
    const { words } = this.page;
    const { name, says, marks } = this.square(place);
    return [
      says,
      marks.includes('check') && words.in_check,
      name === this.picked && words.picked_up,
      this.targets(this.picked).includes(name) && words.target,
    ].filter(Boolean).join(', ');
  }

  // Shows the state anew; what did not change stays as it is, so that a reader keeps its place.
  show() {
    const { state } = this.page;
    element('no-board').hidden = Boolean(state.squares) || !state.status;
    element('board-parts').hidden = !state.squares;
    element('board-place').hidden = !state.squares && !state.status;
    if (!state.squares) return;
    if (this.picked && !this.mayPick(this.picked)) this.putBack();
    if (this.promotion && !this.mayPick(this.promotion.slice(0, 2))) this.closeChoice();
    this.layOut();
    this.cells.forEach((_, place) => this.showCell(place));
    this.showLists();
    this.showHuge();
  }

  layOut() {
    const { plain } = this.page.settings;
    setRole(grid, plain ? 'group' : 'grid');
    [...grid.children].forEach((row) => setRole(row, plain ? '' : 'row'));
    this.cells.forEach((made) => setRole(made, plain ? 'button' : 'gridcell'));
  }

  showCell(place) {
    const made = this.cells[place];
    const { name, piece, marks } = this.square(place);
    const [file, rank] = name;
    const shown = [
      'cell',
      (FILES.indexOf(file) + Number(rank)) % 2 ? 'light' : 'dark',
      ...marks.map((mark) => `is-${mark}`),
      name === this.picked && 'is-picked',
      this.targets(this.picked).includes(name) && (piece ? 'is-capture' : 'is-target'),
    ].filter(Boolean).join(' ');
    if (made.className !== shown) made.className = shown;
    made.dataset.square = name;
    const [said, glyph] = made.children;
    setText(said, this.says(place));
    setText(glyph.querySelector('.rank'), place % 8 ? '' : rank);
    setText(glyph.querySelector('.file'), place < 56 ? '' : file);
    this.showPiece(glyph.querySelector('.piece'), piece);
  }

  showPiece(place, piece) {
    const letters = this.page.words.piece_letters;
    const shown = this.page.settings.letters ? `${piece}${letters}` : piece;
    if (place.dataset.shown === shown) return;
    place.dataset.shown = shown;
    place.className = piece ? `piece ${colour(piece)}` : 'piece';
    place.replaceChildren(...(piece ? [this.page.settings.letters ? letter(piece, letters) : figure(piece)] : []));
  }

  // One square, or the last move, so large that it is read from afar.
  showHuge() {
    const huge = element('huge');
    const { settings, state } = this.page;
    huge.hidden = !settings.huge;
    if (settings.huge === 'last') return setText(huge, state.last);
    if (settings.huge !== 'square') return undefined;
    const { name, piece } = this.square(this.current);
    const shown = document.createElement('span');
    this.showPiece(shown, piece);
    return huge.replaceChildren(name, shown);
  }

  showLists() {
    const { state } = this.page;
    options(element('list-piece'), state.squares.filter(({ name }) => this.mayPick(name)));
    this.listTargets();
  }

  listTargets() {
    const from = element('list-piece').value;
    const { squares } = this.page.state;
    const targets = this.targets(from);
    options(element('list-square'), squares.filter(({ name }) => name !== from && (!targets.length || targets.includes(name))));
  }

  // Where one is on the board

  go(place) {
    this.cells[place].focus();
    this.arrived(place);
    voice.passed(this.says(place));
  }

  // The one Tab stop goes along: also where a reader moves the focus, or clicks without moving it.
  arrived(place) {
    if (place < 0) return;
    if (place !== this.current) this.direction = -1;
    this.cells[this.current].tabIndex = -1;
    this.current = place;
    this.cells[place].tabIndex = 0;
    this.showHuge();
  }

  turn() {
    const { name } = this.square(this.current);
    this.page.set('turned', !this.page.settings.turned);
    this.go(this.place(name));
    say(this.turned ? this.page.words.black_below : this.page.words.white_below);
  }

  // Picking and dropping

  targets(from) {
    return this.page.state.moves[from] ?? [];
  }

  mayPick(name) {
    const { state } = this.page;
    const { piece } = state.squares.find((square) => square.name === name);
    if (!state.may_move || !piece) return false;
    if (Object.keys(state.moves).length) return name in state.moves;
    return !['white', 'black'].includes(state.role) || colour(piece) === state.role;
  }

  clicked(event) {
    const place = this.cells.indexOf(event.target.closest('.cell'));
    if (place < 0) return;
    this.arrived(place);
    this.activate(place);
  }

  activate(place) {
    const { state, words } = this.page;
    const { name } = this.square(place);
    if (this.picked === name) this.putBack();
    else if (this.picked && (this.targets(this.picked).includes(name) || !this.mayPick(name))) this.move(this.picked, name);
    else if (this.mayPick(name)) this.pick(place);
    else say(state.may_move ? words.not_this : words.cannot_move);
  }

  pick(place) {
    say(`${this.page.words.picked}: ${this.square(place).says}`);
    this.picked = this.square(place).name;
    this.show();
  }

  putBack() {
    const name = this.picked;
    this.picked = '';
    this.show();
    say(`${this.page.words.is_put_back}: ${this.square(this.place(name)).says}`);
  }

  move(from, to) {
    const { piece } = this.square(this.place(from));
    this.picked = '';
    this.show();
    const last = piece === 'P' ? '78' : '21';
    if (piece.toLowerCase() === 'p' && from[1] === last[0] && to[1] === last[1]) this.askPromotion(from + to);
    else this.page.move(from + to);
  }

  askPromotion(move) {
    this.promotion = move;
    choice.hidden = false;
    choice.querySelector('button').focus();
  }

  closeChoice() {
    const inside = choice.contains(document.activeElement);
    this.promotion = '';
    choice.hidden = true;
    if (inside) this.cells[this.current].focus();
  }

  chosen(button) {
    const move = this.promotion;
    this.closeChoice();
    if (button?.value) this.page.move(move + button.value);
    else say(`${this.page.words.is_put_back}: ${this.square(this.place(move.slice(0, 2))).says}`);
  }

  listed(event) {
    event.preventDefault();
    const [from, to] = [element('list-piece').value, element('list-square').value];
    if (from && to) {
      element('list-piece').value = ''; // pressed again, it is no other move
      this.listTargets();
      this.move(from, to);
    } else say(this.page.state.may_move ? this.page.words.choose_both : this.page.words.cannot_move);
  }

  // Dragging with a mouse or a pen; a finger scrolls the page, and clicks

  lifted(event) {
    const made = event.target.closest('.cell');
    if (event.pointerType === 'touch' || event.button !== 0 || !made || !this.mayPick(made.dataset.square)) return;
    this.drag = { from: made.dataset.square, x: event.clientX, y: event.clientY, piece: made.querySelector('.piece'), moved: false };
  }

  dragged(event) {
    const { drag } = this;
    if (!drag) return;
    const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
    drag.moved ||= Math.hypot(x, y) > DRAG_PX;
    if (!drag.moved) return;
    drag.piece.classList.add('is-dragged');
    drag.piece.style.transform = `translate(${x}px, ${y}px)`;
  }

  dropped(event) {
    const { drag } = this;
    if (!drag) return;
    this.endDrag();
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest('.cell');
    if (drag.moved && under && under.dataset.square !== drag.from) this.move(drag.from, under.dataset.square);
  }

  endDrag() {
    if (!this.drag) return;
    this.drag.piece.classList.remove('is-dragged');
    this.drag.piece.style.transform = '';
    this.drag = null;
  }

  // Keys, only while the board has the focus

  pressed(event) {
    if (event.metaKey || (event.altKey && event.code !== 'KeyX')) return;
    const done = event.ctrlKey ? this.corner(event) : this.stepped(event) || this.ordered(event);
    if (done) event.preventDefault();
  }

  corner(event) {
    const to = { Home: 0, End: 63 }[event.key];
    if (to === undefined) return false;
    this.go(to);
    return true;
  }

  stepped(event) {
    const [column, row] = [this.current % 8, Math.floor(this.current / 8)];
    const steps = {
      ArrowLeft: [column - 1, row], ArrowRight: [column + 1, row], ArrowUp: [column, row - 1], ArrowDown: [column, row + 1],
      Home: [0, row], End: [7, row], PageUp: [column, 0], PageDown: [column, 7],
    };
    if (!(event.key in steps)) return false;
    const [x, y] = steps[event.key];
    if (x < 0 || y < 0 || x > 7 || y > 7) say(this.page.words.edge);
    else this.go(8 * y + x);
    return true;
  }

  ordered(event) {
    const { state, words } = this.page;
    const key = event.code === 'KeyX' && event.altKey ? 'x' : event.key.toLowerCase(); // Alt changes letters on a Mac
    const digit = /^(?:Digit|Numpad)([1-8])$/.exec(event.code)?.[1];
    const orders = {
      Enter: () => event.repeat || this.activate(this.current),
      ' ': () => event.repeat || this.activate(this.current),
      Escape: () => (this.picked ? this.putBack() : this.endDrag()),
      o: () => say(this.says(this.current)),
      l: () => say(state.last || words.no_last),
      t: () => say(this.page.clocks() || words.no_clocks),
      c: () => say(state.captured || words.no_capture),
      m: () => this.tellMoves(event.shiftKey),
      x: () => this.scan(event.shiftKey ? -1 : 1, event.altKey),
      f: () => this.turn(),
      i: () => this.page.toText(),
      a: () => this.page.toAnswers(),
      y: () => event.repeat || this.page.answer(),
    };
    const order = orders[event.key] ?? orders[key];
    if (order) order();
    else if (digit) this.toLine(digit, event.shiftKey);
    else if (KINDS.includes(key)) this.toPiece(key, event.shiftKey ? -1 : 1);
    else return false;
    return true;
  }

  toLine(digit, file) {
    const { name } = this.square(this.current);
    this.go(this.place(file ? FILES[digit - 1] + name[1] : name[0] + digit));
  }

  toPiece(kind, step) {
    for (let away = 1; away <= 64; away += 1) {
      const place = (this.current + step * away + 64 * 2) % 64;
      if (this.square(place).piece.toLowerCase() === kind) return this.go(place);
    }
    return say(this.page.words.none_there);
  }

  tellMoves(captures) {
    const { state, words } = this.page;
    const { name } = this.square(this.current);
    if (!state.may_move) return say(words.cannot_move);
    const targets = this.targets(name).filter((to) => !captures || this.captures(name, to));
    if (!targets.length) return say(words.no_moves);
    return say(`${captures ? words.captures_on : words.moves_to}: ${targets.join(', ')}`);
  }

  captures(from, to) {
    const [mover, met] = [from, to].map((name) => this.square(this.place(name)).piece);
    if (met) return colour(met) !== colour(mover); // a rook of one's own is the goal of castling
    return mover.toLowerCase() === 'p' && from[0] !== to[0]; // en passant
  }

  // Tells what stands in one direction after another, from here to the edge.
  scan(step, straight) {
    const { words } = this.page;
    let met = [];
    for (let tries = 0; tries < DIRECTIONS.length && !met.length; tries += 1) {
      const before = this.direction < 0 && step < 0 ? 0 : this.direction;
      this.direction = (before + step + DIRECTIONS.length) % DIRECTIONS.length;
      if (straight && this.direction % 2) continue;
      met = this.line(DIRECTIONS[this.direction]);
    }
    const pieces = met.filter((place) => this.square(place).piece).map((place) => this.square(place).says);
    say(`${words.towards} ${this.square(met.at(-1)).name}: ${pieces.join('; ') || words.nothing}`);
  }

  line([right, down]) {
    const found = [];
    let [x, y] = [(this.current % 8) + right, Math.floor(this.current / 8) + down];
    for (; x >= 0 && y >= 0 && x < 8 && y < 8; x += right, y += down) found.push(8 * y + x);
    return found;
  }
}

// A cell: its name for readers, and what is seen, which they need not read.
function cell(place) {
  const made = document.createElement('div');
  made.tabIndex = place === 56 ? 0 : -1;
  const name = document.createElement('span');
  name.className = 'spoken';
  const glyph = document.createElement('span');
  glyph.className = 'glyph';
  glyph.setAttribute('aria-hidden', 'true');
  glyph.append(...['rank', 'file', 'piece'].map((part) => {
    const inside = document.createElement('span');
    inside.className = part;
    return inside;
  }));
  made.append(name, glyph);
  return made;
}

function figure(piece) {
  const drawn = document.createElementNS(SVG, 'svg');
  const used = document.createElementNS(SVG, 'use');
  used.setAttribute('href', `#figure-${piece.toLowerCase()}`);
  drawn.append(used);
  return drawn;
}

// A letter of the user's language, on a white disc or a black box.
function letter(piece, letters) {
  const shown = document.createElement('span');
  shown.className = 'letter';
  shown.textContent = letters.split(' ')[KINDS.indexOf(piece.toLowerCase())];
  return shown;
}

// What was chosen is chosen again only while it is there; else nothing is, until somebody chooses.
function options(list, squares) {
  const shown = squares.map(({ name, says }) => `${name} ${says}`).join('\n');
  if (list.dataset.shown === shown) return;
  const { value } = list;
  list.dataset.shown = shown;
  list.replaceChildren(new Option(), ...squares.map(({ name, says }) => new Option(says, name, false, name === value)));
}

function setRole(made, role) {
  if (!role) made.removeAttribute('role');
  else if (made.getAttribute('role') !== role) made.setAttribute('role', role);
}
