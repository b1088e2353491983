# SPDX-License-Identifier: GPL-3.0-or-later
"""What the sentences of the catalogues need."""

import string

from acessivel.messages import plurals

# {say}, {Say}: whether words are said or typed; each sentence has of them what its grammar needs
SAYING = ("say", "to_say", "be_said")


def forms(sentence):
    """The fields of a sentence that choose a form by a number, with their forms by category."""
    return [
        (name, dict(form.split("=", 1) for form in spec.split("|")))
        for _, name, spec, _ in string.Formatter().parse(sentence)
        if name and plurals.has_forms(spec)
    ]


def fields(sentence):
    """The names of the values that a sentence tells, those inside the forms of its words too."""
    names = {name for _, name, _, _ in string.Formatter().parse(sentence) if name}
    own = {name for name in names if name.lower() not in SAYING}
    inner = (fields(form) for _, choice in forms(sentence) for form in choice.values())
    return own.union(*inner)
