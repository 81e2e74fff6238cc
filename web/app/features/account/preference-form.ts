import { z } from 'zod';

/** Set by the script, which gets the account's data instead of a page. */

export const preferenceForm = z.discriminatedUnion('change', [
  z.object({ change: z.literal('reminder'), wantsEmailReminder: z.string().optional() }),
  z.object({ change: z.literal('location'), keepLocation: z.string().optional() }),
  z.object({ change: z.literal('forgetTools') }),
  z.object({ change: z.literal('marketing'), isGranted: z.string().optional() }),
  z.object({ change: z.literal('imageTraining'), isGranted: z.string().optional() }),
]);

export type PreferenceForm = z.output<typeof preferenceForm>;
