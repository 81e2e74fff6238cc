import { defineConfig } from 'vitest/config';
import { TIMEOUTS, testFiles } from '../vitest.files.ts';

export default defineConfig({ test: { name: 'sandbox', isolate: false, ...testFiles(['src/**']), ...TIMEOUTS } });
