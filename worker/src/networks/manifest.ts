import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ConfigurationError } from '@clearframe/runtime/environment';
import { z } from 'zod';
import { type ModelEntry, modelEntry, type Role } from './model-entry.js';

/**
 * The manifest or a model file is missing, invalid or differs from the manifest. Printed without stack at the start.
 */
export class ModelFileError extends ConfigurationError {
  override readonly name = 'ModelFileError';
  readonly retryable = false;
}

export type { Alignment, ModelEntry, Point, Role } from './model-entry.js';
export { ROLES } from './model-entry.js';

const manifest = z.object({ schemaVersion: z.literal(1), models: z.array(modelEntry) });

export interface Manifest {
  readonly folder: string;
  readonly models: readonly ModelEntry[];
}

export function modelsFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('@clearframe/models/manifest.json'));
}

/** @throws {@link ModelFileError} */
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
