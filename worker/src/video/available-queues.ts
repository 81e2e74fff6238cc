import type { Environment } from '@clearframe/runtime/config';
import { JobsConfig } from '../platform/jobs.config.js';
import { VideoConfig } from '../platform/video.config.js';
import { locateVideoTools } from './locate.js';

/**
 * Without ffmpeg a worker doesn't take videos: `api` then refuses them instead of failing them. A worker that
 * serves no other queue takes them.
 */
export async function withAvailableQueues(environment: Environment): Promise<Environment> {
  const { queues } = JobsConfig.fromEnvironment(environment);
  const others = queues.filter((queue) => queue !== 'videos');
  if (others.length === 0 || others.length === queues.length) return environment;
  const tools = await locateVideoTools(VideoConfig.fromEnvironment(environment));
  return tools ? environment : { ...environment, WORKER_QUEUES: others.join(',') };
}
