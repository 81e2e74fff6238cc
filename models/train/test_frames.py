"""Of clips, compressed by ffmpeg, and of the network that restores their frames: seconds, and needs no photos."""

import argparse
import tempfile
import unittest
from pathlib import Path

import numpy as np
import torch
from PIL import Image

from export import load_restorer
from model.network import FrameRestorer
from pictures.clips import encoder, frames_of, FRAMES, KEPT, SIDE, write_clips
from pictures.damage import leaves
from train_frames import Draws, FrameEvaluator, FrameTrainer, load_pairs, PATCH


def drawn(seed: int) -> np.ndarray:
    return leaves(2 * SIDE, np.random.default_rng(seed)).clip(0, 255).astype(np.uint8)


class Clips(unittest.TestCase):
    def test_move_within_the_photo(self):
        frames = frames_of(drawn(1), np.random.default_rng(2))
        self.assertEqual([frame.shape for frame in frames], [(SIDE, SIDE, 3)] * FRAMES)
        self.assertIsNone(frames_of(drawn(1)[:SIDE], np.random.default_rng(2)))

    def test_are_stored_in_pairs_that_can_be_trained_with(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for kind in ("truth", "compressed"):
                (folder / kind).mkdir()
            for photo in range(2):
                Image.fromarray(drawn(photo)).save(folder / f"photo{photo}.png")
                self.assertGreater(write_clips((folder / f"photo{photo}.png", photo, folder)), len(KEPT) - 1)
            training, validation = load_pairs(folder)
        self.assertEqual(len(training), len(validation))
        for compressed, truth in training:
            self.assertEqual(truth.shape, (SIDE, SIDE))
            self.assertTrue(0 < np.abs(compressed.astype(int) - truth).mean() < 30)

    def test_come_from_several_encoders(self):
        rng = np.random.default_rng(5)
        self.assertEqual({encoder(rng)[1] for _ in range(60)}, {"libx264", "libx265", "mpeg4"})


class Restorer(unittest.TestCase):
    options = argparse.Namespace(width=24, init=None, rate=1e-3, samples=100, seconds=None)

    def test_learns_is_measured_and_exported(self):
        truth = drawn(3).mean(2).astype(np.uint8)
        pairs = [((truth // 24) * 24 + 12, truth)]
        trainer = FrameTrainer(self.options)
        compressed, true = Draws(pairs, seed=1).batch(4)
        self.assertEqual((compressed.shape, true.shape), ((4, 1, PATCH, PATCH), (4, 1, PATCH, PATCH)))
        losses = [trainer.step(compressed, true)["pixels"].item() for _ in range(12)]
        self.assertLess(losses[-1], losses[0])
        self.assertEqual(set(FrameEvaluator(pairs, trainer.device).measure(trainer.average)[0]), {"psnr_gain", "ssim_gain"})
        with tempfile.TemporaryDirectory() as name:
            trainer.save(Path(name) / "checkpoint.pt")
            network = load_restorer(Path(name) / "checkpoint.pt")
        self.assertIsInstance(network, FrameRestorer)
        self.assertEqual(network(compressed).shape, compressed.shape)


if __name__ == "__main__":
    unittest.main()
