"""Writes a variant of a training as ONNX: `export.py --weights photo.pt --variant light --out FILE.onnx`.

The same weights give the same bytes. They are stored in 16 bits, which the runtime turns into 32 when it loads them.
"""

import argparse
import hashlib
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import helper, numpy_helper, TensorProto

from network import load_enlarger, PhotoEnlarger, SCALE

OPSET = 13
IR_VERSION = 8


class Graph:
    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []

    def node(self, operator: str, inputs: list[str], name: str, **attributes: object) -> str:
        self.nodes.append(helper.make_node(operator, inputs, [name], name=name, **attributes))
        return name

    def convolution(self, source: str, layer: torch.nn.Conv2d, name: str, order: list[int] | None = None) -> str:
        """`order`: input channels as the layer has them, by their place in the source."""
        kernels = layer.weight.detach().numpy()
        half = (kernels if order is None else kernels[:, order]).astype(np.float16)
        self.weights.append(numpy_helper.from_array(half, f"{name}.half"))
        self.weights.append(numpy_helper.from_array(layer.bias.detach().numpy(), f"{name}.bias"))
        weight = self.node("Cast", [f"{name}.half"], f"{name}.weight", to=TensorProto.FLOAT)
        return self.node("Conv", [source, weight, f"{name}.bias"], name, kernel_shape=[3, 3], pads=[1, 1, 1, 1])


def convert(network: PhotoEnlarger) -> onnx.ModelProto:
    graph, block = Graph(), network.block
    blocks, order = "input", None
    if block > 1:
        blocks = graph.node("SpaceToDepth", ["input"], "blocks", blocksize=block)
        # PyTorch has the pixels of a channel beside each other, ONNX the channels of a pixel.
        order = [channel * block**2 + pixel for pixel in range(block**2) for channel in range(3)]
    base = graph.convolution(blocks, network.base, "base", order)
    features = graph.node("Relu", [graph.convolution(blocks, network.stem, "stem", order)], "stem.relu")
    for index, (first, second) in enumerate(network.pairs):
        inner = graph.node("Relu", [graph.convolution(features, first, f"first{index}")], f"first{index}.relu")
        added = graph.node("Add", [graph.convolution(inner, second, f"second{index}"), features], f"sum{index}")
        features = graph.node("Relu", [added], f"sum{index}.relu")
    total = graph.node("Add", [graph.convolution(features, network.head, "head"), base], "total")
    graph.node("DepthToSpace", [total], "output", blocksize=SCALE * block, mode="CRD")
    sides = ["height", "width"]
    shapes = {"input": [1, 3, *sides], "output": [1, 3, *(f"{SCALE}*{side}" for side in sides)]}
    tensors = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()]
    made = helper.make_graph(graph.nodes, "photo", tensors[:1], tensors[1:], graph.weights)
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
    onnx.checker.check_model(model)
    return model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--variant", required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    weights = torch.load(options.weights, map_location="cpu")[options.variant]
    content = convert(load_enlarger(weights)).SerializeToString()
    options.out.write_bytes(content)
    print(f"{options.out}: {len(content)} bytes, SHA-256 {hashlib.sha256(content).hexdigest()}")


if __name__ == "__main__":
    main()
