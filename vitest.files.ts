/** Tests that take minutes are named `*.long.test.ts`; each has a short form in the other files. */
const LONG = '.long.test.';

/** Which tests a run is of: `npm test` runs the short ones, `npm run test:long` the long ones, CI all of them. */
const length = process.env.VITEST_LENGTH ?? 'short';

interface Options {
  /** Of the files' names. */
  readonly extensions?: string;
  /** Files whose tests repeat themselves more often in a long run; they read `VITEST_LENGTH` themselves. */
  readonly alsoLong?: readonly string[];
}

/** The `include` and `exclude` of a project, for the folders that hold its tests. */
export function testFiles(
  folders: readonly string[],
  { extensions = 'ts', alsoLong = [] }: Options = {},
): { include: string[]; exclude: string[] } {
  const name = length === 'long' ? `*${LONG}` : '*.test.';
  return {
    include: [...folders.map((folder) => `${folder}/${name}${extensions}`), ...(length === 'long' ? alsoLong : [])],
    exclude: ['**/dist/**', '**/node_modules/**', ...(length === 'short' ? [`**/*${LONG}*`] : [])],
  };
}
