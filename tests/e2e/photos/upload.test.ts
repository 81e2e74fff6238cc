import { beforeAll, describe, expect, it } from 'vitest';
import { openPage, useBrowser } from '../../support/browser/browser.ts';
import { itWithAndWithoutJavaScript } from '../../support/browser/javascript.ts';
import { untilHydrated } from '../../support/identity/sign-in.ts';
import { smallPicture } from '../../support/payments/checkout.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

let picture: { name: string; mimeType: string; buffer: Buffer };

beforeAll(async () => {
  picture = { name: 'sea.jpg', mimeType: 'image/jpeg', buffer: await smallPicture() };
});

describe('the samples', () => {
  itWithAndWithoutJavaScript('show their results at once', { short: 'without' }, async (javaScriptEnabled) => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, { javaScriptEnabled });
    await page.goto('/?v=spring');
    if (javaScriptEnabled) await untilHydrated(page);
    await page.getByAltText(text('home:samples.astronaut.alt')).waitFor();
    await page.getByRole('link', { name: text('home:samples.chelsea.label') }).click();
    await page.waitForURL('**/?sample=chelsea&v=spring');
    const width = await page
      .getByAltText(text('home:samples.chelsea.alt'))
      .evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth));
    expect(width).toBe(800);
    const tryYours = page.getByRole('link', { name: text('home:samples.try') });
    if (javaScriptEnabled) await Promise.all([page.waitForEvent('filechooser'), tryYours.click()]);
    else await tryYours.click();
    expect(new URL(page.url()).hash).toBe(javaScriptEnabled ? '' : '#upload-file');
    expectNoErrors();
    await close();
  });
});

describe('an upload', () => {
  it('waits while offline, asks before the page is closed, and goes on by itself', async () => {
    const { page, close } = await openPage(browser(), product.url);
    await page.goto('/');
    await untilHydrated(page);
    await page.context().setOffline(true);
    await page.getByLabel('Choose a photo').setInputFiles(picture);
    await page.getByText(text('home:upload.offline')).waitFor();
    const [question] = await Promise.all([page.waitForEvent('dialog'), page.close({ runBeforeUnload: true })]);
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();
    await page.context().setOffline(false);
    await page.waitForURL(/\/result\?taskId=/);
    // Its messages are loaded during the upload.
    await page.getByRole('heading', { level: 1, name: text('result:heading') }).waitFor();
    await close();
  });

  it('keeps the file after an error of the server, to try again', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, { expectedStatus: 503 });
    await page.goto('/');
    await untilHydrated(page);
    await page.route('**/uploads', (route) =>
      route.fulfill({ status: 503, json: { problem: { code: 'service.unavailable', requestId: 'x' } } }),
    );
    await page.getByLabel('Choose a photo').setInputFiles(picture);
    await page.getByRole('alert').getByText('Clearframe is unavailable').waitFor();
    await page.unroute('**/uploads');
    await page.getByRole('button', { name: text('home:upload.retry', { name: picture.name }) }).click();
    await page.waitForURL(/\/result\?taskId=/);
    expectNoErrors();
    await close();
  });

  it('offers the camera on a phone, beside the files', async () => {
    const { page, close } = await openPage(browser(), product.url, { hasTouch: true, isMobile: true });
    await page.goto('/');
    const camera = page.getByLabel(text('home:drop.take'));
    expect(await camera.getAttribute('capture')).toBe('environment');
    expect(await page.getByLabel('Choose a photo').getAttribute('accept')).toMatch(/image\/heic.*\.heic/);
    await camera.setInputFiles(picture);
    await page.waitForURL(/\/result\?taskId=/);
    await close();
  });
});
