// Apart from the flags, so that pages that need only these load no schemas.

/** Surveys that can pop up; each has a page, too. */
export const SURVEY_KINDS = ['feature_ranking', 'onboarding'] as const;
export type SurveyKind = (typeof SURVEY_KINDS)[number];
