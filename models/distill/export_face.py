"""Writes the weights of `train_face.py` as ONNX, with the steps of their version in bytes.

    export_face.py --weights face.npz --seen FOLDER --out NAME.onnx --steps NAME.f32

A step is the value of one of the 256 levels of a channel, of each tensor in its order; it covers all but one in ten
thousand of the channel's values for what the worker's steps made of portraits. Needs Debian's python3-onnx.
"""

import argparse
import hashlib
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import helper, numpy_helper, TensorProto

from face_patches import load
from rrdb import DenseBlock, load_network, RESIDUAL, Rrdb, SLOPE

OPSET = 18
IR_VERSION = 8
OUTLIERS = 0.0001
MEASURED = 16
# As in models/rebuild/rrdb.ts.
ZERO_BEFORE = 150
# Channels that hardly move get no finer step than this share of the widest one's.
LEAST = 1e-3


class Graph:
    """Kernels in 16 bits, cast at load."""

    def __init__(self) -> None:
        self._nodes: list[onnx.NodeProto] = []
        self._tensors: list[onnx.TensorProto] = []

    def node(self, operator: str, inputs: list[str], output: str = "", **attributes: object) -> str:
        output = output or f"{operator}_{len(self._nodes)}"
        self._nodes.append(helper.make_node(operator, inputs, [output], **attributes))
        return output

    def constant(self, values: np.ndarray) -> str:
        name = f"constant_{len(self._tensors)}"
        self._tensors.append(numpy_helper.from_array(values, name))
        return name

    def convolve(self, input_name: str, convolution: torch.nn.Conv2d) -> str:
        stored = self.constant(convolution.weight.half().numpy())
        kernels = self.node("Cast", [stored], to=TensorProto.FLOAT)
        bias = self.constant(convolution.bias.numpy())
        return self.node("Conv", [input_name, kernels, bias], kernel_shape=[3, 3], pads=[1, 1, 1, 1])

    def rectified(self, input_name: str, convolution: torch.nn.Conv2d) -> str:
        return self.node("LeakyRelu", [self.convolve(input_name, convolution)], alpha=SLOPE)

    def share(self, input_name: str) -> str:
        return self.node("Mul", [input_name, self.constant(np.array(RESIDUAL, np.float32))])

    def doubled(self, input_name: str) -> str:
        scales = self.constant(np.array([1, 1, 2, 2], np.float32))
        nearest = {"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
        return self.node("Resize", [input_name, "", scales], **nearest)

    def dense(self, features: str, block: DenseBlock) -> str:
        seen = features
        for convolution in block.growing:
            seen = self.node("Concat", [seen, self.rectified(seen, convolution)], axis=1)
        return self.node("Add", [features, self.share(self.convolve(seen, block.last))])

    def model(self) -> onnx.ModelProto:
        sizes = {"input": [1, 3, "height", "width"], "output": [1, 3, "4*height", "4*width"]}
        shown = {name: helper.make_tensor_value_info(name, TensorProto.FLOAT, size) for name, size in sizes.items()}
        graph = helper.make_graph(self._nodes, "network", [shown["input"]], [shown["output"]], self._tensors)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)


def to_onnx(network: Rrdb) -> bytes:
    graph = Graph()
    first = features = graph.convolve("input", network.stem)
    for block in network.blocks:
        inner = features
        for dense in block:
            inner = graph.dense(inner, dense)
        features = graph.node("Add", [features, graph.share(inner)])
    features = graph.node("Add", [first, graph.convolve(features, network.body)])
    for convolution in network.tail[:2]:
        features = graph.rectified(graph.doubled(features), convolution)
    graph.node("Identity", [graph.convolve(graph.rectified(features, network.tail[2]), network.head)], "output")
    return graph.model().SerializeToString()


class Range:
    """What the values of a tensor's channels reach."""

    def __init__(self, is_rectified: bool):
        self._is_rectified = is_rectified
        self._low = self._high = np.zeros(1)

    def see(self, values: torch.Tensor) -> None:
        channels = values[0].flatten(1).numpy()
        self._low = np.minimum(self._low, np.quantile(channels, OUTLIERS, axis=1))
        self._high = np.maximum(self._high, np.quantile(channels, 1 - OUTLIERS, axis=1))

    def steps(self) -> np.ndarray:
        if self._is_rectified:
            steps = np.maximum(-self._low / ZERO_BEFORE, self._high / (255 - ZERO_BEFORE))
        else:
            steps = np.maximum(-self._low, self._high) / 127
        return np.maximum(steps, steps.max() * LEAST)


def measure_steps(network: Rrdb, pictures: list[torch.Tensor]) -> np.ndarray:
    ranges: list[Range] = []

    def watch(module: torch.nn.Module, is_rectified: bool, of_input: bool = False) -> None:
        seen = Range(is_rectified)
        ranges.append(seen)
        module.register_forward_hook(lambda _, inputs, output: seen.see(inputs[0] if of_input else output))

    for block in network.blocks:
        for dense in block:
            watch(dense, False, of_input=True)
            for convolution in dense.growing:
                watch(convolution, True)
            watch(dense.last, False)
    watch(network.body, False, of_input=True)
    watch(network.body, False)
    total = Range(False)
    ranges.append(total)
    for convolution in network.tail:
        watch(convolution, True)
    for picture in pictures:
        features = network.trunk(picture)
        total.see(features)
        network.enlarge(features)
    return np.concatenate([each.steps() for each in ranges]).astype("<f4")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--seen", type=Path, required=True, help="folder of what the worker's steps made of portraits")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=Path, required=True)
    options = parser.parse_args()
    network = load_network(options.weights)
    options.out.write_bytes(to_onnx(network))
    print(f"{options.out}: SHA-256 {hashlib.sha256(options.out.read_bytes()).hexdigest()}")
    portraits = load(options.seen, held_out=False)
    chosen = portraits[:: max(1, len(portraits) // MEASURED)][:MEASURED]
    pictures = [torch.from_numpy(np.asarray(each, np.float32) / 255).permute(2, 0, 1)[None] for each in chosen]
    measure_steps(network, pictures).tofile(options.steps)


if __name__ == "__main__":
    main()
