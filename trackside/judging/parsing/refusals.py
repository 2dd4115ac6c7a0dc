"""Words of answers that give no verdict: refusals, and that no picture was received."""

import re

from trackside.judging.parsing.absence import OF_THE_PICTURE, lacks_picture
from trackside.judging.parsing.completions import BLANKS

REFUSAL = re.compile(
    r"\b(?:i(?:'m|\sam)\s(?:very\s|so\s)?(?:sorry|unable|not\sable)|i\s(?:can\s?not|can't|won't|will\snot)"
    r"|i\s(?:must|have\sto)\sdecline|unable\sto\s(?:assist|help|comply|process|view|provide|rate)"
    r"|as\san\sai\b|(?:cannot|can't)\s(?:assist|help|comply|fulfil))",
    re.IGNORECASE,
)

# Quotations are what others say. A quotation mark touches a word inside and none outside: "can't" has none.
_QUOTATIONS = re.compile(
    r"“[^”]{0,400}”|„[^“”]{0,400}[“”]|«[^»]{0,400}»|‹[^›]{0,400}›|「[^」]{0,400}」|『[^』]{0,400}』"
    r"|\"[^\"\n]{0,400}\"|`[^`\n]{0,400}`|‘[^’\n]{0,400}’(?!\w)|(?<!\w)'[^'\n]{0,400}'(?!\w)"
    r"|^\s{0,3}>[^\n]*",
    re.MULTILINE,
)
_OBJECT = re.compile(r"\{[^{}]{0,10000}\}")
_JSON_QUOTES = re.compile(r"(?<=[{\[,:\s])[\"'](?!\s?[,:}\]])|(?<!\\)[\"'](?=\s{0,9}[}\],:])")

