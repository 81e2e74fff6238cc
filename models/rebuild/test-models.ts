import { OnnxGraph } from './graph.ts';
import type { Bytes } from './protobuf.ts';

/** Tiny networks with the tensors of models that operators may add, for the worker's tests; by file name. */
export const TEST_MODELS: Readonly<Record<string, () => Bytes>> = {
  /** Has the input of GFPGAN, GPEN and RestoreFormer: an aligned face in -1..1. Inverts it. */
  'aligned-face.onnx': () => {
    const graph = new OnnxGraph();
    graph.input('input', [1, 3, 512, 512]);
    graph.node('Neg', ['input'], {}, 'output');
    graph.output('output', [1, 3, 512, 512]);
    return graph.serialize();
  },
  /** Has the inputs of CodeFormer: the same and a weight in 64 bits. Multiplies by it. */
  'weighted-face.onnx': () => {
    const graph = new OnnxGraph();
    graph.input('x', [1, 3, 512, 512]);
    graph.input('w', [1], 'float64');
    graph.node('Mul', ['x', graph.toFloat32('w')], {}, 'y');
    graph.output('y', [1, 3, 512, 512]);
    return graph.serialize();
  },
  /** Has the input of realesr-general-x4v3: a picture of any size in 0..1. Repeats each pixel. */
  'enlarger-x4.onnx': () => {
    const graph = new OnnxGraph();
    graph.input('input', [1, 3, 'height', 'width']);
    graph.node('Resize', ['input', '', graph.floats([4], [1, 1, 4, 4])], { mode: 'nearest' }, 'output');
    graph.output('output', [1, 3, '4*height', '4*width']);
    return graph.serialize();
  },
};
