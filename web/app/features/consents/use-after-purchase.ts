import { useEffect } from 'react';
import { usePaymentEvent } from '../../telemetry/payment-event';
import { TOAST_DURATION_MS } from '../../ui/toast/toast-list';
import type { Modals } from '../modals/create-modals';
import { useModals } from '../modals/modals';
import { askForConsent, fetchFollowUp } from './ask-for-consent';

interface PurchaseFlash {
  readonly id: string;
  readonly message: string;
  readonly delayMs: number;
}

/** Ids of flashes that were followed up: pages render them more than once. */
const followedUp = new Set<string>();

const FOLLOWED_UP: readonly string[] = ['subscribed', 'upgraded'];

async function followUp(open: Modals['open'], asksForConsent: boolean): Promise<void> {
  const state = await fetchFollowUp();
  if (asksForConsent) await askForConsent('marketing', open, state);
  if (!state.offersPluginKey) return;
  const outcome = await open('plugin-key:offer', {});
  if (outcome === 'retrieve') await open('user:account', { tab: 'pluginKey' });
}

/** Notifies advertising and, after the message, asks for the marketing consent and offers the plug-in key. */
export function useAfterPurchase(flash: PurchaseFlash | null): void {
  usePaymentEvent(flash);
  const { open } = useModals();
  const id = flash && FOLLOWED_UP.includes(flash.message) ? flash.id : null;
  const asksForConsent = flash?.message === 'subscribed';
  const delayMs = (flash?.delayMs ?? 0) + TOAST_DURATION_MS;
  useEffect(() => {
    if (id === null || followedUp.has(id)) return;
    followedUp.add(id);
    // Also on the next page, to which many buyers go at once.
    setTimeout(() => void followUp(open, asksForConsent), delayMs);
  }, [id, delayMs, asksForConsent, open]);
}
