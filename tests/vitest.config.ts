import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'tests',
    globalSetup: ['support/shared-product.ts'],
    include: ['**/*.test.ts'],
    // After the other rooms: a browser beside their tests of time limits would slow both.
    sequence: { groupOrder: 1 },
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // A browser beside another one may take a while for what it does in no time alone.
    expect: { poll: { timeout: 30_000 } },
  },
});
