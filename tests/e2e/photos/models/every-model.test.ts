import { describe } from 'vitest';
import { useBrowser } from '../../../support/browser/browser.ts';
import { itWithAndWithoutJavaScript } from '../../../support/browser/javascript.ts';
import { applyEveryModel, TIMEOUT_MS } from './apply-every-model.ts';

const browser = useBrowser();

describe('every model of every tool, from the page', () => {
  itWithAndWithoutJavaScript(
    'is applied for a business customer',
    { short: 'without', timeoutMs: TIMEOUT_MS },
    (javaScriptEnabled) => applyEveryModel(browser(), { plan: 'business', javaScriptEnabled }),
  );
});
