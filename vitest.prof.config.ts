import { defineConfig } from 'vitest/config';
export default defineConfig({ test: { projects: ['api/vitest.prof.config.ts'], maxWorkers: 1 } });
