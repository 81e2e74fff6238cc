import type { Flash } from '../../../session/flash.server';
import { toastDelayOf } from '../../../session/flash-delay';

/** What a payment leaves for the result to say. */
const MESSAGES = { paid: 'paid', subscribed: 'subscribed' } as const;

const isMessage = (name: string): name is keyof typeof MESSAGES => Object.hasOwn(MESSAGES, name);

/** A flash of ours with the key of its message, or null. */
export const flashOf = (flash: Flash | null) =>
  flash && isMessage(flash.message)
    ? { id: flash.id, message: MESSAGES[flash.message], delayMs: toastDelayOf(flash.message) }
    : null;
