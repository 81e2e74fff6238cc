import { type Convolution, fromBinary16 } from './convolution.ts';
import { type Bytes, readFields } from './protobuf.ts';

/** Field numbers of onnx.ModelProto, GraphProto and TensorProto. */
const FIELD = { graph: 7, initializer: 5, dimension: 1, type: 2, raw: 9 } as const;
/** onnx.TensorProto.DataType. */
const FLOAT16 = 10;

/** The convolutions of a file whose initializers are their kernels and biases in turn; others are left out. */
export function readConvolutions(file: Bytes): Convolution[] {
  const [graph] = messages(file, FIELD.graph);
  if (!graph) throw new Error('Not an ONNX file');
  const tensors = messages(graph, FIELD.initializer).map(readTensor);
  return tensors.flatMap(({ shape, data: kernels }, index) => {
    const [outputs, inputs, side] = shape;
    if (!outputs || !inputs || !side || shape.length !== 4) return [];
    const bias = tensors[index + 1]?.data;
    if (bias?.length !== outputs) throw new Error('A kernel without its bias');
    return [{ outputs, inputs, side, kernels, bias }];
  });
}

const messages = (bytes: Bytes, field: number): Bytes[] =>
  readFields(bytes).flatMap(({ field: own, value }) => (own === field && typeof value !== 'bigint' ? [value] : []));

function readTensor(bytes: Bytes): { shape: number[]; data: Float32Array } {
  const fields = readFields(bytes);
  const numbers = (field: number) =>
    fields.flatMap(({ field: own, value }) => (own === field && typeof value === 'bigint' ? [Number(value)] : []));
  const [raw = new Uint8Array()] = messages(bytes, FIELD.raw);
  // Copied: typed arrays need aligned memory.
  const { buffer } = new Uint8Array(raw);
  const isHalf = numbers(FIELD.type)[0] === FLOAT16;
  const data = isHalf ? fromBinary16(new Uint16Array(buffer)) : new Float32Array(buffer);
  return { shape: numbers(FIELD.dimension), data };
}
