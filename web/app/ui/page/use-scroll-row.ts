import { type RefObject, useEffect, useRef } from 'react';

/** Unlike scrollIntoView(), never scrolls the page. */
export function useScrollRow<Row extends HTMLElement>(selectedIndex: number): RefObject<Row> {
  const ref = useRef<Row>(null);
  useEffect(() => {
    const row = ref.current;
    const entry = row?.children[selectedIndex];
    if (!row || !entry) return;
    const visible = row.getBoundingClientRect();
    const { left, width } = entry.getBoundingClientRect();
    row.scrollBy({ left: left + width / 2 - visible.left - visible.width / 2, behavior: 'instant' });
  }, [selectedIndex]);
  return ref;
}
