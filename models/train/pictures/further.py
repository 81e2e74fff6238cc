"""Adds further official portraits to what portraits.py wrote, for training only. README.md tells their sources.

`python3 -m pictures.further --help` lists the options. Portraits are named by the person's ID in the Biographical
Directory of Congress or by ICPSR number. Writes `further.json` and a JPEG of each crop into the folder of the crops.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from PIL.Image import Resampling

from data import central_face, CROP_SIDE, FACE_WIDTH, SIDE, to_tensor
from evaluate import FACE, laplacian_variance
from model.pretrained import FaceDetector, FaceMesh
from pictures.members import Members
from pictures.portraits import align, find_mesh, five_points, similarity, TEMPLATE

STORED_SIDE = CROP_SIDE * 2
LEAST_FACE = 72
"""Pixels across the face in the portrait itself."""
LEAST_SHARPNESS = 0.0045
"""Variance of the Laplacian; nine in ten of the large portraits have .009 and more."""


def squared(portrait: Image.Image) -> Image.Image:
    """In the middle of a square, mirrored at its sides."""
    width, height = portrait.size
    side = max(width, height)
    left, top = (side - width) // 2, (side - height) // 2
    padding = ((top, side - height - top), (left, side - width - left), (0, 0))
    return Image.fromarray(np.pad(np.asarray(portrait), padding, "symmetric"))


def crop_of(file: Path, detector: FaceDetector, mesh: FaceMesh) -> tuple[Image.Image, float] | None:
    """The crop and the width of the face in the portrait; nothing without a face, or if it is too small or soft."""
    portrait = squared(Image.open(file).convert("RGB"))
    points = find_mesh(portrait, detector, mesh)
    if points is None:
        return None
    scale = np.hypot(*similarity(five_points(points), TEMPLATE * SIDE)[:, 0])
    crop = Image.fromarray(align(portrait, five_points(points))).resize((STORED_SIDE, STORED_SIDE), Resampling.LANCZOS)
    sharpness = laplacian_variance(to_tensor([central_face(np.asarray(crop))])[FACE]).item()
    face = float(FACE_WIDTH / scale)
    return (crop, face) if face >= LEAST_FACE and sharpness >= LEAST_SHARPNESS else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--portraits", type=Path, nargs="+", required=True, help="folders of JPEG portraits")
    parser.add_argument("--database", type=Path, required=True, help="voteview's database-raw.json")
    parser.add_argument("--current", type=Path, required=True, help="legislators-current.json")
    parser.add_argument("--people", type=Path, required=True, help="us-house.json")
    parser.add_argument("--networks", type=Path, required=True, help="folder of the tfjs graph models")
    parser.add_argument("--out", type=Path, required=True, help="folder that portraits.py wrote")
    options = parser.parse_args()
    torch.set_num_threads(1)
    members = Members(options.database, options.current, options.people, options.out / "people.json")
    detector, mesh = FaceDetector(options.networks), FaceMesh(options.networks)
    (options.out / "crops").mkdir(exist_ok=True)
    further = []
    for file in (file for folder in options.portraits for file in sorted(folder.glob("*.jpg"))):
        key = members.ids.get(int(file.stem), "") if file.stem.isdigit() else file.stem
        found = crop_of(file, detector, mesh) if members.may_be_used(key) else None
        if found:
            crop, face = found
            name = f"crops/{len(further):04d}.jpg"
            crop.save(options.out / name, quality=90)
            source = file.parent.name
            further.append({"name": key, "source": source, "file": name, "face_px": round(face, 1), "excluded": False})
    (options.out / "further.json").write_text(json.dumps(further, indent=1))
    print(f"{len(further)} further portraits of {len({entry['name'] for entry in further})} people")


if __name__ == "__main__":
    main()
