import swc from 'unplugin-swc';
import { defineConfig } from 'vitest/config';

/** Needs servers that aren't part of the product; see `docs/sandbox-payments.md`. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [swc.vite({ module: { type: 'es6' } })],
  test: { name: 'conformance', include: ['test/**/*.conformance.ts'] },
});
