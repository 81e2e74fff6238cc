import { defineConfig } from 'vitest/config';
import { testFiles } from '../vitest.files.ts';

export default defineConfig({
  test: { name: 'models', isolate: false, ...testFiles(['**'], { extensions: '{ts,mjs}' }), testTimeout: 60_000 },
});
