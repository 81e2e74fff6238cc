"""Of degradations, of the people that further portraits may show, and of the processes that feed training."""

import json
import tempfile
import unittest
from pathlib import Path

import numpy as np
import torch
from PIL import Image

from data import CROP_SIDE, FACE_WIDTH, OVERSAMPLING, Portraits, random_face_reduction, SIDE, VALIDATION
from pictures.degrade import convolve, degrade_fixed, degrade_like_bench, degrade_randomly
from pictures.degrade import disc_kernel, gaussian_kernel, line_kernel
from pictures.feed import CHUNK, PairStream, Pool
from pictures.further import squared
from pictures.members import Members
from pictures.patches import fine_energy, held_out_patches, HELD_OUT, PATCH, PatchStream, SOFT, STORED_SIDE


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

    def test_like_the_bench_keep_size_and_depth(self):
        for seed in range(10):
            degraded = degrade_like_bench(self.picture, 1.5 + seed / 2, np.random.default_rng(seed))
            self.assertEqual((degraded.shape, degraded.dtype), (self.picture.shape, np.uint8))

    def test_convolve_as_defined(self):
        kernel = disc_kernel(2.2)
        blurred = convolve(self.picture, kernel)[30:40, 50:60, 1]
        windows = np.lib.stride_tricks.sliding_window_view(self.picture[..., 1].astype(float), kernel.shape)
        expected = (windows * kernel).sum((2, 3))[27:37, 47:57]
        self.assertLessEqual(np.abs(blurred - expected).max(), 0.51)

    def test_reduce_portraits_of_small_faces_below_their_own_pixels(self):
        rng = np.random.default_rng(3)
        self.assertGreaterEqual(min(random_face_reduction(rng, 72) for _ in range(200)), 1.5 * FACE_WIDTH / 72)
        self.assertLess(min(random_face_reduction(rng, None) for _ in range(200)), 1.5)

    def test_leave_a_flat_picture_flat_but_for_noise(self):
        flat = np.full((64, 64, 3), 130, np.uint8)
        for severity in VALIDATION.values():
            degraded = degrade_fixed(flat, severity, np.random.default_rng(1))
            self.assertLess(abs(degraded.mean() - 130), 2)

    def test_blur_with_kernels_that_sum_to_one(self):
        for kernel in (gaussian_kernel(2, 1, 0.3), gaussian_kernel(0, 0, 0), disc_kernel(3.4), line_kernel(5, 1)):
            self.assertAlmostEqual(kernel.sum(), 1)
            self.assertEqual(kernel.shape[0] % 2, 1)


class Further(unittest.TestCase):
    def members(self, folder: Path) -> Members:
        def row(number: int, name: str, chamber: str) -> dict:
            return {"icpsr": number, "bioguide_id": f"X{number:06d}", "bioname": name, "chamber": chamber}

        database = [
            row(1, "DOE, Jane Q.", "House"),
            row(2, "ROE, Richard", "House"),
            row(2, "ROE, Richard", "Senate"),
            row(3, "DESANTIS, Ron", "House"),
            row(4, "POE, Josephine", "House"),
            row(5, "LOWE, Ann", "House"),
        ]
        current = [
            {"id": {"bioguide": "X000005"}, "name": {"first": "Ann", "last": "Lowe"}, "terms": [{"type": "sen"}]},
        ]
        people = [{"name": "jo-poe", "excluded": False}, {"name": "other-one", "excluded": False}]
        files = [folder / name for name in ("database.json", "current.json", "house.json", "people.json")]
        for file, content in zip(files, (database, current, [], people)):
            file.write_text(json.dumps(content))
        return Members(*files)

    def test_show_representatives_alone_who_are_neither_governors_nor_held_out(self):
        with tempfile.TemporaryDirectory() as folder:
            members = self.members(Path(folder))
            usable = [members.may_be_used(f"X00000{number}") for number in range(1, 6)]
        self.assertEqual(usable, [True, False, False, False, False])
        self.assertEqual(members.ids[1], "X000001")

    def test_show_no_unknown_person(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertFalse(self.members(Path(folder)).may_be_used("Y000001"))

    def test_are_made_square_around_their_middle(self):
        portrait = Image.fromarray(np.random.default_rng(1).integers(0, 256, (50, 40, 3), np.uint8))
        square = squared(portrait)
        self.assertEqual(square.size, (50, 50))
        np.testing.assert_array_equal(np.asarray(square)[:, 5:45], np.asarray(portrait))


class Patches(unittest.TestCase):
    def folder_of(self, parent: str) -> Path:
        folder = Path(parent)
        pixels = np.random.default_rng(3).integers(0, 256, (2, STORED_SIDE, STORED_SIDE, 3), np.uint8)
        for name, picture in zip(("someone.png", f"{HELD_OUT}other.png"), pixels):
            Image.fromarray(picture).save(folder / name)
        return folder

    def test_are_drawn_of_the_trained_people_and_differ(self):
        with tempfile.TemporaryDirectory() as name:
            pairs = next(iter(PatchStream(self.folder_of(name), seed=1)))
        self.assertEqual((pairs.shape, pairs.dtype), ((CHUNK, 2, PATCH, PATCH, 3), torch.uint8))
        self.assertFalse(torch.equal(pairs[0], pairs[1]))

    def test_of_held_out_people_are_the_same_at_every_call(self):
        with tempfile.TemporaryDirectory() as name:
            first, second = (held_out_patches(self.folder_of(name), "medium") for _ in range(2))
        self.assertEqual(first[0].shape, (1, 3, PATCH, PATCH))
        self.assertTrue(torch.equal(first[0], second[0]))

    def test_soft_portraits_have_less_fine_energy(self):
        sharp = Image.fromarray(np.random.default_rng(4).integers(0, 256, (STORED_SIDE, STORED_SIDE, 3), np.uint8))
        soft = sharp.resize((STORED_SIDE // 3,) * 2).resize(sharp.size)
        self.assertLess(fine_energy(soft), SOFT)
        self.assertGreater(fine_energy(sharp), SOFT)


class Feed(unittest.TestCase):
    def test_pool_draws_what_arrives(self):
        pool = Pool(PairStream(noise_portraits(3, excluded=0), seed=1), workers=1, capacity=CHUNK)
        degraded, sharp = pool.draw(4)
        pool.stop()
        self.assertEqual((degraded.shape, sharp.shape), ((4, 3, SIDE, SIDE),) * 2)
        self.assertTrue(0 <= degraded.min() and sharp.max() <= 1)
