/** May block; the parent, which renews job locks, must not. */

import { ROLES, type Role } from '../networks/manifest.js';
import { Sessions } from '../networks/sessions.js';
import { InferenceConfig } from '../platform/inference.config.js';
import { analyzePicture } from '../tools/pipeline/analyze-picture.js';
import { runPipeline } from '../tools/pipeline/pipeline.js';
import type { ReportProgress } from '../tools/pipeline/progress.js';
import { renderLooks } from '../tools/pipeline/render-looks.js';
import { serializeError } from './errors.js';
import { type Envelope, Exchange } from './exchange.js';
import { SHARED_FD } from './fork-child.js';
import type { FromChild, ToChild } from './protocol.js';

const exchange = new Exchange(SHARED_FD);
const running = new Map<number, AbortController>();

// Ends with the parent, even if that is killed.
process.on('disconnect', () => process.exit(0));

/** Fails if the parent has just been killed: 'disconnect' follows. */
function send(message: FromChild, stored: Envelope<FromChild>['stored'] = []): void {
  if (process.connected) process.send?.({ message, stored }, undefined, undefined, () => undefined);
}

/** Take seconds to load; processes for light work load them only when a picture needs one. */
const HEAVY: readonly Role[] = [
  'restore-face',
  'restore-small-face',
  'restore-detail',
  'restore-photo',
  'restore-texture',
  'find-damage',
  'restore-frame',
];

/** Loaded at the start, so that a wrong file stops the worker there and not at a picture. */
async function load(): Promise<Sessions> {
  const preload = process.env.WORKER_INFERENCE_PRELOAD ?? 'all';
  const sessions = await Sessions.open(InferenceConfig.fromEnvironment(process.env));
  const roles = ROLES.filter((role) => preload === 'all' || (preload === 'light' && !HEAVY.includes(role)));
  // Names a missing role before seconds of loading.
  for (const role of roles) sessions.entryFor(role);
  for (const role of roles) {
    await warm(sessions, role);
    send({ type: 'loaded' });
  }
  return sessions;
}

/** A session's first run allocates and packs weights. */
async function warm(sessions: Sessions, role: Role): Promise<void> {
  const session = await sessions.get(role);
  const [, channels = 0, height = 0, width = 0] = session.entry.input.shape;
  const rows = typeof height === 'number' ? height : WARM_SIDE;
  const columns = typeof width === 'number' ? width : WARM_SIDE;
  const planes = Number(channels);
  await session.run(new Float32Array(planes * rows * columns), [1, planes, rows, columns]);
}

const WARM_SIDE = 32;

async function enhance(
  sessions: Sessions,
  { id, input, pipeline, ...options }: Extract<ToChild, { type: 'enhance' }>,
  signal: AbortSignal,
): Promise<FromChild> {
  const onProgress: ReportProgress = (fraction, running) => send({ type: 'progress', id, fraction, running });
  return {
    type: 'enhanced',
    id,
    result: await runPipeline(sessions, input, pipeline, { ...options, signal, onProgress }),
  };
}

type Request = Exclude<ToChild, { type: 'abort' }>;

async function answer(sessions: Sessions, { message: request, stored }: Envelope<Request>): Promise<void> {
  const { id } = request;
  const controller = new AbortController();
  running.set(id, controller);
  const { signal } = controller;
  try {
    const result = await resultOf(sessions, await exchange.unpack({ message: request, stored }), signal);
    const envelope = await exchange.pack(result);
    send(envelope.message, envelope.stored);
  } catch (error) {
    send({ type: 'error', id, error: serializeError(error) });
  } finally {
    running.delete(id);
    // Garbage is collected while idle: otherwise the next picture's pixels would add to this one's.
    setImmediate(() => globalThis.gc?.());
  }
}

async function resultOf(sessions: Sessions, request: Request, signal: AbortSignal): Promise<FromChild> {
  if (request.type === 'enhance') return enhance(sessions, request, signal);
  if (request.type === 'analyze') {
    const { id, input, ...options } = request;
    return {
      type: 'analyzed',
      id,
      measures: await analyzePicture(sessions, input, { ...options, signal }),
    };
  }
  const { id, input, pipeline, icc } = request;
  return { type: 'looks', id, looks: await renderLooks(sessions, input, pipeline, { icc, signal }) };
}

try {
  const sessions = await load();
  process.on('message', ({ message, stored }: Envelope<ToChild>) => {
    if (message.type === 'abort') running.get(message.id)?.abort();
    else void answer(sessions, { message, stored });
  });
  send({ type: 'ready' });
} catch (error) {
  send({ type: 'failed', error: serializeError(error) });
  process.disconnect();
}
