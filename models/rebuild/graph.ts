import { type Bytes, bytesField, concat, floatField, varintField } from './protobuf.ts';

/** onnx.TensorProto.DataType. */
const DATA_TYPE = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7, float16: 10, float64: 11 } as const;
/** onnx.AttributeProto.AttributeType. */
const ATTRIBUTE_TYPE = { float: 1, int: 2, string: 3, ints: 7 } as const;

/** The first with `axes` for Resize, so no shapes need to be computed. */
const OPSET = 18;
const IR_VERSION = 8;
/** Operators of ONNX Runtime beyond the standard, which has no convolution of bytes with channels last. */
const RUNTIME_DOMAIN = 'com.microsoft';

export type Attribute = number | string | readonly number[] | { readonly float: number };
type Dimension = number | string;

/** Weights in the source's precision: binary16 stays binary16. */
export type Weights =
  | { readonly kind: 'float16'; readonly data: Uint16Array }
  | { readonly kind: 'float32'; readonly data: Float32Array };

/** Deterministic. */
export class OnnxGraph {
  readonly #nodes: Bytes[] = [];
  readonly #initializers: Bytes[] = [];
  readonly #inputs: Bytes[] = [];
  readonly #outputs: Bytes[] = [];
  #counter = 0;
  #usesRuntimeDomain = false;

  unique(prefix: string): string {
    this.#counter += 1;
    return `${prefix}_${this.#counter}`;
  }

  input(name: string, shape: readonly Dimension[], type: 'float32' | 'float64' = 'float32'): void {
    this.#inputs.push(valueInfo(name, shape, type));
  }

  output(name: string, shape: readonly Dimension[]): void {
    this.#outputs.push(valueInfo(name, shape, 'float32'));
  }

  /** Binary16 is cast to float32 in the graph and folded at load: half the file size, float32 arithmetic. */
  weights(name: string, shape: readonly number[], weights: Weights): string {
    if (weights.kind === 'float32') return this.#initializer(name, shape, DATA_TYPE.float32, weights.data);
    const stored = this.#initializer(`${name}_f16`, shape, DATA_TYPE.float16, weights.data);
    return this.node('Cast', [stored], { to: DATA_TYPE.float32 }, name);
  }

  toFloat32(input: string): string {
    return this.node('Cast', [input], { to: DATA_TYPE.float32 });
  }

  floats(shape: readonly number[], values: readonly number[]): string {
    return this.#initializer(this.unique('const'), shape, DATA_TYPE.float32, Float32Array.from(values));
  }

  ints(values: readonly number[]): string {
    const data = BigInt64Array.from(values, (value) => BigInt(value));
    return this.#initializer(this.unique('shape'), [values.length], DATA_TYPE.int64, data);
  }

  /** Small integers, as their array has them. */
  integers(shape: readonly number[], data: Uint8Array | Int8Array | Int32Array): string {
    const type = data instanceof Uint8Array ? 'uint8' : data instanceof Int8Array ? 'int8' : 'int32';
    return this.#initializer(this.unique('const'), shape, DATA_TYPE[type], data);
  }

  node(
    operator: string,
    inputs: readonly string[],
    attributes: Readonly<Record<string, Attribute>> = {},
    output: string = this.unique(operator),
  ): string {
    return this.#node(operator, inputs, attributes, output, '');
  }

  /** Adds a node of ONNX Runtime's own operators. */
  runtimeNode(operator: string, inputs: readonly string[], attributes: Readonly<Record<string, Attribute>>): string {
    this.#usesRuntimeDomain = true;
    return this.#node(operator, inputs, attributes, this.unique(operator), RUNTIME_DOMAIN);
  }

  #node(
    operator: string,
    inputs: readonly string[],
    attributes: Readonly<Record<string, Attribute>>,
    output: string,
    domain: string,
  ): string {
    this.#nodes.push(
      concat([
        ...inputs.map((name) => bytesField(1, name)),
        bytesField(2, output),
        bytesField(3, `${operator}_${this.#nodes.length}`),
        bytesField(4, operator),
        ...Object.entries(attributes).map(([name, value]) => bytesField(5, attribute(name, value))),
        ...(domain === '' ? [] : [bytesField(7, domain)]),
      ]),
    );
    return output;
  }

  serialize(): Bytes {
    const graph = concat([
      ...this.#nodes.map((node) => bytesField(1, node)),
      bytesField(2, 'network'),
      ...this.#initializers.map((tensor) => bytesField(5, tensor)),
      ...this.#inputs.map((info) => bytesField(11, info)),
      ...this.#outputs.map((info) => bytesField(12, info)),
    ]);
    const opset = (domain: string, version: number) =>
      bytesField(8, concat([bytesField(1, domain), varintField(2, version)]));
    return concat([
      varintField(1, IR_VERSION),
      bytesField(2, 'clearframe-models'),
      bytesField(7, graph),
      opset('', OPSET),
      ...(this.#usesRuntimeDomain ? [opset(RUNTIME_DOMAIN, 1)] : []),
    ]);
  }

  #initializer(
    name: string,
    shape: readonly number[],
    dataType: number,
    data: Float32Array | Uint16Array | BigInt64Array | Uint8Array | Int8Array | Int32Array,
  ): string {
    const raw = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    this.#initializers.push(
      concat([
        ...shape.map((size) => varintField(1, size)),
        varintField(2, dataType),
        bytesField(8, name),
        bytesField(9, raw),
      ]),
    );
    return name;
  }
}

function attribute(name: string, value: Attribute): Bytes {
  const head = bytesField(1, name);
  if (typeof value === 'number') return concat([head, varintField(3, value), varintField(20, ATTRIBUTE_TYPE.int)]);
  if (typeof value === 'string') return concat([head, bytesField(4, value), varintField(20, ATTRIBUTE_TYPE.string)]);
  if ('float' in value) return concat([head, floatField(2, value.float), varintField(20, ATTRIBUTE_TYPE.float)]);
  return concat([head, ...value.map((item) => varintField(8, item)), varintField(20, ATTRIBUTE_TYPE.ints)]);
}

function valueInfo(name: string, shape: readonly Dimension[], type: keyof typeof DATA_TYPE): Bytes {
  const dimensions = shape.map((size) =>
    bytesField(1, typeof size === 'number' ? varintField(1, size) : bytesField(2, size)),
  );
  const tensor = concat([varintField(1, DATA_TYPE[type]), bytesField(2, concat(dimensions))]);
  return concat([bytesField(1, name), bytesField(2, bytesField(1, tensor))]);
}
