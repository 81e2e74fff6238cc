"""What every training here has: an averaged network, a schedule that counts samples, checkpoints and a curve."""

import argparse
import copy
import csv
import math
import os
import signal
import time
from pathlib import Path
from typing import Callable

import torch
from torch import nn

CHECKPOINT_SECONDS = 300
LOG_STEPS = 50
AVERAGE_DECAY = 0.999

Batch = tuple[torch.Tensor, torch.Tensor]
Losses = dict[str, torch.Tensor]
Rows = list[dict[str, float | str]]


def common_options(description: str, rate: float, samples: int) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--out", type=Path, required=True, help="folder of the checkpoint and the curve")
    parser.add_argument("--resume", action="store_true", help="continue the training in --out")
    parser.add_argument("--init", type=Path, help="start from the weights of another checkpoint")
    parser.add_argument("--samples", type=int, default=samples, help="length of the whole training")
    parser.add_argument("--seconds", type=float, help="length by the clock instead")
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--rate", type=float, default=rate, help="learning rate at the start, of a cosine to 1e-6")
    parser.add_argument("--texture", type=float, default=0, help="weight of the texture loss")
    parser.add_argument("--evaluate-every", type=int, default=4000, help="samples between two lines of the curve")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    return parser


def best_device() -> torch.device:
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Trainer:
    """A network with everything that its training changes. Subclasses define the losses of a step."""

    def __init__(self, network: nn.Module, options: argparse.Namespace):
        self.options = options
        self.device = best_device()
        self.network = network.to(self.device, memory_format=torch.channels_last)
        if options.init:
            print("not in the initial weights:", load_matching(self.network, options.init), flush=True)
        # What is evaluated and exported: steadier than the weights of the last step.
        self.average = copy.deepcopy(self.network).requires_grad_(False)
        self.optimizer = torch.optim.Adam(self.network.parameters(), options.rate)
        # Graphics processors compute in 16 bits several times as fast; the weights keep 32.
        self.precision = torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda")
        self.started = time.monotonic()
        self.samples = 0
        self.cpu_seconds = 0.0

    def step(self, degraded: torch.Tensor, sharp: torch.Tensor) -> Losses:
        """One update of the network. Returns the loss of each kind."""
        raise NotImplementedError

    def fraction(self) -> float:
        """How much of the training is over, in 0..1."""
        if self.options.seconds:
            return min(1, (time.monotonic() - self.started) / self.options.seconds)
        return min(1, self.samples / self.options.samples)

    def update(self, loss: torch.Tensor, samples: int) -> None:
        self.set_rate()
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimizer.step()
        self.samples += samples
        self.update_average(self.samples // samples)

    @torch.no_grad()
    def update_average(self, steps: int) -> None:
        """Follows about the last 1000 steps; fewer at the start, so that it doesn't keep the untrained weights."""
        decay = min(AVERAGE_DECAY, steps / (steps + 10))
        kept = list(self.average.parameters())
        torch._foreach_mul_(kept, decay)
        torch._foreach_add_(kept, list(self.network.parameters()), alpha=1 - decay)

    def rates(self) -> list[tuple[torch.optim.Optimizer, float]]:
        return [(self.optimizer, self.options.rate)]

    def set_rate(self) -> None:
        """A cosine; over the samples unless told otherwise, so that pauses and slow machines don't change it."""
        factor = 0.5 * (1 + math.cos(math.pi * self.fraction()))
        for optimizer, rate in self.rates():
            for group in optimizer.param_groups:
                group["lr"] = rate * factor + 1e-6

    def parts(self) -> dict[str, nn.Module | torch.optim.Optimizer]:
        return {"network": self.network, "average": self.average, "optimizer": self.optimizer}

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


def load_matching(network: nn.Module, path: Path) -> list[str]:
    """Loads the weights of a checkpoint whose names and shapes match; returns the names of the others."""
    state = torch.load(path, map_location="cpu")
    weights = state.get("average", state)
    own = network.state_dict()
    matching = {name: value for name, value in weights.items() if name in own and own[name].shape == value.shape}
    network.load_state_dict({**own, **matching})
    return [name for name in own if name not in matching]


def shown(losses: Losses) -> str:
    return " ".join(f"{name} {value.item():.4f}" for name, value in losses.items())


def append_curve(path: Path, progress: dict, rows: Rows) -> None:
    lines = [{**progress, **row} for row in rows]
    new = not path.exists()
    with path.open("a", newline="") as file:
        writer = csv.DictWriter(file, list(lines[0]))
        if new:
            writer.writeheader()
        writer.writerows(lines)


def print_table(title: str, rows: Rows) -> None:
    print(title, " ".join(f"{name:>10}" for name in rows[0]), flush=True)
    for row in rows:
        print(" " * len(title), " ".join(f"{value:>10}" for value in row.values()), flush=True)


def train(trainer: Trainer, draw: Callable[[int], Batch], measure: Callable[[nn.Module], Rows]) -> None:
    """Runs to the end of the schedule or a SIGTERM; saves every five minutes, measures every so many samples."""
    options = trainer.options
    checkpoint, curve = options.out / "checkpoint.pt", options.out / "curve.csv"
    stopping: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda received, _frame: stopping.append(received))
    saved, measured = time.monotonic(), trainer.samples // options.evaluate_every
    cpu_before = time.process_time() - trainer.cpu_seconds
    while trainer.fraction() < 1 and not stopping:
        losses = trainer.step(*(batch.to(trainer.device) for batch in draw(options.batch)))
        trainer.cpu_seconds = time.process_time() - cpu_before
        if trainer.samples // options.batch % LOG_STEPS == 0:
            print(f"{trainer.samples} samples, {trainer.cpu_seconds:.0f} s of processor: {shown(losses)}", flush=True)
        if trainer.samples // options.evaluate_every > measured:
            measured = trainer.samples // options.evaluate_every
            print_table(f"{trainer.samples} samples", rows := measure(trainer.average))
            append_curve(curve, {"samples": trainer.samples, "cpu_seconds": round(trainer.cpu_seconds)}, rows)
        if time.monotonic() - saved > CHECKPOINT_SECONDS:
            trainer.save(checkpoint)
            saved = time.monotonic()
    trainer.save(checkpoint)
