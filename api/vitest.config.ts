import swc from 'unplugin-swc';
import { defineConfig } from 'vitest/config';
import { TIMEOUTS, testFiles } from '../vitest.files.ts';

// Nest's dependency injection reads decorator metadata, which SWC emits and esbuild does not.
export default defineConfig({
  plugins: [swc.vite({ module: { type: 'es6' } })],
  test: {
    name: 'api',
    ...testFiles(['src/**'], { alsoLong: ['src/billing-accounts/{histories,http-histories}.test.ts'] }),
    globalSetup: ['test/support/stores/template-database.ts'],
    // Every file has its own application and stores; loading the code once for all halves the time.
    isolate: false,
    // Collections of the default 16 MB take an eighth of the processor time.
    execArgv: ['--max-semi-space-size=64'],
    ...TIMEOUTS,
  },
});
