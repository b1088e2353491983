# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel models` as a user runs it, against a site of speech models on this machine."""

import contextlib
import errno
import json
import os
import pty
import re
import resource
import signal
import socket
import subprocess
from functools import partial
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
import soundfile
from support.languages import LANGUAGES
from support.models_site import LIST, SMALL_DE, SMALL_PT, Site, archive, noise
from support.program import PROGRAM, Running, environment, run
from support.pulse import Ear, PrivatePulse

from acessivel.commands import models
from acessivel.commands.models import sentence
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from voices.models.errors import Kind, ModelError
from voices.models.installed import is_model

SIZE = 400_000
GOOD = archive(acoustic=noise(SIZE))
FRENCH = "vosk-model-small-fr-0.22"
BIG_PT = "vosk-model-pt-0.5"
PAGE = "https://alphacephei.com/vosk/models"
PATH = f"/{SMALL_PT}.zip"


class User:
    """Somebody with a home of their own, whose list of models is that of a site."""

    def __init__(self, home, site):
        self.home = home
        self.site = site
        self.save = home / "games"
        self.folder = self.save / "models"
        self.config = home / ".config/acessivel/config.toml"
        self.config.parent.mkdir(parents=True)

    def settle(self, address, more=""):
        self.config.write_text(f'model_list = "{address}"\n{more}')

    def models(self, *arguments, language="en", status=0, **more):
        options = ("--save", self.save, "--language", language)
        return run(self.home, "models", *arguments, *options, status=status, **more)

    def get(self, *arguments, **how):
        return self.models("get", *arguments, "--speak", "off", **how)

    def files(self):
        """What is in the folder of the models, hidden or not."""
        return sorted(path.name for path in self.folder.iterdir()) if self.folder.exists() else []

    def part(self):
        """What has come of a model, when nothing else is there."""
        (name,) = self.files()
        assert name.endswith(".part")
        return (self.folder / name).read_bytes()


@pytest.fixture
def user(tmp_path, monkeypatch):
    monkeypatch.setattr(models, "_opens", lambda _: True)  # none of these is one that Vosk could load
    with Site() as site:
        site.offer(SMALL_PT, GOOD, licence="Apache 2.0")
        site.offer(BIG_PT, GOOD, size=1_600_000_000)
        site.offer("vosk-model-small-pt-0.2", GOOD, obsolete="true")
        site.offer("vosk-model-small-en-us-0.15", GOOD, size=41_205_931)
        site.offer(SMALL_DE, archive(acoustic=noise(SIZE, 2), folder=SMALL_DE))
        site.offer(FRENCH, GOOD)
        user = User(tmp_path, site)
        user.settle(site.url(LIST))
        yield user


# Listed


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("en", (f"Portuguese: {SMALL_PT}, 1 MB, licence: Apache 2.0, not installed.", f"The site gives the licence of each model: {PAGE}")),
        ("pt", (f"Português: {SMALL_PT}, 1 MB, licença: Apache 2.0, não instalado.", f"O site diz a licença de cada modelo: {PAGE}")),
        ("de", (f"Portugiesisch: {SMALL_PT}, 1 MB, Lizenz: Apache 2.0, nicht installiert.", f"Die Lizenz jedes Modells steht auf der Website: {PAGE}")),
        ("es", (f"Portugués: {SMALL_PT}, 1 MB, licencia: Apache 2.0, no instalado.", f"El sitio dice la licencia de cada modelo: {PAGE}")),
    ],
)  # fmt: skip
def test_the_models_are_listed_in_plain_lines(user, language, lines):
    found, errors = user.models("list", language=language)
    assert errors == []
    names = [line.split(": ")[1].split(",")[0] for line in found[:-1]]
    assert names == [SMALL_DE, "vosk-model-small-en-us-0.15", SMALL_PT, BIG_PT]
    assert (found[2], found[-1]) == lines
    assert not user.save.exists()


def test_one_language_and_all(user):
    lines, _ = user.models("list", "en")
    assert lines[0] == "English: vosk-model-small-en-us-0.15, 41 MB, licence: see the site, not installed."
    assert len(lines) == 2
    lines, _ = user.models("list", "--all")
    assert f"French: {FRENCH}, 1 MB, licence: see the site, not installed." in lines
    assert len(lines) == 6
    _, errors = user.models("list", "tlh", status=2)
    assert errors == [
        "There is no suitable model for the language tlh. For all models: acessivel models list --all"
    ]


