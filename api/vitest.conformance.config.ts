import swc from 'unplugin-swc';
import { defineConfig } from 'vitest/config';

const MONEY = ['purchases/*', 'subscriptions/*', 'sync/*', 'personal-data', 'routes'];

/** Needs servers that aren't part of the product; see `docs/conformance.md`. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [swc.vite({ module: { type: 'es6' } })],
  test: {
    name: 'conformance',
    include: ['test/**/*.conformance.ts', ...MONEY.map((name) => `src/payments/${name}.test.ts`)],
    globalSetup: ['test/support/stores/template-database.ts'],
    isolate: false,
    // A moved clock makes the servers post hundreds of events.
    testTimeout: 300_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 50_000 } },
    reporters: ['verbose'],
  },
});
