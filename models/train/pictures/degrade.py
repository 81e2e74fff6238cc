"""Simulated camera and transmission defects: blur, reduction, noise, compression.

A picture is a height x width x 3 array of 8-bit RGB. `reduction` is how many pixels of the sharp picture fall on one
pixel of the degraded one; the result is enlarged back to the sharp picture's size.
"""

import io
import math
from dataclasses import dataclass

import numpy as np
from PIL import Image
from PIL.Image import Resampling

SMALLEST_SIDE = 8
SHRINK_FILTERS = (Resampling.BICUBIC, Resampling.BILINEAR, Resampling.LANCZOS, Resampling.BOX)
ENLARGE_FILTERS = (Resampling.BICUBIC, Resampling.BICUBIC, Resampling.LANCZOS, Resampling.BILINEAR)


@dataclass(frozen=True)
class Severity:
    """One fixed degradation, as used for validation. Sigma in pixels of the sharp picture, noise in 0..255."""

    reduction: float
    sigma: float
    noise: float
    quality: int


def compress(picture: np.ndarray, image_format: str, quality: int) -> np.ndarray:
    buffer = io.BytesIO()
    Image.fromarray(picture).save(buffer, image_format, quality=quality)
    return np.asarray(Image.open(buffer).convert("RGB"))


def resize(picture: np.ndarray, width: int, height: int, resample: Resampling) -> np.ndarray:
    return np.asarray(Image.fromarray(picture).resize((width, height), resample))


def reduced_size(picture: np.ndarray, reduction: float) -> tuple[int, int]:
    height, width = picture.shape[:2]
    return max(SMALLEST_SIDE, round(width / reduction)), max(SMALLEST_SIDE, round(height / reduction))


def degrade_fixed(picture: np.ndarray, severity: Severity, rng: np.random.Generator) -> np.ndarray:
    """Gaussian blur, bicubic reduction, Gaussian noise, JPEG, bicubic enlargement, JPEG 95."""
    height, width = picture.shape[:2]
    blurred = convolve(picture, gaussian_kernel(severity.sigma, severity.sigma, 0))
    small = resize(blurred, *reduced_size(picture, severity.reduction), Resampling.BICUBIC)
    noisy = to_bytes(small + rng.normal(0, severity.noise, small.shape))
    return compress(resize(compress(noisy, "JPEG", severity.quality), width, height, Resampling.BICUBIC), "JPEG", 95)


def degrade_randomly(picture: np.ndarray, reduction: float, rng: np.random.Generator) -> np.ndarray:
    """A random member of a wider family: three blurs, two noises, JPEG once or twice or WebP, over-sharpening."""
    height, width = picture.shape[:2]
    blurred = convolve(picture, random_kernel(reduction, rng))
    small = resize(blurred, *reduced_size(picture, reduction), pick(SHRINK_FILTERS, rng))
    small = add_noise(small, rng)
    if rng.random() < 0.15:
        small = compress(small, "JPEG", int(rng.integers(50, 96)))
    if rng.random() < 0.1:
        small = sharpen(small, amount=rng.uniform(0.3, 1))
    small = compress(small, "WEBP" if rng.random() < 0.12 else "JPEG", int(rng.integers(35, 96)))
    enlarged = resize(small, width, height, pick(ENLARGE_FILTERS, rng))
    return compress(enlarged, "JPEG", 95) if rng.random() < 0.6 else enlarged


def degrade_like_bench(picture: np.ndarray, reduction: float, rng: np.random.Generator) -> np.ndarray:
    """The family of `pnpm bench quality`: blur grows with the reduction, compression with the noise."""
    noise = rng.uniform(2, 18)
    quality = round(np.clip(90 - 2.9 * noise + rng.normal(0, 6), 30, 95))
    return degrade_fixed(picture, Severity(reduction, rng.uniform(0.45, 0.7) * reduction, noise, quality), rng)


