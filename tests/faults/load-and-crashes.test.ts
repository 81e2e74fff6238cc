import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isFinal, megabytes, taskRoutes, videoLimitRoutes, videoRoutes } from '@clearframe/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.ts';
import { openPage, useBrowser } from '../support/browser/browser.ts';
import { enlargeJpeg, slowUploads } from '../support/browser/network.ts';
import { createClip } from '../support/clip.ts';
import { openMember } from '../support/identity/members.ts';
import { untilHydrated } from '../support/identity/sign-in.ts';
import { smallPicture } from '../support/payments/checkout.ts';
import { startLosingProxy } from '../support/payments/lost-answer.ts';
import { subscribe } from '../support/payments/purchases.ts';
import { blurredPortrait } from '../support/portrait.ts';
import { environmentOf, withDatabase } from '../support/product/database.ts';
import { Kills } from '../support/product/kills.ts';
import { type Product, startProduct } from '../support/product/product.ts';
import { startApi } from '../support/product/services.ts';
import { text } from '../support/texts.ts';
import { until } from '../support/until.ts';

const browser = useBrowser();

let product: Product;
let kills: Kills;
/** Restoring a face takes seconds. */
let large: Buffer;
let small: Buffer;
const GUESTS = 10;

beforeAll(async () => {
  [product, large, small] = await Promise.all([startProduct(), blurredPortrait(320), smallPicture()]);
  kills = new Kills(product);
});
afterAll(() => product?.stop());

/** Charges that the sandbox has made. */
async function countCharges(databaseUrl: string): Promise<number> {
  const statement = `SELECT count(*)::int AS count FROM sandbox.objects WHERE type = 'charge'`;
  const { rows } = await withDatabase(databaseUrl, (client) => client.query<{ count: number }>(statement));
  return rows[0]?.count ?? 0;
}

const untilRunning = (guest: ApiClient, taskId: string) =>
  until('the picture is being worked on', async () => (await guest.task(taskId)).progress > 0.05);

async function uploadVideo(account: ApiClient, bytes: Buffer): Promise<string> {
  const body = { videoContentType: 'video/mp4', eligibilityLimits: {}, videoMetadata: { size: bytes.length } } as const;
  const { videoTaskId, uploadUrl, uploadHeaders } = await account.call(videoRoutes.createVideoTask, { body });
  const sent = await fetch(uploadUrl, { method: 'PUT', headers: uploadHeaders, body: new Uint8Array(bytes) });
  expect(sent.status).toBe(200);
  return videoTaskId;
}

/** Whether a program has the file of a task among its arguments. */
async function isRead(taskId: string): Promise<boolean> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'latin1').catch(() => '')));
  return lines.some((line) => line.includes(taskId));
}

const untilFinal = (guest: ApiClient, taskId: string) =>
  until(
    'the task has ended',
    async () => {
      // 503 while dependencies are down.
      const task = await guest.task(taskId).catch(() => null);
      return task && isFinal(task.status) ? task : null;
    },
    { deadlineMs: 200_000 },
  );

it('reads the length of a video from its packets, and refuses one that is too long', async () => {
  const account = await ApiClient.logIn(product.url, `${randomUUID()}@example.com`);
  await subscribe(account, 'personal');
  const videoTaskId = await uploadVideo(account, await createClip({ seconds: 61, size: '64x36' }));
  await expect(account.call(videoRoutes.processVideoTask, { params: { videoTaskId } })).rejects.toMatchObject({
    status: 403,
    problem: { error_code: 'videos.limit_reached', details: { limit: 'max_length', value: 61, allowed: 60 } },
  });
});

