"""What the networks see while they learn: portraits and drawings, and their defects, made on the trainer's device."""

import math
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image, ImageDraw, ImageFont
from PIL.Image import Resampling

from pictures.portraits import EXCLUDED

SIDE = 512
"""Pixels of a stored picture, so that those of a portrait are about as sharp as a photo reduced to its detail."""
HELD_OUT_EVERY = 12
"""Every twelfth portrait is only validated with, as in models/train."""
PROCESSES = 6
FLAT_SHARE = 1 / 16
REDUCTIONS = (0.7, 3.5)
"""Pixels of a stored picture on one pixel of a patch."""
BLOCK = 8
LUMINANCE = (16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17,
             22, 29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78,
             87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99)  # fmt: skip
"""JPEG's example table of quantization (ITU-T T.81, K.1)."""


def load_portraits(folder: Path, held_out: bool) -> list[np.ndarray]:
    """Portraits of one of both parts, by their place in alphabetical order among all."""
    files = enumerate(sorted(folder.glob("*.jpg")))
    chosen = [
        file for index, file in files if (index % HELD_OUT_EVERY == 0) == held_out and file.stem not in EXCLUDED
    ]
    return [np.asarray(Image.open(file).convert("RGB").resize((SIDE, SIDE), Resampling.LANCZOS)) for file in chosen]


def drawings(count: int, font: str, seed: int) -> list[np.ndarray]:
    with ProcessPoolExecutor(PROCESSES) as pool:
        return list(pool.map(drawing, range(count), [font] * count, [seed] * count))


def drawing(index: int, font: str, seed: int) -> np.ndarray:
    kinds = (draw_leaves, draw_leaves, draw_letters, draw_lines, draw_gradients, draw_texture)
    return kinds[index % len(kinds)](np.random.default_rng([seed, index]), font)


def color(rng: np.random.Generator) -> tuple[int, ...]:
    """Gray, muted or any."""
    saturation = rng.choice([0, 0.3, 1])
    values = rng.integers(0, 256, 3)
    return tuple(int(values[0] + saturation * (value - values[0])) for value in values)


def smaller(large: Image.Image) -> np.ndarray:
    return np.asarray(large.resize((SIDE, SIDE), Resampling.BOX))


