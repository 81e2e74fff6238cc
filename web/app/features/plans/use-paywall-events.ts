import { useCallback, useEffect, useRef } from 'react';
import { track } from '../../telemetry/telemetry';

interface ShownPaywall {
  readonly priceIds: readonly string[] | null;
  /** Another view of the paywall is tracked as shown again. */
  readonly view: string;
  readonly previousAction: string | null;
  readonly onDismissed?: (() => void) | undefined;
}

/**
 * Tracks a paywall as shown, then as accepted or, when closed in any other way, as dismissed.
 * @returns called with the price chosen, or without one when the visitor goes on to more offers
 */
export function usePaywallEvents(shown: ShownPaywall): (priceId?: string) => void {
  const latest = useRef(shown);
  const trackedView = useRef<string | null>(null);
  const isOpen = useRef(false);
  useEffect(() => {
    latest.current = shown;
    const { priceIds, view, previousAction } = shown;
    if (!priceIds || trackedView.current === view) return;
    trackedView.current = view;
    isOpen.current = true;
    track('paywall', { action: 'shown', previousAction, priceIds: [...priceIds] });
  });

  useEffect(
    () => () => {
      if (!isOpen.current) return;
      const { priceIds, previousAction, onDismissed } = latest.current;
      track('paywall', { action: 'dismissed', previousAction, priceIds: [...(priceIds ?? [])] });
      onDismissed?.();
    },
    [],
  );

  return useCallback((priceId?: string) => {
    isOpen.current = false;
    const { previousAction } = latest.current;
    if (priceId) track('paywall', { action: 'accepted', previousAction, priceIds: [priceId] });
  }, []);
}
