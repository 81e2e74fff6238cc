import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: ['contract', 'api', 'worker', 'web', 'ops', 'models', 'tests'].map((room) => `${room}/vitest.config.ts`),
  },
});
