import type { Flash } from '../../../session/flash/flash.server';
import { toastDelayOf } from '../../../session/flash/flash-delay';

const MESSAGES = {
  paid: 'paid',
  paidTwice: 'common:errors.payments.duplicate',
  subscribed: 'subscribed',
  firstOfSeveral: 'firstOfSeveral',
} as const;

const isMessage = (name: string): name is keyof typeof MESSAGES => Object.hasOwn(MESSAGES, name);

export const flashOf = (flash: Flash | null) =>
  flash && isMessage(flash.message)
    ? { id: flash.id, message: MESSAGES[flash.message], delayMs: toastDelayOf(flash.message) }
    : null;
