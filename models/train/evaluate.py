"""Measures restored faces of held-out people: PSNR, SSIM, sharpness and identity, by real face size.

`evaluate.py --data FOLDER --networks FOLDER --checkpoint FILE` also prints them by ethnicity and age.
"""

import argparse
from collections import defaultdict
from pathlib import Path
from typing import Callable

import torch
import torch.nn.functional as F
from torch import nn

from data import load_portraits, VALIDATION, validation_set
from export import load_restorer
from model.pretrained import FaceRes
from model.trainer import print_table

FACE = (slice(None), slice(None), slice(25, 113), slice(24, 104))
"""The face inside an aligned crop: its box from brows to chin, which is where the worker blends."""
LUMA = torch.tensor([0.299, 0.587, 0.114])[None, :, None, None]

Restore = Callable[[torch.Tensor], torch.Tensor]


class Evaluator:
    """Compares what a network makes of fixed degraded pictures with the sharp ones.

    `sets` holds degraded and sharp pictures by real face size in pixels; `recognizer` embeds aligned faces.
    """

    def __init__(
        self,
        sets: dict[int, tuple[torch.Tensor, torch.Tensor]],
        recognizer: nn.Module,
        device: torch.device,
    ):
        self._sets = sets
        self._recognizer = recognizer.eval()
        self._device = device
        # The sharp pictures are the same at every size.
        self._identities = self._batched(self._recognizer, next(iter(sets.values()))[1])

    def measure(self, restore: Restore) -> list[dict[str, float | str]]:
        """One row per face size: means over the people."""
        return [mean_row({"face_px": size}, self.measure_each(restore, size)) for size in self._sets]

    def measure_each(self, restore: Restore, size: int) -> dict[str, torch.Tensor]:
        """Each measure for each person, in the order of the set."""
        degraded, sharp = self._sets[size]
        restored = self._batched(restore, degraded).clamp(0, 1)
        identities = self._batched(self._recognizer, restored)
        ours, truth = restored[FACE], sharp[FACE]
        return {
            "psnr": psnr(ours, truth),
            "ssim": ssim(luma(ours), luma(truth)),
            "sharpness": laplacian_variance(ours) / laplacian_variance(truth),
            "identity": 1 - F.cosine_similarity(identities, self._identities),
        }

    @torch.no_grad()
    def _batched(self, apply: Restore, pictures: torch.Tensor) -> torch.Tensor:
        return torch.cat([apply(batch.to(self._device)).cpu() for batch in pictures.split(8)])


def luma(pictures: torch.Tensor) -> torch.Tensor:
    return (pictures * LUMA).sum(1, keepdim=True)


def psnr(ours: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    return -10 * torch.log10(((ours - truth) ** 2).mean((1, 2, 3)))


def ssim(ours: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    """Wang et al. 2004: Gaussian window of 11 pixels, sigma 1.5; pictures in 0..1 with one channel."""
    line = torch.exp(-0.5 * ((torch.arange(11) - 5) / 1.5) ** 2)
    line = line / line.sum()
    window = (line[:, None] * line[None, :])[None, None]
    mean_ours, mean_truth = F.conv2d(ours, window), F.conv2d(truth, window)
    variance_ours = F.conv2d(ours**2, window) - mean_ours**2
    variance_truth = F.conv2d(truth**2, window) - mean_truth**2
    covariance = F.conv2d(ours * truth, window) - mean_ours * mean_truth
    light = (2 * mean_ours * mean_truth + 0.01**2) / (mean_ours**2 + mean_truth**2 + 0.01**2)
    structure = (2 * covariance + 0.03**2) / (variance_ours + variance_truth + 0.03**2)
    return (light * structure).mean((1, 2, 3))


def laplacian_variance(pictures: torch.Tensor) -> torch.Tensor:
    """Sharpness: variance of the Laplacian of the brightness."""
    kernel = torch.tensor([[0.0, 1, 0], [1, -4, 1], [0, 1, 0]])[None, None]
    return F.conv2d(luma(pictures), kernel).var((1, 2, 3))


def mean_row(title: dict[str, float | str], values: dict[str, torch.Tensor]) -> dict[str, float | str]:
    return {**title, **{name: round(value.mean().item(), 4) for name, value in values.items()}}


def age_band(born: str | None, portrayed: int = 2021) -> str:
    """Ten years wide; the portraits are dated by the data set's last year, since their own dates are unknown."""
    return "unknown" if born is None else f"{(portrayed - int(born[:4])) // 10 * 10}s"


def group_rows(values: dict[str, torch.Tensor], groups: list[str]) -> list[dict[str, float | str]]:
    members = defaultdict(list)
    for index, group in enumerate(groups):
        members[group].append(index)
    return [
        mean_row({"group": group[:10], "people": len(indices)}, {name: each[indices] for name, each in values.items()})
        for group, indices in sorted(members.items())
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--networks", type=Path, required=True)
    parser.add_argument("--checkpoint", type=Path, nargs="+", required=True, help="the mean of several")
    options = parser.parse_args()
    portraits = load_portraits(options.data)
    people = [portraits.people[index] for index in portraits.held_out()]
    sets = {size: validation_set(portraits, size) for size in VALIDATION}
    evaluator = Evaluator(sets, FaceRes(options.networks), torch.device("cpu"))
    network = load_restorer(*options.checkpoint)
    print_table("restored", evaluator.measure(network))
    for size in VALIDATION:
        values = evaluator.measure_each(network, size)
        print_table(f"{size} px", group_rows(values, [person["ethnicity"] or "unknown" for person in people]))
        print_table(f"{size} px", group_rows(values, [age_band(person["born"]) for person in people]))


if __name__ == "__main__":
    main()
