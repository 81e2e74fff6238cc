const LONG = '.long.test.';

/** `npm test` runs short tests, `npm run test:long` long ones, CI all. */
const length = process.env.VITEST_LENGTH ?? 'short';

/**
 * Limits that only hangs reach, on a machine of a fifth of the usual speed too. A run ends when nothing finishes for their
 * sum (ops/launcher/test/progress-reporter.mjs).
 */
export const TIMEOUTS = {
  testTimeout: 240_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 100_000 } },
} as const;

interface Options {
  readonly extensions?: string;
  /** Files whose tests depend on `VITEST_LENGTH`. */
  readonly alsoLong?: readonly string[];
  /** Files that are long without being named so. */
  readonly long?: readonly string[];
  /** Short files whose every case is also in a long one, so that a run of both would repeat it. */
  readonly sampled?: readonly string[];
}

export function testFiles(
  folders: readonly string[],
  { extensions = 'ts', alsoLong = [], long = [], sampled = [] }: Options = {},
): { include: string[]; exclude: string[] } {
  const name = length === 'long' ? `*${LONG}` : '*.test.';
  return {
    include: [
      ...folders.map((folder) => `${folder}/${name}${extensions}`),
      ...(length === 'long' ? [...alsoLong, ...long] : []),
    ],
    exclude: [
      ...['**/dist/**', '**/node_modules/**'],
      ...(length === 'short' ? [`**/*${LONG}*`, ...long] : []),
      ...(length === 'all' ? sampled : []),
    ],
  };
}
