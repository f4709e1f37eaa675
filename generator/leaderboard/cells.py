"""Text for a cell of a Markdown table. In: a submitter's text. Out: the same to read, without meaning in Markdown."""

import re
import unicodedata

MARKS = re.compile(r"([\\<>\[\]*_`|~$&])")
# GitHub makes links of bare addresses, and mentions of names, where nothing stands before their mark.
LINKS = re.compile(r"(:)(?=//)|(@)|(?<=www)(\.)", re.IGNORECASE)


def cell(text: str) -> str:
    plain = "".join(" " if character.isspace() else character for character in text)
    kept = "".join(character for character in plain if not unicodedata.category(character).startswith("C"))
    return LINKS.sub(lambda found: f"\\{found[0]}", MARKS.sub(r"\\\1", kept))
