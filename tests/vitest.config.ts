import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { TIMEOUTS, testFiles } from '../vitest.files.ts';

/** Files with tests or cases that `npm test` leaves out (support/browser/javascript.ts). */
const PARTLY_LONG = globSync('e2e/**/*.test.ts', { cwd: import.meta.dirname }).filter((file) =>
  /\b(itWithAndWithoutJavaScript|itInLongRun|sampleOf)\(/.test(readFileSync(join(import.meta.dirname, file), 'utf8')),
);

/** `npm test` kills each process once, the long run also during videos and in a browser. */
const KILLS = 'faults/load-and-crashes.test.ts';

/** The first two start processes with other settings than those of `npm start`; `npm test` has another test of a video. */
const LONG = ['e2e/login/{firebase,one-tap}.test.ts', 'e2e/videos/stage.test.ts'];

/** The long form of each checks all cases. */
const SAMPLED = [
  'e2e/pages/accessibility.test.ts',
  'e2e/payments/purchase-agreement.test.ts',
  'e2e/photos/models/every-model.test.ts',
];

export default defineConfig({
  test: {
    name: 'tests',
    globalSetup: ['support/browser/global-setup.ts'],
    ...testFiles(['**'], { alsoLong: [...PARTLY_LONG, KILLS], long: LONG, sampled: SAMPLED }),
    // After the other projects: a browser would slow their tests of time limits.
    sequence: { groupOrder: 1 },
    // Files share a worker and its modules, with their own connections and visitors.
    isolate: false,
    // Collections of the default 16 MB take an eighth of the processor time.
    execArgv: ['--max-semi-space-size=64'],
    ...TIMEOUTS,
    // A test has many steps, each with its own limit (support/browser/browser.ts).
    testTimeout: 900_000,
    // Reading an attribute takes 2 to 3 ms of a processor, which the page's own work needs.
    expect: { poll: { ...TIMEOUTS.expect.poll, interval: 150 } },
  },
});
