import type { SurveyKind } from '@clearframe/contract';
import { parseWithZod } from '@conform-to/zod/v4';
import { z } from 'zod';
import { FEATURES, ONBOARDING_QUESTIONS, type OnboardingQuestion, RANKS } from './questions';

const Feature = z.enum(FEATURES);

/** Each feature has one rank. */
const FeatureRanking = z.object({ first: Feature, second: Feature, third: Feature }).superRefine((ranking, context) => {
  for (const [index, rank] of RANKS.entries())
    if (RANKS.slice(0, index).some((earlier) => ranking[earlier] === ranking[rank]))
      context.addIssue({ code: 'custom', path: [rank], message: 'repeated' });
});

const Onboarding = z.object({
  editingLevel: z.enum(ONBOARDING_QUESTIONS.editingLevel),
  knowledge: z.enum(ONBOARDING_QUESTIONS.knowledge),
  photoType: z.enum(ONBOARDING_QUESTIONS.photoType),
  purpose: z.enum(ONBOARDING_QUESTIONS.purpose),
  source: z.enum(ONBOARDING_QUESTIONS.source),
} satisfies Record<OnboardingQuestion, z.ZodType>);

type Answers = Readonly<Record<string, string>>;

const FORMS: Readonly<Record<SurveyKind, z.ZodType<Answers>>> = {
  feature_ranking: FeatureRanking,
  onboarding: Onboarding,
};

export const parseSurvey = (fields: FormData | URLSearchParams, survey: SurveyKind) =>
  parseWithZod<z.ZodType<Answers, Answers>>(fields, { schema: FORMS[survey] as z.ZodType<Answers, Answers> });
