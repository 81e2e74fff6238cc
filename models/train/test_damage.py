"""Of drawn damage and of the network that finds it: seconds, and needs no photos."""

import argparse
import tempfile
import unittest
from pathlib import Path

import numpy as np
import torch

from export import load_restorer
from model.network import DamageFinder
from pictures.damage import draw_damage, DAMAGES, EITHER, leaves, LOOKALIKES, pair, SEEN
from train_damage import DamageEvaluator, DamageTrainer, Draws, PATCH

SIDE = 96


def gray(seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).uniform(90, 120, (SIDE, SIDE, 3)).astype(np.float32)


class Damage(unittest.TestCase):
    def test_is_marked_where_it_changes_the_picture_and_nowhere_else(self):
        damaged, mask = draw_damage(gray(), 3, np.random.default_rng(7))
        change = np.abs(damaged - gray()).max(2)
        self.assertGreater(change.max(), SEEN)
        self.assertTrue((change[mask == 1] >= SEEN).all())
        self.assertLess(change[mask == 0].max(), SEEN)

    def test_of_every_kind_is_drawn_within_the_picture(self):
        for draw in set(DAMAGES):
            coverage, color = draw(gray(), np.random.default_rng(3))
            self.assertEqual((coverage.shape, color.shape), ((SIDE, SIDE), (3,)))
            self.assertTrue(0 < coverage.max() <= 1)

    def test_is_not_what_looks_like_it(self):
        for draw in set(LOOKALIKES):
            self.assertGreater(np.abs(draw(gray(), np.random.default_rng(4)) - gray()).max(), 0)
        pairs = [pair(leaves(SIDE, np.random.default_rng(seed)), np.random.default_rng(seed)) for seed in range(20)]
        clean = [mask.max() for _, mask in pairs].count(0)
        self.assertTrue(2 < clean < 14)
        self.assertTrue(all(set(np.unique(mask)) <= {0, EITHER, 1} for _, mask in pairs))


class Finder(unittest.TestCase):
    options = argparse.Namespace(width=12, init=None, rate=1e-3, samples=100, seconds=None)

    def test_learns_keeps_and_exports_probabilities(self):
        trainer = DamageTrainer(self.options)
        pictures, masks = Draws([gray().repeat(2, 0).repeat(2, 1).astype(np.uint8)], seed=1).batch(4)
        self.assertEqual((pictures.shape, masks.shape), ((4, 3, PATCH, PATCH), (4, 1, PATCH, PATCH)))
        losses = [trainer.step(pictures, masks)["entropy"].item() for _ in range(12)]
        self.assertLess(losses[-1], losses[0])
        with tempfile.TemporaryDirectory() as name:
            trainer.save(Path(name) / "checkpoint.pt")
            network = load_restorer(Path(name) / "checkpoint.pt")
        likeliness = network(pictures[:1])
        self.assertEqual(likeliness.shape, (1, 3, PATCH, PATCH))
        self.assertTrue(((likeliness >= 0) & (likeliness <= 1)).all())
        np.testing.assert_array_equal(likeliness[0, 0].detach(), likeliness[0, 2].detach())

    def test_is_measured_with_and_without_damage(self):
        rows = DamageEvaluator([gray().astype(np.uint8)], torch.device("cpu")).measure(DamageFinder())
        self.assertEqual([row["threshold"] for row in rows], [0.5, 0.7, 0.9])
        self.assertTrue(all(0 <= row["f1"] <= 1 for row in rows))


if __name__ == "__main__":
    unittest.main()
