"""What a restored face is compared with: pixels, gradients, identity, and a discriminator's judgement."""

import torch
import torch.nn.functional as F
from torch import nn

GRADIENT_WEIGHT = 0.6
STRUCTURE_WINDOW = 8
TEXTURE_WINDOW = 8


def pixel_loss(restored: torch.Tensor, sharp: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """Mean absolute difference of pixels, and of the steps between neighboring pixels, which keeps edges crisp."""
    difference = restored - sharp
    horizontal = difference[..., 1:] - difference[..., :-1]
    vertical = difference[..., 1:, :] - difference[..., :-1, :]
    gradients = (horizontal.abs() * weight[..., 1:]).mean() + (vertical.abs() * weight[..., 1:, :]).mean()
    return (difference.abs() * weight).mean() + GRADIENT_WEIGHT / 2 * gradients


def structure_loss(restored: torch.Tensor, sharp: torch.Tensor) -> torch.Tensor:
    """One minus the structural similarity of brightness (Wang et al. 2004), in windows of 8 pixels."""
    own, truth = restored.mean(1, keepdim=True), sharp.mean(1, keepdim=True)
    mean = lambda plane: F.avg_pool2d(plane, STRUCTURE_WINDOW, 2)
    own_mean, truth_mean = mean(own), mean(truth)
    own_variance, truth_variance = mean(own**2) - own_mean**2, mean(truth**2) - truth_mean**2
    covariance = mean(own * truth) - own_mean * truth_mean
    light = (2 * own_mean * truth_mean + 0.01**2) / (own_mean**2 + truth_mean**2 + 0.01**2)
    structure = (2 * covariance + 0.03**2) / (own_variance + truth_variance + 0.03**2)
    return 1 - (light * structure).mean()


def texture_loss(restored: torch.Tensor, sharp: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """Mean absolute difference of the local contrast of fine detail, in two octaves.

    With pixel losses alone the mean of all plausible pictures wins, which is soft.
    """
    total = restored.new_zeros(())
    for octave in (1, 2):
        own, truth = (fine_contrast(F.avg_pool2d(picture.mean(1, keepdim=True), octave)) for picture in (restored, sharp))
        total = total + ((own - truth).abs() * F.adaptive_avg_pool2d(weight, own.shape[-2:])).mean() / octave
    return total


def fine_contrast(plane: torch.Tensor) -> torch.Tensor:
    """Standard deviation of the Laplacian in overlapping windows."""
    kernel = plane.new_tensor([[0, 1, 0], [1, -4, 1], [0, 1, 0]])[None, None]
    power = F.avg_pool2d(F.conv2d(plane, kernel) ** 2, TEXTURE_WINDOW, TEXTURE_WINDOW // 2)
    return torch.sqrt(power + 1e-6)


def face_weight(side: int) -> torch.Tensor:
    """1 inside the face of an aligned crop, falling to 0.4 outside: the worker blends only the face."""
    steps = (torch.arange(side) + 0.5) / side
    distance = ((steps[None, :] - 0.5) / 0.40) ** 2 + ((steps[:, None] - 0.506) / 0.50) ** 2
    weight = 0.4 + 0.6 * torch.sigmoid((1 - distance) * 4)
    return (weight / weight.mean())[None, None]


class RecognitionLoss(nn.Module):
    """How a recognition network sees the restored and the sharp face: by its embeddings and by what leads to them."""

    def __init__(self, recognizer: nn.Module):
        super().__init__()
        self._recognizer = recognizer.eval().requires_grad_(False)

    def target(self, sharp: torch.Tensor) -> list[torch.Tensor]:
        """What `forward` compares with; several networks that restore the same faces can share it."""
        with torch.no_grad():
            return self._recognizer.features(sharp)

    def forward(self, restored: torch.Tensor, target: list[torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
        """One minus the cosine of the embeddings, and the mean absolute difference of the layers before them."""
        *own_layers, own = self._recognizer.features(restored)
        *layers, embedding = target
        # Per layer relative to its own mean, since layers differ in scale.
        ratios = [(a - b).abs().float().mean() / b.abs().float().mean() for a, b in zip(own_layers, layers)]
        return 1 - F.cosine_similarity(own.float(), embedding.float()).mean(), torch.stack(ratios).mean()


def generator_loss(restored_logits: torch.Tensor) -> torch.Tensor:
    """Hinge loss of the network that is judged."""
    return -restored_logits.mean()


def discriminator_loss(sharp_logits: torch.Tensor, restored_logits: torch.Tensor) -> torch.Tensor:
    """Hinge loss of the judge."""
    return F.relu(1 - sharp_logits).mean() + F.relu(1 + restored_logits).mean()
