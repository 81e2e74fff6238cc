"""Who further portraits may show: representatives who were never senators or governors and aren't held out."""

import json
import re
import unicodedata
from collections import defaultdict
from pathlib import Path

from pictures.left_out import LEFT_OUT

Name = tuple[str, str]
"""Surname and first given name, letters only."""


def letters(text: str) -> str:
    return re.sub("[^a-z]", "", unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower())


def member_name(text: str) -> Name:
    """Of voteview's form SURNAME, Given Names."""
    surname, _, given = text.partition(",")
    return letters(surname), letters(given.strip().split(" ")[0])


class Members:
    """Members of Congress by their ID in the Biographical Directory.

    `database` is voteview's database-raw.json (every member of every congress), `current` legislators-current.json of
    congress-legislators, `house` us-house.json and `split` what portraits.py wrote: the split of the first portraits.
    """

    def __init__(self, database: Path, current: Path, house: Path, split: Path):
        self.ids: dict[int, str] = {}
        """By ICPSR number, which names voteview's portraits."""
        self._names: dict[str, set[Name]] = defaultdict(set)
        self._chambers: dict[str, set[str]] = defaultdict(set)
        for row in json.loads(database.read_text()):
            key = row.get("bioguide_id") or f"icpsr-{row['icpsr']}"
            self.ids[int(row["icpsr"])] = key
            self._names[key].add(member_name(row["bioname"]))
            self._chambers[key].add(row["chamber"])
        for person in json.loads(current.read_text()):
            key, name = person["id"]["bioguide"], person["name"]
            givens = [name["first"], *([name["nickname"]] if name.get("nickname") else [])]
            self._names[key] |= {(letters(name["last"]), letters(given.split(" ")[0])) for given in givens}
            self._chambers[key] |= {"Senate" if term["type"] == "sen" else "House" for term in person["terms"]}
        self._others = {name for key, held in self._chambers.items() if held - {"House"} for name in self._names[key]}
        self._spare(json.loads(house.read_text()), json.loads(split.read_text()))

    def _spare(self, house: list[dict], people: list[dict]) -> None:
        described = {person["name_slug"]: person for person in house}
        spared = [p["name"] for i, p in enumerate(people) if p["excluded"] or i % 12 == 0]
        self._spared_ids = {described[slug]["bioguide"] for slug in spared if slug in described}
        self._spared_names = {(letters(slug.split("-", 1)[-1]), letters(slug.split("-")[0])) for slug in spared}
        self._spared_names |= {(letters(slug.split("-")[-1]), letters(slug.split("-")[0])) for slug in spared}
        # A surname with the same initial is left out too: given names differ between the sources.
        self._spared_initials = {(surname, given[:1]) for surname, given in self._spared_names}

    def may_be_used(self, key: str) -> bool:
        names = self._names[key]
        return (
            bool(names)
            and not self._chambers[key] - {"House"}
            and not names & self._others
            and not {f"{surname} {given}" for surname, given in names} & LEFT_OUT
            and key not in self._spared_ids
            and not {(surname, given[:1]) for surname, given in names} & self._spared_initials
        )
