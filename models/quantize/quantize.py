"""Writes a Real-ESRGAN network (RRDB) of 32-bit floats as a graph of bytes:
`quantize.py --network FILE.onnx --pictures FILE… --out FILE.onnx`.

Dense blocks, which cost nearly everything, compute in bytes; the first and the last convolution and the residual path
stay floats, so that errors of 23 blocks don't add up. Needs Debian's python3-torch and python3-onnx.
"""

import argparse
import hashlib
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from PIL import Image
from torch.nn import functional

# 7 bits: AVX2 adds two products of a byte and a weight in 16 bits, which larger weights overflow.
LARGEST_WEIGHT = 63
# Of the values; rarer ones are cut.
RARE = 1e-5
# Pixels, so that every one carries detail.
SIDE = 96
NOISE = 6 / 255
SLOPE = 0.2
RESIDUAL = 0.2
MICROSOFT = "com.microsoft"


def read_convolutions(path: Path) -> list[tuple[np.ndarray, np.ndarray]]:
    """Weights and biases of the network's convolutions, in its order."""
    graph = onnx.load(str(path)).graph
    values = {entry.name: numpy_helper.to_array(entry) for entry in graph.initializer}
    halves = {node.output[0]: node.input[0] for node in graph.node if node.op_type == "Cast"}
    named = lambda name: values[halves.get(name, name)].astype(np.float32)
    return [(named(node.input[1]), named(node.input[2])) for node in graph.node if node.op_type == "Conv"]


class Ranges:
    """Runs the network in floats and keeps the range of every tensor that becomes bytes."""

    def __init__(self, convolutions: list[tuple[np.ndarray, np.ndarray]]) -> None:
        self.tensors = [(torch.from_numpy(weights.copy()), torch.from_numpy(bias)) for weights, bias in convolutions]
        self.blocks = (len(convolutions) - 6) // 15
        self.ranges: dict[str, list[float]] = {}

    def see(self, name: str, value: torch.Tensor) -> torch.Tensor:
        low, high = np.quantile(value.numpy(), [RARE, 1 - RARE])
        known = self.ranges.setdefault(name, [0.0, 0.0])
        known[:] = [min(known[0], low), max(known[1], high)]
        return value

    def convolve(self, at: int, value: torch.Tensor) -> torch.Tensor:
        return functional.conv2d(value, *self.tensors[at], padding=1)

    def run(self, picture: torch.Tensor) -> None:
        first = current = self.convolve(0, picture)
        at = 1
        for _ in range(self.blocks):
            block = current
            for _ in range(3):
                seen = self.see(f"dense{at}", current)
                for step in range(4):
                    raw = self.see(f"raw{at + step}", self.convolve(at + step, seen))
                    grown = self.see(f"dense{at}", functional.leaky_relu(raw, SLOPE))
                    seen = torch.cat([seen, grown], 1)
                current = current + RESIDUAL * self.see(f"raw{at + 4}", self.convolve(at + 4, seen))
                at += 5
            current = block + RESIDUAL * current
        current = self.see("trunk", first + self.convolve(at, current))
        for step in (1, 2, 3):
            if step < 3:
                current = functional.interpolate(current, scale_factor=2, mode="nearest")
            raw = self.see(f"raw{at + step}", self.convolve(at + step, current))
            current = self.see(f"out{at + step}", functional.leaky_relu(raw, SLOPE))


