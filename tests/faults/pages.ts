import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { megabytes, taskRoutes } from '@clearframe/contract';
import type { Browser } from 'playwright-core';
import { expect, it } from 'vitest';
import { openPage } from '../support/browser/browser.ts';
import { enlargeJpeg, slowUploads } from '../support/browser/network.ts';
import { openMember } from '../support/members.ts';
import { FOR_SALE } from '../support/payments/checkout.ts';
import { subscribe } from '../support/payments/purchases.ts';
import { until } from '../support/product/until.ts';
import { shownFile } from '../support/result-page.ts';
import { untilHydrated } from '../support/sign-in.ts';
import { text } from '../support/texts.ts';
import type { Faults } from './faults.ts';

/** The highest offset among the parts of unfinished uploads. */
async function lastPart({ product }: Faults): Promise<number> {
  const files = await readdir(join(product.dataFolder, 'media/upload-parts'), { recursive: true }).catch(() => []);
  return Math.max(0, ...files.map((file) => Number(basename(file))).filter(Number.isFinite));
}

/** What a page shows when a process that it depends on is killed. */
export function testPages(faults: Faults, browser: () => Browser): void {
  it('shows the result of a picture that was in progress when web was killed', async () => {
    const { page, close } = await openPage(browser(), faults.product.url);
    await page.goto('/');
    await untilHydrated(page);
    await page
      .getByLabel('Choose a photo')
      .setInputFiles({ name: 'person.jpg', mimeType: 'image/jpeg', buffer: faults.large });
    await page.waitForURL(/\/result\?taskId=/);
    await faults.killer.replace('web');
    await page.getByRole('slider', { name: 'Drag to compare' }).waitFor();
    await close();
  });

  it.each([true, false])(
    'shows the file of a new plan once it is encoded (JavaScript: %s)',
    async (javaScriptEnabled) => {
      const { page, account, close } = await openMember(browser(), faults.product.url, { javaScriptEnabled });
      const taskId = await account.enhance(faults.small, 'sea.jpg', FOR_SALE);
      const worker = await faults.product.pidOf('worker');
      process.kill(worker, 'SIGSTOP');
      try {
        await subscribe(account, 'business');
        await page.goto(`/result?taskId=${taskId}`);
        await page.getByText(text('result:watermark')).waitFor();
      } finally {
        process.kill(worker, 'SIGCONT');
      }
      await page.getByText(text('result:watermark')).waitFor({ state: 'detached' });
      // The note of the watermark goes with the download's file, which may be encoded before the page's picture.
      const outputOf = async () => (await account.task(taskId)).result.outputs[0];
      await until('both files are encoded', async () => (await outputOf())?.isEncoding === false);
      const output = await outputOf();
      expect(output?.hasWatermark).toBe(false);
      const files = [output?.display?.url, output?.display?.mediumUrl].map((url) => new URL(url ?? '').pathname);
      const shown = async () => new URL(await shownFile(page.getByAltText('Your photo after'))).pathname;
      // Vitest refuses the global `expect.poll` while another test runs beside this one.
      await until('the page shows it', async () => files.includes(await shown()));
      await close();
    },
  );

  it.each(['api', 'web'] as const)('resumes an upload at its byte when %s is killed', async (name) => {
    await until('earlier uploads are joined', async () => (await lastPart(faults)) === 0);
    const { page, close } = await openPage(browser(), faults.product.url);
    await page.goto('/');
    await untilHydrated(page);
    const network = await slowUploads(page, megabytes(1));
    const buffer = enlargeJpeg(faults.small, megabytes(10));
    await page.getByLabel('Choose a photo').setInputFiles({ name: 'coast.jpg', mimeType: 'image/jpeg', buffer });
    await until('3 MB are stored', async () => (await lastPart(faults)) > megabytes(3));
    await faults.killer.replace(name);
    await network.unlimit();
    await page.waitForURL(/\/result\?taskId=/);
    expect(network.patches[0]).toBe(0);
    expect(network.patches.at(-1)).toBeGreaterThan(megabytes(3));
    await close();
  });

  it('accepts a form without JavaScript again when web was killed during its upload', async () => {
    const { page, account, close } = await openMember(browser(), faults.product.url, { javaScriptEnabled: false });
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
    await send('broken-off.jpg', enlargeJpeg(faults.small, megabytes(20)));
    await until('its bytes arrive', async () => (await taskOf('broken-off.jpg'))?.status === 'uploading');
    await faults.killer.replace('web');
    await until('the page reports the failure', async () => page.url().startsWith('chrome-error:'));

    await send('whole.jpg', faults.small);
    await page.waitForURL(/\/(?:processing|result)\?taskId=/);
    await until('the picture is enhanced', async () => (await taskOf('whole.jpg'))?.status === 'completed');
    // Never processed; it ends as invalid when its address expires (upload-expiry.test.ts).
    expect((await taskOf('broken-off.jpg'))?.status).toBe('uploading');
    await close();
  });
}
