import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { createProgressReporter } from './ops/launcher/test/progress-reporter.mjs';

const reportFolder = process.env.VITEST_REPORT_FOLDER;

/** They wait for locks to expire and an emulator to start; started last, one would run alone. */
const FIRST = ['tests/faults/', 'tests/e2e/login/firebase.test.ts'];

/** Vitest's order, the slowest files first. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isFirst = ({ moduleId }: TestSpecification) => FIRST.some((part) => moduleId.includes(part));
    const sorted = await super.sort(files);
    return [...sorted.filter(isFirst), ...sorted.filter((file) => !isFirst(file))];
  }
}

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
