"""Pictures as the network for faces sees them: reduced to their real resolution, denoised, of every severity."""

import io
import math
from pathlib import Path
from typing import Iterator

import numpy as np
import torch
from PIL import Image, ImageDraw, ImageFilter
from PIL.Image import Resampling
from torch.utils.data import get_worker_info, IterableDataset

PATCH = 64
CHUNK = 16
"""Patches that arrive together."""
DRAWN = 0.05
SEEN = 0.4
"""Share of drawings, and of what the worker's own steps made of degraded portraits; the rest is degraded here."""
HELD_OUT = "held-"


def load(folder: Path, held_out: bool) -> list[Image.Image]:
    files = sorted(each for each in folder.iterdir() if each.name.startswith(HELD_OUT) == held_out)
    return [large_enough(Image.open(file).convert("RGB")) for file in files]


def large_enough(picture: Image.Image) -> Image.Image:
    """Mirrored at the right and the bottom, if a patch would not fit."""
    missing = [(0, max(0, PATCH - side)) for side in (picture.height, picture.width)]
    return Image.fromarray(np.pad(np.asarray(picture), [*missing, (0, 0)], "reflect"))


class FacePatches(IterableDataset):
    """Endless chunks of CHUNK x PATCH x PATCH x 3, 8-bit; others in each process."""

    def __init__(self, sharp: list[Image.Image], seen: list[Image.Image], seed: int):
        super().__init__()
        self._sharp, self._seen, self._seed = sharp, seen, seed

    def __iter__(self) -> Iterator[torch.Tensor]:
        worker = get_worker_info()
        rng = np.random.default_rng([self._seed, worker.id if worker else 0])
        while True:
            yield torch.from_numpy(np.stack([self.patch(rng) for _ in range(CHUNK)]))

    @property
    def pictures(self) -> int:
        return len(self._sharp) + len(self._seen)

    def each(self, count: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
        """As many patches of either kind, as they are."""
        seen = [cut(self._seen[index % len(self._seen)], rng) for index in range(count)]
        sharp = [cut(degraded(self._sharp[index % len(self._sharp)], rng), rng) for index in range(count)]
        return {"seen": np.stack([np.asarray(each) for each in seen]), "degraded": np.stack([np.asarray(each) for each in sharp])}

    def patch(self, rng: np.random.Generator) -> np.ndarray:
        kind = rng.random()
        if kind < DRAWN:
            picture = drawing(rng)
        elif kind < DRAWN + SEEN:
            picture = self._seen[rng.integers(len(self._seen))]
            if rng.random() < 0.4:
                picture = scaled(picture, rng.uniform(0.8, 1.2), rng)
        else:
            picture = degraded(self._sharp[rng.integers(len(self._sharp))], rng)
        return varied(np.asarray(cut(picture, rng)), rng)


def degraded(portrait: Image.Image, rng: np.random.Generator) -> Image.Image:
    """A portrait at a size of the network's input, from crisp to softened, with what noise and compression leave."""
    picture = scaled(portrait, rng.uniform(0.34, 0.95), rng)
    if rng.random() < 0.6:
        picture = picture.filter(ImageFilter.GaussianBlur(rng.uniform(0.2, 2)))
    if rng.random() < 0.35:
        noise = rng.normal(0, rng.uniform(0.5, 8), (picture.height, picture.width, 3))
        picture = Image.fromarray(to_bytes(np.asarray(picture) + noise))
        if rng.random() < 0.7:
            picture = picture.filter(ImageFilter.GaussianBlur(rng.uniform(0.4, 1)))
    if rng.random() < 0.5:
        file = io.BytesIO()
        picture.save(file, "JPEG", quality=int(rng.integers(35, 96)))
        picture = Image.open(file).convert("RGB")
    if rng.random() < 0.35:
        picture = picture.filter(ImageFilter.UnsharpMask(rng.uniform(0.5, 1.6), int(rng.integers(20, 130)), 0))
    return picture


def scaled(picture: Image.Image, factor: float, rng: np.random.Generator) -> Image.Image:
    side = max(PATCH, round(picture.width * factor)), max(PATCH, round(picture.height * factor))
    filters = (Resampling.LANCZOS, Resampling.BICUBIC, Resampling.BOX)
    return picture.resize(side, filters[rng.integers(3)])


def drawing(rng: np.random.Generator) -> Image.Image:
    """Edges, lines and gradients."""
    ramp = np.linspace(rng.uniform(0, 255, 3), rng.uniform(0, 255, 3), PATCH)
    picture = Image.fromarray(to_bytes(np.broadcast_to(ramp[:, None], (PATCH, PATCH, 3))))
    pen = ImageDraw.Draw(picture)
    for _ in range(rng.integers(0, 8)):
        points = [tuple(point) for point in rng.uniform(-8, PATCH + 8, (3, 2))]
        color = tuple(int(each) for each in rng.integers(0, 256, 3))
        if rng.random() < 0.5:
            pen.polygon(points, fill=color)
        else:
            pen.line(points, fill=color, width=int(rng.integers(1, 5)))
    return picture.filter(ImageFilter.GaussianBlur(rng.uniform(0.2, 1.5)))


def cut(picture: Image.Image, rng: np.random.Generator) -> Image.Image:
    left, top = (int(rng.integers(0, side - PATCH + 1)) for side in picture.size)
    return picture.crop((left, top, left + PATCH, top + PATCH))


def varied(patch: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Mirrored, seldom turned, in another light and color."""
    if rng.random() < 0.5:
        patch = patch[:, ::-1]
    if rng.random() < 0.15:
        patch = np.rot90(patch, rng.integers(1, 4))
    if rng.random() < 0.5:
        values = (patch / 255.0) ** math.exp(rng.normal(0, 0.3))
        gray = values.mean(2, keepdims=True)
        values = gray + (values - gray) * rng.uniform(0, 1.3)
        patch = to_bytes(values * rng.uniform(0.75, 1.1) * rng.normal(1, 0.05, 3) * 255)
    return np.ascontiguousarray(patch)


def to_bytes(values: np.ndarray) -> np.ndarray:
    return np.clip(np.rint(values), 0, 255).astype(np.uint8)
