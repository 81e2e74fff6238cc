"""Cuts aligned faces out of portraits. README.md tells where the inputs come from.

Writes `crops.npy` (N x 528 x 528 x 3, 8-bit RGB) and `people.json`, in the same order.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from PIL.Image import Resampling, Transform

from data import CROP_SIDE, OVERSAMPLING, SIDE, to_tensor
from model.pretrained import FaceDetector, FaceMesh

FFHQ = np.array(
    [
        (0.37691676, 0.46864664),
        (0.62285697, 0.46912813),
        (0.50123859, 0.61331904),
        (0.39308822, 0.72541100),
        (0.61150205, 0.72490465),
    ]
)
"""Eyes, nose tip and mouth corners in 0..1 of FFHQ's aligned crop: the template of GFPGAN and its like."""
TEMPLATE = (FFHQ * 256 - [20, 34]) / 216
"""The same points in the part of that crop that the network sees: of 256 pixels, 216 from 20 and 34 on."""
MESH_CONTEXT = 1.5
SMALLEST_PRESENCE = 0.8

EXCLUDED = {
    # Senators later on.
    "adam-schiff", "andrew-kim", "elissa-slotkin", "jim-banks", "john-curtis", "lisa-blunt-rochester",
    "markwayne-mullin", "peter-welch", "ruben-gallego", "ted-budd",
    # Governors before or later on.
    "abigail-spanberger", "charlie-crist", "kelly-armstrong", "mikie-sherrill",
}  # fmt: skip
"""People whose other portraits restoration quality may be measured on; neither trained on nor validated with."""


def similarity(source: np.ndarray, target: np.ndarray) -> np.ndarray:
    """The rotation, scale and shift that bring `source` closest to `target` (Umeyama 1991), as a 2 x 3 matrix."""
    centered_source, centered_target = source - source.mean(0), target - target.mean(0)
    left, values, right = np.linalg.svd(centered_target.T @ centered_source)
    signs = np.array([1, np.sign(np.linalg.det(left @ right))])
    rotation = left @ np.diag(signs) @ right
    scale = (values * signs).sum() / (centered_source**2).sum()
    return np.column_stack([scale * rotation, target.mean(0) - scale * rotation @ source.mean(0)])


def five_points(mesh: np.ndarray) -> np.ndarray:
    """Eyes (the middle of their corners), nose tip and mouth corners of MediaPipe's 468 points."""
    return np.array([(mesh[33] + mesh[133]) / 2, (mesh[362] + mesh[263]) / 2, mesh[1], mesh[61], mesh[291]])


def find_mesh(portrait: Image.Image, detector: FaceDetector, mesh: FaceMesh) -> np.ndarray | None:
    """The face mesh of the largest face, in pixels of a square portrait."""
    side = portrait.width
    box = detector.largest(scaled(portrait, (0, 0, side, side), FaceDetector.SIDE))
    if box is None:
        return None
    x, y, size = (value * side for value in box)
    half = size * MESH_CONTEXT / 2
    window = (max(0, x - half), max(0, y - half), min(side, x + half), min(side, y + half))
    points, presence = mesh.points(scaled(portrait, window, FaceMesh.SIDE))
    if presence < SMALLEST_PRESENCE:
        return None
    left, top, right, bottom = window
    return points * [right - left, bottom - top] + [left, top]


def scaled(picture: Image.Image, box: tuple[float, float, float, float], side: int) -> torch.Tensor:
    return to_tensor([np.asarray(picture.resize((side, side), Resampling.BICUBIC, box=box))])


def align(portrait: Image.Image, points: np.ndarray) -> np.ndarray:
    """The stored crop: the aligned face and its margin at three times the size; mirrored beyond the portrait."""
    border = portrait.width // 4
    padded = np.pad(np.asarray(portrait), ((border, border), (border, border), (0, 0)), "reflect")
    template = TEMPLATE * SIDE + (CROP_SIDE - SIDE) / 2
    # Sampled at twice the stored size and averaged, since the transformation itself doesn't average when it reduces.
    forward = similarity(points + border, template * OVERSAMPLING * 2)
    backward = np.linalg.inv(np.vstack([forward, [0, 0, 1]]))[:2]
    side = CROP_SIDE * OVERSAMPLING * 2
    warped = Image.fromarray(padded).transform((side, side), Transform.AFFINE, backward.flatten(), Resampling.BICUBIC)
    return np.asarray(warped.reduce(2))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--portraits", type=Path, required=True, help="folder of square JPEG portraits, NAME.jpg")
    parser.add_argument("--people", type=Path, required=True, help="us-house.json: who they are")
    parser.add_argument("--networks", type=Path, required=True, help="folder of the tfjs graph models")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    torch.set_num_threads(1)
    detector, mesh = FaceDetector(options.networks), FaceMesh(options.networks)
    described = {person["name_slug"]: person for person in json.loads(options.people.read_text())}
    files = sorted(options.portraits.glob("*.jpg"))
    side = CROP_SIDE * OVERSAMPLING
    options.out.mkdir(parents=True, exist_ok=True)
    crops = np.lib.format.open_memmap(options.out / "crops.npy", "w+", np.uint8, (len(files), side, side, 3))
    people = []
    for index, file in enumerate(files):
        portrait = Image.open(file).convert("RGB")
        points = find_mesh(portrait, detector, mesh)
        if points is not None:
            crops[index] = align(portrait, five_points(points))
        person = described.get(file.stem, {})
        people.append(
            {
                "name": file.stem,
                "excluded": file.stem in EXCLUDED or points is None,
                "ethnicity": person.get("ethnicity"),
                "gender": person.get("gender"),
                "born": person.get("date_of_birth"),
            }
        )
    crops.flush()
    (options.out / "people.json").write_text(json.dumps(people, indent=1))
    print(f"{len(files)} portraits, {sum(person['excluded'] for person in people)} left out")


if __name__ == "__main__":
    main()
