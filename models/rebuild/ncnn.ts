import { OnnxGraph, type Weights } from './graph.ts';
import type { Bytes } from './protobuf.ts';

/** First line of an ncnn text parameter file. */
const PARAM_MAGIC = '7767517';
/** Marks a binary16 weight block. */
const HALF_FLAG = 0x01306b47;

interface Layer {
  readonly type: string;
  readonly name: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly parameters: ReadonlyMap<string, string>;
}

interface Context {
  readonly graph: OnnxGraph;
  readonly weights: WeightReader;
}

type Converter = (context: Context, layer: Layer, inputs: readonly string[]) => string;

/**
 * Converts an ncnn super-resolution network (text parameters and weights) to ONNX, NCHW, any height and width.
 * @throws Error on unknown layers, and on remaining bytes, which mean another format
 */
export function convertNcnn(param: string, bin: Uint8Array, scale: number): Bytes {
  const graph = new OnnxGraph();
  const context: Context = { graph, weights: new WeightReader(bin) };
  const tensors = new Map<string, string>();
  const layers = parseLayers(param);
  for (const layer of layers) {
    const inputs = layer.inputs.map((blob) => required(tensors.get(blob), `blob ${blob}`));
    if (layer.type === 'Split') {
      // ncnn copies a blob per consumer; ONNX need not.
      for (const output of layer.outputs) tensors.set(output, required(inputs[0], layer.name));
      continue;
    }
    const convert = required(CONVERTERS[layer.type], `converter for layer type ${layer.type}`);
    tensors.set(required(layer.outputs[0], layer.name), convert(context, layer, inputs));
  }
  const last = required(layers.at(-1)?.outputs[0], 'output layer');
  graph.node('Identity', [required(tensors.get(last), last)], {}, 'output');
  graph.input('input', [1, 3, 'height', 'width']);
  graph.output('output', [1, 3, `${scale}*height`, `${scale}*width`]);
  context.weights.assertExhausted();
  return graph.serialize();
}

const CONVERTERS: Readonly<Record<string, Converter>> = {
  Input: () => 'input',
  Convolution: convolution,
  PReLU: parametricRectifier,
  Concat: ({ graph }, _layer, inputs) => graph.node('Concat', inputs, { axis: 1 }),
  BinaryOp: ({ graph }, layer, inputs) => {
    if (integer(layer, '0', 0) !== 0) throw new Error(`${layer.name}: only addition is supported`);
    return graph.node('Add', inputs);
  },
  Eltwise: ({ graph }, layer, inputs) => {
    const factors = floatList(layer, '-23301');
    const terms = inputs.map((input, index) => {
      const factor = required(factors[index], `${layer.name} factor`);
      return factor === 1 ? input : graph.node('Mul', [input, graph.floats([], [factor])]);
    });
    return graph.node('Add', terms);
  },
  Interp: ({ graph }, layer, inputs) => {
    if (integer(layer, '0') !== 1) throw new Error(`${layer.name}: only nearest neighbor is supported`);
    const scales = graph.floats([4], [1, 1, number(layer, '1'), number(layer, '2')]);
    return graph.node('Resize', [required(inputs[0], layer.name), '', scales], {
      mode: 'nearest',
      coordinate_transformation_mode: 'asymmetric',
      nearest_mode: 'floor',
    });
  },
  // ncnn groups the channels of one output color, which ONNX calls CRD.
  PixelShuffle: ({ graph }, layer, inputs) =>
    graph.node('DepthToSpace', inputs, { blocksize: integer(layer, '0'), mode: 'CRD' }),
};

function convolution({ graph, weights }: Context, layer: Layer, inputs: readonly string[]): string {
  const outputs = integer(layer, '0');
  const kernel = integer(layer, '1');
  const stride = integer(layer, '3', 1);
  const pad = integer(layer, '4', 0);
  const count = integer(layer, '6');
  const shape = [outputs, count / outputs / kernel / kernel, kernel, kernel];
  const kernels = graph.weights(`${layer.name}_weight`, shape, weights.flagged(count));
  const bias = integer(layer, '5', 0) ? [graph.weights(`${layer.name}_bias`, [outputs], weights.plain(outputs))] : [];
  const convolved = graph.node('Conv', [...inputs, kernels, ...bias], {
    kernel_shape: [kernel, kernel],
    strides: [stride, stride],
    pads: [pad, pad, pad, pad],
  });
  const activation = integer(layer, '9', 0);
  if (activation === 0) return convolved;
  if (activation !== 2) throw new Error(`${layer.name}: activation ${activation} is not supported`);
  const slope = required(floatList(layer, '-23310')[0], `${layer.name} slope`);
  return graph.node('LeakyRelu', [convolved], { alpha: { float: slope } });
}

