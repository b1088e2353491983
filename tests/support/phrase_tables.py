# SPDX-License-Identifier: GPL-3.0-or-later
"""What holds for each table of phrases and sounds, and for the grammar that is made of one."""

from voices.grammar import grammar
from voices.grammar.jsgf import automaton
from voices.phones import phones


def check_sounds(table):
    """Each word with sounds is said, and its sounds are different ones that there are."""
    said = {
        word
        for phrases in table.phrases.values()
        for phrase in phrases
        for word in grammar.plain_phrase(phrase).split()
    }
    assert set(table.sounds) <= said
    for sounds in table.sounds.values():
        assert len(set(sounds)) == len(sounds)
        assert all(set(sound.split()) <= phones() for sound in sounds)


def taken_by(text):
    """Whether a phrase is a whole sentence of a grammar."""
    sentences = automaton(text)

    def takes(phrase):
        states = sentences.start
        for word in phrase.split():
            states = sentences.next(states).get(word, frozenset())
        return sentences.ends(states)

    return takes
