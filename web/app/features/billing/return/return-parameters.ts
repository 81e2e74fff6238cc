/**
 * Parameters of a return, on any page (spec 1, section 2): the provider's in snake case, and ours. Handled once and
 * removed from the URL.
 */
export interface PaymentReturn {
  readonly status: 'succeeded' | 'failed' | 'canceled';
  readonly setupIntent: string | null;
  readonly paymentIntent: string | null;
  readonly subscriptionId: string | null;
  readonly chargeId: string | null;
  readonly priceId: string | null;
  readonly taskId: string | null;
  readonly unlockedExports: number;
  readonly isTrial: boolean;
  readonly isUpgrade: boolean;
  readonly withIntroPrice: boolean;
  readonly version: string | null;
  readonly wantsReminder: boolean;
  readonly willDownload: boolean;
}

/** Name in the checkout's form, its query and the return. */
export const REMINDER_FIELD = 'emailReminderEnabled';

const PAGE = '/checkout/return';

export const paymentReturnOn = ({ pathname, search, searchParams }: URL): string | null =>
  searchParams.has('redirect_status') && pathname !== PAGE ? `${PAGE}${search}` : null;

export function readPaymentReturn({ searchParams }: URL): PaymentReturn {
  const text = (name: string) => searchParams.get(name) || null;
  const isTrue = (name: string) => text(name) === 'true';
  const status = text('redirect_status');
  const exports = Number(text('unlockedExports') ?? 0);
  return {
    status: status === 'succeeded' || status === 'canceled' ? status : 'failed',
    setupIntent: text('setup_intent'),
    paymentIntent: text('payment_intent'),
    subscriptionId: text('subscription_id'),
    // PayPal names an approved order `token`.
    chargeId: text('charge_id') ?? text('token'),
    priceId: text('priceId'),
    taskId: text('taskId'),
    unlockedExports: Number.isSafeInteger(exports) && exports > 0 ? exports : 0,
    isTrial: isTrue('freeTrialEnabled'),
    isUpgrade: isTrue('isUpgrade'),
    withIntroPrice: isTrue('withIntroPrice'),
    version: text('version'),
    wantsReminder: isTrue(REMINDER_FIELD),
    willDownload: isTrue('willDownloadAutomatically'),
  };
}
