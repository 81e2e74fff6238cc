/** The inference process may block; the parent, which renews job locks, must not. */

import { InferenceConfig } from '../config/inference.config.js';
import { entryForRole, type Manifest, modelsFolder, ROLES, type Role, readManifest } from '../networks/manifest.js';
import { Sessions } from '../networks/sessions.js';
import { rolesOf, runPipeline } from '../tools/pipeline/pipeline.js';
import { serialiseError } from './errors.js';
import type { FromChild, ToChild } from './protocol.js';

const running = new Map<number, AbortController>();

// Ends with the parent, even if that is killed.
process.on('disconnect', () => process.exit(0));

function send(message: FromChild): void {
  if (process.connected) process.send?.(message);
}

/**
 * Loads every network, so that a wrong file stops the worker at its start and not at a picture. Processes for pictures
 * without networks skip it.
 */
async function load(): Promise<{ manifest: Manifest; sessions: Sessions }> {
  const config = InferenceConfig.fromEnvironment(process.env);
  const manifest = await readManifest(config.modelsFolder ?? modelsFolder());
  const sessions = new Sessions(manifest, config);
  const roles = process.env.WORKER_INFERENCE_PRELOAD === 'none' ? [] : ROLES;
  // Names a missing role before seconds of loading.
  for (const role of roles) entryForRole(manifest, role);
  for (const role of roles) await warm(sessions, role);
  return { manifest, sessions };
}

/** A session's first run allocates and packs weights. */
async function warm(sessions: Sessions, role: Role): Promise<void> {
  const session = await sessions.get(role);
  const [, , height = 0, width = 0] = session.entry.input.shape;
  const rows = typeof height === 'number' ? height : WARM_SIDE;
  const columns = typeof width === 'number' ? width : WARM_SIDE;
  await session.run(new Float32Array(3 * rows * columns), [1, 3, rows, columns]);
}

const WARM_SIDE = 32;

async function enhance(
  { manifest, sessions }: { manifest: Manifest; sessions: Sessions },
  message: Extract<ToChild, { type: 'enhance' }>,
): Promise<void> {
  const { id, pipeline } = message;
  const controller = new AbortController();
  running.set(id, controller);
  try {
    const result = await runPipeline(sessions, message.input, pipeline, {
      faceDetectorMaxInputRes: message.faceDetectorMaxInputRes,
      deep: message.deep,
      icc: message.icc,
      signal: controller.signal,
      onProgress: (fraction) => send({ type: 'progress', id, fraction }),
    });
    const models = rolesOf(pipeline).map((role) => {
      const { id: model, version, sha256 } = entryForRole(manifest, role);
      return { id: model, version, sha256 };
    });
    send({ type: 'done', id, result, models });
  } catch (error) {
    send({ type: 'error', id, error: serialiseError(error) });
  } finally {
    running.delete(id);
  }
}

try {
  const loaded = await load();
  process.on('message', (message: ToChild) => {
    if (message.type === 'abort') running.get(message.id)?.abort();
    else void enhance(loaded, message);
  });
  send({ type: 'ready' });
} catch (error) {
  send({ type: 'failed', error: serialiseError(error) });
  process.disconnect();
}
