"""Sentences of the encyclopedia that do not depend on the aspect of a section."""

GENUS = {
    "building": "a structure raised by people for shelter, worship, trade or defence",
    "plant": "a living organism that grows in soil and forms part of the flora",
    "vehicle": "a machine made to carry people or goods from one place to another",
    "animal": "a living creature that moves, feeds and breeds",
    "object": "an artefact made by hand or machine for use, display or ceremony",
    "landform": "a natural feature of the surface of the earth",
}
FACTS = {
    "building": (
        "Stone, brick and timber are the usual materials, and the plan has changed little over time.",
        "Repair is costly, and many examples are protected by law.",
        "Early examples are known from written records rather than from remains.",
    ),
    "plant": (
        "It reproduces every year when conditions allow, and its range has widened with trade.",
        "Gardeners value it, although it can spread where it is not wanted.",
        "Botanists describe several varieties, which differ in size and in the shape of their parts.",
    ),
    "vehicle": (
        "The first working models were slow and unreliable, and improvements came with better materials.",
        "Manufacture became an important industry and employed many thousands.",
        "Clubs and museums keep old examples in running order.",
    ),
    "animal": (
        "It feeds mainly in the early hours and rests for the remainder of the day.",
        "The young are independent after a few weeks.",
        "Populations are counted each year by volunteers, and trends differ between regions.",
    ),
    "object": (
        "Makers signed their work from an early date, and collectors pay high prices for signed pieces.",
        "It appears in folklore, in heraldry and in the names of inns.",
        "Methods of manufacture were handed down within families.",
    ),
    "landform": (
        "Geologists study it to learn about the interior of the planet.",
        "Settlements nearby profit from fertile soil but accept some danger.",
        "It changes slowly, with rare and sudden interruptions.",
    ),
}
SCHOLARSHIP = (
    "Scholars disagree about its origin, and several competing accounts are found in the literature.",
    "The word has been used in its present sense since the middle of the seventeenth century.",
    "Its cultural meaning has been treated by poets, painters and historians.",
)
LEADS = (
    "The subject was first treated at length in the nineteenth century, when travellers wrote of it.",
    "Records from this period are incomplete, and later writers had to rely on indirect evidence.",
    "Opinion on this point has changed more than once.",
    "A number of surveys were made between the two wars, and their results were published only much later.",
    "Local societies have taken an interest in the matter and hold regular meetings.",
)
PLAIN_TITLES = (
    "History",
    "Overview",
    "Distribution",
    "Notable examples",
    "Description",
    "Significance",
    "Development",
    "Background",
)
CHAPTERS = ("General", "Types", "Culture", "Uses")
CLOSING = "Further details are given in the works listed below."
