import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: ['contract', 'api', 'worker', 'web', 'ops', 'models', 'tests'].map((room) => `${room}/vitest.config.ts`),
    // Much of the time is spent waiting for a browser, a store or a deadline. More than two at once, and tests of time
    // limits begin to measure each other.
    maxWorkers: 2,
  },
});
