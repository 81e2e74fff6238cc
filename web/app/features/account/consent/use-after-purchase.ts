import { useEffect } from 'react';
import { usePaymentEvent } from '../../../telemetry/payment-event';
import { TOAST_DURATION_MS } from '../../../ui/toast/toast-list';
import { useModals } from '../../modals/modals';
import { askForMarketingConsent } from './ask-for-consent';

interface PurchaseFlash {
  readonly id: string;
  readonly message: string;
  readonly delayMs: number;
}

/** Ids of flashes that were followed up: pages render them more than once. */
const followedUp = new Set<string>();

/** What follows a purchase: advertising is told and, after the message, the marketing consent is asked for. */
export function useAfterPurchase(flash: PurchaseFlash | null): void {
  usePaymentEvent(flash);
  const { open } = useModals();
  const id = flash?.message === 'subscribed' ? flash.id : null;
  const delayMs = (flash?.delayMs ?? 0) + TOAST_DURATION_MS;
  useEffect(() => {
    if (id === null || followedUp.has(id)) return;
    const timer = setTimeout(() => {
      followedUp.add(id);
      void askForMarketingConsent(open);
    }, delayMs);
    return () => clearTimeout(timer);
  }, [id, delayMs, open]);
}
