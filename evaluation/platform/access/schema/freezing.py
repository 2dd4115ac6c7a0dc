"""Triggers that make texts and images of judged or released items immutable, and count their versions."""

import pgtrigger

FROZEN_CODE = "TS001"  # SQLSTATE of a refusal, in a class that PostgreSQL leaves to applications

# A release that was announced by mail freezes texts and images for good, even if its date is moved later.
WAS_RELEASED = "(releases_at <= now() AND release_confirmed_for <= now() OR release_noted_at IS NOT NULL)"


def frozen_text(noun: str, names: list[str], of_released_task: str) -> list[pgtrigger.Trigger]:
    """Triggers of a table with the columns of Item.

    ``names`` are the columns by which runs and judgments refer to the row. ``of_released_task`` is the SQL
    condition for the rows of evaluation_task whose release freezes OLD.
    """
    released = f"EXISTS (SELECT FROM evaluation_task WHERE {of_released_task} AND {WAS_RELEASED})"
    refusal = (
        f"RAISE EXCEPTION 'the {noun} is judged or released: its text and image stay' "
        f"USING ERRCODE = '{FROZEN_CODE}';"
    )
    content = ["fields", "image_id", "more_images"]
    changed = " OR ".join(f"OLD.{name} IS DISTINCT FROM NEW.{name}" for name in content)
    moved = " OR ".join(f"OLD.{name} IS DISTINCT FROM NEW.{name}" for name in names)
    return [
        pgtrigger.Trigger(
            name=f"{noun}_text_is_frozen",
            operation=pgtrigger.Update,
            when=pgtrigger.Before,
            condition=pgtrigger.Condition(
                f"{changed} OR {moved} OR (OLD.frozen_at IS NOT NULL AND NEW.frozen_at IS NULL)"
            ),
            func=f"""
                IF OLD.frozen_at IS NOT NULL OR {released} THEN
                    {refusal}
                END IF;
                NEW.version := OLD.version + 1;
                RETURN NEW;
            """,
        ),
        pgtrigger.Trigger(
            name=f"{noun}_stays_once_judged",
            operation=pgtrigger.Delete,
            when=pgtrigger.Before,
            func=f"""
                IF OLD.frozen_at IS NOT NULL OR {released} THEN
                    {refusal}
                END IF;
                RETURN OLD;
            """,
        ),
    ]
