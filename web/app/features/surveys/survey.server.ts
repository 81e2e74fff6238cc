import { randomUUID } from 'node:crypto';
import type { SurveyKind, TrackingData } from '@clearframe/contract';
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node';
import { seeOther } from '../../http/answer.server';
import { readFields } from '../../http/form.server';
import { RETURN_PARAMETER, returnAddressIn } from '../../http/internal-address';
import { translatorFor } from '../../i18n/i18n.server';
import { keepAnsweredSurvey } from '../../session/preferences.server';
import type { Exchange } from '../../session/visitor.server';
import { sendFromServer } from '../telemetry/operations.server';
import { SURVEY_ADDRESSES, stepIn, surveyAddress } from './survey-address';
import { DECLINE_FIELD } from './survey-fields';
import { parseSurvey } from './survey-form';

export const loadSurvey =
  (survey: SurveyKind) =>
  async ({ request }: LoaderFunctionArgs) => {
    const t = await translatorFor(request, 'surveys');
    const title = t(survey === 'onboarding' ? 'onboarding.title' : 'features.title');
    return { title, step: stepIn(survey, new URL(request.url).search) };
  };

/** Stores the answers as an event; the browser isn't asked again. A script ignores the redirect. */
export const answerSurvey =
  (survey: SurveyKind) =>
  async ({ request, context }: ActionFunctionArgs) => {
    const fields = await readFields(request, context);
    const { search } = new URL(request.url);
    const exchange = { request, context };
    if (fields.has(DECLINE_FIELD)) {
      await finish({ survey, action: 'declined' }, exchange);
      return seeOther(returnAddressIn(search), request);
    }
    const submission = parseSurvey(fields, survey);
    if (submission.status !== 'success') return data({ result: submission.reply() }, { status: 422 });
    await finish({ survey, action: 'end', answers: submission.value }, exchange);
    const from = new URLSearchParams(search).get(RETURN_PARAMETER);
    const address = `${surveyAddress(survey, 'end')}${from ? `&${new URLSearchParams({ [RETURN_PARAMETER]: from })}` : ''}`;
    return seeOther(address, request);
  };

async function finish(answer: TrackingData<'survey'>, exchange: Exchange): Promise<void> {
  const { request, context } = exchange;
  await keepAnsweredSurvey(request, context, answer.survey);
  const event = {
    id: randomUUID(),
    timestamp: new Date().toISOString(),
    type: 'UserAction' as const,
    kind: 'survey',
    data: { ...answer },
    info: { path: SURVEY_ADDRESSES[answer.survey] },
  };
  await sendFromServer([event], exchange);
}
