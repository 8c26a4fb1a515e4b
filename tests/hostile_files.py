"""Small files made to keep whoever reads them busy for long, or to fill the memory. All are under 120 KB."""

import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable

MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
TYPES = 'xmlns="http://schemas.openxmlformats.org/package/2006/content-types"'
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
TITLES = "<row><c t='inlineStr'><is><t>Staff number</t></is></c><c t='inlineStr'><is><t>Name</t></is></c></row>"

# ---- workbooks

Part = str | tuple[str, int]  # a text, or one that stands so many times


def workbook(*rows: Part, strings: Iterable[Part] = (), sheets: int = 1, more: dict[str, str] | None = None) -> bytes:
    """A workbook with these rows in its first sheet; packed as it is written, so that it is never whole in memory."""
    listed = "".join(f'<sheet name="S{n}" sheetId="{n}" r:id="r{n}"/>' for n in range(1, sheets + 1))
    linked = "".join(
        f'<Relationship Id="r{n}" Type="{LINKS}/worksheet" Target="worksheets/sheet{n}.xml"/>'
        for n in range(1, sheets + 1)
    )
    linked += f'<Relationship Id="s" Type="{LINKS}/sharedStrings" Target="sharedStrings.xml"/>'
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        _write(archive, "[Content_Types].xml", [f"<Types {TYPES}>{_types(sheets)}</Types>"])
        office = f'<Relationship Id="o" Type="{LINKS}/officeDocument" Target="xl/workbook.xml"/>'
        _write(archive, "_rels/.rels", [f'<Relationships xmlns="{PACKAGE}">{office}</Relationships>'])
        _write(archive, "xl/workbook.xml", [f'<workbook {MAIN} xmlns:r="{LINKS}"><sheets>{listed}</sheets></workbook>'])
        _write(archive, "xl/_rels/workbook.xml.rels", [f'<Relationships xmlns="{PACKAGE}">{linked}</Relationships>'])
        _write(archive, "xl/sharedStrings.xml", [f"<sst {MAIN}>", *strings, "</sst>"])
        for number in range(1, sheets + 1):
            inside = [TITLES, *rows] if number == 1 else [TITLES]
            _write(
                archive,
                f"xl/worksheets/sheet{number}.xml",
                [f"<worksheet {MAIN}><sheetData>", *inside, "</sheetData></worksheet>"],
            )
        for name, content in (more or {}).items():
            _write(archive, name, [content])
    return file.getvalue()


def _types(sheets: int) -> str:
    kinds = {"/xl/workbook.xml": "sheet.main", "/xl/sharedStrings.xml": "sharedStrings"}
    kinds |= {f"/xl/worksheets/sheet{number}.xml": "worksheet" for number in range(1, sheets + 1)}
    office = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    listed = (f'<Override PartName="{part}" ContentType="{office}.{kind}+xml"/>' for part, kind in kinds.items())
    return (
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        + "".join(listed)
    )


def _write(archive: zipfile.ZipFile, name: str, parts: Iterable[Part]) -> None:
    with archive.open(name, "w") as part:
        for one in parts:
            text, times = (one, 1) if isinstance(one, str) else one
            block = text.encode() * min(times, 1000)
            for _ in range(times // 1000 if times > 1000 else 1):
                part.write(block)


def shared_strings() -> bytes:
    return workbook(strings=[("<si><t>a</t></si>", 2_200_000)])


def wide_row() -> bytes:
    return workbook("<row>", ("<c><v>1</v></c>", 2_400_000), "</row>")


def far_corners() -> bytes:
    return workbook('<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')


def all_columns() -> bytes:
    return workbook(("<row>" + "<c><v>1</v></c>" * 16_384 + "</row>", 150))


def shared_formulas() -> bytes:
    cells = "".join(f'<c><f t="shared" ref="A1:XFD1048576" si="{n}">A1+{n}</f><v>1</v></c>' for n in range(2_000))
    return workbook(f"<row>{cells}</row>", ('<row><c><f t="shared" si="1"/></c></row>', 500_000))


def many_sheets() -> bytes:
    return workbook(sheets=380)


def many_rows() -> bytes:
    return workbook(("<row><c><v>1</v></c></row>", 1_000_000))


def long_cell() -> bytes:
    return workbook("<row><c t='inlineStr'><is><t>", ("x", 35_000_000), "</t></is></c></row>")


def lying_sizes() -> bytes:
    """Says of itself that it unpacks to little; the stream goes on for far more than any limit."""
    file = io.BytesIO()
    name, packer = b"xl/workbook.xml", zlib.compressobj(9, wbits=-15)
    block = bytes(1024 * 1024)
    packed = b"".join([*(packer.compress(block) for _ in range(90)), packer.flush()])
    sizes = struct.pack("<HIII", 0x21, 0, len(packed), 1000)
    local = b"PK\x03\x04" + struct.pack("<HHHH", 20, 0, 8, 0) + sizes + struct.pack("<HH", len(name), 0) + name
    central = b"PK\x01\x02" + struct.pack("<HHHHH", 20, 20, 0, 8, 0) + sizes
    central += struct.pack("<HHHHHII", len(name), 0, 0, 0, 0, 0, 0) + name
    file.write(local + packed + central)
    file.write(b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(central), len(local + packed), 0))
    return file.getvalue()


WORKBOOKS: dict[str, Callable[[], bytes]] = {
    made.__name__: made
    for made in (
        *(shared_strings, wide_row, far_corners, all_columns, shared_formulas, many_sheets, many_rows, long_cell),
        lying_sizes,
    )
}

# ---- other tables

