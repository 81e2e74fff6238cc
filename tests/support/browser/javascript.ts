import { it } from 'vitest';

/** Which tests this run is of; see vitest.files.ts. */
const length = process.env.VITEST_LENGTH ?? 'short';

/**
 * A test of pages that work with and without JavaScript. `npm test` runs it in the form named by `short`, the long run
 * (`npm run test:long`) in the other one. Name the form whose code differs most; where both share it, `without` costs
 * half as much.
 */
export function itWithAndWithoutJavaScript(
  title: string,
  { short }: { short: 'with' | 'without' },
  test: (javaScriptEnabled: boolean) => Promise<void>,
): void {
  for (const form of ['with', 'without'] as const) {
    const isShort = form === short;
    if (length === 'all' || isShort === (length === 'short'))
      it(`${title} (${form} JavaScript)`, () => test(form === 'with'));
  }
}
