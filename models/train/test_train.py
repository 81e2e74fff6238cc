"""`python3 -m unittest discover models/train`: seconds, and needs no portraits."""

import argparse
import tempfile
import unittest
from pathlib import Path

import numpy as np
import torch

from data import CROP_SIDE, OVERSAMPLING, PairSampler, Portraits, SIDE, VALIDATION, validation_set
from degrade import degrade_fixed, degrade_randomly, disc_kernel, gaussian_kernel, line_kernel
from evaluate import laplacian_variance, luma, psnr, ssim
from export import load_restorer
from model.losses import face_weight, texture_loss
from model.network import DetailRestorer, FaceRestorer, PatchDiscriminator
from portraits import FFHQ, similarity
from train import FaceTrainer
from train_detail import DetailTrainer, PATCH, PatchSampler, PORTRAIT_SIDE


def noise_portraits(people: int, excluded: int) -> Portraits:
    side = CROP_SIDE * OVERSAMPLING
    crops = np.random.default_rng(1).integers(0, 256, (people, side, side, 3), np.uint8)
    return Portraits(crops, [{"excluded": index == excluded} for index in range(people)])


class Degradations(unittest.TestCase):
    picture = np.random.default_rng(2).integers(0, 256, (96, 128, 3), np.uint8)

    def test_keep_size_and_depth(self):
        for seed in range(30):
            degraded = degrade_randomly(self.picture, 1.5 + seed / 3, np.random.default_rng(seed))
            self.assertEqual((degraded.shape, degraded.dtype), (self.picture.shape, np.uint8))

    def test_are_the_same_for_the_same_seed(self):
        first, second = (degrade_randomly(self.picture, 3, np.random.default_rng(5)) for _ in range(2))
        np.testing.assert_array_equal(first, second)

    def test_leave_a_flat_picture_flat_but_for_noise(self):
        flat = np.full((64, 64, 3), 130, np.uint8)
        for severity in VALIDATION.values():
            degraded = degrade_fixed(flat, severity, np.random.default_rng(1))
            self.assertLess(abs(degraded.mean() - 130), 2)

    def test_blur_with_kernels_that_sum_to_one(self):
        for kernel in (gaussian_kernel(2, 1, 0.3), gaussian_kernel(0, 0, 0), disc_kernel(3.4), line_kernel(5, 1)):
            self.assertAlmostEqual(kernel.sum(), 1)
            self.assertEqual(kernel.shape[0] % 2, 1)


class Data(unittest.TestCase):
    def test_split_is_disjoint_and_omits_excluded_people(self):
        portraits = noise_portraits(people=25, excluded=12)
        self.assertEqual(portraits.held_out(), [0, 24])
        self.assertEqual(len(portraits.training()), 22)

    def test_batches_pair_pictures_of_the_network_size(self):
        degraded, sharp = PairSampler(noise_portraits(3, excluded=0), seed=1).batch(2)
        self.assertEqual((degraded.shape, sharp.shape), ((2, 3, SIDE, SIDE),) * 2)

    def test_validation_pictures_are_the_same_at_every_call(self):
        portraits = noise_portraits(1, excluded=5)
        self.assertTrue(torch.equal(validation_set(portraits, 24)[0], validation_set(portraits, 24)[0]))

    def test_alignment_recovers_a_similarity(self):
        angle = np.array([[np.cos(0.3), -np.sin(0.3)], [np.sin(0.3), np.cos(0.3)]])
        matrix = similarity(FFHQ, FFHQ @ (1.7 * angle).T + [3, -2])
        np.testing.assert_allclose(matrix, np.column_stack([1.7 * angle, [3, -2]]), atol=1e-9)


