import { describe, it } from 'vitest';
import { useBrowser } from '../../../support/browser/browser.ts';
import { applyEveryModel, TIMEOUT_MS } from './apply-every-model.ts';

const browser = useBrowser();

describe('every model of every tool, from the page', () => {
  it.each([
    ['with', true],
    ['without', false],
  ])('is applied for a business customer, %s JavaScript', { timeout: TIMEOUT_MS }, (_form, javaScriptEnabled) =>
    applyEveryModel(browser(), { role: 'business', javaScriptEnabled }),
  );

  it('is a preview for a guest, except the free ones', { timeout: TIMEOUT_MS }, () =>
    applyEveryModel(browser(), { role: 'guest', javaScriptEnabled: true }),
  );

  it.each(['base', 'credits'] as const)(
    'is a preview without a plan (%s), except the free ones',
    { timeout: TIMEOUT_MS },
    (role) => applyEveryModel(browser(), { role, javaScriptEnabled: false }),
  );

  it('is applied or a preview for a personal customer, as the plan says', { timeout: TIMEOUT_MS }, () =>
    applyEveryModel(browser(), { role: 'personal', javaScriptEnabled: false }),
  );
});
