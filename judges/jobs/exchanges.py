"""Items with a part of another one: of controls, which have another topic's pictures, and of probes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from evaluation.collections.items import Item
from judges.catalogue.models import Judge
from judges.jobs.calls import CONTROL
from trackside.judging.inputs import Gap, Input
from trackside.judging.perturbing import changed, turned
from trackside.judging.probes import Probe

Exchange = tuple[int, int]  # the calls of the pair, and of the pair whose pictures are shown instead


def control_name(exchange: Exchange) -> str:
    """Return the name that serves a control as topic and as document."""
    return f"{CONTROL} {exchange[0]} {exchange[1]}"


def exchanges_of(names: Collection[str]) -> dict[str, Exchange]:
    """Return the exchange of each name that is a control's."""
    parts = {name: name.split(" ") for name in names if name.startswith(f"{CONTROL} ")}
    return {name: (int(pair), int(other)) for name, (_, pair, other) in parts.items()}


def keys_of(exchanges: Mapping[str, Exchange]) -> set[int]:
    """Return the calls of these exchanges."""
    return {key for exchange in exchanges.values() for key in exchange}


def exchanged_items(
    exchanges: Mapping[str, Exchange],
    names: Mapping[int, str],
    items: Mapping[str, Item],
    *,
    is_exchanged: bool,
) -> dict[str, Item]:
    """Return the topic or document of each control, unsaved, without those that do not exist.

    ``names`` has the name of each call's item. If ``is_exchanged``, all pictures are the other item's.
    """
    controls = {}
    for control, (pair, other) in exchanges.items():
        item = items.get(names.get(pair, ""))
        pictured = items.get(names.get(other, "")) if is_exchanged else item
        if item and pictured:
            images = {"image": pictured.image, "more_images": pictured.more_images}
            controls[control] = type(item)(fields=item.fields, **images)
    return controls


def probed_items(exchanges: Mapping[str, Sequence[str]], items: Mapping[str, Item]) -> dict[str, Item]:
    """Return the topic or document of each exchange of a probe, unsaved, without those that do not exist.

    What a probe changes without another item, ``probed_input`` changes in the judge's input.
    """
    probed = {}
    for name, (probe, own, other) in exchanges.items():
        if own in items and other in items:
            text, picture = (items[other if probe == part else own] for part in (Probe.TEXTS, Probe.PICTURES))
            images = {"image": picture.image, "more_images": picture.more_images}
            probed[name] = type(text)(fields=text.fields, **images)
    return probed


def probed_inputs(
    judge: Judge, side: str, parts: Mapping[str, Input | Gap], exchanges: Mapping[str, Sequence[str]]
) -> dict[str, Input | Gap]:
    """Return the judge's inputs of items by name, those of exchanges as their probe changes them."""
    probed = {name: exchanges[name][0] for name in parts if name in exchanges}
    return dict(parts) | {
        name: changed(judge.settings, side, parts[name], probe) for name, probe in probed.items()
    }


def probed_prompt(judge: Judge, exchange: Sequence[str] | None) -> str:
    """Return the judge's prompt, with its options in reverse order if the exchange is of that probe."""
    is_turned = exchange is not None and exchange[0] == Probe.OPTIONS
    return turned(judge.prompt, judge.answer) or judge.prompt if is_turned else judge.prompt
