# SPDX-License-Identifier: GPL-3.0-or-later
from importlib import resources

import pytest

from acessivel.tournaments.regulation import parse, regulation

TEXT = resources.files("acessivel.tournaments").joinpath("desporto-escolar-2022.toml").read_text("utf-8")


# The tables of the document are for 2022/2023, by year of birth; a year later each year of birth is one later.
@pytest.mark.parametrize(
    ("born", "season", "first_cycle", "group"),
    [
        (2016, 2022, True, "Sub 8"), (2015, 2022, True, "Sub 8"), (2014, 2022, True, "Sub 10"), (2012, 2022, True, "Sub 10"),
        (2013, 2022, False, "Infantis 1"), (2012, 2022, False, "Infantis 1"), (2011, 2022, False, "Infantis"),
        (2010, 2022, False, "Infantis"), (2009, 2022, False, "Iniciados"), (2008, 2022, False, "Iniciados"),
        (2007, 2022, False, "Juvenis"), (2006, 2022, False, "Juvenis"), (2005, 2022, False, "Juniores/Seniores"),
        (1999, 2022, False, "Juniores/Seniores"),
        (2015, 2023, True, "Sub 10"), (2016, 2023, True, "Sub 8"), (2012, 2023, False, "Infantis"),
        (2010, 2023, False, "Iniciados"), (2006, 2023, False, "Juniores/Seniores"), (2006, 2021, False, "Juvenis"),
    ],
)  # fmt: skip
def test_the_age_group_of_a_year_of_birth_in_a_season(born, season, first_cycle, group):
    assert regulation().age_group(born, season, first_cycle=first_cycle) == group


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"wins"', '"luck"'),
        ("individual = [", "individuals = ["),
        ("from = 2010, to = 2011", "from = 2010, to = 2012"),
        ("from = 2010, to = 2011", "from = 2011, to = 2011"),
        ("season = 2022", 'season = "2022"'),
    ],
)
def test_a_mistake_in_the_file_is_refused(old, new):
    assert old in TEXT
    with pytest.raises(ValueError, match=r".+"):
        parse(TEXT.replace(old, new, 1))
