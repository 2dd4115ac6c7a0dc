"""Topics in SGML and XML: no element, attribute or character is lost."""

import pytest

from tests.trackside.imports.reading import read, read_text_records
from trackside.errors import InputError
from trackside.imports.faults import Faults, ImportFault
from trackside.imports.records import Record


def _only(content: str) -> Record:
    (record,), faults = read(content)
    assert faults.counts == {}
    return record


@pytest.mark.parametrize(
    ("narrative", "read"),
    [
        ("Values with p < 0.05, or q<0.1, are relevant.", "Values with p < 0.05, or q<0.1, are relevant."),
        ("About <b>water</b> mills & dams.", "About <b>water</b> mills & dams."),
        ("See <http://example.org> and <x y>.", "See <http://example.org> and <x y>."),
        (
            "a &lt; b &amp;amp; &#233; &#x2014; &eacute; AT&T &copy &unknown;",
            "a < b &amp; é — é AT&T &copy &unknown;",
        ),
        ("<![CDATA[a <title> & b]]> c <!-- d -->", "a <title> & b c"),
        ("\n<p>One.\n<i>Two</i>", "<p>One. <i>Two</i>"),
        ("Narrative:\n a", "a"),
        ("Narrative\na", "a"),
        ("Narratives are a.", "Narratives are a."),
        ("Title: a", "Title: a"),
    ],
)
def test_sgml_keeps_what_is_no_field_as_text(narrative: str, read: str) -> None:
    record = _only(f"<top>\n<num> Number: 5\n<title> mill\n<narr> {narrative}\n</top>\n<!-- end -->\n")
    assert (record.name, record.fields) == ("5", (("title", "mill"), ("narrative", read)))


def test_sgml_fields_may_have_attributes_unknown_names_and_repetitions() -> None:
    """In the form of CLEF and of TREC's tracks with subtopics."""
    record = _only(
        '<top lang="C">\n<num>7\n<EN-title>mill\n<title lang="fr">moulin\n<title lang=es>molino\n'
        '<mood>old\n  <era>new</era>\n<subtopic number="1" type="inf">water\n'
        '<subtopic number="2">wind\n</top>'
    )
    assert record.fields == (
        ("en-title", "mill"),
        ("title fr", "moulin"),
        ("title es", "molino"),
        ("subtopic 1", "water"),
        ("subtopic 2", "wind"),
    )
    assert record.left_out == (
        ("@lang", "C"),
        ("title fr@lang", "fr"),
        ("title es@lang", "es"),
        ("mood", "old"),
        ("era", "new"),
        ("subtopic 1@number", "1"),
        ("subtopic 1@type", "inf"),
        ("subtopic 2@number", "2"),
    )


def test_text_outside_the_fields_of_a_topic_is_a_field_and_outside_all_topics_a_fault() -> None:
    records, faults = read("<?xml version='1.0'?>Made in 2026.\n<top>A cough\n<num>1</num> dry\n</top>\nEnd")
    assert [(record.name, record.fields) for record in records] == [
        ("1", (("text 1", "A cough"), ("text 2", "dry")))
    ]
    assert faults.examples == {ImportFault.NO_RECORD: [("line 1", "Made in 2026."), ("line 4", "End")]}


@pytest.mark.parametrize(
    ("topic", "fields"),
    [
        ('number="7"><query><![CDATA[mill & dam < 3]]></query>', {"query": "mill & dam < 3"}),
        ('number="7"><title lang="en">caf&#233; &#x2014; x</title>', {"title": "café — x"}),
        ('number="7">A 58-year-old with a cough', {"text": "A 58-year-old with a cough"}),
        ('number="7"><narr>About <b>water</b> mills</narr>', {"narrative": "About water mills"}),
        ('number="7"><info><query>a</query><desc>dam</desc></info>', {"query": "a", "description": "dam"}),
        ("><num>Number: 7</num><subtopic>a</subtopic>", {"subtopic": "a"}),
        ("><qid>7</qid><topic>mills</topic>", {"topic": "mills"}),
    ],
)
def test_xml_topics_give_all_their_text(topic: str, fields: dict[str, str]) -> None:
    record = _only(f"<?xml version='1.0' encoding='UTF-8'?><topics><topic {topic}</topic></topics>")
    assert (record.name, dict(record.fields)) == ("7", fields)


