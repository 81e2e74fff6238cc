import { defineConfig } from 'vitest/config';
import { testFiles, TIMEOUTS } from 'vitest.files.ts';

export default defineConfig({ test: { name: 'sandbox', isolate: false, ...testFiles(['src/**']), ...TIMEOUTS } });
