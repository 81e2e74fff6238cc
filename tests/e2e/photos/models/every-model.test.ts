import { describe, it } from 'vitest';
import { useBrowser } from '../../../support/browser/browser.ts';
import { applyEveryModel, TIMEOUT_MS } from './apply-every-model.ts';

const browser = useBrowser();

// every-model.long.test.ts applies all of them, for each plan.
describe('the last model of every tool, from the page', () => {
  it('is applied for a business customer', { timeout: TIMEOUT_MS }, ({ expect }) =>
    applyEveryModel(browser(), { role: 'business', javaScriptEnabled: false, models: 'last' }, expect),
  );
});
