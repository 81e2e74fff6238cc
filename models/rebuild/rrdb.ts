import type { Convolution } from './onnx/convolution.ts';
import { OnnxGraph } from './onnx/graph.ts';
import type { Bytes } from './onnx/protobuf.ts';
import { quantize } from './quantize.ts';

/** Dense blocks in a block of the trunk, and convolutions in each of those but its last. */
const DENSE_BLOCKS = 3;
const GROWING = 4;
/** The first and last convolutions of the trunk, and those that enlarge. */
const AROUND_BLOCKS = 6;
/** Share of a block's output in the trunk. */
const RESIDUAL = 0.2;
const SLOPE = 0.2;
/** Channels of the enlarged picture that are floats or sums of 32 bits at once. */
const CHANNELS_AT_ONCE = 32;

/** Zero of a signal, and of one before its leaky rectifier, which has more below zero. */
const ZERO = 128;
const ZERO_BEFORE = 150;

/** A tensor of bytes with channels last: (byte - zero) * step of its channel. */
interface Bytewise {
  readonly tensor: string;
  readonly steps: Float32Array;
}

/**
 * A network of Real-ESRGAN's kind with convolutions of bytes: the trunk, its sums and the last convolution stay in 32
 * bits. Every channel has its own step, which is folded into weights, so that all tensors share one scale and
 * concatenation only copies.
 *
 * `steps` come from `distill/export_face.py`, in the order of use.
 */
export function convertRrdb(convolutions: readonly Convolution[], steps: Float32Array): Bytes {
  const network = new Network(convolutions, steps);
  const blocks = (convolutions.length - AROUND_BLOCKS) / DENSE_BLOCKS / (GROWING + 1);
  const { graph } = network;
  let x = graph.node('Transpose', [network.convolve('input')], { perm: [0, 2, 3, 1] });
  const first = x;
  for (let block = 0; block < blocks; block++) {
    const before = x;
    for (let dense = 0; dense < DENSE_BLOCKS; dense++) {
      let seen = network.toBytes(x);
      for (let growing = 0; growing < GROWING; growing++) seen = network.join(seen, network.rectified(seen));
      x = graph.node('Add', [network.toFloats(network.linear(seen), RESIDUAL), x]);
    }
    x = graph.node('Add', [graph.node('Mul', [x, graph.floats([], [RESIDUAL])]), before]);
  }
  x = graph.node('Add', [network.toFloats(network.linear(network.toBytes(x))), first]);
  let detail = network.toBytes(x);
  detail = network.rectified(network.doubled(detail));
  detail = network.rectifiedInParts(network.doubled(detail));
  detail = network.rectifiedInParts(detail);
  graph.node('Identity', [network.convolveInParts(detail)], {}, 'output');
  network.assertExhausted();
  graph.input('input', [1, 3, 'height', 'width']);
  graph.output('output', [1, 3, '4*height', '4*width']);
  return graph.serialize();
}

class Network {
  readonly graph = new OnnxGraph();
  readonly #convolutions: Convolution[];
  readonly #steps: Float32Array;
  readonly #one: string;
  readonly #zero: string;
  readonly #zeroBefore: string;
  #used = 0;

  constructor(convolutions: readonly Convolution[], steps: Float32Array) {
    this.#convolutions = [...convolutions];
    this.#steps = steps;
    this.#one = this.graph.floats([], [1]);
    this.#zero = this.graph.integers([], Uint8Array.of(ZERO));
    this.#zeroBefore = this.graph.integers([], Uint8Array.of(ZERO_BEFORE));
  }

  /** The next convolution, in 32 bits. */
  convolve(input: string): string {
    const { kernels, bias, side, outputs, inputs } = this.#next();
    const weights = this.graph.weights(this.graph.unique('weight'), [outputs, inputs, side, side], {
      kind: 'float32',
      data: kernels,
    });
    return this.graph.node('Conv', [input, weights, this.graph.floats([outputs], [...bias])], around(side));
  }

