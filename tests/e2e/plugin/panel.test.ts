import { beforeAll, expect, it } from 'vitest';
import { buildPlugin } from '../../../plugin/build.ts';
import { ccxOf } from '../../../plugin/ccx.ts';
import { expectAccessible } from '../../support/browser/accessibility.ts';
import { useBrowser } from '../../support/browser/browser.ts';
import { openStatePanel, PANEL_STATES } from '../../support/pages/panel-states.ts';
import { NARROW, showPanel } from '../../support/plugin-panel.ts';

/** Nothing answers there but the stand-ins. */
const ORIGIN = 'http://localhost:9';
const browser = useBrowser();

let ccx: Uint8Array;
beforeAll(async () => {
  ccx = ccxOf(await buildPlugin(), { url: ORIGIN, storage: null });
});

/** A panel has its title in the tab of Photoshop's window. */
const TITLED_BY_PHOTOSHOP = ['page-has-heading-one'];

/** In turns: directions, colors and lengths of words don't depend on the states. */
const APPEARANCES = [
  { uiLocale: 'en_US', colorScheme: 'light' },
  { uiLocale: 'ar_AE', colorScheme: 'dark' },
  { uiLocale: 'de_DE', colorScheme: 'dark' },
] as const;

it.each(Object.entries(PANEL_STATES).map(([name, group], index) => ({ name, ...group, index })))(
  'the panel of Photoshop has no accessibility violations and fits into 230 pixels: $name',
  async ({ steps, expectedStatus, index }) => {
    const appearance = APPEARANCES[index % APPEARANCES.length];
    const panel = await openStatePanel(browser(), ORIGIN, { ccx, expectedStatus, ...appearance });
    await steps(panel, () => expectAccessible(panel.page, [NARROW.width], TITLED_BY_PHOTOSHOP));
    panel.expectNoErrors();
    await panel.close();
  },
);

it('the panel is used by keys alone, and the focus stays where the user is', async () => {
  const { page, answers, task, open, expectNoErrors, close } = await openStatePanel(browser(), ORIGIN, { ccx });
  await open();
  await showPanel(page);
  await page.locator('sp-textfield').waitFor();
  const focused = () =>
    page.evaluate(() => [document.activeElement?.localName, document.activeElement?.textContent?.trim()]);
  await page.keyboard.press('Tab');
  await page.keyboard.type(`cfk_live_${'x'.repeat(43)}`);
  await page.keyboard.press('Enter');
  await expect.poll(focused).toEqual(['sp-button', 'Use on this device']);
  await page.keyboard.press('Enter');
  await expect.poll(focused).toEqual(['sp-action-button', 'Enhance']);
  for (const _ of ['Batch', 'History', 'scope', 'Enhance']) await page.keyboard.press('Tab');
  expect(await focused()).toEqual(['sp-button', 'Enhance']);
  answers.set('GET /tasks/task-1', task('processing'));
  await page.keyboard.press('Enter');
  await expect.poll(focused).toEqual(['sp-button', 'Cancel']);
  await page.keyboard.press('Enter');
  await expect.poll(focused).toEqual(['sp-button', 'Enhance']);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  expect(await focused()).toEqual(['sp-checkbox', 'Restore faces']);
  await expect.poll(() => page.locator('.tool').first().locator('sp-slider').count()).toBe(0);
  expectNoErrors();
  await close();
});