describe('concurrent guests', () => {
  it('have places in the queue and private tasks, which all complete', async () => {
    // Others wait until it is cancelled.
    const first = await ApiClient.createGuest(product.url);
    const blocking = await first.submit(await blurredPortrait(2000));
    await until('the first picture is being enhanced', async () => (await first.task(blocking)).queueWaitNum === 0);
    const guests = await Promise.all(Array.from({ length: GUESTS }, () => ApiClient.createGuest(product.url)));
    const taskIds = await Promise.all(guests.map((guest) => guest.submit(small)));
    const readTasks = () => Promise.all(guests.map((guest, index) => guest.task(taskIds[index] ?? '')));

    const waiting = await until('every task has a place', async () => {
      const places = (await readTasks()).map(({ queueWaitNum }) => queueWaitNum);
      return places.includes(null) ? null : places.map(Number);
    });
    expect(waiting.toSorted((a, b) => a - b)).toEqual(guests.map((_, index) => index + 1));

    await first.call(taskRoutes.cancelTask, { params: { taskId: blocking } });
    // -1: left the queue.
    const lowest = new Map(taskIds.map((taskId, index) => [taskId, waiting[index] ?? Number.NaN]));
    const ended = await until('all tasks have ended', async () => {
      const tasks = await readTasks();
      for (const { taskId, queueWaitNum } of tasks) {
        const place = queueWaitNum ?? -1;
        expect(place).toBeLessThanOrEqual(lowest.get(taskId) ?? Number.NaN);
        lowest.set(taskId, place);
      }
      return tasks.every(({ status }) => isFinal(status)) ? tasks : null;
    });
    expect(ended.map(({ status }) => status)).toEqual(new Array(GUESTS).fill('completed'));

    const [one, another] = guests;
    await expect(one?.task(taskIds[1] ?? '')).rejects.toMatchObject({
      status: 404,
      problem: { error_code: 'tasks.not_found' },
    });
    await expect(another?.task(taskIds[1] ?? '')).resolves.toMatchObject({ status: 'completed' });
  });
});

