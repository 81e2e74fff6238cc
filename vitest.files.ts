/** Tests that take minutes are named `*.long.test.ts`; each has a short form in the other files. */
const LONG = '.long.test.';

/** Which tests a run is of: `npm test` runs the short ones, `npm run test:long` the long ones. */
const length = process.env.VITEST_LENGTH ?? 'short';

/** The `include` and `exclude` of a project, for the folders of its tests and the extensions of their names. */
export function testFiles(folders: string[], extensions = 'ts'): { include: string[]; exclude: string[] } {
  const name = length === 'long' ? `*${LONG}` : '*.test.';
  return {
    include: folders.map((folder) => `${folder}/${name}${extensions}`),
    exclude: ['**/dist/**', '**/node_modules/**', ...(length === 'short' ? [`**/*${LONG}*`] : [])],
  };
}
