"""Teaches a short network for faces what the long one makes of pictures. README.md tells how to run it."""

import argparse
import copy
import math
import time
from pathlib import Path
from typing import Iterator

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from onnx import numpy_helper
from torch.utils.data import DataLoader

from face_patches import CHUNK, FacePatches, load, PATCH
from model.losses import pixel_loss, texture_loss
from rrdb import convolutions, load_network, Rrdb, save_network

TEACHER_BLOCKS = 23
KEPT = (0, 4, 8, 14, 18, 22)
"""The teacher's blocks that the student begins with."""
EDGE = 4
"""Pixels of the output that don't count, since the padding shows there."""
AVERAGE_DECAY = 0.999
WARM_STEPS = 150


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sharp", type=Path, required=True, help="folder of portraits")
    parser.add_argument("--seen", type=Path, required=True, help="folder of what the worker's steps made of portraits")
    parser.add_argument("--teacher", type=Path, required=True, help="its ONNX file")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--init", type=Path, help="weights of an earlier training to go on from")
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--save-seconds", type=float, default=60)
    parser.add_argument("--batch", type=int, default=24)
    parser.add_argument("--reuse", type=int, default=3, help="steps until the teacher looks at further patches")
    parser.add_argument("--pool", type=int, default=3072, help="patches that are kept")
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--texture", type=float, default=0.06)
    parser.add_argument("--features", type=float, default=0.3)
    parser.add_argument("--workers", type=int, default=5)
    parser.add_argument("--measured", type=int, default=48, help="held-out patches of each kind")
    return parser.parse_args()


def load_teacher(path: Path) -> Rrdb:
    """From an ONNX file whose initializers are kernels and biases in turn, beside single numbers."""
    tensors = [numpy_helper.to_array(each) for each in onnx.load(str(path)).graph.initializer]
    kernels = [index for index, each in enumerate(tensors) if each.ndim == 4]
    teacher = Rrdb(TEACHER_BLOCKS)
    for convolution, index in zip(convolutions(teacher), kernels, strict=True):
        convolution.weight.data.copy_(torch.from_numpy(tensors[index].astype(np.float32)))
        convolution.bias.data.copy_(torch.from_numpy(tensors[index + 1].astype(np.float32)))
    return teacher


def begun(teacher: Rrdb) -> Rrdb:
    """With the teacher's first and last convolutions and some of its blocks."""
    student = copy.deepcopy(teacher)
    student.blocks = torch.nn.ModuleList([student.blocks[index] for index in KEPT])
    return student


