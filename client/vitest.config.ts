import swc from 'unplugin-swc';
import { defineConfig } from 'vitest/config';
import { TIMEOUTS, testFiles } from '../vitest.files.ts';

// The API that the tests call runs from its sources, as in api/vitest.config.ts.
export default defineConfig({
  plugins: [swc.vite({ module: { type: 'es6' } })],
  test: {
    name: 'client',
    ...testFiles(['src/**', 'test/**']),
    globalSetup: ['../api/test/support/stores/template-database.ts'],
    isolate: false,
    execArgv: ['--max-semi-space-size=64'],
    ...TIMEOUTS,
  },
});
