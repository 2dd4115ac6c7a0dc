"""Tokenizer and processor of the tiny LLaVA: one token per word and per digit."""

from collections.abc import Iterable

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers
from transformers import CLIPImageProcessorPil, LlavaProcessor, PreTrainedTokenizerFast

START, END, UNKNOWN, PAD, IMAGE = "<s>", "</s>", "<unk>", "<pad>", "<image>"
SPECIAL = (START, END, UNKNOWN, PAD, IMAGE)
BLANK = "▁"
DIGITS = "0123456789"
TEMPLATE = (
    "{% for message in messages %}{% for part in message['content'] %}"
    "{% if part['type'] == 'text' %} {{ part['text'] }}{% else %}<image>{% endif %}"
    "{% endfor %}{% endfor %}{% if add_generation_prompt %} assistant:{% endif %}"
)


def make_tokenizer(texts: Iterable[str]) -> PreTrainedTokenizerFast:
    """Return the tokenizer of all words in these texts, sorted, so that it is the same everywhere."""
    cut = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Metaspace(),
            pre_tokenizers.Punctuation(),
            pre_tokenizers.Digits(individual_digits=True),
        ]
    )
    words = {word for text in texts for word, _ in cut.pre_tokenize_str(text.lower())}
    known = dict.fromkeys([*SPECIAL, *sorted(words | {BLANK, *DIGITS})])
    vocabulary = {word: number for number, word in enumerate(known)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token=UNKNOWN))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = cut
    tokenizer.decoder = decoders.Metaspace()
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token=START,
        eos_token=END,
        unk_token=UNKNOWN,
        pad_token=PAD,
        padding_side="left",
        extra_special_tokens={"image_token": IMAGE},
    )


def make_processor(tokenizer: PreTrainedTokenizerFast, image_size: int, patch_size: int) -> LlavaProcessor:
    """Return the processor for pictures of this size."""
    square = {"height": image_size, "width": image_size}
    return LlavaProcessor(
        image_processor=CLIPImageProcessorPil(size={"shortest_edge": image_size}, crop_size=square),
        tokenizer=tokenizer,
        patch_size=patch_size,
        vision_feature_select_strategy="full",
        num_additional_image_tokens=1,  # the class token
        chat_template=TEMPLATE,
        image_token=IMAGE,
    )
