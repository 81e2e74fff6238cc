import { type RefObject, useEffect, useRef } from 'react';

/** What a visitor scrolls a row by. */
const OWN_SCROLLING = ['pointerdown', 'wheel', 'focusin'] as const;

/** Keeps the selected entry in the middle until the visitor scrolls. Unlike scrollIntoView(), never scrolls the page. */
export function useScrollRow<Row extends HTMLElement>(selectedIndex: number): RefObject<Row> {
  const ref = useRef<Row>(null);
  useEffect(() => {
    const row = ref.current;
    const entry = row?.children[selectedIndex];
    if (!row || !entry) return;
    const center = () => {
      const visible = row.getBoundingClientRect();
      const { left, width } = entry.getBoundingClientRect();
      row.scrollBy({ left: left + width / 2 - visible.left - visible.width / 2, behavior: 'instant' });
    };
    center();
    // Entries become wider or narrower with their font.
    const observer = new ResizeObserver(center);
    for (const child of row.children) observer.observe(child);
    const stop = () => observer.disconnect();
    for (const type of OWN_SCROLLING) row.addEventListener(type, stop, { passive: true });
    return () => {
      stop();
      for (const type of OWN_SCROLLING) row.removeEventListener(type, stop);
    };
  }, [selectedIndex]);
  return ref;
}
