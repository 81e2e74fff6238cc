import { describe, expect, it } from 'vitest';
import { OnnxGraph } from './graph.ts';
import { readConvolutions } from './weights.ts';

describe('readConvolutions', () => {
  it('gives kernels of 16 and of 32 bits with their biases, and leaves other numbers out', () => {
    const graph = new OnnxGraph();
    const halves = Uint16Array.of(0x3c00, 0xb800, 0x0001, 0x7bff);
    graph.weights('first', [2, 2, 1, 1], { kind: 'float16', data: halves });
    graph.floats([2], [0.5, -3]);
    graph.floats([], [0.2]);
    graph.weights('second', [1, 1, 3, 3], { kind: 'float32', data: Float32Array.from({ length: 9 }, (_, at) => at) });
    graph.floats([1], [300]);
    expect(readConvolutions(graph.serialize())).toEqual([
      {
        outputs: 2,
        inputs: 2,
        side: 1,
        kernels: Float32Array.of(1, -0.5, 2 ** -24, 65504),
        bias: Float32Array.of(0.5, -3),
      },
      {
        outputs: 1,
        inputs: 1,
        side: 3,
        kernels: Float32Array.of(0, 1, 2, 3, 4, 5, 6, 7, 8),
        bias: Float32Array.of(300),
      },
    ]);
  });

  it('refuses what is no network, a file that ends too early, and a kernel without its bias', () => {
    const graph = new OnnxGraph();
    graph.weights('only', [1, 1, 1, 1], { kind: 'float32', data: Float32Array.of(1) });
    expect(() => readConvolutions(graph.serialize())).toThrow('bias');
    expect(() => readConvolutions(graph.serialize().subarray(0, -8))).toThrow('early');
    expect(() => readConvolutions(Uint8Array.of())).toThrow('ONNX');
  });
});
