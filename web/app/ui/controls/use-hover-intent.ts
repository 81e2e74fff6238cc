import { type FocusEvent, type PointerEvent, type TouchEvent, useCallback, useEffect, useRef, useState } from 'react';

/** Delays after the pointer enters and leaves (spec 2, section 9). */
const OPEN_DELAY_MS = 100;
const CLOSE_DELAY_MS = 300;

/** Opens a tooltip on hover, focus or tap after a delay; closes it on leave, blur or scroll. */
export function useHoverIntent() {
  const [isOpen, setOpen] = useState(false);
  const timer = useRef(0);
  const hasMoved = useRef(false);
  const trigger = useRef<Element | null>(null);
  const isOpening = useRef(false);

  const schedule = useCallback((open: boolean, delayMs = 0) => {
    const finish = () => {
      isOpening.current = false;
      setOpen(open);
    };
    window.clearTimeout(timer.current);
    isOpening.current = open;
    if (delayMs === 0) finish();
    else timer.current = window.setTimeout(finish, delayMs);
  }, []);
  const close = useCallback(() => schedule(false), [schedule]);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  useEffect(() => {
    const onScroll = ({ target }: Event) => {
      if (!trigger.current || !(target instanceof Node && target.contains(trigger.current))) return;
      // Focus often scrolls the page: the opening waits until that ends.
      if (isOpening.current) schedule(true, OPEN_DELAY_MS);
      else close();
    };
    window.addEventListener('scroll', onScroll, { capture: true, passive: true });
    return () => window.removeEventListener('scroll', onScroll, { capture: true });
  }, [close, schedule]);

  const isTouch = (event: PointerEvent) => event.pointerType === 'touch';
  return {
    isOpen,
    close,
    /** The element that has `triggerEvents`, once it was hovered, focused or tapped. */
    trigger,
    triggerEvents: {
      onPointerEnter: (event: PointerEvent) => {
        trigger.current = event.currentTarget;
        if (!isTouch(event)) schedule(true, OPEN_DELAY_MS);
      },
      onPointerLeave: (event: PointerEvent) => {
        if (!isTouch(event)) schedule(false, CLOSE_DELAY_MS);
      },
      onFocus: (event: FocusEvent) => {
        trigger.current = event.currentTarget;
        schedule(true, OPEN_DELAY_MS);
      },
      onBlur: () => schedule(false, CLOSE_DELAY_MS),
      onTouchStart: (event: TouchEvent) => {
        trigger.current = event.currentTarget;
        hasMoved.current = false;
      },
      onTouchMove: () => {
        hasMoved.current = true;
      },
      onTouchEnd: () => {
        if (!hasMoved.current) schedule(true);
      },
    },
    /** Keep the tooltip open while the pointer is over it. */
    contentEvents: {
      onPointerEnter: () => schedule(true),
      onPointerLeave: (event: PointerEvent) => {
        if (!isTouch(event)) schedule(false, CLOSE_DELAY_MS);
      },
    },
    /** The theme of the trigger's part of the page, which differs from the page's on a stage. */
    theme: () => trigger.current?.closest<HTMLElement>('[data-theme]')?.dataset.theme,
    isTrigger: (node: EventTarget | null): boolean => node instanceof Node && !!trigger.current?.contains(node),
  };
}
