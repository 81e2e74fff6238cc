import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isFinal, videoLimitRoutes, videoRoutes } from '@clearframe/contract';
import { expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.ts';
import { createClip } from '../support/clip.ts';
import { subscribe } from '../support/payments/purchases.ts';
import { emptyRedis } from '../support/product/database.ts';
import { until } from '../support/product/until.ts';
import { uploadVideo } from '../support/video-page.ts';
import type { Faults } from './faults.ts';

/** Ids of programs whose arguments have all these words. Linux only. */
async function programsWith(...words: string[]): Promise<number[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'latin1').catch(() => '')));
  return ids.filter((_, at) => words.every((word) => lines[at]?.includes(word))).map(Number);
}

const signalAll = (pids: readonly number[], signal: 'SIGSTOP' | 'SIGCONT'): void => {
  for (const pid of pids) process.kill(pid, signal);
};

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
    const folders = await readdir(join(faults.product.dataFolder, 'tmp/clearframe-scratch'));
    expect(folders.filter((name) => name.startsWith(`${killed}.`))).toEqual([]);
    await until('no program reads the video any more', async () => (await programsWith(videoTaskId)).length === 0);
    const results = await readdir(join(faults.product.dataFolder, 'media/results', videoTaskId), { recursive: true });
    expect(results.filter((file) => file.endsWith('result.mp4'))).toHaveLength(1);
  });

  it('finishes a video for one use of the allowance when Redis has lost everything meanwhile', async () => {
    const account = await ApiClient.logIn(faults.product.url, `${randomUUID()}@example.com`);
    await subscribe(account, 'personal');
    const pipeline = { backgroundEnhance: { model: 'base' } } as const;
    const videoTaskId = await uploadVideo(account, await createClip({ seconds: 5, size: '640x360' }), pipeline);
    const params = { videoTaskId };
    await account.call(videoRoutes.processVideoTask, { params });
    const read = () => account.call(videoRoutes.getVideoTask, { params });
    const held = await until('the video is being enhanced', async () => {
      const pids = await programsWith(videoTaskId, 'file:result.mp4');
      return pids.length > 0 ? pids : null;
    });
    // The video can't end before Redis is empty.
    signalAll(held, 'SIGSTOP');
    try {
      expect((await read()).status).toBe('processing');
      await emptyRedis(faults.product);
    } finally {
      signalAll(held, 'SIGCONT');
    }
    const ended = async () => {
      const video = await read().catch(() => null);
      return video && isFinal(video.status) ? video : null;
    };
    expect(await until('the video has ended', ended, { deadlineMs: 200_000 })).toMatchObject({ status: 'completed' });
    expect(await account.call(videoLimitRoutes.getVideoLimits, { query: {} })).toMatchObject({ usedLength: 5 });
  });
}
