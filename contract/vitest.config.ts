import { defineConfig } from 'vitest/config';
import { TIMEOUTS, testFiles } from '../vitest.files.ts';

export default defineConfig({
  test: { name: 'contract', isolate: false, ...testFiles(['**'], { extensions: '{ts,mjs}' }), ...TIMEOUTS },
});
