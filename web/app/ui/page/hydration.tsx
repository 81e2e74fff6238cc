import { type ReactNode, useLayoutEffect } from 'react';

/** Events for which React 18 hydrates at once (`isDiscreteEventThatRequiresHydration`), except obsolete ones. */
const HYDRATING_EVENTS = [
  ...['mousedown', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu'],
  ...['touchstart', 'touchend', 'touchcancel', 'pointerdown', 'pointerup', 'pointercancel'],
  ...['keydown', 'keypress', 'keyup', 'compositionstart', 'compositionend', 'copy', 'cut', 'paste'],
  ...['input', 'change', 'submit', 'reset', 'dragstart', 'dragend', 'drop'],
];

/**
 * Keeps events from React until the page is hydrated; links and forms work as without scripts meanwhile. `RemixBrowser`
 * suspends the root while it decodes its data, and an event then ends hydration permanently: 'Root did not complete' (345).
 *
 * @returns a function that lets events through again
 */
export function withholdEvents(): () => void {
  const ended = new AbortController();
  const withhold = (event: Event) => event.stopPropagation();
  for (const type of HYDRATING_EVENTS) window.addEventListener(type, withhold, { capture: true, signal: ended.signal });
  return () => ended.abort();
}

interface HydrationProps {
  /** Called once the page is hydrated, except for suspended parts. */
  readonly onEnd: () => void;
  readonly children: ReactNode;
}

export function Hydration({ onEnd, children }: HydrationProps) {
  useLayoutEffect(onEnd, [onEnd]);
  return children;
}
