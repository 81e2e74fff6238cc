"""Trains several variants of the face restorer at once, all on the same samples, for a time by the clock.

`train_variants.py --help` lists the options. Writes the averaged weights of each variant, the curves and a sheet of
held-out faces every so often, so that a machine that is taken away costs a minute at most.
"""

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from PIL import Image

from data import load_portraits, Portraits, VALIDATION, validation_set
from evaluate import Evaluator
from model.losses import RecognitionLoss
from model.network import count_parameters
from model.pretrained import FaceRes
from pictures.feed import Pool, PairStream
from train import FaceTrainer, recognition_loss
from model.trainer import append_curve, print_table, Rows, shown

MEDIUM, LARGE = 40, 64
RECOGNIZED = {"identity": 0.1, "layers": 0.1}
VARIANTS: dict[str, dict[str, float]] = {
    "plain": {"width": MEDIUM},
    "true": {"width": MEDIUM, **RECOGNIZED},
    "crisp": {"width": MEDIUM, **RECOGNIZED, "adversarial": 0.006},
    "bold": {"width": MEDIUM, **RECOGNIZED, "adversarial": 0.02},
    "wide": {"width": LARGE, **RECOGNIZED, "adversarial": 0.01},
}
NO_LOSSES = {"identity": 0.0, "layers": 0.0, "adversarial": 0.0}
FIRST_PAIRS = 2048
LOG_SECONDS = 20
SHEET_PEOPLE = 9


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the crops")
    parser.add_argument("--networks", type=Path, required=True, help="folder of the tfjs graph models")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--init", type=Path, help="weights that the variants of its width begin with")
    parser.add_argument("--variants", nargs="+", choices=list(VARIANTS), default=list(VARIANTS))
    parser.add_argument("--seconds", type=float, required=True, help="length of the training")
    parser.add_argument("--save-seconds", type=float, default=60, help="between two measurements")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=4e-4)
    parser.add_argument("--texture", type=float, default=0.04)
    parser.add_argument("--judged-from", type=float, default=0.4)
    parser.add_argument("--workers", type=int, default=2, help="processes that degrade")
    parser.add_argument("--pool", type=int, default=16_384, help="pairs that are kept")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def trainers(options: argparse.Namespace, recognition: RecognitionLoss) -> dict[str, FaceTrainer]:
    made = {}
    for name in options.variants:
        settings = {**vars(options), **NO_LOSSES, **VARIANTS[name]}
        settings["init"] = options.init if settings["width"] == MEDIUM else None
        made[name] = FaceTrainer(argparse.Namespace(**settings), recognition)
        print(f"{name}: {count_parameters(made[name].network):,} parameters", flush=True)
    return made


def save(folder: Path, variants: dict[str, FaceTrainer]) -> None:
    """The averaged weights alone, those of large networks in 16 bits: about 14 MB a variant at most."""
    for name, trainer in variants.items():
        weights = trainer.average.state_dict()
        if trainer.options.width > MEDIUM:
            weights = {key: value.half() for key, value in weights.items()}
        unfinished = folder / f"{name}.tmp"
        weights = {key: value.contiguous().cpu() for key, value in weights.items()}
        torch.save({"average": weights, "progress": {"samples": trainer.samples}}, unfinished)
        unfinished.replace(folder / f"{name}.pt")


@torch.no_grad()
def draw_sheet(path: Path, sets: dict, variants: dict[str, FaceTrainer]) -> None:
    """Held-out people below each other at every size: degraded, by each variant, sharp."""
    rows = []
    for degraded, sharp in sets.values():
        few = degraded[:: max(1, len(degraded) // SHEET_PEOPLE)]
        columns = [few, *(trainer.average(few.to(trainer.device)).cpu() for trainer in variants.values())]
        columns.append(sharp[:: max(1, len(sharp) // SHEET_PEOPLE)])
        rows += [torch.cat([column[i] for column in columns], 2) for i in range(len(few))]
    sheet = torch.cat(rows, 1).clamp(0, 1).permute(1, 2, 0)
    Image.fromarray((sheet * 255).round().numpy().astype(np.uint8)).save(path, quality=93)


def measure(folder: Path, evaluator: Evaluator, variants: dict[str, FaceTrainer], seconds: float) -> None:
    for name, trainer in variants.items():
        rows: Rows = evaluator.measure(trainer.average)
        print_table(f"{name}, {trainer.samples} samples", rows)
        progress = {"variant": name, "samples": trainer.samples, "seconds": round(seconds)}
        append_curve(folder / "curve.csv", progress, rows)


def run(options: argparse.Namespace, portraits: Portraits, pool: Pool) -> None:
    recognition = recognition_loss(options)
    variants = trainers(options, recognition)
    leader = next(iter(variants.values()))
    sets = {size: validation_set(portraits, size) for size in VALIDATION}
    evaluator = Evaluator(sets, FaceRes(options.networks).to(leader.device), leader.device)
    beginning = {"variant": "unrestored", "samples": 0, "seconds": 0}
    append_curve(options.out / "curve.csv", beginning, evaluator.measure(lambda degraded: degraded))
    pool.wait(FIRST_PAIRS)
    start = time.monotonic()
    for trainer in variants.values():
        trainer.started = start
    saved = logged = start
    while leader.fraction() < 1:
        degraded, sharp = pool.draw(options.batch)
        with leader.precision:
            target = recognition.target(sharp)
        losses = {name: trainer.step(degraded, sharp, target) for name, trainer in variants.items()}
        now = time.monotonic()
        if now - logged > LOG_SECONDS:
            logged = now
            print(f"{now - start:.0f} s, {leader.samples} samples, {pool.arrived} pairs", flush=True)
            for name, each in losses.items():
                print(f"  {name}: {shown(each)}", flush=True)
        if now - saved > options.save_seconds:
            saved = now
            save(options.out, variants)
            measure(options.out, evaluator, variants, now - start)
    save(options.out, variants)
    measure(options.out, evaluator, variants, time.monotonic() - start)
    draw_sheet(options.out / "sheet.jpg", sets, variants)


def main() -> None:
    options = parse_options()
    torch.manual_seed(options.seed)
    torch.backends.cudnn.benchmark = True
    options.out.mkdir(parents=True, exist_ok=True)
    portraits = load_portraits(options.data)
    print(f"{len(portraits.training())} portraits to train, {len(portraits.held_out())} held out", flush=True)
    stream = PairStream(portraits, options.seed)
    pool = Pool(stream, options.workers, options.pool)
    try:
        run(options, portraits, pool)
    finally:
        pool.stop()


if __name__ == "__main__":
    main()
