import type { Page } from 'playwright-core';
import type { ApiClient } from '../api-client.ts';
import { expectAccessible } from '../browser/accessibility.ts';
import { smallPicture } from '../payments/checkout.ts';
import { slowPortrait } from '../portrait.ts';
import { jpegFile } from '../result-page.ts';
import { untilHydrated } from '../sign-in.ts';
import type { State } from './page-states.ts';

const PHONE = { width: 390, height: 900 } as const;
const WIDTHS = [1440, 768, 390];
const LOOK = 'input[name=colorEnhance]';

/** The open sheet, the menu of formats, and a change that is applied and refused. */
export function openTools(taskId: string): State {
  return async (page) => {
    await page.setViewportSize(PHONE);
    await page.goto(`/result?taskId=${taskId}`);
    await untilHydrated(page);
    const handle = page.locator('.sheet-handle');
    await page.locator('button[popovertarget]').click();
    await page.locator('.download-menu').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.locator('.download-menu').waitFor({ state: 'hidden' });
    await handle.click();
    await page.getByRole('tab').nth(2).click();
    await expectAccessible(page);
    const released = Promise.withResolvers<void>();
    await page.route('**/result/tools', async (route) => {
      await released.promise;
      await route.fulfill({ status: 404, json: { problem: { code: 'queue.full', requestId: 'x' } } });
    });
    await page.locator(`${LOOK}[value=silky]`).check();
    await page.locator('.apply-status').waitFor();
    for (const isClosed of [false, true]) {
      if (isClosed) await handle.click();
      await expectAccessible(page, WIDTHS);
    }
    released.resolve();
    await page.locator('.sheet-summary').getByRole('alert').waitFor();
    await expectAccessible(page, WIDTHS);
    await page.unroute('**/result/tools');
  };
}

/** Two results side by side. */
export function comparedVersions(taskId: string): State {
  return async (page) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`/result?taskId=${taskId}`);
    await untilHydrated(page);
    await page.getByRole('tab').nth(2).click();
    await page.locator(`${LOOK}[value=teal]`).check();
    await page.waitForURL(/outputId=/);
    await page.locator('a[href*=compareId]').first().click();
    await page.waitForURL(/compareId=/);
    await expectAccessible(page, WIDTHS);
  };
}

/** Removes the document's scripts; the checks themselves need JavaScript. */
export function withoutScripts(address: string): State {
  return async (page) => {
    const isPage = (url: URL) => `${url.pathname}${url.search}` === address;
    await page.route(isPage, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(/<script[\s\S]*?<\/script>/g, '');
      await route.fulfill({ response, body });
    });
    await page.goto(address);
    await expectAccessible(page, WIDTHS);
    await page.unroute(isPage);
  };
}

/** A file that is being sent. */
export async function startedUpload(page: Page): Promise<void> {
  await page.goto('/');
  await untilHydrated(page);
  const released = Promise.withResolvers<void>();
  await page.route('**/uploads', async (route) => {
    await released.promise;
    await route.abort();
  });
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(jpegFile(await smallPicture()));
  await page.locator('.stage-dialog').waitFor();
  await expectAccessible(page, WIDTHS);
  await page.locator('.stage-dialog .stage-actions button').click();
  released.resolve();
  await page.unrouteAll({ behavior: 'wait' });
}

/** A photo in progress, and cancelled. */
export function progressOf(account: ApiClient): State {
  return async (page) => {
    const taskId = await account.submit(await slowPortrait());
    await page.goto(`/processing?taskId=${taskId}`);
    await untilHydrated(page);
    await page.locator('.stage-status').waitFor();
    await expectAccessible(page, WIDTHS);
    await page.locator('form[action^="/processing"] button').click();
    await page.locator('.stage').waitFor({ state: 'detached' });
    await expectAccessible(page, WIDTHS);
  };
}
