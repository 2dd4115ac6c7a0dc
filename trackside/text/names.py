"""Look-alike names and invisible characters."""

import re
import unicodedata

from trackside.errors import InputError

TAG_MAX = 50  # characters of a run's tag; trec_eval and related tools cut longer ones

# Invisible characters: controls, soft hyphen, zero-width and bidi characters, fillers,
# variation selectors, tags, private use. Source: Unicode 15, Default_Ignorable_Code_Point, Cc, Cf, Co, Zl and
# Zp. The same text is a regular expression of Python and of PostgreSQL.
HIDDEN = (
    r"[\u0001-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F-\u1160\u17B4-\u17B5\u180B-\u180F\u200B-\u200F"
    r"\u2028-\u202E\u2060-\u206F\u2800\u3164\uE000-\uF8FF\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB"
    r"\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF\U000F0000-\U0010FFFD]"
)
# Code points that Unicode never assigns: most fonts show nothing for them.
_NONCHARACTERS = "\ufdd0-\ufdef" + "".join(
    chr(plane * 0x10000 + 0xFFFE) + chr(plane * 0x10000 + 0xFFFF) for plane in range(17)
)
_HIDDEN = re.compile(f"{HIDDEN.removesuffix(']')}{_NONCHARACTERS}]")

# Letters and digits of other scripts that look like an ASCII one in either case, after NFKC and casefolding.
# Source: confusables.txt of Unicode Technical Standard 39.
LOOK_ALIKES = {
    "a": "ɑαаᎪᗅꓮ𐊠𖽀",
    "b": "ƅβвьᏏᏴᑲᖯᗷꓐꞵ𐊂𐊡𐌁",
    "c": "сᏟᴄⲥꓚ𐊢𐌂𐐽𐔜𑣩𑣲",
    "d": "ԁᎠᏧᑯᗞᗪꓒꓓ",
    "e": "εеҽᎬⴹꓰꬲ𐊆𑣆𑣎",
    "f": "ϝքᖴẝꓝꞙꬵ𐊇𐊥𐔥𑣂",
    "g": "ƍɡԍցᏀᏳᶃꓖ",
    "h": "ηнһհᎻᏂᕼⲏꓧ𐋏",
    "i": "ıɩɪιіӏᎥꙇ𑣃",
    "j": "ʝϳјᎫᒍꓙ",
    "k": "κкᏦᛕⲕꓗ𐔘",
    "l": "ǀ۱Ꮮᒪᛁⲓⳑⵏꓡꓲ𐊊𐌉𐌠𐑃𐔦𑣒𖼖𖼨",
    "m": "μϻмᎷᗰᛖⲙꓟ𐊰𐌑",
    "n": "ոռⲛꓠ𐔓",
    "o": "οσоօ۵०০੦૦ଠ୦௦౦೦ഠ൦๐໐ဝ၀ჿዐᴏᴑⲟⵔ〇ꓳꬽ𐊒𐊫𐐬𐓪𐔖𑓐𑣈𑣕𑣗𑣠",
    "p": "ρрᏢᑭⲣꓑ𐊕",
    "q": "ԛգզⵕ",
    "r": "ʀгᎡᎱᏒᖇᴦⲅꓣꭇꭈ𐓜𖼵",
    "s": "ƽѕտᏕᏚꓢꜱ𐊖𐑈𑣁𖼺",
    "t": "τтᎢⲧꓔ𐊗𐊱𐌕𑣜𖼊",
    "u": "ʋυսሀᑌᴜꓴꞟꭎꭒ𐓶𑣘𖽂",
    "v": "νѵ۷Ꮩᐯᴠⴸꓦꛟ𐔝𑜆𑣀𖼈",
    "w": "ɯѡԝաᎳᏔᴡꓪ𑜊𑜎𑜏𑣦𑣯",
    "x": "χхᕁᕽᚷⲭⵝꓫꭓ𐊐𐊴𐌗𐌢𐔧𑣬",
    "y": "ɣʏγуүყᎩᎽᶌỿⲩꓬꭚ𐊲𑣄𖽃",
    "z": "ζᏃᴢꓜ𐋵𑣉𑣥",
    "2": "ƨϩᒿꙅꛯꝛ",
    "3": "ȝɜʒзӡⳍꝫ𑣊𖼻",
    "4": "Ꮞ𑣏",
    "5": "𑣛",
    "6": "бᏮⳓ",
    "7": "𐓺",
    "8": "ȣ৪੪𐌚",
    "9": "৭੧୨൭ⳋꝯ𑣌𑣖",
}
_SKELETON = str.maketrans({character: base for base, others in LOOK_ALIKES.items() for character in others})
_ALIKE_IN_ASCII = str.maketrans({"0": "o", "1": "l", "i": "l"})
_ALIKE_AS_PAIRS = (("rn", "m"), ("vv", "w"))


def folded(name: str) -> str:
    """Return the comparison key of a name: look-alike names have equal keys.

    Steps: NFKC, casefolding, one blank for any white space, the ASCII letter for its look-alikes. Never
    display the key.
    """
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    text = " ".join(_HIDDEN.sub("", text).split()).translate(_SKELETON).translate(_ALIKE_IN_ASCII)
    for pair, letter in _ALIKE_AS_PAIRS:
        text = text.replace(pair, letter)
    return text


def is_blank(text: str) -> bool:
    """Return whether the text has only white space and invisible characters."""
    return not _HIDDEN.sub("", text).strip()


def check_visible(name: str) -> str:
    """Return the name. Raises hidden-character with the position of the first invisible character."""
    if match := _HIDDEN.search(name):
        code_point = f"U+{ord(match[0]):04X} {unicodedata.name(match[0], '')}".strip()
        raise InputError(
            f"Character {match.start() + 1} of the name is invisible ({code_point}). "
            "Type the name again without it.",
            code="hidden-character",
        )
    return name
