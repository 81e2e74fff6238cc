"""Draws clips of moved photos, compresses them with real encoders, and stores the luma of single frames beside the truth.

A pair is two grey PNG files with the same name in the folders `truth` and `compressed`.
"""

import argparse
import math
import subprocess
import sys
from multiprocessing import Pool
from pathlib import Path

import numpy as np
from PIL import Image
from PIL.Image import Resampling, Transform

SIDE = 320
"""Pixels of a frame."""
FRAMES = 14
KEPT = (3, 8, 12)
"""Frames that are stored: the first ones are better than those that follow."""
MARGIN = 20
"""Pixels that a clip may move in each direction."""
SCALES = (1.4, 2.6)
"""Photos are reduced at least this much, so that a pixel of a frame is sharp."""
CLIPS = 2
"""Of each photo."""
LARGE = 4
"""Photos of more than this many times the area of a frame give `LARGE` times as many clips."""


def frames_of(photo: np.ndarray, rng: np.random.Generator) -> list[np.ndarray] | None:
    """RGB frames of a view that drifts, sways, trembles and turns, as if a hand held the camera; None for a small photo."""
    picture = Image.fromarray(photo)
    scale = rng.uniform(*SCALES)
    outer = SIDE + 2 * MARGIN
    scale = min(scale, min(picture.size) / outer)
    if scale < 1.15:
        return None
    width, height = (round(outer * scale), round(outer * scale))
    left = rng.integers(0, picture.width - width + 1)
    top = rng.integers(0, picture.height - height + 1)
    view = picture.crop((left, top, left + width, top + height))
    if rng.random() < 0.5:
        view = view.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    fine = view.resize((2 * outer, 2 * outer), Resampling.LANCZOS)
    speed = rng.choice([0, 0.3, 1, 2]) * rng.random()
    phases = rng.uniform(0, 2 * math.pi, 6)
    turn = rng.uniform(-0.004, 0.004)
    zoom = rng.uniform(-0.003, 0.003) * (rng.random() < 0.4)
    frames = []
    for at in range(FRAMES):
        swings = [math.sin(at / period + phase) for period, phase in zip((19, 5.3, 1.7, 23, 6.1, 1.9), phases)]
        x = speed * (9 * swings[0] + 4 * swings[1] + 1.2 * swings[2])
        y = speed * (8 * swings[3] + 3 * swings[4] + 1.2 * swings[5])
        x, y = (max(-MARGIN + 4, min(MARGIN - 4, value)) for value in (x, y))
        angle, grown = turn * at * speed, 1 + zoom * at
        cos, sin = grown * math.cos(angle), grown * math.sin(angle)
        centre = outer
        row = (cos, -sin, centre + 2 * x - cos * centre + sin * centre)
        column = (sin, cos, centre + 2 * y - sin * centre - cos * centre)
        moved = fine.transform(fine.size, Transform.AFFINE, row + column, Resampling.BICUBIC)
        inner = moved.crop((2 * MARGIN, 2 * MARGIN, 2 * (MARGIN + SIDE), 2 * (MARGIN + SIDE)))
        frames.append(np.asarray(inner.resize((SIDE, SIDE), Resampling.BOX)))
    return frames


def encoder(rng: np.random.Generator) -> list[str]:
    """Options of ffmpeg: usual encoders at usual to low rates."""
    kind = rng.random()
    if kind < 0.72:
        preset = rng.choice(["ultrafast", "veryfast", "veryfast", "medium"])
        return ["-c:v", "libx264", "-preset", preset, "-crf", str(rng.integers(22, 46))]
    if kind < 0.9:
        return ["-c:v", "libx265", "-preset", "superfast", "-x265-params", "log-level=none", "-crf", str(rng.integers(24, 46))]
    return ["-c:v", "mpeg4", "-q:v", str(rng.integers(3, 24))]


def luma(data: bytes, frames: int) -> np.ndarray:
    planes = np.frombuffer(data, np.uint8).reshape(frames, SIDE * 3 // 2, SIDE)
    return planes[:, :SIDE]


def run(options: list[str], given: bytes) -> bytes:
    return subprocess.run(["ffmpeg", "-v", "error", "-threads", "1", *options], input=given, stdout=subprocess.PIPE, check=True).stdout


RAW = ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", f"{SIDE}x{SIDE}", "-r", "25"]


def write_clips(task: tuple[Path, int, Path]) -> int:
    file, seed, out = task
    rng = np.random.default_rng(seed)
    with Image.open(file) as opened:
        photo = np.asarray(opened.convert("RGB"))
    count = CLIPS * (LARGE if photo.shape[0] * photo.shape[1] > LARGE * 4 * SIDE * SIDE else 1)
    written = 0
    for clip in range(count):
        frames = frames_of(photo, rng)
        if frames is None:
            break
        rgb = np.stack(frames).tobytes()
        shown = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{SIDE}x{SIDE}", "-r", "25", "-i", "-"]
        truth = run([*shown, "-f", "rawvideo", "-pix_fmt", "yuv420p", "-"], rgb)
        path = out / f"{file.stem}-{clip}.mkv"
        run([*RAW, "-i", "-", *encoder(rng), "-pix_fmt", "yuv420p", "-y", str(path)], truth)
        compressed = run(["-i", str(path), "-f", "rawvideo", "-pix_fmt", "yuv420p", "-"], b"")
        path.unlink()
        if len(compressed) != len(truth):
            continue
        for kept in KEPT:
            name = f"{file.stem}-{clip}-{kept}.png"
            for folder, data in (("truth", truth), ("compressed", compressed)):
                Image.fromarray(luma(data, FRAMES)[kept]).save(out / folder / name, compress_level=1)
            written += 1
    return written


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=Path, nargs="+", required=True, help="folders of photos")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    for folder in ("truth", "compressed"):
        (options.out / folder).mkdir(parents=True, exist_ok=True)
    files = sorted((file for folder in options.photos for file in folder.iterdir()), key=lambda file: file.name)
    with Pool(options.workers) as pool:
        tasks = ((file, seed, options.out) for seed, file in enumerate(files))
        written = sum(pool.imap_unordered(write_clips, tasks))
    print(written, "pairs", file=sys.stderr)


if __name__ == "__main__":
    main()
