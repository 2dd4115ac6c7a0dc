"""Marks of thoughts by family of models: the answer is what follows them."""

import html
import re
from dataclasses import dataclass

_VLLM = "https://docs.vllm.ai/en/stable/features/reasoning_outputs/"
_HUB = "https://huggingface.co/"


@dataclass(frozen=True, slots=True)
class ThoughtMarks:
    """What a family of models writes before and after its thoughts, in lower case without blanks."""

    families: str
    opening: str
    closing: str
    source: str


def _tags(name: str, families: str, source: str) -> ThoughtMarks:
    return ThoughtMarks(families, f"<{name}>", f"</{name}>", source)


THOUGHTS = (
    _tags("think", "DeepSeek R1, Qwen3, GLM, ERNIE, MiniMax M2, Step 3, Hunyuan, Kimi K2, Holo2", _VLLM),
    _tags("thinking", "models told to think in tags", "https://docs.anthropic.com/en/docs/build-with-claude"),
    _tags("thought", "EXAONE Deep, Gemini", f"{_HUB}LGAI-EXAONE/EXAONE-Deep-7.8B"),
    _tags("reasoning", "LLaVA-CoT", f"{_HUB}Xkev/Llama-3.2V-11B-cot"),
    _tags("analysis", "Keye-VL", f"{_HUB}Kwai-Keye/Keye-VL-8B-Preview"),
    _tags("reflection", "Reflection", f"{_HUB}mattshumer/Reflection-Llama-3.1-70B"),
    _tags("scratchpad", "models told to use a scratchpad", "https://arxiv.org/abs/2112.00114"),
    _tags("inner_monologue", "models told to speak to themselves", "https://arxiv.org/abs/2207.05608"),
    _tags("seed:think", "Seed-OSS", f"{_HUB}ByteDance-Seed/Seed-OSS-36B-Instruct"),
    _tags("longcat_think", "LongCat Flash Thinking", f"{_HUB}meituan-longcat/LongCat-Flash-Thinking"),
    ThoughtMarks("Kimi-VL", "◁think▷", "◁/think▷", f"{_HUB}moonshotai/Kimi-VL-A3B-Thinking"),
    ThoughtMarks("Magistral", "[think]", "[/think]", f"{_HUB}mistralai/Magistral-Small-2509"),
    ThoughtMarks(
        "Command A Reasoning",
        "<|start_thinking|>",
        "<|end_thinking|>",
        f"{_HUB}CohereLabs/command-a-reasoning-08-2025",
    ),
    ThoughtMarks(
        "Apertus",
        "<|inner_prefix|>",
        "<|inner_suffix|>",
        f"{_HUB}swiss-ai/Apertus-8B-Instruct-2509",
    ),
    ThoughtMarks("Solar Open", "<|think|>", "<|content|>", f"{_HUB}upstage/Solar-Open-100B"),
    ThoughtMarks(
        "OpenThinker, Sky-T1",
        "<|begin_of_thought|>",
        "<|end_of_thought|>",
        f"{_HUB}datasets/open-thoughts/OpenThoughts-114k",
    ),
    ThoughtMarks("Gemma 4", "<|channel>thought", "<channel|>", f"{_HUB}google/gemma-4-26B-A4B-it"),
    ThoughtMarks("MedGemma 1.5", "<unused94>", "<unused95>", f"{_HUB}google/medgemma-1.5-4b-it"),
    ThoughtMarks("openPangu", "[unused16]", "[unused17]", f"{_HUB}FreedomIntelligence/openPangu-Embedded-7B"),
    ThoughtMarks("s1", "<|im_start|>think", "<|im_start|>answer", f"{_HUB}simplescaling/s1-32B"),
    ThoughtMarks(
        "gpt-oss",
        "<|channel|>analysis",
        "<|channel|>final",
        "https://cookbook.openai.com/articles/openai-harmony",
    ),
    ThoughtMarks(
        "gpt-oss, a call of a tool",
        "<|channel|>commentary",
        "<|channel|>final",
        "https://cookbook.openai.com/articles/openai-harmony",
    ),
    ThoughtMarks(
        "gpt-oss without its special tokens",
        "analysis",
        "assistantfinal",
        "https://github.com/vllm-project/vllm/issues/22403",
    ),
    ThoughtMarks(
        "Granite 3.2",
        "hereismythoughtprocess:",
        "hereismyresponse:",
        f"{_HUB}ibm-granite/granite-3.2-8b-instruct",
    ),
)
"""The families. A new one is a row; ``_MARK`` must find what its marks look like."""

_MARK = re.compile(
    r"<\|(?:channel|im_start)\|?>\s?(?:analysis|commentary|final|thought|think|answer)"
    r"|(?:<|&lt;)[^\s<>&]{1,40}(?:\s[^<>&]{0,40})?(?:>|&gt;)"
    r"|\[/?(?:think|unused\d{1,3})\]|◁/?think▷"
    r"|\A\s{0,9}analysis(?=(?-i:[A-Z]))|assistantfinal"
    r"|here(?:\sis|['\u2019]s)\smy\s(?:thought\sprocess|response):",
    re.IGNORECASE,
)
_ATTRIBUTES = re.compile(r"\s[^>]*(?=>)")
# A tag of a family that is not in the table, such as <my:thinking>.
_UNKNOWN = re.compile(r"<(/?)((?:[\w.-]+[:_-])?(?:think(?:ing)?|thoughts?|reasoning)(?:[:_-][\w.-]+)?)>")
_CLOSED_BY = {marks.opening: marks.closing for marks in THOUGHTS}
_CLOSING = frozenset(_CLOSED_BY.values())


def behind_thoughts(text: str) -> str | None:
    """Return the text after the last block of thoughts; None if a block is not closed.

    Only the closing mark of its own family ends a block. Some servers remove the opening mark, so a closing
    mark alone ends thoughts, too. Takes linear time.
    """
    awaited, end = "", 0
    for mark in _MARK.finditer(text):
        name = _name(mark[0])
        unknown = _UNKNOWN.fullmatch(name)
        if name == awaited or (not awaited and (name in _CLOSING or (unknown and unknown[1]))):
            awaited, end = "", mark.end()
        elif not awaited:
            awaited = _CLOSED_BY.get(name) or (f"</{unknown[2]}>" if unknown else "")
    return None if awaited else text[end:].removeprefix("<|message|>")


def _name(mark: str) -> str:
    """Return a mark in the spelling of the table."""
    tag = _ATTRIBUTES.sub("", html.unescape(mark).lower()) if mark[0] in "<&" else mark.lower()
    if tag[:4] == "here":
        tag = tag.replace("'s", " is").replace("\u2019s", " is")
    name = "".join(tag.split())
    is_listed = name in _CLOSED_BY or name in _CLOSING
    return name if is_listed else name.replace("|", "")
