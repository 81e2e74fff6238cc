"""The small network for photos, and the large one that it learns from."""

from pathlib import Path

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from onnx import numpy_helper
from torch import nn

SCALE = 4


class PhotoEnlarger(nn.Module):
    """RGB in 0..1, four times as large in the end. The output may exceed 0..1 slightly.

    All its operations are convolutions with rectifiers and sums, which ONNX Runtime fuses. `block` is the side of the
    blocks of pixels that it works on; the picture's sides are multiples of it.
    """

    def __init__(self, width: int, pairs: int, block: int = 1):
        super().__init__()
        self.block = block
        inputs, outputs = 3 * block**2, 3 * (SCALE * block) ** 2
        self.base = nn.Conv2d(inputs, outputs, 3, padding=1)
        self.stem = nn.Conv2d(inputs, width, 3, padding=1)
        self.pairs = nn.ModuleList(
            nn.ModuleList([nn.Conv2d(width, width, 3, padding=1) for _ in range(2)]) for _ in range(pairs)
        )
        self.head = nn.Conv2d(width, outputs, 3, padding=1)
        nn.init.zeros_(self.head.weight)
        nn.init.zeros_(self.head.bias)
        nn.init.zeros_(self.base.bias)
        self.base.weight.data.copy_(interpolation(block))

    def forward(self, picture: torch.Tensor) -> torch.Tensor:
        blocks = F.pixel_unshuffle(picture, self.block) if self.block > 1 else picture
        features = F.relu(self.stem(blocks))
        for first, second in self.pairs:
            features = F.relu(second(F.relu(first(features))) + features)
        return F.pixel_shuffle(self.base(blocks) + self.head(features), SCALE * self.block)


def interpolation(block: int) -> torch.Tensor:
    """Kernels of a convolution of blocks that interpolates linearly: an untrained network enlarges plainly."""
    side = 3 * block
    # A block and its neighbors, with one pixel of value 1 at a time.
    points = torch.eye(side * side).reshape(side * side, 1, side, side)
    enlarged = F.interpolate(points, scale_factor=SCALE, mode="bilinear", align_corners=False)
    middle = enlarged[:, :, SCALE * block : 2 * SCALE * block, SCALE * block : 2 * SCALE * block]
    outputs = (SCALE * block) ** 2
    # By place in the neighborhood and place in the enlarged block, to output, place in a block, row and column.
    plane = middle.reshape(3, block, 3, block, outputs).permute(4, 1, 3, 0, 2).reshape(outputs, block**2, 3, 3)
    weight = torch.zeros(3, outputs, 3, block**2, 3, 3)
    for channel in range(3):
        weight[channel, :, channel] = plane
    return weight.reshape(3 * outputs, 3 * block**2, 3, 3)


class Teacher(nn.Module):
    """A network of convolutions as its ONNX file has it."""

    def __init__(self, file: Path):
        super().__init__()
        graph = onnx.load(str(file)).graph
        self._nodes = graph.node
        # Tensors that no later node reads: all of them together would take gigabytes.
        last = {name: index for index, node in enumerate(graph.node) for name in node.input if name}
        self._last_used = [[name for name, at in last.items() if at == index] for index in range(len(graph.node))]
        for tensor in graph.initializer:
            values = numpy_helper.to_array(tensor)
            self.register_buffer(tensor.name, torch.from_numpy(values.astype(np.float32)))

    @torch.no_grad()
    def forward(self, picture: torch.Tensor) -> torch.Tensor:
        values = {name: buffer.to(picture.dtype) for name, buffer in self.named_buffers()}
        values["input"] = picture
        for index, node in enumerate(self._nodes):
            values[node.output[0]] = run(node, [values[name] for name in node.input if name])
            for name in self._last_used[index]:
                del values[name]
        return values["output"]


def run(node: onnx.NodeProto, inputs: list[torch.Tensor]) -> torch.Tensor:
    if node.op_type == "Conv":
        groups = next((attribute.i for attribute in node.attribute if attribute.name == "group"), 1)
        if groups > 1:
            # One factor a channel; graphics processors take long for such convolutions.
            return inputs[0] * inputs[1].reshape(1, -1, 1, 1)
        bias = inputs[2] if len(inputs) > 2 else None
        return F.conv2d(inputs[0], inputs[1], bias, padding=inputs[1].shape[-1] // 2)
    if node.op_type == "Relu":
        return F.relu(inputs[0])
    if node.op_type == "Add":
        return inputs[0] + inputs[1]
    if node.op_type == "DepthToSpace":
        return F.pixel_shuffle(inputs[0], SCALE)
    if node.op_type == "Resize":
        return F.interpolate(inputs[0], scale_factor=SCALE, mode="nearest")
    if node.op_type in ("Cast", "Identity"):
        return inputs[0]
    raise ValueError(f"no {node.op_type} is expected in this network")


def load_enlarger(weights: dict[str, torch.Tensor]) -> PhotoEnlarger:
    """Of the size that the weights have."""
    width, inputs = weights["stem.weight"].shape[:2]
    pairs = len({name.split(".")[1] for name in weights if name.startswith("pairs.")})
    network = PhotoEnlarger(width, pairs, block=round((inputs / 3) ** 0.5))
    network.load_state_dict({name: values.float() for name, values in weights.items()})
    return network.eval()
