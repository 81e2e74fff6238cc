import { z } from 'zod';
import { LOGIN_PROVIDERS } from '../resources/users/users.js';

/** Steps of a user operation: it starts, then ends in one of three ways. */
export const OPERATION_STEPS = ['started', 'completed', 'failed', 'canceled'] as const;
export type OperationStep = (typeof OPERATION_STEPS)[number];

/** Tabs of the account (spec 1, section 2), as their events name them. */
const ACCOUNT_TABS = ['subscription', 'general', 'limits', 'pluginKey'] as const;

const operation = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({ operation: z.enum(OPERATION_STEPS), ...shape });

/** A provider's button, or Google One Tap on the home page. */
const LoginMethod = z.enum([...LOGIN_PROVIDERS, 'one_tap']);

/** Error code: the provider's (`auth/…`) or ours. */
const reason = z.string().max(100).optional();

/** Every event with its data. Keys of the data keep their case on the wire. */
export const TRACKING_EVENTS = {
  login: operation({ method: LoginMethod, reason }),
  accountLinking: operation({ provider: z.enum(LOGIN_PROVIDERS), reason }),
  logout: operation({ reason }),
  onboardingMigration: operation({ reason }),
  /** The paywall of the get-started modal; `priceIds` are the prices shown, `previousAction` is what opened it. */
  paywall: z.object({
    action: z.enum(['shown', 'dismissed']),
    previousAction: z.string().nullable(),
    priceIds: z.array(z.string()),
  }),
  /** `<tab>_tapped` in the account. */
  settings: z.object({ action: z.templateLiteral([z.enum(ACCOUNT_TABS), '_tapped']) }),
} as const satisfies Record<string, z.ZodObject>;

export type TrackingKind = keyof typeof TRACKING_EVENTS;
export type TrackingData<Kind extends TrackingKind> = z.infer<(typeof TRACKING_EVENTS)[Kind]>;
