import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { createProgressReporter } from './ops/launcher/test/progress-reporter.mjs';
import { LongestFirst } from './vitest.sequencer.ts';

const reportFolder = process.env.VITEST_REPORT_FOLDER;

export default defineConfig({
  test: {
    projects: ['contract', 'runtime', 'sandbox', 'api', 'worker', 'web', 'ops', 'models', 'tests'].map(
      (room) => `${room}/vitest.config.ts`,
    ),
    // Tests wait for browsers, stores and deadlines, which leaves two workers idle for a part of the time.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // The product of the browser tests takes a while to stop its stores.
    teardownTimeout: 60_000,
    reporters: reportFolder
      ? [
          'default',
          ['json', { outputFile: path.join(reportFolder, 'vitest.json') }],
          createProgressReporter(path.join(reportFolder, 'progress.json')),
        ]
      : ['default'],
  },
});
