import type { Page } from 'playwright-core';
import { expectAccessible } from '../browser/accessibility.ts';
import { untilHydrated } from '../sign-in.ts';

/** A path, or steps to a state without one; steps check the states on the way. */
export type State = string | ((page: Page) => Promise<void>);

export function modalAt(width: number, link: string): State {
  return async (page) => {
    await page.goto('/');
    await untilHydrated(page);
    await page.setViewportSize({ width, height: 900 });
    await page.locator(link).click();
    await page.getByRole('dialog').waitFor();
    await expectAccessible(page);
  };
}

export function previewedTools(taskId: string): State {
  return async (page) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`/result?taskId=${taskId}`);
    await untilHydrated(page);
    const tabs = page.getByRole('tab');
    await tabs.nth(2).click();
    await page.locator('input[name=colorEnhance][value=golden]').check();
    await page.waitForURL(/outputId=/);
    for (const tab of await tabs.all()) {
      await tab.click();
      await expectAccessible(page);
    }
  };
}

export function paywallOver(taskId: string): State {
  return async (page) => {
    await page.setViewportSize({ width: 390, height: 900 });
    await page.goto(`/result?taskId=${taskId}`);
    await untilHydrated(page);
    await page.locator('main a[href^="/upgrade"]:visible').first().click();
    await page.getByRole('dialog').getByRole('listitem').first().waitFor();
    await expectAccessible(page, [1440, 390]);
  };
}

export async function chosenPhoto(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 900 });
  await page.goto('/history');
  await untilHydrated(page);
  const card = page.getByRole('main').getByRole('listitem').first();
  await card.getByRole('checkbox').check();
  await card.locator('button[popovertarget]').click();
  await card.locator('.card-menu').waitFor();
  await expectAccessible(page);
}

/** The account's tab with a new key, and the question before it is revoked. */
export async function createdKey(page: Page): Promise<void> {
  await page.goto('/account/plugin-key');
  await untilHydrated(page);
  await page.locator('form[action^="/account/plugin-key"] button').click();
  await page.locator('input[readonly]').waitFor();
  await expectAccessible(page, [1440, 390]);
  await page.locator('main li a[href*="/revoke"]').first().click();
  await page.getByRole('dialog').getByRole('button').first().waitFor();
  await expectAccessible(page);
}

/** An endpoint with a delivery that has failed. */
export function sentWebhook(endpointId: string): State {
  return async (page) => {
    await page.goto(`/account/webhooks/${endpointId}`);
    await untilHydrated(page);
    const delivery = page.locator('#deliveries details').first();
    await delivery.locator('summary').click();
    await delivery.locator('ol > li').first().waitFor({ state: 'attached' });
    await expectAccessible(page, [1440, 390]);
  };
}

export async function accountDialog(page: Page): Promise<void> {
  await page.goto('/');
  await untilHydrated(page);
  await page.locator('header a[href^="/account"]').click();
  await page.getByRole('dialog').getByRole('switch').first().waitFor();
  await expectAccessible(page);
}
