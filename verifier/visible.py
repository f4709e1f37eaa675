"""What of a text is stated to its reader: the text less what is struck out, commented out or hidden by its style.

In: the text of a draft or post, plain or with Markdown or HTML in it. Out: the text with the rest left out. Quotations,
code and tables are layouts like others and stay.
"""

import re

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
# Two tildes as in Markdown, or one as in a chat: around words, within a line. "~5 to ~8" is about and strikes nothing.
_STRUCK = re.compile(r"(?<![\w~])(~~?)(?=[^\s~])[^~\n]*(?<=[^\s~])\1(?![\w~])")
_TAG = re.compile(r"<(?P<end>/?)(?P<name>[a-zA-Z][a-zA-Z0-9]*)(?P<attributes>[^<>]*)>")
_DELETED = frozenset({"s", "del", "strike"})
_EMPTY = frozenset({"br", "hr", "img", "input", "wbr"})
"""Elements that have no content, and so hide none."""
_UNSEEN = re.compile(
    r"""\shidden(?=[\s=/]|$)
      | display\s*:\s*none | visibility\s*:\s*hidden | opacity\s*:\s*0(?![.\d]*[1-9]) | font-size\s*:\s*0(?![.\d]*[1-9])
      | (?<![-\w])color\s*[:=]\s*["']?\s*(?:transparent|white|\#fff(?:fff)?(?![0-9a-f]))
    """,
    re.VERBOSE | re.IGNORECASE,
)


def stated_text(text: str) -> str:
    """The text without comments, struck-out words and hidden elements."""
    if "<" in text:
        text = _without_hidden(_COMMENT.sub(" ", text))
    return _STRUCK.sub(" ", text) if "~" in text else text


def _without_hidden(text: str) -> str:
    """The text outside of elements that a reader does not see, or sees struck out."""
    kept: list[str] = []
    name, depth, start = "", 0, 0
    for tag in _TAG.finditer(text):
        found = tag["name"].lower()
        if depth and found == name:
            depth += -1 if tag["end"] else 1
            if not depth:
                start = tag.end()
        elif not depth and not tag["end"] and found not in _EMPTY and _is_hidden(found, tag["attributes"]):
            kept.append(text[start : tag.start()])
            name, depth = found, 1
    return "  ".join(kept if depth else [*kept, text[start:]])


def _is_hidden(name: str, attributes: str) -> bool:
    """Whether an element is struck out or hidden. White letters on a ground of their own are a heading's style."""
    found = None if name in _DELETED else _UNSEEN.search(attributes)
    if found is None:
        return name in _DELETED
    return "color" not in found[0].lower() or "background" not in attributes.lower()
