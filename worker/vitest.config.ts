import swc from 'unplugin-swc';
import { defineConfig } from 'vitest/config';
import { testFiles } from '../vitest.files.ts';

// Nest reads decorator metadata, which SWC emits and esbuild does not.
export default defineConfig({
  plugins: [swc.vite({ module: { type: 'es6' } })],
  test: { name: 'worker', isolate: false, ...testFiles(['src/**']), testTimeout: 120_000, hookTimeout: 120_000 },
});
