from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image
from transformers import CLIPTokenizer

from tests.judges.pictures import encoded, file_of, picture, pinned, settings_of
from tests.judges.tiny_clip import plain_cosines
from tests.judges.tiny_siglip import plain_chances, save_tiny_siglip, scale_and_shift
from trackside.backends.clip.encoder import ClipEncoder
from trackside.judging.encoding import read_fields
from trackside.judging.inputs import Gap, TextInput, prompted, text_input

pytestmark = pytest.mark.whole


LONG = "the lighthouse stands by the sea " * 40
TEXTS = ["a red barn", "A photo depicts a lighthouse", LONG, "page of section"]


@pytest.fixture(scope="module")
def encoder(tiny_clip: Path) -> ClipEncoder:
    return ClipEncoder(pinned(tiny_clip))


def test_clip_gives_the_cosines_of_a_plain_transformers_loop(tiny_clip: Path, encoder: ClipEncoder) -> None:
    images = [picture(seed) for seed in range(3)]
    texts = np.stack(encoder.encode_texts(TEXTS))
    vectors = np.stack(encoded(encoder, [file_of(image) for image in images]))

    np.testing.assert_allclose(texts @ vectors.T, plain_cosines(tiny_clip, TEXTS, images), atol=1e-5)


def test_clip_vector_does_not_depend_on_the_batch(encoder: ClipEncoder) -> None:
    alone = encoder.encode_texts([TEXTS[0]])[0]
    together = encoder.encode_texts(TEXTS * 9)[0]  # 36 texts: a whole batch and four more

    np.testing.assert_array_equal(alone, together)


