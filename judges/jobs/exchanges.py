"""Items with a part of another one: of controls, which have another topic's pictures, and of probes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from evaluation.collections.items import Item
from judges.jobs.calls import CONTROL
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
    """Return the topic or document of each exchange of a probe, unsaved, without those that do not exist."""
    probed = {}
    for name, (probe, own, other) in exchanges.items():
        if own in items and other in items:
            text, picture = (items[other if probe == part else own] for part in (Probe.TEXTS, Probe.PICTURES))
            images = {"image": picture.image, "more_images": picture.more_images}
            probed[name] = type(text)(fields=text.fields, **images)
    return probed
