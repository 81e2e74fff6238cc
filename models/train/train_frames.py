"""Trains the frame restorer on frames of clips that were compressed. README.md tells how to run it."""

import argparse
import math
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image

from model.network import count_parameters, FrameRestorer
from model.trainer import common_options, Losses, Rows, train, Trainer

PATCH = 96
HELD_OUT_EVERY = 12
"""Every twelfth photo in alphabetical order is validated with only."""
CLEAN = 0.08
"""Share of the patches that are not compressed: they stay as they are."""
SIMILARITY = 0.05
"""Weight of the structural similarity beside the difference of pixels."""
WINDOW = 8
"""Side of its squares."""
C1, C2 = 0.01**2, 0.03**2


def parse_options() -> argparse.Namespace:
    parser = common_options(__doc__, rate=2e-3, samples=320_000)
    parser.add_argument("--clips", type=Path, required=True, help="what pictures.clips wrote")
    parser.add_argument("--width", type=int, default=24, help="channels")
    return parser.parse_args()


def dissimilarity(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    def mean(plane: torch.Tensor) -> torch.Tensor:
        return F.avg_pool2d(plane, WINDOW, 2)

    first, second = mean(a), mean(b)
    spread = mean(a * a) - first * first + mean(b * b) - second * second
    together = mean(a * b) - first * second
    light = (2 * first * second + C1) / (first * first + second * second + C1)
    return 1 - (light * (2 * together + C2) / (spread + C2)).mean()


class FrameTrainer(Trainer):
    def __init__(self, options: argparse.Namespace):
        super().__init__(FrameRestorer(options.width), options)
        # Processors compute convolutions in 16 bits in two thirds of the time where they have AVX-512 for it.
        if self.device.type == "cpu":
            self.precision = torch.autocast("cpu", torch.bfloat16)

    def step(self, compressed: torch.Tensor, truth: torch.Tensor) -> Losses:
        with self.precision:
            restored = self.network(compressed)
        pixels = torch.sqrt((restored - truth) ** 2 + 1e-6).mean()
        similarity = dissimilarity(restored, truth)
        self.update(pixels + SIMILARITY * similarity, len(truth))
        return {"pixels": pixels.detach(), "similarity": similarity.detach()}


Pairs = list[tuple[np.ndarray, np.ndarray]]


def load_pairs(folder: Path) -> tuple[Pairs, Pairs]:
    """Luma of compressed and true frames: those to train with and those held out, by photo."""
    files = sorted((folder / "truth").iterdir())
    photos = sorted({file.name.rsplit("-", 2)[0] for file in files})
    held_out = set(photos[::HELD_OUT_EVERY])
    training: Pairs = []
    validation: Pairs = []
    for file in files:
        pair = tuple(np.asarray(Image.open(folder / kind / file.name)) for kind in ("compressed", "truth"))
        (validation if file.name.rsplit("-", 2)[0] in held_out else training).append(pair)
    return training, validation


def as_tensor(planes: list[np.ndarray]) -> torch.Tensor:
    return torch.from_numpy(np.stack(planes)[:, None].astype(np.float32) / 255)


class Draws:
    def __init__(self, pairs: Pairs, seed: int):
        self._pairs = pairs
        self._rng = np.random.default_rng(seed)

    def batch(self, count: int) -> tuple[torch.Tensor, torch.Tensor]:
        compressed, true = zip(*(self._patch() for _ in range(count)))
        return as_tensor(list(compressed)), as_tensor(list(true))

    def _patch(self) -> tuple[np.ndarray, np.ndarray]:
        pair = self._pairs[int(self._rng.integers(len(self._pairs)))]
        height, width = pair[0].shape
        top, left = (int(self._rng.integers(side - PATCH + 1)) for side in (height, width))
        compressed, truth = (plane[top : top + PATCH, left : left + PATCH] for plane in pair)
        if self._rng.random() < 0.5:
            compressed, truth = compressed[:, ::-1], truth[:, ::-1]
        return (truth if self._rng.random() < CLEAN else compressed), truth


class FrameEvaluator:
    """PSNR and SSIM beside the compressed frames', the mean over the held-out ones."""

    def __init__(self, pairs: Pairs, device: torch.device):
        self._pairs = [tuple(as_tensor([plane]).to(device) for plane in pair) for pair in pairs]

    @torch.no_grad()
    def measure(self, network: torch.nn.Module) -> Rows:
        gains = []
        for compressed, truth in self._pairs:
            restored = (network(compressed).clamp(0, 1) * 255).round() / 255
            errors = [float(((plane - truth) ** 2).mean()) for plane in (compressed, restored)]
            similar = float(dissimilarity(compressed, truth) - dissimilarity(restored, truth))
            gains.append((10 * math.log10(max(errors[0], 1e-9) / max(errors[1], 1e-9)), similar))
        psnr, ssim = np.mean(gains, 0)
        return [{"psnr_gain": round(float(psnr), 4), "ssim_gain": round(float(ssim), 5)}]


def main() -> None:
    options = parse_options()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    options.out.mkdir(parents=True, exist_ok=True)
    training, validation = load_pairs(options.clips)
    trainer = FrameTrainer(options)
    if options.resume and (options.out / "checkpoint.pt").exists():
        trainer.load(options.out / "checkpoint.pt")
    print(f"{count_parameters(trainer.network):,} parameters; {len(training)} frames, {len(validation)} held out", flush=True)
    # A resumed training draws other samples than those before.
    draws = Draws(training, options.seed + trainer.samples)
    train(trainer, draws.batch, FrameEvaluator(validation, trainer.device).measure)


if __name__ == "__main__":
    main()
