"""Trains the damage finder on patches of photos with drawn damage. README.md tells how to run it."""

import argparse
import math
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image
from PIL.Image import Resampling

from data import to_tensor
from model.network import count_parameters, DamageFinder
from model.trainer import common_options, Losses, Rows, train, Trainer
from pictures.damage import EITHER, leaves, pair

PATCH = 128
HELD_OUT_EVERY = 8
"""Every eighth photo in alphabetical order is validated with only."""
LEAVES = 0.12
"""Share of the patches that are generated shapes instead of photos."""
LARGEST_SCALE = 3.0
"""Photos are reduced up to this much, so that everything in them occurs at many sizes."""
VALIDATION_PATCHES = 240
FALSE, MISSED = 0.75, 0.25
"""Weights of the Tversky loss: what is marked falsely costs three times what is missed."""
THRESHOLDS = (0.5, 0.7, 0.9)


def parse_options() -> argparse.Namespace:
    parser = common_options(__doc__, rate=3e-3, samples=80_000)
    parser.add_argument("--photos", type=Path, nargs="+", required=True, help="folders of undamaged photos")
    parser.add_argument("--width", type=int, default=12, help="channels")
    return parser.parse_args()


class DamageTrainer(Trainer):
    def __init__(self, options: argparse.Namespace):
        super().__init__(DamageFinder(options.width), options)

    def step(self, picture: torch.Tensor, mask: torch.Tensor) -> Losses:
        logits = self.network(picture)
        told = mask != EITHER
        entropy = F.binary_cross_entropy_with_logits(logits[told], mask[told])
        found = torch.sigmoid(logits) * told
        mask = mask * told
        both, false, missed = (found * mask).sum(), (found * (1 - mask)).sum(), ((1 - found) * mask).sum()
        tversky = 1 - (both + 1) / (both + FALSE * false + MISSED * missed + 1)
        self.update(4 * entropy + tversky, len(picture))
        return {"entropy": entropy.detach(), "tversky": tversky.detach()}


def load_photos(folders: list[Path]) -> list[np.ndarray]:
    files = sorted((file for folder in folders for file in folder.iterdir()), key=lambda file: file.name)
    return [np.asarray(Image.open(file).convert("RGB")) for file in files]


def any_patch(photo: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    height, width = photo.shape[:2]
    side = round(min(PATCH * math.exp(rng.uniform(0, math.log(LARGEST_SCALE))), height, width))
    top, left = int(rng.integers(0, height - side + 1)), int(rng.integers(0, width - side + 1))
    part = photo[top : top + side, left : left + side]
    if rng.random() < 0.5:
        part = part[:, ::-1]
    if rng.random() < 0.3:
        part = part.transpose(1, 0, 2)
    return np.asarray(Image.fromarray(np.ascontiguousarray(part)).resize((PATCH, PATCH), Resampling.LANCZOS))


def draw(photos: list[np.ndarray], count: int, rng: np.random.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    pairs = []
    for _ in range(count):
        is_drawn = rng.random() < LEAVES
        patch = leaves(PATCH, rng) if is_drawn else any_patch(photos[int(rng.integers(len(photos)))], rng)
        pairs.append(pair(patch, rng))
    masks = torch.from_numpy(np.stack([mask for _, mask in pairs]))[:, None]
    return to_tensor([picture for picture, _ in pairs]), masks


class Draws:
    """Pairs of which a quarter is new, the others ones of earlier batches, turned: drawing takes longer than a step."""

    KEPT = 600

    def __init__(self, photos: list[np.ndarray], seed: int):
        self._photos = photos
        self._rng = np.random.default_rng(seed)
        self._kept: list[tuple[torch.Tensor, torch.Tensor]] = []

    def batch(self, count: int) -> tuple[torch.Tensor, torch.Tensor]:
        new = count if len(self._kept) < count else count // 4
        drawn = list(zip(*draw(self._photos, new, self._rng)))
        again = [self._turned(*self._kept[int(at)]) for at in self._rng.integers(0, max(1, len(self._kept)), count - new)]
        self._kept = (self._kept + drawn)[-self.KEPT :]
        pictures, masks = zip(*(drawn + again))
        return torch.stack(pictures), torch.stack(masks)

    def _turned(self, picture: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        picture = (picture * self._rng.uniform(0.85, 1.1) + self._rng.uniform(-0.05, 0.05)).clamp(0, 1)
        for axis in (1, 2):
            if self._rng.random() < 0.5:
                picture, mask = picture.flip(axis), mask.flip(axis)
        return (picture, mask) if self._rng.random() < 0.5 else (picture.transpose(1, 2), mask.transpose(1, 2))


class DamageEvaluator:
    """F1 with 2 pixels of tolerance, and how much of the undamaged patches is marked, in percent."""

    def __init__(self, photos: list[np.ndarray], device: torch.device):
        self._pictures, self._masks = draw(photos, VALIDATION_PATCHES, np.random.default_rng(0))
        self._device = device

    @torch.no_grad()
    def measure(self, network: torch.nn.Module) -> Rows:
        found = torch.cat([torch.sigmoid(network(part.to(self._device))).cpu() for part in self._pictures.split(16)])
        masks = (self._masks > EITHER).float()
        damaged = self._masks.amax((1, 2, 3)) > 0
        near = F.max_pool2d((self._masks > 0).float(), 5, 1, 2)
        rows: Rows = []
        for threshold in THRESHOLDS:
            marked = (found > threshold).float()
            right = (marked * near)[damaged].sum() / marked[damaged].sum().clamp(min=1)
            covered = (F.max_pool2d(marked, 5, 1, 2) * masks).sum() / masks.sum()
            shown = {
                "threshold": threshold,
                "f1": 2 * right * covered / (right + covered).clamp(min=1e-6),
                "precision": right,
                "recall": covered,
                "clean_percent": marked[~damaged].mean() * 100,
            }
            rows.append({name: round(float(value), 4) for name, value in shown.items()})
        return rows


def main() -> None:
    options = parse_options()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    options.out.mkdir(parents=True, exist_ok=True)
    photos = load_photos(options.photos)
    held_out = photos[::HELD_OUT_EVERY]
    training = [photo for index, photo in enumerate(photos) if index % HELD_OUT_EVERY]
    trainer = DamageTrainer(options)
    if options.resume and (options.out / "checkpoint.pt").exists():
        trainer.load(options.out / "checkpoint.pt")
    print(f"{count_parameters(trainer.network):,} parameters; {len(training)} photos, {len(held_out)} held out", flush=True)
    # A resumed training draws other samples than those before.
    draws = Draws(training, options.seed + trainer.samples)
    train(trainer, draws.batch, DamageEvaluator(held_out, trainer.device).measure)


if __name__ == "__main__":
    main()