class Patches(unittest.TestCase):
    def test_pair_pictures_of_one_size(self):
        pictures = np.random.default_rng(1).integers(0, 256, (3, PORTRAIT_SIDE, PORTRAIT_SIDE, 3), np.uint8)
        portraits = Portraits(pictures, [{"excluded": False}] * 3)
        degraded, sharp = PatchSampler(portraits, seed=1).batch(4)
        self.assertEqual((degraded.shape, sharp.shape), ((4, 3, PATCH, PATCH),) * 2)


class Measures(unittest.TestCase):
    def test_of_equal_pictures(self):
        picture = torch.rand(2, 3, 64, 64)
        self.assertTrue(torch.allclose(ssim(luma(picture), luma(picture)), torch.ones(2), atol=1e-4))
        self.assertTrue((psnr(picture, picture + 0.1) - 20).abs().max() < 1e-3)

    def test_blur_lowers_sharpness(self):
        picture = torch.rand(1, 3, 64, 64)
        blurred = torch.nn.functional.avg_pool2d(picture, 3, 1, 1)
        self.assertLess(laplacian_variance(blurred).item(), laplacian_variance(picture).item() / 4)

    def test_weight_is_one_on_average(self):
        self.assertAlmostEqual(face_weight(SIDE).mean().item(), 1, places=4)


    def test_texture_loss_ignores_where_detail_is_and_counts_how_much(self):
        picture, weight = torch.rand(1, 3, 64, 64), torch.ones(1, 1, 64, 64)
        flat = torch.full_like(picture, 0.5)
        self.assertLess(texture_loss(picture.flip(3), picture, weight), texture_loss(flat, picture, weight) / 4)


class Networks(unittest.TestCase):
    def test_untrained_restorer_returns_its_input(self):
        picture = torch.rand(1, 3, SIDE, SIDE)
        self.assertTrue(torch.equal(FaceRestorer(16)(picture), picture))

    def test_discriminator_judges_patches(self):
        self.assertEqual(PatchDiscriminator(8)(torch.rand(1, 3, SIDE, SIDE)).shape, (1, 1, SIDE // 8, SIDE // 8))

    def test_average_leaves_the_untrained_weights_behind(self):
        options = argparse.Namespace(width=8, init=None, rate=1e-3, identity=0, adversarial=0, texture=0, samples=10_000)
        trainer = FaceTrainer(options)
        for parameter in trainer.network.parameters():
            parameter.data.fill_(1)
        for step in range(1, 201):
            trainer.update_average(step)
        for parameter in trainer.average.parameters():
            self.assertLess((parameter - 1).abs().max().item(), 1e-6)

    def test_checkpoint_continues_and_exports(self):
        options = argparse.Namespace(width=8, init=None, rate=1e-3, identity=0, adversarial=0.1, texture=0.1, samples=100)
        trainer = FaceTrainer(options)
        pictures = torch.rand(2, 3, SIDE, SIDE)
        trainer.step(pictures, pictures.flip(3))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "checkpoint.pt"
            trainer.save(path)
            resumed = FaceTrainer(options)
            resumed.load(path)
            self.assertEqual(resumed.samples, 2)
            losses = [each.step(pictures, pictures.flip(3)) for each in (trainer, resumed)]
            self.assertEqual(losses[0], losses[1])
            self.assertTrue(torch.isfinite(load_restorer(path)(pictures)).all())

    def test_detail_restorer_keeps_any_even_size_and_exports(self):
        options = argparse.Namespace(width=8, blocks=2, init=None, rate=1e-3, texture=0.2, samples=100)
        trainer = DetailTrainer(options)
        picture = torch.rand(1, 3, 34, 50)
        self.assertTrue(torch.equal(trainer.network(picture), picture))
        patches = torch.rand(2, 3, PATCH, PATCH)
        trainer.step(patches, patches.flip(3))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "checkpoint.pt"
            trainer.save(path)
            restorer = load_restorer(path)
            self.assertIsInstance(restorer, DetailRestorer)
            self.assertEqual(restorer(picture).shape, picture.shape)


if __name__ == "__main__":
    unittest.main()
