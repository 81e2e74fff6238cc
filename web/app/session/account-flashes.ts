import type { Period } from '@clearframe/contract';
import type { Flash } from './flash.server';

/** Spec 1, sections 4 and 9. */
const PAYMENT_SUCCESS_DELAY_MS = 2400;

const PAYMENT_SUCCESSES: readonly string[] = ['paid', 'subscribed'];

/** Delay of a flash message's toast, in milliseconds. */
export const toastDelayOf = (flash: string): number =>
  PAYMENT_SUCCESSES.includes(flash) ? PAYMENT_SUCCESS_DELAY_MS : 0;

export const FLASHES = {
  saved: 'saved',
  deleted: 'history.deleted',
  nothingSelected: 'history.nothingSelected',
  paid: 'paid',
  subscribed: 'subscribed',
  upgraded: 'upgraded',
  paysWeekly: 'periodChanged.weekly',
  paysMonthly: 'periodChanged.monthly',
  paysYearly: 'periodChanged.yearly',
  cancelled: 'cancel.done',
  nothingToCancel: 'cancel.nothing',
  restarted: 'restart.done',
  notRestartable: 'restart.impossible',
  keyRevoked: 'pluginKey.revoked',
  keySaved: 'pluginKey.saved',
} as const;
export type FlashName = keyof typeof FLASHES;

const PERIOD_CHANGES = { weekly: 'paysWeekly', monthly: 'paysMonthly', yearly: 'paysYearly' } as const;

/** The message after a subscription was replaced by one of another plan, or of another period of the same. */
export const changeFlash = (kind: 'upgrade' | 'change_period', period: Period): FlashName =>
  kind === 'upgrade' ? 'upgraded' : PERIOD_CHANGES[period];

const isFlashName = (name: string): name is FlashName => Object.hasOwn(FLASHES, name);

/** The tab shows what was done, but not what wasn't. */
const LASTING: readonly FlashName[] = ['nothingToCancel', 'notRestartable'];

/** A flash of the account with its message key, or null. */
export const flashOf = (flash: Flash | null) =>
  flash && isFlashName(flash.message)
    ? {
        id: flash.id,
        message: FLASHES[flash.message],
        delayMs: toastDelayOf(flash.message),
        isLasting: LASTING.includes(flash.message),
      }
    : null;
