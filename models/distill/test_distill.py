import unittest
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from export import convert
from network import load_enlarger, PhotoEnlarger, SCALE, Teacher
from patches import draw_gradients, draw_leaves, draw_texture, Patches, SIDE
from train_photo import loss_of, Student, VARIANTS

WEIGHTS = Path(__file__).parent.parent / "weights"


class Networks(unittest.TestCase):
    def test_an_untrained_network_interpolates(self):
        picture = torch.rand(1, 3, 16, 20)
        plain = F.interpolate(picture, scale_factor=SCALE, mode="bilinear", align_corners=False)
        for block in (1, 2):
            difference = PhotoEnlarger(8, 1, block)(picture) - plain
            # At the edges one pads with black, the other repeats.
            self.assertLess(difference[..., 8:-8, 8:-8].abs().max(), 1e-5)

    def test_weights_tell_the_size(self):
        for size in VARIANTS.values():
            network = PhotoEnlarger(*size)
            loaded = load_enlarger(network.state_dict())
            self.assertEqual((loaded.stem.out_channels, len(loaded.pairs), loaded.block), size)

    def test_the_file_has_what_its_size_needs(self):
        operators = [node.op_type for node in convert(PhotoEnlarger(8, 2, 2)).graph.node]
        self.assertEqual([operators.count(name) for name in ("Conv", "Relu", "Add", "DepthToSpace")], [7, 5, 3, 1])

    def test_the_teacher_enlarges_and_keeps_gray(self):
        teacher = Teacher(WEIGHTS / "realesr-animevideov3-x4.onnx")
        enlarged = teacher(torch.full((1, 3, 12, 14), 0.5))
        self.assertEqual(enlarged.shape, (1, 3, 48, 56))
        self.assertLess((enlarged[..., 20:-20, 20:-20] - 0.5).abs().max(), 0.03)


class Training(unittest.TestCase):
    def test_patches_are_pictures_of_bytes_and_some_are_flat(self):
        rng = np.random.default_rng(1)
        pictures = [draw(rng, "") for draw in (draw_leaves, draw_gradients, draw_texture)]
        self.assertEqual({picture.shape for picture in pictures}, {(SIDE, SIDE, 3)})
        patches = Patches(pictures, torch.device("cpu"), seed=1).draw(32, 48)
        self.assertEqual(patches.shape, (32, 3, 48, 48))
        self.assertLess((patches * 255 - (patches * 255).round()).abs().max(), 1e-3)
        self.assertEqual((patches.amax((2, 3)) - patches.amin((2, 3)))[:2].max(), 0)

    def test_a_student_comes_closer_to_what_it_is_taught(self):
        torch.manual_seed(1)
        student = Student((8, 1, 1), torch.device("cpu"), rate=3e-3)
        picture = torch.rand(2, 3, 48, 48)
        target = F.interpolate(picture, scale_factor=SCALE, mode="nearest")
        losses = [student.step(picture, target, 0).item() for _ in range(30)]
        self.assertLess(losses[-1], losses[0])
        self.assertEqual(loss_of(target, target), 0)


if __name__ == "__main__":
    unittest.main()
