"""Measures the steps of a network of bytes: the value of one step, per channel of each of its tensors.

The network in 32 bits is that of `weights`. It looks at faces of portraits that were blurred or
compressed; a channel's step covers all but one in ten thousand of its values. Needs onnx and onnxruntime.

    python3 measure.py ../../weights/realesrgan-x4plus.onnx PORTRAITS realesrgan-x4plus.f32
"""

import io
import random
import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper
from PIL import Image, ImageFilter

SIDE = 64
EVERY = 5
PORTRAITS = 12
OUTLIERS = 0.0001
# As in rebuild/rrdb.ts.
ZERO_BEFORE = 150
BLOCKS = 69
# Channels that hardly move get no finer step than this share of the widest one's.
LEAST = 1e-3


def face(path: Path, index: int) -> np.ndarray:
    chance = random.Random(index)
    picture = Image.open(path).convert("RGB")
    side = min(picture.size)
    left = (picture.width - side) // 2
    top = int((picture.height - side) * 0.2)
    picture = picture.crop((left, top, left + side, top + side)).resize((SIDE, SIDE), Image.LANCZOS)
    kind = chance.choice(["sharp", "soft", "softer", "compressed"])
    if kind == "soft":
        picture = picture.filter(ImageFilter.GaussianBlur(0.8))
    if kind == "softer":
        picture = picture.filter(ImageFilter.GaussianBlur(1.5))
    if kind == "compressed":
        file = io.BytesIO()
        picture.save(file, "JPEG", quality=chance.choice([40, 70, 85]))
        picture = Image.open(file).convert("RGB")
    return (np.asarray(picture, np.float32) / 255).transpose(2, 0, 1)[None].copy()


def ranges(model: onnx.ModelProto, portraits: list[Path]) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    names = [node.output[0] for node in model.graph.node if node.op_type in ("Conv", "Add")]
    for name in names:
        model.graph.output.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, None))
    session = onnxruntime.InferenceSession(model.SerializeToString())
    found: dict[str, tuple[np.ndarray, np.ndarray]] = {}
    for index, path in enumerate(portraits):
        for name, value in zip(names, session.run(names, {"input": face(path, EVERY * index)})):
            channels = value[0].reshape(value.shape[1], -1)
            low = np.minimum(np.quantile(channels, OUTLIERS, axis=1), 0)
            high = np.maximum(np.quantile(channels, 1 - OUTLIERS, axis=1), 0)
            least, most = found.get(name, (low, high))
            found[name] = (np.minimum(least, low), np.maximum(most, high))
    return found


def steps(model: onnx.ModelProto, found: dict[str, tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    def limited(values: np.ndarray) -> np.ndarray:
        return np.maximum(values, values.max() * LEAST)

    def plain(name: str) -> np.ndarray:
        low, high = found[name]
        return limited(np.maximum(-low, high) / 127)

    def rectified(name: str) -> np.ndarray:
        low, high = found[name]
        return limited(np.maximum(-low / ZERO_BEFORE, high / (255 - ZERO_BEFORE)))

    convolutions = iter([node for node in model.graph.node if node.op_type == "Conv"][1:])
    result = []
    for _ in range(BLOCKS):
        dense = [next(convolutions) for _ in range(5)]
        result.append(plain(dense[0].input[0]))
        result += [rectified(node.output[0]) for node in dense[:4]]
        result.append(plain(dense[4].output[0]))
    body = next(convolutions)
    total = next(node for node in model.graph.node if node.op_type == "Add" and body.output[0] in node.input)
    result += [plain(body.input[0]), plain(body.output[0]), plain(total.output[0])]
    result += [rectified(next(convolutions).output[0]) for _ in range(3)]
    return np.concatenate(result).astype("<f4")


if __name__ == "__main__":
    network, folder, target = sys.argv[1:]
    portraits = sorted(Path(folder).rglob("*.jpg"))[: EVERY * PORTRAITS : EVERY]
    model = onnx.load(network)
    steps(model, ranges(model, portraits)).tofile(target)
