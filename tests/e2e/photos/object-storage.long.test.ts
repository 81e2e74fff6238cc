import { randomUUID } from 'node:crypto';
import { isFinal, videoRoutes } from '@clearframe/contract';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type S3Server, startS3Server } from '../../../runtime/test/s3-server.ts';
import { ApiClient } from '../../support/api-client.ts';
import { bytesOf, openPage, useBrowser } from '../../support/browser/browser.ts';
import { createClip } from '../../support/clip.ts';
import { subscribe } from '../../support/payments/purchases.ts';
import { blurredFace } from '../../support/portrait.ts';
import { FEW_PICTURES, type Product, startProduct } from '../../support/product/product.ts';
import { until } from '../../support/product/until.ts';

/** Width and height in pixels of the picture, and of its result, which is enlarged four times. */
const SIDE = 96;
const RESULT_SIDE = 384;

// api/src/uploads/s3-storage.test.ts tests only the api on S3.
let storage: S3Server;
let product: Product;
let file: { name: string; mimeType: string; buffer: Buffer };
const browser = useBrowser();

beforeAll(async () => {
  storage = await startS3Server();
  product = await startProduct({ ...FEW_PICTURES, ...storage.environment, STORAGE_ORIGIN: storage.endpoint });
  file = { name: 'grandmother.jpg', mimeType: 'image/jpeg', buffer: await blurredFace(SIDE) };
});
afterAll(async () => {
  await product?.stop();
  await storage?.stop();
});

describe('the whole product on S3', () => {
  it.each([{ javaScriptEnabled: true }, { javaScriptEnabled: false }])(
    'uploads, enhances, shows and downloads a photo (JavaScript: $javaScriptEnabled)',
    async ({ javaScriptEnabled }) => {
      const { page, expectNoErrors, close } = await openPage(browser(), product.url, {
        javaScriptEnabled,
        allowedOrigins: [storage.endpoint],
      });
      await page.goto('/');
      await page.getByLabel(javaScriptEnabled ? 'Choose a photo' : 'Photo', { exact: true }).setInputFiles(file);
      if (!javaScriptEnabled) await page.getByRole('button', { name: 'Enhance photo' }).click();
      await page.waitForURL(/\/result\?taskId=/);

      for (const [alt, side] of [
        ['Your photo before', SIDE],
        ['Your photo after', RESULT_SIDE],
      ] as const) {
        const picture = page.getByAltText(alt);
        await picture.waitFor();
        await expect.poll(() => picture.getAttribute('src')).toContain(`${storage.endpoint}/${storage.bucket}/`);
        await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(side);
      }

      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download', exact: true }).click(),
      ]);
      expect(saved.suggestedFilename()).toBe('grandmother-clearframe.jpg');
      expect(await sharp(await bytesOf(saved)).metadata()).toMatchObject({ format: 'jpeg', width: RESULT_SIDE });
      expectNoErrors();
      await close();
    },
  );

  it('receives, enhances and returns a video', async () => {
    const account = await ApiClient.logIn(product.url, `${randomUUID()}@example.com`);
    await subscribe(account, 'personal');
    const bytes = await createClip({ seconds: 1, size: '128x72' });
    const body = {
      videoContentType: 'video/mp4',
      eligibilityLimits: {},
      videoMetadata: { size: bytes.length },
    } as const;
    const { videoTaskId, uploadUrl, uploadHeaders } = await account.call(videoRoutes.createVideoTask, { body });
    expect(uploadUrl).toContain(`${storage.endpoint}/${storage.bucket}/`);
    const sent = await fetch(uploadUrl, { method: 'PUT', headers: uploadHeaders, body: new Uint8Array(bytes) });
    expect(sent.status).toBe(200);
    const params = { videoTaskId };
    await account.call(videoRoutes.processVideoTask, { params });
    const video = await until(
      'the video has ended',
      async () => {
        const current = await account.call(videoRoutes.getVideoTask, { params });
        return isFinal(current.status) ? current : null;
      },
      { deadlineMs: 200_000 },
    );
    expect(video.status).toBe('completed');
    const outputUrl = video.result?.outputUrl ?? '';
    expect(outputUrl).toContain(`${storage.endpoint}/${storage.bucket}/`);
    const result = Buffer.from(await (await fetch(outputUrl)).arrayBuffer());
    expect(result.toString('latin1', 4, 8)).toBe('ftyp');
  });
});
