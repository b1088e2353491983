# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wanted and what there is at a server, between the games: wishes and reports -> what is told."""

from __future__ import annotations

from dataclasses import replace

from acessivel.app import online_sentences as sentences
from acessivel.app.server_access import ServerAccess
from acessivel.errors import UserError
from acessivel.message import Message, Messages, ToType
from acessivel.online import login, reports
from acessivel.online.answers import Challenge, OnlineGame
from acessivel.online.terms import Terms

_BY_DAYS = "correspondence"  # the server's word for the speed of games without a clock


class OnlineReception:
    """The games and challenges of an account, and what is sought for it.

    `chosen` is the game that is to be played now, None if there is none.
    """

    def __init__(self, access: ServerAccess) -> None:
        self._access = access
        self.games: tuple[OnlineGame, ...] = ()
        self.challenges: tuple[Challenge, ...] = ()
        self.under_way: Message | None = None
        self._begun: tuple[object, ...] = ()  # with what that was asked for
        self._own = ""  # the id of the challenge that is under way, once it is known
        self.chosen: OnlineGame | None = None
        self.watched: reports.Watched | None = None
        self._came_to_us: set[str] = set()  # the ids of challenges, also of those that are answered
        self._knows = False  # which games and challenges there are now
        self._awaited = 0  # lists of games that were asked for
        self._lost = False
        self._looked_up = ""  # the game that is to be played as soon as all is known of it
        self._joins = True  # a game whose clock runs, the first time that the games are found

    @property
    def logged_in(self) -> bool:
        """Whether the program may play in somebody's name."""
        return self._access.logged_in

    @property
    def waiting(self) -> tuple[OnlineGame, ...]:
        """The games in which the user is to move."""
        return tuple(game for game in self.games if game.my_turn and game.playable)

    @property
    def awaits(self) -> bool:
        """Whether it is still to be reported which games and challenges there are now."""
        return self.logged_in and not self._knows

    # What the user wants

    def seek(self, terms: Terms) -> Messages:
        """Look for an opponent, instead of what was wanted before."""
        return self._begin(Message.of("lobby_seeking", terms=sentences.terms(terms)), "seek", terms)

    def challenge(self, name: str, terms: Terms) -> Messages:
        """Challenge a player."""
        told = Message.of("lobby_challenging", name=name, terms=sentences.terms(terms))
        return self._begin(told, "challenge", name, terms)

    def computer(self, level: int, terms: Terms) -> Messages:
        """Play the server's computer at a level from 1 to 8, which is never rated."""
        terms = replace(terms, rated=False)
        told = Message.of("lobby_computing", level=level, terms=sentences.terms(terms))
        return self._begin(told, "ai", level, terms)

    def link(self, terms: Terms) -> Messages:
        """Make a link by which anybody can come."""
        told = Message.of("lobby_linking", terms=sentences.terms(terms))
        return self._begin(told, "open_challenge", terms)

    def cancel(self) -> Messages:
        """Withdraw what is under way."""
        if self.under_way is None:
            return (Message.of("lobby_nothing_under_way"),)
        self.under_way, self._own = None, ""
        return self._ask("cancel") or (Message.of("lobby_cancelled"),)

    def accept(self, challenge: Challenge) -> Messages:
        """Accept a challenge, instead of what was wanted before."""
        told = self.cancel() if self.under_way else ()
        accepting = Message.of("lobby_accepting", name=challenge.name)
        return (*told, *(self._ask("accept", challenge.id) or (accepting,)))

    def decline(self, challenge: Challenge) -> Messages:
        """Decline a challenge."""
        self._forget(challenge.id)
        declined = Message.of("lobby_declined_it", name=challenge.name)
        return self._ask("decline", challenge.id) or (declined,)

    def refresh(self) -> Messages:
        """Ask for the games anew; returns why that cannot be done."""
        self._knows, self._awaited = False, self._awaited + 1
        return self._ask("games")

    def play(self, game: OnlineGame) -> Messages:
        """Go into a game, as soon as all is known of it."""
        if not game.playable:
            return (Message.of("lobby_elsewhere"),)
        self._looked_up = game.id
        return self._ask("look_up", game.id)

    def moved(self, game_id: str) -> None:
        """The user has moved in a game, which waits no more."""
        self.games = tuple(replace(one, my_turn=one.my_turn and one.id != game_id) for one in self.games)

    def watch(self, name: str) -> Messages:
        """Watch the game of a player, or one by its number at the server."""
        return self._ask("watch", name) or (Message.of("lobby_to_watch", name=name),)

    def unwatch(self) -> None:
        """Follow no game of others any more."""
        self._ask("unwatch")

    def log_in(self) -> Messages:
        """Let the user log in with the browser, or with a token that is made there on any device."""
        browser, page = self._access.log_in(), self._access.token_page
        return (
            Message.of("lobby_log_in_there", url=ToType(browser, "")),
            Message.of("lobby_token_page", url=ToType(page, "")),
        )

    def paste(self, token: str) -> None:
        """Log in with a token; whether it is good is reported."""
        self._access.check(token)

    def log_out(self) -> Messages:
        """Forget the token, here and at the server."""
        self.games, self.challenges, self.under_way, self._knows, self._awaited = (), (), None, False, 0
        try:
            self._access.log_out()
        except UserError as error:
            return (error.message, Message.of("lobby_logged_out"))
        return (Message.of("lobby_logged_out"),)

    def _begin(self, told: Message, what: str, *values: object) -> Messages:
        """Begin what is under way from now on."""
        if self.under_way:
            self.cancel()
        if refused := self._ask(what, *values):
            return refused
        self.under_way, self._begun, self._own = told, (what, *values), ""
        return (told,)

    def _ask(self, what: str, *values: object) -> Messages:
        """Ask the server for something; returns why that cannot be asked."""
        if self._access.lobby is None:
            return (Message.of("lobby_log_in_first"),)
        try:
            getattr(self._access.lobby, what)(*values)
        except UserError as error:
            return (error.message,)
        return ()

    # What is reported

    def take(self, report: reports.LobbyReport) -> Messages:  # noqa: C901, PLR0912  # one row for each report
        """What a report changes, and what is told of it."""
        if not self.logged_in and not isinstance(report, login.LoggedIn | reports.OnlineTrouble):
            return ()  # of before the user has logged out
        match report:
            case reports.Connected():
                back, self._lost = self._lost, False
                return (*((Message.of("lobby_back"),) if back else ()), *self.refresh())
            case reports.Disconnected():
                self._lost = True
                return (Message.of("lobby_lost"),)
            case reports.Account(account):
                known, self._access.name = self._access.name, account.name
                return () if known == account.name else (Message.of("lobby_account", name=account.name),)
            case reports.GamesFound(games):
                return self._found(games)
            case reports.GameBegan(game):
                return self._known(game, began=True)
            case reports.GameLookedUp(game) if game.id == self._looked_up:  # the last that was chosen
                return self._known(game, began=False)
            case reports.OnlineGameEnded(game):
                self.games = tuple(one for one in self.games if one.id != game.id)
            case reports.ChallengeCame() | reports.ChallengeSent() | reports.ChallengeGone():
                return self._of_a_challenge(report)
            case reports.SeekBegan() | reports.SeekEnded():
                return self._of_a_seek(report)
            case reports.LinkMade(id_, url) if self.under_way and self._begun[:1] == ("open_challenge",):
                self._own = id_
                return (Message.of("lobby_link", url=ToType(url, "")),)
            case reports.Watched():
                self.watched = report
            case reports.OnlineTrouble(message):
                self._knows = self._knows or not self._joins  # what was found before has to do
                self._awaited = 0
                return (message,)
            case login.LoggedIn():
                return self._logged_in(report)
        return ()

    def _of_a_challenge(
        self, report: reports.ChallengeCame | reports.ChallengeSent | reports.ChallengeGone
    ) -> Messages:
        """A challenge comes, stands or is over."""
        match report:
            case reports.ChallengeCame(challenge):
                return self._came(challenge)
            case reports.ChallengeSent(challenge) if self._is_ours(challenge):
                self._own = challenge.id
            case reports.ChallengeGone():
                return self._gone(report)
        return ()

    def _of_a_seek(self, report: reports.SeekBegan | reports.SeekEnded) -> Messages:
        """An opponent is looked for, or no more; for one without a clock nothing waits here."""
        match report:
            case reports.SeekBegan(terms) if not terms.clocked:
                self.under_way = None
                return (Message.of("lobby_seek_stays"),)
            case reports.SeekEnded("expired"):
                self.under_way = None
                return (Message.of("lobby_nobody"),)
            case reports.SeekEnded("refused"):
                self.under_way = None
        return ()

    def _found(self, games: tuple[OnlineGame, ...]) -> Messages:
        """The games as they are now; into one whose clock runs at once, the first time."""
        self._awaited = max(0, self._awaited - 1)
        self.games, self._knows = games, not self._awaited  # else they are those of an earlier question
        joins, self._joins = self._joins, False
        running = next((game for game in games if game.playable and game.speed != _BY_DAYS), None)
        if joins and running:
            return self.play(running)
        return (Message.of("lobby_wait", count=len(self.waiting)),) if joins and self.waiting else ()

    def _known(self, game: OnlineGame, *, began: bool) -> Messages:
        """Play a game with a clock as soon as it begins, and each that was chosen."""
        if began:
            self.games = (*(one for one in self.games if one.id != game.id), game)
            self._forget(game.id)
        if not game.playable:
            return (Message.of("lobby_elsewhere"),)
        found = began and self._is_wanted(game)
        if game.clocked or found or game.id == self._looked_up or not began:
            # A game with a clock must not begin while this one is played.
            told = self.cancel() if self.under_way and not found else self._ask("stop_waiting")
            self.chosen, self.under_way, self._looked_up = game, None, ""
            return told
        return (Message.of("lobby_began", game=sentences.game_line(game)),)

    def _is_wanted(self, game: OnlineGame) -> bool:
        """Whether a game that has begun is what is under way; of one with a clock that can also seem so."""
        match self.under_way and self._begun:
            case ("seek", *_):
                return game.clocked and game.id not in self._came_to_us
            case ("ai", *_):
                return game.ai > 0
            case ("challenge" | "open_challenge", *_):
                return game.id == self._own
        return False

    def _is_ours(self, challenge: Challenge) -> bool:
        """Whether a challenge of the user's is the one that is under way, and was not made elsewhere."""
        match self.under_way and self._begun:
            case ("challenge", str(name), *_):
                return name.casefold() == challenge.name.casefold()
        return False

    def missed(self, challenge: Challenge) -> None:
        """A challenge to the user came and went during a game."""
        self._came_to_us.add(challenge.id)

    def _came(self, challenge: Challenge) -> Messages:
        if challenge.id in (one.id for one in self.challenges):
            return ()
        self.challenges = (*self.challenges, challenge)
        self._came_to_us.add(challenge.id)
        key = "lobby_came" if challenge.playable else "lobby_came_elsewhere"
        return (Message.of(key, challenge=sentences.challenge(challenge)),)

    def _gone(self, gone: reports.ChallengeGone) -> Messages:
        """A challenge of the user's is over, or one to the user, if that stood here."""
        if gone.id in self._came_to_us:
            stood = any(one.id == gone.id for one in self.challenges)
            self._forget(gone.id)
            return (Message.of("lobby_withdrawn"),) if stood else ()
        if self.under_way is None or gone.why == "cancelled":  # by the user, who may want something else
            return ()
        if gone.id not in ("", self._own):  # made elsewhere, or before
            return ()
        self.under_way = None
        if gone.why == "declined":
            return (Message.of("lobby_declined", why=sentences.reason(gone.reason)),)
        return (Message.of("lobby_unanswered"),) if gone.why in ("expired", "lost") else ()

    def _forget(self, challenge: str) -> None:
        self.challenges = tuple(one for one in self.challenges if one.id != challenge)

    def _logged_in(self, report: login.LoggedIn) -> Messages:
        try:
            where = self._access.keep(report.token)
        except UserError as error:
            return (error.message,)
        self._access.name = report.name
        return (Message.of(f"lobby_logged_in_{where}", name=report.name),)
