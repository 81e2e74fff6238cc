"""The restorer: a U-Net that works on blocks of pixels and predicts a correction of its input."""

import torch
import torch.nn.functional as F
from torch import nn

BLOCKS_PER_SIDE = 64


class ResidualBlock(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        return features + self.second(F.leaky_relu(self.first(features), 0.1))


class FaceRestorer(nn.Module):
    """RGB in 0..1, N x 3 x height x width, to the same. The output may exceed 0..1 slightly.

    Sides are multiples of eight blocks. One training shows it aligned faces of one size, another patches of portraits.
    `width` is the number of channels at the finest of four levels; the coarsest has four times as many. `block` is the
    side of the blocks in pixels: 4 for 256 pixels, 2 for 128. With the last convolution at zero an untrained network
    returns its input.
    """

    def __init__(self, width: int = 40, block: int = 4):
        super().__init__()
        self.block = block
        levels = [width, width * 2, width * 3, width * 4]
        steps = list(zip(levels, levels[1:]))
        self.stem = nn.Conv2d(3 * block * block, width, 3, padding=1)
        self.encoders = nn.ModuleList([two_blocks(channels) for channels in levels])
        self.downs = nn.ModuleList([nn.Conv2d(fine, coarse, 2, stride=2) for fine, coarse in steps])
        self.ups = nn.ModuleList([nn.Conv2d(coarse, fine, 1) for fine, coarse in steps])
        self.decoders = nn.ModuleList([two_blocks(channels) for channels in levels[:-1]])
        self.head = nn.Conv2d(width, 3 * block * block, 3, padding=1)
        nn.init.zeros_(self.head.weight)
        nn.init.zeros_(self.head.bias)

    @property
    def side(self) -> int:
        """Pixels per side that it is trained for."""
        return self.block * BLOCKS_PER_SIDE

    def forward(self, picture: torch.Tensor) -> torch.Tensor:
        features = self.stem(F.pixel_unshuffle(picture, self.block))
        skipped = []
        for encoder, down in zip(self.encoders, self.downs):
            features = encoder(features)
            skipped.append(features)
            features = down(features)
        features = self.encoders[-1](features)
        for up, decoder, fine in reversed(list(zip(self.ups, self.decoders, skipped))):
            features = decoder(F.interpolate(up(features), scale_factor=2.0, mode="nearest") + fine)
        return picture + F.pixel_shuffle(self.head(features), self.block)


class DetailRestorer(nn.Module):
    """RGB in 0..1 with even sides, N x 3 x height x width, to the same. The output may exceed 0..1 slightly.

    Convolutions only, so that it takes any size; they see 24 pixels in each direction. With the last one at zero an
    untrained network returns its input.
    """

    def __init__(self, width: int = 32, blocks: int = 5):
        super().__init__()
        self.stem = nn.Conv2d(12, width, 3, padding=1)
        self.blocks = nn.Sequential(*(ResidualBlock(width) for _ in range(blocks)))
        self.head = nn.Conv2d(width, 12, 3, padding=1)
        nn.init.zeros_(self.head.weight)
        nn.init.zeros_(self.head.bias)

    def forward(self, picture: torch.Tensor) -> torch.Tensor:
        features = self.blocks(F.leaky_relu(self.stem(F.pixel_unshuffle(picture, 2)), 0.1))
        return picture + F.pixel_shuffle(self.head(features), 2)


class FrameRestorer(nn.Module):
    """Luma of a frame in 0..1 with even sides, N x 1 x height x width, to the same. The output may exceed 0..1 slightly.

    Convolutions on blocks of two pixels, each added to what came before it; they see 14 pixels in each direction.
    """

    SLOPE = 0.1
    """Of the activations at the start."""
    SHARE = 0.5
    """Of what the last convolution says: its weights start small, so that an untrained network nearly returns its input."""

    def __init__(self, width: int = 24, layers: int = 5):
        super().__init__()
        self.stem = nn.Conv2d(4, width, 3, padding=1)
        self.body = nn.ModuleList([nn.Conv2d(width, width, 3, padding=1) for _ in range(layers)])
        self.acts = nn.ModuleList([nn.PReLU(width, self.SLOPE) for _ in range(layers + 1)])
        self.head = nn.Conv2d(width, 4, 3, padding=1)
        self.head.weight.data.mul_(0.1)
        nn.init.zeros_(self.head.bias)

    def forward(self, luma: torch.Tensor) -> torch.Tensor:
        features = self.acts[0](self.stem(F.pixel_unshuffle(luma * 2 - 1, 2)))
        for convolution, act in zip(self.body, self.acts[1:]):
            features = features + act(convolution(features))
        return luma + F.pixel_shuffle(self.head(features), 2).float() * self.SHARE


class PatchDiscriminator(nn.Module):
    """Judges overlapping patches of about 46 pixels: one logit each, high for photographs."""

    def __init__(self, width: int = 32):
        super().__init__()
        sizes = [3, width, width * 2, width * 4]
        layers: list[nn.Module] = []
        for before, after in zip(sizes, sizes[1:]):
            convolution = nn.utils.spectral_norm(nn.Conv2d(before, after, 4, stride=2, padding=1))
            layers += [convolution, nn.LeakyReLU(0.2)]
        layers += [nn.utils.spectral_norm(nn.Conv2d(sizes[-1], sizes[-1], 3, padding=1)), nn.LeakyReLU(0.2)]
        self.layers = nn.Sequential(*layers, nn.Conv2d(sizes[-1], 1, 3, padding=1))

    def forward(self, picture: torch.Tensor) -> torch.Tensor:
        return self.layers(picture * 2 - 1)


def two_blocks(channels: int) -> nn.Sequential:
    return nn.Sequential(ResidualBlock(channels), ResidualBlock(channels))


def count_parameters(network: nn.Module) -> int:
    return sum(parameter.numel() for parameter in network.parameters())


class DamageFinder(nn.Module):
    """RGB in 0..1, N x 3 x height x width, to the logit of damage of each pixel, N x 1 x height x width.

    Sides are multiples of 32. A U-Net on blocks of two pixels, so that the finest level costs a quarter; `width` is the
    number of channels there. Beside the colors it sees how much brighter a pixel is than its surroundings.
    """

    SURROUNDINGS = 9
    """Side of what counts as a pixel's surroundings."""

    def __init__(self, width: int = 12):
        super().__init__()
        levels = [width, width * 4 // 3, width * 2, width * 8 // 3, width * 4]
        steps = list(zip(levels, levels[1:]))
        self.stem = nn.Conv2d(16, width, 3, padding=1)
        self.encoders = nn.ModuleList([ResidualBlock(channels) for channels in levels])
        self.downs = nn.ModuleList([nn.Conv2d(fine, coarse, 2, stride=2) for fine, coarse in steps])
        self.middle = ResidualBlock(levels[-1])
        self.ups = nn.ModuleList([nn.Conv2d(coarse, fine, 1) for fine, coarse in steps])
        self.decoders = nn.ModuleList([ResidualBlock(channels) for channels in levels[:-1]])
        self.head = nn.Conv2d(width, 4, 3, padding=1)
        # Damage is rare: an untrained network finds little.
        nn.init.constant_(self.head.bias, -3)

    def forward(self, picture: torch.Tensor) -> torch.Tensor:
        bright = picture.mean(1, keepdim=True)
        around = F.avg_pool2d(bright, self.SURROUNDINGS, 1, self.SURROUNDINGS // 2, count_include_pad=False)
        features = self.stem(F.pixel_unshuffle(torch.cat([picture * 2 - 1, (bright - around) * 6], 1), 2))
        skipped = []
        for encoder, down in zip(self.encoders, self.downs):
            features = encoder(features)
            skipped.append(features)
            features = down(features)
        features = self.middle(self.encoders[-1](features))
        for up, decoder, fine in reversed(list(zip(self.ups, self.decoders, skipped))):
            features = decoder(F.interpolate(up(features), scale_factor=2.0, mode="nearest") + fine)
        return F.pixel_shuffle(self.head(features), 2)
