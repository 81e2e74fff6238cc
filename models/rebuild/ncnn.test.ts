import { describe, expect, it } from 'vitest';
import { convertNcnn } from './ncnn.ts';

const HALF_FLAG = [0x47, 0x6b, 0x30, 0x01];
const CONVOLUTION = 'Convolution conv 1 1 data out 0=1 1=1 6=3';

const paramOf = (...layers: string[]): string =>
  ['7767517', `${layers.length + 1} ${layers.length + 1}`, 'Input input 0 1 data', ...layers].join('\n');

describe('convertNcnn', () => {
  it('keeps weights of 16 bits, which fill four bytes each two, and takes every byte', () => {
    const kernels = [0x00, 0x3c, 0x00, 0xb8, 0x01, 0x00];
    const file = convertNcnn(paramOf(CONVOLUTION), Uint8Array.of(...HALF_FLAG, ...kernels, 0, 0), 4);
    expect(Buffer.from(file).includes(Buffer.from(kernels))).toBe(true);
    expect(Buffer.from(file).toString('latin1')).toContain('4*height');
  });

  it.each([
    ['weights that end too early', [...HALF_FLAG, 0, 0x3c], [CONVOLUTION], 'too early'],
    ['weights that are left over', [...HALF_FLAG, 0, 0, 0, 0, 0, 0, 0, 0, 9], [CONVOLUTION], 'left over'],
    ['weights of another kind', [1, 2, 3, 4, 0, 0, 0, 0], [CONVOLUTION], 'Unknown weight block'],
    ['a layer that it does not know', [], ['Softmax soft 1 1 data out'], 'converter for layer type Softmax'],
  ])('refuses %s', (_, bin, layers, message) => {
    expect(() => convertNcnn(paramOf(...layers), Uint8Array.from(bin), 4)).toThrow(message);
  });

  it('refuses what is no ncnn file', () => {
    expect(() => convertNcnn('{}', new Uint8Array(), 4)).toThrow('Not an ncnn parameter file');
  });
});