def draw_leaves(rng: np.random.Generator, _font: str) -> np.ndarray:
    """Discs and polygons of all sizes over each other, whose statistics are much like those of photos."""
    picture = Image.new("RGB", (2 * SIDE, 2 * SIDE), color(rng))
    draw = ImageDraw.Draw(picture)
    palette = [color(rng) for _ in range(rng.integers(4, 40))]
    for _ in range(rng.integers(400, 2500)):
        radius = 6 / (1 - rng.random() * 0.985) ** 0.8
        x, y = rng.uniform(0, 2 * SIDE, 2)
        angles = np.sort(rng.uniform(0, 2 * math.pi, rng.integers(3, 8)))
        fill = palette[rng.integers(len(palette))]
        if rng.random() < 0.5:
            draw.ellipse((x - radius, y - radius * rng.uniform(0.3, 1), x + radius, y + radius), fill=fill)
        else:
            draw.polygon([(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles], fill=fill)
    return smaller(picture)


def draw_letters(rng: np.random.Generator, font: str) -> np.ndarray:
    background, ink = color(rng), color(rng)
    if rng.random() < 0.5:
        background, ink = (255, 255, 255), (0, 0, 0)
    picture = Image.new("RGB", (2 * SIDE, 2 * SIDE), background)
    draw = ImageDraw.Draw(picture)
    y = 8.0
    while y < 2 * SIDE:
        size = int(rng.integers(14, 90))
        text = "".join(chr(code) for code in rng.choice([*range(48, 58), *range(65, 91), *range(97, 123), 32], 120))
        draw.text((8, y), text, fill=ink, font=ImageFont.truetype(font, size))
        y += 1.3 * size
    return smaller(picture)


def draw_lines(rng: np.random.Generator, _font: str) -> np.ndarray:
    """Fences, grids, hair: lines beside each other in bundles."""
    picture = Image.new("RGB", (2 * SIDE, 2 * SIDE), color(rng))
    draw = ImageDraw.Draw(picture)
    for _ in range(rng.integers(6, 30)):
        angle, step, width = rng.uniform(0, math.pi), rng.uniform(3, 40), int(rng.integers(1, 12))
        center, length, fill = rng.uniform(0, 2 * SIDE, 2), rng.uniform(50, 500), color(rng)
        along, across = np.array([math.cos(angle), math.sin(angle)]), np.array([-math.sin(angle), math.cos(angle)])
        for index in range(rng.integers(1, 30)):
            start = center + across * step * index
            end = start + length * (along + rng.normal(0, 0.05, 2))
            draw.line([*start, *end], fill=fill, width=width)
    return smaller(picture)


def draw_gradients(rng: np.random.Generator, _font: str) -> np.ndarray:
    """Smooth areas that meet at soft and hard borders."""
    y, x = np.mgrid[0:SIDE, 0:SIDE] / SIDE
    total = np.zeros((SIDE, SIDE, 3))
    for _ in range(4):
        waves = np.sin(rng.uniform(0, 12) * x + rng.uniform(0, 12) * y + rng.uniform(0, 6))
        side = np.clip((x * rng.normal() + y * rng.normal() - rng.normal(0, 0.3)) * 10 ** rng.uniform(0, 3), 0, 1)
        total += (waves * side)[..., None] * np.array(color(rng)) / 4
    return np.clip(np.array(color(rng)) / 2 + total, 0, 255).astype(np.uint8)


def draw_texture(rng: np.random.Generator, _font: str) -> np.ndarray:
    """Noise whose strength falls with frequency, as in fabric, foliage and fur."""
    frequency = np.hypot(*np.meshgrid(np.fft.fftfreq(SIDE), np.fft.rfftfreq(SIDE), indexing="ij")) + 1e-3
    mixed = []
    for _ in range(3):
        spectrum = np.fft.rfft2(rng.normal(size=(SIDE, SIDE))) / frequency ** rng.uniform(0.6, 1.6)
        plane = np.fft.irfft2(spectrum, (SIDE, SIDE))
        mixed.append((plane - plane.mean()) / plane.std())
    planes = np.stack([mixed[0] + rng.uniform(0, 0.5) * plane for plane in mixed], -1)
    return np.clip(np.array(color(rng)) + rng.uniform(10, 50) * planes, 0, 255).astype(np.uint8)


class Patches:
    """Patches of pictures with random defects, as the product reduces photos before its network sees them."""

    def __init__(self, pictures: list[np.ndarray], device: torch.device, seed: int):
        self._pictures = torch.from_numpy(np.stack(pictures)).to(device)
        self._device = device
        self._random = torch.Generator(device).manual_seed(seed)
        self._scalars = np.random.default_rng(seed)

    def uniform(self, low: float, high: float, *shape: int) -> torch.Tensor:
        return low + (high - low) * torch.rand(shape, generator=self._random, device=self._device)

    def draw(self, count: int, side: int) -> torch.Tensor:
        """`count` patches in 0..1, of steps of a 255th."""
        reduction = math.exp(self._scalars.uniform(*map(math.log, REDUCTIONS)))
        # Half of the photos are compressed at about the size that the network sees, half at a larger one.
        degraded = side * int(self._scalars.integers(1, 3))
        sharp = resized(self._crops(count, min(SIDE, round(side * reduction))), degraded)
        noisy = self._noisy(self._blurred(sharp, degraded / side))
        is_compressed = self.uniform(0, 1, count, 1, 1, 1) < 0.6
        patches = resized(torch.where(is_compressed, compressed(noisy, self.uniform(20, 98, count)), noisy), side)
        flat = int(count * FLAT_SHARE)
        patches[:flat] = self.uniform(0, 1, flat, 3, 1, 1)
        patches[: flat // 2] = patches[: flat // 2, :1]
        return (patches.clamp(0, 1) * 255).round() / 255

    def _crops(self, count: int, side: int) -> torch.Tensor:
        picture = torch.randint(len(self._pictures), (count,), generator=self._random, device=self._device)
        starts = self.uniform(0, SIDE - side + 0.999, 2, count).long()
        rows, columns = starts[:, :, None] + torch.arange(side, device=self._device)
        crops = self._pictures[picture[:, None, None], rows[:, :, None], columns[:, None, :]]
        crops = crops.permute(0, 3, 1, 2).float() / 255
        if self._scalars.random() < 0.5:
            crops = crops.flip(-1)
        crops = crops.rot90(int(self._scalars.integers(4)), (2, 3))
        if self._scalars.random() < 0.2:
            crops = crops[:, torch.randperm(3, generator=self._random, device=self._device)]
        exposed = crops ** self.uniform(0.5, 2, count, 1, 1, 1) * self.uniform(0.3, 1, count, 1, 1, 1)
        return torch.where(self.uniform(0, 1, count, 1, 1, 1) < 0.4, exposed, crops)

    def _blurred(self, pictures: torch.Tensor, scale: float) -> torch.Tensor:
        count = len(pictures)
        sigma = self.uniform(0.05, 1.1 * scale, count, 1)
        radius = math.ceil(3.3 * scale)
        steps = torch.arange(-radius, radius + 1, device=self._device)
        kernels = torch.exp(-0.5 * (steps / sigma) ** 2)
        kernels = (kernels / kernels.sum(1, keepdim=True)).repeat_interleave(3, 0)[:, None]
        padded = F.pad(pictures, (radius,) * 4, mode="reflect").reshape(1, 3 * count, *(2 * radius + s for s in pictures.shape[2:]))
        across = F.conv2d(padded, kernels[:, :, None], groups=3 * count)
        return F.conv2d(across, kernels[..., None], groups=3 * count).reshape(pictures.shape)

    def _noisy(self, pictures: torch.Tensor) -> torch.Tensor:
        count = len(pictures)
        sigma = (self.uniform(-0.4, 1, count, 1, 1, 1).clamp(0) ** 2) * 16 / 255
        noise = torch.randn(pictures.shape, generator=self._random, device=self._device)
        is_gray = self.uniform(0, 1, count, 1, 1, 1) < 0.3
        return (pictures + sigma * torch.where(is_gray, noise[:, :1], noise)).clamp(0, 1)


def resized(pictures: torch.Tensor, side: int) -> torch.Tensor:
    if pictures.shape[-1] == side:
        return pictures
    return F.interpolate(pictures, (side, side), mode="bicubic", align_corners=False, antialias=True).clamp(0, 1)


def compressed(pictures: torch.Tensor, quality: torch.Tensor) -> torch.Tensor:
    """As JPEG leaves them, with color at half the resolution; sides are multiples of 16."""
    matrix = pictures.new_tensor([[0.299, 0.587, 0.114], [-0.168736, -0.331264, 0.5], [0.5, -0.418688, -0.081312]])
    planes = torch.einsum("ij,njhw->nihw", matrix, pictures * 255)
    scale = torch.where(quality < 50, 50 / quality, 2 - quality / 50)[:, None, None]
    table = pictures.new_tensor(LUMINANCE).reshape(BLOCK, BLOCK)
    bright = through_blocks(planes[:, :1] - 128, table * scale) + 128
    coarse = F.avg_pool2d(planes[:, 1:], 2)
    # The table for color is coarser: 17 to 99.
    hues = through_blocks(coarse, (1.5 * table + 10).clamp(max=99) * scale)
    hues = F.interpolate(hues, scale_factor=2, mode="bilinear", align_corners=False)
    back = torch.einsum("ij,njhw->nihw", torch.linalg.inv(matrix), torch.cat([bright, hues], 1))
    return (back / 255).clamp(0, 1)


def through_blocks(planes: torch.Tensor, steps: torch.Tensor) -> torch.Tensor:
    count, channels, height, width = planes.shape
    places = torch.arange(BLOCK, device=planes.device)
    basis = torch.cos(math.pi / BLOCK * (places[None, :] + 0.5) * places[:, None]) * math.sqrt(2 / BLOCK)
    basis[0] /= math.sqrt(2)
    blocks = planes.reshape(count, channels, height // BLOCK, BLOCK, width // BLOCK, BLOCK)
    waves = torch.einsum("iy,ncaybx,jx->ncaibj", basis, blocks, basis)
    steps = steps.clamp(min=1)[:, None, None, :, None, :]
    kept = (waves / steps).round() * steps
    return torch.einsum("iy,ncaibj,jx->ncaybx", basis, kept, basis).reshape(planes.shape)
