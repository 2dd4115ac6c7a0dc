"""More words of answers that say that no picture was received: what is denied, and of what.

English is read with its contractions written out: "isn't" is "is not". A sentence counts if it denies that a
picture is there, was received or can be seen, or asks for one; what a picture does not show does not count.
"""

import re

_PICTURE = (
    r"(?:images?|pictures?|photo(?:graph)?s?|visuals?|attachments?|screenshots?"
    r"|visual\s(?:content|input|information|data))"
)
_OF = r"(?:\s(?:link|url|file|data|content|input|attachment|placeholder))?"
_THE = r"(?:(?:the|an?|any|this|that|your|these|those|such|actual|attached|provided|with|to|external)\s){0,4}"
_ENDS = r"(?=\s?(?:[.,;:!?)\]\n]|\Z))"
_MESSAGE = r"(?:message|prompt|input|request|conversation|chat|question|task|query)"
_HERE = (
    rf"(?:{_ENDS}|(?=\s(?:here|so|and|but|to\s(?:me|us|view|judge|evaluate|look|assess|rate|see|grade|process|analy[sz]e)|for\sme|on\smy\s(?:end|side)|attached|provided|included|uploaded|available"
    rf"|present|(?:from|in|with|to)\s(?:your|this|the|our)\s{_MESSAGE})\b))"
)
_SHOWN = (
    r"(?!-|\s(?:of|with|where|which|that|showing|depicting|about|for|in\sthe|clearly|quality|as|being|having"
    r"|match\w*|fit\w*|contain\w*|caption\w*|to\s(?:be|have|show|match|contain))\b|'s\b)"
)
_GET = (
    r"(?:see|view|access|open|load|receiv(?:e|ed)|process|analy[sz]e|inspect|interpret|examine|perceive|given|get|got"
    r"|look(?:ing)?\sat|includ(?:e|ed)|attach(?:ed)?|provid(?:e|ed)|upload(?:ed)?|shar(?:e|ed)|sen[dt]|seeing|shown"
    r"|f(?:i|ou)nd|viewing|loading|opening|accessing)"
)
_GIVEN = (
    r"(?:provided|attached|included|received|supplied|uploaded|available|loaded|shared|sent|given|found|detected"
    r"|recogni[sz]ed|present|accessible|transmitted|embedded)"
)
_LOST = (
    r"(?:missing|unavailable|inaccessible|broken|empty|corrupted|unreadable|invalid"
    rf"|not\s(?:\w{{1,12}}ly\s)?(?:been\s)?(?:{_GIVEN}|visible|there|loading|showing(?:\sup)?|displaying|displayed"
    r"|supported|opening))"
)
_ENGLISH = (
    # Somebody does not get a picture
    r"(?:\b(?:i|we|you|and|so|but|as|because)|(?:\A|[.;:!?\n]\s?)(?=(?:can|could)\snot|unable|not\sable))"
    r"\s?(?:\w{1,14}\s){0,3}(?:not|unable|never|trouble|difficult\w{1,3}|problems?)\s(?:\w{1,10}\s){0,2}"
    rf"{_GET}\s(?:(?:or|and)\s{_GET}\s)?{_THE}(?:(?:links?|urls?|websites?|files?)\s(?:or|and)\s)?{_PICTURE}\b{_SHOWN}"
    r"|\bno\s(?:\w{1,12}\s)?(?:way|means|ability|capability|capacity|access)\s(?:to|of|for)\s(?:\w{1,10}\s){0,2}"
    rf"{_THE}{_PICTURE}\b{_SHOWN}"
    r"|\b(?:no|not\shave|lack|without)\s(?:any\s|direct\s)?(?:vision(?=\s?,)|(?:vision|visual|image|multimodal)[-\s]"
    r"(?:processing\s)?(?:capabilit\w{1,3}|abilit\w{1,3}|support|access|input)\b)"
    rf"|\bi\s(?:have|see|received|got)\sno\s(?:actual\s)?{_PICTURE}{_HERE}"
    # There is none
    r"|\bthere\s(?:is|was|are|were|does|do|did|seems?|appears?)\s(?:to\s(?:be|have\sbeen)\s)?(?:no|not)"
    rf"(?:\s(?:seem|appear|to|be|been|have|any|an?|actual|actually|currently)){{0,6}}\s{_PICTURE}{_OF}{_HERE}"
    rf"|(?:\A|[\n.!?;:([]\s?)no\s(?:actual\s)?{_PICTURE}{_OF}{_ENDS}"
    rf"|\bno\s(?:actual\s|visual\s)?{_PICTURE}{_OF}\s(?:(?:was|is|were|are|has\sbeen)\s)?{_GIVEN}\b(?!\sin\s(?:the|this)\s{_PICTURE})"
    rf"|\b{_PICTURE}{_OF}\s?:\s?(?:not\s\w{{1,12}}|(?:none|missing|unavailable|n/a|null){_ENDS})"
    rf"|\b{_PICTURE}{_OF}\s(?:{_LOST}){_ENDS}"
    rf"|\bwithout\s(?:an?|the|any|seeing\s(?:the|an?))\s(?:actual\s)?{_PICTURE}(?:\s?,)?\s(?:i|it|we|there)\b"
    rf"|\bwhere\s(?:the|an?)\s{_PICTURE}\s(?:should|would|ought)\b"
    rf"|\b(?:blank|empty|nothing|placeholder|error|link)\s(?:\w{{1,10}}\s)?instead\sof\s(?:an?|the)\s{_PICTURE}\b"
    rf"|\b(?:link|url|{_MESSAGE}|file|html)\s(?:does|do|did)\snot\s(?:contain|include|have|load|lead\sto|point\sto)"
    rf"\s(?:any|an?|the)\s{_PICTURE}\b"
    # The picture did not come
    r"|(?:\A|[\n.!?;:,(]\s?|(?<!\bin\s)(?<!\bof\s)(?<!\bon\s)(?<!\bby\s)(?<!\bfrom\s)(?<!\bwith\s)"
    rf"\b(?:the|your|this|an?|any|as|since|because|it\sis)\s)(?:attached\s|actual\s|provided\s)?{_PICTURE}{_OF}\s"
    r"(?:(?:that\s|which\s)?(?:you|i)\s(?:\w{1,14}\s){1,3})?"
    r"(?:(?:(?:is|are|was|were|has|have|seems?(?:\sto\sbe)?|appears?(?:\sto\sbe)?|remains?)\s(?:\w{1,12}ly\s)?"
    rf"{_LOST}|(?:did|does|will|do)\snot\s(?:\w{{1,12}}ly\s)?(?:load|show(?:\sup)?|display|open|appear(?!\sto)|come\sthrough"
    rf"|upload)(?:\sproperly|\scorrectly)?|failed\sto\s(?:load|upload|open|display)){_HERE}"
    r"|(?:could|can)\snot\sbe\s(?:loaded|opened|displayed|viewed|accessed|retrieved|rendered|processed|found|fetched"
    r"|read)(?!\s(?:to|as|by|without|in)\b))"
    # A picture is asked for, or only text came
    r"|\b(?:please|(?:could|can|would)\syou|if\syou|once\syou)\s(?:\w{1,10}\s)?(?:provide|upload|attach|share|send"
    rf"|resend|re-?upload|supply|include)\s{_THE}{_PICTURE}\b{_SHOWN}"
    r"|\bi\s(?:only\s(?:have|received|got|was\s(?:given|sent))|(?:have|received|got)\sonly)\s(?:access\sto\s)?"
    r"(?:the\s|a\s)?(?:text|caption|title|description|metadata)\b"
    r"|\bonly\s(?:see\s)?(?:the\s)?text(?:ual)?(?:\s(?:prompt|description|query))?\s?(?:(?:was|is)\s(?:provided|given|sent)"
    rf"|(?<=prompt){_ENDS})"
    r"|\bi\sam\s(?:(?:just|only|merely|purely|an?)\s){0,3}(?:text[-\s](?:based|only)|(?:text|language)\s(?:model|ai))\b"
)
_LATIN = (
    # German, French, Spanish, Italian, Portuguese, Dutch, Russian
    r"|\bkann\s(?:ich\s)?(?:leider\s)?(?:das\s|die\s)?(?:kein\w{0,2}\s)?(?:bild(?:er)?|fotos?)\s(?:leider\s)?(?:nicht\s)?"
    r"(?:sehen|anzeigen|öffnen|laden|erkennen)"
    r"|\bkein\w{0,2}\s(?:bild(?:er)?|fotos?)\s(?:\w{1,12}\s)?(?:vorhanden|erhalten|sehen|verfügbar|bereitgestellt|gesendet"
    r"|hochgeladen|beigefügt|angehängt|übermittelt|mitgeliefert|vor)\b"
    r"|(?<!\bim\s)\b(?:das|dein|ihr|ein)\s(?:bild|foto)\s(?:\w{1,7}\s)?nicht\s(?:mitgeliefert|übermittelt|vorhanden"
    r"|verfügbar|geladen|angezeigt|zugänglich|beigefügt|bereitgestellt|angehängt|hochgeladen)\b"
    r"|\bl'image\s(?:\w{1,9}\s)?n'(?:a|est)\s(?:pas|jamais)\s(?:été\s)?(?:fournie|jointe|reçue|transmise|accessible"
    r"|disponible|chargée|visible)|\bje\sne\s(?:vois|reçois)\spas\s(?:d'|l'|de\sl')image(?!\s(?:comme|de|d')\b)"
    r"|\b(?:il\sn'y\sa|je\sn'ai)\s(?:pas|aucune)\s(?:reçu\s)?(?:d')?image(?=\s?[.,;:!\n]|\Z)"
    r"|\bno\s(?:puedo\s)?(?:veo|ver|visualizar|acceder\sa)\s(?:la\simagen|las\simágenes|imágenes|ninguna\simagen)(?!\scomo)"
    r"|\bno\s(?:hay|tengo|recibí|se\s\w{1,14}|ha\s\w{1,14}|fue\s\w{1,14})\s(?:ninguna\s)imagen"
    r"|\bla\simagen\sno\s(?:está\sdisponible|fue\s\w{4,12}|se\s(?:cargó|adjuntó|proporcionó|pudo))"
    r"|\bnessuna\simmagine\s(?:è\s)?(?:stata\s)?(?:fornita|allegata|ricevuta|disponibile)"
    r"|\bnenhuma\simagem\s(?:foi\s)?(?:fornecida|anexada|recebida|enviada|disponível)|\ba\simagem\snão\sfoi\s\w{4,12}"
    r"|\bgeen\s(?:afbeelding(?:en)?|foto)\s(?:ontvangen|bijgevoegd|beschikbaar|meegestuurd)"
    r"|\b(?:изображени[ея]|картинка|фото(?:графия)?)\s(?:\w{1,9}\s)?не\s(?:был[ао]?\s)?(?:предоставлен|загру|приложен"
    r"|прикреплен|отправлен|доступн|получен)|\bне\s(?:могу|вижу)\s(?:\w{1,14}\s)?(?:изображени[ея]|картинк[уи]|фото)"
    r"(?=\s?[.,;:!\n]|\Z)|\bнет\s(?:изображения|картинки|фото)(?=\s?[.,;:!\n]|\Z)"
)
_OTHER = (
    # Chinese, Japanese, Korean, Arabic, Hindi
    r"(?:看不到|看不见|看不見|沒看到|没看到|没有看到|没收到|没有收到|未收到|未提供|未附)(?:任何|这张|該|该|您的|此)?"
    r"(?:图片|圖片|图像|圖像|照片)(?!中|里|裡|上)|(?:没有|沒有)(?:任何)?(?:图片|圖片|图像|圖像|照片)(?=\s?[。，,.!！\n]|\s?\Z)"
    r"|(?:图片|圖片|图像|圖像)(?:缺失|不可用|丢失|打不开|加载失败|未附)"
    r"|画像が(?:ない|届いて|付いて|なし)|画像を(?:見る|確認する|表示する|開く)ことができ(?:ません|ない)"
    r"|이미지(?:가|는|를)\s?(?:없|보이지\s?않|받지\s?못|첨부되어\s?있지\s?않)"
    r"|(?:لم|لا)\s(?:يتم\s|أر\s|أرى\s|توجد\s|يوجد\s|أستلم\s)?(?:توفير\s|إرفاق\s|إرسال\s|تقديم\s|استلام\s)?(?:أي\s)?(?:ال)?صور"
    r"|(?:छवि|चित्र|तस्वीर)\s(?:नहीं\s(?:दी|मिली|देख)|उपलब्ध\sनहीं|प्रदान\sनहीं)"
)

_NO_PICTURE = re.compile(f"{_ENGLISH}{_LATIN}|{_OTHER}", re.IGNORECASE)
_NOT = re.compile(r"\b(can)(?:not|'t)\b|n't\b|\b(there|it)'s\b|(?<=\bi)'(m|ve)\b", re.IGNORECASE)
# "The picture was not provided by the archive" speaks of a picture that is there.
OF_THE_PICTURE = re.compile(r"\s(?:by\b|to\sinterpret|with\sa\b)", re.IGNORECASE)


def lacks_picture(plain: str) -> bool:
    """Return whether a text in one's own words says that no picture was received."""
    text = _NOT.sub(_written_out, plain)
    return any(not OF_THE_PICTURE.match(text, match.end()) for match in _NO_PICTURE.finditer(text))


def _written_out(short: re.Match[str]) -> str:
    if short[1]:
        return f"{short[1]} not"
    if short[2]:
        return f"{short[2]} is"
    return {"m": " am", "ve": " have"}.get((short[3] or "").lower(), " not")
