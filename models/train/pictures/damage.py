"""Damage of old prints, drawn over undamaged patches, and what must not pass for damage.

A picture is a height x width x 3 array in 0..255. Damage is drawn as layers of a coverage in 0..1 and a color; what
it changed visibly is the mask that a network is to find.
"""

import io
import math
import string
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

SEEN, UNSEEN = 20, 4
"""Levels by which a pixel that is damaged changes at least, and one that isn't at most; what is between may be either."""
EITHER = 0.5
OVERSAMPLING = 2

Points = list[tuple[float, float]]


@dataclass
class Canvas:
    """A coverage drawn at OVERSAMPLING times the size."""

    side: int

    def __post_init__(self) -> None:
        self._image = Image.new("L", (self.side * OVERSAMPLING, self.side * OVERSAMPLING))
        self._draw = ImageDraw.Draw(self._image)

    def line(self, points: Points, width: float, strength: float = 1) -> None:
        scaled = [(x * OVERSAMPLING, y * OVERSAMPLING) for x, y in points]
        thickness = width * OVERSAMPLING
        # Lines thinner than a pixel of the canvas are drawn fainter instead.
        fill = round(255 * strength * min(1, thickness))
        self._draw.line(scaled, fill, max(1, round(thickness)), "curve")

    def polygon(self, points: Points, strength: float = 1) -> None:
        self._draw.polygon([(x * OVERSAMPLING, y * OVERSAMPLING) for x, y in points], round(255 * strength))

    def text(self, at: tuple[float, float], text: str, font: ImageFont.FreeTypeFont) -> None:
        self._draw.text((at[0] * OVERSAMPLING, at[1] * OVERSAMPLING), text, 255, font)

    def coverage(self, sigma: float = 0) -> np.ndarray:
        image = self._image.reduce(OVERSAMPLING)
        if sigma:
            image = image.filter(ImageFilter.GaussianBlur(sigma))
        return np.asarray(image, np.float32) / 255


def smooth_noise(side: int, cell: float, rng: np.random.Generator) -> np.ndarray:
    """Noise in about -1..1 whose grains are `cell` pixels wide."""
    count = max(2, math.ceil(side / cell) + 1)
    grid = Image.fromarray(rng.standard_normal((count, count)).astype(np.float32))
    return np.asarray(grid.resize((side, side), Image.Resampling.BICUBIC))


def cover(picture: np.ndarray, coverage: np.ndarray, color: np.ndarray) -> np.ndarray:
    return picture + (color - picture) * coverage[..., None]


def walk(start: tuple[float, float], angle: float, length: float, step: float, turn: float, drift: float, rng: np.random.Generator) -> Points:
    """A line whose direction changes by `turn` radians a step, and whose curvature itself wanders by `drift`."""
    x, y = start
    points = [start]
    bend = rng.normal(0, drift)
    for _ in range(max(1, round(length / step))):
        bend = 0.9 * bend + rng.normal(0, drift)
        angle += bend + rng.normal(0, turn)
        x, y = x + step * math.cos(angle), y + step * math.sin(angle)
        points.append((x, y))
    return points


def anywhere(side: int, rng: np.random.Generator) -> tuple[float, float]:
    return float(rng.uniform(0, side)), float(rng.uniform(0, side))


