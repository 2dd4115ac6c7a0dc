"""Answers with thoughts in the shapes that public reports and model cards describe, with their score.

The words are ours. Each group names where its shape comes from. A score of None is a gap with that outcome.
The right value follows by hand: a score counts if the text allows one reading only.
"""

from trackside.judging.answers import Outcome

Answer = tuple[str, float | None, Outcome]

GITHUB, HUB = "https://github.com/", "https://huggingface.co/"
GUESS = "A mill. I would say Relevance: 20"

# Answers with finish reason "stop" to a prompt that asks for "Relevance: <1 to 100>".
THOUGHT_ANSWERS: dict[str, tuple[Answer, ...]] = {
    f"{GITHUB}vllm-project/vllm/issues/16387": (  # Kimi-VL
        (f"◁think▷{GUESS}\nBut wait, the bridge", None, Outcome.TRUNCATED),
        (f"◁think▷{GUESS}◁/think▷Relevance: 85", 85, Outcome.OK),
        (f"{GUESS}◁/think▷\n85", 85, Outcome.OK_BARE),
    ),
    f"{GITHUB}Augustas11/macprovider/issues/743": (  # gpt-oss without its special tokens
        (f"analysisWe see a mill. {GUESS}.assistantfinalRelevance: 85", 85, Outcome.OK),
        (f"analysisWe see a mill. {GUESS}.assistantfinal85", 85, Outcome.OK_BARE),
        (f"analysisWe see a mill. {GUESS}. But", None, Outcome.TRUNCATED),
    ),
    "https://cookbook.openai.com/articles/openai-harmony": (
        (f"<|channel|>analysis<|message|>{GUESS}", None, Outcome.TRUNCATED),
        (f"<|channel|>analysis<|message|>{GUESS}<|end|>", None, Outcome.TRUNCATED),
        (
            f"<|channel|>analysis<|message|>{GUESS}<|end|><|start|>assistant<|channel|>final<|message|>"
            "Relevance: 85<|return|>",
            85,
            Outcome.OK,
        ),
        ("<|channel|>final<|message|>85<|return|>", 85, Outcome.OK_BARE),
    ),
    f"{GITHUB}odysseus-dev/odysseus/issues/4522": (
        (f'<|channel|>commentary to=functions.rate<|message|>{{"text": "{GUESS}"}}', None, Outcome.TRUNCATED),
    ),
    f"{GITHUB}jundot/omlx/issues/3796": (  # Qwen3
        (f"<think>{GUESS}\n", None, Outcome.TRUNCATED),
        (f"<think>\n{GUESS}\n</think>\n\nRelevance: 85", 85, Outcome.OK),
        ("<think>\n\n</think>\n\n85", 85, Outcome.OK_BARE),
        (f"<think>{GUESS}</think>", None, Outcome.EMPTY),
        (f"<think>{GUESS} </thinking> Relevance: 30", None, Outcome.TRUNCATED),
    ),
    f"{HUB}ibm-granite/granite-3.2-8b-instruct": (
        (f"Here is my thought process: {GUESS}", None, Outcome.TRUNCATED),
        (f"Here's my thought process:\n{GUESS}\n\nHere's my response:\nRelevance: 85", 85, Outcome.OK),
    ),
    f"{HUB}upstage/Solar-Open-100B": (
        (f"<|think|>{GUESS}<|end|>", None, Outcome.TRUNCATED),
        (f"<|think|>{GUESS}<|end|><|begin|>assistant<|content|>85<|end|>", 85, Outcome.OK_BARE),
    ),
    f"{GITHUB}skalesapp/skales/issues/166": (
        (f"<thinking>{GUESS}\nBut wait", None, Outcome.TRUNCATED),
        (f"<reasoning>{GUESS}\nBut wait", None, Outcome.TRUNCATED),
        (f"&lt;think&gt;{GUESS}&lt;/think&gt;Relevance: 85", 85, Outcome.OK),
        (f"<thinking budget=9>{GUESS}</thinking><answer>85</answer>", 85, Outcome.OK_BARE),
    ),
    f"{HUB}THUDM/GLM-4.1V-9B-Thinking": (
        ("<think>long</think><answer><|begin_of_box|>85<|end_of_box|></answer>", 85, Outcome.OK_BARE),
        ("<think>long</think>The score is <|begin_of_box|>85<|end_of_box|>", None, Outcome.UNPARSED),
        ("<|begin_of_box|>Relevance: 85<|end_of_box|>", 85, Outcome.OK),
    ),
}

# The marks around the thoughts of other families: the source, what comes before, and what comes behind.
FAMILIES = (
    (GITHUB + "vercel/ai/issues/8072", "[THINK]", "[/THINK]Relevance: 85"),
    (GITHUB + "NousResearch/hermes-agent/pull/62680", "<mm:think>", "</mm:think>Relevance: 85"),
    (
        HUB + "ByteDance-Seed/Seed-OSS-36B-Instruct",
        "<seed:think>",
        "<seed:cot_budget_reflect>9</seed:cot_budget_reflect></seed:think>85",
    ),
    (HUB + "meituan-longcat/LongCat-Flash-Thinking", "<longcat_think>", "</longcat_think>Relevance: 85"),
    (
        HUB + "CohereLabs/command-a-reasoning-08-2025",
        "<|START_THINKING|>",
        "<|END_THINKING|><|START_RESPONSE|>85<|END_RESPONSE|>",
    ),
    (
        HUB + "swiss-ai/Apertus-8B-Instruct-2509",
        "<|inner_prefix|>",
        "<|inner_suffix|>Relevance: 85<|assistant_end|>",
    ),
    (HUB + "google/medgemma-1.5-4b-it", "<unused94>thought\n", "<unused95>85"),
    (HUB + "FreedomIntelligence/openPangu-Embedded-7B", "[unused16]", "[unused17]Relevance: 85"),
    (
        HUB + "datasets/open-thoughts/OpenThoughts-114k",
        "<|begin_of_thought|>",
        "<|end_of_thought|>\n<|begin_of_solution|>85<|end_of_solution|>",
    ),
    (HUB + "simplescaling/s1-32B", "<|im_start|>think\n", "\n<|im_start|>answer\nRelevance: 85"),
    (HUB + "LGAI-EXAONE/EXAONE-Deep-7.8B", "<thought>\n", "\n</thought>\n\nRelevance: 85"),
    (
        HUB + "Xkev/Llama-3.2V-11B-cot",
        "<SUMMARY>I look.</SUMMARY> <REASONING>",
        "</REASONING> <CONCLUSION>85</CONCLUSION>",
    ),
    (HUB + "Kwai-Keye/Keye-VL-8B-Preview", "<analysis>Simple. ", "</analysis>Relevance: 85"),
    (HUB + "google/gemma-4-26B-A4B-it", "<|channel>thought\n", "<channel|>Relevance: 85<turn|>"),
)
for source, opening, rest in FAMILIES:
    outcome = Outcome.OK if "Relevance" in rest else Outcome.OK_BARE
    THOUGHT_ANSWERS[source] = (
        (f"{opening}{GUESS}", None, Outcome.TRUNCATED),
        (f"{opening}{GUESS}{rest}", 85, outcome),
        (f"{opening}{rest}", 85, outcome),
    )
