import { defineConfig } from 'vitest/config';
import { testFiles } from '../vitest.files.ts';

/** Files with tests of pages in two forms, of which `npm test` runs one (support/browser/javascript.ts). */
const BOTH_FORMS =
  'e2e/{account/*,login/login,pages/layout,payments/{checkout,checkout-country,guest-receipt,offers,payment-recovery,subscribing},photos/*,widgets/{toast,widgets}}.test.ts';

export default defineConfig({
  test: {
    name: 'tests',
    globalSetup: ['support/product/shared-product.ts'],
    ...testFiles(['**'], { alsoLong: [BOTH_FORMS] }),
    // After the other projects: a browser beside their tests of time limits would slow both.
    sequence: { groupOrder: 1 },
    // Two leave a tenth of two cores unused, as browser tests wait for locks, windows and the emulator.
    maxWorkers: 3,
    // Files share one worker and the modules it has loaded; each has its own connections and visitors.
    isolate: false,
    testTimeout: 240_000,
    hookTimeout: 300_000,
    // A browser that shares the machine with another one is slow at times.
    expect: { poll: { timeout: 60_000 } },
  },
});
