import { defineConfig } from 'vitest/config';
import { testFiles } from '../vitest.files.ts';

export default defineConfig({
  test: {
    name: 'tests',
    globalSetup: ['support/shared-product.ts'],
    ...testFiles(['**']),
    // After the other rooms: a browser beside their tests of time limits would slow both.
    sequence: { groupOrder: 1 },
    // Files share one worker and what it has loaded; each has connections and visitors of its own.
    isolate: false,
    testTimeout: 240_000,
    hookTimeout: 300_000,
    // A browser beside another one may take a while for what it does in no time alone.
    expect: { poll: { timeout: 60_000 } },
  },
});
