"""Teaches small networks for photos what a large one makes of pictures. README.md tells how to run it."""

import argparse
import copy
import csv
import math
import time
from pathlib import Path

import torch
import torch.nn.functional as F

from network import PhotoEnlarger, SCALE, Teacher
from patches import drawings, load_portraits, Patches

VARIANTS = {"deep": (32, 8, 1), "blocks": (64, 6, 2), "light": (64, 3, 2)}
"""Channels, pairs of convolutions, and the side of the blocks of pixels that they work on."""
PATCH = 96
BORDER = 8
"""Pixels at the edges of patches, where the padding shows: the worker discards as much of its tiles."""
GRADIENT_WEIGHT = 0.3
MEAN_WEIGHT = 0.5
MEAN_SIDE = 16
"""Side of the areas, in pixels of the output, whose means are compared: a tint shows more than an error of detail."""
AVERAGE_DECAY = 0.999
FLAT_LEVELS = (0, 32, 64, 96, 128, 160, 192, 224, 255)


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--portraits", type=Path, required=True)
    parser.add_argument("--teacher", type=Path, required=True, help="its ONNX file")
    parser.add_argument("--font", default="DejaVuSans.ttf", help="TrueType file of the drawn letters")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--variants", nargs="+", default=list(VARIANTS))
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=1.5e-3)
    parser.add_argument("--drawings", type=int, default=240)
    parser.add_argument("--measure-every", type=float, default=60, help="seconds")
    return parser.parse_args()


def inside(pictures: torch.Tensor) -> torch.Tensor:
    margin = SCALE * BORDER
    return pictures[..., margin:-margin, margin:-margin]


def loss_of(own: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    difference = inside(own) - inside(target)
    steps = difference.diff(dim=-1).abs().mean() + difference.diff(dim=-2).abs().mean()
    means = F.avg_pool2d(difference, MEAN_SIDE).abs().mean()
    return difference.abs().mean() + GRADIENT_WEIGHT * steps + MEAN_WEIGHT * means


class Student:
    def __init__(self, size: tuple[int, int, int], device: torch.device, rate: float):
        self.network = PhotoEnlarger(*size).to(device, memory_format=torch.channels_last)
        # What is measured and kept: steadier than the weights of the last step.
        self.average = copy.deepcopy(self.network).requires_grad_(False)
        self.optimizer = torch.optim.Adam(self.network.parameters(), rate, betas=(0.9, 0.99))
        self._rate = rate
        self._steps = 0

    def step(self, pictures: torch.Tensor, target: torch.Tensor, fraction: float) -> torch.Tensor:
        warm = min(1, (self._steps + 1) / 200)
        for group in self.optimizer.param_groups:
            group["lr"] = warm * self._rate * 0.5 * (1 + math.cos(math.pi * fraction)) + 1e-6
        self.optimizer.zero_grad(set_to_none=True)
        loss = loss_of(self.network(pictures), target)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 0.5)
        self.optimizer.step()
        self._steps += 1
        decay = min(AVERAGE_DECAY, self._steps / (self._steps + 10))
        with torch.no_grad():
            kept = list(self.average.parameters())
            torch._foreach_mul_(kept, decay)
            torch._foreach_add_(kept, list(self.network.parameters()), alpha=1 - decay)
        return loss.detach()


def psnr(one: torch.Tensor, other: torch.Tensor) -> float:
    return -10 * math.log10(F.mse_loss(inside(one).clamp(0, 1), inside(other).clamp(0, 1)).item() + 1e-12)


@torch.no_grad()
def measure(network: PhotoEnlarger, sets: dict[str, tuple[torch.Tensor, torch.Tensor]]) -> dict[str, float]:
    """PSNR to the teacher's output, and how far the most uneven flat area is from flat, in levels."""
    row = {
        name: psnr(torch.cat([network(part) for part in pictures.split(12)]), target)
        for name, (pictures, target) in sets.items()
    }
    device = next(network.parameters()).device
    flat = torch.tensor(FLAT_LEVELS, device=device)[:, None, None, None].expand(-1, 3, 64, 64) / 255
    levels = inside(network(flat)).clamp(0, 1) * 255
    row["flat"] = (levels.amax((1, 2, 3)) - levels.amin((1, 2, 3))).max().item()
    row["tint"] = (levels - 255 * inside(flat.repeat_interleave(SCALE, 2).repeat_interleave(SCALE, 3))).abs().max().item()
    return {name: round(value, 3) for name, value in row.items()}


def main() -> None:
    options = parse_options()
    options.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(1)
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    started = time.monotonic()
    # Processes that draw are begun before the graphics processor is.
    portraits = load_portraits(options.portraits, held_out=False)
    drawn = drawings(options.drawings, options.font, seed=1)
    held_out = {
        "portraits": load_portraits(options.portraits, held_out=True),
        "drawings": drawings(36, options.font, seed=2),
    }
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    half = torch.float16 if device.type == "cuda" else torch.float32
    teacher = Teacher(options.teacher).to(device)

    def taught(pictures: torch.Tensor) -> torch.Tensor:
        return teacher(pictures.to(half)).float()

    patches = Patches([*portraits, *drawn], device, seed=1)
    sets = {}
    for name, pictures in held_out.items():
        seen = Patches(pictures, device, seed=2)
        shown = torch.cat([seen.draw(12, PATCH) for _ in range(4)])
        sets[name] = (shown, torch.cat([taught(part) for part in shown.split(12)]))
    students = {name: Student(VARIANTS[name], device, options.rate) for name in options.variants}
    print(f"{len(portraits)} portraits and {len(drawn)} drawings after {time.monotonic() - started:.1f} s", flush=True)

    measured, steps = 0.0, 0
    rows: list[dict] = []
    while True:
        elapsed = time.monotonic() - started
        fraction = min(1, elapsed / options.seconds)
        if fraction == 1 or elapsed - measured >= options.measure_every:
            measured = elapsed
            for name, student in students.items():
                row = {"variant": name, "seconds": round(elapsed), "steps": steps, **measure(student.average, sets)}
                rows.append(row)
                print(row, flush=True)
            weights = {name: student.average.state_dict() for name, student in students.items()}
            torch.save(weights, options.out / "photo.pt")
            with (options.out / "curve.csv").open("w", newline="") as file:
                writer = csv.DictWriter(file, list(rows[0]))
                writer.writeheader()
                writer.writerows(rows)
        if fraction == 1:
            return
        pictures = patches.draw(options.batch, PATCH).contiguous(memory_format=torch.channels_last)
        target = taught(pictures)
        losses = {name: student.step(pictures, target, fraction) for name, student in students.items()}
        steps += 1
        if steps in (1, 10) or steps % 500 == 0:
            shown = " ".join(f"{name} {loss.item():.4f}" for name, loss in losses.items())
            print(f"step {steps}, {time.monotonic() - started:.1f} s: {shown}", flush=True)


if __name__ == "__main__":
    main()
