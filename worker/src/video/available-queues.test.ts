import { expect, it } from 'vitest';
import { withAvailableQueues } from '../jobs/video-host.js';

const missing = { FFMPEG_PATH: '/nowhere/ffmpeg', FFPROBE_PATH: '/nowhere/ffprobe' };

it('takes no videos without ffmpeg', async () => {
  expect((await withAvailableQueues(missing)).WORKER_QUEUES).toBe('images,colors,renders');
  expect((await withAvailableQueues({ ...missing, WORKER_QUEUES: 'renders,videos' })).WORKER_QUEUES).toBe('renders');
  expect((await withAvailableQueues({ ...missing, WORKER_QUEUES: 'images' })).WORKER_QUEUES).toBe('images');
  expect((await withAvailableQueues({})).WORKER_QUEUES).toBeUndefined();
});
