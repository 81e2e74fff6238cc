"""Trains the detail restorer on patches of whole portraits. README.md tells how to run it."""

import argparse
import math
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from PIL.Image import Resampling

from data import Portraits, Sampler, to_tensor
from pictures.degrade import degrade_fixed, degrade_randomly, random_reduction, Severity
from evaluate import laplacian_variance, psnr
from model.losses import pixel_loss, texture_loss
from model.network import count_parameters, DetailRestorer
from pictures.portraits import EXCLUDED
from model.trainer import common_options, Losses, print_table, Rows, train, Trainer

PATCH = 128
MARGIN = 16
"""Cut off on each side at a random offset after degrading, so that JPEG blocks start anywhere."""
PORTRAIT_SIDE = 1024
FACE_CENTRE = (512, 470)
"""Where the faces of the portraits are, in pixels from the left and the top."""
SPREAD = 200
"""Standard deviation of the patches' centers from there: hair, ears and clothes occur too."""
LARGEST_SCALE = 2.8
"""Patches are reduced up to this much, so that faces of all sizes occur."""
REDUCTIONS = (1.2, 5)
VALIDATION = {2: Severity(2, 1, 3, 85), 4: Severity(4, 2.5, 8, 65)}
"""Fixed degradations by their reduction."""


def parse_options() -> argparse.Namespace:
    parser = common_options(__doc__, rate=1e-3, samples=44_000)
    parser.add_argument("--portraits", type=Path, required=True, help="folder of the portraits")
    parser.add_argument("--width", type=int, default=32, help="channels")
    parser.add_argument("--blocks", type=int, default=5, help="residual blocks")
    return parser.parse_args()


class DetailTrainer(Trainer):
    def __init__(self, options: argparse.Namespace):
        super().__init__(DetailRestorer(options.width, options.blocks), options)
        self.weight = torch.ones(1, 1, PATCH, PATCH, device=self.device)

    def step(self, degraded: torch.Tensor, sharp: torch.Tensor) -> Losses:
        restored = self.network(degraded)
        pixel = pixel_loss(restored, sharp, self.weight)
        texture = texture_loss(restored, sharp, self.weight)
        self.update(pixel + self.options.texture * texture, len(sharp))
        return {"pixel": pixel.detach(), "texture": texture.detach()}


class PatchSampler(Sampler):
    """Of patches of whole portraits."""

    def degrade(self, picture: np.ndarray, person: dict) -> tuple[np.ndarray, np.ndarray]:
        sharp = sharp_patch(picture, self.rng)
        return cut(degrade_randomly(sharp, random_reduction(self.rng, *REDUCTIONS), self.rng), sharp, self.rng)


def load_whole_portraits(folder: Path) -> Portraits:
    """All portraits of a folder in memory (1.3 GB), named after the people."""
    files = sorted(folder.glob("*.jpg"))
    pictures = np.empty((len(files), PORTRAIT_SIDE, PORTRAIT_SIDE, 3), np.uint8)
    for index, file in enumerate(files):
        pictures[index] = np.asarray(Image.open(file).convert("RGB"))
    return Portraits(pictures, [{"excluded": file.stem in EXCLUDED} for file in files])


def sharp_patch(portrait: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A part of the portrait near its face at a random scale, mirrored at random, with its margin."""
    full = PATCH + 2 * MARGIN
    scale = math.exp(rng.uniform(0, math.log(LARGEST_SCALE)))
    side = min(PORTRAIT_SIDE, round(full * scale))
    left, top = (int(np.clip(rng.normal(at, SPREAD) - side / 2, 0, PORTRAIT_SIDE - side)) for at in FACE_CENTRE)
    part = portrait[top : top + side, left : left + side]
    if rng.random() < 0.5:
        part = part[:, ::-1]
    picture = Image.fromarray(np.ascontiguousarray(part))
    return np.asarray(picture.resize((full, full), Resampling.LANCZOS) if side != full else picture)


def cut(degraded: np.ndarray, sharp: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    left, top = rng.integers(0, 2 * MARGIN, 2)
    window = np.s_[top : top + PATCH, left : left + PATCH]
    return degraded[window], sharp[window]


def validation_set(portraits: Portraits, reduction: int) -> tuple[torch.Tensor, torch.Tensor]:
    """A degraded and a sharp patch of each held-out person; the same at every call."""
    rng = np.random.default_rng(reduction)
    sharp = [sharp_patch(portraits.crops[index], rng) for index in portraits.held_out()]
    pairs = [cut(degrade_fixed(patch, VALIDATION[reduction], rng), patch, rng) for patch in sharp]
    return to_tensor([pair[0] for pair in pairs]), to_tensor([pair[1] for pair in pairs])


class DetailEvaluator:
    def __init__(self, portraits: Portraits, device: torch.device):
        self._sets = {reduction: validation_set(portraits, reduction) for reduction in VALIDATION}
        self._device = device

    @torch.no_grad()
    def measure(self, network: torch.nn.Module) -> Rows:
        rows: Rows = []
        for reduction, (degraded, sharp) in self._sets.items():
            restored = network(degraded.to(self._device)).cpu().clamp(0, 1)
            ratio = laplacian_variance(restored).mean() / laplacian_variance(sharp).mean()
            shown = {"psnr": psnr(restored, sharp).mean(), "sharpness": ratio}
            rows.append({"reduction": reduction, **{name: round(value.item(), 4) for name, value in shown.items()}})
        return rows


def main() -> None:
    options = parse_options()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    options.out.mkdir(parents=True, exist_ok=True)
    portraits = load_whole_portraits(options.portraits)
    trainer = DetailTrainer(options)
    if options.resume and (options.out / "checkpoint.pt").exists():
        trainer.load(options.out / "checkpoint.pt")
    evaluator = DetailEvaluator(portraits, trainer.device)
    print(f"{count_parameters(trainer.network):,} parameters; {len(portraits.training())} people to train,", end=" ")
    print(f"{len(portraits.held_out())} held out; {trainer.samples} samples so far", flush=True)
    if not trainer.samples:
        print_table("unrestored", evaluator.measure(torch.nn.Identity()))
    # A resumed training draws other samples than those before.
    train(trainer, PatchSampler(portraits, options.seed + trainer.samples).batch, evaluator.measure)


if __name__ == "__main__":
    main()