  /** The next convolution, in 32 bits, as a sum over parts of the channels: all of them take 90 MB for a face of 148 pixels. */
  convolveInParts({ tensor, steps }: Bytewise): string {
    const { kernels, bias, side, outputs, inputs } = this.#next();
    const area = side * side;
    const parts: string[] = [];
    for (let from = 0; from < inputs; from += CHANNELS_AT_ONCE) {
      const count = Math.min(CHANNELS_AT_ONCE, inputs - from);
      const part = [tensor, this.graph.ints([from]), this.graph.ints([from + count]), this.graph.ints([3])];
      const planes = this.graph.node('Transpose', [this.graph.node('Slice', part)], { perm: [0, 3, 1, 2] });
      const data = Float32Array.from({ length: outputs * count * area }, (_, at) => {
        const channel = from + (Math.floor(at / area) % count);
        const output = Math.floor(at / area / count);
        return (kernels[(output * inputs + channel) * area + (at % area)] as number) * (steps[channel] as number);
      });
      const shape = [outputs, count, side, side];
      const weights = this.graph.weights(this.graph.unique('weight'), shape, { kind: 'float32', data });
      const values = this.graph.node('DequantizeLinear', [planes, this.#one, this.#zero]);
      const biased = from === 0 ? [this.graph.floats([outputs], [...bias])] : [];
      const sum = this.graph.node('Conv', [values, weights, ...biased], around(side));
      parts.push(from === 0 ? sum : this.graph.node('Add', [parts.at(-1) ?? sum, sum]));
    }
    return parts.at(-1) ?? tensor;
  }

  linear(input: Bytewise): Bytewise {
    return this.#convolve(input, this.#next(), this.#zero);
  }

  /** The next convolution and its rectifier. */
  rectified(input: Bytewise): Bytewise {
    return this.#rectify(this.#convolve(input, this.#next(), this.#zeroBefore));
  }

  /** The runtime keeps a convolution's whole output as sums of 32 bits. */
  rectifiedInParts(input: Bytewise): Bytewise {
    const whole = this.#next();
    const size = whole.kernels.length / whole.outputs;
    let all: Bytewise | null = null;
    for (let from = 0; from < whole.outputs; from += CHANNELS_AT_ONCE) {
      const end = Math.min(whole.outputs, from + CHANNELS_AT_ONCE);
      const part = {
        ...whole,
        outputs: end - from,
        kernels: whole.kernels.subarray(from * size, end * size),
        bias: whole.bias.subarray(from, end),
      };
      const own = this.#rectify(this.#convolve(input, part, this.#zeroBefore));
      all = all ? this.join(all, own) : own;
    }
    return all ?? input;
  }

  join(one: Bytewise, other: Bytewise): Bytewise {
    return {
      tensor: this.graph.node('Concat', [one.tensor, other.tensor], { axis: 3 }),
      steps: Float32Array.from([...one.steps, ...other.steps]),
    };
  }

  doubled({ tensor, steps }: Bytewise): Bytewise {
    const scales = this.graph.floats([4], [1, 2, 2, 1]);
    const nearest = { mode: 'nearest', coordinate_transformation_mode: 'asymmetric', nearest_mode: 'floor' };
    return { tensor: this.graph.node('Resize', [tensor, '', scales], nearest), steps };
  }

  toBytes(input: string): Bytewise {
    const steps = this.#takeSteps(this.#upcoming().inputs);
    const inverses = this.graph.floats(
      [steps.length],
      Array.from(steps, (step) => 1 / step),
    );
    const scaled = this.graph.node('Mul', [input, inverses]);
    return { tensor: this.graph.node('QuantizeLinear', [scaled, this.#one, this.#zero]), steps };
  }

  toFloats({ tensor, steps }: Bytewise, factor = 1): string {
    const values = this.graph.node('DequantizeLinear', [tensor, this.#one, this.#zero]);
    const scales = this.graph.floats(
      [steps.length],
      Array.from(steps, (step) => step * factor),
    );
    return this.graph.node('Mul', [values, scales]);
  }

  assertExhausted(): void {
    if (this.#convolutions.length > 0) throw new Error(`${this.#convolutions.length} convolutions were left over`);
    if (this.#used !== this.#steps.length) throw new Error(`${this.#steps.length - this.#used} steps were left over`);
  }

  #rectify({ tensor, steps }: Bytewise): Bytewise {
    const scales = [tensor, this.#one, this.#zeroBefore, this.#one, this.#zero];
    return { tensor: this.graph.runtimeNode('QLinearLeakyRelu', scales, { alpha: { float: SLOPE } }), steps };
  }

  #convolve(input: Bytewise, convolution: Convolution, zero: string): Bytewise {
    const steps = this.#takeSteps(convolution.outputs);
    const { weights, scales, bias } = quantize(convolution, input.steps, steps);
    const { outputs, inputs, side } = convolution;
    const tensor = this.graph.runtimeNode(
      'QLinearConv',
      [
        input.tensor,
        this.#one,
        this.#zero,
        this.graph.integers([outputs, inputs, side, side], weights),
        this.graph.floats([outputs], [...scales]),
        this.graph.integers([outputs], new Int8Array(outputs)),
        this.#one,
        zero,
        this.graph.integers([outputs], bias),
      ],
      { ...around(side), strides: [1, 1], channels_last: 1 },
    );
    return { tensor, steps };
  }

  #upcoming(): Convolution {
    const [convolution] = this.#convolutions;
    if (!convolution) throw new Error('The network has too few convolutions');
    return convolution;
  }

  #next(): Convolution {
    const convolution = this.#upcoming();
    this.#convolutions.shift();
    return convolution;
  }

  #takeSteps(count: number): Float32Array {
    const steps = this.#steps.subarray(this.#used, this.#used + count);
    if (steps.length !== count) throw new Error('There are too few steps');
    this.#used += count;
    return steps;
  }
}

const around = (side: number) => {
  const pad = (side - 1) / 2;
  return { kernel_shape: [side, side], pads: [pad, pad, pad, pad] };
};
