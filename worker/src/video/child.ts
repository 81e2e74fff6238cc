/** Enhances one video in a process of its own: frames keep it busy, and its end frees all memory. */

import { rmSync } from 'node:fs';
import { InvalidImageError } from '../image/errors.js';
import { SHARED_FD } from '../inference/fork-child.js';
import type { Sessions } from '../networks/sessions.js';
import { enhanceVideo } from './enhance-video.js';
import { inheritAliveFd } from './run.js';
import type { FromVideoProcess, VideoRequest } from './video-process.js';

// The process and its programs hold it open while they run.
inheritAliveFd(SHARED_FD);

let folder: string | null = null;

// When the worker is killed, no file of the video may remain.
process.on('disconnect', () => {
  if (folder !== null) rmSync(folder, { recursive: true, force: true });
  process.exit(0);
});

function send(message: FromVideoProcess): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

/** Loaded on demand, as are the errors: a video without networks ends half a second earlier. */
async function openSessions(): Promise<Sessions> {
  const { Sessions } = await import('../networks/sessions.js');
  const { InferenceConfig } = await import('../platform/inference.config.js');
  return Sessions.open(InferenceConfig.fromEnvironment(process.env));
}

async function answer(request: VideoRequest): Promise<FromVideoProcess> {
  const { signal } = new AbortController();
  if (request.type === 'enhance') {
    const outcome = await enhanceVideo(request.tools, openSessions, { ...request, signal, onUpdate: send });
    return { type: 'enhanced', outcome };
  }
  const { measureSpeed } = await import('./speed.js');
  const speed = await measureSpeed(request.tools, await openSessions(), { folder: request.folder, signal });
  return { type: 'measured', speed };
}

process.once('message', (request: VideoRequest) => {
  folder = request.folder;
  answer(request)
    .catch(async (error): Promise<FromVideoProcess> => {
      if (error instanceof InvalidImageError) return { type: 'invalid', code: error.code };
      const { serializeError } = await import('../inference/errors.js');
      return { type: 'error', error: serializeError(error) };
    })
    .then(send);
});
