import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { createProgressReporter } from './ops/launcher/test/progress-reporter.mjs';
import { LongestFirst } from './vitest.sequencer.ts';

/** Set by the launcher: where it reads how the run goes and what came out. */
const reportFolder = process.env.VITEST_REPORT_FOLDER;

export default defineConfig({
  test: {
    projects: ['contract', 'runtime', 'api', 'worker', 'web', 'ops', 'models', 'tests'].map(
      (room) => `${room}/vitest.config.ts`,
    ),
    // Much of the time is spent waiting for a browser, a store or a deadline. More than two at once, and tests of time
    // limits begin to measure each other.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // The product of the browser tests ends its stores properly, which takes a while on a busy machine.
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
