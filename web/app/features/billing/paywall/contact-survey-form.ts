import { parseWithZod } from '@conform-to/zod/v4';
import { z } from 'zod';

/** Characters. */
const MAX_COMPANY_LENGTH = 200;
const MAX_PURPOSE_LENGTH = 2000;

const surveyForm = z.object({
  /** Photos a month. */
  volume: z.enum(['hundreds', 'thousands', 'more']).catch('hundreds'),
  company: z.string().trim().max(MAX_COMPANY_LENGTH).default(''),
  purpose: z.string().trim().max(MAX_PURPOSE_LENGTH).default(''),
});

export type SurveyVolume = z.output<typeof surveyForm>['volume'];

export const parseSurvey = (fields: FormData | URLSearchParams) => parseWithZod(fields, { schema: surveyForm });
