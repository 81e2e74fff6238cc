import { z } from 'zod';
import { SURVEY_KINDS, type SurveyKind } from './survey-kinds.js';

/** What a flag may hold. */
export type FlagValue = boolean | string | number | null;

interface FlagEntry {
  readonly schema: z.ZodType<FlagValue>;
  readonly defaultValue: FlagValue;
  readonly effect: string;
  /** Pages or steps, separated by commas. */
  readonly affects: string;
}

const on = (effect: string, affects: string) => ({
  schema: z.boolean(),
  defaultValue: true as boolean,
  effect,
  affects,
});
const off = (effect: string, affects: string) => ({
  schema: z.boolean(),
  defaultValue: false as boolean,
  effect,
  affects,
});
const text = (effect: string, affects: string) => ({
  schema: z.string().max(200).nullable(),
  defaultValue: null as string | null,
  effect,
  affects,
});

/** Feature flags with their defaults (decisions, section 5; spec 1, section 3; spec 2, section 3). */
export const FLAGS = {
  isFreeTrialEnabled: on('Subscriptions can start with a free trial of seven days', 'paywall, checkout'),
  isIntroPriceEnabled: off('The first week of a weekly plan costs 0.99', 'paywall, checkout'),
  oneTimePayment: on('Download packs are sold', 'paywall, result'),
  personalPlanEnabled: on('The Personal plan is sold', 'paywall, checkout'),
  businessPlanEnabled: on('The Business plan is sold', 'paywall, checkout'),
  businessCustomPriceEnabled: off(
    'The price of Business is on request: not sold, a survey instead',
    'paywall, checkout',
  ),
  highlightedOtpStrategy: text('The pack that a single-offer paywall shows', 'paywall'),
  businessTierWeeklyHighlighted: off('The single-offer paywall shows the weekly business plan', 'paywall'),
  compliantPriceEnabled: on('The button shows what is charged and when', 'paywall, checkout'),
  psPlugin: on('Business accounts can have a Photoshop plug-in key', 'account, after checkout'),
  disableEmailReminder: off('Hides the reminder before a trial ends, and its toggle', 'checkout'),
  shouldForceHomeFreeTrial: off('The home page offers the free trial first', 'home'),
  popupSurveyKind: {
    schema: z.enum(SURVEY_KINDS).nullable(),
    defaultValue: null as SurveyKind | null,
    effect: 'The survey that pops up: before an upload of a subscriber, or after the first login of an account',
    affects: 'home, get started',
  },
  expFreeTrialPaywallCtaLabel: text('Label of the button that starts a trial', 'paywall'),
  expFreeTrialPaywallPayNowLabel: text('Label of the button that pays at once', 'paywall'),
  shouldEnableSavingAiModelDefault: on('The tools of a picture can be saved as the default', 'result'),
  shouldShowNewModelsTutorial: off('Shows the tutorial of new models', 'result'),
  expRepair: off(
    'Offers to remove scratches and dust, which still takes some reflections for them',
    'result, processing',
  ),
  bipaDisclaimerEnabled: off('Shows a notice on biometric data beside the upload', 'home'),
  shouldShowPrivacySection: on('The account has a privacy section', 'account'),
  imageTrainingConsentEnabled: on('Asks for consent to train on pictures', 'result, account'),
  removeCap: off(
    'Results are as large as their originals, unless standard ones are asked for: up to 4096 pixels a side instead of 2048',
    'processing',
  ),
  jpegQuality: {
    schema: z.union([z.literal(90), z.literal(100)]),
    defaultValue: 90 as 90 | 100,
    effect: 'JPEG quality when the request names none',
    affects: 'results',
  },
  faceDetectorMaxInputRes: {
    schema: z.int().min(256).max(2048),
    defaultValue: 800 as number,
    effect: 'Longest side in pixels of the copy used for face detection',
    affects: 'processing',
  },
} as const satisfies Record<string, FlagEntry>;

/** A flag of {@link FLAGS}. */
export type FlagName = keyof typeof FLAGS;
/** A value for every flag. */
export type Flags = { readonly [Name in FlagName]: (typeof FLAGS)[Name]['defaultValue'] };

/** Names of {@link FLAGS}. */
export const FLAG_NAMES = Object.keys(FLAGS) as FlagName[];

/** Values before operators, experiments and the `version` parameter change them. */
export const DEFAULT_FLAGS = Object.fromEntries(FLAG_NAMES.map((name) => [name, FLAGS[name].defaultValue])) as Flags;

/** Read by workers and jobs, which know no visitor: the same for everyone, so that experiments can't change them. */
export const PROCESSING_FLAGS = [
  'removeCap',
  'expRepair',
  'jpegQuality',
  'faceDetectorMaxInputRes',
] as const satisfies FlagName[];

/** Values of known flags that their schemas accept, and the names of the others. */
export function parseFlags(values: Readonly<Record<string, unknown>>): {
  readonly flags: Partial<Flags>;
  readonly rejected: readonly string[];
} {
  const parsed = Object.entries(values).map(([name, value]) => {
    const flag = FLAG_NAMES.find((known) => known === name);
    return { name, result: flag && FLAGS[flag].schema.safeParse(value) };
  });
  return {
    flags: Object.fromEntries(parsed.flatMap(({ name, result }) => (result?.success ? [[name, result.data]] : []))),
    rejected: parsed.filter(({ result }) => !result?.success).map(({ name }) => name),
  };
}

/** Applies the query parameter `version`: `ip` forces the intro price, `ft` the free trial; each excludes the other. */
export function withVersion(flags: Flags, version: string | null | undefined): Flags {
  if (version === 'ip') return { ...flags, isIntroPriceEnabled: true, isFreeTrialEnabled: false };
  if (version === 'ft') return { ...flags, isIntroPriceEnabled: false, isFreeTrialEnabled: true };
  return flags;
}