TABLES: dict[str, Callable[[], bytes]] = {
    "one_field": lambda: b"numero;nome\n1;" + b"x" * 100_000,
    "an_open_field": lambda: b'numero;nome\n1;"' + b"x\n" * 50_000,
    "columns": lambda: b"numero;nome\n" + b";" * 100_000,
    "titles": lambda: b"numero;" * 14_000 + b"\n1",
    "empty_lines": lambda: b"\n" * 100_000,
    "utf_16": lambda: "numero;nome\n1;Ana\n".encode("utf-16") * 2_000,
    "utf_32": lambda: "numero;nome\n1;Ana\n".encode("utf-32") * 1_000,
    "quotes": lambda: b'numero;nome\n"' + b'""' * 50_000,
}

# ---- PDF


def pdf(*objects: bytes) -> bytes:
    """A PDF of these objects, numbered from 1; the first is the catalogue."""
    made, places = b"%PDF-1.7\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(made))
        made += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    start = len(made)
    made += b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table)
    return made + b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, start)


def stream(content: bytes, more: bytes = b"") -> bytes:
    packed = zlib.compress(content, 9)
    return b"<<%s/Filter/FlateDecode/Length %d>>stream\n%s\nendstream" % (more, len(packed), packed)


FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"


def heavy_pages() -> bytes:
    """Many pages share one stream of very many words."""
    said = stream(b"BT /F 9 Tf 50 700 Td " + b"(1 - Uma regra) Tj 0 -1 Td " * 200_000 + b"ET")
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F 3 0 R>>>>/Contents 4 0 R>>"
    kids = b" ".join(b"%d 0 R" % number for number in range(5, 105))
    root = b"<</Type/Pages/Count 100/Kids[%s]>>" % kids
    return pdf(b"<</Type/Catalog/Pages 2 0 R>>", root, FONT, said, *[page] * 100)


def deep_pages() -> bytes:
    """A page under a thousand branches."""
    branches = [b"<</Type/Pages/Count 1/Kids[%d 0 R]>>" % number for number in range(3, 1_503)]
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]>>"
    return pdf(b"<</Type/Catalog/Pages 2 0 R>>", *branches, page)


def forms_in_forms() -> bytes:
    """Each drawing holds the next one ten times: ten to the power of their number."""
    depth, first = 25, 4
    forms = [
        stream(
            b"/X Do " * 10 if number < depth - 1 else b"BT (x) Tj ET",
            b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X %d 0 R>>>>" % (first + number + 1),
        )
        for number in range(depth)
    ]
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Resources<</XObject<</X 4 0 R>>>>/Contents %d 0 R>>"
    root = b"<</Type/Pages/Count 1/Kids[3 0 R]>>"
    return pdf(b"<</Type/Catalog/Pages 2 0 R>>", root, page % (first + depth), *forms, stream(b"/X Do " * 10))


def unpacking() -> bytes:
    """A stream packed three times: a thousand times a thousand smaller than it is."""
    packed = zlib.compress(zlib.compress(zlib.compress(bytes(80_000_000), 9), 9), 9)
    said = b"<</Filter[/FlateDecode/FlateDecode/FlateDecode]/Length %d>>stream\n%s\nendstream" % (len(packed), packed)
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents[" + b"4 0 R " * 1000 + b"]>>"
    return pdf(b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Count 1/Kids[3 0 R]>>", page, said)


PDFS: dict[str, Callable[[], bytes]] = {
    made.__name__: made for made in (heavy_pages, deep_pages, forms_in_forms, unpacking)
}

# ---- pictures


def png(width: int, height: int, *parts: tuple[bytes, bytes], depth: int = 8, kind: int = 6) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0)
    every = [(b"IHDR", header), *parts, (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in every
    )


def _dots(width: int, height: int, bytes_each: int) -> bytes:
    packer = zlib.compressobj(9)
    row = bytes(1 + width * bytes_each)
    return b"".join([*(packer.compress(row) for _ in range(height)), packer.flush()])


PICTURES: dict[str, Callable[[], bytes]] = {
    "thirty_thousand": lambda: png(30_000, 30_000, (b"IDAT", b"x" * 90_000)),
    "more_dots_than_said": lambda: png(10, 10, (b"IDAT", _dots(5_000, 5_000, 4)[:-4])),
    "text": lambda: png(2, 2, (b"zTXt", b"openbadgecredential\0\0" + zlib.compress(bytes(80_000_000), 9))),
    "many_parts": lambda: png(500, 500, *[(b"IDAT", b"")] * 8_000),
    "svg_entities": lambda: b"<!DOCTYPE svg [<!ENTITY a '" + b"x" * 90_000 + b"'>]><svg>" + b"&a;" * 1000 + b"</svg>",
    "svg_use": lambda: b"<svg>" + b'<g id="a"><use href="#b"/><use href="#b"/></g>' * 2_000 + b"</svg>",
}

# ---- text

TEXTS: dict[str, Callable[[], bytes]] = {
    "a_heading_and_spaces": lambda: b"1" + b" " * 100_000 + b"x",
    "no_heading": lambda: b"art" + b" " * 100_000 + b"x",
    "dashes": lambda: b"1 " + b"-" * 100_000 + b"1",
    "marks": lambda: b"<" * 100_000,
}

# ---- JSON

DOCUMENTS: dict[str, Callable[[], bytes]] = {
    "deep_lists": lambda: b"[" * 100_000,
    "deep_objects": lambda: b'[{"a":' * 15_000,
    "a_giant_number": lambda: b"[" + b"9" * 100_000 + b"]",
    "giant_numbers": lambda: b"[" + b",".join([b"9" * 4_000] * 25) + b"]",
    "a_giant_fraction": lambda: b"[0." + b"9" * 100_000 + b"e-999999]",
    "many_lists": lambda: b"[" + b"[]," * 30_000 + b"[]]",
}
