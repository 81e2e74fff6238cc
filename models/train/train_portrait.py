"""Trains the portrait restorer on patches of portraits. `train_portrait.py --help` lists the options; README.md tells how to run it."""

import argparse
from pathlib import Path

import torch

from evaluate import laplacian_variance, luma, mean_row, psnr, ssim
from model.losses import pixel_loss, structure_loss
from model.network import count_parameters, FaceRestorer
from pictures.feed import Pool
from pictures.patches import held_out_patches, PATCH, PatchStream, VALIDATION
from model.trainer import common_options, Losses, print_table, Rows, train, Trainer

BLOCK = 2
STRUCTURE = 0.1
"""Weight of the loss of structural similarity."""
WARM_STEPS = 200
"""Steps until the full learning rate."""
FIRST_PAIRS = 2048


def parse_options() -> argparse.Namespace:
    parser = common_options(__doc__, rate=5e-4, samples=240_000)
    parser.add_argument("--portraits", type=Path, required=True, help="folder written by pictures.patches")
    parser.add_argument("--width", type=int, default=48, help="channels at the finest level")
    parser.add_argument("--workers", type=int, default=2, help="processes that degrade")
    parser.add_argument("--pool", type=int, default=12_288, help="pairs that are kept")
    return parser.parse_args()


class PortraitTrainer(Trainer):
    def __init__(self, options: argparse.Namespace):
        super().__init__(FaceRestorer(options.width, BLOCK), options)
        self.optimizer = torch.optim.Adam(self.network.parameters(), options.rate, betas=(0.9, 0.99))
        self.weight = torch.ones(1, 1, PATCH, PATCH, device=self.device)
        self.warmed = 0

    def step(self, degraded: torch.Tensor, sharp: torch.Tensor) -> Losses:
        with self.precision:
            restored = self.network(degraded).float()
        # In 32 bits: steps between neighbors are small beside the pixels.
        losses = {"pixel": pixel_loss(restored, sharp, self.weight), "structure": structure_loss(restored, sharp)}
        self.warmed += 1
        self.update(losses["pixel"] + STRUCTURE * losses["structure"], len(sharp))
        return {name: value.detach() for name, value in losses.items()}

    def rates(self) -> list[tuple[torch.optim.Optimizer, float]]:
        return [(self.optimizer, self.options.rate * min(1, self.warmed / WARM_STEPS))]


class PortraitEvaluator:
    """Means over the held-out people, by degradation."""

    def __init__(self, portraits: Path, device: torch.device):
        self._sets = {name: held_out_patches(portraits, name) for name in VALIDATION}
        self._device = device

    @torch.no_grad()
    def measure(self, network: torch.nn.Module) -> Rows:
        rows: Rows = []
        for name, (degraded, sharp) in self._sets.items():
            parts = [network(part.to(self._device)).cpu() for part in degraded.split(8)]
            restored = torch.cat(parts).clamp(0, 1)
            values = {
                "psnr": psnr(restored, sharp),
                "ssim": ssim(luma(restored), luma(sharp)),
                "sharpness": laplacian_variance(restored) / laplacian_variance(sharp),
            }
            rows.append(mean_row({"severity": name}, values))
        return rows


def main() -> None:
    options = parse_options()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    torch.backends.cudnn.benchmark = True
    options.out.mkdir(parents=True, exist_ok=True)
    pool = Pool(PatchStream(options.portraits, options.seed), options.workers, options.pool)
    try:
        trainer = PortraitTrainer(options)
        if options.resume and (options.out / "checkpoint.pt").exists():
            trainer.load(options.out / "checkpoint.pt")
        evaluator = PortraitEvaluator(options.portraits, trainer.device)
        print(f"{count_parameters(trainer.network):,} parameters; {trainer.samples} samples so far", flush=True)
        print_table("unrestored", evaluator.measure(torch.nn.Identity()))
        pool.wait(FIRST_PAIRS)
        train(trainer, pool.draw, evaluator.measure)
    finally:
        pool.stop()


if __name__ == "__main__":
    main()