describe('when a process is killed while a picture is enhanced', () => {
  it('finishes once after the worker was killed', async () => {
    const guest = await ApiClient.createGuest(product.url);
    const taskId = await guest.submit(large);
    await untilRunning(guest, taskId);
    await kills.replace('worker');
    const task = await untilFinal(guest, taskId);
    expect(task).toMatchObject({ status: 'completed', errorCode: null });
    expect(task.result.outputs).toHaveLength(1);
    const files = await readdir(join(product.dataFolder, 'media/results', taskId), { recursive: true });
    expect(files.filter((file) => file.endsWith('master.png'))).toHaveLength(1);
  });

  it('finishes a video once after the worker was killed, for one use of the allowance', async () => {
    const account = await ApiClient.logIn(product.url, `${randomUUID()}@example.com`);
    await subscribe(account, 'personal');
    const videoTaskId = await uploadVideo(account, await createClip({ seconds: 12, size: '640x360' }));
    const params = { videoTaskId };
    await account.call(videoRoutes.processVideoTask, { params });
    const read = () => account.call(videoRoutes.getVideoTask, { params }).catch(() => null);
    await until('the video is being enhanced', async () => ((await read())?.progress ?? 0) > 0.05);
    const killed = await kills.replace('worker');
    const ended = async () => {
      const video = await read();
      return video && isFinal(video.status) ? video : null;
    };
    expect(await until('the video has ended', ended, { deadlineMs: 200_000 })).toMatchObject({
      status: 'completed',
      errorCode: null,
    });
    expect(await account.call(videoLimitRoutes.getVideoLimits, { query: {} })).toMatchObject({ usedLength: 12 });
    const folders = await readdir(join(tmpdir(), 'clearframe-videos'));
    expect(folders.filter((name) => name.startsWith(`${killed}-`))).toEqual([]);
    await until('no program reads the video any more', async () => !(await isRead(videoTaskId)));
    const results = await readdir(join(product.dataFolder, 'media/results', videoTaskId), { recursive: true });
    expect(results.filter((file) => file.endsWith('result.mp4'))).toHaveLength(1);
  });

  it('completes accepted tasks when Redis is killed and restarts empty', async () => {
    const guest = await ApiClient.createGuest(product.url);
    const [running, waiting] = [await guest.submit(large), await guest.submit(small)];
    await untilRunning(guest, running);
    // Memory and append-only file are gone.
    const killed = await product.pidOf('redis');
    await rm(join(product.dataFolder, 'redis'), { recursive: true, force: true });
    process.kill(killed, 'SIGKILL');
    const accepted = await guest.submit(small);
    await kills.untilReplaced('redis', killed);
    for (const taskId of [running, waiting, accepted]) {
      const task = await untilFinal(guest, taskId);
      expect(task.status).toBe('completed');
      expect(task.result.outputs).toHaveLength(1);
    }
  });

  it('completes accepted tasks when PostgreSQL is killed', async () => {
    const guest = await ApiClient.createGuest(product.url);
    const taskId = await guest.submit(small);
    await kills.replace('postgres');
    expect(await untilFinal(guest, taskId)).toMatchObject({ status: 'completed' });
  });

  it('completes accepted tasks when the api is killed', async () => {
    const guest = await ApiClient.createGuest(product.url);
    const taskId = await guest.submit(small);
    await kills.replace('api');
    expect(await untilFinal(guest, taskId)).toMatchObject({ status: 'completed' });
  });

  it('shows the result of a picture that was in progress when web was killed', async () => {
    const { page, close } = await openPage(browser(), product.url);
    await page.goto('/');
    await untilHydrated(page);
    await page
      .getByLabel('Choose a photo')
      .setInputFiles({ name: 'person.jpg', mimeType: 'image/jpeg', buffer: large });
    await page.waitForURL(/\/result\?taskId=/);
    await kills.replace('web');
    await page.getByRole('slider', { name: 'Drag to compare' }).waitFor();
    await close();
  });

  it.each(['api', 'web'] as const)('resumes an upload at its byte when %s is killed', async (name) => {
    const { page, close } = await openPage(browser(), product.url);
    await page.goto('/');
    await untilHydrated(page);
    const network = await slowUploads(page, megabytes(3));
    const buffer = enlargeJpeg(small, megabytes(10));
    await page.getByLabel('Choose a photo').setInputFiles({ name: 'coast.jpg', mimeType: 'image/jpeg', buffer });
    await page.waitForFunction(() => Number(document.querySelector('progress')?.value) >= 0.5);
    await kills.replace(name);
    await page.waitForURL(/\/result\?taskId=/);
    expect(network.patches[0]).toBe(0);
    expect(network.patches.at(-1)).toBeGreaterThan(megabytes(3));
    await close();
  });

  it('accepts a form without JavaScript again when web was killed during its upload', async () => {
    const { page, account, close } = await openMember(browser(), product.url, { javaScriptEnabled: false });
    const send = async (name: string, buffer: Buffer) => {
      await page.goto('/');
      const picker = page.getByLabel(text('home:drop.label'), { exact: true });
      await picker.setInputFiles({ name, mimeType: 'image/jpeg', buffer });
      await page.getByRole('button', { name: text('home:drop.submit') }).click({ noWaitAfter: true });
    };
    const taskOf = async (name: string) => {
      const { data } = await account.call(taskRoutes.listTasks, { query: {} });
      return data.find(({ input }) => input.fileName === name);
    };
    // It takes 40 s.
    await slowUploads(page, megabytes(0.5));
    await send('broken-off.jpg', enlargeJpeg(small, megabytes(20)));
    await until('its bytes arrive', async () => (await taskOf('broken-off.jpg'))?.status === 'uploading');
    await kills.replace('web');
    await expect.poll(() => page.url()).toMatch(/^chrome-error:/);

    await send('whole.jpg', small);
    await page.waitForURL(/\/(?:processing|result)\?taskId=/);
    await until('the picture is enhanced', async () => (await taskOf('whole.jpg'))?.status === 'completed');
    // Never processed; it ends as invalid when its address expires (upload-expiry.test.ts).
    expect((await taskOf('broken-off.jpg'))?.status).toBe('uploading');
    await close();
  });

  it('charges once, and grants it, when the sandbox is killed between charge and answer', async () => {
    const { STRIPE_API_URL = '', DATABASE_URL = '' } = await environmentOf(product, 'api');
    const killed = Promise.withResolvers<number>();
    const proxy = await startLosingProxy(STRIPE_API_URL, 'POST /v1/subscriptions', () =>
      kills.kill('sandbox').then(killed.resolve, killed.reject),
    );
    const api = await startApi(product, { STRIPE_API_URL: proxy.url });
    try {
      const account = await ApiClient.logIn(api.url, `${randomUUID()}@example.com`);
      const before = await countCharges(DATABASE_URL);
      await expect(subscribe(account, 'personal')).rejects.toMatchObject({ status: 503 });
      await kills.untilReplaced('sandbox', await killed.promise);
      await until('the subscription is known', async () => (await account.me()).monetization.isSubscribed);
      expect((await countCharges(DATABASE_URL)) - before).toBe(1);
    } finally {
      await api.stop();
      await proxy.stop();
    }
  });
});
