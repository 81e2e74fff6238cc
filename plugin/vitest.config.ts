import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { TIMEOUTS, testFiles } from '../vitest.files.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  define: { __CATALOGUE__: '{}' },
  resolve: {
    alias: [
      { find: /^@clearframe\/client\/(.*)$/, replacement: at('../client/src/$1') },
      // Photoshop gives these modules; tests give a Photoshop in memory.
      { find: 'photoshop', replacement: at('test/fake/photoshop.ts') },
      { find: 'uxp', replacement: at('test/fake/uxp.ts') },
    ],
  },
  test: { name: 'plugin', ...testFiles(['src/**', 'test/**']), isolate: false, ...TIMEOUTS },
});
