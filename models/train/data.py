"""Crops of faces, their split by person, and pairs of degraded and sharp pictures."""

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Sequence

import numpy as np
import torch
from PIL import Image
from PIL.Image import Resampling, Transform

from pictures.degrade import degrade_fixed, degrade_like_bench, degrade_randomly, random_reduction, Severity

SIDE = 128
"""Width and height of what the network sees, in pixels."""
OVERSAMPLING = 3
"""Crops are cut at three times the size, so that the augmentation that resamples them keeps them sharp."""
CROP_SIDE = 176
"""Side of a stored crop in pixels of the network: 24 of margin on each side of the aligned face."""
FACE_WIDTH = 80
"""Pixels of the network across an aligned face."""
HELD_OUT_EVERY = 12
"""Every twelfth person is held out, counted over all of them in alphabetical order."""
BENCH_SHARE = 0.4
"""Share of the samples that are degraded as `pnpm bench quality` does."""
JPEG_PHASE = 16
"""Margin cut off at a random offset after degrading, so that JPEG blocks start anywhere."""

VALIDATION = {
    48: Severity(reduction=FACE_WIDTH / 48, sigma=0.83, noise=5, quality=75),
    24: Severity(reduction=FACE_WIDTH / 24, sigma=1.9, noise=8, quality=65),
    14: Severity(reduction=FACE_WIDTH / 14, sigma=3.26, noise=12, quality=50),
}
"""Fixed degradations by the number of real pixels across the face."""


@dataclass(frozen=True)
class Portraits:
    """Crops with one entry of `people` each; `excluded` are in neither part.

    An entry with a `source` is a further portrait for training only; it doesn't count for the split.
    """

    crops: Sequence[np.ndarray]
    people: list[dict]

    def held_out(self) -> list[int]:
        return [i for i, person in enumerate(self.people) if is_held_out(i, person) and not person["excluded"]]

    def training(self) -> list[int]:
        return [i for i, person in enumerate(self.people) if not is_held_out(i, person) and not person["excluded"]]


def is_held_out(index: int, person: dict) -> bool:
    return index % HELD_OUT_EVERY == 0 and "source" not in person


def load_portraits(folder: Path) -> Portraits:
    """Reads what portraits.py wrote, and the further portraits of further.py if there are any.

    A person's crop is the picture `file`, or else the row of `crops.npy`, which is mapped into memory.
    """
    people = json.loads((folder / "people.json").read_text())
    if (folder / "further.json").exists():
        people += json.loads((folder / "further.json").read_text())
    rows = [] if all("file" in person for person in people) else np.load(folder / "crops.npy", mmap_mode="r")
    crops = [read_crop(folder / person["file"]) if "file" in person else rows[i] for i, person in enumerate(people)]
    return Portraits(crops, people)


def read_crop(file: Path) -> np.ndarray:
    return np.asarray(Image.open(file).convert("RGB"))


def central_face(crop: np.ndarray) -> np.ndarray:
    """The aligned face of a stored crop, without augmentation."""
    whole = Image.fromarray(crop).resize((CROP_SIDE, CROP_SIDE), Resampling.LANCZOS)
    margin = (CROP_SIDE - SIDE) // 2
    return np.asarray(whole)[margin : margin + SIDE, margin : margin + SIDE]


def validation_set(portraits: Portraits, size: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Degraded and sharp pictures of the held-out people; the same at every call."""
    rng = np.random.default_rng(size)
    sharp = [central_face(portraits.crops[i]) for i in portraits.held_out()]
    return to_tensor([degrade_fixed(face, VALIDATION[size], rng) for face in sharp]), to_tensor(sharp)


class Sampler:
    """Draws training pairs of degraded and sharp pictures; the order depends on the seed alone."""

    def __init__(self, portraits: Portraits, seed: int):
        self._portraits = portraits
        self._indices = portraits.training()
        self.rng = np.random.default_rng(seed)

    def batch(self, size: int) -> tuple[torch.Tensor, torch.Tensor]:
        pairs = [self.pair() for _ in range(size)]
        return to_tensor([pair[0] for pair in pairs]), to_tensor([pair[1] for pair in pairs])

    def pair(self) -> tuple[np.ndarray, np.ndarray]:
        index = self._indices[int(self.rng.integers(len(self._indices)))]
        return self.degrade(self._portraits.crops[index], self._portraits.people[index])

    def degrade(self, picture: np.ndarray, person: dict) -> tuple[np.ndarray, np.ndarray]:
        raise NotImplementedError


def random_face_reduction(rng: np.random.Generator, face_px: float | None) -> float:
    """Half of the samples are faces of 13 to 36 real pixels.

    A portrait whose own face has few pixels is reduced to at most two thirds of them: it can't teach what is sharp.
    """
    smallest, largest = (2.2, 6.2) if rng.random() < 0.5 else (1.1, 7.3)
    return random_reduction(rng, max(smallest, 1.5 * FACE_WIDTH / face_px if face_px else 0), largest)


class PairSampler(Sampler):
    """Of aligned faces."""

    def degrade(self, picture: np.ndarray, person: dict) -> tuple[np.ndarray, np.ndarray]:
        rng = self.rng
        sharp = vary_color(vary_placement(picture, rng), rng)
        degrade = degrade_like_bench if rng.random() < BENCH_SHARE else degrade_randomly
        degraded = degrade(sharp, random_face_reduction(rng, person.get("face_px")), rng)
        top, left = rng.integers(0, 2 * JPEG_PHASE + 1, 2)
        window = np.s_[top : top + SIDE, left : left + SIDE]
        return degraded[window], sharp[window]


def vary_placement(crop: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Errors of alignment: rotation by about 4 degrees, scale by 12 %, shift by up to 9 pixels; mirroring.

    Returns the picture of the network with a margin for the JPEG phase.
    """
    side = SIDE + 2 * JPEG_PHASE
    oversampling = crop.shape[0] // CROP_SIDE
    border = crop.shape[0] // 16
    padded = np.pad(crop, ((border, border), (border, border), (0, 0)), "reflect")
    angle = math.radians(rng.normal(0, 4)) if rng.random() < 0.5 else 0
    scale = math.exp(rng.uniform(-0.12, 0.1))
    # From pixels of the result at the size of the stored crop to those of the padded crop.
    turn = scale * np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    center = padded.shape[0] / 2 + rng.uniform(-9, 9, 2) * oversampling
    shift = center - turn @ np.full(2, side * oversampling / 2)
    backward = np.column_stack([turn, shift])
    size = (side * oversampling, side * oversampling)
    picture = Image.fromarray(padded).transform(size, Transform.AFFINE, backward.flatten(), Resampling.BICUBIC)
    varied = np.asarray(picture.reduce(oversampling))
    return varied[:, ::-1] if rng.random() < 0.5 else varied


def vary_color(picture: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Exposure, white balance and offset; one in 25 in gray."""
    gains = rng.uniform(0.75, 1.2) * rng.uniform(0.94, 1.06, 3)
    values = picture * gains + rng.uniform(-12, 12)
    if rng.random() < 0.04:
        values = np.repeat(values.mean(2, keepdims=True), 3, 2)
    return np.clip(np.rint(values), 0, 255).astype(np.uint8)


def to_tensor(pictures: list[np.ndarray]) -> torch.Tensor:
    """8-bit pictures as N x 3 x height x width in 0..1."""
    return torch.from_numpy(np.stack(pictures).astype(np.float32) / 255).permute(0, 3, 1, 2).contiguous()
