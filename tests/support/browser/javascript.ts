import { it } from 'vitest';

/** See vitest.files.ts. */
const length = process.env.VITEST_LENGTH ?? 'short';

/** Whether tests run that `npm test` has, and that `npm run test:long` has; `npm run test:all` has both. */
export const RUNS = { short: length !== 'long', long: length !== 'short' } as const;

/**
 * A test of pages with and without JavaScript. `npm test` runs the form named by `short`, `npm run test:long` the
 * other. Choose the form whose code differs most; if both share it, `without` costs half as much.
 */
export function itWithAndWithoutJavaScript(
  title: string,
  { short, timeoutMs }: { short: 'with' | 'without'; timeoutMs?: number },
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
