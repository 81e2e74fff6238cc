import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { createProgressReporter } from './ops/launcher/test/progress-reporter.mjs';

const reportFolder = process.env.VITEST_REPORT_FOLDER;

/**
 * Files that take longest, in the order of their start: they wait for locks to expire, start a product, or repeat short code. Vitest
 * starts large files first until it has timed them, so that these would run alone at the end on a fresh checkout. Those that mostly
 * wait start beside those that don't.
 */
const FIRST = [
  'tests/e2e/pages/accessibility.',
  'tests/faults/load',
  'tests/e2e/operator-settings.',
  'tests/e2e/photos/models/',
  'tests/e2e/payments/purchase-agreement.',
  'tests/faults/steps.',
  'tests/e2e/login/firebase.',
  'tests/e2e/videos/',
  'tests/e2e/payments/offers/shown-prices',
  'worker/src/video/enhance-video.',
  'api/src/billing-accounts/http-histories.',
  'worker/src/tools/pipeline/',
];
const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = FIRST.findIndex((part) => moduleId.includes(part));
  return rank === -1 ? FIRST.length : rank;
};

/** Vitest's order, the slowest files first. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

export default defineConfig({
  test: {
    // A quarter less work for the next run of the same file; whole runs compile everything once anyway.
    experimental: { fsModuleCache: process.env.VITEST_SELECTION === 'true' },
    projects: [
      'contract',
      'runtime',
      'sandbox',
      'api',
      'worker',
      'web',
      'client',
      'plugin',
      'ops',
      'models',
      'tests',
    ].map((room) => `${room}/vitest.config.ts`),
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
