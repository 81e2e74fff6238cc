import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { useBrowser } from '../../support/browser/browser.ts';
import { cards } from '../../support/history-page.ts';
import { openMember } from '../../support/identity/members.ts';
import { untilHydrated } from '../../support/identity/sign-in.ts';
import { blurredPortrait } from '../../support/portrait.ts';
import { environmentOf, withDatabase } from '../../support/product/database.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';

const product = sharedProduct();
const browser = useBrowser();

const nextReport = async (page: Page): Promise<unknown> =>
  (await page.waitForRequest('**/client-errors')).postDataJSON().message;

it('a failed task and a picture that does not load are reported', async () => {
  const { page, account, close } = await openMember(browser(), product.url);
  const taskId = await account.enhance(await blurredPortrait(96));
  await page.goto('/history');
  await untilHydrated(page);
  await page.route('**/media/**', (route) => route.abort());
  const image = nextReport(page);
  await cards(page).getByRole('link').first().click();
  expect(await image).toMatch(/^Image at url http:[^?]+ failed to load$/);

  const { DATABASE_URL = '' } = await environmentOf(product, 'api');
  await withDatabase(DATABASE_URL, (client) =>
    client.query(`UPDATE tasks SET status = 'failed', error_code = 'tasks.failed', outputs = '[]' WHERE id = $1`, [
      taskId,
    ]),
  );
  const task = nextReport(page);
  await page.goto(`/processing?taskId=${taskId}`);
  expect(await task).toBe(`Task ${taskId} failed`);
  await close();
});
