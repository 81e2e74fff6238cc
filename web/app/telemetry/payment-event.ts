import { AD_PAYMENT_VALUE } from '@clearframe/contract';
import { useEffect } from 'react';
import { hasConsent } from './cookie-consent';
import { track } from './telemetry';

/** Messages of the pages that a payment returns to. */
const PAID: readonly string[] = [
  'paid',
  'subscribed',
  'upgraded',
  'periodChanged.weekly',
  'periodChanged.monthly',
  'periodChanged.yearly',
];

/** Ids of tracked messages: pages render them more than once. */
const tracked = new Set<string>();

/** Reports a payment to advertising, with the visitor's consent. @param flash the page's message */
export function usePaymentEvent(flash: { readonly id: string; readonly message: string } | null): void {
  const id = flash && PAID.includes(flash.message) ? flash.id : null;
  useEffect(() => {
    if (id === null || tracked.has(id) || !hasConsent('C0004')) return;
    tracked.add(id);
    track('purchase', { value: AD_PAYMENT_VALUE, currency: 'USD' });
  }, [id]);
}
