import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isFinal, videoLimitRoutes, videoRoutes } from '@clearframe/contract';
import { expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.ts';
import { createClip } from '../support/clip.ts';
import { subscribe } from '../support/payments/purchases.ts';
import { until } from '../support/until.ts';
import { uploadVideo } from '../support/upload-video.ts';
import type { Faults } from './faults.ts';

/** Whether a program has the file of a task among its arguments. */
async function isRead(taskId: string): Promise<boolean> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'latin1').catch(() => '')));
  return lines.some((line) => line.includes(taskId));
}

export function testVideos(faults: Faults): void {
  it('reads the length of a video from its packets, and refuses one that is too long', async () => {
    const account = await ApiClient.logIn(faults.product.url, `${randomUUID()}@example.com`);
    await subscribe(account, 'personal');
    const videoTaskId = await uploadVideo(account, await createClip({ seconds: 61, size: '64x36' }));
    await expect(account.call(videoRoutes.processVideoTask, { params: { videoTaskId } })).rejects.toMatchObject({
      status: 403,
      problem: { error_code: 'videos.limit_reached', details: { limit: 'max_length', value: 61, allowed: 60 } },
    });
  });

  it('finishes a video once after the worker was killed, for one use of the allowance', async () => {
    const account = await ApiClient.logIn(faults.product.url, `${randomUUID()}@example.com`);
    await subscribe(account, 'personal');
    const videoTaskId = await uploadVideo(account, await createClip({ seconds: 5, size: '320x180' }));
    const params = { videoTaskId };
    await account.call(videoRoutes.processVideoTask, { params });
    const read = () => account.call(videoRoutes.getVideoTask, { params }).catch(() => null);
    await until('the video is being enhanced', async () => ((await read())?.progress ?? 0) > 0.05);
    const killed = await faults.killer.replace('worker');
    const ended = async () => {
      const video = await read();
      return video && isFinal(video.status) ? video : null;
    };
    expect(await until('the video has ended', ended, { deadlineMs: 200_000 })).toMatchObject({
      status: 'completed',
      errorCode: null,
    });
    expect(await account.call(videoLimitRoutes.getVideoLimits, { query: {} })).toMatchObject({ usedLength: 5 });
    const folders = await readdir(join(tmpdir(), 'clearframe-videos'));
    expect(folders.filter((name) => name.startsWith(`${killed}.`))).toEqual([]);
    await until('no program reads the video any more', async () => !(await isRead(videoTaskId)));
    const results = await readdir(join(faults.product.dataFolder, 'media/results', videoTaskId), { recursive: true });
    expect(results.filter((file) => file.endsWith('result.mp4'))).toHaveLength(1);
  });
}