def loss_color(picture: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Of bare paper most often; of dirt or a hole in the negative otherwise. Its tint is about that of the print."""
    tint = picture.mean((0, 1)) / max(1, picture.mean())
    if rng.random() < 0.75:
        return np.clip(rng.uniform(190, 258) * tint * rng.uniform(0.96, 1.04, 3), 0, 255)
    return np.clip(rng.uniform(0, 60) * tint, 0, 255)


# Each of these returns its coverage and its color.

def scratches(picture: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    side = len(picture)
    canvas = Canvas(side)
    angle = rng.uniform(0, 2 * math.pi)
    for _ in range(rng.integers(1, 5)):
        own = angle + rng.normal(0, 0.15) if rng.random() < 0.6 else rng.uniform(0, 2 * math.pi)
        length = side * math.exp(rng.uniform(math.log(0.1), math.log(1.5)))
        points = walk(anywhere(side, rng), own, length, 6, 0.02, 0.006, rng)
        canvas.line(points, math.exp(rng.uniform(math.log(0.7), math.log(4))), rng.uniform(0.6, 1))
    coverage = canvas.coverage(rng.uniform(0, 0.8))
    if rng.random() < 0.6:
        # Where the nail jumped, and where only the gloss is gone.
        coverage = coverage * np.clip(0.75 + 0.6 * smooth_noise(side, rng.uniform(4, 30), rng), 0.0, 1)
    return coverage * rng.uniform(0.55, 1), loss_color(picture, rng)


def fibers(picture: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    side = len(picture)
    canvas = Canvas(side)
    for _ in range(rng.integers(1, 4)):
        points = walk(anywhere(side, rng), rng.uniform(0, 2 * math.pi), rng.uniform(15, 110), 2, 0.05, 0.05, rng)
        canvas.line(points, rng.uniform(0.8, 2.4))
    color = loss_color(picture, rng) if rng.random() < 0.6 else np.full(3, rng.uniform(5, 60))
    return canvas.coverage(rng.uniform(0.2, 0.8)) * rng.uniform(0.6, 1), color


def specks(picture: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    side = len(picture)
    canvas = Canvas(side)
    largest = math.exp(rng.uniform(math.log(1), math.log(7)))
    for _ in range(round(math.exp(rng.uniform(math.log(2), math.log(40))))):
        x, y = anywhere(side, rng)
        radius = max(0.6, largest * rng.uniform(0, 1) ** 2)
        angles = np.linspace(0, 2 * math.pi, 9)[:-1] + rng.uniform(0, 1)
        radii = radius * rng.uniform(0.55, 1.35, 8)
        stretch = rng.uniform(0.6, 1.8)
        canvas.polygon(list(zip(x + radii * np.cos(angles) * stretch, y + radii * np.sin(angles) / stretch)))
    return canvas.coverage(rng.uniform(0, 0.7)) * rng.uniform(0.6, 1), loss_color(picture, rng)


def cracks(picture: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    side = len(picture)
    canvas = Canvas(side)

    def branch(start: tuple[float, float], angle: float, length: float, width: float) -> None:
        points = walk(start, angle, length, rng.uniform(4, 9), 0.35, 0.02, rng)
        for one, two in zip(points, points[1:]):
            canvas.line([one, two], width * rng.uniform(0.6, 1.4))
        if width > 0.9:
            for _ in range(rng.integers(0, 4)):
                at = points[int(rng.integers(len(points)))]
                branch(at, angle + rng.choice([-1, 1]) * rng.uniform(0.4, 1.3), length * rng.uniform(0.2, 0.6), width * 0.65)

    branch(anywhere(side, rng), rng.uniform(0, 2 * math.pi), side * rng.uniform(0.3, 1.2), rng.uniform(0.9, 3))
    return canvas.coverage(rng.uniform(0, 0.6)) * rng.uniform(0.6, 1), loss_color(picture, rng)


def fold(picture: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """A crease right across, broken open in places."""
    side = len(picture)
    canvas = Canvas(side)
    angle = rng.choice([0, math.pi / 2]) + rng.normal(0, 0.08) if rng.random() < 0.7 else rng.uniform(0, math.pi)
    x, y = anywhere(side, rng)
    start = (x - 1.5 * side * math.cos(angle), y - 1.5 * side * math.sin(angle))
    points = walk(start, angle, 3 * side, 5, 0.01, 0.001, rng)
    jagged = [(x + rng.normal(0, 0.5), y + rng.normal(0, 0.5)) for x, y in points]
    for one, two in zip(jagged, jagged[1:]):
        canvas.line([one, two], rng.uniform(1, 5))
    broken = np.clip(0.8 + 0.9 * smooth_noise(side, rng.uniform(3, 18), rng), 0.1, 1)
    return canvas.coverage(rng.uniform(0.2, 0.8)) * broken * rng.uniform(0.6, 1), loss_color(picture, rng)


def spots(picture: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Mold, foxing, drops: with soft and irregular rims, dark, brown or light."""
    side = len(picture)
    canvas = Canvas(side)
    for _ in range(rng.integers(1, 6)):
        x, y = anywhere(side, rng)
        radius = math.exp(rng.uniform(math.log(3), math.log(16)))
        angles = np.linspace(0, 2 * math.pi, 25)[:-1]
        radii = radius * np.clip(1 + 0.22 * np.cumsum(rng.normal(0, 0.5, 24)) * np.hanning(24), 0.3, 2)
        canvas.polygon(list(zip(x + radii * np.cos(angles), y + radii * np.sin(angles))))
    coverage = canvas.coverage(rng.uniform(0.5, 2)) * np.clip(0.85 + 0.25 * smooth_noise(side, 3, rng), 0, 1)
    color = np.array([120, 85, 45]) * rng.uniform(0.3, 1.3) if rng.random() < 0.4 else loss_color(picture, rng)
    return coverage * rng.uniform(0.55, 1), color


def tear(picture: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """From outside into the picture, wide at first, with fibrous edges of white paper."""
    side = len(picture)
    canvas = Canvas(side)
    angle = rng.uniform(0, 2 * math.pi)
    start = (side / 2 - 0.9 * side * math.cos(angle), side / 2 - 0.9 * side * math.sin(angle))
    points = walk(start, angle + rng.normal(0, 0.3), side * rng.uniform(0.6, 1.4), 4, 0.2, 0.02, rng)
    widest = rng.uniform(3, 9)
    for index, (one, two) in enumerate(zip(points, points[1:])):
        canvas.line([one, two], max(0.8, widest * (1 - index / len(points)) * rng.uniform(0.7, 1.3)))
    return canvas.coverage(rng.uniform(0, 0.6)), np.clip(rng.uniform(200, 255) * rng.uniform(0.95, 1.03, 3), 0, 255)


DAMAGES = (scratches, scratches, fibers, specks, specks, cracks, fold, spots, tear)

# What looks like it and is part of the picture.


def any_color(rng: np.random.Generator) -> np.ndarray:
    level = rng.choice([rng.uniform(0, 60), rng.uniform(195, 255), rng.uniform(0, 255)])
    return np.clip(level + rng.normal(0, 18, 3), 0, 255)


def wires(picture: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Even, smooth and right across: cables, ropes, rails. Light ones come in groups."""
    side = len(picture)
    canvas = Canvas(side)
    is_dark = rng.random() < 0.6
    angle, width, sag = rng.uniform(0, math.pi), rng.uniform(0.7, 3.5), rng.normal(0, 0.15)
    for _ in range(rng.integers(1, 4) if is_dark else rng.integers(3, 7)):
        x, y = anywhere(side, rng)
        own = angle + rng.normal(0, 0.06)
        along, across = (math.cos(own), math.sin(own)), (-math.sin(own), math.cos(own))
        reach = np.linspace(-1.6, 1.6, 40) * side
        bend = sag * reach**2 / side
        canvas.line([(x + t * along[0] + b * across[0], y + t * along[1] + b * across[1]) for t, b in zip(reach, bend)], width)
    color = any_color(rng) * (0.3 if is_dark else 1)
    return cover(picture, canvas.coverage(rng.uniform(0.2, 0.6)) * rng.uniform(0.7, 1), color)


def bars(picture: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    side = len(picture)
    canvas = Canvas(side)
    gap, width, tilt = rng.uniform(7, 60), rng.uniform(1, 6), rng.normal(0, 0.08)
    for direction in range(rng.integers(1, 3)):
        at = rng.uniform(0, gap)
        while at < side:
            ends = [(at, -5.0), (at + tilt * side, side + 5.0)]
            canvas.line(ends if direction == 0 else [(y, x) for x, y in ends], width)
            at += gap
    return cover(picture, canvas.coverage(rng.uniform(0.2, 0.7)), any_color(rng))


def strands(picture: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Hair, fur, whiskers, grass: curves that begin together and run side by side."""
    side = len(picture)
    x, y = anywhere(side, rng)
    angle, spread, apart = rng.uniform(0, 2 * math.pi), rng.uniform(0.02, 0.5), rng.uniform(2, 40)
    drift = rng.uniform(0, 0.03)
    base = any_color(rng)
    for _ in range(rng.integers(1, 4)):
        canvas = Canvas(side)
        for _ in range(rng.integers(2, 22)):
            start = (x + rng.normal(0, apart), y + rng.normal(0, apart))
            points = walk(start, angle + rng.normal(0, spread), rng.uniform(20, 1.2 * side), 6, 0.01, drift, rng)
            parts = 4
            for part in range(parts):
                here = points[part * len(points) // parts : (part + 1) * len(points) // parts + 1]
                if len(here) > 1:
                    canvas.line(here, rng.uniform(0.6, 1.6) * (1 - 0.2 * part))
        picture = cover(picture, canvas.coverage(0.3) * rng.uniform(0.4, 1), np.clip(base * rng.uniform(0.6, 1.4), 0, 255))
    return picture


FONTS = ("dejavu/DejaVuSans.ttf", "dejavu/DejaVuSerif.ttf", "liberation/LiberationSans-Bold.ttf", "liberation/LiberationSerif-Italic.ttf", "liberation/LiberationMono-Regular.ttf")


def text(picture: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    side = len(picture)
    canvas = Canvas(side)
    size = round(math.exp(rng.uniform(math.log(8), math.log(60))))
    font = ImageFont.truetype(f"/usr/share/fonts/truetype/{rng.choice(FONTS)}", size * OVERSAMPLING)
    characters = np.array(list(string.ascii_letters + string.digits + "    .,:;-'/()|"))
    at, left = rng.uniform(-size, side * 0.7), rng.uniform(-30, side * 0.6)
    for _ in range(rng.integers(1, 8)):
        canvas.text((left, at), "".join(rng.choice(characters, rng.integers(2, 40))), font)
        at += size * 1.25
    return cover(picture, canvas.coverage(rng.uniform(0, 0.5)), any_color(rng))


def glints(picture: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Beads, chains, buttons, eyes, wet stones: a light core in a dark surround, often in a row."""
    side = len(picture)
    row = walk(anywhere(side, rng), rng.uniform(0, 6.3), rng.uniform(20, 160), rng.uniform(5, 14), 0.1, 0.05, rng)
    radius = rng.uniform(1.5, 5)
    dark, light = Canvas(side), Canvas(side)
    angles = np.linspace(0, 2 * math.pi, 13)[:-1]
    for x, y in row if rng.random() < 0.7 else row[:2]:
        dark.polygon(list(zip(x + radius * np.cos(angles), y + radius * np.sin(angles))))
        small = radius * rng.uniform(0.2, 0.5)
        light.polygon(list(zip(x - radius / 3 + small * np.cos(angles), y - radius / 3 + small * np.sin(angles))))
    picture = cover(picture, dark.coverage(0.5) * rng.uniform(0.5, 0.9), any_color(rng) * 0.6)
    return cover(picture, light.coverage(0.3) * rng.uniform(0.7, 1), np.full(3, rng.uniform(220, 255)))


def sheen(picture: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Reflections on rims, cutlery, glaze, lips and wet eyes: arcs that taper and lie together, and spots with soft edges."""
    side = len(picture)
    canvas = Canvas(side)
    x, y = anywhere(side, rng)
    across, flat, begin = side * rng.uniform(0.08, 0.9), rng.uniform(0.25, 1), rng.uniform(0, 2 * math.pi)
    for _ in range(rng.integers(1, 4)):
        angles = begin + rng.normal(0, 0.4) + np.linspace(0, rng.uniform(0.4, 2.5), 30)
        ring = across * rng.uniform(0.8, 1.05)
        points = list(zip(x + ring * np.cos(angles), y + ring * flat * np.sin(angles)))
        widest = rng.uniform(1, 5)
        for part, (one, two) in enumerate(zip(points, points[1:])):
            canvas.line([one, two], max(0.5, widest * math.sin(math.pi * (part + 0.5) / 29)))
    turned = np.linspace(0, 2 * math.pi, 17)[:-1]
    for _ in range(rng.integers(0, 6)):
        left, top, radius = x + rng.normal(0, across / 3), y + rng.normal(0, across / 3), rng.uniform(0.8, 5)
        canvas.polygon(list(zip(left + radius * np.cos(turned), top + radius * rng.uniform(0.5, 1) * np.sin(turned))))
    return cover(picture, canvas.coverage(rng.uniform(0.4, 1.6)) * rng.uniform(0.5, 1), np.full(3, rng.uniform(215, 255)))


LOOKALIKES = (wires, bars, strands, strands, text, glints, glints, sheen, sheen)


def leaves(side: int, rng: np.random.Generator) -> np.ndarray:
    """A picture of opaque shapes over one another, with edges of all directions and sizes."""
    image = Image.new("RGB", (side * 2, side * 2), tuple(int(v) for v in rng.integers(0, 256, 3)))
    draw = ImageDraw.Draw(image)
    tint = rng.uniform(0, 60)
    for _ in range(120):
        x, y = rng.uniform(-20, side * 2 + 20, 2)
        size = min(side, 5 / rng.uniform(0.02, 1))
        color = tuple(int(v) for v in np.clip(rng.uniform(0, 255) + rng.normal(0, tint, 3), 0, 255))
        if rng.random() < 0.5:
            draw.ellipse([x - size, y - size * 0.7, x + size, y + size * 0.7], color)
        else:
            draw.polygon([(x + rng.normal(0, size), y + rng.normal(0, size)) for _ in range(rng.integers(3, 6))], color)
    picture = np.asarray(image.reduce(2), np.float32)
    return picture + 10 * smooth_noise(side, 2, rng)[..., None]


def old(picture: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Half in gray, a fifth toned, with the contrast of prints."""
    kind = rng.random()
    if kind < 0.7:
        gray = picture @ np.array([0.299, 0.587, 0.114], np.float32)
        picture = np.repeat(gray[..., None], 3, 2)
        if kind < 0.22:
            toned = np.array([1.06, 0.97, 0.8]) ** rng.uniform(0.3, 1.3)
            picture = picture * toned
    low, high = rng.uniform(0, 45), rng.uniform(190, 255)
    if rng.random() < 0.6:
        picture = low + picture * (high - low) / 255
    return np.clip(picture, 0, 255)


def scanned(picture: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Blur, grain and compression, over damage and picture alike."""
    side = len(picture)
    if rng.random() < 0.6:
        image = Image.fromarray(np.clip(picture, 0, 255).astype(np.uint8)).filter(ImageFilter.GaussianBlur(rng.uniform(0.2, 0.9)))
        picture = np.asarray(image, np.float32)
    if rng.random() < 0.7:
        grain = rng.standard_normal((side, side, 1 if rng.random() < 0.7 else 3), np.float32) * rng.uniform(1, 9)
        if rng.random() < 0.4:
            grain = grain * 0.6 + smooth_noise(side, 2, rng)[..., None] * rng.uniform(1, 6)
        picture = picture + grain
    picture = np.clip(np.rint(picture), 0, 255).astype(np.uint8)
    if rng.random() < 0.7:
        buffer = io.BytesIO()
        Image.fromarray(picture).save(buffer, "JPEG", quality=int(rng.integers(55, 97)))
        picture = np.asarray(Image.open(buffer).convert("RGB"))
    return picture


def draw_damage(picture: np.ndarray, count: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """The picture with `count` kinds of damage, and its mask: 1 where it is damaged, EITHER at faint marks and rims."""
    damaged = picture
    for _ in range(count):
        coverage, color = DAMAGES[int(rng.integers(len(DAMAGES)))](picture, rng)
        damaged = cover(damaged, coverage, color)
    change = np.abs(damaged - picture).max(2)
    return damaged, np.where(change >= SEEN, 1, np.where(change > UNSEEN, EITHER, 0)).astype(np.float32)


def pair(patch: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """A scanned patch, damaged two times in three, and its mask of damage."""
    picture = patch.astype(np.float32)
    if rng.random() < 0.45:
        for _ in range(rng.integers(1, 3)):
            picture = LOOKALIKES[int(rng.integers(len(LOOKALIKES)))](picture, rng)
    picture = old(picture, rng)
    mask = np.zeros(picture.shape[:2], np.float32)
    if rng.random() < 0.66:
        picture, mask = draw_damage(picture, int(rng.integers(1, 4)), rng)
    return scanned(picture, rng), mask