/**
 * x + s relu(-|1 - a| x), where s is the sign of 1 - a, as two convolutions: ONNX Runtime's PRelu runs on one thread,
 * and outside the layout of its convolutions, which costs two more passes.
 */
function parametricRectifier({ graph, weights }: Context, layer: Layer, inputs: readonly string[]): string {
  const input = required(inputs[0], layer.name);
  const channels = integer(layer, '0');
  const slopes = [...weights.plain(channels).data];
  const perChannel = (from: string, factors: readonly number[]): string =>
    graph.node('Conv', [from, graph.floats([channels, 1, 1, 1], factors)], { kernel_shape: [1, 1], group: channels });
  const negative = perChannel(
    input,
    slopes.map((slope) => -Math.abs(1 - slope)),
  );
  const rest = perChannel(
    graph.node('Relu', [negative]),
    slopes.map((slope) => (slope > 1 ? -1 : 1)),
  );
  return graph.node('Add', [rest, input]);
}

/** Blocks in layer order, padded to four bytes. */
class WeightReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Flagged as binary16 or float32. */
  flagged(count: number): Weights {
    const flag = this.#view.getUint32(this.#offset, true);
    this.#offset += 4;
    if (flag === 0) return this.plain(count);
    if (flag !== HALF_FLAG) throw new Error(`Unknown weight block 0x${flag.toString(16)}`);
    const block = this.#take(count * 2);
    this.#offset = (this.#offset + 3) & ~3;
    return { kind: 'float16', data: new Uint16Array(block.buffer) };
  }

  /** Unflagged float32: biases and slopes. */
  plain(count: number): Extract<Weights, { kind: 'float32' }> {
    return { kind: 'float32', data: new Float32Array(this.#take(count * 4).buffer) };
  }

  assertExhausted(): void {
    if (this.#offset !== this.#bytes.length) {
      throw new Error(`${this.#bytes.length - this.#offset} bytes of weights were left over`);
    }
  }

  /** Copies: typed arrays need aligned memory. */
  #take(length: number): Uint8Array<ArrayBuffer> {
    const block = new Uint8Array(this.#bytes.subarray(this.#offset, this.#offset + length));
    if (block.length !== length) throw new Error('The weight file ends too early');
    this.#offset += length;
    return block;
  }
}

function parseLayers(param: string): Layer[] {
  const [magic, , ...lines] = param.trim().split(/\r?\n/);
  if (magic?.trim() !== PARAM_MAGIC) throw new Error('Not an ncnn parameter file');
  return lines.map((line) => {
    const [type = '', name = '', inputCount = '0', outputCount = '0', ...rest] = line.trim().split(/\s+/);
    const split = Number(inputCount);
    const end = split + Number(outputCount);
    const parameters = rest.slice(end).map((pair): [string, string] => {
      const [key = '', value = ''] = pair.split('=');
      return [key, value];
    });
    return {
      type,
      name,
      inputs: rest.slice(0, split),
      outputs: rest.slice(split, end),
      parameters: new Map(parameters),
    };
  });
}

function number(layer: Layer, key: string, fallback?: number): number {
  const text = layer.parameters.get(key);
  const value = text === undefined ? fallback : Number(text);
  if (value === undefined || Number.isNaN(value)) throw new Error(`${layer.name}: parameter ${key} is missing`);
  return value;
}

function integer(layer: Layer, key: string, fallback?: number): number {
  const value = number(layer, key, fallback);
  if (!Number.isInteger(value)) throw new Error(`${layer.name}: parameter ${key} is not an integer`);
  return value;
}

/** Length, then items. */
function floatList(layer: Layer, key: string): number[] {
  const [, ...items] = (layer.parameters.get(key) ?? '').split(',').map(Number);
  return items;
}

function required<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`Missing: ${what}`);
  return value;
}
