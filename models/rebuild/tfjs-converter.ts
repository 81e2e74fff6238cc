import { type Attribute, OnnxGraph, type Weights } from './graph.ts';
import { type Constant, type GraphNode, type TfjsModel, transpose } from './tfjs-weights.ts';

/** Applied in the graph, so that the manifest's input stays RGB in a simple range. */
export interface Preprocessing {
  /** Factor of the input's values. */
  readonly scale: number;
  /** Subtracted after scaling, in the network's order of channels. */
  readonly means: readonly [number, number, number];
  /** Source of each channel: [2, 1, 0] turns RGB into BGR. */
  readonly channels: readonly [number, number, number];
}

/**
 * TensorFlow's images are NHWC, ours NCHW until a Reshape, which needs the original order and leaves a `flat` tensor.
 */
export interface Tensor {
  readonly name: string;
  readonly flat: boolean;
}

export type Convert = (converter: TfjsConverter, node: GraphNode) => Tensor;

export const image = (name: string): Tensor => ({ name, flat: false });

export class TfjsConverter {
  readonly graph = new OnnxGraph();
  readonly #nodes: ReadonlyMap<string, GraphNode>;
  readonly #constants: ReadonlyMap<string, Constant>;
  readonly #tensors = new Map<string, Tensor>();
  readonly #operations: Readonly<Record<string, Convert>>;
  readonly #preprocessing: Preprocessing | undefined;

  /** @param operations converters by TensorFlow's names of operations */
  constructor(model: TfjsModel, operations: Readonly<Record<string, Convert>>, preprocessing?: Preprocessing) {
    this.#operations = operations;
    this.#preprocessing = preprocessing;
    this.#nodes = new Map(model.nodes.map((node) => [node.name, node]));
    this.#constants = model.constants;
  }

  preprocessed(): string {
    if (!this.#preprocessing) return 'input';
    const { scale, means, channels } = this.#preprocessing;
    const { graph } = this;
    const ordered = graph.node('Gather', ['input', graph.ints(channels)], { axis: 1 });
    const scaled = graph.node('Mul', [ordered, graph.floats([], [scale])]);
    return graph.node('Sub', [scaled, graph.floats([3, 1, 1], means)]);
  }

  tensor(name: string): Tensor {
    const known = this.#tensors.get(name);
    if (known) return known;
    const tensor = this.#convert(name);
    this.#tensors.set(name, tensor);
    return tensor;
  }

  input(node: GraphNode, index: number): Tensor {
    return this.tensor(this.#inputName(node, index));
  }

  inputs(node: GraphNode): Tensor[] {
    return dataInputs(node).map((name) => this.tensor(name));
  }

  integers(node: GraphNode, index: number): number[] {
    const constant = this.#constants.get(this.#inputName(node, index));
    if (constant?.kind !== 'int32') throw new Error(`${node.name}: input ${index} is not an integer constant`);
    return [...constant.data];
  }

  floats(node: GraphNode, index: number): Weights & { readonly shape: readonly number[] } {
    const constant = this.#constants.get(this.#inputName(node, index));
    if (!constant || constant.kind === 'int32') throw new Error(`${node.name}: input ${index} is not a constant`);
    return constant;
  }

  constant(weights: Weights, shape: readonly number[]): string {
    return this.graph.weights(this.graph.unique('value'), shape, weights);
  }

  activate(operator: string, input: string, slope: string | undefined): string {
    const attributes: Readonly<Record<string, Attribute>> = {};
    switch (operator) {
      case 'Relu':
      case 'Elu':
        return this.graph.node(operator, [input], attributes);
      case 'Relu6':
        return this.graph.node('Clip', [input, this.graph.floats([], [0]), this.graph.floats([], [6])]);
      case 'Prelu':
        if (slope === undefined) break;
        return this.graph.node('PRelu', [input, slope]);
    }
    throw new Error(`Activation ${operator} is not supported`);
  }

  flatten(tensor: Tensor): string {
    return tensor.flat ? tensor.name : this.graph.node('Transpose', [tensor.name], { perm: [0, 2, 3, 1] });
  }

  #convert(name: string): Tensor {
    const constant = this.#constants.get(name);
    if (constant) return image(this.#operand(name, constant));
    const node = this.#nodes.get(name);
    const convert = node && this.#operations[node.op];
    if (!convert) throw new Error(`${name}: operation ${node?.op ?? '(absent)'} is not supported`);
    return convert(this, node);
  }

  /** A constant in arithmetic: a scalar, one value per channel, or a whole NHWC image. */
  #operand(name: string, constant: Constant): string {
    if (constant.kind === 'int32') throw new Error(`${name}: arithmetic on integers is not supported`);
    const channels = constant.shape.at(-1) ?? 1;
    if (constant.data.length === 1) return this.constant(constant, []);
    if (constant.data.length === channels) return this.constant(constant, [channels, 1, 1]);
    const [height = 1, width = 1] = constant.shape.slice(-3);
    const flat = { ...constant, shape: [height, width, channels] };
    return this.constant(transpose(flat, [2, 0, 1]), [1, channels, height, width]);
  }

  #inputName(node: GraphNode, index: number): string {
    const name = dataInputs(node)[index];
    if (name === undefined) throw new Error(`${node.name}: input ${index} is missing`);
    return name;
  }
}

/** Names of the nodes whose data is read: `^name` is only an ordering, `name:0` an output index. */
export function dataInputs(node: GraphNode): string[] {
  return node.input.filter((name) => !name.startsWith('^')).map((name) => name.split(':')[0] ?? name);
}