def random_reduction(rng: np.random.Generator, smallest: float = 1.1, largest: float = 7.3) -> float:
    """Uniform in the logarithm, so that each octave of sizes is seen equally often."""
    return math.exp(rng.uniform(math.log(smallest), math.log(largest)))


def random_kernel(reduction: float, rng: np.random.Generator) -> np.ndarray:
    """Gaussian (lens and resampling), disc (defocus) or line (motion), wider for smaller faces."""
    sigma = rng.uniform(0, 0.8) * reduction
    kind = rng.random()
    if kind < 0.75 or sigma < 0.6:
        return gaussian_kernel(sigma, sigma * rng.uniform(0.7, 1), rng.uniform(0, math.pi))
    return disc_kernel(sigma * 1.3) if kind < 0.88 else line_kernel(sigma * 1.5, rng.uniform(0, math.pi))


def gaussian_kernel(sigma_x: float, sigma_y: float, angle: float) -> np.ndarray:
    x, y = rotated_grid(math.ceil(3 * max(sigma_x, sigma_y)), angle)
    kernel = np.exp(-0.5 * ((x / max(sigma_x, 1e-3)) ** 2 + (y / max(sigma_y, 1e-3)) ** 2))
    return kernel / kernel.sum()


def disc_kernel(radius: float) -> np.ndarray:
    x, y = rotated_grid(math.ceil(radius), 0)
    kernel = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1)
    return kernel / kernel.sum()


def line_kernel(half_length: float, angle: float) -> np.ndarray:
    x, y = rotated_grid(math.ceil(half_length), angle)
    kernel = np.clip(1 - np.abs(y), 0, 1) * np.clip(half_length + 0.5 - np.abs(x), 0, 1)
    return kernel / kernel.sum()


def rotated_grid(radius: int, angle: float) -> tuple[np.ndarray, np.ndarray]:
    y, x = np.mgrid[-radius : radius + 1, -radius : radius + 1].astype(np.float64)
    return x * math.cos(angle) + y * math.sin(angle), y * math.cos(angle) - x * math.sin(angle)


def convolve(picture: np.ndarray, kernel: np.ndarray) -> np.ndarray:
    """Two-dimensional convolution by Fourier transform, mirrored at the edges."""
    radius = kernel.shape[0] // 2
    if radius == 0:
        return picture
    padded = np.pad(picture.astype(np.float32), ((radius, radius), (radius, radius), (0, 0)), "reflect")
    # Multiples of 32 have no large prime factors, which would make the transformation slow.
    shape = tuple(-(-length // 32) * 32 for length in padded.shape[:2])
    spectrum = np.fft.rfft2(padded, shape, axes=(0, 1)) * np.fft.rfft2(kernel, shape)[..., None]
    full = np.fft.irfft2(spectrum, shape, axes=(0, 1))
    height, width = picture.shape[:2]
    return to_bytes(full[2 * radius : 2 * radius + height, 2 * radius : 2 * radius + width])


def add_noise(picture: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Noise with a standard deviation of 0..16; in color or in gray, constant or growing with light (shot noise)."""
    gray = rng.random() < 0.3
    noise = rng.normal(0, rng.uniform(0, 16), (*picture.shape[:2], 1 if gray else 3))
    if rng.random() < 0.4:
        noise = noise * np.sqrt((picture.astype(np.float32) + 8) / 128)
    return to_bytes(picture + noise)


def sharpen(picture: np.ndarray, amount: float) -> np.ndarray:
    return to_bytes(picture + amount * (picture.astype(np.float32) - convolve(picture, gaussian_kernel(1, 1, 0))))


def to_bytes(values: np.ndarray) -> np.ndarray:
    return np.clip(np.rint(values), 0, 255).astype(np.uint8)


def pick(choices: tuple[Resampling, ...], rng: np.random.Generator) -> Resampling:
    return choices[int(rng.integers(len(choices)))]
