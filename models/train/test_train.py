"""`python3 -m unittest discover models/train`: seconds, and needs no portraits."""

import argparse
import json
import tempfile
import unittest
from pathlib import Path

import numpy as np
import torch
from PIL import Image

from data import load_portraits, PairSampler, Portraits, SIDE, validation_set
from evaluate import laplacian_variance, luma, psnr, ssim
from export import load_restorer
from model.losses import face_weight, RecognitionLoss, structure_loss, texture_loss
from model.network import DetailRestorer, FaceRestorer, PatchDiscriminator
from pictures.patches import PATCH as PORTRAIT_PATCH
from pictures.portraits import FFHQ, similarity
from pictures.test_pictures import noise_portraits
from train import FaceTrainer
from train_detail import DetailTrainer, PATCH, PatchSampler, PORTRAIT_SIDE
from train_portrait import PortraitTrainer


def face_options(**changes: float) -> argparse.Namespace:
    plain = {"identity": 0, "layers": 0, "adversarial": 0, "judged_from": 0, "texture": 0}
    small = {"width": 8, "init": None, "rate": 1e-3, "samples": 100, "seconds": None}
    return argparse.Namespace(**{**small, **plain, **changes})


class Data(unittest.TestCase):
    def test_split_is_disjoint_and_omits_excluded_people(self):
        portraits = noise_portraits(people=25, excluded=12)
        self.assertEqual(portraits.held_out(), [0, 24])
        self.assertEqual(len(portraits.training()), 22)

    def test_further_portraits_are_trained_with_and_leave_the_split_alone(self):
        portraits = noise_portraits(people=13, excluded=0)
        further = [{"excluded": False, "source": "test"}] * 12
        together = Portraits([*portraits.crops, *portraits.crops[:12]], [*portraits.people, *further])
        self.assertEqual(together.held_out(), portraits.held_out())
        self.assertEqual(together.training(), [*portraits.training(), *range(13, 25)])

    def test_portraits_are_loaded_with_the_further_ones(self):
        portraits = noise_portraits(people=2, excluded=0)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            np.save(folder / "crops.npy", portraits.crops)
            Image.fromarray(portraits.crops[0]).save(folder / "further.png")
            (folder / "people.json").write_text(json.dumps(portraits.people))
            further = [{"excluded": False, "source": "test", "file": "further.png"}]
            (folder / "further.json").write_text(json.dumps(further))
            loaded = load_portraits(folder)
            np.testing.assert_array_equal(loaded.crops[2], portraits.crops[0])
            np.testing.assert_array_equal(loaded.crops[1], portraits.crops[1])

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
        options = face_options(samples=10_000)
        trainer = FaceTrainer(options)
        for parameter in trainer.network.parameters():
            parameter.data.fill_(1)
        for step in range(1, 201):
            trainer.update_average(step)
        for parameter in trainer.average.parameters():
            self.assertLess((parameter - 1).abs().max().item(), 1e-6)

    def test_time_alone_ends_a_training_by_the_clock(self):
        trainer = FaceTrainer(face_options(seconds=1000))
        trainer.samples = 10_000
        self.assertLess(trainer.fraction(), 0.5)
        trainer.started -= 1000
        self.assertEqual(trainer.fraction(), 1)

    def test_recognition_loss_is_nothing_for_the_same_face(self):
        class Recognizer(torch.nn.Module):
            def features(self, faces: torch.Tensor) -> list[torch.Tensor]:
                return [faces, faces.mean((2, 3))]

        loss, faces = RecognitionLoss(Recognizer()), torch.rand(2, 3, 16, 16)
        target, tinted = loss.target(faces), faces * faces.new_tensor([0, 0.5, 1])[:, None, None]
        same, other = loss(faces, target), loss(tinted, target)
        self.assertLess(max(same).item(), 1e-6)
        self.assertGreater(min(other).item(), 1e-3)

    def test_checkpoint_continues_and_exports(self):
        options = face_options(adversarial=0.1, texture=0.1)
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

    def test_mean_of_checkpoints(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder) / name for name in ("first.pt", "second.pt")]
            for value, path in enumerate(paths):
                weights = FaceRestorer(8, block=2).state_dict()
                torch.save({"average": {name: torch.full_like(each, value) for name, each in weights.items()}}, path)
            for parameter in load_restorer(*paths).parameters():
                self.assertTrue(torch.equal(parameter, torch.full_like(parameter, 0.5)))

    def test_detail_restorer_keeps_any_even_size_and_exports(self):
        options = face_options(blocks=2, texture=0.2)
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

    def test_portrait_restorer_takes_pictures_of_other_sizes_than_its_patches(self):
        trainer = PortraitTrainer(face_options())
        picture = torch.rand(1, 3, 48, 80)
        self.assertTrue(torch.equal(trainer.network(picture), picture))
        patches = torch.rand(2, 3, PORTRAIT_PATCH, PORTRAIT_PATCH)
        losses = trainer.step(patches, patches.flip(3))
        self.assertEqual(sorted(losses), ["pixel", "structure"])
        self.assertFalse(torch.equal(trainer.network(picture), picture))

    def test_structure_loss_is_nothing_for_the_same_picture_and_more_for_a_flat_one(self):
        picture = torch.rand(1, 3, 32, 32)
        self.assertLess(structure_loss(picture, picture).item(), 1e-4)
        self.assertGreater(structure_loss(picture.mean() * torch.ones_like(picture), picture).item(), 0.5)


if __name__ == "__main__":
    unittest.main()
