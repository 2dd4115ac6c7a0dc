from trackside.text.digest import Digest, heading_of, make_digest, split_lead


def test_digest_reads_atomic_fields_in_the_order_of_interest() -> None:
    digest = make_digest(
        [
            ["page_title", "Tarn"],
            ["section_title", "Formation"],
            ["hierarchy", "Geology | Formation"],
            ["context_page_description", "A small lake."],
            ["context_section_description", "A glacier melts."],
        ]
    )
    assert digest == Digest(
        over="Tarn",
        title="Formation",
        path="Geology › Formation",
        lead="A glacier melts.",
        rest="",
        others=(("Page description", "A small lake."),),
    )


def test_digest_keeps_the_order_of_other_names() -> None:
    digest = make_digest(
        [["title", "foreign minorities"], ["description", "Who are they?"], ["narrative", "Any."]]
    )
    assert (digest.over, digest.title, digest.lead) == ("", "foreign minorities", "Who are they?")
    assert digest.others == (("Narrative", "Any."),)


def test_digest_of_a_topic_without_text_is_empty() -> None:
    assert make_digest([["section_title", "  "]]) == Digest("", "", "", "", "", ())


def test_lead_ends_with_a_sentence() -> None:
    assert split_lead("One is. Two is! Three is not short.", 16) == ("One is. Two is!", "Three is not short.")


def test_lead_of_a_short_text_is_all_of_it() -> None:
    assert split_lead("One. Two.", 9) == ("One. Two.", "")


def test_lead_of_one_long_sentence_ends_with_a_word() -> None:
    assert split_lead("alpha beta gamma delta", 12) == ("alpha beta", "gamma delta")


def test_lead_splits_sentences_without_blanks() -> None:
    assert split_lead("湖は深い。氷は厚い。水は青い。", 11) == ("湖は深い。氷は厚い。", "水は青い。")


def test_lead_of_an_endless_word_is_cut() -> None:
    assert split_lead("湖" * 30, 10) == ("湖" * 10, "湖" * 20)


def test_heading_is_the_name_in_words() -> None:
    assert heading_of("caption_alt_text_description") == "Caption alt text description"
