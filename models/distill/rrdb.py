"""Real-ESRGAN's network for faces: residual-in-residual dense blocks on the small picture, then four times the size."""

import os
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

AROUND_BLOCKS = 6
CONVOLUTIONS_OF_A_BLOCK = 15
RESIDUAL = 0.2
SLOPE = 0.2


class DenseBlock(nn.Module):
    def __init__(self, width: int, growth: int):
        super().__init__()
        channels = [width + growth * step for step in range(5)]
        self.growing = nn.ModuleList([nn.Conv2d(each, growth, 3, padding=1) for each in channels[:4]])
        self.last = nn.Conv2d(channels[4], width, 3, padding=1)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        seen = features
        for convolution in self.growing:
            grown = F.leaky_relu(convolution(seen), SLOPE)
            seen = torch.cat([seen.to(grown.dtype), grown], 1)
        return features + RESIDUAL * self.last(seen)


class Rrdb(nn.Module):
    """RGB in 0..1, N x 3 x height x width, to four times the size. The output may exceed 0..1 slightly."""

    def __init__(self, blocks: int, width: int = 64, growth: int = 32):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 3, padding=1)
        self.blocks = nn.ModuleList(
            [nn.Sequential(*(DenseBlock(width, growth) for _ in range(3))) for _ in range(blocks)]
        )
        self.body = nn.Conv2d(width, width, 3, padding=1)
        self.tail = nn.ModuleList([nn.Conv2d(width, width, 3, padding=1) for _ in range(3)])
        self.head = nn.Conv2d(width, 3, 3, padding=1)

    def trunk(self, picture: torch.Tensor) -> torch.Tensor:
        """Features at the picture's size."""
        # The sums keep the picture's precision where convolutions compute in 16 bits.
        first = features = self.stem(picture).to(picture.dtype)
        for block in self.blocks:
            features = features + RESIDUAL * block(features)
        return first + self.body(features)

    def enlarge(self, features: torch.Tensor) -> torch.Tensor:
        for convolution in self.tail[:2]:
            features = F.leaky_relu(convolution(F.interpolate(features, scale_factor=2.0, mode="nearest")), SLOPE)
        return self.head(F.leaky_relu(self.tail[2](features), SLOPE))

    def forward(self, picture: torch.Tensor) -> torch.Tensor:
        return self.enlarge(self.trunk(picture))


def convolutions(network: Rrdb) -> list[nn.Conv2d]:
    """In the order of their use, which is that of the files in models/weights."""
    dense = [each for block in network.blocks for part in block for each in (*part.growing, part.last)]
    return [network.stem, *dense, network.body, *network.tail, network.head]


def save_network(path: Path, network: Rrdb) -> None:
    """Kernels in 16 bits; beside the old file, which it replaces at once."""
    arrays = {}
    for index, convolution in enumerate(convolutions(network)):
        arrays[f"weight{index:03d}"] = convolution.weight.detach().half().contiguous().cpu().numpy()
        arrays[f"bias{index:03d}"] = convolution.bias.detach().float().cpu().numpy()
    unfinished = path.with_suffix(".tmp.npz")
    np.savez(unfinished, **arrays)
    os.replace(unfinished, path)


def load_network(path: Path) -> Rrdb:
    arrays = np.load(path)
    count = len(arrays.files) // 2
    network = Rrdb((count - AROUND_BLOCKS) // CONVOLUTIONS_OF_A_BLOCK)
    for index, convolution in enumerate(convolutions(network)):
        convolution.weight.data.copy_(torch.from_numpy(arrays[f"weight{index:03d}"].astype(np.float32)))
        convolution.bias.data.copy_(torch.from_numpy(arrays[f"bias{index:03d}"]))
    return network.eval().requires_grad_(False)
