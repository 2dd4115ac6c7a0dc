import gzip

import pytest

from tests.trackside.imports.reading import read_text_records
from trackside.files import UnreadableFile
from trackside.imports.faults import Faults, ImportFault, NoRecords, NotText
from trackside.imports.fields import FieldChoice
from trackside.imports.readers import read_topics, records_of
from trackside.imports.records import RecordMaker
from trackside.imports.text_files import docno_lines, text_rows

TREC = """<top>
<num> Number: 301
<title> International Organized Crime

<desc> Description:
Identify organizations that participate in international criminal
activity &amp; more.

<narr> Narrative:
A relevant document must name one.
</top>
<top>
<num>302</num>
<title>Poliomyelitis</title>
</top>
"""
XML = """<topics task="images">
<topic number="1"><title>Tarn</title></topic>
<topic number="2"><title>Fjord</title></topic></topics>"""


def _read(content: str | bytes) -> tuple[dict[str, tuple[tuple[str, str], ...]], Faults]:
    faults = Faults()
    source = content.encode() if isinstance(content, str) else content
    return {record.name: record.fields for record in read_text_records(source, faults)}, faults


@pytest.mark.parametrize(
    "content",
    [
        '{"id": "T1", "title": "Tarn, frozen", "note": "n"}\n\n{"id": "T2", "title": "Fjord"}\n',
        'id,title\nT1,"Tarn, frozen"\nT2,Fjord\n',
        "title\ttopic_id\r\nTarn, frozen\tT1\r\nFjord\tT2\r\n",
        '\ufeffqid,title\nT1,"Tarn, frozen"\nT2,Fjord',
        "id;title\nT1;Tarn, frozen\nT2;Fjord\n",  # a spreadsheet of a country with decimal commas
        "id| title\nT1|Tarn, frozen\nT2|Fjord\n",  # Flickr30k's captions
        'id,title,,\nT1,"Tarn, frozen",,\nT2,Fjord,,\n',  # a spreadsheet with empty columns
    ],
)
def test_read_text_records_reads_json_lines_and_tables(content: str) -> None:
    records, faults = _read(content)
    assert records == {"T1": (("title", "Tarn, frozen"),), "T2": (("title", "Fjord"),)}
    assert faults.counts == {}
    assert _read(gzip.compress(content.encode()))[0] == records
    assert read_topics(content.encode()) == {"T1", "T2"}


def test_read_text_records_leaves_out_labels_in_the_text_of_trec_s_topics() -> None:
    records, _ = _read(TREC)
    assert records["301"] == (
        ("title", "International Organized Crime"),
        ("description", "Identify organizations that participate in international criminal activity & more."),
        ("narrative", "A relevant document must name one."),
    )
    assert records["302"] == (("title", "Poliomyelitis"),)


def test_read_text_records_reads_topics_with_their_number_as_an_attribute() -> None:
    assert _read(XML)[0] == {"1": (("title", "Tarn"),), "2": (("title", "Fjord"),)}


def test_read_text_records_reads_trec_s_topics_whatever_ends_a_line() -> None:
    for ending in ("\r\n", "\r"):
        records, faults = _read(
            TREC.replace("<title> Int", "<concepts> x\n<title> Int").replace("\n", ending)
        )
        assert records["301"][0] == ("concepts", "x")
        assert faults.counts == {}
    with pytest.raises(NoRecords, match="header"):
        read_topics(b"# made in 2026\nid,title\nT1,Tarn\n")


def test_trec_topic_without_an_end_tag_is_a_fault_and_the_others_are_read() -> None:
    one, two, three = (f"<top>\n<num>{number}<title>Tarn {number}\n" for number in "123")
    records, faults = _read(f"{one}{two}</top>\n{three}")
    assert records == {"2": (("title", "Tarn 2"),)}
    assert faults.counts == {ImportFault.NOT_CLOSED: 2}
    assert [place for place, _ in faults.examples[ImportFault.NOT_CLOSED]] == ["line 1", "line 6"]


def test_topic_in_a_trec_topic_is_a_field() -> None:
    records, faults = _read("<TOP><num>1</num><topic>Tarn</topic></TOP><top><num>2<topic>Fjord</top>")
    assert records == {"1": (("topic", "Tarn"),), "2": (("topic", "Fjord"),)}
    assert faults.counts == {}


def test_number_of_a_trec_topic_goes_before_its_id() -> None:
    records, _ = _read("<top><num>301<id>wt09<title>Tarn</top><top><id>wt10<title>Fjord</top>")
    assert records == {"301": (("title", "Tarn"),), "wt10": (("title", "Fjord"),)}


def test_tab_in_the_header_makes_a_table_tsv_whatever_commas_it_has() -> None:
    records, _ = _read("id\ttitle\tlang, kind\nT1\tTarn, frozen\ten\n")
    assert records == {"T1": (("title", "Tarn, frozen"),)}
    assert _read('id\ttitle\n303\tscreen 15" wide\n')[0] == {"303": (("title", 'screen 15" wide'),)}


def test_invalid_line_is_counted_from_the_file_s_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trackside.files.streams.BLOCK_BYTES", 8)  # a block a line
    with pytest.raises(NotText, match="line 3: bytes that are not UTF-8"):
        _read(b"id,title\nT1,Tarn\nT2,\xff\n")


