"""Lines that a person may write, send or be called, and that have ended or harmed programs which show text.

One list for names, chat, labels of options and announcements, in every front end.
"""

# ruff: noqa: E501, RUF001

from __future__ import annotations

SCRIPTS = (
    "Ada Lovelace", "Zoë Müller", "Łukasz Żółć", "Nguyễn Văn Ánh", "Ἀριστοτέλης", "Фёдор Достоевский", "שָׁלוֹם עולם",
    "שלום 123 abc", "مرحبا بالعالم", "السلام ٤٢ عليكم (ok)", "日本語の名前", "中文名字", "한국어 이름", "한글",
    "नमस्ते दुनिया", "สวัสดีชาวโลก", "தமிழ்", "ქართული ენა", "Հայերեն", "ትግርኛ", "ᠮᠣᠩᠭᠣᠯ", "བོད་ཡིག", "ភាសាខ្មែរ", "ߒߞߏ",
)  # fmt: skip
"""What people are called."""
EMOJI = (
    "❤️", "❤", "☺️ nice move", "👍", "👍🏽", "👩‍👩‍👧", "👨🏿‍🚀", "🏳️‍🌈", "🇩🇪🇧🇷", "1️⃣2️⃣", "#️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "😀😀😀", "♟️ e4",
    "🫨🪿", "🧑‍🤝‍🧑", "©️®️™️",
)  # fmt: skip
"""With joiners, selectors, modifiers, tags and regional letters; some newer than this Python knows."""
MARKS = (
    "\u0301", "\u0301abc", "e\u0301", "a" + "\u0300" * 60, "\u20e3", "\ufe0f", "\ufe0e\ufe0f", "\u200d", "\u200b\u200c\u200d",
    "x\u20dd\u20e0", "\u0e34\u0e49", "\u0651\u064e", "a\u0489b\u0489", "\u034f\u034f", "\u3164", "\u115f\u1160", "\u2800\u2800",
    "Z\u0335\u0321\u0353a\u0336\u0322l\u0337\u0323g\u0338\u0324o\u0335\u0325",
)  # fmt: skip
"""Marks with and without something to stand on, and what nothing is to be seen of."""
CONTROLS = (
    "\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\x1b[2J\x1b[H", "a\x00b", "a\rb", "line\nline", "a\tb", "\x08\x08\x08", "\x9b31m",
    "\u202eevil\u202c", "\u2066left\u2069", "\u061carabic mark", "\u2028\u2029", "\ufeffbom", "\xadsoft\xadhyphen", "\u0085next",
    "\U000e0041\U000e0042", "\x7f",
)  # fmt: skip
"""Controls, directions, line separators, tags."""
UNKNOWN = (
    "\ue000\uf8ff", "\ufffd", "\uffff", "\U0010fffd", "\U000f0000", "\u0378\u0379", "\U0002ffff", "𠀀𠮷野家", "𒀀𒁀", "𓂀", "\U0001fbff",
    "𝔘𝔫𝔦𝔠𝔬𝔡𝔢",
)  # fmt: skip
"""Private, unassigned, and letters that few fonts have."""
SHAPES = (
    "", " ", "\u00a0", "\u3000\u3000", "W" * 300, "ﷺ" * 40, "﷽", "𒐫" * 20, "日" * 120, "👩‍👩‍👧" * 40, "[bold red]x[/]", "[/]", "{name}", "%s%n",
    "<b>&amp;", "\\", '"\'`$(x)', "a" * 40 + " " + "b" * 40, "../../etc", "i\u0307İıI", "ǅǈ", "ﬃ", "…", "-" * 80, "١٢٣", "½⅓",
)  # fmt: skip
"""Empty, blank, long, wide, and what some parser would take for its own."""
LINES = SCRIPTS + EMOJI + MARKS + CONTROLS + UNKNOWN + SHAPES
