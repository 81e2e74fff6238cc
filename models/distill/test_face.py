"""`PYTHONPATH=../train python3 -m unittest`: seconds, and needs no portraits."""

import tempfile
import unittest
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from PIL import Image

from export_face import measure_steps, to_onnx
from face_patches import CHUNK, FacePatches, load, PATCH
from rrdb import convolutions, load_network, Rrdb, save_network
from train_face import begun, KEPT, load_teacher, TEACHER_BLOCKS

THIN = {"width": 4, "growth": 2}


def noise(side: int) -> Image.Image:
    return Image.fromarray(np.random.default_rng(side).integers(0, 256, (side, side, 3), np.uint8))


class Patches(unittest.TestCase):
    def test_of_every_kind_have_one_size(self):
        stream = FacePatches([noise(200)], [noise(70), noise(90)], seed=1)
        chunks = iter(stream)
        for _ in range(4):
            self.assertEqual(next(chunks).shape, (CHUNK, PATCH, PATCH, 3))

    def test_small_pictures_are_mirrored_and_held_out_ones_kept_apart(self):
        with tempfile.TemporaryDirectory() as folder:
            noise(40).save(Path(folder) / "people-1.png")
            noise(80).save(Path(folder) / "held-2.png")
            self.assertEqual([each.size for each in load(Path(folder), held_out=False)], [(PATCH, PATCH)])
            self.assertEqual([each.size for each in load(Path(folder), held_out=True)], [(80, 80)])


class Networks(unittest.TestCase):
    def test_enlarges_four_times(self):
        self.assertEqual(Rrdb(1, **THIN)(torch.rand(1, 3, 12, 10)).shape, (1, 3, 48, 40))

    def test_student_begins_with_parts_of_the_teacher(self):
        teacher = Rrdb(TEACHER_BLOCKS, **THIN)
        student = begun(teacher)
        self.assertTrue(torch.equal(student.blocks[1][0].last.weight, teacher.blocks[KEPT[1]][0].last.weight))
        self.assertTrue(torch.equal(student.head.weight, teacher.head.weight))

    def test_written_network_has_the_saved_weights_in_the_order_of_their_use(self):
        network = Rrdb(1)
        with tempfile.TemporaryDirectory() as folder:
            save_network(Path(folder) / "face.npz", network)
            loaded = load_network(Path(folder) / "face.npz")
        tensors = [numpy_helper.to_array(each) for each in onnx.load_from_string(to_onnx(loaded)).graph.initializer]
        kernels = [each for each in tensors if each.ndim == 4]
        for convolution, written in zip(convolutions(network), kernels, strict=True):
            np.testing.assert_array_equal(convolution.weight.detach().half().numpy(), written)

    def test_has_a_step_for_each_channel_of_its_tensors(self):
        steps = measure_steps(Rrdb(1).requires_grad_(False), [torch.rand(1, 3, 16, 16)])
        dense, around = 64 + 4 * 32 + 64, 3 * 64 + 3 * 64
        self.assertEqual(len(steps), 3 * dense + around)
        self.assertGreater(steps.min(), 0)


class Teacher(unittest.TestCase):
    def test_is_read_from_its_file(self):
        network = Rrdb(TEACHER_BLOCKS).requires_grad_(False)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "teacher.onnx"
            path.write_bytes(to_onnx(network))
            for own, read in zip(convolutions(network), convolutions(load_teacher(path)), strict=True):
                self.assertTrue(torch.equal(own.weight.half().float(), read.weight))


if __name__ == "__main__":
    unittest.main()
