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
  },
});