def test_xml_subtopics_and_attributes_are_kept() -> None:
    """The form of topics.web.1-50; attributes are proposed to be left out."""
    record = _only(
        '<topics><topic number="8" type="faceted"><query>mills</query>'
        '<subtopic number="1" type="inf">water</subtopic><subtopic number="2" type="nav">a map</subtopic>'
        "</topic></topics>"
    )
    assert record.fields == (("query", "mills"), ("subtopic 1", "water"), ("subtopic 2", "a map"))
    assert [value for _, value in record.left_out] == ["faceted", "1", "inf", "2", "nav"]


@pytest.mark.parametrize("root", [("<DOCS>", "</DOCS>"), ("", "")])
def test_trec_s_documents_are_records(root: tuple[str, str]) -> None:
    """The form of TREC's collections on disks, which has no root; <topic> within a document is a field."""
    records, faults = read(
        f"{root[0]}<DOC>\n<DOCNO>\nFT911-1</DOCNO>\n<HEADLINE>Mill</HEADLINE>\n<TEXT>p &lt; 1</TEXT>\n</DOC>"
        f"<DOC>\n<DOCNO>FT911-2</DOCNO>\n<topic>wind</topic>\n</DOC>{root[1]}"
    )
    assert [(record.name, record.fields) for record in records] == [
        ("FT911-1", (("headline", "Mill"), ("text", "p < 1"))),
        ("FT911-2", (("topic", "wind"),)),
    ]
    assert faults.counts == {}


def test_labels_of_the_first_three_trecs_are_left_out() -> None:
    record = _only(
        "<top>\n<num> Number: 051\n<dom> Domain: Trade\n<title> Topic: Mills\n<smry> Summary:\na\n"
        "<con> Concept(s):\n1. b\n<fac> Factor(s):\n<nat> Nationality: U.S.\n</fac>\n<def> "
        "Definition(s):\n</top>"
    )
    assert record.fields == (
        ("dom", "Trade"),
        ("title", "Mills"),
        ("smry", "a"),
        ("con", "1. b"),
        ("nat", "U.S."),
    )


def test_several_pictures_of_a_topic_are_pictures() -> None:
    """The form of ImageCLEF."""
    (record,), faults = read("<t><topic><num>1</num><image>a.png</image><image> b.png</image></topic></t>")
    assert record.fields == ()
    assert [name for _, name in faults.examples[ImportFault.IMAGE_MISSING]] == ["a.png", "b.png"]


def test_namespace_of_xml_is_no_text() -> None:
    record = _only('<topics xmlns:x="http://example.org"><topic number="1"><title>a</title></topic></topics>')
    assert record.fields == (("title", "a"),)


def test_xml_without_topics_has_its_records_below_the_root() -> None:
    records, faults = read(
        "<queries>Draft<query><qid>0001</qid><content>a</content></query>\n"
        "<query><qid>0002</qid><content>b</content></query></queries>"
    )
    assert [(record.name, record.fields, record.place) for record in records] == [
        ("0001", (("content", "a"),), "line 1"),
        ("0002", (("content", "b"),), "line 2"),
    ]
    assert faults.examples == {ImportFault.NO_RECORD: [("line 1", "Draft")]}


def test_xml_in_latin_1_is_read_as_it_says() -> None:
    content = "<?xml version='1.0' encoding='ISO-8859-1'?><topics><topic number='1'>caf\xe9</topic></topics>"
    ((record,), _) = (list(read_text_records(content.encode("latin-1"), Faults())), None)
    assert record.fields == (("text", "café"),)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (
            "<!DOCTYPE t [<!ENTITY a 'x'>]><topics><topic number='1'>&a;</topic></topics>",
            "declares the entity a",
        ),
        (
            "<!DOCTYPE t [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><t><topic number='1'>&a;</topic></t>",
            "entity a",
        ),
        ("<a>" * 200 + "</a>" * 200, "more than 100 elements"),
        ("<html><body>x</body></html>", "no topics"),
    ],
)
def test_hostile_xml_is_refused(content: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read(content)


@pytest.mark.parametrize("opening", ["<![CDATA[", "<!--"])
def test_sgml_without_the_end_of_cdata_or_a_comment_is_text(opening: str) -> None:
    records, faults = read(f"<top><num>1<title>a {opening} b</top>\n<top><num>2<title>c {opening}</top>")
    assert [record.fields for record in records] == [
        (("title", f"a {opening} b"),),
        (("title", f"c {opening}"),),
    ]
    assert faults.counts == {}
