import { useCallback, useEffect, useRef, useState } from 'react';

const boxesIn = (form: HTMLFormElement): HTMLInputElement[] => [
  ...form.querySelectorAll<HTMLInputElement>('input[type=checkbox][name=taskId]'),
];

/** The checked boxes of a form, which works without script. */
export function useSelection() {
  const form = useRef<HTMLFormElement>(null);
  const [selected, setSelected] = useState<readonly string[]>([]);
  const [isHydrated, setHydrated] = useState(false);
  const last = useRef<HTMLInputElement | null>(null);

  const update = useCallback(() => {
    if (form.current) setSelected(boxesIn(form.current).flatMap((box) => (box.checked ? [box.value] : [])));
  }, []);
  // Boxes may be checked before hydration, by the visitor or restored by the browser.
  useEffect(() => {
    setHydrated(true);
    update();
  }, [update]);

  // Shift also changes the boxes since the last one.
  useEffect(() => {
    const { current } = form;
    const onClick = ({ target, shiftKey }: MouseEvent) => {
      if (!current || !(target instanceof HTMLInputElement) || target.name !== 'taskId') return;
      const boxes = boxesIn(current);
      const from = shiftKey && last.current ? boxes.indexOf(last.current) : -1;
      const to = boxes.indexOf(target);
      // Assigned to the target, React would miss its change.
      const range = from < 0 ? [] : boxes.slice(Math.min(from, to), Math.max(from, to) + 1);
      for (const box of range) if (box !== target) box.checked = target.checked;
      last.current = target;
    };
    // Runs before the form reads the boxes.
    current?.addEventListener('click', onClick);
    return () => current?.removeEventListener('click', onClick);
  }, []);

  const selectAll = (isChecked: boolean) => {
    if (form.current) for (const box of boxesIn(form.current)) box.checked = isChecked;
    update();
  };

  return { form, selected, isHydrated, update, selectAll };
}
