import type { Locator } from 'playwright-core';

/** Whether a press in the middle of each element reaches it. */
export const areReachable = (elements: Locator) =>
  elements.evaluateAll((found) =>
    found.map((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    }),
  );
