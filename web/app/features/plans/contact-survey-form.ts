import { SupportRequest } from '@clearframe/contract';
import { parseWithZod } from '@conform-to/zod/v4';
import { z } from 'zod';
import { CAPTCHA_FIELD } from '../captcha/captcha-field';

/** Characters. */
const MAX_COMPANY_LENGTH = 200;
const MAX_PURPOSE_LENGTH = 2000;

const { name, email } = SupportRequest.shape;

const surveyForm = z.object({
  name,
  email,
  /** Photos a month. */
  volume: z.enum(['hundreds', 'thousands', 'more']).catch('hundreds'),
  company: z.string().trim().max(MAX_COMPANY_LENGTH).default(''),
  purpose: z.string().trim().max(MAX_PURPOSE_LENGTH).default(''),
  [CAPTCHA_FIELD]: z.string().optional(),
});

export type SurveyVolume = z.output<typeof surveyForm>['volume'];

export const parseSurvey = (fields: FormData | URLSearchParams) => parseWithZod(fields, { schema: surveyForm });
