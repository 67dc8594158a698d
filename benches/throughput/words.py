"""Sentences and lines of code that made documents are put together from; which, a random.Random decides."""

THINGS = (
    "parser cache window request session table token index build server queue report header column folder "
    "router schema worker branch commit cursor editor filter handle record buffer client socket thread"
).split()
DEEDS = "read write open close move merge split check parse load store send fetch sort drop keep find count".split()
SENTENCES = (
    "The {a} goes wrong where a {b} ends too soon: `{f}` takes it for a part of the {c} before it.",
    "I would {d} the {a} first, and only then look at the {b}.",
    "There are two ways to mend it; one is to {d} each {a}, the other is to refuse such a {b} with a message.",
    "The tests do not see it, as all of their files were written before the *{a}* had a {b}.",
    "In short: the **{a}** is fine, the {b} is not, and nobody asks the {c}.",
    "See `src/{a}/{b}.rs`, where `{f}` is called for every {c} ({n} times in this run).",
    "That costs {n} ms for each {a}, which is more than the whole {b} took before.",
    "If you would rather keep the {a}, say so, and I only {d} the {b}.",
    "“{a}” and “{b}” are two names for one thing, and that is how it came about.",
)
CODE = (
    "    let {a}_{n} = {b}.{d}(\"{c}\").unwrap_or_default();",
    "    if {a}.is_empty() {{ return Err(Error::{d}({n})); }}",
    "    for {a} in {b}s.iter().filter(|{a}| {a}.{c} > {n}) {{",
    "        {b}.{d}({a}, &mut {c})?;",
    "    }}",
    "    // A {a} without a {b} is none: {d} it again.",
    "    const {{ {a}, {b} }} = await {d}({{ {c}: {n} }});",
    "    self.{a}[{n}] = {b}.{d}_{c}(key='{a}', n={n})",
)


class Words:
    """What is said, by one source of chance."""

    def __init__(self, chance):
        self.chance = chance

    def thing(self):
        return self.chance.choice(THINGS)

    def name(self):
        return f"{self.chance.choice(DEEDS)}_{self.chance.choice(THINGS)}"

    def path(self, end="rs"):
        return f"src/{self.thing()}/{self.name()}.{end}"

    def filled(self, template):
        choice = self.chance.choice
        return template.format(
            a=choice(THINGS), b=choice(THINGS), c=choice(THINGS), d=choice(DEEDS), f=self.name(),
            n=self.chance.randrange(1000),
        )

    def sentence(self):
        return self.filled(self.chance.choice(SENTENCES))

    def paragraph(self, sentences=None):
        return " ".join(self.sentence() for _ in range(sentences or self.chance.randint(2, 6)))

    def code(self, lines):
        return "".join(self.filled(self.chance.choice(CODE)) + "\n" for _ in range(lines))
