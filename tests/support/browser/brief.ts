import type { Page } from 'playwright-core';

/**
 * Runs a step that shows something for a short time, and waits for that. Looks at every frame: `waitFor` looks every half
 * second, and on a slow machine misses what is shown for less than a few looks. Needs JavaScript.
 * @param words a part of the text or of the label
 */
export async function untilBrieflyShown(
  page: Page,
  selector: string,
  words: string,
  step: () => Promise<unknown>,
): Promise<void> {
  const shown = page.waitForFunction(
    ([elements, part]) =>
      [...document.querySelectorAll(elements)].some((element) =>
        (element.getAttribute('aria-label') ?? element.textContent)?.includes(part),
      ),
    [selector, words] as const,
  );
  await Promise.all([shown, step()]);
}

/** A toast disappears after two seconds. */
export const untilToast = (page: Page, words: string, step: () => Promise<unknown>): Promise<void> =>
  untilBrieflyShown(page, '.toast', words, step);
