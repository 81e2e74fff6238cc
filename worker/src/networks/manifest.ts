import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';

/** A model file is missing or has another hash than the manifest says, or no model has the role. */
export class ModelFileError extends Error {
  override readonly name = 'ModelFileError';
  readonly retryable = false;
}

export const ROLES = [
  'restore-face',
  'restore-photo',
  'detect-face',
  'face-mesh',
  'recognize-face',
  'iris',
  'segment-person',
] as const;
export type Role = (typeof ROLES)[number];

const point = z.tuple([z.number(), z.number()]);
/** x and y. */
export type Point = z.infer<typeof point>;

const alignment = z.tuple([point, point, point, point, point]);
export type Alignment = z.infer<typeof alignment>;

const tensor = z.object({
  name: z.string(),
  meaning: z.string(),
  layout: z.enum(['NCHW', 'NHWC', 'flat']),
  dtype: z.literal('float32'),
  range: z.tuple([z.number(), z.number()]).optional(),
  /** Fixed sizes as numbers, dynamic ones by name. */
  shape: z.array(z.union([z.int().positive(), z.string()])),
});

const model = z.object({
  id: z.string(),
  role: z.enum(ROLES),
  version: z.string(),
  /** Path relative to the manifest. */
  file: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.int().positive(),
  licence: z.object({ spdx: z.string(), notice: z.string() }),
  source: z
    .object({ package: z.string(), version: z.string(), integrity: z.string(), paths: z.array(z.string()) })
    .optional(),
  /** Output pixels per input pixel, for upscaling networks. */
  scale: z.int().positive().optional(),
  /**
   * Where an aligned face lies in the input, in 0..1 of its sides: left eye in the picture, right eye, nose tip, left and
   * right corner of the mouth.
   */
  alignment: alignment.optional(),
  input: tensor,
  /** In the order of the file: outputs are bound by position, because exporters choose tensor names freely. */
  outputs: z.array(tensor).min(1),
});
export type ModelEntry = z.infer<typeof model>;

const manifest = z.object({ schemaVersion: z.literal(1), models: z.array(model) });

export interface Manifest {
  readonly folder: string;
  readonly models: readonly ModelEntry[];
}

/** Folder of `manifest.json`: `CLEARFRAME_MODELS_DIR`, or that of the models package. */
export function modelsFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const configured = environment.CLEARFRAME_MODELS_DIR;
  if (configured) return resolve(configured);
  return dirname(createRequire(import.meta.url).resolve('@clearframe/models/manifest.json'));
}

/** Reads and validates the manifest. Throws {@link ModelFileError} with the reason. */
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
  if (!parsed.success)
    throw new ModelFileError(`The model manifest ${path} is invalid: ${z.prettifyError(parsed.error)}`);
  return { folder, models: parsed.data.models };
}

/** The entry of a role; the last one wins, so that operators can add their own. */
export function entryForRole(source: Manifest, role: Role): ModelEntry {
  const entry = source.models.findLast((candidate) => candidate.role === role);
  if (!entry) throw new ModelFileError(`No model in ${source.folder} has the role ${role}`);
  return entry;
}

/** The bytes of a model after its SHA-256 was checked. */
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
