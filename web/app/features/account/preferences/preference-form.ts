import { z } from 'zod';

/** Sent by a script alone, which gets the account's data back instead of a page. */
const byScript = z.string().optional();

/** The forms of the preferences; each changes one. */
export const preferenceForm = z.discriminatedUnion('change', [
  z.object({ change: z.literal('reminder'), wantsEmailReminder: z.string().optional(), byScript }),
  z.object({ change: z.literal('forgetTools'), byScript }),
]);

export type PreferenceForm = z.output<typeof preferenceForm>;
