"""Trains the face restorer. `train.py --help` lists the options; README.md tells how to run it."""

import argparse
import copy
import csv
import math
import os
import signal
import time
from pathlib import Path

import torch

from data import load_portraits, PairSampler, SIDE, VALIDATION, validation_set
from evaluate import Evaluator, print_table
from losses import discriminator_loss, face_weight, generator_loss, IdentityLoss, pixel_loss
from network import count_parameters, FaceRestorer, PatchDiscriminator
from pretrained import FaceRes

CHECKPOINT_SECONDS = 300
LOG_STEPS = 50
AVERAGE_DECAY = 0.999


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder written by portraits.py")
    parser.add_argument("--out", type=Path, required=True, help="folder of the checkpoint and the curve")
    parser.add_argument("--resume", action="store_true", help="continue the training in --out")
    parser.add_argument("--init", type=Path, help="start from the weights of another checkpoint")
    parser.add_argument("--width", type=int, default=40, help="channels at the finest level (32, 40, 64)")
    parser.add_argument("--samples", type=int, default=200_000, help="length of the whole training")
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--rate", type=float, default=4e-4, help="learning rate at the start, of a cosine to 1e-6")
    parser.add_argument("--identity", type=float, default=0, help="weight of the identity loss")
    parser.add_argument("--adversarial", type=float, default=0, help="weight of the adversarial loss")
    parser.add_argument("--networks", type=Path, required=True, help="folder of the tfjs graph models")
    parser.add_argument("--evaluate-every", type=int, default=4000, help="samples between two lines of the curve")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


