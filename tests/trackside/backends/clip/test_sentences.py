"""Sentence encoders against a plain loop over transformers: one text at a time."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers as hf
from numpy.typing import NDArray
from tokenizers.processors import TemplateProcessing

from tests.judges.tiny_llava import byte_letters
from tests.refusals import refused
from tests.trackside.backends.tiny_encoders import ROBERTA, TOWER
from trackside.backends.clip.sentences import SentenceEncoder
from trackside.judging.inputs import Gap, TextInput, item_input
from trackside.judging.settings import CHUNK_MEAN, Settings
from trackside.text.items_shown import show_item

pytestmark = pytest.mark.whole

TEXTS = ["a weir", "the old barn by the river", "x", "a weir " * 40]


def save(folder: Path, kind: str) -> Path:
    letters = byte_letters()
    letters.post_processor = TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 1)]
    )
    tokenizer = hf.PreTrainedTokenizerFast(
        tokenizer_object=letters, bos_token="<s>", eos_token="</s>", unk_token="<unk>", pad_token="<pad>"
    )
    torch.manual_seed(1)
    sizes = TOWER | {"max_position_embeddings": 64} if kind == "BertModel" else ROBERTA
    config: Any = getattr(hf, kind.replace("Model", "Config"))(vocab_size=len(tokenizer), **sizes)
    model: Any = getattr(hf, kind)(config)
    for weights in model.parameters():
        if weights.dim() >= 2:
            torch.nn.init.normal_(weights, std=0.3)  # with small weights all vectors would be alike
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module", params=["BertModel", "RobertaModel"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(tmp_path_factory.mktemp("sentences"), request.param)


def settings_of(folder: Path, **changes: Any) -> Settings:
    given: dict[str, Any] = {
        "backend": "sentences",
        "revision": 0,
        "model": str(folder),
        "model_revision": "",
    }
    return SentenceEncoder.pinned(Settings(**given | changes))


def plain_vectors(folder: Path, texts: list[str], pooling: str) -> NDArray[np.float32]:
    """Each text alone without padding: the mean of its tokens' vectors, or the first one, at unit length."""
    model = hf.AutoModel.from_pretrained(folder).eval()
    tokenizer = hf.AutoTokenizer.from_pretrained(folder)
    rows = []
    for text in texts:
        with torch.inference_mode():
            tokens = tokenizer([text], return_tensors="pt", truncation=True, max_length=64)
            states = model(**tokens).last_hidden_state[0]
        vector = states.mean(dim=0) if pooling == "mean" else states[0]
        rows.append((vector / vector.norm()).numpy())
    return np.array(rows)


@pytest.mark.parametrize("pooling", ["mean", "cls"])
def test_vectors_are_those_of_the_plain_loop(folder: Path, pooling: str) -> None:
    encoder = SentenceEncoder(settings_of(folder, decoding={"pooling": pooling}))
    assert encoder.self_test == "reads texts, batch = alone, 64 tokens"
    found = np.array(encoder.encode_texts(TEXTS))
    np.testing.assert_allclose(found, plain_vectors(folder, TEXTS, pooling), atol=1e-5)
    np.testing.assert_array_equal(found[:1], encoder.encode_texts(TEXTS[:1]))


def test_poolings_have_vectors_of_their_own_and_mean_is_the_default(tmp_path: Path) -> None:
    mean, default, cls = (
        settings_of(save(tmp_path / "m", "BertModel"), decoding=decoding)
        for decoding in ({"pooling": "mean"}, {}, {"pooling": "cls"})
    )
    assert mean == default
    assert mean.encoder_sha256 != cls.encoder_sha256


def test_encoders_without_options_keep_their_vectors() -> None:
    """The hash that stored vectors are found by, written down before options were part of it."""
    plain = Settings(backend="clip", revision=3, model="m", model_revision="1")
    assert plain.encoder_sha256 == "5a9c95b484c66047dd4335583e61dd489e65c48a0dd06294ba91d1a42e0f2513"


def test_each_side_has_its_prefix(folder: Path) -> None:
    settings = settings_of(folder, prompt="query:<document>passage:", long_text=CHUNK_MEAN)

    def prompt(side: str) -> str:
        item = item_input(settings, side, show_item([("text", "a weir")]), [], is_asked=False, is_text=True)
        assert isinstance(item, TextInput)
        return item.prompt

    assert (prompt("topic"), prompt("document")) == ("query:", "passage:")
    encoder = SentenceEncoder(settings)
    pieces = encoder.pieces("a weir " * 20, "query:")
    assert all(piece.startswith("query: ") for piece in pieces)
    assert " ".join(piece.removeprefix("query: ") for piece in pieces) == ("a weir " * 20).strip()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"decoding": {"pooling": "max"}}, 'pooling: "max" is not offered'),
        ({"decoding": {"seed": 1}}, r"decoding: \"\['seed'\]\" is not offered"),
        ({"dtype": "int8"}, 'dtype: "int8" is not offered'),
    ],
)
def test_other_settings_are_refused(folder: Path, changes: dict[str, Any], words: str) -> None:
    with refused("sentence-settings-refused", match=words):
        settings_of(folder, **changes)


def test_pictures_are_a_gap(folder: Path) -> None:
    encoder = SentenceEncoder(settings_of(folder))
    assert encoder.prepare_image(b"") is Gap.IMAGE_UNREADABLE
    assert encoder.encode_images([]) == []


def test_command_scores_texts_by_their_cosine(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from trackside.cli.main import main

    monkeypatch.chdir(tmp_path)
    (tmp_path / "topics.jsonl").write_text('{"id": "t1", "title": "a weir"}\n')
    (tmp_path / "texts.jsonl").write_text('{"id": "d1", "text": "the old barn"}\n{"id": "d2", "text": "x"}\n')
    (tmp_path / "pool.tsv").write_text("t1 d1\nt1 d2\n")
    words = ["--topics", "topics.jsonl", "--documents", "texts.jsonl", "--pairs", "pool.tsv", "--out", "out"]
    of_sentences = [
        "--sentences",
        str(folder),
        "--prefix",
        "q:<document>p:",
        "--options",
        '{"pooling": "cls"}',
    ]
    assert main(["judge", *words, *of_sentences]) == 0
    topic, *documents = plain_vectors(folder, ["q: a weir", "p: the old barn", "p: x"], "cls")
    lines = [line.split("\t") for line in (tmp_path / "out/scores.tsv").read_text().splitlines()[1:]]
    found = [float(score) for _, _, score in lines]
    assert found == pytest.approx([float(topic @ document) for document in documents], abs=1e-5)
