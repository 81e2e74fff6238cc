import { type Currency, inSeconds, isCurrency, SURVEY_KINDS, type SurveyKind } from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { z } from 'zod';
import { isTheme, type Theme } from '../ui/page/document-data';
import { plainCookie, signedCookie } from './cookies.server';

const YEAR = inSeconds.days(365);

export const themeCookie = plainCookie('theme', YEAR, z.custom<Theme>(isTheme));

export const currencyCookie = plainCookie('currency', YEAR, z.custom<Currency>(isCurrency));

/** The tutorial of new models has been read. */
export const tutorialCookie = plainCookie('new_models', YEAR, z.literal('read'));

/** The secret menu was opened in this browser: its events are a tester's, and it may have forced segments. */
export const testerCookie = signedCookie('tester', inSeconds.days(30), z.literal(true));

/** Surveys that this browser has answered or declined. Lifetime of identifier cookies (spec 1, section 9). */
const surveysCookie = plainCookie('surveys', inSeconds.days(730), z.array(z.enum(SURVEY_KINDS)));

export const hasAnsweredSurvey = async (request: Request, survey: SurveyKind): Promise<boolean> =>
  (await surveysCookie.read(request))?.includes(survey) ?? false;

export async function keepAnsweredSurvey(request: Request, context: AppLoadContext, survey: SurveyKind): Promise<void> {
  const answered = (await surveysCookie.read(request)) ?? [];
  await surveysCookie.write([...new Set([...answered, survey])], context);
}