def test_the_list_for_programs(user):
    user.get("pt")
    (line,), _ = user.models("list", "--json")
    found = {one["name"]: one for one in json.loads(line)}
    assert set(found) == {SMALL_PT, BIG_PT, SMALL_DE, "vosk-model-small-en-us-0.15"}
    assert {name for name in found if found[name]["installed"]} == {SMALL_PT}
    assert found[BIG_PT]["size"] == 1_600_000_000
    assert found[SMALL_PT]["licence"] == "Apache 2.0"
    assert found[BIG_PT]["licence"] == ""


# Fetched, used, removed


@pytest.mark.parametrize(
    ("language", "name", "said"),
    [
        ("pt", SMALL_PT, ("Baixando {}, 1 MB.", "Chegou tudo. Agora é conferido e descompactado.", "Instalado: {}.", "instalado.", "Removido: {}.")),
        ("de", SMALL_DE, ("Es wird heruntergeladen: {}, 1 MB.", "Alles ist da. Jetzt wird es geprüft und entpackt.", "Installiert: {}.", "installiert.", "Gelöscht: {}.")),
    ],
)  # fmt: skip
def test_a_model_comes_is_used_and_goes(user, language, name, said):
    begin, unpacking, got, here, removed = (sentence_.format(name) for sentence_ in said)
    lines, errors = user.get(language, language=language)
    assert errors == []
    assert (lines[0], lines[-3:-1]) == (begin, [unpacking, got])
    tenths = [int(line.split(" %")[0]) // 10 for line in lines[1:-3]]
    assert tenths == sorted(set(tenths))
    assert (tenths[0], tenths[-1]) == (0, 10)
    assert len(tenths) > 2
    assert user.files() == [name]
    assert is_model(user.folder / name)
    assert (user.folder / name / "am/final.mdl").stat().st_size == SIZE
    assert lines[-1].endswith(f" mit {name}" if language == "de" else f" com {name}")
    lines, _ = user.models("list", language, language=language)
    assert [line.split(", ")[-1] for line in lines if f": {name}," in line] == [here]
    lines, errors = user.models("remove", name, language=language)
    assert (lines, errors) == ([removed], [])
    assert user.files() == []


def test_where_they_are_and_which_one_is_used(user):
    user.get("pt")
    user.get("de")
    lines, _ = user.models("where", language="pt")
    assert lines == [
        f"Os modelos ficam em {user.folder}",
        f"Instalados ali: {SMALL_DE}, {SMALL_PT}.",
        f"O Vosk escuta com {SMALL_DE}",
    ]
    own = user.home / "my own"
    (user.folder / SMALL_PT).rename(own)
    user.settle(user.site.url(LIST), f'vosk_model = "{own}"\n')
    lines, _ = user.models("where", language="pt")
    assert lines[1:] == [f"Instalados ali: {SMALL_DE}.", f"O Vosk escuta com {own}"]


def test_without_a_name_it_is_the_model_of_the_announcements(user):
    """The FIDE words are German ones."""
    lines, errors = user.get(language="pt")
    assert errors == []
    assert lines[-1] == f"O Vosk escuta com {SMALL_DE}"
    assert user.files() == [SMALL_DE]


def test_a_model_that_vosk_cannot_load_is_told_with_the_way_out(user, monkeypatch):
    monkeypatch.undo()
    pytest.importorskip("vosk")
    told = (
        f"The Vosk model {SMALL_DE} is damaged. "
        f"To remove it: acessivel models remove {SMALL_DE} --save {user.save}. "
        f"To get one again: acessivel models get {SMALL_DE} --save {user.save}"
    )
    for lines, _ in (user.get("de"), user.get(SMALL_DE), user.models("where")):
        assert lines[-1].replace(f"{PROGRAM.parent}/", "") == told


def test_what_is_there_is_not_fetched_again(user):
    user.get("pt")
    asked = len(user.site.requests)
    lines, errors = user.get(SMALL_PT)
    assert (lines[0], errors) == (f"This model is installed already: {SMALL_PT}.", [])
    assert len(user.site.requests) == asked  # not even the list
    lines, _ = user.get("pt")
    assert lines[0] == f"This model is installed already: {SMALL_PT}."
    assert user.site.asked(PATH) == [None]


def test_fetched_and_removed_for_programs(user):
    folder, path = str(user.folder), str(user.folder / SMALL_PT)
    lines, errors = user.get("pt", "--json")
    assert errors == []
    assert [json.loads(line) for line in lines] == [{"name": SMALL_PT, "folder": path}]
    (line,), _ = user.models("where", "--json", language="pt")
    assert json.loads(line) == {"folder": folder, "installed": [SMALL_PT], "used": path}
    (line,), _ = user.models("remove", SMALL_PT, "--json")
    assert json.loads(line) == {"name": SMALL_PT, "folder": folder}
    (line,), _ = user.models("where", "--json")
    assert json.loads(line) == {"folder": folder, "installed": [], "used": None}


def test_whoever_lacks_a_model_is_told_how_to_get_one(user):
    recording = user.home / "any.wav"
    soundfile.write(recording, np.zeros(16_000), 16_000)
    _, errors = run(user.home, "hear", recording, "--with", "vosk", "--language", "en", status=2)
    assert errors[0].startswith("There is no Vosk model. To get one: ")
    assert "acessivel models get. To use one of your own, " in errors[0]


# Interrupted


@pytest.fixture
def _sigint():
    """A shell that starts the tests in the background makes its programs deaf to Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_sigint")
@pytest.mark.parametrize(
    ("language", "stopped"),
    [
        ("en", "Stopped. What was downloaded is kept: the same command goes on with it."),
        ("pt", "Interrompido. O que chegou fica guardado: o mesmo comando continua de onde parou."),
    ],
)
def test_ctrl_c_keeps_what_has_come_and_the_same_command_goes_on(user, language, stopped):
    half = len(GOOD) // 2 + 1
    user.site.pages[PATH] = user.site.hang(GOOD, half)
    command = ("models", "get", "pt", "--speak", "off", "--save", user.save, "--language", language)
    with Running(user.home, *command) as program:
        program.wait_for("50 %")
        program.process.send_signal(signal.SIGINT)
        program.wait_for(stopped)
        program.close(status=130)
    assert user.part() == GOOD[:half]
    user.site.pages[PATH] = GOOD
    lines, errors = user.get("pt", language=language)
    assert errors == []
    assert user.site.asked(PATH) == [None, f"bytes={half}-"]
    assert lines[1].startswith("50 %")
    assert user.files() == [SMALL_PT]


def test_a_kill_keeps_what_has_come(user):
    half = len(GOOD) // 2 + 1
    user.site.pages[PATH] = user.site.hang(GOOD, half)
    with Running(user.home, "models", "get", "pt", "--speak", "off", "--save", user.save) as program:
        program.wait_for("50 %")
        program.kill()
    assert user.part() == GOOD[:half]
    user.site.pages[PATH] = GOOD
    user.get("pt")
    assert user.site.asked(PATH) == [None, f"bytes={half}-"]
    assert user.files() == [SMALL_PT]


# Refused, in one sentence


def spoil(site, kind):
    """Make a site go wrong in one way."""
    match kind:
        case "no list":
            del site.pages[LIST]
        case "broken list":
            site.pages[LIST] = b"<html>Welcome</html>"
        case "gone":
            del site.pages[PATH]
        case "trouble":
            site.pages[PATH] = lambda handler: handler.send_error(500)
        case "cut":
            site.pages[PATH] = site.cut(GOOD, 1000)
        case "changed":
            site.pages[PATH] = GOOD[:-1] + b"x"
        case "hostile":
            offer_only(site, archive(("../../../outside", b"x")))
        case "no model":
            offer_only(site, noise(1000))


def offer_only(site, data):
    site.pages.clear()
    site.offer(SMALL_PT, data)


@pytest.mark.parametrize(
    ("kind", "wanted", "said"),
    [
        ("no list", "pt", ("en", "The server answers with error 404: {list}. Try again later.")),
        ("broken list", "pt", ("de", "Unter {list} ist keine Liste von Modellen. Versuchen Sie es später noch einmal, oder ändern Sie model_list in der Einstellungsdatei.")),
        ("gone", "pt", ("pt", "O servidor respondeu com o erro 404: {archive}. Tente outra vez mais tarde.")),
        ("trouble", "pt", ("es", "El servidor responde con el error 500: {archive}. Pruebe otra vez más tarde.")),
        ("cut", "pt", ("en", "The connection to {archive} was lost. Try again: a download goes on where it stopped.")),
        ("cut", "pt", ("pt", "A conexão com {archive} caiu. Tente outra vez: o download continua de onde parou.")),
        ("changed", "pt", ("en", "The download from {archive} is not what the list promises, and was deleted. Try again later.")),
        ("changed", "pt", ("de", "Was von {archive} kam, ist nicht das, was die Liste verspricht, und wurde verworfen. Versuchen Sie es später noch einmal.")),
        ("hostile", "pt", ("en", "The archive contains something that must not be unpacked: ../../../outside. Nothing was installed. Choose another model: acessivel models list")),
        ("hostile", "pt", ("es", "El archivo contiene algo que no se debe descomprimir: ../../../outside. No se ha instalado nada. Elija otro modelo: acessivel models list")),
        ("no model", "pt", ("pt", "O que foi baixado não é um modelo para o Vosk. Nada foi instalado. Escolha outro: acessivel models list")),
        ("", "vosk-model-small-pt-9", ("en", "There is no model called vosk-model-small-pt-9. For the names: acessivel models list")),
        ("", "../../x", ("de", "Es gibt kein Modell ../../x. Die Namen: acessivel models list")),
        ("", "es", ("pt", "Não há modelo para o idioma es. Todos os que há: acessivel models list --all")),
    ],
)  # fmt: skip
def test_what_cannot_be_fetched_is_one_sentence(user, kind, wanted, said):
    spoil(user.site, kind)
    language, sentence_ = said
    lines, errors = user.get(wanted, language=language, status=2)
    assert errors == [sentence_.format(list=user.site.url(LIST), archive=user.site.url(PATH))]
    assert not any(line.startswith("Inst") for line in lines)
    assert user.files() == [] if kind != "cut" else user.part() == GOOD[:1000]
    assert not list(user.home.glob("**/outside"))


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        ("en", ("The address {} is not used", "Cannot reach {}.")),
        ("pt", ("O endereço {} não é usado", "Não é possível chegar a {}.")),
    ],
)
def test_an_address_that_is_not_safe_or_does_not_answer(user, language, sentences):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        addresses = ("http://example.org/list.json", f"http://127.0.0.1:{taken.getsockname()[1]}/list.json")
        for address, said in zip(addresses, sentences, strict=True):
            user.settle(address)
            for ask in (partial(user.models, "list"), user.get):
                lines, errors = ask(language=language, status=2)
                assert (lines, len(errors)) == ([], 1)
                assert errors[0].startswith(said.format(address))
    assert not user.save.exists()


def test_offline_is_a_proxy_that_is_not_there(user):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        proxy = f"http://127.0.0.1:{taken.getsockname()[1]}"
        _, errors = user.models("list", status=2, http_proxy=proxy)
    assert len(errors) == 1
    assert "the proxy" in errors[0]
    assert user.site.requests == []


@pytest.mark.parametrize(
    ("language", "reason"), [("en", "nothing can be written there"), ("es", "ahí no se puede escribir")]
)
def test_a_folder_where_nothing_can_be_written(user, language, reason):
    user.save = Path("/sys/acessivel")
    _, errors = user.get("pt", language=language, status=2)
    assert len(errors) == 1
    assert "/sys/acessivel/models" in errors[0]
    assert reason in errors[0]
    assert not user.save.exists()


@pytest.mark.parametrize("stage", ["download", "unpacking"])
def test_a_full_disk_and_then_room(user, stage):
    # What comes is a fifth of what is in it: the limit is below both, or between the two.
    data = archive(acoustic=noise(20_000) * 5)
    limit = {"download": 10_000, "unpacking": 50_000}[stage]
    offer_only(user.site, data)
    done = subprocess.run(
        [PROGRAM, "models", "get", "pt", "--speak", "off", "--save", user.save, "--language", "en"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
        # A compiled module that is cut at the limit would stay, and end every later run.
        env=environment(user.home, PYTHONDONTWRITEBYTECODE="1"),
        capture_output=True, check=False, timeout=120, encoding="utf-8",
    )  # fmt: skip
    why = f"The folder {user.folder} cannot be used: there is no room left on the disk."
    how = "Put that right and try again, or choose another folder with --save."
    assert (done.returncode, done.stderr) == (2, f"{why} {how}\n")
    assert user.part() == (data[:limit] if stage == "download" else data)
    user.get("pt")
    assert user.site.asked(PATH) == ([None, f"bytes={limit}-"] if stage == "download" else [None])
    assert user.files() == [SMALL_PT]


@pytest.mark.parametrize(
    ("name", "language", "said"),
    [
        (
            SMALL_PT,
            "en",
            f"This model is not installed: {SMALL_PT}. For those that are: acessivel models where",
        ),
        (
            "../../games",
            "pt",
            "Este modelo não está instalado: ../../games. Para saber quais estão: acessivel models where",
        ),
        ("..", "de", "Dieses Modell ist nicht installiert: ... Welche es sind: acessivel models where"),
        (
            None,
            "es",
            "Indique el modelo: acessivel models remove NOMBRE. Los nombres: acessivel models where",
        ),
    ],
)
def test_what_cannot_be_removed(user, name, language, said):
    (user.folder / "mine").mkdir(parents=True)
    lines, errors = user.models("remove", *([name] if name else []), language=language, status=2)
    assert (lines, errors) == ([], [said])
    assert user.files() == ["mine"]


# On a terminal, and aloud


def test_on_a_terminal_progress_is_one_line(user):
    ours, its = pty.openpty()
    command = [PROGRAM, "models", "get", "pt", "--speak", "off", "--save", user.save, "--language", "en"]
    with subprocess.Popen(command, stdout=its, stderr=its, stdin=its, env=environment(user.home)) as program:
        os.close(its)
        seen = b""
        with contextlib.suppress(OSError):  # when the terminal's other end is closed
            while block := os.read(ours, 4096):
                seen += block
        assert program.wait(60) == 0
    os.close(ours)
    lines = seen.decode().replace("\r\n", "\n").split("\n")
    assert len(lines) == 6  # began, progress, unpacking, installed, used, nothing
    assert lines[0] == f"Downloading {SMALL_PT}, 1 MB."
    shown = lines[1].split("\r")
    assert shown[-1].startswith("100 %")
    assert len(shown) > 3
    assert lines[3] == f"Installed: {SMALL_PT}."
    assert user.files() == [SMALL_PT]


def test_it_is_told_aloud(user):
    command = ("models", "get", "pt", "--speak", "pyttsx3", "--save", user.save)
    with PrivatePulse() as pulse, Ear(pulse) as ear:
        env = {name: pulse.env[name] for name in ("PULSE_SERVER", "PULSE_CLIENTCONFIG", "XDG_RUNTIME_DIR")}
        with Running(user.home, *command, **env):
            ear.wait_for_sound()
    assert ear.loudest > 0.05


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", get_args(Kind))
def test_each_thing_that_can_go_wrong_has_a_sentence_that_says_what_to_do(kind, language):
    facts = {
        "http": {"address": "A", "status": "503"},
        "unknown": {"name": "A"}, "busy": {"name": "A"}, "not_installed": {"name": "A"},
        "no_language": {"language": "A"}, "unsafe": {"member": "A" * 1000}, "no_model": {},
        "disk": {"folder": "A"},
    }.get(kind, {"address": "A"})  # fmt: skip
    said = Renderer(language).text(sentence(ModelError(kind, **facts)))
    assert all(value[:200] in said for value in facts.values())
    assert len(said) < 500
    assert re.search(r"[.:;] \w", said)  # what it is, and then what to do


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("number", "why"),
    [(errno.ENOSPC, "full"), (errno.EDQUOT, "full"), (errno.EFBIG, "full"), (errno.EACCES, "read_only"),
     (errno.EROFS, "read_only"), (errno.EEXIST, "no_folder"), (errno.ENOTDIR, "no_folder"), (errno.EIO, "other")],
)  # fmt: skip
def test_what_the_disk_refuses_is_told_with_its_reason(number, why, language):
    error = ModelError("disk", folder="A")
    error.__cause__ = OSError(number, "")
    assert (
        Renderer(language).text(Message.of(f"reason_{why}")).lower()
        in Renderer(language).text(sentence(error)).lower()
    )


def test_the_folder_is_where_the_games_are_kept(user):
    lines, _ = user.models("where")
    assert [line.replace(f"{PROGRAM.parent}/", "") for line in lines] == [
        f"The models are kept in {user.folder}",
        f"None is installed there. To get one: acessivel models get --save {user.save}",
        "Vosk has no model to hear with.",
    ]
    assert not user.save.exists()
