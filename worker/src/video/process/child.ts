/** One video, in a process of its own: frames keep it busy, and its end frees everything. */

import { rmSync } from 'node:fs';
import { InferenceConfig } from '../../config/inference.config.js';
import { InvalidImageError } from '../../image/picture/errors.js';
import { serialiseError } from '../../inference/errors.js';
import { entryForRole, modelsFolder, readManifest } from '../../networks/manifest.js';
import { Sessions } from '../../networks/sessions.js';
import { enhanceVideo } from '../enhance/enhance-video.js';
import { measureSpeed } from '../enhance/speed.js';
import type { FromVideoProcess, VideoRequest } from './protocol.js';

let folder: string | null = null;

// When the worker is killed, nothing of the video may remain; the end of this process ends ffmpeg.
process.on('disconnect', () => {
  if (folder !== null) rmSync(folder, { recursive: true, force: true });
  process.exit(0);
});

function send(message: FromVideoProcess): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

async function answer(request: VideoRequest): Promise<FromVideoProcess> {
  const config = InferenceConfig.fromEnvironment(process.env);
  const manifest = await readManifest(config.modelsFolder ?? modelsFolder());
  const sessions = new Sessions(manifest, config);
  const { signal } = new AbortController();
  if (request.type === 'measure') {
    return { type: 'measured', speed: await measureSpeed(request.tools, sessions, { folder: request.folder, signal }) };
  }
  const outcome = await enhanceVideo(request.tools, sessions, { ...request, signal, onUpdate: send });
  const models = outcome.roles.map((role) => {
    const { id, version, sha256 } = entryForRole(manifest, role);
    return { id, version, sha256 };
  });
  return { type: 'enhanced', outcome, models };
}

process.once('message', (request: VideoRequest) => {
  folder = request.folder;
  answer(request)
    .catch((error): FromVideoProcess => {
      if (error instanceof InvalidImageError) return { type: 'invalid', code: error.code };
      return { type: 'error', error: serialiseError(error) };
    })
    .then(send);
});
