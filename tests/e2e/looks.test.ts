import { hasResult } from '@clearframe/contract';
import { describe, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { blurredPortrait } from '../support/portrait.ts';
import { sharedProduct } from '../support/shared-product.ts';
import { openMember } from '../support/signed-in.ts';
import { expectSound, LOOKS } from '../support/sound.ts';
import { until } from '../support/until.ts';

const product = sharedProduct();
const browser = useBrowser();

describe.each(LOOKS)('in $locale, $colorScheme', (look) => {
  it('home, result and error pages are sound at every width', async () => {
    const { page, account, close } = await openMember(browser(), product.url, {
      ...look,
      expectedStatus: 404,
      reducedMotion: 'reduce',
    });
    const taskId = await account.submit(await blurredPortrait(300));
    await until('there is a result', async () => hasResult((await account.task(taskId)).status));
    for (const address of ['/', `/result?taskId=${taskId}`, '/nothing-here']) {
      await page.goto(address);
      await expectSound(page, [768, 1440]);
      await expectSound(page, [390]);
    }
    await close();
  });
});
