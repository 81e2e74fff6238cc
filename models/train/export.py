"""Writes the averaged weights of a checkpoint as ONNX: `export.py --checkpoint FILE --out FILE.onnx`.

Of several checkpoints of one training it writes the mean, which has less of the pattern that an adversarial loss leaves
in each of them. The same checkpoint gives the same bytes. Needs Debian's python3-onnx, which PyTorch's exporter calls.
"""

import argparse
import hashlib
import math
from pathlib import Path

import torch
from torch import nn

from model.network import DamageFinder, DetailRestorer, FaceRestorer, FrameRestorer

OPSET = 13


class DamageLikeliness(nn.Module):
    """What the damage finder says, as a picture: the probability of damage in each of three channels."""

    def __init__(self, finder: DamageFinder):
        super().__init__()
        self.finder = finder

    def forward(self, picture: torch.Tensor) -> torch.Tensor:
        return torch.sigmoid(self.finder(picture)).repeat(1, 3, 1, 1)


def load_restorer(*checkpoints: Path) -> nn.Module:
    """The averaged network of a checkpoint or the mean of several, of the kind and size that its weights have."""
    each = [torch.load(checkpoint, map_location="cpu")["average"] for checkpoint in checkpoints]
    weights = {name: sum(one[name] for one in each) / len(each) for name in each[0]}
    width, channels = weights["stem.weight"].shape[:2]
    if "middle.first.weight" in weights:
        network: nn.Module = DamageLikeliness(DamageFinder(width))
        network.finder.load_state_dict(weights)
        return network.eval()
    if "acts.0.weight" in weights:
        network = FrameRestorer(width, layers=len({name.split(".")[1] for name in weights if name.startswith("body.")}))
    elif any(name.startswith("encoders.") for name in weights):
        network = FaceRestorer(width, block=math.isqrt(channels // 3))
    else:
        network = DetailRestorer(width, blocks=len({name.split(".")[1] for name in weights if "blocks." in name}))
    network.load_state_dict(weights)
    return network.eval()


def export(network: nn.Module, out: Path, any_size: bool) -> None:
    """One input `input` and one output `output` of the same shape, float32 RGB in 0..1.

    A face restorer takes any number of squares of its side, or with `any_size` one picture whose sides are multiples of
    eight blocks; a detail restorer takes one picture of any even size, a damage finder one whose sides are multiples of 32.
    A frame restorer has luma instead of RGB and takes any even size.
    """
    is_aligned = isinstance(network, FaceRestorer) and not any_size
    side = network.side if is_aligned else 64
    axes = {0: "faces"} if is_aligned else {2: "height", 3: "width"}
    torch.onnx.export(
        network,
        torch.zeros(1, 1 if isinstance(network, FrameRestorer) else 3, side, side),
        str(out),
        opset_version=OPSET,
        input_names=["input"],
        output_names=["output"],
        dynamic_axes={"input": axes, "output": axes},
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checkpoint", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--any-size", action="store_true", help="the portrait restorer's, which takes pictures of any size")
    options = parser.parse_args()
    export(load_restorer(*options.checkpoint), options.out, options.any_size)
    content = options.out.read_bytes()
    print(f"{options.out}: {len(content)} bytes, SHA-256 {hashlib.sha256(content).hexdigest()}")


if __name__ == "__main__":
    main()
