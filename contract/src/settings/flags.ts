import { z } from 'zod';

/** How a flag's value looks. */
export type FlagValue = boolean | string | number | null;

interface FlagEntry {
  readonly schema: z.ZodType<FlagValue>;
  readonly standard: FlagValue;
  /** What it changes. */
  readonly effect: string;
  /** Where that shows. */
  readonly shows: string;
}

const on = (effect: string, shows: string) => ({ schema: z.boolean(), standard: true as boolean, effect, shows });
const off = (effect: string, shows: string) => ({ schema: z.boolean(), standard: false as boolean, effect, shows });
const text = (effect: string, shows: string) => ({
  schema: z.string().max(200).nullable(),
  standard: null as string | null,
  effect,
  shows,
});

/** Every switch of the product with its standard value (decisions, section 5; spec 1, section 3; spec 2, section 3). */
export const FLAGS = {
  isFreeTrialEnabled: on('Subscriptions may start with a free trial of seven days', 'paywall, checkout'),
  isIntroPriceEnabled: off('The first week of a weekly plan costs 0.99', 'paywall, checkout'),
  oneTimePayment: on('Packs of downloads are sold', 'paywall, result'),
  personalPlanEnabled: on('The Personal plan is sold', 'paywall, checkout'),
  businessPlanEnabled: on('The Business plan is sold', 'paywall, checkout'),
  highlightedOtpStrategy: text('The pack that a single-offer paywall shows', 'paywall'),
  businessTierWeeklyHighlighted: off('The single-offer paywall shows the weekly business plan', 'paywall'),
  compliantPriceEnabled: on('Prices say what is charged when, beside the button', 'paywall, checkout'),
  psPlugin: on('Business accounts may have a Photoshop plug-in key', 'account, after checkout'),
  disableEmailReminder: off('No reminder before a trial ends, and no switch for one', 'checkout'),
  shouldForceHomeFreeTrial: off('The home page offers the free trial first', 'home'),
  popupSurveyKind: text('The survey that pops up', 'result'),
  expFreeTrialPaywallCtaLabel: text('Another label for the button that starts a trial', 'paywall'),
  expFreeTrialPaywallPayNowLabel: text('Another label for the button that pays at once', 'paywall'),
  shouldEnableSavingAiModelDefault: on('The tools of a picture can be saved as one’s default', 'result'),
  shouldShowNewModelsTutorial: off('New models are introduced', 'result'),
  bipaDisclaimerEnabled: off('A note on biometric data stands beside the upload', 'home'),
  shouldShowPrivacySection: on('The account has a privacy section', 'account'),
  imageTrainingConsentEnabled: on('The consent to train on pictures is asked for', 'result, account'),
  removeCap: off('Results may be up to 4096 pixels a side instead of 2048', 'processing'),
  jpegQuality: {
    schema: z.union([z.literal(90), z.literal(100)]),
    standard: 90 as 90 | 100,
    effect: 'JPEG quality where none is asked for',
    shows: 'results',
  },
  faceDetectorMaxInputRes: {
    schema: z.int().min(256).max(2048),
    standard: 800 as number,
    effect: 'Longest side in pixels of the copy in which faces are looked for',
    shows: 'processing',
  },
} as const satisfies Record<string, FlagEntry>;

export type FlagName = keyof typeof FLAGS;
export type Flags = { readonly [Name in FlagName]: (typeof FLAGS)[Name]['standard'] };

export const FLAG_NAMES = Object.keys(FLAGS) as FlagName[];

/** All flags at their standard values. */
export const STANDARD_FLAGS = Object.fromEntries(FLAG_NAMES.map((name) => [name, FLAGS[name].standard])) as Flags;

/** What `version` on the address does: `ip` forces the intro price, `ft` the free trial; each excludes the other. */
export function withVersion(flags: Flags, version: string | null | undefined): Flags {
  if (version === 'ip') return { ...flags, isIntroPriceEnabled: true, isFreeTrialEnabled: false };
  if (version === 'ft') return { ...flags, isIntroPriceEnabled: false, isFreeTrialEnabled: true };
  return flags;
}
