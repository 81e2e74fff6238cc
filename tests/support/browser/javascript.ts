import { it } from 'vitest';
import { RUNS } from './length.ts';

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
