"""Triggers of tasks: what stays once runs were checked, and whose corpus a task may name."""

import pgtrigger

# The migration has the functions' texts with their indentation.
TASK_TRIGGERS = [
    pgtrigger.Trigger(
        name="a_task_stays_what_its_runs_were_checked_for",
        operation=pgtrigger.Update,
        when=pgtrigger.Before,
        condition=pgtrigger.AnyChange("track", "collection", "corpus", "kind"),
        func="""
                    IF EXISTS (SELECT FROM evaluation_run WHERE task_id = OLD.id) THEN
                        RAISE EXCEPTION 'task %: it has runs: track, collection, corpus and kind stay', OLD.id
                        USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
    ),
    pgtrigger.Trigger(
        name="a_corpus_is_of_the_task_s_collection",
        operation=pgtrigger.Update | pgtrigger.Insert,
        when=pgtrigger.Before,
        condition=pgtrigger.Q(new__corpus__isnull=False),
        func="""
                    IF NOT EXISTS (SELECT FROM evaluation_corpus
                        WHERE id = NEW.corpus_id AND collection_id = NEW.collection_id) THEN
                        RAISE EXCEPTION 'task %: its corpus is of another collection', NEW.id
                        USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
    ),
    pgtrigger.ReadOnly(name="a_practice_task_is_made_as_one", fields=["is_practice"]),
]
