import { type FocusEvent, type PointerEvent, type TouchEvent, useCallback, useEffect, useRef, useState } from 'react';

/** From the pointer's arrival to the opening, in milliseconds (spec 2, section 9). */
const OPEN_DELAY_MS = 100;
/** From the pointer's leaving to the closing. */
const CLOSE_DELAY_MS = 300;

/**
 * When something that is about another thing shows: some time after the pointer or the focus came to it, until some
 * time after it left, or the page scrolled. A finger opens it by a tap, which is a touch that did not move.
 */
export function useHoverIntent() {
  const [isOpen, setOpen] = useState(false);
  const timer = useRef(0);
  const hasMoved = useRef(false);
  const trigger = useRef<Element | null>(null);

  const isOpening = useRef(false);

  const settle = useCallback((open: boolean, delayMs = 0) => {
    const finish = () => {
      isOpening.current = false;
      setOpen(open);
    };
    window.clearTimeout(timer.current);
    isOpening.current = open;
    if (delayMs === 0) finish();
    else timer.current = window.setTimeout(finish, delayMs);
  }, []);
  const close = useCallback(() => settle(false), [settle]);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  useEffect(() => {
    const onScroll = ({ target }: Event) => {
      if (!trigger.current || !(target instanceof Node && target.contains(trigger.current))) return;
      // The focus often comes with a scroll: what is about to open waits until it is over.
      if (isOpening.current) settle(true, OPEN_DELAY_MS);
      else close();
    };
    window.addEventListener('scroll', onScroll, { capture: true, passive: true });
    return () => window.removeEventListener('scroll', onScroll, { capture: true });
  }, [close, settle]);

  const isFinger = (event: PointerEvent) => event.pointerType === 'touch';
  return {
    isOpen,
    close,
    /** For what it is about. */
    triggerEvents: {
      onPointerEnter: (event: PointerEvent) => {
        trigger.current = event.currentTarget;
        if (!isFinger(event)) settle(true, OPEN_DELAY_MS);
      },
      onPointerLeave: (event: PointerEvent) => {
        if (!isFinger(event)) settle(false, CLOSE_DELAY_MS);
      },
      onFocus: (event: FocusEvent) => {
        trigger.current = event.currentTarget;
        settle(true, OPEN_DELAY_MS);
      },
      onBlur: () => settle(false, CLOSE_DELAY_MS),
      onTouchStart: (event: TouchEvent) => {
        trigger.current = event.currentTarget;
        hasMoved.current = false;
      },
      onTouchMove: () => {
        hasMoved.current = true;
      },
      onTouchEnd: () => {
        if (!hasMoved.current) settle(true);
      },
    },
    /** For what shows: a pointer that goes there has not left. */
    contentEvents: {
      onPointerEnter: () => settle(true),
      onPointerLeave: (event: PointerEvent) => {
        if (!isFinger(event)) settle(false, CLOSE_DELAY_MS);
      },
    },
    isTrigger: (node: EventTarget | null): boolean => node instanceof Node && !!trigger.current?.contains(node),
  };
}