def test_json_lines_keep_the_note_apart_and_name_each_line_at_fault() -> None:
    faults = Faults()
    content = b'{"id": "a", "t": "x", "note": "why"}\n[1]\n{"id": \n\xff\xfe{}\n{"id": "b", "t": "y"}\n'
    records = list(read_text_records(content, faults))
    assert [(record.name, record.note, record.place) for record in records] == [
        ("a", "why", "line 1"),
        ("b", "", "line 5"),
    ]
    assert faults.counts == {ImportFault.NOT_JSON: 2, ImportFault.NOT_UTF8: 1}
    assert faults.examples[ImportFault.NOT_JSON][1] == ("line 3", '{"id": ')


def test_json_lines_survive_an_object_of_endless_depth() -> None:
    records, faults = _read('{"id": "a", "t": ' + "[" * 100_000 + "\n")
    assert (records, faults.counts) == ({}, {ImportFault.NOT_JSON: 1})


def test_tables_name_rows_with_other_columns() -> None:
    records, faults = _read("id,title\nT1,Tarn, frozen\n\nT2,Fjord\n")
    assert list(records) == ["T2"]
    assert faults.examples == {ImportFault.COLUMN_COUNT: [("line 2", "T1,Tarn, frozen")]}


def test_table_without_a_header_has_the_columns_that_are_given() -> None:
    faults = Faults()
    records = list(read_text_records(b"101\twhat is tarn\n102\tfjord\n", faults, columns=["id", "title"]))
    assert [(record.name, record.fields, record.place) for record in records] == [
        ("101", (("title", "what is tarn"),), "line 1"),
        ("102", (("title", "fjord"),), "line 2"),
    ]


@pytest.mark.parametrize(
    ("content", "error", "words"),
    [
        ("id,title\nT1,é\n".encode("utf-16"), NotText, "UTF-16"),
        ("id,title\nT1,é\n".encode("latin-1"), NotText, "line 2: bytes that are not UTF-8"),
        ('id,title\nT1,"open\n', NotText, "line 2"),
        ("", NoRecords, "empty"),
        ("just a list\nof words\n", NoRecords, "not a header"),
        ("id,title,title\n1,2,3\n", NoRecords, "each once"),
        (",,\n1,2,3\n", NoRecords, "each once"),
        # The first record of a table without a header must not be read as a header.
        ("101\twhat is tarn\n102\tfjord\n", NoRecords, "name its columns in the form"),
        ("q1,tarn\nq2,fjord\n", NoRecords, "not a header"),
        ("7\ttopic\n8\tfjord\n", NoRecords, "not a header"),
        ("code,title\n", NoRecords, "not a header"),
        ("<html><body>x</body></html>", NoRecords, "<top>"),
        (gzip.compress(b"id,title\n" * 100, mtime=0)[:-9], UnreadableFile, "cut short"),
    ],
)
def test_read_text_records_gives_the_reason_a_file_cannot_be_read(
    content: str | bytes, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        _read(content)


def test_docno_lines_are_documents_without_content() -> None:
    records = list(docno_lines(b"d1\n\n d2 \r\n"))
    assert [(record.name, record.fields, record.place) for record in records] == [
        ("d1", (), "line 1"),
        ("d2", (), "line 3"),
    ]


def test_lists_end_lines_where_other_tools_do() -> None:
    """U+2028 and vertical tabs end lines for Python alone."""
    docnos = "d1\u2028x\nd2\x0bx\r\nd3\n".encode()
    assert [record.name for record in docno_lines(docnos)] == ["d1\u2028x", "d2\x0bx", "d3"]
    assert read_topics("t1\x85x y\nt2 a\u2028b\n".encode()) == {"t1\x85x", "t2"}


def test_column_without_a_name_is_counted() -> None:
    """pandas writes the index of a table so."""
    records, faults = _read(",id,title\n0,T1,Tarn\n1,T2,Fjord\n")
    assert records == {
        "T1": (("title", "Tarn"),),
        "T2": (("title", "Fjord"),),
    }
    assert faults.counts == {}


def test_key_without_letters_is_a_field() -> None:
    records, _ = _read('{"id": "T1", "": "Tarn"}\n{"id": "T2", "": "Fjord"}\n')
    assert records == {"T1": (), "T2": ()}
    content, choice = b'{"id": "T1", "": "Tarn"}\n', FieldChoice(texts=("",))
    (record,) = records_of(text_rows(content, Faults()), RecordMaker(Faults(), choice))
    assert (record.name, record.fields) == ("T1", (("", "Tarn"),))


def test_attributes_outside_all_topics_are_a_fault() -> None:
    topic = '<topic number="1"><title>Tarn</title></topic>'
    xml = f'<topics task="adhoc"><group lang="en">{topic}</group></topics>'
    for content in (xml, xml.replace("</group>", "")):  # the latter is read as SGML
        records, faults = _read(content)
        assert records == {"1": (("title", "Tarn"),)}
        assert [value for _, value in faults.examples[ImportFault.NO_RECORD]] == ['task="adhoc"', 'lang="en"']
