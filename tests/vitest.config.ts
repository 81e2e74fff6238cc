import { defineConfig } from 'vitest/config';

// Files share one product or start one of their own: one file at a time, or they would measure each other.
export default defineConfig({
  test: {
    name: 'tests',
    globalSetup: ['support/shared-product.ts'],
    include: ['**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
});