class Lesson:
    """The last patches with the teacher's features and outputs, on the training's device."""

    def __init__(self, teacher: Rrdb, chunks: Iterator[torch.Tensor], capacity: int, device: torch.device):
        self._teacher, self._chunks, self._capacity, self._device = teacher, chunks, capacity, device
        self._dtype = next(teacher.parameters()).dtype
        self._kept: list[torch.Tensor] = []
        self._count = 0

    @torch.no_grad()
    def look(self, patches: torch.Tensor) -> tuple[torch.Tensor, ...]:
        patches = patches.to(self._device, non_blocking=True).permute(0, 3, 1, 2)
        pictures = (patches.to(self._dtype) / 255).contiguous(memory_format=torch.channels_last)
        features = self._teacher.trunk(pictures)
        return patches, features, self._teacher.enlarge(features)

    def more(self, patches: int) -> None:
        for _ in range(max(1, patches // CHUNK // 2)):
            new = self.look(torch.cat([next(self._chunks), next(self._chunks)]))
            if not self._kept:
                self._kept = [each.new_empty((self._capacity, *each.shape[1:])) for each in new]
            places = torch.arange(self._count, self._count + len(new[0]), device=self._device) % self._capacity
            for kept, each in zip(self._kept, new):
                kept[places] = each
            self._count += len(new[0])

    def draw(self, size: int) -> tuple[torch.Tensor, ...]:
        index = torch.randint(min(self._count, self._capacity), (size,), device=self._device)
        patches, features, output = (kept[index] for kept in self._kept)
        return (patches.float() / 255).contiguous(memory_format=torch.channels_last), features.float(), output.float()


def inside(pictures: torch.Tensor) -> torch.Tensor:
    return pictures[..., EDGE:-EDGE, EDGE:-EDGE]


def sharpness(pictures: torch.Tensor) -> torch.Tensor:
    """Energy of the Laplacian of each picture's brightness."""
    kernel = pictures.new_tensor([[0, 1, 0], [1, -4, 1], [0, 1, 0]])[None, None]
    return (F.conv2d(pictures.clamp(0, 1).mean(1, keepdim=True), kernel) ** 2).mean((1, 2, 3))


@torch.no_grad()
def measure(student: Rrdb, sets: dict[str, tuple[torch.Tensor, ...]]) -> dict[str, float]:
    """PSNR to the teacher's output, and energy of detail as a share of the teacher's: of all, and the median's."""
    row: dict[str, float] = {}
    for name, (patches, _, output) in sets.items():
        pictures = (patches.float() / 255).contiguous(memory_format=torch.channels_last)
        own = inside(torch.cat([student(each) for each in pictures.split(16)])).clamp(0, 1)
        truth = inside(output.float()).clamp(0, 1)
        row[f"{name} psnr"] = -10 * math.log10(F.mse_loss(own, truth).item())
        ratio = sharpness(own) / sharpness(truth)
        row[f"{name} energy"] = (sharpness(own).mean() / sharpness(truth).mean()).item()
        row[f"{name} ratio"] = ratio.median().item()
    return {name: round(value, 4) for name, value in row.items()}


def main() -> None:
    options = parse_options()
    options.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(1)
    torch.backends.cudnn.benchmark = True
    torch.backends.cudnn.allow_tf32 = True
    started = time.monotonic()
    stream = FacePatches(load(options.sharp, False), load(options.seen, False), seed=1)
    loader = DataLoader(stream, batch_size=None, num_workers=options.workers, prefetch_factor=8)
    # The processes begin before this one uses a graphics processor.
    chunks = iter(loader)
    next(chunks)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    teacher = load_teacher(options.teacher)
    student = load_network(options.init) if options.init else begun(teacher)
    student = student.to(device, memory_format=torch.channels_last).requires_grad_(True)
    average = copy.deepcopy(student).requires_grad_(False)
    teacher = teacher.to(device, torch.float16 if device.type == "cuda" else torch.float32, memory_format=torch.channels_last)
    teacher.requires_grad_(False)
    lesson = Lesson(teacher, chunks, options.pool, device)
    rng = np.random.default_rng(7)
    held = FacePatches(load(options.sharp, True), load(options.seen, True), seed=2)
    sets = {name: lesson.look(torch.from_numpy(patches)) for name, patches in held.each(options.measured, rng).items()}
    print(f"{stream.pictures} pictures, ready after {time.monotonic() - started:.1f} s", flush=True)
    optimizer = torch.optim.Adam(student.parameters(), options.rate, betas=(0.9, 0.99))
    precision = torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda")
    weight = torch.ones(1, 1, 4 * PATCH - 2 * EDGE, 4 * PATCH - 2 * EDGE, device=device)

    def note(seconds: float, steps: int) -> None:
        print({"seconds": round(seconds), "steps": steps, **measure(average, sets)}, flush=True)
        save_network(options.out / "face.npz", average)

    note(0, 0)
    lesson.more(8 * options.batch)
    begin, noted, steps = time.monotonic(), 0.0, 0
    while (elapsed := time.monotonic() - begin) < options.seconds:
        if steps % options.reuse == 0:
            lesson.more(options.batch)
        pictures, features, output = lesson.draw(options.batch)
        fraction = elapsed / options.seconds
        for group in optimizer.param_groups:
            group["lr"] = min(1, (steps + 1) / WARM_STEPS) * options.rate * 0.5 * (1 + math.cos(math.pi * fraction)) + 1e-6
        with precision:
            own_features = student.trunk(pictures)
            own = student.enlarge(own_features)
        own, truth = inside(own.float()), inside(output)
        pixel, texture = pixel_loss(own, truth, weight), texture_loss(own, truth, weight)
        # Features guide the start: later on only what is seen counts.
        guide = (own_features.float() - features).abs().mean()
        loss = pixel + options.texture * texture + options.features * (1 - fraction) ** 2 * guide
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(student.parameters(), 0.5)
        optimizer.step()
        steps += 1
        decay = min(AVERAGE_DECAY, steps / (steps + 10))
        with torch.no_grad():
            kept = list(average.parameters())
            torch._foreach_mul_(kept, decay)
            torch._foreach_add_(kept, list(student.parameters()), alpha=1 - decay)
        if steps in (1, 10, 50) or steps % 250 == 0:
            losses = f"pixel {pixel.item():.4f} texture {texture.item():.4f} features {guide.item():.4f}"
            print(f"step {steps}, {time.monotonic() - begin:.1f} s: {losses}", flush=True)
        if elapsed - noted > options.save_seconds:
            noted = elapsed
            note(elapsed, steps)
    note(time.monotonic() - begin, steps)


if __name__ == "__main__":
    main()
