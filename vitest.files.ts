const LONG = '.long.test.';

/** `npm test` runs short tests, `npm run test:long` long ones, CI all. */
const length = process.env.VITEST_LENGTH ?? 'short';

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
