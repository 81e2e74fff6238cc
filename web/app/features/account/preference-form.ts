import { z } from 'zod';

/** Set by the script, which gets the account's data instead of a page. */
const byScript = z.string().optional();

export const preferenceForm = z.discriminatedUnion('change', [
  z.object({ change: z.literal('reminder'), wantsEmailReminder: z.string().optional(), byScript }),
  z.object({ change: z.literal('location'), keepLocation: z.string().optional(), byScript }),
  z.object({ change: z.literal('forgetTools'), byScript }),
  z.object({ change: z.literal('marketing'), isGranted: z.string().optional(), byScript }),
  z.object({ change: z.literal('imageTraining'), isGranted: z.string().optional(), byScript }),
]);

export type PreferenceForm = z.output<typeof preferenceForm>;
