import type { Flash } from '../../../session/flash.server';
import { toastDelayOf } from '../../../session/flash-delay';

/** What one page of the account leaves for the next to say, and the message for it. */
export const FLASHES = {
  saved: 'saved',
  deleted: 'history.deleted',
  paid: 'paid',
  subscribed: 'subscribed',
  upgraded: 'upgraded',
  cancelled: 'cancel.done',
  nothingToCancel: 'cancel.nothing',
  restarted: 'restart.done',
  notRestartable: 'restart.impossible',
} as const;
export type FlashName = keyof typeof FLASHES;

const isFlashName = (name: string): name is FlashName => Object.hasOwn(FLASHES, name);

/** A flash of ours with the key of its message, or null. */
export const flashOf = (flash: Flash | null) =>
  flash && isFlashName(flash.message)
    ? { id: flash.id, message: FLASHES[flash.message], delayMs: toastDelayOf(flash.message) }
    : null;