class ByteGraph:
    def __init__(self, convolutions: list[tuple[np.ndarray, np.ndarray]], ranges: dict[str, list[float]]) -> None:
        self.convolutions = convolutions
        self.ranges = ranges
        self.nodes: list[onnx.NodeProto] = []
        self.values: list[onnx.TensorProto] = []

    def value(self, name: str, array: np.ndarray) -> str:
        self.values.append(numpy_helper.from_array(array, name))
        return name

    def node(self, kind: str, inputs: list[str], output: str | None = None, **attributes: object) -> str:
        output = output or f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def bytes_of(self, name: str) -> tuple[float, list[str]]:
        """Step of a tensor's bytes, and the names of step and zero."""
        low, high = self.ranges[name]
        step = np.float32((high - low) / 255)
        if f"{name}_step" not in {entry.name for entry in self.values}:
            self.value(f"{name}_step", step.reshape(()))
            self.value(f"{name}_zero", np.clip(np.rint(-low / step), 0, 255).astype(np.uint8).reshape(()))
        return float(step), [f"{name}_step", f"{name}_zero"]

    def float_convolution(self, at: int, tensor: str, output: str) -> str:
        weights, bias = self.convolutions[at]
        inputs = [tensor, self.value(f"weights{at}", weights), self.value(f"bias{at}", bias)]
        return self.node("Conv", inputs, output, kernel_shape=[3, 3], pads=[1] * 4)

    def convolution(self, at: int, tensor: str, seen: str) -> tuple[str, list[str]]:
        """Bytes of the range `raw{at}`, of bytes of the range `seen`."""
        weights, bias = self.convolutions[at]
        step, named = self.bytes_of(seen)
        _, raw = self.bytes_of(f"raw{at}")
        steps = (np.abs(weights).reshape(len(weights), -1).max(1) / LARGEST_WEIGHT + 1e-12).astype(np.float32)
        whole = np.clip(np.rint(weights / steps[:, None, None, None]), -LARGEST_WEIGHT, LARGEST_WEIGHT)
        inputs = [
            tensor,
            *named,
            self.value(f"weights{at}", whole.astype(np.int8)),
            self.value(f"weights{at}_step", steps),
            self.value(f"weights{at}_zero", np.zeros(len(weights), np.int8)),
            *raw,
            self.value(f"bias{at}", np.rint(bias / (steps * step)).astype(np.int32)),
        ]
        return self.node("QLinearConv", inputs, kernel_shape=[3, 3], pads=[1] * 4), raw

    def rectify(self, tensor: str, raw: list[str], into: str) -> str:
        inputs = [tensor, *raw, *self.bytes_of(into)[1]]
        return self.node("QLinearLeakyRelu", inputs, alpha=SLOPE, domain=MICROSOFT)

    def build(self, blocks: int) -> onnx.ModelProto:
        residual = self.value("residual", np.float32(RESIDUAL).reshape(()))
        twice = self.value("twice", np.array([1, 1, 2, 2], np.float32))
        first = current = self.float_convolution(0, "input", "first")
        at = 1
        for _ in range(blocks):
            block = current
            for _ in range(3):
                # One range for all that is joined: joining then copies.
                dense = f"dense{at}"
                seen = self.node("QuantizeLinear", [current, *self.bytes_of(dense)[1]])
                for step in range(4):
                    raw = self.convolution(at + step, seen, dense)
                    seen = self.node("Concat", [seen, self.rectify(*raw, dense)], axis=1)
                tensor, raw = self.convolution(at + 4, seen, dense)
                change = self.node("Mul", [self.node("DequantizeLinear", [tensor, *raw]), residual])
                current = self.node("Add", [current, change])
                at += 5
            current = self.node("Add", [block, self.node("Mul", [current, residual])])
        current = self.node("Add", [first, self.float_convolution(at, current, "last")])
        known = "trunk"
        current = self.node("QuantizeLinear", [current, *self.bytes_of(known)[1]])
        for step in (1, 2, 3):
            if step < 3:
                nearest = {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
                current = self.node("Resize", [current, "", twice], mode="nearest", **nearest)
            raw = self.convolution(at + step, current, known)
            known = f"out{at + step}"
            current = self.rectify(*raw, known)
        self.float_convolution(at + 4, self.node("DequantizeLinear", [current, *self.bytes_of(known)[1]]), "output")
        picture = lambda name, rows, columns: helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 3, rows, columns])
        graph = helper.make_graph(
            self.nodes,
            "photo-restorer",
            [picture("input", "height", "width")],
            [picture("output", "4*height", "4*width")],
            self.values,
        )
        versions = [helper.make_opsetid("", 13), helper.make_opsetid(MICROSOFT, 1)]
        return helper.make_model(graph, opset_imports=versions, ir_version=8)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--network", type=Path, required=True)
    parser.add_argument("--pictures", type=Path, nargs="+", required=True, help="photographs whose ranges the bytes cover")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    convolutions = read_convolutions(options.network)
    ranges = Ranges(convolutions)
    with torch.no_grad():
        for file in sorted(options.pictures):
            picture = Image.open(file).convert("RGB")
            picture.thumbnail((SIDE, SIDE), Image.Resampling.BICUBIC)
            pixels = np.asarray(picture, np.float32).transpose(2, 0, 1)[None] / 255
            noise = np.random.default_rng(1).normal(0, NOISE, pixels.shape).astype(np.float32)
            for seen in (pixels, pixels + noise):
                ranges.run(torch.from_numpy(np.clip(seen, 0, 1)))
    onnx.save(ByteGraph(convolutions, ranges.ranges).build(ranges.blocks), str(options.out))
    print(f"{options.out}: SHA-256 {hashlib.sha256(options.out.read_bytes()).hexdigest()}")


if __name__ == "__main__":
    main()
