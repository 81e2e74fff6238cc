"""Trains the face restorer. `train.py --help` lists the options; README.md tells how to run it."""

import argparse
from pathlib import Path

import torch

from data import load_portraits, PairSampler, SIDE, VALIDATION, validation_set
from evaluate import Evaluator
from model.losses import discriminator_loss, face_weight, generator_loss, pixel_loss, RecognitionLoss, texture_loss
from model.network import BLOCKS_PER_SIDE, count_parameters, FaceRestorer, PatchDiscriminator
from model.pretrained import FaceRes
from model.trainer import append_curve, best_device, common_options, Losses, print_table, train, Trainer


def parse_options() -> argparse.Namespace:
    parser = common_options(__doc__, rate=4e-4, samples=200_000)
    parser.add_argument("--data", type=Path, required=True, help="folder written by portraits.py")
    parser.add_argument("--networks", type=Path, required=True, help="folder of the tfjs graph models")
    parser.add_argument("--width", type=int, default=40, help="channels at the finest level (32, 40, 64)")
    parser.add_argument("--identity", type=float, default=0, help="weight of the identity loss")
    parser.add_argument("--layers", type=float, default=0, help="weight of the difference in the recognizer's layers")
    parser.add_argument("--adversarial", type=float, default=0, help="weight of the adversarial loss")
    parser.add_argument("--judged-from", type=float, default=0, help="part of the training before the adversarial loss")
    return parser.parse_args()


class FaceTrainer(Trainer):
    def __init__(self, options: argparse.Namespace, recognition: RecognitionLoss | None = None):
        super().__init__(FaceRestorer(options.width, block=SIDE // BLOCKS_PER_SIDE), options)
        self.discriminator = PatchDiscriminator().to(self.device)
        self.judge_optimizer = torch.optim.Adam(self.discriminator.parameters(), options.rate / 2, betas=(0.0, 0.99))
        self.weight = face_weight(SIDE).to(self.device)
        self.recognition = recognition if options.identity or options.layers else None

    def step(self, degraded: torch.Tensor, sharp: torch.Tensor, target: list[torch.Tensor] | None = None) -> Losses:
        """One update of the network, and of the discriminator when there is one.

        `target` is what the recognizer makes of the sharp faces, unless it shall be computed here.
        """
        options = self.options
        judged = options.adversarial > 0 and self.fraction() >= options.judged_from
        with self.precision:
            restored = self.network(degraded).float()
        # In 32 bits: steps between neighbors are small beside the pixels.
        losses = {"pixel": pixel_loss(restored, sharp, self.weight)}
        total = losses["pixel"]
        if options.texture:
            losses["texture"] = texture_loss(restored, sharp, self.weight)
            total = total + options.texture * losses["texture"]
        if self.recognition:
            with self.precision:
                target = target or self.recognition.target(sharp)
                losses["identity"], losses["layers"] = self.recognition(restored, target)
            total = total + options.identity * losses["identity"] + options.layers * losses["layers"]
        if judged:
            self.discriminator.requires_grad_(False)
            with self.precision:
                losses["generator"] = generator_loss(self.discriminator(restored).float())
            total = total + options.adversarial * losses["generator"]
        self.update(total, len(sharp))
        if judged:
            losses["discriminator"] = self.step_discriminator(restored.detach(), sharp)
        return {name: value.detach() for name, value in losses.items()}

    def step_discriminator(self, restored: torch.Tensor, sharp: torch.Tensor) -> torch.Tensor:
        self.discriminator.requires_grad_(True)
        with self.precision:
            sharp_logits, restored_logits = self.discriminator(sharp), self.discriminator(restored)
        loss = discriminator_loss(sharp_logits.float(), restored_logits.float())
        self.judge_optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.judge_optimizer.step()
        return loss

    def rates(self) -> list[tuple[torch.optim.Optimizer, float]]:
        return [*super().rates(), (self.judge_optimizer, self.options.rate / 2)]

    def parts(self) -> dict[str, torch.nn.Module | torch.optim.Optimizer]:
        return {
            **super().parts(),
            "discriminator": self.discriminator,
            "discriminator_optimizer": self.judge_optimizer,
        }


def recognition_loss(options: argparse.Namespace) -> RecognitionLoss:
    recognizer = FaceRes(options.networks).to(best_device())
    return RecognitionLoss(recognizer.in_16_bits() if best_device().type == "cuda" else recognizer)


def main() -> None:
    options = parse_options()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    options.out.mkdir(parents=True, exist_ok=True)
    portraits = load_portraits(options.data)
    trainer = FaceTrainer(options, recognition_loss(options))
    if options.resume and (options.out / "checkpoint.pt").exists():
        trainer.load(options.out / "checkpoint.pt")
    # A resumed training draws other samples than those before.
    sampler = PairSampler(portraits, options.seed + trainer.samples)
    evaluator = Evaluator(
        {size: validation_set(portraits, size) for size in VALIDATION},
        FaceRes(options.networks).to(trainer.device),
        trainer.device,
    )
    print(f"{count_parameters(trainer.network):,} parameters; {len(portraits.training())} people to train,", end=" ")
    print(f"{len(portraits.held_out())} held out; {trainer.samples} samples so far", flush=True)
    if not trainer.samples:
        print_table("unrestored", rows := evaluator.measure(lambda degraded: degraded))
        append_curve(options.out / "unrestored.csv", {}, rows)
    train(trainer, sampler.batch, evaluator.measure)


if __name__ == "__main__":
    main()
