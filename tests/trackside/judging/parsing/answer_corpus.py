"""Answers in the shapes that public reports and model cards describe, with the score that they give.

The words are ours. Each group names where its shape comes from. A score of None is a gap with that outcome.
The right value follows by hand: a score counts if the text allows one reading only.
"""

from tests.trackside.judging.parsing.thought_corpus import GITHUB, GUESS, HUB, Answer
from trackside.judging.answers import Outcome

# Answers with finish reason "stop" to a prompt that asks for "Relevance: <1 to 100>".
TEXTS: dict[str, tuple[Answer, ...]] = {
    f"{HUB}Qwen/Qwen2.5-Math-7B-Instruct": (
        ("\\boxed{85}", 85, Outcome.OK_BARE),
        ("Relevance: $\\boxed{85}$", 85, Outcome.OK),
        ("\\boxed{85} \\boxed{20}", None, Outcome.AMBIGUOUS),
    ),
    f"{GITHUB}helixnow/deep-student/pull/200": (
        ("Relevance: 85<|im_end|>", 85, Outcome.OK),
        ("85</s>", 85, Outcome.OK_BARE),
        ("85<end_of_turn>", 85, Outcome.OK_BARE),
        ("85<｜end▁of▁sentence｜>", 85, Outcome.OK_BARE),
    ),
    f"{GITHUB}truera/trulens/pull/954": (
        ("The relevance score is 77.", 77, Outcome.OK),
        ("I rate this an 8 out of 10.", None, Outcome.UNPARSED),
        ("Relevance: 8 out of 10.", None, Outcome.WRONG_SCALE),
        ("This deserves a 60, I believe.", None, Outcome.UNPARSED),
    ),
    f"{GITHUB}sbintuitions/flexeval/pull/237": (
        ("Relevance: [[70]]", 70, Outcome.OK),
        ("Relevance: [[70]], so this answer is scored 7/10", None, Outcome.WRONG_SCALE),
    ),
    f"{GITHUB}joshuaswarren/remnic/pull/521": (
        ("Relevance: 85/100", 85, Outcome.OK),
        ("85 / 100", 85, Outcome.OK_BARE),
        ("Relevance: 85 out of 100", 85, Outcome.OK),
        ("Relevance: 85, that is 85/100", 85, Outcome.OK),
        ("Relevance: 85/100, perhaps 70/100", None, Outcome.AMBIGUOUS),
        ("Relevance: 80/100 to 90/100", None, Outcome.RANGE),
        ("Relevance: 85/1000", None, Outcome.WRONG_SCALE),
        ("Relevance: 850/100", None, Outcome.OUT_OF_RANGE),
        ("On 2026/04/19 it rained. Relevance: 85", 85, Outcome.OK),
    ),
    f"{GITHUB}cvs-health/uqlm/issues/468": (
        ("0.8", None, Outcome.WRONG_SCALE),
        ("85.5", 85.5, Outcome.OK_DECIMAL),
        ("1,5", None, Outcome.UNPARSED),
    ),
    f"{GITHUB}OpenAgentHQ/openagent-eval/issues/74": (
        ("There are 5 reasons why this is a score of 90", None, Outcome.UNPARSED),
        ("Relevance: 20 or Relevance: 70", None, Outcome.AMBIGUOUS),
        ("Relevance: 20? No, Relevance: 70", None, Outcome.AMBIGUOUS),
        ("Relevance: 70, I repeat, Relevance: 70", 70, Outcome.OK),
        ("This is not excellent but acceptable", None, Outcome.UNPARSED),
    ),
    f"{GITHUB}pinchbench/skill/pull/24": (  # JSON that was not asked for
        ('{"relevance": 77, "reason": "3 mills"}', 77, Outcome.OK),
        ('{"relevance": 77, "confidence": 90}', 77, Outcome.OK),
        ('{"relevance": 77, "reason": "3 mills"} or {"relevance": 20}', None, Outcome.AMBIGUOUS),
        ('{"relevance": 77, "reason": "3 mi', None, Outcome.AMBIGUOUS),
    ),
    f"{GITHUB}manthanguptaa/water/issues/57": (
        ("I cannot evaluate this", None, Outcome.REFUSAL),
        ("", None, Outcome.EMPTY),
    ),
    f"{GITHUB}bhollis/jsonview/issues/129": (  # hidden characters
        ("Relevance: \u200b85", 85, Outcome.OK),
        ("Rel\u00adevance: 85", 85, Outcome.OK),
        ("\ufeffRelevance: 85", 85, Outcome.OK),
        ("Relevance\u200e: \u206685\u2069", 85, Outcome.OK),
        ("85\u2060", 85, Outcome.OK_BARE),
        ("Relevance: 8\u200b5", None, Outcome.AMBIGUOUS),
        ("Relevance: 1\u200b.5", None, Outcome.AMBIGUOUS),
        ("Relevance: \u202e58\u202c", None, Outcome.AMBIGUOUS),
        ("Relevance: \u202e77\u202c", 77, Outcome.OK),
        (f"<th\u200bink>{GUESS}", None, Outcome.AMBIGUOUS),
    ),
    f"{GITHUB}BibleBot/BibleBot/issues/257": (
        ("Relevance\uff1a85", 85, Outcome.OK),
        ("Relevance\uff1a\uff18\uff15", 85, Outcome.OK),
    ),
}

