import { describe, it } from 'vitest';

/** See vitest.files.ts. */
const length = process.env.VITEST_LENGTH ?? 'short';

/** Whether tests run that `npm test` has, and that `npm run test:long` has; `npm run test:all` has both. */
export const RUNS = { short: length !== 'long', long: length !== 'short' } as const;

/** A test that `npm test` leaves out: other tests of the same file are its sample of the subject. */
export function itInLongRun(title: string, test: () => Promise<void>): void {
  if (RUNS.long) it(title, test);
}

/** A suite whose tests are all of that kind. */
export function describeInLongRun(title: string, tests: () => void): void {
  if (RUNS.long) describe(title, tests);
}

/** The first of similar cases in `npm test`, all in the long run. */
export const sampleOf = <Item>(cases: readonly Item[], size = 1): readonly Item[] =>
  RUNS.long ? cases : cases.slice(0, size);

/**
 * A test of pages with and without JavaScript. `npm test` runs the form named by `short`, `npm run test:long` the
 * other, or both where `npm test` has another test of the subject. Choose the form whose code differs most; if both
 * share it, `without` costs half as much.
 */
export function itWithAndWithoutJavaScript(
  title: string,
  { short, timeoutMs }: { short: 'with' | 'without' | 'neither'; timeoutMs?: number },
  test: (javaScriptEnabled: boolean) => Promise<void>,
): void {
  for (const form of ['with', 'without'] as const) {
    const isShort = form === short;
    if (isShort ? RUNS.short : RUNS.long)
      it(`${title} (${form} JavaScript)`, timeoutMs === undefined ? {} : { timeout: timeoutMs }, () =>
        test(form === 'with'),
      );
  }
}
