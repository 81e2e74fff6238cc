import type { SurveyKind } from '@clearframe/contract';

export const SURVEY_ADDRESSES: Readonly<Record<SurveyKind, string>> = {
  feature_ranking: '/surveys/features',
  onboarding: '/surveys/onboarding',
};

/** Steps of a survey, named as in the specification (spec 1, section 4). The onboarding survey begins with its questions. */
const SURVEY_STEPS = ['start', 'ongoing', 'end'] as const;
export type SurveyStep = (typeof SURVEY_STEPS)[number];

export const surveyAddress = (survey: SurveyKind, step: SurveyStep): string =>
  step === firstStepOf(survey) ? SURVEY_ADDRESSES[survey] : `${SURVEY_ADDRESSES[survey]}?step=${step}`;

const firstStepOf = (survey: SurveyKind): SurveyStep => (survey === 'onboarding' ? 'ongoing' : 'start');

export const stepIn = (survey: SurveyKind, search: string): SurveyStep =>
  SURVEY_STEPS.find((step) => step === new URLSearchParams(search).get('step')) ?? firstStepOf(survey);
