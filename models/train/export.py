"""Writes the averaged weights of a checkpoint as ONNX: `export.py --checkpoint FILE --out FILE.onnx`.

The same checkpoint gives the same bytes. Needs Debian's python3-onnx, which PyTorch's exporter calls.
"""

import argparse
import hashlib
import math
from pathlib import Path

import torch

from network import FaceRestorer

OPSET = 13


def load_restorer(checkpoint: Path) -> FaceRestorer:
    state = torch.load(checkpoint, map_location="cpu")
    weights = state["average"]
    width, channels = weights["stem.weight"].shape[:2]
    network = FaceRestorer(width, block=math.isqrt(channels // 3))
    network.load_state_dict(weights)
    return network.eval()


def export(network: FaceRestorer, out: Path) -> None:
    """One input `input` and one output `output`, N x 3 x side x side float32 RGB in 0..1, of any batch size."""
    torch.onnx.export(
        network,
        torch.zeros(1, 3, network.side, network.side),
        str(out),
        opset_version=OPSET,
        input_names=["input"],
        output_names=["output"],
        dynamic_axes={"input": {0: "faces"}, "output": {0: "faces"}},
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    export(load_restorer(options.checkpoint), options.out)
    content = options.out.read_bytes()
    print(f"{options.out}: {len(content)} bytes, SHA-256 {hashlib.sha256(content).hexdigest()}")


if __name__ == "__main__":
    main()
