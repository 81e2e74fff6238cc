import { defineConfig } from 'vitest/config';
import { testFiles } from '../vitest.files.ts';

export default defineConfig({
  test: {
    name: 'tests',
    globalSetup: ['support/shared-product.ts'],
    ...testFiles(['**']),
    // After the other rooms: a browser beside their tests of time limits would slow both.
    sequence: { groupOrder: 1 },
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // One provider's window in some hundreds stays open on a machine that is busy with other tests, for a reason that is
    // not known yet; what it says then is in the error. A second try is reported as such.
    retry: 1,
    // A browser beside another one may take a while for what it does in no time alone.
    expect: { poll: { timeout: 30_000 } },
  },
});
