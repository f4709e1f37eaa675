"""Text as a reader sees it, for names that must not be mentioned: lookalike letters become the Latin ones.

In: a text. Out: the text without accents and characters that show nothing, with letters that look like Latin ones
replaced by these, and with one kind of hyphen inside words. It serves to find what is forbidden, never what must be
stated: a name in lookalike letters is a mention, but no statement.
"""

import re
import unicodedata

# Letters that look like Latin ones, by script and case: the shape counts, not the sound. Fullwidth, mathematical and
# circled letters need no entry, since NFKC has them.
_ALIKE = (
    ("АВСЕҒԌНІЈКӀМОРԚЅТѴԜХҮУЗ", "ABCEFGHIJKIMOPQSTVWXYYZ"),  # Cyrillic
    ("авсԁеҽғɡһніјкӏмпорԛгѕтцѵԝхуүз", "abcdeefghhijklmnopqrstuvwxyyz"),
    ("ΑΒΕϜΗΙϿΚΜΝΟΡϹΤΥΧΖ", "ABEFHIJKMNOPCTYXZ"),  # Greek
    ("αβϲδεϝηιϳκνοσρςτυχγωµμζ", "abcdefnijkvoopstuxywuuz"),
    ("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz"),  # small capitals
    ("ɑɡıȷłøđ", "agijlod"),  # Latin letters that NFKD leaves whole
)
_LATIN = {ord(letter): latin for letters, latins in _ALIKE for letter, latin in zip(letters, latins, strict=True)}
_NOTHING = frozenset({"Cf", "Mn", "Me"})
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that show as nothing or as a space."""
_JOINED = re.compile(r"(?<=[^\W_])[-\u2010\u2011\u2212_]+(?=[^\W_])")


def fold(text: str) -> str:
    """The text in Latin letters as far as its letters look like some, and words joined by "_" however they are."""
    if not text.isascii():
        plain = "".join(character for character in text if character not in _BLANK)
        plain = unicodedata.normalize("NFKD", plain).translate(_LATIN)
        text = "".join(character for character in plain if unicodedata.category(character) not in _NOTHING)
    return _JOINED.sub("_", text.replace("\\_", "_"))
