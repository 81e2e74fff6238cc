import { z } from 'zod';
import type { Weights } from './graph.ts';

/** In the file's layout and precision. */
export type Constant = { readonly shape: readonly number[] } & (
  | Weights
  | { readonly kind: 'int32'; readonly data: Int32Array }
);

const attributeSchema = z.object({
  s: z.string().optional(),
  b: z.boolean().optional(),
  list: z.object({ i: z.array(z.coerce.number()).optional(), s: z.array(z.string()).optional() }).optional(),
});

/** A TensorFlow GraphDef operation in JSON; strings in attributes are base64. */
const nodeSchema = z.object({
  name: z.string(),
  op: z.string(),
  input: z.array(z.string()).default([]),
  attr: z.record(z.string(), attributeSchema).default({}),
});
export type GraphNode = z.infer<typeof nodeSchema>;

const modelSchema = z.object({
  modelTopology: z.object({ node: z.array(nodeSchema) }),
  weightsManifest: z.array(
    z.object({
      weights: z.array(
        z.object({
          name: z.string(),
          shape: z.array(z.number()),
          dtype: z.enum(['float32', 'int32']),
          quantization: z.object({ dtype: z.literal('float16') }).optional(),
        }),
      ),
    }),
  ),
});

export interface TfjsModel {
  readonly nodes: readonly GraphNode[];
  readonly constants: ReadonlyMap<string, Constant>;
}

export function readTfjsModel(json: string, bin: Uint8Array): TfjsModel {
  const model = modelSchema.parse(JSON.parse(json));
  const constants = new Map<string, Constant>();
  let offset = 0;
  const take = (length: number): ArrayBuffer => {
    const block = new Uint8Array(bin.subarray(offset, offset + length));
    offset += length;
    return block.buffer;
  };
  for (const weight of model.weightsManifest.flatMap((group) => group.weights)) {
    const count = weight.shape.reduce((product, size) => product * size, 1);
    const { shape } = weight;
    if (weight.dtype === 'int32') {
      constants.set(weight.name, { shape, kind: 'int32', data: new Int32Array(take(count * 4)) });
    } else if (weight.quantization) {
      constants.set(weight.name, { shape, kind: 'float16', data: new Uint16Array(take(count * 2)) });
    } else {
      constants.set(weight.name, { shape, kind: 'float32', data: new Float32Array(take(count * 4)) });
    }
  }
  if (offset !== bin.length) throw new Error(`Weights cover ${offset} of ${bin.length} bytes`);
  return { nodes: model.modelTopology.node, constants };
}

/** Axis i of the result is axis `order[i]` of the source. */
export function transpose(
  constant: Weights & { readonly shape: readonly number[] },
  order: readonly number[],
): Weights {
  const strides = constant.shape.map((_, axis) => constant.shape.slice(axis + 1).reduce((a, b) => a * b, 1));
  const sizes = order.map((axis) => constant.shape[axis] ?? 1);
  const steps = order.map((axis) => strides[axis] ?? 1);
  const indices = sourceIndices(sizes, steps);
  if (constant.kind === 'float16') {
    return { kind: 'float16', data: Uint16Array.from(indices, (index) => constant.data[index] ?? 0) };
  }
  return { kind: 'float32', data: Float32Array.from(indices, (index) => constant.data[index] ?? 0) };
}

function sourceIndices(sizes: readonly number[], steps: readonly number[]): Int32Array {
  let offsets = Int32Array.of(0);
  for (const [axis, size] of sizes.entries()) {
    const step = steps[axis] ?? 1;
    const next = new Int32Array(offsets.length * size);
    for (const [position, base] of offsets.entries()) {
      for (let index = 0; index < size; index++) next[position * size + index] = base + index * step;
    }
    offsets = next;
  }
  return offsets;
}
