import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ConfigurationError } from '@clearframe/runtime/environment';
import { z } from 'zod';

export const ROLES = [
  'restore-face',
  'restore-small-face',
  'restore-detail',
  'restore-photo',
  'restore-texture',
  'find-damage',
  'restore-frame',
  'detect-face',
  'face-mesh',
  'recognize-face',
  'segment-person',
] as const;
export type Role = (typeof ROLES)[number];

const point = z.tuple([z.number(), z.number()]);
export type Point = z.infer<typeof point>;

const alignment = z.tuple([point, point, point, point, point]);
export type Alignment = z.infer<typeof alignment>;

/** Alignment of FFHQ, GFPGAN and CodeFormer; `"ffhq"` in a manifest. */
const FFHQ: Alignment = [
  [0.37691676, 0.46864664],
  [0.62285697, 0.46912813],
  [0.50123859, 0.61331904],
  [0.39308822, 0.725411],
  [0.61150205, 0.72490465],
];

const tensor = z.object({
  name: z.string(),
  meaning: z.string(),
  layout: z.enum(['NCHW', 'NHWC', 'flat']),
  dtype: z.literal('float32'),
  range: z.tuple([z.number(), z.number()]).optional(),
  /** Fixed sizes are numbers, dynamic ones names. */
  shape: z.array(z.union([z.int().positive(), z.string()])),
});
type TensorEntry = z.infer<typeof tensor>;

const parameter = z.object({
  name: z.string(),
  dtype: z.enum(['float32', 'float64']),
  values: z.array(z.number()).min(1),
});

const modelEntry = z
  .object({
    id: z.string(),
    role: z.enum(ROLES),
    version: z.string(),
    /** Path relative to the manifest. */
    file: z.string(),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    bytes: z.int().positive(),
    /** Execution providers that have the network's operations; absent: all. */
    providers: z.array(z.string()).min(1).optional(),
    licence: z.object({ spdx: z.string(), notice: z.string() }),
    source: z
      .object({ package: z.string(), version: z.string(), integrity: z.string(), paths: z.array(z.string()) })
      .optional(),
    /** Enlargement of upscaling networks. */
    scale: z.int().positive().optional(),
    /**
     * Positions in an aligned input, 0..1 of its sides: left eye in the picture, right eye, nose tip, left and right
     * corner of the mouth.
     */
    alignment: z.union([z.literal('ffhq').transform(() => FFHQ), alignment]).optional(),
    input: tensor,
    /** Fixed values of further inputs, such as CodeFormer's `weight`. */
    parameters: z.array(parameter).optional(),
    /** Bound by position, because exporters choose tensor names freely. */
    outputs: z.array(tensor).min(1),
  })
  .superRefine((entry, context) => {
    const problem = roleProblem(entry);
    if (problem)
      context.addIssue({ code: 'custom', message: `${entry.id} cannot have the role ${entry.role}: ${problem}` });
  });
export type ModelEntry = z.infer<typeof modelEntry>;
export type ModelReference = Pick<ModelEntry, 'id' | 'version' | 'sha256'>;

type Shapes = Pick<ModelEntry, 'role' | 'scale' | 'alignment' | 'input' | 'outputs'>;

const FIXED_SHAPES: Readonly<
  Partial<Record<Role, { input: readonly number[]; outputs: readonly (readonly number[])[] }>>
> = {
  'detect-face': {
    input: [1, 3, 256, 256],
    outputs: [
      [1, 512, 1],
      [1, 384, 1],
      [1, 512, 16],
      [1, 384, 16],
    ],
  },
  'face-mesh': {
    input: [1, 3, 192, 192],
    outputs: [
      [1, 1404],
      [1, 1],
    ],
  },
  'segment-person': { input: [1, 3, 256, 256], outputs: [[1, 1, 256, 256]] },
};