class Trainer:
    """The network with everything that its training changes."""

    def __init__(self, options: argparse.Namespace):
        self.options = options
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.network = FaceRestorer(options.width).to(self.device)
        if options.init:
            print("not in the initial weights:", load_matching(self.network, options.init), flush=True)
        # What is evaluated and exported: steadier than the weights of the last step.
        self.average = copy.deepcopy(self.network).requires_grad_(False)
        self.discriminator = PatchDiscriminator().to(self.device)
        self.optimizer = torch.optim.Adam(self.network.parameters(), options.rate)
        self.judge_optimizer = torch.optim.Adam(self.discriminator.parameters(), options.rate / 2, betas=(0, 0.99))
        self.weight = face_weight(SIDE).to(self.device)
        self.identity = IdentityLoss(FaceRes(options.networks)).to(self.device) if options.identity else None
        self.samples = 0
        self.cpu_seconds = 0.0

    def step(self, degraded: torch.Tensor, sharp: torch.Tensor) -> dict[str, float]:
        """One update of the network, and of the discriminator when there is one. Returns the loss of each kind."""
        options = self.options
        self.set_rate()
        restored = self.network(degraded)
        losses = {"pixel": pixel_loss(restored, sharp, self.weight)}
        total = losses["pixel"]
        if self.identity:
            losses["identity"] = self.identity(restored, sharp)
            total = total + options.identity * losses["identity"]
        if options.adversarial:
            self.discriminator.requires_grad_(False)
            losses["generator"] = generator_loss(self.discriminator(restored))
            total = total + options.adversarial * losses["generator"]
        self.optimizer.zero_grad(set_to_none=True)
        total.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimizer.step()
        if options.adversarial:
            losses["discriminator"] = self.step_discriminator(restored.detach(), sharp)
        self.samples += len(sharp)
        self.update_average(self.samples // len(sharp))
        return {name: value.item() for name, value in losses.items()}

    def step_discriminator(self, restored: torch.Tensor, sharp: torch.Tensor) -> torch.Tensor:
        self.discriminator.requires_grad_(True)
        loss = discriminator_loss(self.discriminator(sharp), self.discriminator(restored))
        self.judge_optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.judge_optimizer.step()
        return loss.detach()

    @torch.no_grad()
    def update_average(self, steps: int) -> None:
        """Follows about the last 1000 steps; fewer at the start, so that it doesn't keep the untrained weights."""
        decay = min(AVERAGE_DECAY, steps / (steps + 10))
        for kept, current in zip(self.average.parameters(), self.network.parameters()):
            kept.lerp_(current, 1 - decay)

    def set_rate(self) -> None:
        """A cosine over the samples, so that pauses and slow machines don't change the schedule."""
        factor = 0.5 * (1 + math.cos(math.pi * min(1, self.samples / self.options.samples)))
        for optimizer, rate in ((self.optimizer, self.options.rate), (self.judge_optimizer, self.options.rate / 2)):
            for group in optimizer.param_groups:
                group["lr"] = rate * factor + 1e-6

    def parts(self) -> dict[str, torch.nn.Module | torch.optim.Optimizer]:
        return {
            "network": self.network,
            "average": self.average,
            "optimizer": self.optimizer,
            "discriminator": self.discriminator,
            "discriminator_optimizer": self.judge_optimizer,
        }

    def save(self, path: Path) -> None:
        """Writes beside the old file and replaces it at once, so that a kill leaves one of the two whole."""
        state: dict = {name: part.state_dict() for name, part in self.parts().items()}
        state["progress"] = {"samples": self.samples, "cpu_seconds": self.cpu_seconds}
        state["options"] = {name: str(value) for name, value in vars(self.options).items()}
        unfinished = path.with_suffix(".tmp")
        torch.save(state, unfinished)
        os.replace(unfinished, path)

    def load(self, path: Path) -> None:
        state = torch.load(path, map_location=self.device)
        for name, part in self.parts().items():
            part.load_state_dict(state[name])
        self.samples, self.cpu_seconds = state["progress"]["samples"], state["progress"]["cpu_seconds"]


def load_matching(network: torch.nn.Module, path: Path) -> list[str]:
    """Loads the weights of a checkpoint whose names and shapes match; returns the names of the others."""
    state = torch.load(path, map_location="cpu")
    weights = state.get("average", state)
    own = network.state_dict()
    matching = {name: value for name, value in weights.items() if name in own and own[name].shape == value.shape}
    network.load_state_dict({**own, **matching})
    return [name for name in own if name not in matching]


def append_curve(path: Path, progress: dict, rows: list[dict]) -> None:
    lines = [{**progress, **row} for row in rows]
    new = not path.exists()
    with path.open("a", newline="") as file:
        writer = csv.DictWriter(file, list(lines[0]))
        if new:
            writer.writeheader()
        writer.writerows(lines)


def main() -> None:
    options = parse_options()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    options.out.mkdir(parents=True, exist_ok=True)
    checkpoint, curve = options.out / "checkpoint.pt", options.out / "curve.csv"
    portraits = load_portraits(options.data)
    trainer = Trainer(options)
    if options.resume and checkpoint.exists():
        trainer.load(checkpoint)
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
    train(trainer, sampler, evaluator, checkpoint, curve)
    trainer.save(checkpoint)


def train(trainer: Trainer, sampler: PairSampler, evaluator: Evaluator, checkpoint: Path, curve: Path) -> None:
    """Runs to the end of the schedule or a SIGTERM; saves every five minutes, measures every so many samples."""
    options = trainer.options
    stopping: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda received, _frame: stopping.append(received))
    saved, measured = time.monotonic(), trainer.samples // options.evaluate_every
    cpu_before = time.process_time() - trainer.cpu_seconds
    while trainer.samples < options.samples and not stopping:
        losses = trainer.step(*(batch.to(trainer.device) for batch in sampler.batch(options.batch)))
        trainer.cpu_seconds = time.process_time() - cpu_before
        if trainer.samples // options.batch % LOG_STEPS == 0:
            shown = " ".join(f"{name} {value:.4f}" for name, value in losses.items())
            print(f"{trainer.samples} samples, {trainer.cpu_seconds:.0f} s of processor: {shown}", flush=True)
        if trainer.samples // options.evaluate_every > measured:
            measured = trainer.samples // options.evaluate_every
            print_table(f"{trainer.samples} samples", rows := evaluator.measure(trainer.average))
            append_curve(curve, {"samples": trainer.samples, "cpu_seconds": round(trainer.cpu_seconds)}, rows)
        if time.monotonic() - saved > CHECKPOINT_SECONDS:
            trainer.save(checkpoint)
            saved = time.monotonic()


if __name__ == "__main__":
    main()
