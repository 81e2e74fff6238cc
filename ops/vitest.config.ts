import { defineConfig } from 'vitest/config';
import { TIMEOUTS, testFiles } from '../vitest.files.ts';

export default defineConfig({
  test: {
    name: 'ops',
    isolate: false,
    ...testFiles(['{launcher,checks}/**'], { extensions: '{mjs,ts}' }),
    ...TIMEOUTS,
  },
});
