"""Patches of portraits at many scales, degraded and sharp, for a network that takes pictures of any size.

`python3 -m pictures.patches --portraits FOLDER --out DIRECTORY` cuts the faces with their surroundings out of portraits, once.
"""

import argparse
import math
from pathlib import Path
from typing import Iterator

import numpy as np
import torch
from PIL import Image
from PIL.Image import Resampling
from torch.utils.data import get_worker_info, IterableDataset

from data import BENCH_SHARE, HELD_OUT_EVERY, to_tensor, vary_color
from pictures.degrade import degrade_fixed, degrade_like_bench, degrade_randomly, random_reduction, Severity
from pictures.feed import CHUNK
from pictures.portraits import EXCLUDED

PART = (112, 70, 912, 870)
"""The face with its surroundings in portraits of 1024 pixels."""
STORED_SIDE = 704
SOFT = 0.24
"""Ratio of the finest octave's energy to the next one's below which a portrait is enlarged or out of focus: a tenth of all."""
PATCH = 192
MARGIN = 16
"""Cut off on each side at a random offset after degrading, so that JPEG blocks start anywhere."""
HELD_OUT = "held-"
SPREAD = 0.17
"""Standard deviation of a patch's center around the portrait's, as a share of its side: hair and clothes occur too."""
SCALES = (0.36, 1.0)
"""Portraits are reduced by these factors: faces of all sizes occur, and few of them with grain or compression."""
REDUCTIONS = (1.15, 4.8)
"""The worker reduces softer pictures before the network sees them."""
VALIDATION = {
    "mild": (0.9, Severity(2, 1, 3, 85)),
    "medium": (0.9, Severity(4, 2.5, 8, 65)),
    "small": (0.5, Severity(4, 2.5, 8, 65)),
}
"""By name: the factor that reduces a portrait, and what degrades it then."""


def load(folder: Path, held_out: bool) -> list[Image.Image]:
    files = sorted(file for file in folder.iterdir() if file.name.startswith(HELD_OUT) == held_out)
    return [Image.open(file).convert("RGB") for file in files]


class PatchStream(IterableDataset):
    """Endless chunks of CHUNK x 2 (degraded, sharp) x height x width x 3, 8-bit; others in each process."""

    def __init__(self, folder: Path, seed: int):
        super().__init__()
        self._portraits = load(folder, False)
        self._seed = seed

    def __iter__(self) -> Iterator[torch.Tensor]:
        worker = get_worker_info()
        rng = np.random.default_rng([self._seed, worker.id if worker else 0])
        while True:
            yield torch.from_numpy(np.stack([np.stack(self._pair(rng)) for _ in range(CHUNK)]))

    def _pair(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        portrait = self._portraits[int(rng.integers(len(self._portraits)))]
        scale = math.exp(rng.uniform(*np.log(SCALES)))
        sharp = vary_color(part_of(portrait, scale, rng.normal(0, SPREAD, 2)), rng)
        degrade = degrade_like_bench if rng.random() < BENCH_SHARE else degrade_randomly
        degraded = degrade(sharp, random_reduction(rng, *REDUCTIONS), rng)
        left, top = rng.integers(0, 2 * MARGIN, 2)
        window = np.s_[top : top + PATCH, left : left + PATCH]
        return degraded[window], sharp[window]


def fine_energy(picture: Image.Image) -> float:
    """Energy of the finest octave in the middle of a stored picture, as a share of the next octave's."""
    middle = np.asarray(picture.convert("L"), np.float32)[150:550, 180:520]
    halved = middle.reshape(200, 2, 170, 2).mean((1, 3))
    return float(laplacian(middle).var() / laplacian(halved).var())


def laplacian(plane: np.ndarray) -> np.ndarray:
    around = plane[:-2, 1:-1] + plane[2:, 1:-1] + plane[1:-1, :-2] + plane[1:-1, 2:]
    return 4 * plane[1:-1, 1:-1] - around


def part_of(portrait: Image.Image, scale: float, offset: np.ndarray) -> np.ndarray:
    """PATCH and its margin of the reduced portrait; `offset` from the center in sides of the portrait."""
    full = PATCH + 2 * MARGIN
    side = min(portrait.width, full / scale)
    left, top = (float(np.clip(portrait.width * (0.5 + each) - side / 2, 0, portrait.width - side)) for each in offset)
    box = (left, top, left + side, top + side)
    return np.asarray(portrait.resize((full, full), Resampling.LANCZOS, box=box))


def held_out_patches(folder: Path, name: str) -> tuple[torch.Tensor, torch.Tensor]:
    """A degraded and a sharp patch of each held-out portrait; the same at every call."""
    scale, severity = VALIDATION[name]
    rng = np.random.default_rng(len(name))
    sharp = [part_of(portrait, scale, rng.normal(0, 0.05, 2)) for portrait in load(folder, True)]
    degraded = [degrade_fixed(each, severity, rng) for each in sharp]
    window = np.s_[MARGIN:-MARGIN, MARGIN:-MARGIN]
    return to_tensor([each[window] for each in degraded]), to_tensor([each[window] for each in sharp])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--portraits", type=Path, required=True, help="folder of portraits of 1024 pixels, NAME.jpg")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for index, file in enumerate(sorted(options.portraits.glob("*.jpg"))):
        picture = Image.open(file).convert("RGB").crop(PART).resize((STORED_SIDE, STORED_SIDE), Resampling.LANCZOS)
        held_out = index % HELD_OUT_EVERY == 0
        if file.stem in EXCLUDED or (not held_out and fine_energy(picture) < SOFT):
            continue
        picture.save(options.out / f"{HELD_OUT if held_out else ''}{file.name}", quality=89)


if __name__ == "__main__":
    main()
