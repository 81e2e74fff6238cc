import { defineConfig } from 'vitest/config';

// Each file starts the whole product: one at a time, or they would measure each other.
export default defineConfig({
  test: {
    name: 'tests',
    include: ['**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
});