_PICTURE = r"(?:images?|pictures?|photo(?:graph)?s?|visuals?|attachments?|screenshots?)"
_WHICH = (
    r"(?:(?:the|an?|any|this|that|your|these|those|such|of|actual|attached|provided|supplied"
    r"|uploaded)\s){0,3}"
)
# "I do not see a picture of a lock" and "no image that shows it" speak about what a picture shows.
_SHOWN = (
    r"(?!\s(?:of|with|where|which|that|showing|depicting|about|for|in\sthe|clearly|quality|as|being|having"
    r"|match\w*|fit\w*|contain\w*|to\s(?:be|have|show|match|contain))\b|'s\b)"
)
_ENDS = r"(?=\s?[.,;:!?)\n]|\s?\Z)"
_ACT = (
    r"(?:see|view|access|open|load|receive|process|analy[sz]e|inspect|interpret|examine|look\sat|perceive"
    r"|display|read|evaluate|assess)"
)
_SEE = rf"{_ACT}(?:\s(?:or|and)\s{_ACT})?"
_NOT = (
    r"(?:can\s?not|can't|could\snot|couldn't|(?:do|did)\snot|don't|didn't"
    r"|(?:am|was)\s(?:not\sable|unable)\sto)"
)
_UNABLE = r"(?:unable\sto|not\sable\sto|not\sequipped\sto|ability\sto|capability\sto|capable\sof)"
_LACKS = (
    r"(?:(?:do|did)\snot|don't|didn't|can\s?not|can't)\s(?:currently\s|actually\s)?have\s(?:any\s|direct\s)?"
)
_GONE = (
    r"(?:(?:is|was|were|are|has|have)(?:n't|\snot)\s(?:been\s)?(?:(?:provided|attached|received|supplied|uploaded"
    r"|loaded|shared|sent|supported)\b|(?:included|available|accessible|visible|given|displayed|there)"
    rf"{_ENDS})|(?:is|was|are|were)\smissing{_ENDS}|(?:(?:did\snot|didn't|failed\sto|could\snot\sbe|couldn't\sbe"
    r"|cannot\sbe|can't\sbe)\s(?:load|come\sthrough|upload|display|opened|loaded|viewed|accessed|rendered)))"
)
_GIVEN = (
    r"(?:(?:was|is|has\sbeen|were|are)\s)?(?:actually\s)?(?:provided|attached|included|received|supplied"
    r"|uploaded|available|visible|loaded|shared|sent|given|accessible|to\s(?:view|evaluate|judge|assess))"
)
_NO_PICTURE = re.compile(
    rf"\bi\s(?:still\s)?{_NOT}\s(?:currently\s|actually\s|directly\s|yet\s)?{_SEE}\s{_WHICH}{_PICTURE}\b{_SHOWN}"
    rf"|\b{_UNABLE}\s(?:directly\s)?{_SEE}\s{_WHICH}{_PICTURE}\b{_SHOWN}"
    rf"|\b(?:no|without\s(?:an?|the|any))\s(?:actual\s)?{_PICTURE}\s{_GIVEN}\b"
    rf"|\bthere\s(?:is|was|are|were)\sno\s(?:actual\s)?{_PICTURE}(?:{_ENDS}|(?=\s(?:here|to|so|attached)\b))"
    rf"|\bi\s(?:see|have|received|got)\sno\s(?:actual\s)?{_PICTURE}(?:{_ENDS}|(?=\s(?:here|to|so|attached)\b))"
    # "the lock in the picture is not visible" speaks about the lock
    rf"|(?<!\bin\s)(?<!\bof\s)(?<!\bon\s)(?<!\bby\s)(?<!\bfrom\s)(?<!\bwith\s)"
    rf"\b(?:the|your|this|an?)\s(?:attached\s)?{_PICTURE}\s{_GONE}"
    rf"|\b{_PICTURE}\s(?:not\s(?:provided|available|attached|received|found|supplied|loaded)|missing|unavailable)"
    rf"{_ENDS}|\bwithout\s(?:access\sto|(?:being\sable\sto\s)?see(?:ing)?|viewing)\s{_WHICH}{_PICTURE}\b{_SHOWN}"
    rf"|\b{_LACKS}(?:access\sto|the\s(?:ability|capability)\sto\s{_SEE})\s{_WHICH}{_PICTURE}\b{_SHOWN}"
    rf"|\black\s(?:access\sto|the\s(?:ability|capability)\sto\s{_SEE})\s{_WHICH}{_PICTURE}\b{_SHOWN}"
    rf"|\bplease\s(?:provide|upload|attach|share|send|resend)\s{_WHICH}{_PICTURE}\b{_SHOWN}"
    r"|\bi(?:'m|\sam)\s(?:only\s)?an?\s(?:purely\s)?text[-\s](?:based|only)\b"
    rf"|\bas\san?\stext[-\s](?:based|only)\s(?:ai|model|language|assistant)"
    # German, French, Spanish, Italian, Portuguese, Dutch
    r"|\bkann\s(?:leider\s)?(?:das|die|keine?)\s(?:bild(?:er)?|fotos?)\s(?:nicht\s)?(?:sehen|anzeigen|öffnen)"
    r"|\b(?:es\swurde\s)?kein\s(?:bild|foto)\s(?:wurde\s)?(?:übermittelt|angehängt|erhalten|bereitgestellt"
    r"|vorhanden|mitgeliefert|empfangen|beigefügt)"
    r"|\bje\sne\s(?:peux|vois)\s(?:pas\s)?(?:voir\s|afficher\s|ouvrir\s)?(?:l'image|d'images?|d'image|les\simages|aucune\simage)"
    r"|\baucune\s(?:image|photo)\s(?:n'a\sété\s|n'est\s)?(?:fournie|jointe|reçue|visible)"
    r"|\bno\spuedo\sver\s(?:la\simagen|imágenes|las\simágenes|ninguna\simagen)"
    r"|\bno\s(?:se\s)?(?:ha\s|he\s)?(?:proporcionado|recibido|adjuntado|proporcionó|adjuntó)\s(?:ninguna|la|una)\simagen"
    r"|\bnon\s(?:posso|riesco\sa)\s(?:vedere|visualizzare)\s(?:l'immagine|le\simmagini|immagini)"
    r"|\bnão\s(?:consigo|posso)\s(?:ver|visualizar)\s(?:a\simagem|imagens|as\simagens)"
    r"|\bik\skan\s(?:de\safbeelding|geen\safbeeldingen|het\sbeeld)\s(?:niet\s)?(?:zien|bekijken)"
    # Chinese, Japanese, Korean, Russian, Arabic
    r"|(?:无法|不能|無法|没有|沒有|未能?)(?:直接)?(?:查看|看到|看見|访问|訪問|打开|收到|提供|接收|读取)"
    r"(?:到)?(?:任何|这张|該|该|您的|此)?(?:图片|圖片|图像|圖像|照片)"
    r"|(?:图片|图像|圖片|圖像)(?:没有|未|未能|无法|無法)(?:提供|上传|加载|显示|載入|收到)"
    r"|画像(?:が|を|は)(?:提供|添付|受信|確認|表示|見|閲覧)[^\n。]{0,8}(?:ません|ない|できな)|画像(?:が|は)ありません"
    r"|이미지(?:를|가)\s?(?:볼\s?수\s?없|제공되지|첨부되지|확인할\s?수\s?없)"
    r"|не\s(?:могу|вижу)\s(?:увидеть\s|просмотреть\s|открыть\s)?(?:изображени[ея]|картинк[уи]|фото)"
    r"|لا\s(?:أستطيع|يمكنني)\s(?:رؤية|عرض)\s(?:ال)?صور",
    re.IGNORECASE,
)


# "I cannot judge this. Grade: 0" has a grade by default; "I cannot judge whether the lock is open" goes on.
_DECLINES = re.compile(
    r"\b(?:can\s?not|can't|won't|unable\sto|refuse\sto|decline\sto)\s(?:assist|help|comply|judge|determine|evaluate"
    r"|assess|grade|rate)(?:\swith)?(?:\s(?:this|that|it|the)(?:\s(?:pair|request|grade|relevance|image|picture))?)?"
    rf"{_ENDS}",
    re.IGNORECASE,
)


def declines(text: str) -> bool:
    """Return whether an answer says, outside quotations, that its model does not judge the pair."""
    return _DECLINES.search(_own_words(text)) is not None


def _own_words(text: str) -> str:
    own = _OBJECT.sub(lambda match: _JSON_QUOTES.sub(" ", match[0]), text)
    words = _QUOTATIONS.sub(" ", own).replace("’", "'").replace("*", "")
    return BLANKS.sub(lambda run: "\n" if "\n" in run[0] else " ", words)


def says_no_picture(text: str, *, revision: int) -> bool:
    """Return whether an answer says, outside quotations, that its model received no picture.

    "I cannot see any lock in the picture" does not. Strings of a JSON object are the model's own words.
    Judges of revision 4 know fewer words.
    """
    plain = _own_words(text)
    if revision == 4:
        return _NO_PICTURE.search(plain) is not None
    plain = plain.replace("}", ".")  # the end of a string in JSON
    found = _NO_PICTURE.finditer(plain)
    return any(not OF_THE_PICTURE.match(plain, match.end()) for match in found) or lacks_picture(plain)