def test_clip_fills_the_last_part_of_a_batch(encoder: ClipEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []
    encode = encoder._model.get_text_features

    def counted(**tensors: torch.Tensor) -> object:
        sizes.append(len(tensors["input_ids"]))
        return encode(**tensors)

    monkeypatch.setattr(encoder._model, "get_text_features", counted)
    vectors = encoder.encode_texts(["q"] * 33)

    assert (sizes, len(vectors)) == ([encoder._device.rows] * -(-33 // encoder._device.rows), 33)


def test_clip_leaves_other_threads_their_cores(encoder: ClipEncoder) -> None:
    before = torch.get_num_threads()

    encoder.encode_texts(TEXTS)

    assert torch.get_num_threads() == before
    with ThreadPoolExecutor(1) as threads:
        assert threads.submit(torch.get_num_threads).result() == before


def test_clip_keeps_the_end_token_of_a_long_text(encoder: ClipEncoder) -> None:
    # CLIP takes a text's vector at its end token. Without that token transformers takes position 0, the start
    # token, which is equal for all texts: two different long texts would get cosine 1.
    barns, towers = encoder.encode_texts(["a red barn on a hill " * 40, LONG])

    assert np.dot(barns, towers) < 0.99


def test_clip_reads_a_long_text_up_to_its_last_place(encoder: ClipEncoder) -> None:
    # 77 places hold the start token, 75 tokens of text and the end token. Single letters are single tokens.
    same, differs_at_75, differs_at_76 = encoder.encode_texts(
        ["q " * 76, "q " * 74 + "x " + "q", "q " * 75 + "x"]
    )

    assert np.dot(same, differs_at_75) < 1 - 1e-5
    np.testing.assert_array_equal(same, differs_at_76)


def test_clip_turns_photographs_upright_and_puts_transparent_images_on_white(encoder: ClipEncoder) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # orientation: the camera was held on its side, turn by 270 degrees
    image, clear = picture(5), Image.new("RGBA", (70, 70), (200, 0, 0, 0))

    for content, same in (
        (file_of(image, exif=exif.tobytes()), file_of(image.transpose(Image.Transpose.ROTATE_270))),
        (file_of(clear), file_of(Image.new("RGB", (70, 70), "white"))),
    ):
        first, second = encoded(encoder, [content, same])
        np.testing.assert_array_equal(first, second)


def test_clip_names_unreadable_images_and_lines_and_encodes_the_others(encoder: ClipEncoder) -> None:
    good, line, panorama = (file_of(picture(1, size)) for size in ((80, 60), (1, 101), (100, 1)))

    contents = [good, b"", b"no image", good[:300], line, panorama, good]
    first, *bad, wide, last = encoded(encoder, contents)

    assert bad == [Gap.IMAGE_UNREADABLE] * 3 + [Gap.IMAGE_TOO_THIN]
    assert not isinstance(wide, Gap)
    np.testing.assert_array_equal(first, last)
    assert encoded(encoder, [b"", b""]) == [Gap.IMAGE_UNREADABLE] * 2


def test_clip_cuts_a_text_into_runs_of_whole_words_that_fit(encoder: ClipEncoder) -> None:
    # 77 places, two of them for start and end token. Single letters are single tokens, here as in the prompt.
    plain = encoder.pieces("q " * 150 + "x", "")
    prompted = encoder.pieces("q " * 150, "a")

    assert [len(piece.split()) for piece in plain] == [75, 75, 1]
    assert [piece.split()[0] for piece in prompted] == ["a"] * 3
    assert [len(piece.split()) for piece in prompted] == [75, 75, 3]
    assert " ".join(plain).split() == ["q"] * 150 + ["x"]
    assert " ".join(encoder.pieces(LONG, "")) == LONG.strip()
    assert encoder.pieces("a red barn", "A photo depicts") == ["A photo depicts a red barn"]


@pytest.mark.parametrize(
    "text",
    ["灯台は海のそばに立つ" * 30, "x" * 500 + " a red barn " + "ประภาคาร" * 40],
    ids=["Japanese", "one long word and Thai"],
)
@pytest.mark.parametrize("prompt", ["", "A photo depicts"])
def test_clip_cuts_a_word_that_is_longer_than_the_model_reads(
    encoder: ClipEncoder, text: str, prompt: str
) -> None:
    pieces = encoder.pieces(text, prompt)

    read = "".join(piece.removeprefix(prompt) for piece in pieces)
    assert read.replace(" ", "") == text.replace(" ", "")
    assert len(pieces) > 3
    lengths = [len(encoder._tokenizer(piece)["input_ids"]) for piece in pieces]
    assert max(lengths) <= 77
    # One more character would not fit: a character is at most four bytes, so four tokens here.
    assert lengths[0] > 77 - 4


FOUR = [
    ("section_title", "Lighthouses of the north"),
    ("context_section_description", "The lighthouse stands by the sea, 31 m high; it's painted white. " * 3),
    ("page_title", "Ľighthouse — 灯台"),
    ("context_page_description", "a red barn on a hill " * 9),
]


@pytest.mark.parametrize("prompt", ["", "A photo depicts"])
@pytest.mark.parametrize("order", [1, -1])
def test_clip_reads_of_each_field_the_tokens_that_the_tokenizer_keeps(
    tiny_clip: Path, encoder: ClipEncoder, prompt: str, order: int
) -> None:
    fields = FOUR[::order]
    shown = text_input(settings_of(tiny_clip, prompt=prompt), fields)
    assert isinstance(shown, TextInput)
    counts = encoder.token_counts([text for _, text in shown.fields])

    found = {each.field: each for each in read_fields(shown, counts, encoder.room(prompt))}

    # Each token's place in the joined text decides its field; the tokenizer itself cuts at 77.
    text = prompted(prompt, shown.texts[0])
    starts, position = {}, len(prompted(prompt, ""))
    for name, own in shown.fields:
        starts[name] = range(position, position + len(own))
        position += len(own) + 1
    for attribute, limits in [("tokens", {}), ("seen_tokens", {"truncation": True, "max_length": 77})]:
        kept = CLIPTokenizer.from_pretrained(tiny_clip)(text, return_offsets_mapping=True, **limits)
        begins = [begin for begin, end in kept["offset_mapping"] if end > begin]
        for name, place in starts.items():
            assert getattr(found[name], attribute) == sum(begin in place for begin in begins), name
    assert sum(each.tokens for each in found.values()) > 77


def test_siglip_counts_add_up_to_those_of_the_joined_text(tmp_path: Path) -> None:
    encoder = ClipEncoder(pinned(save_tiny_siglip(tmp_path / "siglip")))
    texts = ["a red barn", "Lighthouse by the sea", "page"]

    counts = encoder.token_counts(texts)

    assert [sum(counts)] == encoder.token_counts([" ".join(texts)])
    assert encoder.room("") == encoder._token_count - len(encoder._tokenizer("")["input_ids"])


def test_clip_reads_siglip_as_siglip_was_trained(tmp_path: Path) -> None:
    folder = save_tiny_siglip(tmp_path / "siglip")
    encoder = ClipEncoder(pinned(folder))
    texts = ["a red barn", "lighthouse by the sea and much more text than fits", "page"]
    images = [picture(seed) for seed in range(3)]

    vectors = np.stack(encoded(encoder, [file_of(image) for image in images]))
    cosines = np.stack(encoder.encode_texts(texts)) @ vectors.T

    expected, chances = plain_chances(folder, texts, images)
    np.testing.assert_allclose(cosines, expected, atol=1e-5)
    # The sigmoid rises with the cosine, so it orders pairs as CLIPScore does.
    scale, shift = scale_and_shift(folder)
    np.testing.assert_allclose(1 / (1 + np.exp(-(scale * cosines + shift))), chances, atol=1e-5)