# Answers with finish reason "stop" to a prompt that asks for {"relevance": <1 to 100>}.
OBJECTS: dict[str, tuple[Answer, ...]] = {
    f"{GITHUB}promptfoo/promptfoo/issues/1866": (
        ('Here is my evaluation:\n{"relevance": 77}', 77, Outcome.OK),
        ('{"relevance": 77}\nHope this helps!', 77, Outcome.OK),
        ('I would say 20 at first.\n{"relevance": 77}', 77, Outcome.OK),
        ('Relevance: 20\n{"relevance": 77}', None, Outcome.AMBIGUOUS),
        ('On a scale of 1 to 10: {"relevance": 7}', None, Outcome.WRONG_SCALE),
    ),
    f"{GITHUB}Mercor-Intelligence/archipelago/issues/97": (
        ('```json\n{"relevance": 77}\n```', 77, Outcome.OK),
        ('Sure:\n```JSON\n{"relevance": 77}\n```\nThe picture shows a mill.', 77, Outcome.OK),
        ('~~~\n{"relevance": 77}\n~~~', 77, Outcome.OK),
        ('{"reason": "as in ```{x}```", "relevance": 77}', 77, Outcome.OK),
    ),
    f"{GITHUB}OpenAgentHQ/openagent-eval/pull/214": (
        ('{"Relevance": 77}', 77, Outcome.OK),
        ('{"RELEVANCE ": 77}', 77, Outcome.OK),
        ('{"relevance": 77, "Relevance": 20}', None, Outcome.AMBIGUOUS),
    ),
    f"{GITHUB}comet-ml/opik/pull/7758": (
        ('{"relevance": "77"}', 77, Outcome.OK),
        ('{"relevance": "77/100"}', 77, Outcome.OK),
        ('{"relevance": "high"}', None, Outcome.UNPARSED),
        ('{"relevance": "70-80"}', None, Outcome.RANGE),
    ),
    f"{GITHUB}smithersai/smithers/issues/169": (
        ("77", None, Outcome.UNPARSED),
        ('"77"', None, Outcome.UNPARSED),
        ('[{"relevance": 77}]', 77, Outcome.OK),
        ('{"relevance": [77]}', None, Outcome.UNPARSED),
        ('{"relevance": null}', None, Outcome.UNPARSED),
    ),
    f"{GITHUB}promptfoo/promptfoo/issues/10611": (
        ('{"relevance": 77} or {"relevance": 20}', None, Outcome.AMBIGUOUS),
        ('{"relevance": 77}\n{"relevance": 77}', 77, Outcome.OK),
        ('{"relevance": 770}', None, Outcome.OUT_OF_RANGE),
        ('{"reason": "fits"}', None, Outcome.UNPARSED),
    ),
    f"{GITHUB}grafana/agento11y/pull/453": (
        ('{"relevance": 77, "criteria": {"relevance": 50}}', None, Outcome.AMBIGUOUS),
        ('{"result": {"relevance": 77}}', 77, Outcome.OK),
        ('{"relevance": <score>}\n{"relevance": 77}', 77, Outcome.OK),
    ),
    f"{GITHUB}ducroo/SICTIC-AI/pull/37": (
        ('{"relevance": 77,}', 77, Outcome.OK),
        ('{"relevance": 77, "reason": "costs \\$3"}', 77, Outcome.OK),
        ('{"relevance": 77, "reason": "two\nlines"}', 77, Outcome.OK),
        ('{"reason": "a \\"relevance\\": 20, {mill}", "relevance": 77}', 77, Outcome.OK),
    ),
    f"{GITHUB}IBM/ai4rag/pull/107": (
        ("{'relevance': 77}", 77, Outcome.OK),
        ("{relevance: 77}", 77, Outcome.OK),
        ("{'reason': 'it\\'s a mill', 'relevance': 77}", 77, Outcome.OK),
        ('{"relevance": 1,5}', None, Outcome.UNPARSED),
        ('{"relevance": 77 or 20}', None, Outcome.AMBIGUOUS),
    ),
    f"{GITHUB}huggingface/chat-ui/pull/2383": (  # cut, though the endpoint says "stop"
        ('{"relevance": 7', None, Outcome.TRUNCATED),
        ('{"relevance": 77, "reason": "a mi', None, Outcome.TRUNCATED),
        ('<think>{"relevance": 20}', None, Outcome.TRUNCATED),
        ('<think>{"relevance": 20}</think>{"relevance": 77}', 77, Outcome.OK),
        ('<|channel|>final <|constrain|>json<|message|>{"relevance": 77}', 77, Outcome.OK),
    ),
    f"{GITHUB}NousResearch/hermes-agent/pull/57870": (
        ('\ufeff{"relevance": 77}', 77, Outcome.OK),
        ('{"rele\u200bvance"\u200b: 77}', 77, Outcome.OK),
    ),
    f"{GITHUB}NVIDIA-NeMo/Evaluator/pull/1094": (
        ("I'm sorry, but I can't assist with that.", None, Outcome.REFUSAL),
        ('{"relevance": null, "reason": "I cannot view the picture"}', None, Outcome.REFUSAL),
        ("", None, Outcome.EMPTY),
    ),
}