/** Why the worker can't use the network in this role; null if it can. */
function roleProblem(entry: Shapes): string | null {
  const { role, input, outputs, scale, alignment } = entry;
  const fixed = FIXED_SHAPES[role];
  if (fixed) {
    const wanted = [fixed.input, ...fixed.outputs];
    const actual = [input, ...outputs.slice(0, fixed.outputs.length)].map(({ shape }) => shape);
    const same = wanted.every((shape, index) => shape.join() === actual[index]?.join());
    return same ? null : `its tensors must be ${wanted.map((shape) => `[${shape}]`).join(', ')}`;
  }
  if (role === 'restore-frame')
    return [input, ...outputs].every(isLuma) && scale === 1
      ? null
      : 'its tensors must be NCHW with one channel, of scale 1';
  if (!isPicture(input)) return 'its input must be NCHW with three channels';
  if (role === 'recognize-face')
    return alignment && isSquare(input) ? null : 'it needs an alignment and a square input';
  const [output] = outputs;
  if (!output || !isPicture(output)) return 'its output must be NCHW with three channels';
  if (role === 'restore-detail' || role === 'find-damage')
    return scale === 1 && !alignment ? null : 'it must keep the size: a scale of 1';
  if (!alignment) return scale ? null : 'it needs a scale or an alignment';
  if (role === 'restore-photo' || role === 'restore-texture') return 'only faces can be aligned';
  const isSameSize = isSquare(input) && output.shape.slice(2).join() === input.shape.slice(2).join();
  return isSameSize ? null : 'the input and output of an aligned network must be squares of the same size';
}

const isPicture = ({ layout, shape }: TensorEntry): boolean =>
  layout === 'NCHW' && shape.length === 4 && shape[1] === 3;

const isLuma = ({ layout, shape }: TensorEntry): boolean => layout === 'NCHW' && shape.length === 4 && shape[1] === 1;

const isSquare = ({ shape }: TensorEntry): boolean => typeof shape[2] === 'number' && shape[2] === shape[3];

/**
 * The manifest or a model file is missing, invalid or differs from the manifest. Printed without stack at the start.
 */
export class ModelFileError extends ConfigurationError {
  override readonly name = 'ModelFileError';
  readonly retryable = false;
}

const manifest = z.object({ schemaVersion: z.literal(1), models: z.array(modelEntry) });

export interface Manifest {
  readonly folder: string;
  readonly models: readonly ModelEntry[];
}

export function modelsFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('@clearframe/models/manifest.json'));
}

export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, 'manifest.json');
  const text = await readFile(path, 'utf8').catch((cause: Error) => {
    throw new ModelFileError(`The model manifest ${path} cannot be read: ${cause.message}`);
  });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new ModelFileError(`The model manifest ${path} is not JSON`);
  }
  const parsed = manifest.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue?.path.length ? `${issue.path.join('.')}: ` : '';
    throw new ModelFileError(`The model manifest ${path} is invalid: ${where}${issue?.message ?? 'unknown reason'}`);
  }
  return { folder, models: parsed.data.models };
}

/** The last entry that the execution provider can run wins, so that operators can add their own. */
export function entryForRole(source: Manifest, role: Role, provider: string): ModelEntry {
  const entry = source.models.findLast(
    (candidate) => candidate.role === role && (candidate.providers?.includes(provider) ?? true),
  );
  if (!entry)
    throw new ModelFileError(`No model in ${source.folder} has the role ${role} for the provider ${provider}`);
  return entry;
}

/** Checked by SHA-256. */
export async function readVerified(source: Manifest, entry: ModelEntry): Promise<Uint8Array> {
  const path = join(source.folder, entry.file);
  const bytes = await readFile(path).catch((cause: Error) => {
    throw new ModelFileError(`The model file ${path} cannot be read: ${cause.message}`);
  });
  const actual = createHash('sha256').update(bytes).digest('hex');
  if (actual !== entry.sha256) {
    throw new ModelFileError(`The model file ${path} has SHA-256 ${actual}, but the manifest says ${entry.sha256}`);
  }
  return bytes;
}
