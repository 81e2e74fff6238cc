import {
  cloneElement,
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
  type TouchEvent,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { ToggleTooltipBox } from './toggle-tooltip-box';

interface ToggleTooltipProps {
  /** URL of a short demonstration video. */
  readonly mediaUrl: string;
  readonly title: string;
  readonly body: string;
  /** In a side panel: beside it where the screen is wide, so that it covers no other control. */
  readonly isInPanel?: boolean;
  /** The control, which must forward props to a focusable element. */
  readonly children: ReactElement;
}

/** Without JavaScript the text is below the toggle. */
export function ToggleTooltip({ mediaUrl, title, body, isInPanel = false, children }: ToggleTooltipProps) {
  const [Box, setBox] = useState<typeof ToggleTooltipBox | null>(null);
  // Its 30 kB are loaded when the tooltip is about to open. Without a connection there is none.
  const load = () =>
    void import('./toggle-tooltip-box').then(
      (loaded) => setBox(() => loaded.ToggleTooltipBox),
      () => {},
    );
  const { isOpen, close, trigger, triggerEvents, contentEvents } = useHoverIntent(load);
  return (
    <>
      {cloneElement(children, triggerEvents)}
      <p className="text-sm text-muted js:hidden">{body}</p>
      {isOpen && Box && trigger.current && (
        <Box anchor={trigger.current} onClose={close} {...{ isInPanel, title, body, mediaUrl, contentEvents }} />
      )}
    </>
  );
}

/** Delays after the pointer enters and leaves (spec 2, section 9). */
const OPEN_DELAY_MS = 100;
const CLOSE_DELAY_MS = 300;

/** Opens a tooltip on hover, focus or tap after a delay; closes it on leave, blur or scroll. */
function useHoverIntent(onApproach: () => void) {
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
  const onPointerLeave = (event: PointerEvent) => {
    if (!isTouch(event)) schedule(false, CLOSE_DELAY_MS);
  };
  return {
    isOpen,
    close,
    /** The element that has `triggerEvents`, once it was hovered, focused or tapped. */
    trigger,
    triggerEvents: {
      onPointerEnter: (event: PointerEvent) => {
        onApproach();
        trigger.current = event.currentTarget;
        if (!isTouch(event)) schedule(true, OPEN_DELAY_MS);
      },
      onPointerLeave,
      onFocus: (event: FocusEvent) => {
        onApproach();
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
    contentEvents: { onPointerEnter: () => schedule(true), onPointerLeave },
  };
}
