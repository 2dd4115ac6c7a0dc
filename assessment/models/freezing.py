"""What a new judgment freezes, and the hashes of what it is about."""

# UPDATE locks each row before it is read: it waits for a concurrent edit, and a later edit finds it frozen.
FREEZE = """
    UPDATE evaluation_criteria SET frozen_at = clock_timestamp()
    WHERE id = NEW.criteria_id AND frozen_at IS NULL;
    UPDATE evaluation_topic SET frozen_at = clock_timestamp()
    WHERE task_id = NEW.task_id AND number = NEW.topic AND frozen_at IS NULL;
    UPDATE evaluation_document SET frozen_at = clock_timestamp()
    WHERE docno = NEW.docno AND frozen_at IS NULL
        AND collection_id = (SELECT collection_id FROM evaluation_task WHERE id = NEW.task_id);
    NEW.topic_sha256 := coalesce((
        SELECT encode(sha256(convert_to(
            (jsonb_build_array(topic.fields, coalesce(topic.image_id, '')) || to_jsonb(topic.more_images)
            )::text, 'UTF8')), 'hex')
        FROM evaluation_topic AS topic WHERE task_id = NEW.task_id AND number = NEW.topic
    ), '');
    NEW.text_sha256 := coalesce((
        SELECT encode(sha256(convert_to((CASE WHEN document.more_images = '{}' THEN document.fields
            ELSE jsonb_build_array(document.fields, to_jsonb(document.more_images)) END
            )::text, 'UTF8')), 'hex')
        FROM evaluation_document AS document JOIN evaluation_task AS task USING (collection_id)
        WHERE task.id = NEW.task_id AND document.docno = NEW.docno
    ), '');
    RETURN NEW;
"""
